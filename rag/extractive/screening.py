"""Which papers are about a topic: every paper is decided from evidence, each yes with a quote."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from rag.extractive.acronyms import Acronyms
from rag.extractive.evidence import PaperText, PartEvidence, Phrase, paper_text
from rag.extractive.pool import FEATURES, FIRST_LOOK, Floats, Pool, gather
from rag.index.paper_index import PaperIndex
from rag.phrases import say
from rag.question.topic import Topic
from rag.records import Choice, Decision, Language, Paper

Bools = npt.NDArray[np.bool_]

NEAR = 0.35
"""Cosine of topic and best passage from which a paper may be a maybe without the topic's words."""
NEAR_ENOUGH = 0.45
"""The same for a yes."""
TOGETHER = 0.5
"""Share of each part's words, by weight, that one sentence must have for a yes, where neither holds."""


def decide(
    topic: Topic,
    papers: Sequence[Paper],
    index: PaperIndex,
    fitted: Mapping[str, Any] | None = None,
    maybe: float | None = None,
    language: Language = "en",
) -> list[Decision]:
    """Decisions for the candidates among `papers`, best first: yes, then maybe, then no.

    `fitted` are weights and thresholds in the form of `rag/data/screening.json`, the shipped ones by default;
    `maybe` is the score from which a paper is at least a maybe, if not theirs. Reasons are in `language`.
    """
    pool = gather(topic, {paper.id: paper for paper in papers}, index)
    if pool is None:
        return []
    fitted = fitted or shipped()
    scores, rows = looked(pool, fitted["looks"])
    yes, wide = listed(scores, rows, thresholds(fitted, len(papers)), maybe)
    without = [Phrase(phrase, Acronyms(()), index.idf) for phrase in topic.excluded]
    decisions = []
    for i, (paper, parts) in enumerate(zip(pool.papers, pool.evidence, strict=True)):
        text = paper_text(paper)
        choice: Choice = "yes" if yes[i] else "maybe" if wide[i] else "no"
        # A heap of keywords matches every topic.
        if choice != "no" and (any(_is_about(text, phrase) for phrase in without) or text.stuffed):
            choice = "no"
        decisions.append(
            Decision(
                paper, choice, _quote(text, parts), float(probability(scores[i])), _reason(parts, language)
            )
        )
    order: dict[Choice, int] = {"yes": 0, "maybe": 1, "no": 2}
    return sorted(
        decisions, key=lambda decision: (order[decision.choice], -decision.score, decision.paper.id)
    )


def looked(pool: Pool, looks: Sequence[Mapping[str, Any]]) -> tuple[Floats, Floats]:
    """Log-odds (n,) of the pool's papers after the last of `looks`, and the rows that it saw.

    The first look is at each paper by itself, any later one also at the papers surest at the one before.
    """
    scores, rows = look(looks[0], FIRST_LOOK, pool.first), pool.first
    for fitted in looks[1:]:
        rows = pool.rows(probability(scores))
        scores = look(fitted, FEATURES, rows)
    return scores, rows


def look(fitted: Mapping[str, Any], names: Sequence[str], rows: Floats) -> Floats:
    """Log-odds (n,) of rows (n, len(names)) by fitted weights and bias."""
    scores: Floats = rows @ np.array([fitted["weights"][name] for name in names]) + fitted["bias"]
    return scores


def thresholds(fitted: Mapping[str, Any], size: int) -> Mapping[str, float]:
    """The scores "any", "yes" and "maybe" for a list of `size` papers, as short lists need others."""
    found: Mapping[str, float] = next(
        (cut for cut in fitted["thresholds"] if size <= cut["to"]), fitted["thresholds"][-1]
    )
    return found


def listed(
    scores: Floats, rows: Floats, cut: Mapping[str, float], maybe: float | None = None
) -> tuple[Bools, Bools]:
    """Which papers are decided yes, and which yes or maybe, each (n,), for `scores` (n,) and their rows.

    `cut` are scores of `thresholds`, `maybe` is another than that of a maybe there.
    Yes from a fixed score on, where any paper is sure enough that the topic is there at all; maybe from a
    lower one on. No score makes up for words and meaning that are both not there.
    """
    shown = shows(rows)
    there = bool((shown & (scores >= cut["any"])).any())
    yes = shown & (scores >= cut["yes"]) & there
    return yes, yes | (touches(rows) & (scores >= (cut["maybe"] if maybe is None else maybe)))


def shows(rows: Floats) -> Bools:
    """Which papers show the topic by themselves: (n,) for rows (n, len(FEATURES)).

    They say every part, or most of its words in one sentence, or are very near in meaning.
    """
    column = {name: rows[:, i] for i, name in enumerate(FEATURES)}
    said: Bools = (column["phrases"] > 0) | (column["together"] >= TOGETHER)
    return said | (column["similarity"] >= NEAR_ENOUGH)


def touches(rows: Floats) -> Bools:
    """Which papers are not plainly off the topic: (n,) for rows (n, len(FEATURES)).

    They have the rarest word of every part, or are near in meaning. Others are no maybe at any score.
    """
    column = {name: rows[:, i] for i, name in enumerate(FEATURES)}
    touched: Bools = (column["core_units"] > 0) | (column["core_title"] > 0) | (column["similarity"] >= NEAR)
    return touched


def probability(scores: Any) -> Any:
    """Of log-odds, a number or an array."""
    return 1 / (1 + np.exp(-np.clip(scores, -30.0, 30.0)))


@cache
def shipped() -> dict[str, Any]:
    """Weights, biases and thresholds; `python -m eval fit` writes the file and says from which data."""
    fitted: dict[str, Any] = json.loads(
        resources.files("rag.data").joinpath("screening.json").read_text("utf-8")
    )
    return fitted


def _is_about(text: PaperText, phrase: Phrase) -> bool:
    """Whether an excluded phrase is a subject of the paper: in its title or in a sentence on its own work."""
    found = phrase.evidence(text)
    return found.in_title or found.own


def _quote(text: PaperText, parts: Sequence[PartEvidence]) -> str:
    """The sentence with the strongest evidence of the part that is hardest to find, else the title."""
    weakest = min(parts, key=lambda part: part.strength)
    best = weakest if weakest.phrases or weakest.acronyms else max(parts, key=lambda part: part.strength)
    return text.raw[best.unit]


def _reason(parts: Sequence[PartEvidence], language: Language) -> str:
    """The evidence in words: "“conformal prediction” in the title, 3 times in the abstract"."""
    comma, semicolon = ("，", "；") if language == "zh" else (", ", "; ")
    said = []
    for part in parts:
        seen = [
            *([say(language, "seen_title")] if part.in_title else []),
            *([say(language, "seen_abstract", count=part.phrases)] if part.phrases else []),
            *([say(language, "seen_acronym", count=part.acronyms)] if part.acronyms else []),
        ]
        where = comma.join(seen) or say(language, "seen_words", percent=round(100 * part.together))
        said.append(say(language, "seen", phrase=part.phrase, where=where))
    return semicolon.join(said)
