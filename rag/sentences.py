"""Sentence boundaries with offsets: one definition for chunking, quoting and verifying."""

import re

from rag.patterns import lazy_pattern
from rag.records import Span

# A full stop after one of these does not end a sentence ("et al. 2023", "e.g. a latent", "Fig. 3").
_ABBREVIATIONS = frozenset(
    "al e.g i.e cf vs etc resp fig figs eq eqs sec no approx dr prof mr mrs ms st w.r.t s.t i.i.d a.k.a"
    " viz et incl".split()
)
# These may also end one: "... for images, text, etc. We show ..." is decided by the capital that follows.
_MAY_END = frozenset({"etc", "al", "no", "i.i.d", "st"})

_TERMINATOR = lazy_pattern(
    r"""
    [.!?]+ ["'”’)\]*_]*  (?= \s | $ )      # Latin: closing quotes and emphasis belong to it
    | [。！？]+ [”’」』）]*                  # Chinese: no white space needed
    | \n \s* \n                             # a blank line
    | \n (?= \s* (?: [-*•] | \d+[.)] ) \s )  # the next item of a list
    """,
    re.VERBOSE,
)
_LAST_WORD = lazy_pattern(r"([A-Za-z][A-Za-z.]*)$")
_ITEM_NUMBER = lazy_pattern(r"(?:^|\n)[ \t]*\d{1,2}$")
_CITED = lazy_pattern(r"\[\d{1,9}\]$")
_INITIAL = lazy_pattern(r"[A-Z]\.(?:\s|$)")


def split(text: str) -> list[Span]:
    """Spans of the sentences of `text`, in order, without surrounding white space.

    Together they hold every character of `text` that is not white space between sentences. A text without
    any terminator is one sentence; an empty text has none.
    """
    spans: list[Span] = []
    start = 0
    for match in _TERMINATOR.finditer(text):
        if match.end() > start and _ends(text, match):
            _append(spans, text, start, match.end())
            start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _ends(text: str, match: re.Match[str]) -> bool:
    mark = match.group()
    if _CITED.search(text, max(0, match.start() - 12), match.start()):
        return True  # a citation stands at the end of its sentence, however the next one begins
    if not mark.startswith("."):
        # "Why? ..." in the middle of a title: a lower-case letter after ! or ? goes on with the sentence.
        following = text[match.end() :].lstrip()[:1]
        return mark[0] not in "!?" or not following.islower()
    rest = text[match.end() :].lstrip()
    following = rest[:1]
    if mark == "." and _ITEM_NUMBER.search(text, max(0, match.start() - 8), match.start()):
        return False
    word = _LAST_WORD.search(text[max(0, match.start() - 12) : match.start()])
    if word:
        ending = word.group(1).lower()
        if ending in _ABBREVIATIONS:
            return ending in _MAY_END and following.isupper() and ending != "al"
        if len(ending) == 1 and word.group(1).isupper() and following.isupper() and len(mark) == 1:
            # An initial ("J. Smith") unless the letter stands at the end of a formula or a name ("TopK").
            if _INITIAL.match(rest):
                return False
            before = text[: match.start() - 1].rstrip()[-1:]
            return before.isalnum() and not before.isupper()
    return not following.islower()


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    if stripped := piece.strip():
        offset = start + len(piece) - len(piece.lstrip())
        spans.append(Span(offset, offset + len(stripped)))
