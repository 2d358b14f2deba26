"""Vectors that are made but not published yet, so that a killed ingest goes on where it stopped."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rag.index.sqlite_edge import sqlite_errors

_PAGE = 1000


class VectorJournal:
    """One SQLite file of float32 vectors by id, for one thread. Methods raise StorageError, IndexBroken."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with sqlite_errors(file):
            self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("CREATE TABLE IF NOT EXISTS vectors (id TEXT PRIMARY KEY, vector BLOB NOT NULL)")

    def add(self, ids: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """Keep vectors of shape (len(ids), dimensions)."""
        rows = [(vector_id, vector.tobytes()) for vector_id, vector in zip(ids, vectors, strict=True)]
        with sqlite_errors(self._file):
            self._db.execute("BEGIN")
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            self._db.execute("COMMIT")

    def ids(self) -> set[str]:
        with sqlite_errors(self._file):
            return {row[0] for row in self._db.execute("SELECT id FROM vectors")}

    def count_pages(self) -> int:
        with sqlite_errors(self._file):
            return -(-int(self._db.execute("SELECT count(*) FROM vectors").fetchone()[0]) // _PAGE)

    def pages(self) -> Iterator[tuple[list[str], npt.NDArray[np.float32]]]:
        """All vectors, some at a time: ids and an array of shape (len(ids), dimensions)."""
        with sqlite_errors(self._file), closing(self._db.execute("SELECT id, vector FROM vectors")) as cursor:
            while rows := cursor.fetchmany(_PAGE):
                yield [row[0] for row in rows], np.stack([np.frombuffer(row[1], np.float32) for row in rows])

    def close(self) -> None:
        self._db.close()
