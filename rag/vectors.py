"""The Chroma edge: passage vectors by id. The embedded client by default, a server where its address is given."""

import re
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
import numpy.typing as npt
from chromadb.errors import ChromaError

from rag.errors import IndexBroken, StorageError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection as ChromaCollection

_NO_SPACE = re.compile(
    r"disk is full|No space left|readonly database|Read-only file system|Permission denied", re.I
)


class VectorStore:
    """One Chroma collection of cosine space. Safe to use from many threads.

    Raises StorageError when the disk is full or not writable, IndexBroken when the store or its server
    cannot be used.
    """

    def __init__(self, name: str, folder: Path, url: str | None = None) -> None:
        self._name = name
        self._folder = folder
        self._url = url
        self._lock = threading.RLock()
        self._client, self._collection = self._open()

    @property
    def place(self) -> str:
        """Where the vectors are: `embedded`, or the server's address without any password in it."""
        if self._url is None:
            return "embedded"
        parts = urlsplit(self._url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"

    def count(self) -> int:
        with self._lock, self._mapped():
            return self._collection.count()

    def ids(self) -> set[str]:
        with self._lock, self._mapped():
            return set(self._collection.get(include=[])["ids"])

    def upsert(self, ids: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """Add or replace vectors; shape of `vectors` is (len(ids), dimensions)."""
        with self._lock, self._mapped():
            step = self._client.get_max_batch_size()
            for begin in range(0, len(ids), step):
                self._collection.upsert(list(ids[begin : begin + step]), vectors[begin : begin + step])

    def delete(self, ids: Collection[str]) -> None:
        with self._lock, self._mapped():
            step = self._client.get_max_batch_size()
            rows = sorted(ids)
            for begin in range(0, len(rows), step):
                self._collection.delete(rows[begin : begin + step])

    def nearest(
        self, vector: npt.NDArray[np.float32], k: int, ids: Sequence[str] | None = None
    ) -> list[tuple[str, float]]:
        """Ids and cosine similarities of the `k` vectors nearest to `vector`, best first; `ids` restricts to these."""
        if k <= 0 or (ids is not None and not ids):
            return []
        with self._lock, self._mapped():
            found = self._collection.query(
                query_embeddings=vector[None, :],
                n_results=k,
                ids=None if ids is None else list(ids),
                include=["distances"],
            )
        distances = found["distances"] or [[]]
        return [(i, 1.0 - float(d)) for i, d in zip(found["ids"][0], distances[0], strict=True)]

    def reopen(self) -> None:
        """See what another process has written: Chroma's client does not notice by itself."""
        with self._lock:
            self.close()
            self._client, self._collection = self._open()

    def close(self) -> None:
        with self._lock:
            self._client.close()

    def _open(self) -> tuple["ClientAPI", "ChromaCollection"]:
        with self._mapped():
            client = self._connect()
            collection = client.get_or_create_collection(
                self._name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
            return client, collection

    def _connect(self) -> "ClientAPI":
        settings = chromadb.Settings(anonymized_telemetry=False)
        if self._url is None:
            return chromadb.PersistentClient(self._folder, settings=settings)
        parts = urlsplit(self._url)
        secure = parts.scheme == "https"
        port = parts.port or (443 if secure else 80)
        return chromadb.HttpClient(parts.hostname or "localhost", port, ssl=secure, settings=settings)

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        """The one place where Chroma's errors become ours."""
        try:
            yield
        except (ChromaError, httpx.HTTPError, ValueError, OSError) as error:
            raise self._ours(error) from None
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # a panic of Chroma's Rust part is no Exception
                raise
            raise self._ours(error) from None

    def _ours(self, error: BaseException) -> StorageError | IndexBroken:
        if self._url is not None:
            return IndexBroken(
                f"The Chroma server at {self.place} cannot be used ({type(error).__name__}).",
                "Start it, or unset CHROMA_URL to keep the vectors on this machine.",
            )
        if _NO_SPACE.search(str(error)):
            return StorageError(
                f"The vectors in {self._folder} cannot be written ({error}).",
                "Free some disk space, or choose a folder you can write to.",
            )
        return IndexBroken(
            f"The vectors in {self._folder} cannot be read ({error}).",
            f"Delete the folder {self._folder}; the next start makes it again from the paper table.",
        )
