"""The Chroma edge: passage vectors by id, in a folder of this machine or on a Chroma server."""

import re
import shutil
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
import numpy.typing as npt
from chromadb.config import Settings
from chromadb.errors import ChromaError

from rag.errors import IndexBroken, StorageError
from rag.index.sqlite_edge import sqlite_errors
from rag.patterns import lazy_pattern

# What Chroma says when it cannot write.
_UNWRITABLE = lazy_pattern(
    "disk is full|disk I/O error|No space left|readonly database|unable to open database|Read-only file"
    "|Permission denied",
    re.IGNORECASE,
)
_SYNC_WHILE_WRITING = 1000
"""Vectors Chroma keeps in its log before it writes them into the HNSW files."""


class VectorStore:
    """One Chroma collection of cosine space. Safe to use from many threads, as Chroma's client is.

    Methods raise StorageError when the disk is full or the folder not writable, IndexBroken when the store
    or its server cannot be used, also after `close`.
    """

    def __init__(self, name: str, place: Path | str, *, writing: bool = False) -> None:
        """Open the collection `name` in a folder, or on the server at an address, and make it if need be.

        With `writing`, whatever fails in a folder is a StorageError: nobody else has touched its files.
        """
        self._name = name
        self._place = place
        self._writing = writing
        with self._mapped():
            self._client: Any = _connect(place)
            self._collection = self._client.get_or_create_collection(
                name,
                embedding_function=None,  # Chroma's own would download a model
                configuration={"hnsw": {"space": "cosine", "sync_threshold": _SYNC_WHILE_WRITING}},
            )

    def count(self) -> int:
        with self._mapped():
            return int(self._collection.count())

    def ids(self) -> set[str]:
        with self._mapped():
            return set(self._collection.get(include=[])["ids"])

    def upsert(self, ids: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """Add or replace vectors; `vectors` has shape (len(ids), dimensions)."""
        with self._mapped():
            step = self._client.get_max_batch_size()
            for begin in range(0, len(ids), step):
                self._collection.upsert(list(ids[begin : begin + step]), vectors[begin : begin + step])

    def delete(self, ids: Collection[str]) -> None:
        with self._mapped():
            rows, step = sorted(ids), self._client.get_max_batch_size()
            for begin in range(0, len(rows), step):
                self._collection.delete(rows[begin : begin + step])

    def nearest(
        self, vector: npt.NDArray[np.float32], k: int, ids: Sequence[str] | None = None
    ) -> list[tuple[str, float]]:
        """The `k` vectors nearest to `vector`, shape (dimensions,): ids and cosine similarities, best first.

        `ids` restricts to these; Chroma refuses an id it does not hold.
        """
        if k <= 0 or (ids is not None and not ids):
            return []
        only = None if ids is None else list(ids)
        with self._mapped():
            found = self._collection.query(
                query_embeddings=vector[None, :], n_results=k, ids=only, include=["distances"]
            )
        distances = found["distances"][0]
        return [(i, 1.0 - float(distance)) for i, distance in zip(found["ids"][0], distances, strict=True)]

    def vectors(self, ids: Sequence[str]) -> npt.NDArray[np.float32]:
        """The stored vectors of `ids`, shape (len(ids), dimensions), in no particular order."""
        return self._get(ids)[1]

    def vectors_by_id(self, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The stored vectors, shape (dimensions,) each; what is not stored is left out."""
        return dict(zip(*self._get(ids), strict=True))

    def _get(self, ids: Sequence[str]) -> tuple[list[str], npt.NDArray[np.float32]]:
        with self._mapped():
            found = self._collection.get(ids=list(ids), include=["embeddings"])
        return found["ids"], np.asarray(found["embeddings"], dtype=np.float32)

    def settle(self) -> None:
        """Move what is in Chroma's log into its HNSW files, and close.

        Otherwise every process that opens the folder does it again, at 2 ms a vector. Chroma does it when
        the collection is opened with a threshold below what the log holds.
        """
        if isinstance(self._place, Path):
            self._set_threshold(2)
            reopened = VectorStore(self._name, self._place, writing=True)
            reopened.count()
            reopened.close()
        else:
            self.close()

    def unsettle(self) -> "VectorStore":
        """The same collection opened for writing, after `settle`."""
        if not isinstance(self._place, Path):
            return self
        self._set_threshold(_SYNC_WHILE_WRITING)
        return VectorStore(self._name, self._place, writing=True)

    def _set_threshold(self, vectors: int) -> None:
        with self._mapped():
            self._collection.modify(configuration={"hnsw": {"sync_threshold": vectors}})
        self.close()

    def close(self) -> None:
        with self._mapped():
            self._client.close()

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        """The one place where Chroma's errors become ours."""
        try:
            yield
        except (ChromaError, httpx.HTTPError, ValueError, RuntimeError, OSError, AttributeError) as error:
            raise self._ours(error) from None
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # a panic of Chroma's Rust part is no Exception
                raise
            raise self._ours(error) from None

    def _ours(self, error: BaseException) -> StorageError | IndexBroken:
        if not isinstance(self._place, Path):
            return IndexBroken(
                f"The Chroma server at {address(self._place)} cannot be used ({type(error).__name__}).",
                "Start it, or unset CHROMA_URL to keep the vectors on this machine.",
            )
        if self._writing or _UNWRITABLE.search(str(error)):
            return StorageError(
                f"The vectors in {self._place} cannot be written ({error}).",
                "Free some disk space, or choose a folder you can write to.",
            )
        return IndexBroken(
            f"The vectors in {self._place} cannot be read ({error}).",
            f"Delete the folder {self._place}; the next start makes it again from the paper table.",
        )


def address(url: str) -> str:
    """A server's address without any name or password in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}:{_port(url)}"


def copy_store(source: Path, target: Path) -> None:
    """Copy a settled store that others may be reading. Raises OSError, IndexBroken, StorageError."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.sqlite3*"))
    for file in source.glob("*.sqlite3"):
        with (
            sqlite_errors(file),
            closing(sqlite3.connect(file)) as old,
            closing(sqlite3.connect(target / file.name)) as new,
        ):
            old.backup(new)


def _connect(place: Path | str) -> Any:
    settings = Settings(anonymized_telemetry=False)
    if isinstance(place, Path):
        return chromadb.PersistentClient(place, settings=settings)
    parts = urlsplit(place)
    secure = parts.scheme == "https"
    return chromadb.HttpClient(parts.hostname or "localhost", _port(place), ssl=secure, settings=settings)


def _port(url: str) -> int:
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 8000)
