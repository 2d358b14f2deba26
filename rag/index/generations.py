"""Published versions of what is made from the paper table: vectors and BM25, in one folder a version.

A version is never changed once it is published, so other processes can read it in peace and neither a kill
nor a full disk can harm it: Chroma's HNSW files are damaged when their writer is killed. The next version
is made from a copy and takes over when the paper table names it.
"""

import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.errors import IndexBroken, StorageError
from rag.index.papers import PaperWords
from rag.index.ranking import PaperRanking
from rag.index.seals import intact, seal
from rag.index.vectors import VectorStore, address, copy_store


class Draft:
    """A version in the making."""

    def __init__(self, revision: str, folder: Path, store: VectorStore) -> None:
        self.revision = revision
        self.store = store
        self._folder = folder

    def rank(self, papers: Iterable[PaperWords]) -> None:
        """Build the BM25 of this version."""
        ranking = PaperRanking.build(papers)
        with _storage_errors(self._folder):
            ranking.save(self._folder / "bm25")


class Generations:
    """The versions in one data folder.

    With the address of a Chroma server, vectors are in one collection there and changed in place: a server
    looks after its readers and its own files.
    """

    def __init__(self, folder: Path, name: str, chroma_url: str | None) -> None:
        self._folder = folder
        self._name = name
        self._url = chroma_url

    @property
    def place(self) -> str:
        """Where the vectors are kept: `embedded` or a server's address."""
        return address(self._url) if self._url else "embedded"

    @property
    def remote(self) -> bool:
        return self._url is not None

    def store(self, revision: str) -> VectorStore | None:
        """The vectors of a published version, None where there are none that can be read.

        Raises StorageError, and IndexBroken when a server cannot be used.
        """
        if self._url:
            return VectorStore(self._name, self._url)
        chroma = self._of(revision) / "chroma"
        if not revision or not intact(chroma):
            return None
        try:
            return VectorStore(self._name, chroma)
        except IndexBroken:
            return None

    def ranking(self, revision: str) -> PaperRanking | None:
        """The BM25 of a published version, None where there is none that can be read."""
        try:
            return PaperRanking.load(self._of(revision) / "bm25")
        except (OSError, EOFError, ValueError, KeyError):
            return None

    def size(self, revision: str) -> int:
        """Bytes on this machine."""
        return sum(file.stat().st_size for file in self._of(revision).rglob("*") if file.is_file())

    @contextmanager
    def draft(self, before: str) -> Iterator[Draft]:
        """A new version that starts with the vectors of `before`. An error inside removes it.

        Vectors of `before` that cannot be read are left out.
        """
        self.sweep(before)
        revision = secrets.token_hex(8)
        folder = self._of(revision)
        store: VectorStore | None = None
        try:
            with _storage_errors(folder):
                folder.mkdir()
                store = self._first_store(folder, before)
            yield Draft(revision, folder, store)
            store.settle()
            if not self._url:
                with _storage_errors(folder):
                    seal(folder / "chroma")
        except BaseException:
            if store:
                store.close()
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def sweep(self, keep: str) -> None:
        """Remove every version but this one."""
        for folder in self._folder.glob("generation-*"):
            if folder != self._of(keep):
                shutil.rmtree(folder, ignore_errors=True)  # on Windows a reader may hold it; next time then

    def _first_store(self, folder: Path, before: str) -> VectorStore:
        if self._url:
            return VectorStore(self._name, self._url)
        chroma, source = folder / "chroma", self._of(before) / "chroma"
        if before and intact(source):
            try:
                copy_store(source, chroma)
                store = VectorStore(self._name, chroma)
                store.count()
                return store.unsettle()
            except IndexBroken:
                shutil.rmtree(chroma, ignore_errors=True)
        return VectorStore(self._name, chroma, writing=True)

    def _of(self, revision: str) -> Path:
        return self._folder / f"generation-{revision}"


@contextmanager
def _storage_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"{folder} cannot be written ({error.strerror or error}).",
            "Free some disk space, or choose a folder you can write to.",
        ) from None
