"""The index behind one face: SQLite paper table, Chroma vectors and BM25 in one data folder.

The paper table is the truth; vectors and BM25 are made from it. Whatever moment a writer is killed at, the
next one finds in the table what is still missing and finishes it.
"""

import secrets
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout
from llama_index.core.base.embeddings.base import BaseEmbedding
from tqdm import tqdm

from rag import chunking
from rag.embedding import setting_of, vectors
from rag.errors import IndexBroken, IndexLocked, ModelMismatch, StorageError, UnknownPaper
from rag.papers import PaperTable, Pending, fingerprint, record_digest
from rag.ranking import PassageRanking
from rag.records import IndexDescription, IngestReport, Paper, Passage, Reading, Skipped
from rag.vectors import VectorStore

_T = TypeVar("_T")

FORMAT_VERSION = 1
_BATCH = 256
"""Passages embedded and stored together: what a kill can cost."""


class PaperIndex:
    """Papers and their passages, ranked by meaning and by words. Safe to use from many threads."""

    def __init__(self, folder: Path, embedding: BaseEmbedding, table: PaperTable, store: VectorStore) -> None:
        """Use `PaperIndex.open`."""
        self._folder = folder
        self._embedding = embedding
        self._table = table
        self._store = store
        self._lock = threading.RLock()
        self._revision = table.meta().get("revision", "")
        self._papers: tuple[Paper, ...] | None = None
        self._ranking: PassageRanking | None = None

    @classmethod
    def open(
        cls,
        data_dir: Path,
        embedding: BaseEmbedding,
        chroma_url: str | None = None,
        *,
        progress: bool = False,
    ) -> Self:
        """Open the index in `data_dir`, an empty one where there is none, and finish what a killed writer left.

        While another process is writing, what it has finished so far can be read.

        Raises:
            ModelMismatch: the index was built with another embedding model, chunker or format.
            IndexBroken: the folder holds something that is no index.
            StorageError: the folder cannot be written, or the disk is full.
            EmbeddingError: an unfinished index needs the embedding model and it cannot be used.
        """
        with _os_errors(data_dir):
            data_dir.mkdir(parents=True, exist_ok=True)
        table = PaperTable(data_dir / "papers.sqlite3")
        try:
            _require_match(table, embedding, data_dir)
            table.add_meta({"id": secrets.token_hex(6)})
            store = VectorStore(f"passages-{table.meta()['id']}", data_dir / "chroma", chroma_url)
        except BaseException:
            table.close()
            raise
        index = cls(data_dir, embedding, table, store)
        try:
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
        paper = self._table.paper(paper_id)
        if paper is None:
            raise UnknownPaper(f"No paper has the id {paper_id!r}.")
        return paper

    def passages(self, paper_id: str) -> tuple[Passage, ...]:
        """The passages of a paper in order, at least one. Raises UnknownPaper."""
        return self._table.passages_of(paper_id) or self._table.passages_of(self.paper(paper_id).id)

    def nearest(
        self, vector: npt.NDArray[np.float32], k: int, ids: Collection[str] | None = None
    ) -> list[tuple[Passage, float]]:
        """The `k` passages nearest to `vector` (shape (dimensions,)) with cosine similarities, best first.

        `ids` restricts to passages of these papers. HNSW is approximate: a passage far down may be missed.
        """
        try:
            near = self._nearest_ids(vector, k, ids)
        except IndexBroken:
            # The folder may have been changed by another process since this client read it.
            self._store.reopen()
            near = self._nearest_ids(vector, k, ids)
        found = self._table.by_vector_id([vector_id for vector_id, _ in near])
        return [(found[vector_id], score) for vector_id, score in near if vector_id in found]

    def lexical(self, text: str, k: int, ids: Collection[str] | None = None) -> list[tuple[Passage, float]]:
        """The `k` passages that share words with `text` and their BM25 scores, best first.

        `ids` restricts to passages of these papers.
        """
        numbers = None if ids is None else self._table.numbers_of(ids)
        ranked = self._ranked().rank(text, k, numbers)
        found = self._table.by_number([number for number, _ in ranked])
        return [(found[number], score) for number, score in ranked if number in found]

    def idf(self, term: str) -> float:
        """Inverse document frequency of a stem over the passages; greatest for a stem that none has."""
        return self._ranked().idf(term)

    def describe(self) -> IndexDescription:
        meta = self._table.meta()
        return IndexDescription(
            papers=self._table.count_papers(),
            passages=self._table.count_passages(),
            model=meta.get("model", self._embedding.model_name),
            dimensions=int(meta.get("dimensions", 0)),
            chunker=meta.get("chunker", chunking.CHUNKER),
            fingerprint=meta.get("fingerprint", fingerprint(())),
            format_version=FORMAT_VERSION,
            bytes_on_disk=_size(self._folder),
            lists=self._table.list_names(),
        )

    def refresh(self) -> bool:
        """Take in what another process has finished writing since; True when there was something. Cheap."""
        revision = self._table.meta().get("revision", "")
        with self._lock:
            if revision == self._revision:
                return False
            self._store.reopen()
            self._forget(revision)
            return True

    def close(self) -> None:
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
            _require_match(self._table, self._embedding, self._folder)
            papers, doubled = _unique(reading.papers)
            known = self._table.digests()
            added = [paper for paper in papers if paper.id not in known]
            updated = [p for p in papers if p.id in known and known[p.id] != record_digest(p)]
            if added or updated:
                self._record([*added, *updated], known, progress)
            if list_name:
                self._table.join_list(list_name, (paper.id for paper in papers))
            if self._unfinished():
                self._finish(progress)
        return IngestReport(
            read=len(reading.papers) + len(reading.skipped),
            added=len(added),
            updated=len(updated),
            unchanged=len(papers) - len(added) - len(updated),
            skipped=(*reading.skipped, *doubled),
        )

    def _record(self, papers: list[Paper], known: dict[str, str], progress: bool) -> None:
        """Write papers and their passages to the table in one transaction; vectors and BM25 follow in `_finish`."""
        cut = {p.id: chunking.passages(p) for p in _bar(papers, len(papers), "Cutting", "paper", progress)}
        digests = known | {paper.id: record_digest(paper) for paper in papers}
        with self._table.transaction():
            self._table.put(papers, cut)
            self._table.set_meta(
                {
                    "format": str(FORMAT_VERSION),
                    "model": self._embedding.model_name,
                    "setting": setting_of(self._embedding),
                    "chunker": chunking.CHUNKER,
                    "fingerprint": fingerprint(digests.values()),
                    "unfinished": "yes",
                }
            )

    def _unfinished(self) -> bool:
        meta = self._table.meta()
        passages = self._table.count_passages()
        if passages == 0:
            return False
        return (
            meta.get("unfinished") != "no"
            or meta.get("store") != self._store.place
            or self._store.count() != passages
            or not PassageRanking.saved(self._folder, meta.get("revision", ""))
        )

    def _finish_if_free(self, progress: bool) -> None:
        if not self._unfinished():
            return
        try:
            with self._writing():
                self._finish(progress)
        except IndexLocked:
            return  # its writer will finish it

    def _finish(self, progress: bool) -> None:
        """Make vectors and BM25 what the table says. Every step may be repeated after a kill."""
        stale = self._table.reconcile(self._store.ids())
        self._store.delete(stale)
        waiting = _bar(self._table.pending(), self._table.count_pending(), "Embedding", "passage", progress)
        for batch in _batches(waiting):
            rows = vectors(self._embedding, [passage.text for passage in batch])
            self._store.upsert([passage.vector_id for passage in batch], rows)
            self._table.mark_embedded([passage.vector_id for passage in batch])
            self._table.set_meta({"dimensions": str(rows.shape[1])})
        if self._store.count() != self._table.count_passages():
            raise IndexBroken(
                f"The vectors in {self._folder} do not fit its papers.",
                f"Delete the folder {self._folder / 'chroma'}; the next start makes it again.",
            )
        revision = secrets.token_hex(8)
        with _os_errors(self._folder):
            ranking = PassageRanking.build(self._table.texts())
            ranking.save(self._folder, revision)
        self._table.set_meta({"revision": revision, "unfinished": "no", "store": self._store.place})
        self._forget(revision)

    # Shared

    def _nearest_ids(
        self, vector: npt.NDArray[np.float32], k: int, ids: Collection[str] | None
    ) -> list[tuple[str, float]]:
        # Chroma refuses a filter with ids it does not hold, hence only passages that are embedded.
        return self._store.nearest(vector, k, None if ids is None else self._table.embedded_ids(ids))

    def _ranked(self) -> PassageRanking:
        with self._lock:
            if self._ranking is None:
                self._ranking = PassageRanking.load(self._folder, self._revision) or PassageRanking.build(
                    self._table.texts()
                )
            return self._ranking

    def _forget(self, revision: str) -> None:
        with self._lock:
            self._revision = revision
            self._papers = None
            self._ranking = None

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
            yield
        finally:
            lock.release()


