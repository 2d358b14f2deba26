"""Real texts for tests of the index: the 19 papers, and each of their sentences as a paper of its own."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rag.index.embedding import LocalEmbedding, query_vector
from rag.index.paper_index import PaperIndex
from rag.records import Paper
from rag.sentences import split
from rag.sources.seed import default_papers


@cache
def local_embedding() -> LocalEmbedding:
    """The shipped model, loaded once for all tests."""
    return LocalEmbedding.shipped()


@cache
def sentence_papers() -> tuple[Paper, ...]:
    """About 160 papers of one sentence each."""
    return tuple(
        Paper(f"{paper.id}-{number}", paper.title, span.of(paper.abstract))
        for paper in default_papers()
        for number, span in enumerate(split(paper.abstract))
    )


def contents(folder: Path) -> Mapping[str, str]:
    """Text of every passage by id; fails unless the table, Chroma and BM25 hold just these."""
    with PaperIndex.open(folder, local_embedding()) as index:
        description = index.describe()
        passages = [passage for paper in index.papers for passage in index.passages(paper.id)]
        texts = {passage.id: passage.text for passage in passages}
        assert len(texts) == len(passages) == description.passages
        nearest = index.nearest(query_vector(local_embedding(), "a model"), 2 * len(texts) + 1)
        assert sorted(passage.id for passage, _ in nearest) == sorted(texts)
        for paper in index.papers:
            assert index.lexical(f"{paper.title} {paper.abstract}", 1, ids=[paper.id])
        return texts
