"""The figures in a text, in one notation: "2x", "2.0$\\times$", "two-fold" and "两倍" are the same."""

import re
from dataclasses import dataclass
from typing import Literal

from rag.patterns import lazy_pattern

Unit = Literal["", "%", "x"]

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: value for value, word in enumerate(_ONES.split())}
_WORDS |= {word: 10 * value for value, word in enumerate(_TENS.split(), start=2)}
_SCALES = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "million": 1e6,
    "b": 1e9,
    "billion": 1e9,
    "t": 1e12,
    "trillion": 1e12,
}
_SCALES |= {"hundred": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8}
_TIMES = {
    "twice": 2,
    "double": 2,
    "doubles": 2,
    "doubled": 2,
    "doubling": 2,
    "triple": 3,
    "triples": 3,
    "tripled": 3,
}
_TIMES |= {"tripling": 3, "quadruple": 4, "quadruples": 4, "quadrupled": 4}
_CHINESE = {c: v for v, c in enumerate("零一二三四五六七八九十")} | {"两": 2}

# LaTeX and typography that mean the same, most specific first.
_SPELLINGS = (
    (lazy_pattern(r"\\(?:times|cdot)\b|×|✕"), " x "),
    (lazy_pattern(r"\\(?:text|textbf|mathrm|mathbf|emph)\s*\{([^{}]*)\}"), r"\1"),
    (lazy_pattern(r"\\%|％|\bper\s?cent\b|\bpercentage points?\b|\bpercent\b|个百分点", re.IGNORECASE), "%"),
    (lazy_pattern(r"百分之\s*(\d+(?:\.\d+)?)"), r"\1%"),
    (lazy_pattern(r"\{,\}|\\,|\\;|\\!|\\ "), ""),
    (lazy_pattern(r"\$|\*\*|\\[()\[\]]"), ""),
    (lazy_pattern(r"(?<=\d)[,，](?=\d{3}(?!\d))"), ""),
    (lazy_pattern(r"[‐‑–—~～]|\bto\b|至|到"), "-"),
)
_FIGURE = lazy_pattern(
    r"""
    (?<![\d.]) (?P<value> \d+ (?:\.\d+)? | \.\d+ )
    (?: \s*-?\s* (?P<scale> thousand|million|billion|trillion|[kmbt](?![a-z])|[千万亿] ) )?
    (?P<unit> \s*% | (?: \s* | -) (?: x (?![a-z\d]) | [- ]?fold\b | times\b | 倍 ) )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WORD = lazy_pattern(
    r"(?<![A-Za-z]) (?P<tens> (?:twen|thir|for|fif|six|seven|eigh|nine)ty - )? (?P<word> [A-Za-z]+ )"
    r"(?: [- ] (?P<scale> hundred|thousand|million|billion ) )? (?P<unit> \s*% | [- ]?(?:fold|times)\b )?",
    re.VERBOSE,
)
_CHINESE_TIMES = lazy_pattern(r"([一二三四五六七八九十两])\s*倍")
_RANGE_WITHOUT_UNIT = lazy_pattern(r"(\d+(?:\.\d+)?)(?=\s*-\s*\d+(?:\.\d+)?\s*(%|x(?![a-z])))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as text states it: `written` as it stands there, `unit` empty, percent or times."""

    value: float
    unit: Unit
    written: str
    decimals: int = 0

    def stated_by(self, other: "Figure") -> bool:
        """Whether `other` says the same number, perhaps more precisely (9.85 % states "about 9.9 %")."""
        if self.unit and self.unit != other.unit:
            return False
        if self.value == other.value:
            return True
        significant = (
            len(self.written.replace(".", "").lstrip("0")) >= 2 and self.written.replace(".", "").isdigit()
        )
        return significant and round(other.value, self.decimals) == self.value


def figures(text: str, *, within_names: bool = True) -> list[Figure]:
    """The figures of `text`, digits and words alike.

    `within_names` also takes digits that stand behind a letter ("GPT-4", "top-5"); turned off for claims,
    where a name is checked as a name. "One" in words is left out there too: it is mostly a pronoun.
    """
    for pattern, plain in _SPELLINGS:
        text = pattern.sub(plain, text)
    text = _RANGE_WITHOUT_UNIT.sub(r"\1\2", text)
    found = [
        Figure(_scaled(m), _unit(m["unit"]), m["value"], len(m["value"].partition(".")[2]))
        for m in _FIGURE.finditer(text)
        if within_names or not re.search(r"[A-Za-z][-_^/]?$", text[: m.start()])
    ]
    found += [figure for m in _WORD.finditer(text) if (figure := _in_words(m, within_names))]
    return found + [Figure(_CHINESE[m[1]], "x", m[1]) for m in _CHINESE_TIMES.finditer(text)]


def _scaled(match: re.Match[str]) -> float:
    return float(match["value"]) * _SCALES.get((match["scale"] or "").lower(), 1)


def _unit(written: str | None) -> Unit:
    return "" if not written else "%" if "%" in written else "x"


def _in_words(match: re.Match[str], with_one: bool) -> Figure | None:
    word = match["word"].lower()
    if word in _TIMES:
        return Figure(_TIMES[word], "x", word)
    unit = match["unit"]
    if word.endswith("fold") and word[:-4] in _WORDS:
        word, unit = word[:-4], "fold"
    if word not in _WORDS or (word == "one" and not with_one):
        return None
    value = float(_WORDS[word]) + (_WORDS[match["tens"][:-1].lower()] if match["tens"] else 0)
    return Figure(value * _SCALES.get(match["scale"] or "", 1), _unit(unit), match.group().strip())
