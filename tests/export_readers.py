"""What other programs make of an export: the parsers, and the characters that LaTeX would print."""

from collections.abc import Sequence

from pybtex.database import BibliographyData, parse_string
from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

from rag.export.bibtex import bibtex
from rag.records import Paper

_SIGNS = {"textbraceleft": "{", "textbraceright": "}", "textless": "<", "textgreater": ">", "textbar": "|"}
_PRINTED = get_default_latex_context_db()
_PRINTED.add_context_category(
    "signs",
    prepend=True,
    macros=[MacroTextSpec(name, sign) for name, sign in _SIGNS.items()]
    + [MacroTextSpec("textasciicircum", "^"), MacroTextSpec("textasciitilde", "~")],
)
_READER = LatexNodes2Text(_PRINTED, math_mode="verbatim", strict_latex_spaces=False)


def printed(value: str) -> str:
    """The characters of a LaTeX text; formulas as they are written."""
    return _READER.latex_to_text(value)


def typographic(text: str) -> str:
    """A text as TeX's fonts set it: hyphens and quotation marks that follow each other join."""
    for typed, sign in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”")):
        text = text.replace(typed, sign)
    return text


def brace_depths(value: str) -> list[int]:
    """BibTeX's depth after each character; a backslash does not change what a brace is."""
    depths, depth = [], 0
    for char in value:
        depth += (char == "{") - (char == "}")
        depths.append(depth)
    return depths


def read_bibtex(papers: Sequence[Paper]) -> BibliographyData:
    return parse_string(bibtex(papers), "bibtex")


def field(paper: Paper, name: str) -> str:
    (entry,) = read_bibtex([paper]).entries.values()
    return str(entry.fields.get(name, ""))


def paper(title: str = "A title", **fields: object) -> Paper:
    return Paper(**{"id": "p1", "title": title, "abstract": "An abstract.", **fields})  # type: ignore[arg-type]
