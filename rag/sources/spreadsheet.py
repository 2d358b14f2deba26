"""Excel workbooks (.xlsx): every sheet with a row of column names."""

import io
import warnings
import zipfile
from collections.abc import Iterator

from rag.cleaning import distinct
from rag.errors import SourceError
from rag.records import Paper, Reading, Skipped
from rag.sources.document import MAX_BYTES, Document, Format
from rag.sources.rows import is_header, read_rows

_HEADER_WITHIN = 20  # rows in which the column names are looked for: titles of the sheet stand above them


def _matches(document: Document) -> bool:
    if not document.data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(document.data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError):
        return False


def _read(document: Document) -> Reading:
    with zipfile.ZipFile(io.BytesIO(document.data)) as archive:
        if sum(file.file_size for file in archive.infolist()) > MAX_BYTES:
            raise SourceError(f"{document.name} holds more than {MAX_BYTES >> 20} MiB.", "Split it.")
    papers: list[tuple[str, Paper]] = []
    skipped: list[Skipped] = []
    for name, rows in _sheets(document):
        reading = read_rows(document, rows, f"sheet {name}, row")
        papers += ((f"{document.name}: sheet {name}", paper) for paper in reading.papers)
        skipped += reading.skipped
    unique = distinct(papers)
    return Reading(unique.papers, (*skipped, *unique.skipped))


def _sheets(document: Document) -> Iterator[tuple[str, list[tuple[int, list[str]]]]]:
    """The rows of each sheet from its column names on, with their numbers; other sheets are left out."""
    from openpyxl import load_workbook  # takes half a second to import

    try:
        with warnings.catch_warnings(action="ignore"):  # styles and extensions that it does not know
            workbook = load_workbook(io.BytesIO(document.data), read_only=True, data_only=True)
            for sheet in workbook.worksheets:
                rows = [
                    (number, [_text(cell) for cell in cells])
                    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1)
                ]
                rows = [(number, cells) for number, cells in rows if any(cell.strip() for cell in cells)]
                for start, (_, cells) in enumerate(rows[:_HEADER_WITHIN]):
                    if is_header(cells):
                        yield sheet.title, rows[start:]
                        break
    except SourceError:
        raise
    except Exception as error:  # a damaged workbook fails anywhere in three libraries
        reason = type(error).__name__
        raise SourceError(f"{document.name} is a damaged workbook ({reason}).", "Save it anew.") from None


def _text(value: object) -> str:
    return "" if value is None else str(value)


FORMAT = Format("Excel (.xlsx)", frozenset(), _matches, _read)
