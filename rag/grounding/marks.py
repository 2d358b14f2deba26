"""Citation marks in text that the user sees: `[n]`, and nothing else."""

import re
from dataclasses import dataclass

from rag.patterns import lazy_pattern

_LIKE_A_MARK = lazy_pattern(r"\[([\s#^]*\d+(?:\s*[,;–-]\s*\d+)*\s*)\]")
_LOOSE = {"$": "＄", r"\(": "(", r"\)": ")", r"\[": "［", r"\]": "］"}

_FORMULA_OR_MARK = lazy_pattern(
    r"""
      \$\$ [^\n]{1,300}? \$\$
    | \$ (?=[^\s$]) [^$\n]{0,299} (?<=[^\s\\]) \$ (?!\d)
    | \\\[ [^\n]{1,300}? \\\]
    | \\\( [^\n]{1,300}? \\\)
    | \[ (?P<number> \d{1,9} ) \]
    """,
    re.VERBOSE,
)
_SENTENCE_END = lazy_pattern(r"[。！？]|[.!?](?:\s|$)|\n")


@dataclass(frozen=True, slots=True)
class Mark:
    """The citation of one paper, `[number]`, at `text[start:end]`."""

    start: int
    end: int
    number: int


def marks(text: str) -> list[Mark]:
    """The citation marks of a text that went through the gate, in their order; formulas hold none."""
    found = _FORMULA_OR_MARK.finditer(text)
    return [Mark(m.start(), m.end(), int(m["number"])) for m in found if m["number"]]


def neutral(text: str) -> str:
    """Corpus text that cannot pass for a citation mark: "[3]" becomes "［3］"."""
    return _LIKE_A_MARK.sub(r"［\1］", text)


def unpaired(text: str) -> str:
    """The text without signs that open or close a formula and have no partner in it.

    Such a sign could join one in the next sentence, and a mark between them would be part of that formula.
    """
    pieces, position = [], 0
    for formula in _FORMULA_OR_MARK.finditer(text):
        written = formula.group()
        whole = not _SENTENCE_END.search(written)
        pieces += [
            _without_loose(text[position : formula.start()]),
            written if whole else _without_loose(written),
        ]
        position = formula.end()
    return "".join([*pieces, _without_loose(text[position:])])


def _without_loose(text: str) -> str:
    return re.sub(r"\$|\\[()\[\]]", lambda sign: _LOOSE[sign.group()], text)
