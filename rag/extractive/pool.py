"""The papers that may be about a topic, and what is known of each: a row of figures that can be explained.

All are found by meaning or by words; whatever is outside lacks the topic's words and is far from its meaning.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rag.extractive.acronyms import Acronyms
from rag.extractive.evidence import PaperText, PartEvidence, Phrase, paper_text, share, strongest
from rag.index.embedding import query_vector
from rag.index.lexical import terms
from rag.index.paper_index import PaperIndex
from rag.question.topic import Topic
from rag.records import Paper, Passage

Floats = npt.NDArray[np.float64]

DEPTH = 250
"""Passages taken from the dense ranking, and papers from BM25: more where more have a phrase's words."""
DEEPEST = 3_000
SURE = 20
"""At most so many papers teach the second look what papers on the topic have in common."""
FEWEST_SURE = 5
LEARNT = 40
"""Words that the surest papers have in common, beside those of the topic."""
NEIGHBOURS = 10
NEAREST, MOVED_NEAREST, SAID = 0.5, 0.65, 0.35
"""What the best paper of a topic has where there are papers on it: cosine of topic and passage, the same
after feedback, BM25 over the sum of the topic's idf. Others are measured against it where the best has less:
among a few papers that are all off the topic, the least far is none that is on it.
"""

FIRST_LOOK = (
    "title",  # least over the parts: the phrase stands in the title
    "phrases",  # least log count of the phrase or its acronym
    "loose",  # least log count of the phrase's two words close together
    "own",  # least: the phrase stands where the paper speaks of its own work
    "together",  # least idf share of the part's terms in one sentence
    "anywhere",  # least idf share in title and abstract
    "core_title",  # least: the part's rarest term stands in the title
    "core_units",  # least log count of sentences with the rarest term
    "mean_phrases",
    "mean_together",
    "any_title",
    "whole_together",  # idf share of all the topic's terms in the best sentence
    "similarity",  # cosine of topic and best passage
    "similarity_gap",  # the same, below the nearest paper's
    "bm25_share",  # BM25 score over the best paper's
    "parts",  # log number of parts
    "rare",  # idf of the rarest term, over the greatest possible
    "unsaid",  # log count of the papers that say every part as a phrase, where this one does not
    "unsaid_core",  # the same for the part's rarest term
)
"""What a paper says for the topic by itself."""
SECOND_LOOK = (
    "literal",  # least share of the part's words, by idf, that are said in the same form
    "mean_literal",
    "literal_title",  # least share of them that stand so in the title
    "feedback",  # cosine of best passage and the topic moved towards the surest papers
    "feedback_gap",  # the same, below the nearest paper's
    "company",  # weighted share of the words that the surest papers have in common
    "company_share",  # the same, over the greatest
    "neighbours",  # mean probability, at the look before, of the papers nearest to it
    "crowd",  # log expected number of papers on the topic, from the look before
    "place",  # log of how many papers were surer at the look before
)
"""How literally it says so, and what it says beside the papers that were surest at the look before
(pseudo-relevance feedback). A first look that asks for the same form finds fewer of those.
"""
FEATURES = (*FIRST_LOOK, *SECOND_LOOK)


@dataclass(frozen=True)
class Pool:
    """`n` candidates for a topic: papers, the evidence of each part, rows (n, len(FIRST_LOOK)) of first look.

    `literal` (n, 3) are the first figures of `SECOND_LOOK`; `vectors` (n, dimensions) are of each paper's
    best passage, `topic_vector` (dimensions,) is the topic's; `idf` weighs a stem.
    """

    papers: tuple[Paper, ...]
    evidence: tuple[tuple[PartEvidence, ...], ...]
    first: Floats
    literal: Floats
    vectors: npt.NDArray[np.float32]
    topic_vector: npt.NDArray[np.float32]
    topic_terms: frozenset[str]
    idf: Callable[[str], float]

    def rows(self, probable: Floats) -> Floats:
        """Rows (n, len(FEATURES)), where `probable` (n,) are the probabilities at the look before."""
        surest = self._surest(probable)
        moved = self.topic_vector + self.vectors[surest].mean(axis=0)
        feedback = self.vectors @ (moved / (np.linalg.norm(moved) or 1.0))
        company = self._company(surest)
        second = (
            self.literal,
            feedback,
            feedback - max(feedback.max(), MOVED_NEAREST),
            company,
            company / (company.max() or 1.0),
            probable[self._nearest].mean(axis=1) if self._nearest.shape[1] else np.zeros(len(self.papers)),
            np.full(len(self.papers), math.log1p(probable.sum())),
            np.log1p(np.argsort(np.argsort(-probable, kind="stable"))),
        )
        return np.column_stack([self.first, *second])

    def _surest(self, probable: Floats) -> npt.NDArray[np.intp]:
        order = np.argsort(-probable, kind="stable")[:SURE]
        return order[: max(FEWEST_SURE, int((probable[order] > 0.5).sum()))]

    def _company(self, surest: Sequence[int] | npt.NDArray[np.intp]) -> Floats:
        texts = [paper_text(paper).everywhere for paper in self.papers]
        counts = Counter(term for i in surest for term in texts[i])
        shared = [
            (count / len(surest) * self.idf(term), term)
            for term, count in counts.items()
            if count > 1 and term not in self.topic_terms
        ]
        learnt = {term: weight for weight, term in sorted(shared, reverse=True)[:LEARNT]}
        total = sum(learnt.values()) or 1.0
        return np.array([sum(map(learnt.__getitem__, learnt.keys() & text)) for text in texts]) / total

    @cached_property
    def _nearest(self) -> npt.NDArray[np.intp]:
        """Rows of the `NEIGHBOURS` candidates nearest to each, itself left out: (n, at most NEIGHBOURS)."""
        closeness = self.vectors @ self.vectors.T
        np.fill_diagonal(closeness, -2.0)
        count = min(NEIGHBOURS, len(self.papers) - 1)
        if not count:
            return np.zeros((len(self.papers), 0), dtype=np.intp)
        return np.argpartition(-closeness, count - 1, axis=1)[:, :count]


