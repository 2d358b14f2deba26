"""Chinese questions in English words, from a shipped glossary of machine-learning terms.

The local embedding model and BM25 know English only. Without an LLM this glossary carries the topic words of
a Chinese question over: the question is cut into the terms of `data/glossary.tsv`, Latin words stay where
they are, and what the glossary does not know is reported rather than guessed.

A line of the table is a Chinese term, a tab, and its English translations, best first, separated by "|". A
term without a translation is a word of the question's frame (哪些, 论文, 吗) and vanishes; words that join or
exclude topics (或, 和, 没有, 除了) are translated, so that a query parser sees them. Terms are written in
simplified characters, Latin letters in them in lower case. `data/traditional.tsv` maps traditional characters
to simplified ones, so each term is found in both scripts.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from rag.patterns import lazy_pattern

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_STOP = rf"(?<=[{_HAN}])[,;:!?]+|[,;:!?./。、…|]+(?=[\s{_HAN}]|$)|[。、…]"
_AMOUNT = r"(?<![\w.])\d+(?:\.\d+)?\s*(?:万亿|千亿|百亿|十亿|亿|千万|百万|十万|万)"
_UNIT = lazy_pattern(
    rf"(?P<amount>{_AMOUNT})|(?P<han>[{_HAN}])|(?P<stop>{_STOP})"
    rf"|(?P<latin>(?:(?!{_STOP}|{_AMOUNT})[^\s{_HAN}])+)"
)
_HAS_HAN = lazy_pattern(rf"[{_HAN}]")
_KANA = lazy_pattern(r"[\u3040-\u30ff]")
_JOINT = lazy_pattern(rf"(?<=[{_HAN}])[\s\-‐‑–—·・]+(?=[{_HAN}])")
_ROW = lazy_pattern(r"^([^\t\n]+)\t(.*)$", re.MULTILINE)
_MAGNITUDES = {"万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7, "亿": 1e8}
_MAGNITUDES |= {"十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12}
_QUOTED = lazy_pattern(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|《[^》]*》|‘[^’]*’")
_QUOTES = "\"'“”‘’「」『』《》〈〉【】"
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_ENGLISH_FRAME = lazy_pattern(
    r"\b(?:an?|about|and|any|are|by|can|compare|could|did|do|does|explain|find|for|from|give|has|have|how|is|in|"
    r"list|many|me|my|of|on|or|papers?|please|show|summari[sz]e|tell|that|the|their|there|these|they|this|to|"
    r"use[ds]?|using|was|were|what|when|where|which|who|whose|why|with|you)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Translation:
    """A question in English query words.

    `text` uses the best translation of every term, in the question's order. `unmatched` holds the runs of
    Chinese characters the glossary does not know; they are not in `text`. `terms` are the Chinese terms found
    (frame words left out), each with all its translations, best first.
    """

    text: str
    unmatched: tuple[str, ...] = ()
    terms: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of the cut text: a term with its translations (none for a frame word), a Chinese character the
    glossary does not know, a Latin word, or the stop at the end of a clause."""

    kind: Literal["term", "unknown", "latin", "stop"]
    text: str
    translations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Glossary:
    """Translations by term, still joined by "|"; no term has more than `longest` characters."""

    terms: Mapping[str, str]
    longest: int


def translate(text: str) -> Translation:
    """The topic words of a Chinese or mixed question in English; never raises.

    Latin words and numbers are kept verbatim after Unicode NFKC (full-width forms become plain ones); text
    without Chinese comes back with only its white space squeezed.
    """
    plain = _normalised(text)
    if not _HAS_HAN.search(plain):
        return Translation(" ".join(plain.split()))
    pieces = list(_segment(plain))
    unknown = "".join(piece.text if piece.kind == "unknown" else " " for piece in pieces)
    terms = tuple((piece.text, piece.translations) for piece in pieces if piece.translations)
    return Translation(_joined(pieces), tuple(unknown.split()), terms)


