"""Fit which papers are on a topic, from labelled "which papers" questions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from eval.fitting import Logistic, fit_logistic
from rag.extractive.screening import FEATURES, evidence_of, touches
from rag.index.paper_index import PaperIndex
from rag.question.parsing import parse
from rag.question.topic import parse_topic

FOLDS = 8
MAYBE_PER_YES = 3.0
"""A list with its maybes is on average at most this many times as long as the truth."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One question's candidates: features (n, len(FEATURES)), labels (n,), and how many papers are right.

    `weight` is how much its F1 counts when the threshold for a yes is chosen; `whole` says that the question
    was asked over a whole corpus.
    """

    question: str
    rows: np.ndarray
    labels: np.ndarray
    truth: int
    weight: float = 2.0
    whole: bool = True


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
        # A large corpus without one right paper is the rarest of them, and one wrong paper there costs all.
        if len(everything) > 10 * small:
            others = [paper_id for paper_id in everything if paper_id not in right | open_]
            few = list(random.choice(others, small, replace=False))
            some = sorted(right)[: int(random.integers(1, 6))]
            questions[-1] = replace(questions[-1], weight=3.0)
            for allowed, weight in ((others, 0.3), (few, 1.5), (few[len(some) :] + some, 2.0)):
                part = _labelled(question, allowed, right & set(allowed), open_, index)
                questions.append(replace(part, weight=weight, whole=False))
    return [question for question in questions if len(question.rows)]


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
    scored = [(model.scores(question.rows), question) for question in questions]
    yes = max(
        np.arange(-3, 4, 0.1), key=lambda t: sum(q.weight * _f1(scores >= t, q) for scores, q in scored)
    )
    whole = [(scores, question) for scores, question in scored if question.whole]
    return {**model.as_json(), "yes": round(float(yes), 2), "maybe": round(_maybe(whole, float(yes)), 2)}


def held_out(questions: Sequence[Labelled]) -> dict[str, float]:
    """Macro figures of questions decided by weights and thresholds fitted without them (`FOLDS` folds).

    Told apart: whole corpora, and the parts of a corpus where no paper is right.
    """
    texts = sorted({question.question for question in questions})
    np.random.default_rng(0).shuffle(texts)
    whole, empty = [], []
    for fold in range(FOLDS):
        held = set(texts[fold::FOLDS])
        fitted = fit([question for question in questions if question.question not in held])
        weights = np.array([fitted["weights"][name] for name in FEATURES])
        for q in questions:
            if q.question not in held:
                continue
            scores = q.rows @ weights + fitted["bias"]
            chosen = scores >= fitted["yes"]
            wide = chosen | ((scores >= fitted["maybe"]) & touches(q.rows))
            if q.whole:
                row = (_f1(chosen, q), _recall(chosen, q), _recall(wide, q), wide.sum() / max(1, q.truth))
                whole.append(row)
            elif not q.truth:
                empty.append(chosen.sum())
    f1, recall, recall_with_maybe, length = np.mean(whole, axis=0)
    return {
        "macro_f1": f1,
        "recall": recall,
        "recall_with_maybe": recall_with_maybe,
        "length_over_truth": length,
        "listed_where_none_is_right": float(np.mean(empty)) if empty else 0.0,
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


def _maybe(scored: Sequence[tuple[np.ndarray, Labelled]], yes: float) -> float:
    """The lowest threshold whose lists keep to `MAYBE_PER_YES` on average."""
    for threshold in np.arange(yes - 4, yes, 0.1):
        lengths = [
            ((scores >= yes) | ((scores >= threshold) & touches(q.rows))).sum() / max(1, q.truth)
            for scores, q in scored
        ]
        if np.mean(lengths) <= MAYBE_PER_YES:
            return float(threshold)
    return yes
