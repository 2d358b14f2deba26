"""Fit which papers are on a topic, from labelled "which papers" questions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eval.fitting import Logistic, fit_logistic
from rag.index import PaperIndex
from rag.question import parse
from rag.screening import FEATURES, evidence_of
from rag.topic import parse_topic

MAYBE_PER_YES = 3.0
"""A list with its maybes is on average at most this many times as long as the truth."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One question's candidates: features (n, len(FEATURES)), labels (n,), and how many papers are right."""

    question: str
    rows: np.ndarray
    labels: np.ndarray
    truth: int


def read(labels: Path, index: PaperIndex, *, small: int = 60) -> list[Labelled]:
    """The questions of a file in the schema of `which` labels, or of a question set's enumerate cases.

    A question of a large corpus comes four times: over all papers, over those that do not match (where
    nothing may be listed), and over `small` papers with and without some that match, so that the fit holds
    for lists of any length and for topics that nobody works on.
    """
    random = np.random.default_rng(0)
    everything = [paper.id for paper in index.papers]
    questions = []
    for line in labels.read_text("utf-8").splitlines():
        record = json.loads(line)
        if "yes" in record:
            right, open_ = set(record["yes"]), set(record["borderline"])
        elif record["kind"] == "enumerate":
            right, open_ = set(record["gold"]), set(record["ok_extra"])
        else:
            continue
        question = record["question"]
        questions.append(_labelled(question, everything, right, open_, index))
        if len(everything) > 10 * small:
            others = [paper_id for paper_id in everything if paper_id not in right | open_]
            few = list(random.choice(others, small, replace=False))
            some = sorted(right)[: int(random.integers(1, 6))]
            questions += [
                _labelled(question, allowed, right & set(allowed), open_, index)
                for allowed in (others, few, few[len(some) :] + some)
            ]
    return questions


def _labelled(
    text: str, allowed: Sequence[str], right: set[str], open_: set[str], index: PaperIndex
) -> Labelled:
    topic = parse_topic(parse(text).topic or text)
    wanted = set(allowed)
    found = evidence_of(topic, {paper.id: paper for paper in index.papers if paper.id in wanted}, index)
    kept = [(paper_id in right, row) for paper_id, (_, row) in found.items() if paper_id not in open_]
    return Labelled(
        text, np.array([row for _, row in kept]), np.array([label for label, _ in kept]), len(right)
    )


def fit(questions: Sequence[Labelled]) -> dict[str, Any]:
    """Weights, and the thresholds that do best on the same questions."""
    model = _fit(questions)
    scores = [model.scores(question.rows) for question in questions]
    yes = max(
        np.arange(-4, 4, 0.1),
        key=lambda t: np.mean([_f1(s >= t, q) for s, q in zip(scores, questions, strict=True)]),
    )
    return {
        **model.as_json(),
        "yes": round(float(yes), 2),
        "maybe": round(_maybe(scores, questions, float(yes)), 2),
    }


def leave_one_out(questions: Sequence[Labelled]) -> dict[str, float]:
    """Macro figures of each question decided by weights and thresholds fitted on the others."""
    rows = []
    for held in questions:
        fitted = fit([question for question in questions if question.question != held.question])
        weights = np.array([fitted["weights"][name] for name in FEATURES])
        scores = held.rows @ weights + fitted["bias"]
        chosen, wide = scores >= fitted["yes"], scores >= fitted["maybe"]
        rows.append(
            (_f1(chosen, held), _recall(chosen, held), _recall(wide, held), wide.sum() / max(1, held.truth))
        )
    f1, recall, recall_with_maybe, length = np.mean(rows, axis=0)
    return {
        "macro_f1": f1,
        "recall": recall,
        "recall_with_maybe": recall_with_maybe,
        "length_over_truth": length,
    }


def _fit(questions: Sequence[Labelled]) -> Logistic:
    """Every question weighs the same, and within one the right papers as much as the wrong ones."""
    weights = np.concatenate([_weights(question) for question in questions])
    rows = np.vstack([question.rows for question in questions])
    return fit_logistic(FEATURES, rows, np.concatenate([q.labels for q in questions]), weights=weights)


def _weights(question: Labelled) -> np.ndarray:
    right = max(1, question.labels.sum())
    wrong = max(1, (~question.labels).sum())
    weights: np.ndarray = np.where(question.labels, 30 / right, 30 * 3 / wrong)
    return weights


def _f1(chosen: np.ndarray, question: Labelled) -> float:
    """F1 over all right papers; an empty list for an empty truth is perfect."""
    if not question.truth:
        return float(not chosen.any())
    hit = (chosen & question.labels).sum()
    return float(2 * hit / (chosen.sum() + question.truth))


def _recall(chosen: np.ndarray, question: Labelled) -> float:
    return float((chosen & question.labels).sum() / question.truth) if question.truth else 1.0


def _maybe(scores: Sequence[np.ndarray], questions: Sequence[Labelled], yes: float) -> float:
    """The lowest threshold whose lists keep to `MAYBE_PER_YES` on average."""
    for threshold in np.arange(yes - 4, yes, 0.1):
        lengths = [(s >= threshold).sum() / max(1, q.truth) for s, q in zip(scores, questions, strict=True)]
        if np.mean(lengths) <= MAYBE_PER_YES:
            return float(threshold)
    return yes
