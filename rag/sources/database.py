"""SQLite databases: every table with a column of titles or abstracts."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from rag.errors import SourceError
from rag.records import Reading
from rag.sources.document import Document, Format
from rag.sources.fields import is_field, read_records
from rag.sources.identity import with_linked_id

_MAGIC = b"SQLite format 3\x00"
_VERSIONS = slice(
    18, 20
)  # of the file format: 2 means a write-ahead log, which a database in memory cannot have
_STEPS = 200_000_000  # of SQLite's machine: enough for a million rows, not for a table that never ends


def _matches(document: Document) -> bool:
    return document.data.startswith(_MAGIC)


def _read(document: Document) -> Reading:
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            data = bytearray(document.data)
            data[_VERSIONS] = b"\x01\x01"
            database.deserialize(bytes(data))
            database.execute("PRAGMA trusted_schema = OFF")
            database.set_progress_handler(lambda: 1, _STEPS)
            return read_records(document.counted(list(_records(database, document.name))))
    except sqlite3.Error as error:
        raise SourceError(f"{document.name} is a damaged database ({error}).") from None


def _records(database: sqlite3.Connection, name: str) -> Iterator[tuple[str, object]]:
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for table in tables:
        quoted = table.replace('"', '""')
        rows = database.execute(f'SELECT * FROM "{quoted}"')  # noqa: S608 - the name is quoted
        columns = [column[0] for column in rows.description]
        if any(is_field(column, meaning) for column in columns for meaning in ("title", "abstract")):
            for number, row in enumerate(rows, start=1):
                texts = {c: str(value) for c, value in zip(columns, row, strict=True) if value is not None}
                yield f"{name}: table {table}, row {number}", _decoded(with_linked_id(texts))


def _decoded(record: dict[str, str]) -> dict[str, object]:
    """Lists are kept as JSON in a column."""
    return {name: _value(text) for name, text in record.items()}


def _value(text: str) -> object:
    if not text.startswith("["):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


FORMAT = Format("SQLite", frozenset(), _matches, _read)
