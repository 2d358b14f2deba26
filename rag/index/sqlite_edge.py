"""The one place where sqlite3's errors become ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.errors import IndexBroken, StorageError


@contextmanager
def sqlite_errors(file: Path) -> Iterator[None]:
    """StorageError where `file` cannot be written, IndexBroken where it holds something else."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StorageError(
            f"{file} cannot be used ({error}).", "Free some disk space, or choose a folder you can write to."
        ) from None
    except sqlite3.Error as error:
        raise IndexBroken(
            f"{file} cannot be read ({error}).", f"Move {file.parent} away and ingest the papers again."
        ) from None
