"""Rows of cells under a row of column names, wherever they come from."""

from collections.abc import Iterable, Sequence

from rag.records import Reading, Skipped
from rag.sources.document import Document
from rag.sources.fields import is_field, read_records
from rag.sources.identity import with_linked_id

_MAX_NAME_WORDS = 5  # of a column's name
# Column names of the Web of Science and of bibliometrix, where a table has both TI and AB.
_TAGS = {
    "AB": "abstract",
    "AU": "authors",
    "DE": "keywords",
    "DI": "doi",
    "ID": "keywords plus",
    "PY": "year",
    "SO": "venue",
    "TI": "title",
    "UT": "wos id",
}


def is_header(cells: Sequence[str]) -> bool:
    """Whether these cells are names of columns, one of them for titles or abstracts."""
    names = column_names(cells)
    short = all(len(name.split()) <= _MAX_NAME_WORDS for name in names)
    return short and any(is_field(name, meaning) for name in names for meaning in ("title", "abstract"))


def column_names(cells: Sequence[str]) -> Sequence[str]:
    """The names that cells give to their columns, two-letter tags spelt out."""
    return [_TAGS.get(cell, cell) for cell in cells] if {"TI", "AB"} <= set(cells) else cells


def read_rows(document: Document, rows: Iterable[tuple[int, Sequence[str]]], part: str = "line") -> Reading:
    """Papers of numbered rows, the first of which names the columns; `part` says what is numbered."""
    rows = iter(rows)
    names = column_names(next(rows)[1])
    records: list[tuple[str, object]] = []
    misfits: list[Skipped] = []
    for number, cells in rows:
        where = f"{document.name}: {part} {number}"
        if any(cell.strip() for cell in cells[len(names) :]):
            misfits.append(Skipped(where, f"has {len(cells)} cells under {len(names)} column names"))
        else:
            records.append((where, _record(names, cells)))
    reading = read_records(document.counted(records))
    return Reading(reading.papers, (*misfits, *reading.skipped))


def _record(names: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """The cells by column name; of a name that comes twice the first that holds something."""
    record: dict[str, str] = {}
    for name, cell in zip(names, cells, strict=False):
        if cell.strip():
            record.setdefault(name, cell)
    return with_linked_id(record)
