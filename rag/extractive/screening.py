"""Which papers are about a topic: every paper is decided from evidence, each yes with a quote."""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from rag.extractive import facts
from rag.extractive.acronyms import Acronyms
from rag.extractive.evidence import PaperText, PartEvidence, part_evidence, share
from rag.index.embedding import Vectors, query_vector
from rag.index.lexical import terms
from rag.index.paper_index import PaperIndex
from rag.phrases import say
from rag.question.parsing import Question
from rag.question.topic import Topic, parse_topic
from rag.records import Choice, Composition, Decision, Evidence, Paper, Statement
from rag.suspicion import stuffed

CANDIDATES = 600
"""Papers looked at closely: the best of the dense and of the BM25 ranking. All others lack the topic's words
and are far from its meaning, and are decided "no"."""
NEAR = 0.35
"""Cosine of topic and best passage from which a paper may match without the topic's words."""
FEEDBACK = 5
"""Papers that pseudo-relevance feedback takes for right."""
NEAREST = 3
"""Papers named when none matches."""
PASSED_OVER = 5
"""Papers left out that a receipt names: those that came nearest."""

FEATURES = (
    "title",  # least over the parts: the phrase stands in the title
    "phrases",  # least log count of the phrase or its acronym
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
    "feedback",  # cosine of best passage and the topic moved towards the surest papers
    "feedback_gap",
    "bm25_share",  # BM25 score over the best paper's
    "parts",  # log number of parts
    "rare",  # idf of the rarest term, over the greatest possible
)


def screen(question: Question, papers: Sequence[Paper], index: PaperIndex) -> Composition:
    """The decided list for `question.topic` over `papers`, and the text that tells it."""
    decisions = decide(parse_topic(question.topic), papers, index)
    yes = [decision for decision in decisions if decision.choice == "yes"]
    maybe = [decision for decision in decisions if decision.choice == "maybe"]
    over = tuple(decision for decision in decisions if decision.choice == "no")[:PASSED_OVER]
    language = question.language
    conditions = facts.describe(question.filters, language)
    narrowed = say(language, "narrowed", filters=conditions) if conditions else ""
    topic = _shown_topic(question)
    nearest = [decision.paper for decision in decisions[:NEAREST]]
    if not yes:
        head = [Statement(say(language, "list_none", n=len(papers), topic=topic, narrowed=narrowed))]
        if maybe:
            head += [
                Statement(say(language, "list_maybe_only", maybe=len(maybe))),
                *facts.listed(language, maybe),
            ]
        elif nearest:
            titles = "; ".join(facts.neutral(paper.title) for paper in nearest)
            evidence = tuple(Evidence(paper, paper.title) for paper in nearest)
            head.append(Statement(say(language, "nearest_many", titles=titles), evidence))
        abstained = question.existential and not maybe
        return Composition(
            tuple(head), abstained=abstained, decisions=tuple(maybe), count=0, passed_over=over
        )
    several = "" if len(yes) > 1 else "es"
    text = say(language, "list_some", yes=len(yes), n=len(papers), topic=topic, narrowed=narrowed, es=several)
    statements = [Statement(text), *facts.listed(language, yes)]
    if maybe:
        statements.append(Statement(say(language, "list_maybe", maybe=len(maybe)), lead="\n\n"))
        statements += facts.listed(language, maybe)
    return Composition(tuple(statements), decisions=(*yes, *maybe), count=len(yes), passed_over=over)


def decide(
    topic: Topic, papers: Sequence[Paper], index: PaperIndex, fitted: Mapping[str, Any] | None = None
) -> list[Decision]:
    """Decisions for the candidates among `papers`, best first: yes, then maybe, then no.

    `fitted` are weights and thresholds in the form of `rag/data/screening.json`, the shipped ones by default.
    """
    allowed = {paper.id: paper for paper in papers}
    found = evidence_of(topic, allowed, index)
    fitted = fitted or _fitted()
    if not found:
        return []
    rows = np.array([row for _, row in found.values()])
    scores = rows @ np.array([fitted["weights"][name] for name in FEATURES]) + fitted["bias"]
    decisions = []
    for (paper_id, (parts, _)), score, near in zip(found.items(), scores, touches(rows), strict=True):
        paper = allowed[paper_id]
        text = _text(paper)
        choice = _choice(float(score), bool(near), fitted)
        if choice != "no" and any(_is_about(text, phrase, index) for phrase in topic.excluded):
            choice = "no"
        if choice != "no" and stuffed(paper.abstract):
            choice = "no"  # a heap of keywords matches every topic
        decisions.append(
            Decision(paper, choice, _quote(text, parts), _probability(float(score)), _reason(parts))
        )
    order: dict[Choice, int] = {"yes": 0, "maybe": 1, "no": 2}
    return sorted(
        decisions, key=lambda decision: (order[decision.choice], -decision.score, decision.paper.id)
    )


