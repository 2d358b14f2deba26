"""Number, verify, repair: what each sentence of an answer cites, and whether the abstract says so."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.marks import Mark, marks, through
from rag.records import Citation, CitedSpan, Paper, Verdict
from rag.sentences import split
from rag.support import Support, has_content, support

_UNSUPPORTED_NOTE = {"en": "⚠ (not found in the cited abstract)", "zh": "⚠（所引摘要中未找到）"}
_UNCITED_NOTE = {"en": "⚠ (no source among the abstracts)", "zh": "⚠（摘要中无出处）"}
_NOTE = re.compile(
    r"\s*(?:"
    + "|".join(re.escape(note) for notes in (_UNSUPPORTED_NOTE, _UNCITED_NOTE) for note in notes.values())
    + ")"
)
# "X holds. [1]" and "X holds.[1]": the mark belongs before the full stop, where the sentence still is.
_MARKS_AFTER_STOP = re.compile(r"(?P<stop>[.!?。！？]+)(?P<space>[ \t]*)(?P<marks>(?:\[\d{1,4}\][ \t]*)+)")
_STOP = re.compile(r"[.!?。！？]+[\"'”’」』)）*_]*\s*$")
_WORD_AHEAD = re.compile(r"[A-Za-z0-9]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Settled:
    """A text whose every mark names a shown paper, and its citations by first appearance."""

    text: str
    citations: tuple[Citation, ...]


def settle(text: str, sources: Sequence[tuple[int, Paper]], *, own: bool = False) -> Settled:
    """Verify a finished answer against the papers that were shown under these numbers.

    Marks of other numbers are removed. For each sentence the cited abstracts are checked: a citation that
    adds nothing is dropped, a sentence that only another shown paper supports cites that one instead, and a
    sentence that none supports stays but is marked in words. A sentence without a citation gets that of the
    paper that supports it, or is marked as well.

    `own` is for text that the project composed itself, from verbatim sentences and counted figures: its marks
    are checked and located, its wording is left alone.
    """
    papers = dict(sources)
    clean = through(text, papers, [paper.url for paper in papers.values() if paper.url])
    clean = _stops_after_marks(_NOTE.sub("", clean))
    pieces: list[str] = []
    found: list[tuple[int, CitedSpan]] = []
    position = 0
    for index, span in enumerate(split(clean)):
        sentence = span.of(clean)
        if own:
            checked = _Checked(sentence, _held(sentence, _numbers(marks(sentence)), papers))
        else:
            checked = _check(sentence, papers, _nearby(clean, span.start))
        pieces += [clean[position : span.start], checked.text]
        position = span.end
        found += [(number, CitedSpan(index, s.quote, s.verdict)) for number, s in checked.support.items()]
    return Settled("".join(pieces) + clean[position:], _by_paper(found, papers))


def _nearby(text: str, at: int) -> list[int]:
    """The numbers cited after this place in its paragraph, else those cited before it there."""
    start = text.rfind("\n\n", 0, at) + 1
    end = text.find("\n\n", at)
    return _numbers(marks(text[at : end if end >= 0 else len(text)])) or _numbers(marks(text[start:at]))


@dataclass(frozen=True, slots=True)
class _Checked:
    """A sentence as it will be shown and what the papers it cites hold for it."""

    text: str
    support: dict[int, Support]


def _check(sentence: str, papers: dict[int, Paper], nearby: Sequence[int]) -> _Checked:
    """Verify one sentence and mend its citations. `nearby` are numbers cited close to it in its paragraph."""
    cited = _numbers(marks(sentence))
    claim = _without_marks(sentence)
    if not cited and not has_content(claim):
        return _Checked(sentence, {})
    held = _held(sentence, cited, papers)
    if kept := [number for number in cited if held[number].verdict != "unsupported"]:
        text = sentence if kept == cited else _cite_only(sentence, kept)
        return _Checked(text, {number: held[number] for number in kept})
    if found := _source_of(claim, [n for n in papers if n not in cited], papers, "supported"):
        return _Checked(_cite(claim, [found[0]]), dict([found]))
    if not cited and (found := _source_of(claim, nearby, papers, "weak")):
        return _Checked(_cite(claim, [found[0]]), dict([found]))
    note = (_UNSUPPORTED_NOTE if cited else _UNCITED_NOTE)["zh" if _CHINESE.search(claim) else "en"]
    return _Checked(_before_stop(sentence, f" {note}"), held)


def _held(sentence: str, cited: Sequence[int], papers: dict[int, Paper]) -> dict[int, Support]:
    """What each cited paper holds for the sentence, or for the part of it that ends at its mark.

    "GNN-Diff runs 166 experiments [1], DEQ two [2]." cites each paper for its own half.
    """
    held: dict[int, Support] = {}
    claim = _without_marks(sentence)
    for number in cited:
        others = [papers[other] for other in cited if other != number]
        whole = support(claim, papers[number], others)
        parts = [support(part, papers[number]) for part in _parts_of(sentence, number)] if others else []
        held[number] = max([whole, *parts], key=_rank)
    return held


def _parts_of(sentence: str, number: int) -> list[str]:
    """The parts of the sentence that end at a mark of this number and begin after the mark before."""
    parts: list[str] = []
    start = end = 0
    for mark in marks(sentence):
        if sentence[end : mark.start].strip():
            start = end
        if mark.number == number:
            parts.append(_without_marks(sentence[start : mark.start]))
        end = mark.end
    return [part for part in parts if has_content(part)]


def _rank(held: Support) -> tuple[int, float]:
    return ("unsupported", "weak", "supported").index(held.verdict), held.score


def _source_of(
    claim: str, candidates: Iterable[int], papers: dict[int, Paper], least: Verdict
) -> tuple[int, Support] | None:
    """The candidate that supports the claim best, if it does so at least this well."""
    held = [(number, support(claim, papers[number])) for number in candidates]
    enough = [pair for pair in held if pair[1].verdict in ("supported", least)]
    return max(enough, key=lambda pair: _rank(pair[1]), default=None)


def _numbers(found: Iterable[Mark]) -> list[int]:
    return list(dict.fromkeys(mark.number for mark in found))


def _without_marks(sentence: str) -> str:
    return _cite_only(sentence, ())


def _cite_only(sentence: str, kept: Sequence[int]) -> str:
    """The sentence with only the marks of these numbers, and no blank left where another stood."""
    pieces: list[str] = []
    position, blank = 0, ""
    for mark in marks(sentence):
        before = sentence[position : mark.start]
        text = before.rstrip(" \t")
        blank = before[len(text) :] or ("" if text else blank)
        pieces.append(text)
        position = mark.end
        if mark.number in kept:
            pieces += [blank, sentence[mark.start : mark.end]]
            blank = ""
        elif _WORD_AHEAD.match(sentence, position):
            pieces.append(blank or " ")
    return "".join(pieces) + sentence[position:]


def _cite(claim: str, numbers: Sequence[int]) -> str:
    blank = "" if _CHINESE.search(claim) else " "
    return _before_stop(claim, blank + "".join(f"[{number}]" for number in numbers))


def _before_stop(sentence: str, addition: str) -> str:
    end = _STOP.search(sentence)
    at = end.start() if end else len(sentence)
    return sentence[:at] + addition + sentence[at:]


def _stops_after_marks(text: str) -> str:
    return _MARKS_AFTER_STOP.sub(_swap, text)


def _swap(match: re.Match[str]) -> str:
    blank = " " if match["stop"][0] in ".!?" else ""
    cited = match["marks"].rstrip()
    return f"{blank}{cited}{match['stop']}{match['marks'][len(cited) :]}"


def _by_paper(found: Sequence[tuple[int, CitedSpan]], papers: dict[int, Paper]) -> tuple[Citation, ...]:
    numbers = dict.fromkeys(number for number, _ in found)
    return tuple(
        Citation(number, papers[number], tuple(span for n, span in found if n == number))
        for number in numbers
    )
