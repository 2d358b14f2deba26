"""Citation marks in text that the user sees: `[n]`, and nothing else."""

import re
from dataclasses import dataclass

_FORMULA_OR_MARK = re.compile(
    r"""
      \$\$ [^\n]{1,300}? \$\$
    | \$ (?=[^\s$]) [^$\n]{0,299} (?<=[^\s\\]) \$ (?!\d)
    | \\\[ [^\n]{1,300}? \\\]
    | \\\( [^\n]{1,300}? \\\)
    | \[ (?P<number> \d{1,9} ) \]
    """,
    re.VERBOSE,
)


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
