"""How likely an answer is right, and whether to give one at all: fitted, calibrated probabilities."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from rag.extractive import premises
from rag.extractive.premises import Premises, examine
from rag.extractive.relevance import SentenceRanker
from rag.extractive.roles import is_general
from rag.index.lexical import terms
from rag.index.paper_index import PaperIndex
from rag.patterns import lazy_pattern
from rag.question.cues import ideas
from rag.question.errands import of_papers
from rag.question.naming import mentions, names_in
from rag.question.parsing import Question
from rag.question.wordings import small_talk
from rag.records import Composition, Hit, Paper

FEATURES = (
    "similarity",  # cosine of question and nearest passage
    "similarity_gap",  # cosine of the best paper, above the second one
    "score_gap",  # fused score above the second paper's
    "coverage",  # idf share of the question's terms that the cited papers have
    "worst_gap",  # idf of the rarest question term they lack, over the greatest possible
    "names_unknown",  # share of the question's names that no paper of the index has
    "names_known",  # share of them that the cited papers have
    "ideas_missing",  # share of the question's ideas (rag.question.cues) that they lack
    "sentence",  # log-odds of the best sentence
    "sentence_gap",  # the same, above the second sentence's
    "number_missing",  # a number is asked for and the quoted sentences have none
    "sentence_coverage",  # idf share of the question's terms in the quoted sentences
    "focus",  # a follow-up about papers of the conversation
    "compare",
    "explain",
    "names",  # log number of names in the question
    "of_papers",  # the question speaks of papers, data or research
    "parts",  # log number of things asked in one question
    "quoted",  # share of the cited abstracts that is quoted
    "unread",  # a Chinese word of the question is not in the glossary
    *premises.FEATURES,
)
ANSWERED = tuple(name for name in FEATURES if name != "mean_far")
"""Features that tell whether the abstracts answer."""
OFF_TOPIC = (
    *("similarity", "coverage", "unusual", "mean_far", "names_known", "focus", "of_papers", "sentence"),
    "together",
)
"""Features that tell whether a question is about papers at all."""
SURE = ("sentence", "sentence_gap", "score_gap")
"""Features that tell how likely an answer passes, beside the log-odds that the abstracts answer at all."""
KINDS = ("lookup", "explain", "compare", "followup")
"""Kinds of question, as the engine sees them, that have a rate of their own."""

_IN_BRACKETS = lazy_pattern(r"[(（][^)）]*[)）]")
_PARTS = lazy_pattern(r"\band\b|[,;?:]\s+\w|和|与|、|，", re.I)
_DIGIT = lazy_pattern(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.I)
Row = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judgement:
    """`answerable`: the abstracts answer the question; `off_topic`: it is about something else than papers.

    `probability`: what is then said is right: the answer in every point, or the refusal. `premises` say what
    the cited papers lack, None where there are none.
    """

    answerable: bool
    off_topic: bool
    probability: float
    premises: Premises | None = None


def judge(
    question: Question,
    hits: Sequence[Hit],
    composition: Composition,
    index: PaperIndex,
    ranker: SentenceRanker,
) -> Judgement:
    """Whether `composition` answers `question`, by the fitted thresholds."""
    fitted = _fitted()
    if not hits or not composition.statements:
        return Judgement(answerable=False, off_topic=not hits, probability=fitted["errand"])
    question = _without_strangers(question, composition)
    found = examine(question, _cited(composition), index.idf)
    row = features(question, hits, composition, index, ranker, found)
    seen = dict(zip(FEATURES, row.tolist(), strict=True))
    answered = log_odds(fitted["answered"], seen)
    off_topic = may_be_off_topic(seen) and (
        probability(log_odds(fitted["off_topic"], seen)) >= fitted["off_topic_from"]
    )
    # Who asks what a system is that the papers have, or what its name means, is answered by what they say.
    title = " ".join(paper.title for paper in _cited(composition))
    meant = seen["names_known"] == 1 or not (names_in(question.asked) or is_general(question))
    spelt_out = question.expects == "expansion" and seen["names_known"] == 1
    # Papers set side by side, named or seen before, tell at least what each of them is.
    pointed = seen["names_known"] == 1 or (bool(question.focus) and not names_in(question.asked))
    beside = question.kind == "compare" and pointed and len(_cited(composition)) > 1
    general = spelt_out or beside or (meant and is_general(question, title))
    close = probability(answered) >= fitted["answer_from"][kind_of(question)]
    answerable = not (off_topic or ruled_out(seen)) and (general or close)
    kinds = {kind: float(kind == kind_of(question)) for kind in KINDS}
    model = fitted["passes" if answerable else "refused"]
    likely = probability(log_odds(model, seen | kinds | {"answered": answered}))
    return Judgement(answerable, off_topic, likely, found)


def _without_strangers(question: Question, composition: Composition) -> Question:
    """The question without names of which the answer itself says that no paper is about them."""
    told = " ".join(statement.text for statement in composition.statements if not statement.evidence)
    asked, query = question.asked, question.query_str
    for name in names_in(told) if told else ():
        asked, query = asked.replace(name, " "), query.replace(name, " ")
    return replace(question, asked=asked, query_str=query) if told else question


def errand(question: Question) -> Judgement | None:
    """The judgement on what wants something else than papers; None for small talk."""
    if small_talk(question.asked):
        return None
    return Judgement(answerable=False, off_topic=True, probability=float(_fitted()["errand"]))


def kind_of(question: Question) -> str:
    """The kind of question that confidence is calibrated by."""
    return "followup" if question.focus else question.kind


def ruled_out(seen: Mapping[str, float]) -> bool:
    """Whether a plain reason says that the abstracts do not answer, whatever the fit says.

    All names it has are unknown to them; it asks for a detail or a measure that the abstract does not give;
    or it compares the other way round. `seen` holds the features by name.
    """
    lacking = seen["detail_missing"] > 0 or seen["metric_missing"] > 0 or seen["swapped"] > 0
    return seen["names_unknown"] == 1 or lacking


def may_be_off_topic(seen: Mapping[str, float]) -> bool:
    """Whether nothing in the question speaks of papers, of a system in them or of the conversation."""
    return not (seen["focus"] or seen["of_papers"] or seen["names_known"])


def features(
    question: Question,
    hits: Sequence[Hit],
    composition: Composition,
    index: PaperIndex,
    ranker: SentenceRanker,
    found: Premises,
) -> Row:
    """float64 array (len(FEATURES),); `found` is what `rag.extractive.premises` finds in the cited papers."""
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
    missing = [name for name in names if name in found.names]
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
            len(_unknown(missing, index)) / len(names) if names else 0.0,
            1 - len(missing) / len(names) if names else 0.0,
            len(asked_ideas - told_ideas) / (len(asked_ideas) or 1),
            sentences[0] if sentences else -5.0,
            sentences[0] - sentences[1] if len(sentences) > 1 else 0.0,
            float(question.expects == "number" and not _DIGIT.search(quoted)),
            sum(index.idf(term) for term in query if term in said) / total,
            float(bool(question.focus)),
            float(question.kind == "compare"),
            float(question.kind == "explain"),
            math.log1p(len(names)),
            float(of_papers(question.asked)),
            math.log(1 + len(_PARTS.findall(question.asked))),
            len(quoted.split()) / (sum(len(paper.abstract.split()) for paper in cited) or 1),
            float(any(len(word) > 1 for word in question.unmatched)),
            *found.row,
        ]
    )


def _cited(composition: Composition) -> list[Paper]:
    papers = {e.paper.id: e.paper for statement in composition.statements for e in statement.evidence}
    return list(papers.values())


def _unknown(names: Sequence[str], index: PaperIndex) -> list[str]:
    """The names that no paper of the index mentions."""

    def mentioned(name: str) -> bool:
        papers = {passage.paper_id for passage, _ in index.lexical(name, 10)}
        return any(
            mentions(f"{p.title} {p.abstract} {' '.join(p.authors)}", name) for p in map(index.paper, papers)
        )

    return [name for name in names if not mentioned(name)]


def log_odds(model: Mapping[str, Any], seen: Mapping[str, float]) -> float:
    """Of a fitted logistic model over features by name."""
    return float(sum(weight * seen[name] for name, weight in model["weights"].items()) + model["bias"])


def probability(odds: float) -> float:
    """The probability of log-odds."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


@cache
def _fitted() -> dict[str, Any]:
    """Weights, biases and thresholds; `python -m eval fit` writes the file and says from which data."""
    fitted: dict[str, Any] = json.loads(
        resources.files("rag.data").joinpath("confidence.json").read_text("utf-8")
    )
    return fitted
