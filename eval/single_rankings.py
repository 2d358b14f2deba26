"""The two rankings that retrieval fuses, each by itself, and by how much the fused one is better."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from eval.beir import DEPTH, MEASURES, Ranking, query_scores
from eval.evaluator import Figure, mean
from eval.intervals import Estimate, paired_difference
from rag.index.embedding import query_vector
from rag.index.paper_index import PaperIndex
from rag.question.parsing import parse
from rag.question.requests import requested
from rag.records import Passage

Scores = Mapping[str, Mapping[str, float]]
"""By measure and query."""


def single_rankings(index: PaperIndex, queries: Mapping[str, str]) -> dict[str, dict[str, Ranking]]:
    """By meaning alone and by BM25 alone, for the same words that the fused ranking searches for."""

    def dense(text: str) -> Ranking:
        return _papers(index.nearest(query_vector(index.embedding, text), 2 * DEPTH))

    def lexical(text: str) -> Ranking:
        return _papers(index.lexical(text, DEPTH))

    alone: dict[str, Callable[[str], Ranking]] = {"dense": dense, "BM25": lexical}
    searched = {query: requested(parse(text).query_str) for query, text in queries.items()}
    return {
        name: {query: ranking(text) for query, text in searched.items()} for name, ranking in alone.items()
    }


def _papers(ranking: Iterable[tuple[Passage, float]]) -> Ranking:
    return tuple(dict.fromkeys(passage.paper_id for passage, _ in ranking))[:DEPTH]


def gains(
    fused: Scores,
    single: Mapping[str, Mapping[str, Ranking]],
    relevance: Mapping[str, Mapping[str, int]],
    seed: int,
) -> dict[str, dict[str, Estimate]]:
    """By single ranking and measure: the fused ranking's mean minus its, by a paired bootstrap of queries."""
    found: dict[str, dict[str, Estimate]] = {}
    for name, rankings in single.items():
        scores = query_scores(rankings, relevance)
        found[name] = {
            measure: paired_difference(
                Figure(measure, (), mean),
                [np.array(list(fused[measure].values()))],
                [np.array([scores[measure][query] for query in fused[measure]])],
                seed,
            )
            for measure in MEASURES
        }
    return found