def gather(topic: Topic, allowed: Mapping[str, Paper], index: PaperIndex) -> Pool | None:
    """The candidates among `allowed`, papers by id; None where there are none."""
    ids = None if len(allowed) == len(index.papers) else set(allowed)
    vector = query_vector(index.embedding, topic.text)
    words = " ".join([topic.text, *(phrase for part in topic.parts for phrase in part)])
    depth = _depth(topic, index)
    dense = _best(index.nearest(vector, DEPTH, ids))
    lexical = _best(index.lexical(words, depth, ids))
    found = [paper_id for paper_id in dict.fromkeys([*lexical, *dense]) if paper_id in allowed]
    if not found:
        return None
    vectors = index.passage_vectors([(dense.get(i) or lexical[i])[0] for i in found])
    texts = [paper_text(allowed[paper_id]) for paper_id in found]
    acronyms = Acronyms(definition for text in texts for definition in text.definitions)
    parts = [[Phrase(phrase, acronyms, index.idf) for phrase in part] for part in topic.parts]
    evidence = tuple(tuple(strongest(text, part) for part in parts) for text in texts)
    wanted = {term: index.idf(term) for term in terms(topic.text)}
    similarity = vectors.astype(np.float64) @ vector
    scores = np.array([lexical[i][1] if i in lexical else 0.0 for i in found])
    said = np.array([_said(text, seen, wanted) for text, seen in zip(texts, evidence, strict=True)])
    first = np.column_stack(
        [
            said,
            similarity,
            similarity - max(similarity.max(), NEAREST),
            scores / max(scores.max(), SAID * sum(wanted.values()), 1e-9),
            np.full(len(found), math.log(len(topic.parts))),
            np.full(len(found), max(wanted.values(), default=0.0) / index.idf("")),
            _unsaid(said[:, FIRST_LOOK.index("phrases")]),
            _unsaid(said[:, FIRST_LOOK.index("core_units")]),
        ]
    )
    return Pool(
        papers=tuple(text.paper for text in texts),
        evidence=evidence,
        first=first,
        literal=np.array([_literal(seen) for seen in evidence]),
        vectors=vectors,
        topic_vector=vector,
        topic_terms=frozenset(terms(words)),
        idf=index.idf,
    )


def _unsaid(counts: Floats) -> Floats:
    """How many papers say what a paper does not: the more do, the more its silence tells."""
    silent: Floats = np.where(counts > 0, 0.0, math.log1p((counts > 0).sum()))
    return silent


def _depth(topic: Topic, index: PaperIndex) -> int:
    """As many papers as have the rarest word of the rarest part, within bounds."""

    def having(phrase: str) -> int:
        return min((index.document_frequency(term) for term in terms(phrase)), default=0)

    fewest = min(max(map(having, part)) for part in topic.parts)
    return min(DEEPEST, max(DEPTH, fewest))


def _best(ranking: Sequence[tuple[Passage, float]]) -> dict[str, tuple[Passage, float]]:
    best: dict[str, tuple[Passage, float]] = {}
    for passage, score in ranking:
        best.setdefault(passage.paper_id, (passage, score))
    return best


def _said(text: PaperText, parts: Sequence[PartEvidence], wanted: Mapping[str, float]) -> list[float]:
    """The figures of `FIRST_LOOK` that come from the paper's words."""
    counts = [math.log1p(part.phrases + part.acronyms + 2 * part.in_title) for part in parts]
    return [
        float(min(part.in_title for part in parts)),
        min(counts),
        min(math.log1p(part.loose + part.acronyms) for part in parts),
        float(min(part.own or part.in_title for part in parts)),
        min(part.together for part in parts),
        min(part.anywhere for part in parts),
        float(min(part.core_in_title for part in parts)),
        min(math.log1p(part.core_units) for part in parts),
        sum(counts) / len(counts),
        sum(part.together for part in parts) / len(parts),
        float(max(part.in_title for part in parts)),
        max(share(wanted, bag) for bag in text.bags),
    ]


def _literal(parts: Sequence[PartEvidence]) -> list[float]:
    """The figures of `SECOND_LOOK` that come from the paper's words."""
    return [
        min(part.literal for part in parts),
        sum(part.literal for part in parts) / len(parts),
        min(part.literal_in_title for part in parts),
    ]
