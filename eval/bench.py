"""Speed and memory as ratios to the bare parts, measured in the same run so that the machine cancels out."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from tqdm import tqdm

from eval.growth import Growth, grow
from rag.errors import WorkError
from rag.index.chunking import passages, searchable
from rag.index.embedding import query_vector, vectors
from rag.records import Paper, Reading

SAMPLE = 100
"""Papers that the real model embeds."""
RETRIEVED = 10
"""Papers a retrieval asks for."""

_BARE_IMPORTS = "import chromadb, llama_index.core"
_OUR_IMPORTS = "import rag.assembly"
_FIRST_ANSWER = """
from pathlib import Path
from rag.assembly import open_engine
from rag.settings import Settings
engine = open_engine(Settings.load(data_dir=Path({folder!r})))
engine.ask("which papers use conformal prediction?", use_llm=False)
"""
_PEAK = "\nfrom eval.memory import peak_megabytes\nprint(peak_megabytes() or 0)"


@dataclass(frozen=True, slots=True)
class Ratio:
    """A cost of ours beside that of the bare parts doing the same work."""

    ours: float
    bare: float
    unit: str

    @property
    def ratio(self) -> float:
        return self.ours / self.bare

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio}


@dataclass(frozen=True, slots=True)
class Bench:
    """All that was measured, and on what."""

    ratios: Mapping[str, Ratio]
    growth: tuple[Growth, ...]
    settings: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The JSON of `eval bench --json`, documented in eval/README.md."""
        return {
            "ratios": {name: ratio.as_json() for name, ratio in self.ratios.items()},
            "growth": [asdict(one) for one in self.growth],
            "settings": dict(self.settings),
        }


def measure(
    papers: Sequence[Paper],
    embedding: BaseEmbedding,
    sizes: Sequence[int],
    rounds: int,
    searched: int = SAMPLE,
) -> Bench:
    """Everything, with a progress bar on stderr.

    Ratios are taken with `embedding`: ingest on the first `SAMPLE` papers, retrieval and lists on the first
    `searched`; growth with an embedding that needs no model.
    """
    sample = papers[:searched]
    with (
        TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as scratch,
        tqdm(total=3 + len(sizes), unit="part", file=sys.stderr, disable=None) as bar,
    ):
        ratios = process_ratios(Path(scratch), rounds)
        bar.update()
        ratios["ingest"] = ingest_ratio(papers[:SAMPLE], embedding, Path(scratch), rounds)
        bar.update()
        ratios |= search_ratios(sample, embedding, Path(scratch), rounds)
        bar.update()
        growth = []
        for one in grow(papers, sizes):
            growth.append(one)
            bar.update()
    settings = {
        "papers": len(papers),
        "sample": len(sample),
        "embedding": embedding.model_name,
        "rounds": rounds,
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": os.cpu_count(),
    }
    return Bench(ratios, tuple(growth), settings)


def ingest_ratio(papers: Sequence[Paper], embedding: BaseEmbedding, folder: Path, rounds: int) -> Ratio:
    """Ingesting `papers` against a loop that only tokenises and embeds their passages; best of `rounds`.

    No text comes twice: an embedding may remember what it has embedded.
    """
    from rag.index.paper_index import PaperIndex

    runs = rounds + 1  # one of each warms up
    copies = [
        tuple(replace(paper, abstract=f"{paper.abstract} Copy {number}.") for paper in papers)
        for number in range(2 * runs)
    ]
    for_us, for_bare = iter(copies[:runs]), iter([_texts(copy) for copy in copies[runs:]])
    fresh = (folder / f"ingest-{number}" for number in count())

    def ours() -> None:
        with PaperIndex.open(next(fresh), embedding) as index:
            index.ingest(Reading(next(for_us)))

    return _raced(ours, lambda: vectors(embedding, next(for_bare)), rounds, "seconds", 1)


