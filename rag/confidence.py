"""How likely an answer is right, and whether to give one at all: a fitted, calibrated probability."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from rag.cues import ideas
from rag.index import PaperIndex
from rag.lexical import terms
from rag.question import Question
from rag.records import Composition, Hit, Paper
from rag.relevance import SentenceRanker

FEATURES = (
    "similarity",  # cosine of question and best passage of the best paper
    "similarity_gap",  # the same, above the second paper's
    "score_gap",  # fused score above the second paper's
    "coverage",  # idf share of the question's terms that the cited papers have
    "worst_gap",  # idf of the rarest question term they lack, over the greatest possible
    "names_missing",  # share of the question's names that they lack
    "ideas_missing",  # share of the question's ideas (rag.cues) that they lack
    "sentence",  # log-odds of the best sentence
    "sentence_gap",  # the same, above the second sentence's
    "number_missing",  # a number is asked for and the quoted sentences have none
    "sentence_coverage",  # idf share of the question's terms in the quoted sentences
    "focus",  # a follow-up about papers of the conversation
    "compare",
    "explain",
    "names",  # log number of names in the question
)

_NAME = re.compile(r"\b(?=\w*[A-Z])[A-Za-z][\w]*(?:[-.@]\w+)*|\b\d+\w*[A-Za-z]\w*")
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
    answered = _probability(fitted["answered"], row)
    return Judgement(
        answerable=answered >= fitted["answer_from"],
        off_topic=answered < fitted["answer_from"] and (hits[0].dense or 0.0) < fitted["off_topic_below"],
        probability=_probability(fitted["passes"], row),
        missing=next(iter(_names_missing(question, _cited(composition))), ""),
    )


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
    names = _names(question)
    asked_ideas = ideas(question.asked) | ideas(question.query_str)
    told_ideas = ideas(" ".join(f"{paper.title} {paper.abstract}" for paper in cited))
    sentences = [s.score for s in ranker.rank(question, cited[0])[:2]]
    second = hits[1] if len(hits) > 1 else None
    similarity = hits[0].dense or 0.0
    return np.array(
        [
            similarity,
            similarity - ((second.dense or 0.0) if second else 0.0),
            hits[0].score - (second.score if second else 0.0),
            sum(index.idf(term) for term in query if term in known) / total,
            max(lacking, default=0.0) / index.idf(""),
            len(_names_missing(question, cited)) / len(names) if names else 0.0,
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


def _names(question: Question) -> list[str]:
    """Names in the question; its first word counts only when it has more than a leading capital."""
    text = question.asked
    first = re.match(r"\W*\w+", text)
    if first and not re.search(r"[A-Z0-9]", first.group().lstrip()[1:]):
        text = text[first.end() :]
    return list(dict.fromkeys(name for name in _NAME.findall(text) if name != "I"))


def _names_missing(question: Question, papers: Sequence[Paper]) -> list[str]:
    text = _squeezed(" ".join(f"{p.title} {p.abstract} {' '.join(p.authors)} {p.published}" for p in papers))
    return [name for name in _names(question) if _squeezed(name).rstrip("s") not in text]


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _probability(model: dict[str, Any], row: np.ndarray) -> float:
    weights = np.array([model["weights"][name] for name in FEATURES])
    return 1 / (1 + math.exp(-float(row @ weights + model["bias"])))


@cache
def _fitted() -> dict[str, Any]:
    """Weights, bias and thresholds; `python -m eval fit` writes the file and says from which data."""
    fitted: dict[str, Any] = json.loads(
        resources.files("rag.data").joinpath("confidence.json").read_text("utf-8")
    )
    return fitted
