"""Chinese questions in English words, from a shipped glossary of machine-learning terms.

The local embedding model and BM25 know English only. Without an LLM this glossary carries the topic words of a
Chinese question over: the question is cut into the terms of `data/glossary.tsv`, Latin words stay where they
are, and what the glossary does not know is reported rather than guessed.

A line of the table is a Chinese term, a tab, and its English translations, best first, separated by "|". A term
without a translation is a word of the question's frame (哪些, 论文, 吗) and vanishes. The terms are in simplified
characters; `data/traditional.tsv` maps traditional ones to them, so each term is found in both scripts.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_STOP = rf"[,;:!?.。、…/|]+(?=\s|[{_HAN}]|$)|[。、…]"
_AMOUNT = r"\d+(?:\.\d+)?\s*(?:万亿|千亿|百亿|十亿|亿|千万|百万|十万|万)"
_UNIT = re.compile(
    rf"(?P<amount>{_AMOUNT})|(?P<han>[{_HAN}])|(?P<stop>{_STOP})|(?P<latin>(?:(?!{_STOP})[^\s{_HAN}])+)"
)
_HAS_HAN = re.compile(rf"[{_HAN}]")
_JOINT = re.compile(rf"(?<=[{_HAN}])[\s\-‐‑–—·・]+(?=[{_HAN}])")
_MAGNITUDE = {"万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8}
_MAGNITUDE |= {"十亿": 10**9, "百亿": 10**10, "千亿": 10**11, "万亿": 10**12}
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|《[^》]*》|‘[^’]*’")
_QUOTES = "\"“”‘’'「」『』《》〈〉【】"
_BRACKETS = ("()", "[]", "{}")
_ENGLISH_FRAME = frozenset(
    """a about an and any are by can compare could did do does explain find for from give has have how i in is
    list many me my of on or paper papers please show summarize tell that the their there these they this to use
    used using was were what when where which who whose why with you""".split()
)

Translations = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """A question in English query words.

    `text` uses the best translation of every term, in the question's order. `unmatched` holds the runs of Chinese
    characters the glossary does not know; they are not in `text`. `terms` are the Chinese terms found (frame words
    left out), each with all its translations, best first.
    """

    text: str
    unmatched: tuple[str, ...] = ()
    terms: tuple[tuple[str, Translations], ...] = ()


@dataclass(frozen=True, slots=True)
class _Word:
    """A piece of the segmented text; `translations` is None for Chinese that the glossary does not know."""

    kind: str
    text: str
    translations: Translations | None = ()


@dataclass(frozen=True, slots=True)
class _Glossary:
    """Terms with case folded, each with its translations; `longest` is in characters."""

    terms: Mapping[str, Translations]
    longest: int


def translate(text: str) -> Translation:
    """The topic words of a Chinese or mixed question in English; never raises.

    Latin words and numbers are kept verbatim after Unicode NFKC (full-width forms become plain ones); text
    without Chinese comes back with only its white space squeezed.
    """
    plain = _normalised(text)
    if not _HAS_HAN.search(plain):
        return Translation(" ".join(plain.split()))
    words = list(_segment(plain))
    return Translation(
        _sentence(words),
        _unknown_runs(words),
        tuple((word.text, word.translations) for word in words if word.kind in ("han", "amount") and word.translations),
    )


def is_chinese(text: str) -> bool:
    """Whether a question is asked in Chinese, whatever language its topic words are in.

    Weighs the frame: Chinese frame words against English function words, quoted text left out. "哪些论文使用了
    conformal prediction？" is Chinese, "Which papers study 知识蒸馏?" is not. A tie is Chinese, and so are bare
    topic words with any Chinese among them.
    """
    plain = _normalised(_QUOTED.sub(" ", text))
    if not _HAS_HAN.search(plain):
        return False
    chinese = sum(word.kind == "han" and word.translations == () for word in _segment(plain))
    english = sum(word in _ENGLISH_FRAME for word in re.findall(r"[a-z]+", plain.lower()))
    return chinese >= english


def _normalised(text: str) -> str:
    return _JOINT.sub("", unicodedata.normalize("NFKC", text).translate(_simplified()))


def _segment(text: str) -> Iterator[_Word]:
    """Cuts the text so that the fewest Chinese characters stay unknown, then into the fewest words.

    Dynamic programming from the end; of equally good cuts the one whose first word is longest.
    """
    glossary = _glossary()
    units = [(match.lastgroup or "", match.group()) for match in _UNIT.finditer(text)]
    folded = [unit.casefold() if kind in ("han", "latin") else "\n" for kind, unit in units]
    cost = [(0, 0)] * (len(units) + 1)
    step = [1] * len(units)
    for start in reversed(range(len(units))):
        unknown, count = cost[start + 1]
        best = (unknown + (units[start][0] == "han"), count + 1)
        key = ""
        for end in range(start + 1, min(start + glossary.longest, len(units)) + 1):
            key += folded[end - 1]
            if key in glossary.terms:
                unknown, count = cost[end]
                if (unknown, count + 1) <= best:
                    best, step[start] = (unknown, count + 1), end - start
        cost[start] = best
    start = 0
    while start < len(units):
        end = start + step[start]
        yield _word(units[start:end], "".join(folded[start:end]), glossary)
        start = end


def _word(units: list[tuple[str, str]], key: str, glossary: _Glossary) -> _Word:
    kind, text = units[0]
    if key in glossary.terms:
        return _Word("han", "".join(unit for _, unit in units), glossary.terms[key])
    if kind == "amount":
        return _Word(kind, text, _amount(text))
    if kind == "latin":
        return _Word(kind, _bare(text))
    return _Word(kind, text, None if kind == "han" else ())


def _amount(text: str) -> Translations:
    """ "70亿" as ("7B", "7 billion")."""
    digits, magnitude = re.fullmatch(r"([\d.]+)\s*(\D+)", text).groups()  # type: ignore[union-attr]
    value = float(digits) * _MAGNITUDE[magnitude]
    for size, letter, name in ((1e12, "T", "trillion"), (1e9, "B", "billion"), (1e6, "M", "million")):
        if value >= size:
            return (f"{value / size:g}{letter}", f"{value / size:g} {name}")
    return (f"{value:.0f}", f"{value / 1e3:g}k")


def _bare(text: str) -> str:
    """The Latin word without quotes and brackets that belong to the Chinese sentence around it."""
    text = text.strip(_QUOTES)
    for opening, closing in _BRACKETS:
        if text.startswith(opening) or text.count(opening) != text.count(closing):
            text = text.strip(opening + closing)
    return text.strip(_QUOTES)


def _sentence(words: list[_Word]) -> str:
    """Best translations in order; a stop between two of them becomes a comma, so that clauses stay apart."""
    parts: list[str] = []
    pause = False
    for word in words:
        if word.kind == "stop":
            pause = bool(parts)
            continue
        part = word.text if word.kind == "latin" else (word.translations or ("",))[0]
        if not part:
            continue
        if pause:
            parts[-1] += ","
            pause = False
        parts.append(part)
    return " ".join(parts)


def _unknown_runs(words: list[_Word]) -> tuple[str, ...]:
    marked = "".join(word.text if word.translations is None else " " for word in words)
    return tuple(marked.split())


@cache
def _glossary() -> _Glossary:
    lines = files("rag.data").joinpath("glossary.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    terms = {term.casefold(): tuple(english.split("|")) if english else () for term, english in rows}
    return _Glossary(terms, max(map(len, terms)))


@cache
def _simplified() -> dict[int, str]:
    lines = files("rag.data").joinpath("traditional.tsv").read_text(encoding="utf-8").splitlines()
    return str.maketrans(dict(line.split("\t") for line in lines))