def _require_match(table: PaperTable, embedding: BaseEmbedding, folder: Path) -> None:
    """Raises ModelMismatch when the papers in `table` were indexed in a way this program would not."""
    meta = table.meta()
    wanted = {"format": str(FORMAT_VERSION), "chunker": chunking.CHUNKER, "model": embedding.model_name}
    differing = [name for name in wanted if meta.get(name, wanted[name]) != wanted[name]]
    if not differing:
        return
    built = ", ".join(f"{name} {meta[name]}" for name in differing)
    asked = ", ".join(f"{name} {wanted[name]}" for name in differing)
    fix = f"Build an index of its own: python -m rag ingest PATH --data-dir {folder}-new"
    if differing == ["model"] and meta.get("setting"):
        fix = f"Set RAG_EMBEDDING={meta['setting']} to use it as it is. {fix}"
    raise ModelMismatch(f"The index in {folder} was built with {built}, not {asked}.", fix)


def _unique(papers: Iterable[Paper]) -> tuple[list[Paper], list[Skipped]]:
    """The first paper of each id, and the others as skipped."""
    first: dict[str, Paper] = {}
    doubled = []
    for paper in papers:
        if first.setdefault(paper.id, paper) is not paper:
            doubled.append(Skipped(paper.id, "a paper with this id comes earlier in the list"))
    return list(first.values()), doubled


def _batches(passages: Iterable[Pending]) -> Iterator[list[Pending]]:
    rest = iter(passages)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _bar(items: Iterable[_T], total: int, what: str, unit: str, progress: bool) -> Iterable[_T]:
    """`items` with a progress bar on stderr once they have taken a second."""
    return tqdm(items, what, total, leave=False, unit=unit, delay=1.0, disable=not progress)


def _size(folder: Path) -> int:
    """Bytes of the files of an index."""
    parts = [*folder.glob("papers.sqlite3*"), *(folder / "chroma").rglob("*"), *folder.glob("bm25-*/*")]
    return sum(part.stat().st_size for part in parts if part.is_file())


@contextmanager
def _os_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be used ({error.strerror or error}).",
            "Free some disk space, or choose a folder you can write to with --data-dir.",
        ) from None
