"""The dense ranking of passages and the BM25 ranking of papers, fused."""

from collections import Counter
from collections.abc import Collection, Iterable

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from rag.index.embedding import query_vector
from rag.index.lexical import terms
from rag.index.paper_index import PaperIndex
from rag.question.naming import mentions, names_in
from rag.question.parsing import Question
from rag.question.requests import requested
from rag.records import Hit, Paper, Passage

DEPTH = 400
"""Passages taken from the dense ranking, and papers from BM25, before fusion."""
DENSE_SHARE = 0.5
"""Weight of the dense ranking in the fused score; BM25 has the rest."""
NAME_BONUS = 0.2
"""Added for a paper that mentions a name of the question which at most one paper in a hundred mentions: who
asks about "ESMDiff" wants its paper, however near in meaning others are."""


class HybridRetriever(BaseRetriever):
    """A LlamaIndex retriever over a PaperIndex; `rank` gives papers, `retrieve` passages as nodes.

    Scores are fused by the convex combination of min-max normalised scores (Bruch, Gai and Ingber 2023,
    "An Analysis of Fusion Functions for Hybrid Retrieval").
    """

    def __init__(self, index: PaperIndex, top_k: int = 10) -> None:
        super().__init__()
        self._index = index
        self._top_k = top_k

    def rank(self, question: QueryBundle, k: int = 10, ids: Collection[str] | None = None) -> list[Hit]:
        """The `k` best papers for `question.query_str`, best first; `ids` restricts them to these papers.

        A paper's score is that of its best passage in each ranking. Papers in the question's `focus` are
        always among the hits, whatever their score.
        """
        if ids is not None and not ids:
            return []
        text = requested(question.query_str)
        dense = _best_by_paper(self._index.nearest(query_vector(self._index.embedding, text), DEPTH, ids))
        lexical = _best_by_paper(self._index.lexical(text, DEPTH, ids))
        dense_share, lexical_share = _min_max(dense), _min_max(lexical)
        scores = {
            paper_id: DENSE_SHARE * dense_share.get(paper_id, 0.0)
            + (1 - DENSE_SHARE) * lexical_share.get(paper_id, 0.0)
            for paper_id in dense | lexical
        }
        for paper_id, share in self._named(question, ids).items():
            scores[paper_id] = scores.get(paper_id, 0.0) + NAME_BONUS * share
        order = sorted(scores, key=lambda paper_id: (-scores[paper_id], paper_id))
        hits = []
        for paper_id in self._with_focus(order, question, k):
            near, said = dense.get(paper_id), lexical.get(paper_id)
            best = near or said
            hits.append(
                Hit(
                    paper=self._index.paper(paper_id),
                    score=scores.get(paper_id, 0.0),
                    dense=near[1] if near else None,
                    lexical=said[1] if said else None,
                    passage=best[0] if best else self._index.passages(paper_id)[0],
                )
            )
        return hits

    def _named(self, question: QueryBundle, ids: Collection[str] | None) -> dict[str, float]:
        """For each paper that mentions names of the question that few papers mention, the share of these."""
        names = names_in(question.asked if isinstance(question, Question) else question.query_str)
        few = max(3, len(self._index.papers) // 100)
        owners = []
        for name in names:
            if min((self._index.document_frequency(term) for term in terms(name)), default=0) > 4 * few:
                continue  # a common word with a capital
            found = {passage.paper_id for passage, _ in self._index.lexical(name, 4 * few, ids)}
            said = {key: _text(self._index.paper(key)) for key in found}
            known = {key for key, text in said.items() if mentions(text, name)}
            if name.isupper():  # "PRUNE" is not what others write "Prune", if it is anywhere
                known = {key for key in known if name in said[key]} or known
            if 0 < len(known) <= few:
                owners.append(known)
        counts = Counter(paper_id for known in owners for paper_id in known)
        return {paper_id: count / len(owners) for paper_id, count in counts.items()}

    def _with_focus(self, order: list[str], question: QueryBundle, k: int) -> list[str]:
        best = order[:k]
        focus = question.focus if isinstance(question, Question) else ()
        return best + [paper_id for paper_id in focus if paper_id not in best]

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [as_node(hit) for hit in self.rank(query_bundle, self._top_k)]


def _text(paper: Paper) -> str:
    return f"{paper.title} {paper.abstract}"


def as_node(hit: Hit) -> NodeWithScore:
    """A hit as LlamaIndex sees it: the passage's text, the paper's record as metadata."""
    paper, passage = hit.paper, hit.passage
    metadata = {
        "paper_id": paper.id,
        "title": paper.title,
        "authors": list(paper.authors),
        "venue": paper.venue,
        "year": paper.year,
        "track": paper.track,
        "url": paper.url,
    }
    node = TextNode(
        id_=passage.id,
        text=passage.text,
        metadata=metadata,
        start_char_idx=passage.start,
        end_char_idx=passage.end,
    )
    return NodeWithScore(node=node, score=hit.score)


def _best_by_paper(ranking: Iterable[tuple[Passage, float]]) -> dict[str, tuple[Passage, float]]:
    """The first, and so best, passage of each paper in a ranking that has the best first."""
    best: dict[str, tuple[Passage, float]] = {}
    for passage, score in ranking:
        best.setdefault(passage.paper_id, (passage, score))
    return best


def _min_max(ranking: dict[str, tuple[Passage, float]]) -> dict[str, float]:
    """Scores moved to [0, 1]; a ranking whose scores are all equal becomes all ones."""
    if not ranking:
        return {}
    scores = [score for _, score in ranking.values()]
    low, high = min(scores), max(scores)
    if high == low:
        return dict.fromkeys(ranking, 1.0)
    return {paper_id: (score - low) / (high - low) for paper_id, (_, score) in ranking.items()}
