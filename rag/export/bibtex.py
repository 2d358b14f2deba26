"""BibTeX, for LaTeX documents of any style: classic fields, UTF-8 letters.

What is hard about it is the escaping (latex.py) and the names; around them the libraries for BibTeX write no
more than the lines below, so they serve as readers in the tests.
"""

import re
from collections.abc import Sequence

from rag.export.entries import Entry, entries
from rag.export.kinds import Kind
from rag.export.latex import latex, latex_title
from rag.export.names import Name
from rag.records import Paper

_TYPES: dict[Kind, str] = {
    "conference": "inproceedings",
    "journal": "article",
    "preprint": "misc",
    "unpublished": "unpublished",
    "other": "misc",
}
_VENUE_FIELDS: dict[Kind, str] = {
    "conference": "booktitle",
    "journal": "journal",
    "preprint": "howpublished",
    "unpublished": "",
    "other": "howpublished",
}
_PERCENT = {ord(sign): f"%{ord(sign):02X}" for sign in '{}\\"<>^`|'}


def bibtex(papers: Sequence[Paper]) -> str:
    """One entry a paper, in order; each id once."""
    return "\n".join(map(_block, entries(papers)))


def _block(entry: Entry) -> str:
    fields = {
        "title": latex_title(entry.title),
        "author": " and ".join(map(_author, entry.authors)),
        _VENUE_FIELDS[entry.kind]: latex(entry.venue),
        "year": str(entry.year or ""),
        "note": latex(entry.note),
        "eprint": entry.arxiv,
        "archiveprefix": "arXiv" if entry.arxiv else "",
        "doi": entry.doi.translate(_PERCENT),
        "url": entry.url.translate(_PERCENT),
        "keywords": latex(", ".join(entry.keywords)),
        "abstract": latex(entry.abstract),
    }
    lines = (f"  {name} = {{{value}}},\n" for name, value in fields.items() if name and value)
    return f"@{_TYPES[entry.kind]}{{{entry.key},\n{''.join(lines)}}}\n"


def _author(name: Name) -> str:
    """ "van Beethoven, Ludwig" or "King, Jr., Martin Luther"; braces keep a name of one part whole."""
    if not name.given:
        return f"{{{latex(name.family)}}}"
    return ", ".join(_part(part) for part in (name.whole_family, name.suffix, name.given) if part)


def _part(part: str) -> str:
    """A part of a name, in braces where BibTeX would cut it: at a comma and at the word "and"."""
    escaped = latex(part)
    return f"{{{escaped}}}" if re.search(r",|(?:^|\s)and(?:\s|$)", part, re.IGNORECASE) else escaped
