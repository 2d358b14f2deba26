"""How likely an answer is right, and whether to give one at all: a fitted, calibrated probability."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from rag.extractive.relevance import SentenceRanker
from rag.index.lexical import terms
from rag.index.paper_index import PaperIndex
from rag.question.cues import ideas
from rag.question.naming import mentions, names_in
from rag.question.parsing import Question
from rag.records import Composition, Hit, Paper

FEATURES = (
    "similarity",  # cosine of question and nearest passage
    "similarity_gap",  # cosine of the best paper, above the second one
    "score_gap",  # fused score above the second paper's
    "coverage",  # idf share of the question's terms that the cited papers have
    "worst_gap",  # idf of the rarest question term they lack, over the greatest possible
    "names_missing",  # share of the question's names that they lack
    "names_unknown",  # share of them that no paper of the index has
    "ideas_missing",  # share of the question's ideas (rag.question.cues) that they lack
    "sentence",  # log-odds of the best sentence
    "sentence_gap",  # the same, above the second sentence's
    "number_missing",  # a number is asked for and the quoted sentences have none
    "sentence_coverage",  # idf share of the question's terms in the quoted sentences
    "focus",  # a follow-up about papers of the conversation
    "compare",
    "explain",
    "names",  # log number of names in the question
)

FAR, HALF = 0.3, 0.5
"""A question this far from the nearest passage, with less than half of its words in the best paper, is about
something else. In the reference sets the farthest answerable question without a name has 0.33."""
_ASKS_FIGURE = re.compile(
    r"\bhow (?:many|much|often|long|large|big)\b|\bwhat (?:share|percentage|fraction|proportion)\b|多少",
    re.I,
)
_IN_BRACKETS = re.compile(r"[(（][^)）]*[)）]")
_DIGIT = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.I)


@dataclass(frozen=True, slots=True)
class Judgement:
    """`answerable`: the abstracts answer the question; `probability`: the answer is right in every point.

    `missing` is a name in the question that the cited papers do not mention, empty when they mention all;
    `off_topic`: not answerable, and no paper is anywhere near the question.
    """

    answerable: bool
    off_topic: bool
    probability: float
    missing: str = ""


def judge(
    question: Question,
    hits: Sequence[Hit],
    composition: Composition,
    index: PaperIndex,
    ranker: SentenceRanker,
) -> Judgement:
    """Whether `composition` answers `question`, by the fitted threshold."""
    if not hits or not composition.statements:
        return Judgement(answerable=False, off_topic=not hits, probability=0.0)
    fitted = _fitted()
    row = features(question, hits, composition, index, ranker)
    seen = dict(zip(FEATURES, row.tolist(), strict=True))
    off_topic = _off_topic(question, seen)
    answered = _probability(fitted["answered"], row)
    return Judgement(
        answerable=not (off_topic or ruled_out(question, seen)) and answered >= fitted["answer_from"],
        off_topic=off_topic,
        probability=_probability(fitted["passes"], row),
        missing=next(iter(_lacking(names_in(question.asked), _cited(composition))), ""),
    )


def ruled_out(question: Question, seen: Mapping[str, float]) -> bool:
    """Whether a plain reason says that the abstracts do not answer, whatever the fit says.

    It is about nothing near the papers; all names it has are unknown to them; or it asks for a figure and
    the sentences that come closest have none. `seen` holds the features by name.
    """
    no_figure = seen["number_missing"] > 0 and bool(_ASKS_FIGURE.search(question.asked))
    return _off_topic(question, seen) or seen["names_unknown"] == 1 or no_figure


def _off_topic(question: Question, seen: Mapping[str, float]) -> bool:
    named = seen["names"] > 0 and seen["names_unknown"] < 1
    far = seen["similarity"] < FAR and seen["coverage"] < HALF
    return far and not named and not question.focus


def features(
    question: Question,
    hits: Sequence[Hit],
    composition: Composition,
    index: PaperIndex,
    ranker: SentenceRanker,
) -> np.ndarray:
    """float64 array (len(FEATURES),)."""
    cited = _cited(composition)
    query = list(dict.fromkeys(terms(question.query_str)))
    known = {term for paper in cited for term in terms(f"{paper.title} {paper.abstract}")}
    quoted = " ".join(
        evidence.quote for statement in composition.statements for evidence in statement.evidence
    )
    total = sum(map(index.idf, query)) or 1.0
    lacking = [index.idf(term) for term in query if term not in known]
    said = set(terms(quoted))
    names = names_in(_IN_BRACKETS.sub(" ", question.asked))
    missing = _lacking(names, cited)
    asked_ideas = ideas(question.asked) | ideas(question.query_str)
    told_ideas = ideas(" ".join(f"{paper.title} {paper.abstract}" for paper in cited))
    sentences = [s.score for s in ranker.rank(question, cited[0])[:2]]
    second = hits[1] if len(hits) > 1 else None
    similarity = max((hit.dense or 0.0) for hit in hits)
    return np.array(
        [
            similarity,
            (hits[0].dense or 0.0) - ((second.dense or 0.0) if second else 0.0),
            hits[0].score - (second.score if second else 0.0),
            sum(index.idf(term) for term in query if term in known) / total,
            max(lacking, default=0.0) / index.idf(""),
            len(missing) / len(names) if names else 0.0,
            len(_unknown(missing, index)) / len(names) if names else 0.0,
            len(asked_ideas - told_ideas) / (len(asked_ideas) or 1),
            sentences[0] if sentences else -5.0,
            sentences[0] - sentences[1] if len(sentences) > 1 else 0.0,
            float(question.expects == "number" and not _DIGIT.search(quoted)),
            sum(index.idf(term) for term in query if term in said) / total,
            float(bool(question.focus)),
            float(question.kind == "compare"),
            float(question.kind == "explain"),
            math.log1p(len(names)),
        ]
    )


def _cited(composition: Composition) -> list[Paper]:
    papers = {e.paper.id: e.paper for statement in composition.statements for e in statement.evidence}
    return list(papers.values())


def _lacking(names: Sequence[str], papers: Sequence[Paper]) -> list[str]:
    """The names that none of the papers' records mentions."""
    text = " ".join(f"{p.title} {p.abstract} {' '.join(p.authors)} {p.published}" for p in papers)
    return [name for name in names if not mentions(text, name)]


def _unknown(names: Sequence[str], index: PaperIndex) -> list[str]:
    """The names that no paper of the index mentions."""
    return [
        name
        for name in names
        if _lacking([name], [index.paper(key) for key in {p.paper_id for p, _ in index.lexical(name, 10)}])
    ]


def _probability(model: dict[str, Any], row: np.ndarray) -> float:
    weights = np.array([model["weights"].get(name, 0.0) for name in FEATURES])
    return 1 / (1 + math.exp(-float(row @ weights + model["bias"])))


@cache
def _fitted() -> dict[str, Any]:
    """Weights, bias and thresholds; `python -m eval fit` writes the file and says from which data."""
    fitted: dict[str, Any] = json.loads(
        resources.files("rag.data").joinpath("confidence.json").read_text("utf-8")
    )
    return fitted
