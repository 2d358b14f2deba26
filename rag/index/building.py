"""Makes vectors and BM25 from the paper table and publishes them together."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TypeVar

from llama_index.core.base.embeddings.base import BaseEmbedding
from tqdm import tqdm

from rag.errors import IndexBroken, ModelMismatch
from rag.index import chunking, ranking
from rag.index.embedding import setting_of, vectors
from rag.index.generations import Draft, Generations
from rag.index.journal import VectorJournal
from rag.index.papers import PaperTable, PassageText, fingerprint, record_digest
from rag.index.vectors import VectorStore
from rag.records import Paper

_T = TypeVar("_T")

FORMAT_VERSION = 1
_JOURNAL = "unpublished.sqlite3"
_BATCH = 256
"""Passages embedded between two commits: the most a kill can cost."""


class IndexBuilder:
    """Brings the published vectors and BM25 of a data folder up to its paper table.

    Used by one process at a time, under the write lock. Whatever moment it is killed at, what was published
    before stays, and the next `finish` goes on with the papers and vectors that are already written.
    """

    def __init__(
        self, folder: Path, embedding: BaseEmbedding, table: PaperTable, generations: Generations
    ) -> None:
        self._folder = folder
        self._embedding = embedding
        self._table = table
        self._generations = generations

    def require_match(self) -> None:
        """Raises ModelMismatch when the papers of the table were indexed in a way this program would not."""
        meta = self._table.meta()
        wanted = {
            "format": str(FORMAT_VERSION),
            "chunker": chunking.CHUNKER,
            "model": self._embedding.model_name,
        }
        differing = [name for name in wanted if meta.get(name, wanted[name]) != wanted[name]]
        if not differing:
            return
        built = ", ".join(f"{name} {meta[name]}" for name in differing)
        asked = ", ".join(f"{name} {wanted[name]}" for name in differing)
        fix = (
            f"Build an index of its own: python -m rag ingest PATH --data-dir {quote(f'{self._folder}-new')}"
        )
        if differing == ["model"] and meta.get("setting"):
            fix = f"Set RAG_EMBEDDING={meta['setting']} to use it as it is. {fix}"
        raise ModelMismatch(f"The index in {self._folder} was built with {built}, not {asked}.", fix)

    def record(self, papers: Sequence[Paper], known: dict[str, str], progress: bool) -> None:
        """Write papers and their passages to the table at one moment. `known` is `PaperTable.digests`."""
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
                    "finished": "",
                }
            )

    def unfinished(self, store: VectorStore | None) -> bool:
        """Whether what is published is not what the table says, or was made in another way or place."""
        passages = self._table.count_passages()
        if not passages:
            return False
        if store is None or self._table.meta().get("finished") != self._finished_mark:
            return True
        try:
            return store.count() != passages
        except IndexBroken:
            if self._generations.remote:
                raise
            return True

    def finish(self, before: str, progress: bool) -> None:
        """Publish vectors and BM25 of what the table says, starting from the published revision `before`."""
        with (
            closing(VectorJournal(self._folder / _JOURNAL)) as journal,
            self._generations.draft(before) as draft,
        ):
            draft.store.delete(self._table.reconcile(draft.store.ids()))
            self._embed_waiting(journal, progress)
            self._fill(draft, journal, progress)
            texts = self._table.whole_texts()
            draft.rank(_bar(texts, self._table.count_papers(), "Counting words", "paper", progress))
        self._table.publish({"revision": draft.revision, "finished": self._finished_mark})

    def tidy(self, published: str) -> None:
        """Remove what only served to get to the published revision."""
        for file in self._folder.glob(f"{_JOURNAL}*"):
            file.unlink(missing_ok=True)
        self._generations.sweep(published)

    @property
    def _finished_mark(self) -> str:
        return f"{self._generations.place} bm25-{ranking.VERSION}"

    def _embed_waiting(self, journal: VectorJournal, progress: bool) -> None:
        """Embed what the draft does not hold and no killed builder has embedded before."""
        have = journal.ids()
        texts = (text for text in self._table.texts(waiting=True) if text.vector_id not in have)
        total = max(0, self._table.count_waiting() - len(have))
        for batch in _batches(_bar(texts, total, "Embedding", "passage", progress)):
            rows = vectors(self._embedding, [passage.text for passage in batch])
            journal.add([passage.vector_id for passage in batch], rows)
            self._table.set_meta({"dimensions": str(rows.shape[1])})

    def _fill(self, draft: Draft, journal: VectorJournal, progress: bool) -> None:
        """Store the vectors that the draft lacks."""
        waiting = {passage.vector_id for passage in self._table.texts(waiting=True)}
        for ids, rows in _bar(journal.pages(), journal.count_pages(), "Storing", "batch", progress):
            wanted = [vector_id in waiting for vector_id in ids]
            draft.store.upsert([i for i, want in zip(ids, wanted, strict=True) if want], rows[wanted])
        if draft.store.count() != self._table.count_passages():
            raise IndexBroken(
                f"The vectors in {self._folder} do not fit its papers.",
                "Move it away and ingest the papers again.",
            )


def _batches(passages: Iterable[PassageText]) -> Iterator[list[PassageText]]:
    rest = iter(passages)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _bar(items: Iterable[_T], total: int, what: str, unit: str, progress: bool) -> Iterable[_T]:
    """`items` with a progress bar on stderr once they have taken a second."""
    return tqdm(items, what, total, leave=False, unit=unit, delay=1.0, disable=not progress)
