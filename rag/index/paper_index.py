"""The index behind one face: papers in SQLite, passage vectors in Chroma, BM25, in one data folder.

The paper table is the truth; vectors and BM25 are made from it and published together. Whatever moment a
writer is killed at, the next one finds in the table what is still missing and finishes it.
"""

import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout
from llama_index.core.base.embeddings.base import BaseEmbedding

from rag.errors import IndexBroken, IndexLocked, StorageError, UnknownPaper
from rag.index import chunking
from rag.index.building import FORMAT_VERSION, IndexBuilder
from rag.index.generations import Generations
from rag.index.papers import PaperTable, fingerprint, record_digest
from rag.index.ranking import PaperRanking
from rag.index.vectors import VectorStore
from rag.records import IndexDescription, IngestReport, Paper, Passage, Reading, Skipped

Key = TypeVar("Key", str, int)

KEPT = 50_000
"""Papers and passages that an index keeps in memory once they were read, at most."""


class PaperIndex:
    """Papers and their passages, ranked by meaning and by words. Safe to use from many threads."""

    def __init__(
        self, folder: Path, embedding: BaseEmbedding, table: PaperTable, generations: Generations
    ) -> None:
        """Use `PaperIndex.open`."""
        self._folder = folder
        self._embedding = embedding
        self._table = table
        self._generations = generations
        self._builder = IndexBuilder(folder, embedding, table, generations)
        self._lock = threading.RLock()
        self._revision = ""
        self._store: VectorStore | None = None
        self._papers: tuple[Paper, ...] | None = None
        self._kept_at = (0, 0)
        self._kept_papers: dict[str, Paper] = {}
        self._kept_passages: dict[Any, Passage] = {}  # by the id of their vector, and by number
        self._ranking: PaperRanking | None = None

    @classmethod
    def open(
        cls,
        data_dir: Path,
        embedding: BaseEmbedding,
        chroma_url: str | None = None,
        *,
        progress: bool = False,
    ) -> Self:
        """Open the index in `data_dir`, an empty one where there is none; finish what a killed writer left.

        While another process is writing, what it published last can be read.

        Raises:
            ModelMismatch: the index was built with another embedding model, chunker or format.
            IndexBroken: the folder holds something that is no index, or the Chroma server cannot be used.
            StorageError: the folder cannot be written, or the disk is full.
            EmbeddingError: an unfinished index needs the embedding model and it cannot be used.
        """
        with _os_errors(data_dir):
            data_dir.mkdir(parents=True, exist_ok=True)
        table = PaperTable(data_dir / "papers.sqlite3")
        table.add_meta({"id": secrets.token_hex(6)})
        generations = Generations(data_dir, f"passages-{table.meta()['id']}", chroma_url)
        index = cls(data_dir, embedding, table, generations)
        try:
            index._builder.require_match()
            index._adopt()
            index._finish_if_free(progress)
        except BaseException:
            index.close()
            raise
        return index

    # Reading

    @property
    def embedding(self) -> BaseEmbedding:
        return self._embedding

    @property
    def papers(self) -> Sequence[Paper]:
        """All papers in list order, as of the last `refresh`."""
        with self._lock:
            if self._papers is None:
                self._papers = self._table.papers()
            return self._papers

    def paper(self, paper_id: str) -> Paper:
        """Raises UnknownPaper."""
        kept, _ = self._kept()
        paper = kept.get(paper_id) or self._table.paper(paper_id)
        if paper is None:
            raise UnknownPaper(f"No paper has the id {paper_id!r}.")
        kept[paper_id] = paper
        return paper

    def passages(self, paper_id: str) -> tuple[Passage, ...]:
        """The passages of a paper in order, at least one. Raises UnknownPaper."""
        return self._table.passages_of(self.paper(paper_id).id)

    def nearest(
        self, vector: npt.NDArray[np.float32], k: int, ids: Collection[str] | None = None
    ) -> list[tuple[Passage, float]]:
        """The `k` passages nearest to `vector`, shape (dimensions,), with cosine similarities, best first.

        `ids` restricts to passages of these papers. HNSW is approximate: a passage far down may be missed.
        """
        store = self._store
        try:
            near = self._nearest_ids(store, vector, k, ids)
        except IndexBroken:
            # Another process or thread may have published a new version while this one was being read.
            self.refresh()
            if self._store is store:
                raise
            near = self._nearest_ids(self._store, vector, k, ids)
        found = self._read(self._table.by_vector_id, [vector_id for vector_id, _ in near])
        return [(found[vector_id], score) for vector_id, score in near if vector_id in found]

    def vectors(self, ids: Collection[str]) -> npt.NDArray[np.float32]:
        """The stored vectors of all passages of these papers, shape (passages, dimensions)."""
        store = self._store
        return store.vectors(self._table.embedded_of(ids)) if store else np.zeros((0, 0), np.float32)

    def passage_vectors(self, passages: Sequence[Passage]) -> npt.NDArray[np.float32]:
        """The stored vectors of these passages in their order, shape (len(passages), dimensions).

        Zeros for a passage that has none yet, or none any more.
        """
        store = self._store
        ids = self._table.vector_ids_of(passages) if store else {}
        found = store.vectors_by_id(list(ids.values())) if store and ids else {}
        empty = np.zeros(self._dimensions, np.float32)
        rows = [found.get(ids.get(passage.id, ""), empty) for passage in passages]
        return np.array(rows, np.float32).reshape(len(passages), self._dimensions)

    def lexical(self, text: str, k: int, ids: Collection[str] | None = None) -> list[tuple[Passage, float]]:
        """The `k` papers that share words with `text`, each by its first passage, and their BM25 scores.

        Best first; `ids` restricts to these papers.
        """
        numbers = None if ids is None else self._table.numbers_of(ids)
        ranked = self._ranked().rank(text, k, numbers)
        found = self._read(self._table.by_number, [number for number, _ in ranked])
        return [(found[number], score) for number, score in ranked if number in found]

    @property
    def vocabulary(self) -> Collection[str]:
        """Every stem of the papers."""
        return self._ranked().vocabulary

    def idf(self, term: str) -> float:
        """Inverse document frequency of a stem, with a shipped background; greatest for a stem nobody has."""
        return self._ranked().idf(term)

    def document_frequency(self, term: str) -> int:
        """How many papers have a stem."""
        return self._ranked().document_frequency(term)

    def describe(self) -> IndexDescription:
        meta = self._table.meta()
        table_files = self._folder.glob("papers.sqlite3*")
        return IndexDescription(
            papers=self._table.count_papers(),
            passages=self._table.count_passages(),
            model=meta.get("model", self._embedding.model_name),
            dimensions=self._dimensions,
            chunker=meta.get("chunker", chunking.CHUNKER),
            fingerprint=meta.get("fingerprint", fingerprint(())),
            format_version=FORMAT_VERSION,
            bytes_on_disk=sum(f.stat().st_size for f in table_files) + self._generations.size(self._revision),
            lists=self._table.list_names(),
        )

    def refresh(self) -> bool:
        """Take in what another process has published since; True when there was something. Cheap."""
        with self._lock:
            return self._table.meta().get("revision", "") != self._revision and self._adopt()

    def close(self) -> None:
        with self._lock:
            if self._store:
                self._store.close()
            self._table.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Writing

    def ingest(self, reading: Reading, *, list_name: str = "", progress: bool = False) -> IngestReport:
        """Add the papers of `reading`, or replace those whose record changed; doing it twice changes nothing.

        Papers that are not in `reading` stay. With `list_name` the papers become members of that list.

        Raises:
            IndexLocked: another process is writing to the folder.
            ModelMismatch, StorageError, EmbeddingError, IndexBroken: see `open`.
        """
        with self._writing():
            self._builder.require_match()
            papers, doubled = _unique(reading.papers)
            known = self._table.digests()
            added = [paper for paper in papers if paper.id not in known]
            updated = [p for p in papers if p.id in known and known[p.id] != record_digest(p)]
            if added or updated:
                self._builder.record([*added, *updated], known, progress)
            if list_name:
                self._table.join_list(list_name, (paper.id for paper in papers))
            self._finish(progress)
        return IngestReport(
            read=len(reading.papers) + len(reading.skipped),
            added=len(added),
            updated=len(updated),
            unchanged=len(papers) - len(added) - len(updated),
            skipped=(*reading.skipped, *doubled),
        )

    def _finish_if_free(self, progress: bool) -> None:
        """Finish what a killed writer left, unless another process holds the lock and will."""
        if self._builder.unfinished(self._store):
            with suppress(IndexLocked), self._writing():
                self._finish(progress)

    def _finish(self, progress: bool) -> None:
        if self._builder.unfinished(self._store):
            self._builder.finish(self._revision, progress)
            self._adopt()
        self._builder.tidy(self._revision)

    # Shared

    def _kept(self) -> tuple[dict[str, Paper], dict[Any, Passage]]:
        """Papers and passages that were read since the table last changed, for reading them once."""
        with self._lock:
            state = self._table.state()
            if state != self._kept_at or len(self._kept_passages) + len(self._kept_papers) > KEPT:
                self._kept_at, self._kept_papers, self._kept_passages = state, {}, {}
            return self._kept_papers, self._kept_passages

    def _read(
        self, table: Callable[[Sequence[Key]], dict[Key, Passage]], keys: Sequence[Key]
    ) -> dict[Key, Passage]:
        """Passages by key, from memory where they are there, else from the table."""
        _, kept = self._kept()
        found = {key: passage for key in keys if (passage := kept.get(key))}
        if missing := [key for key in keys if key not in found]:
            read = table(missing)
            kept.update(read)
            found |= read
        return found

    @property
    def _dimensions(self) -> int:
        return int(self._table.meta().get("dimensions", 0))

    def _nearest_ids(
        self, store: VectorStore | None, vector: npt.NDArray[np.float32], k: int, ids: Collection[str] | None
    ) -> list[tuple[str, float]]:
        if store is None:
            return []
        return store.nearest(vector, k, None if ids is None else self._table.embedded_of(ids))

    def _ranked(self) -> PaperRanking:
        with self._lock:
            if self._ranking is None:
                saved = self._generations.ranking(self._revision)
                self._ranking = saved or PaperRanking.build(self._table.whole_texts())
            return self._ranking

    def _adopt(self) -> bool:
        """Use the version that the table names as published."""
        with self._lock:
            revision = self._table.meta().get("revision", "")
            before, self._store = self._store, self._generations.store(revision)
            self._revision = revision
            self._papers = None
            self._ranking = None
            if before:
                before.close()
        return True

    @contextmanager
    def _writing(self) -> Iterator[None]:
        lock = FileLock(self._folder / "write.lock")
        with _os_errors(self._folder):
            try:
                lock.acquire(timeout=0)
            except Timeout:
                raise IndexLocked(
                    f"Another process is writing to {self._folder}.",
                    "Wait until it has finished, or choose another folder with --data-dir.",
                ) from None
        try:
            self.refresh()
            yield
        finally:
            lock.release()


def _unique(papers: Iterable[Paper]) -> tuple[list[Paper], list[Skipped]]:
    """The first paper of each id, and the others as skipped."""
    first: dict[str, Paper] = {}
    doubled = []
    for paper in papers:
        if first.setdefault(paper.id, paper) is not paper:
            doubled.append(Skipped(paper.id, "a paper with this id comes earlier in the list"))
    return list(first.values()), doubled


@contextmanager
def _os_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be used ({error.strerror or error}).",
            "Free some disk space, or choose a folder you can write to with --data-dir.",
        ) from None
