"""How index and retrieval grow with the number of papers, each size in a process of its own."""

import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from eval.memory import peak_megabytes
from rag.cleaning import stable_id
from rag.errors import WorkError
from rag.records import Paper, Reading
from rag.sentences import split

SIZES = (1_000, 4_000, 16_000)
QUERIES = 50


@dataclass(frozen=True, slots=True)
class Growth:
    """What an index of `papers` papers costs.

    Seconds to ingest all, to open it again with its first retrieval, and median milliseconds of a retrieval;
    peak memory of the process and size on disk in MB of 2**20 bytes.
    """

    papers: int
    ingest_seconds: float
    open_seconds: float
    retrieval_ms: float
    peak_mb: float | None
    disk_mb: float


def grow(papers: Sequence[Paper], sizes: Sequence[int] = SIZES) -> Iterator[Growth]:
    """Measures each size; where `papers` are too few, more are made of their sentences.

    Raises:
        WorkError: a process did not live to its end.
    """
    for size in sizes:
        enough = [*papers[:size], *made_of_sentences(papers, size - len(papers))]
        # A process of its own: its peak memory is that of this size alone.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            try:
                yield process.submit(_measure, enough).result()
            except BrokenProcessPool:
                raise WorkError(
                    f"The process that indexed {size:,} papers was ended, perhaps for its memory."
                ) from None


def made_of_sentences(papers: Sequence[Paper], count: int, seed: int = 0) -> Iterator[Paper]:
    """`count` papers whose abstracts are sentences drawn from those of `papers`; repeats with `seed`."""
    rng = random.Random(seed)  # noqa: S311 (a reproducible draw)
    sentences = [span.of(paper.abstract) for paper in papers for span in split(paper.abstract)]
    for number in range(count):
        abstract = " ".join(rng.choices(sentences, k=7))
        yield Paper(f"{stable_id(abstract)}-{number}", rng.choice(papers).title, abstract)


def _measure(papers: Sequence[Paper]) -> Growth:
    from llama_index.core.schema import QueryBundle

    from eval.hash_embedding import HashEmbedding
    from rag.index.paper_index import PaperIndex
    from rag.retrieval import HybridRetriever

    queries = [QueryBundle(paper.title) for paper in papers[:: max(1, len(papers) // QUERIES)]]
    with TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
        start = time.perf_counter()
        with PaperIndex.open(Path(folder), HashEmbedding()) as index:
            index.ingest(Reading(tuple(papers)))
            ingest = time.perf_counter() - start
            disk = index.describe().bytes_on_disk
        start = time.perf_counter()
        with PaperIndex.open(Path(folder), HashEmbedding()) as index:
            retriever = HybridRetriever(index)
            retriever.rank(queries[0])
            opened = time.perf_counter() - start
            taken = []
            for query in queries:
                start = time.perf_counter()
                retriever.rank(query)
                taken.append(time.perf_counter() - start)
    return Growth(len(papers), ingest, opened, 1000 * median(taken), peak_megabytes(), disk / 2**20)