def is_chinese(text: str) -> bool:
    """Whether a question is asked in Chinese, whatever language its topic words are in.

    Weighs the frame: Chinese frame words against English function words, quoted text left out. "哪些论文用了
    conformal prediction？" is Chinese, "Which papers study 知识蒸馏?" is not. A tie is Chinese, and so are
    bare topic words with any Chinese among them; Japanese is not.
    """
    plain = _normalised(_QUOTED.sub(" ", text))
    if not _HAS_HAN.search(plain) or _KANA.search(plain):
        return False
    chinese = sum(piece.kind == "term" and not piece.translations for piece in _segment(plain))
    return chinese >= len(_ENGLISH_FRAME.findall(plain))


@cache
def english_words() -> frozenset[str]:
    """The words of all translations in lower case: ordinary English of the field."""
    return frozenset(
        word.lower() for words in _glossary().terms.values() for word in re.split(r"[^A-Za-z]+", words)
    )


def _normalised(text: str) -> str:
    """Plain character forms, simplified characters, and no white space or hyphen inside Chinese."""
    return _JOINT.sub("", unicodedata.normalize("NFKC", text).translate(_simplified()))


def _segment(text: str) -> Iterator[_Piece]:
    """Cuts the text so that the fewest Chinese characters stay unknown, then into the fewest pieces.

    Dynamic programming from the end; of equally good cuts the one whose first piece is longest.
    """
    glossary = _glossary()
    units = [(str(match.lastgroup), match.group()) for match in _UNIT.finditer(text)]
    folded = [unit.lower() for _, unit in units]
    cost = [(0, 0)] * (len(units) + 1)
    length = [1] * len(units)
    for start in reversed(range(len(units))):
        unknown, pieces = cost[start + 1]
        best = (unknown + (units[start][0] == "han"), pieces + 1)
        key = ""
        for end in range(start + 1, min(start + glossary.longest, len(units)) + 1):
            key += folded[end - 1]
            unknown, pieces = cost[end]
            if key in glossary.terms and (unknown, pieces + 1) <= best:
                best, length[start] = (unknown, pieces + 1), end - start
        cost[start] = best
    start = 0
    while start < len(units):
        end = start + length[start]
        yield _piece(units[start:end], glossary.terms.get("".join(folded[start:end])))
        start = end


def _piece(units: Sequence[tuple[str, str]], english: str | None) -> _Piece:
    kind, text = units[0]
    if english is not None:
        term = "".join(unit for _, unit in units)
        return _Piece("term", term, tuple(english.split("|")) if english else ())
    if kind == "amount":
        return _Piece("term", text, _amount(text))
    if kind == "latin":
        return _Piece("latin", _bare(text))
    return _Piece("stop" if kind == "stop" else "unknown", text)


def _amount(text: str) -> tuple[str, ...]:
    """Chinese counts in ten thousands as English ones: "70亿" is ("7B", "7 billion")."""
    digits = text.rstrip(" 十百千万亿")
    value = float(digits) * _MAGNITUDES[text.removeprefix(digits).strip()]
    for size, letter, name in ((1e12, "T", "trillion"), (1e9, "B", "billion"), (1e6, "M", "million")):
        if value >= size:
            return (f"{value / size:g}{letter}", f"{value / size:g} {name}")
    return (f"{value:.0f}", f"{value / 1e3:g}k")


def _bare(word: str) -> str:
    """The Latin word without the quotes and brackets of the Chinese sentence around it."""
    word = word.strip(_QUOTES)
    for opening, closing in _BRACKETS:
        if word.startswith(opening) or word.count(opening) != word.count(closing):
            word = word.strip(opening + closing)
    return word.strip(_QUOTES)


def _joined(pieces: Sequence[_Piece]) -> str:
    """Best translations in order; a stop between two of them becomes a comma, so that clauses stay apart."""
    words: list[str] = []
    pause = False
    for piece in pieces:
        word = piece.translations[0] if piece.translations else piece.text if piece.kind == "latin" else ""
        if word and pause and words:
            words[-1] += ","
        if word:
            words.append(word)
        pause = piece.kind == "stop" or (pause and not word)
    return " ".join(words)


def _rows(name: str) -> dict[str, str]:
    return dict(_ROW.findall(files("rag.data").joinpath(name).read_text(encoding="utf-8")))


@cache
def _glossary() -> _Glossary:
    terms = _rows("glossary.tsv")
    return _Glossary(terms, max(map(len, terms)))


@cache
def _simplified() -> dict[int, str]:
    return str.maketrans(_rows("traditional.tsv"))