def evidence_of(
    topic: Topic, allowed: dict[str, Paper], index: PaperIndex
) -> dict[str, tuple[list[PartEvidence], list[float]]]:
    """For each candidate paper the evidence of each part and its row of `FEATURES`."""
    ids = None if len(allowed) == len(index.papers) else set(allowed)
    vector = query_vector(index.embedding, topic.text)
    dense: dict[str, float] = {}
    for passage, similarity in index.nearest(vector, CANDIDATES, ids):
        dense.setdefault(passage.paper_id, similarity)
    lexical: dict[str, float] = {}
    for passage, score in index.lexical(
        " ".join([topic.text, *(p for part in topic.parts for p in part)]), CANDIDATES, ids
    ):
        lexical.setdefault(passage.paper_id, score)
    candidates = [paper_id for paper_id in dict.fromkeys([*lexical, *dense]) if paper_id in allowed]
    texts = {paper_id: _text(allowed[paper_id]) for paper_id in candidates}
    acronyms = Acronyms(f"{text.paper.title}. {text.paper.abstract}" for text in texts.values())
    nearest, best_lexical = max(dense.values(), default=0.0), max(lexical.values(), default=1.0) or 1.0
    floor = min(dense.values(), default=0.0)
    wanted = {term: index.idf(term) for term in terms(topic.text)}
    parts = {
        paper_id: [part_evidence(text, part, acronyms, index.idf) for part in topic.parts]
        for paper_id, text in texts.items()
    }
    surest = sorted(texts, key=lambda key: (-_sureness(parts[key], dense.get(key, floor)), key))[:FEEDBACK]
    moved = _moved(vector, index.vectors(surest))
    again: dict[str, float] = {}
    for passage, similarity in index.nearest(moved, CANDIDATES, ids):
        again.setdefault(passage.paper_id, similarity)
    again_nearest, again_floor = max(again.values(), default=0.0), min(again.values(), default=0.0)
    found = {}
    for paper_id, text in texts.items():
        similarity, feedback = dense.get(paper_id, floor), again.get(paper_id, again_floor)
        row = _row(text, parts[paper_id], wanted)
        row += [similarity, similarity - nearest, feedback, feedback - again_nearest]
        row += [lexical.get(paper_id, 0.0) / best_lexical, math.log(len(topic.parts))]
        row.append(max(wanted.values(), default=0.0) / index.idf(""))
        found[paper_id] = (parts[paper_id], row)
    return found


def _sureness(parts: Sequence[PartEvidence], similarity: float) -> float:
    """For choosing whom feedback learns from: every part said as a phrase, then near in meaning."""
    return min(min(part.strength, 4.0) for part in parts) + similarity


def _moved(vector: Vectors, towards: Vectors) -> Vectors:
    """The topic's vector moved halfway to the mean of `towards` (Rocchio 1971), of length 1."""
    if not len(towards):
        return vector
    moved = vector + towards.mean(axis=0)
    return np.asarray(moved / (np.linalg.norm(moved) or 1.0), dtype=np.float32)


def _row(text: PaperText, parts: Sequence[PartEvidence], wanted: Mapping[str, float]) -> list[float]:
    counts = [math.log1p(part.phrases + part.acronyms + 2 * part.in_title) for part in parts]
    whole = max(share(wanted, bag) for bag in text.bags)
    return [
        float(min(part.in_title for part in parts)),
        min(counts),
        float(min(part.own or part.in_title for part in parts)),
        min(part.together for part in parts),
        min(part.anywhere for part in parts),
        float(min(part.core_in_title for part in parts)),
        min(math.log1p(part.core_units) for part in parts),
        sum(counts) / len(counts),
        sum(part.together for part in parts) / len(parts),
        float(max(part.in_title for part in parts)),
        whole,
    ]


def _is_about(text: PaperText, phrase: str, index: PaperIndex) -> bool:
    """Whether an excluded phrase is a subject of the paper: in its title or in a sentence on its own work."""
    found = part_evidence(text, (phrase,), Acronyms(()), index.idf)
    return found.in_title or found.own


def _quote(text: PaperText, parts: Sequence[PartEvidence]) -> str:
    """The sentence with the strongest evidence of the part that is hardest to find, else the title."""
    weakest = min(parts, key=lambda part: part.strength)
    best = weakest if weakest.phrases or weakest.acronyms else max(parts, key=lambda part: part.strength)
    return text.raw[best.unit]


def _reason(parts: Sequence[PartEvidence]) -> str:
    """The evidence in words: "“conformal prediction” in the title, 3 times in the abstract"."""
    said = []
    for part in parts:
        seen = [
            *(["in the title"] if part.in_title else []),
            *([f"{part.phrases} times in the abstract"] if part.phrases else []),
            *([f"its acronym {part.acronyms} times"] if part.acronyms else []),
        ]
        share = f"{part.together:.0%} of its words in one sentence"
        said.append(f"“{part.phrase}” {', '.join(seen) if seen else share}")
    return "; ".join(said)


def touches(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which papers are not plainly off the topic: (n,) for rows (n, len(FEATURES)).

    They have the rarest word of every part, or are near in meaning. Others are no maybe at any score.
    """
    column = {name: rows[:, i] for i, name in enumerate(FEATURES)}
    touched: npt.NDArray[np.bool_] = (
        (column["core_units"] > 0) | (column["core_title"] > 0) | (column["similarity"] >= NEAR)
    )
    return touched


def _choice(score: float, near: bool, fitted: Mapping[str, Any]) -> Choice:
    if score >= fitted["yes"]:
        return "yes"
    return "maybe" if near and score >= fitted["maybe"] else "no"


def _probability(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def _shown_topic(question: Question) -> str:
    return facts.neutral(question.topic)


@lru_cache(maxsize=20_000)
def _text(paper: Paper) -> PaperText:
    return PaperText(paper)


@cache
def _fitted() -> dict[str, Any]:
    """Weights, bias and thresholds; `python -m eval fit` writes the file and says from which data."""
    fitted: dict[str, Any] = json.loads(
        resources.files("rag.data").joinpath("screening.json").read_text("utf-8")
    )
    return fitted