def search_ratios(
    papers: Sequence[Paper], embedding: BaseEmbedding, folder: Path, rounds: int
) -> dict[str, Ratio]:
    """`retrieval` of papers against query embedding, Chroma query and BM25 query alone; `list`, all papers
    decided for a topic, against a retrieval. Best of `rounds`.

    No question is asked twice: an embedding may remember what it has embedded.
    """
    import bm25s
    import chromadb
    from llama_index.core.schema import QueryBundle

    from rag.extractive.screening import decide
    from rag.index.lexical import terms
    from rag.index.paper_index import PaperIndex
    from rag.question.topic import parse_topic
    from rag.retrieval import DEPTH, HybridRetriever

    texts = _texts(papers)
    depth = min(DEPTH, len(texts))
    titles = [paper.title for paper in papers[:20]]
    turns = count()

    def queries() -> list[str]:
        turn = next(turns)
        return [f"{title} {turn}" for title in titles]

    client = chromadb.PersistentClient(str(folder / "bare"))
    collection = client.create_collection(
        "bare", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    rows = vectors(embedding, texts)
    step = client.get_max_batch_size()
    for begin in range(0, len(texts), step):
        names = [str(number) for number in range(begin, min(begin + step, len(texts)))]
        collection.add(names, np.asarray(rows[begin : begin + step]))
    lexical = bm25s.BM25()
    lexical.index([terms(text) for text in texts], show_progress=False)
    with PaperIndex.open(folder / "retrieval", embedding) as index:
        index.ingest(Reading(tuple(papers)))
        retriever = HybridRetriever(index)

        def ours() -> None:
            for query in queries():
                retriever.rank(QueryBundle(query), RETRIEVED)

        def bare() -> None:
            for query in queries():
                collection.query(query_embeddings=query_vector(embedding, query)[None, :], n_results=depth)
                lexical.retrieve([terms(query)], k=depth, show_progress=False)

        def lists() -> None:
            for query in queries():
                decide(parse_topic(query), papers, index)

        unit, scale = "milliseconds a query", 1000 / len(titles)
        return {
            "retrieval": _raced(ours, bare, rounds, unit, scale),
            "list": _raced(lists, ours, rounds, unit, scale),
        }


def process_ratios(folder: Path, rounds: int) -> dict[str, Ratio]:
    """Processes from start to end against one that only imports chromadb and llama_index.core.

    `import` imports the whole engine; `first_answer` opens the index of the default papers and answers;
    `memory` is the peak of the latter. Best of `rounds`. Without memory where the system does not tell it.
    """
    answer = _FIRST_ANSWER.format(folder=str(folder / "process"))
    _run(answer)  # indexes the default papers
    runs = [(_run(_BARE_IMPORTS), _run(_OUR_IMPORTS), _run(answer)) for _ in range(rounds)]
    bare, ours, first = (tuple(map(min, zip(*of_one, strict=True))) for of_one in zip(*runs, strict=True))
    ratios = {
        "import": Ratio(ours[0], bare[0], "seconds"),
        "first_answer": Ratio(first[0], bare[0], "seconds"),
    }
    if bare[1]:
        ratios["memory"] = Ratio(first[1], bare[1], "MB at the peak")
    return ratios


def _texts(papers: Sequence[Paper]) -> list[str]:
    """What an index embeds and ranks for `papers`."""
    return [searchable(p.title, p.titled, passage.text) for p in papers for passage in passages(p)]


def _raced(
    ours: Callable[[], object], bare: Callable[[], object], rounds: int, unit: str, scale: float
) -> Ratio:
    """Best times of both, taken by turns after a run of each that warms up."""
    ours(), bare()
    pairs = [(_timed(bare), _timed(ours)) for _ in range(rounds)]
    return Ratio(scale * min(time for _, time in pairs), scale * min(time for time, _ in pairs), unit)


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _run(code: str) -> tuple[float, float]:
    """Seconds and peak MB of a Python process."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code + _PEAK], capture_output=True, text=True)  # noqa: S603
    seconds = time.perf_counter() - start
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise WorkError(f"A process under measurement failed ({last}).")
    return seconds, float(done.stdout.split()[-1])
