"""Tables with a row of column names: CSV, TSV, and their kin with `;` or `|` between the cells."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag.records import Reading
from rag.sources.document import MAX_BYTES, Document, Format
from rag.sources.rows import is_header, read_rows

_DELIMITERS = "\t,;|"
_SAMPLED = 200  # rows by which it is decided whether quotation marks enclose cells


@dataclass(frozen=True, slots=True)
class _Layout:
    delimiter: str
    quoted: bool
    """Whether quotation marks enclose cells; else they are text like any other."""


def _matches(document: Document) -> bool:
    return column_delimiter(document.text) is not None


def column_delimiter(text: str) -> str | None:
    """What divides the first line into column names of which one means title or abstract, None without."""
    first = re.split(r"[\r\n]", text.lstrip()[:10_000], maxsplit=1)[0]
    for delimiter in _DELIMITERS:
        names = next(csv.reader([first], delimiter=delimiter), [])
        if len(names) > 1 and is_header(names):
            return delimiter
    return None


def _read(document: Document) -> Reading:
    delimiter = column_delimiter(document.text)
    if delimiter is None:  # a file of this name whose first line names no columns
        return Reading(())
    layout = _layout(document.text, delimiter)
    return read_rows(document, _rows(document.text, layout))


def _layout(text: str, delimiter: str) -> _Layout:
    """The layout under which more rows have a cell for each column."""

    def fitting(layout: _Layout) -> int:
        rows = _rows(text, layout)
        width = len(next(rows)[1])
        return sum(len(cells) == width for _, (_, cells) in zip(range(_SAMPLED), rows, strict=False))

    return max((_Layout(delimiter, True), _Layout(delimiter, False)), key=fitting)


def _rows(text: str, layout: _Layout) -> Iterator[tuple[int, list[str]]]:
    """Rows that hold something, each with the number of its first line."""
    csv.field_size_limit(MAX_BYTES)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=layout.delimiter,
        quoting=csv.QUOTE_MINIMAL if layout.quoted else csv.QUOTE_NONE,
    )
    line = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield line, cells
        line = reader.line_num + 1


FORMAT = Format("CSV, TSV", frozenset({".csv", ".tsv", ".tab"}), _matches, _read)
