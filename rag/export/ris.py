"""RIS, which every reference manager reads: one tag a line, repeated tags for authors and keywords.

Written here, since the format is its lines and no value can hold a line break; the tests read it with rispy.
"""

from collections.abc import Sequence

from rag.export.entries import Entry, entries
from rag.export.kinds import Kind
from rag.records import Paper

_TYPES: dict[Kind, str] = {
    "conference": "CPAPER",
    "journal": "JOUR",
    "preprint": "UNPB",
    "unpublished": "UNPB",
    "other": "GEN",
}


def ris(papers: Sequence[Paper]) -> str:
    """One record a paper, in order; each id once."""
    return "\n".join(map(_record, entries(papers)))


def _record(entry: Entry) -> str:
    tagged = [
        ("TY", _TYPES[entry.kind]),
        ("ID", entry.key),
        ("TI", entry.title),
        *(("AU", name.inverted) for name in entry.authors),
        ("PY", str(entry.year or "")),
        ("T2", "" if entry.note else entry.venue),
        ("N1", entry.note),
        ("DO", entry.doi),
        ("UR", entry.url),
        *(("KW", keyword) for keyword in entry.keywords),
        ("AB", entry.abstract),
    ]
    return "".join(f"{tag}  - {value}\n" for tag, value in tagged if value) + "ER  - \n"
