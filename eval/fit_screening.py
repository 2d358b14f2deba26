"""Fit which papers are on a topic, and how complete a list is, from labelled "which papers" questions."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eval.fitting import fit_logistic
from rag.extractive.pool import FEATURES, FIRST_LOOK, Pool, gather
from rag.extractive.screening import listed, looked, probability, shows, thresholds
from rag.index.paper_index import PaperIndex
from rag.question.parsing import Question, parse
from rag.question.spelling import american
from rag.question.topic import Topic, parse_topic
from rag.records import Paper

FOLDS = 9
STRENGTH = 0.1
"""Inverse of the penalty on the weights: there are few topics."""
MAYBE_PER_YES = 2.8
"""A list with its maybes is on average at most this many times as long as the truth."""
LEVELS = (0.8, 0.85, 0.9, 0.95)
"""Levels of completeness for which a threshold is looked for."""
SMALL = 60
"""Papers of the small lists that are drawn from a large one."""
FEW, MANY = 600, 10**9
"""The longest list with the thresholds of short ones, and of long ones."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One question's candidates: labels (n,), which of them count (n,), how many papers are right in all.

    Papers that are neither right nor wrong do not count. `weight` is how much its F1 counts when thresholds
    are chosen; `size` is the number of papers that the question was asked over; `whole` says that they are
    a whole list, not one drawn from it.
    """

    question: str
    pool: Pool
    labels: np.ndarray
    counts: np.ndarray
    truth: int
    size: int
    weight: float = 2.0
    whole: bool = True


def read(labels: Path, index: PaperIndex) -> list[Labelled]:
    """The questions of a file in the schema of `which` labels, or of a question set's enumerate cases.

    A question of a large corpus comes four times: over all papers, over those that do not match (where
    nothing may be listed), and over `SMALL` papers with and without some that match, so that the fit holds
    for lists of any length and for topics that nobody works on.
    """
    return list(_read(labels, index))


def read_known(labels: Path, index: PaperIndex) -> list[Labelled]:
    """The questions of `labels` if the index holds their papers, else none."""
    first = json.loads(labels.read_text("utf-8").splitlines()[0])
    known = {paper.id for paper in index.papers}
    return read(labels, index) if known.issuperset(first["judged"]) else []


def asked_of(text: str, index: PaperIndex) -> tuple[Question, Topic]:
    """A list question as an engine over `index` reads it, and its topic."""
    question = parse(american(text, index.idf))
    return question, parse_topic(question.topic or question.asked)


def _read(labels: Path, index: PaperIndex) -> Iterator[Labelled]:
    random = np.random.default_rng(0)
    everything = [paper.id for paper in index.papers]
    for line in labels.read_text("utf-8").splitlines():
        record = json.loads(line)
        if "yes" in record:
            right, open_ = set(record["yes"]), set(record["borderline"])
        elif record["kind"] == "enumerate":
            right, open_ = set(record["gold"]), set(record["ok_extra"])
        else:
            continue
        asked = [(everything, 0.7, True)]
        if len(everything) > FEW:
            others = [paper_id for paper_id in everything if paper_id not in right | open_]
            few = list(random.choice(others, SMALL, replace=False))
            some = sorted(right)[: int(random.integers(1, 6))]
            asked = [(everything, 3.0, True), (others, 0.3, False), (few, 0.3, False)]
            asked.append((few[len(some) :] + some, 1.0, False))
        for allowed, weight, whole in asked:
            part = _labelled(record["question"], set(allowed), right, open_, index, weight, whole)
            if part:
                yield part


def _labelled(
    text: str,
    allowed: set[str],
    right: set[str],
    open_: set[str],
    index: PaperIndex,
    weight: float,
    whole: bool,
) -> Labelled | None:
    papers: dict[str, Paper] = {paper.id: paper for paper in index.papers if paper.id in allowed}
    _, topic = asked_of(text, index)
    pool = gather(topic, papers, index)
    if pool is None:
        return None
    ids = [paper.id for paper in pool.papers]
    return Labelled(
        text,
        pool,
        np.array([paper_id in right for paper_id in ids]),
        np.array([paper_id not in open_ - right for paper_id in ids]),
        len(right & allowed),
        len(papers),
        weight,
        whole,
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """A question's log-odds (n,) and rows (n, len(FEATURES)) at the last look."""

    question: Labelled
    scores: np.ndarray
    rows: np.ndarray

    def listed(self, fitted: dict[str, Any], maybe: float | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Which papers are decided yes, and which yes or maybe, each (n,)."""
        return listed(self.scores, self.rows, thresholds(fitted, self.question.size), maybe)


def fit(questions: Sequence[Labelled], model: str) -> dict[str, Any]:
    """Weights of all looks and the thresholds that do best on the same questions.

    `model` names the embedding that the figures hold for.
    """
    taught = [question for question in questions if question.truth]
    looks = [_fit(FIRST_LOOK, taught, [question.pool.first for question in taught])]
    looks.append(_fit(FEATURES, taught, _rows(looks, taught)))
    looks.append(_fit_last(taught, _rows(looks, taught)))
    fitted: dict[str, Any] = {"looks": looks}
    scored = [score(fitted, question) for question in questions]
    parts = (
        [one for one in scored if one.question.size <= FEW],
        [one for one in scored if one.question.size > FEW],
    )
    fitted["thresholds"] = [
        {"to": most, **_thresholds(part or scored)} for most, part in zip((FEW, MANY), parts, strict=True)
    ]
    fitted["levels"] = _calibrated(scored, fitted)
    return {"model": model, **fitted}


def _calibrated(scored: Sequence[Scored], fitted: dict[str, Any]) -> list[dict[str, Any]]:
    """Levels for lists about as long as those that the topics were asked over."""
    with_truth = [one for one in scored if one.question.truth]
    parts = (
        (1_000, 10_000, [one for one in with_truth if one.question.size > FEW]),
        (20, 200, [one for one in with_truth if one.question.size == SMALL]),
    )
    return [{"from": low, "to": high, "scores": levels(part, fitted)} for low, high, part in parts if part]


def score(fitted: dict[str, Any], question: Labelled) -> Scored:
    """The last look at a question's papers."""
    return Scored(question, *looked(question.pool, fitted["looks"]))


def held_out(labelled: Sequence[Labelled], others: Sequence[Labelled], model: str) -> dict[str, float]:
    """Macro figures of questions decided by weights and thresholds fitted without them (`FOLDS` folds).

    Told apart: large lists, of `labelled` and of `others`, parts of them with and without right papers, and
    small lists of their own.
    """
    questions = [*labelled, *others]
    texts = sorted({question.question for question in questions})
    np.random.default_rng(0).shuffle(texts)
    whole: list[tuple[float, ...]] = []
    other: list[float] = []
    none: list[float] = []
    none_of_few: list[float] = []
    few: list[float] = []
    default: list[float] = []
    for fold in range(FOLDS):
        held = set(texts[fold::FOLDS])
        looks = fit([question for question in questions if question.question not in held], model)
        for number, question in enumerate(questions):
            if question.question not in held:
                continue
            scored = score(looks, question)
            yes, wide = scored.listed(looks)
            if question.whole and question.size < FEW:
                default.append(_f1(yes, question))
            elif question.whole and number >= len(labelled):
                other.append(_f1(yes, question))
            elif question.whole:
                length = (wide & question.counts).sum() / question.truth
                whole.append((_f1(yes, question), _recall(yes, question), _recall(wide, question), length))
            elif question.truth:
                few.append(_f1(yes, question))
            else:
                (none if question.size > FEW else none_of_few).append(yes.sum())
    f1, recall, recall_with_maybe, length = np.mean(whole, axis=0)
    figures = {
        "macro_f1": f1,
        "recall": recall,
        "recall_with_maybe": recall_with_maybe,
        "length_over_truth": length,
    }
    if other:
        figures["macro_f1_of_other_topics"] = np.mean(other)
    if none:
        figures["listed_where_none_is_right"] = np.mean(none)
        figures["listed_where_none_of_few_is_right"] = np.mean(none_of_few)
        figures["macro_f1_of_few"] = np.mean(few)
    if default:
        figures["macro_f1_of_a_small_list"] = np.mean(default)
    return figures


def levels(scored: Sequence[Scored], fitted: dict[str, Any]) -> dict[str, float]:
    """For each level of completeness that the topics support, the score of the least maybe.

    Conformal risk control (Angelopoulos et al. 2024, "Conformal Risk Control", eq. 4): the loss of a topic is
    the share of its papers that the list lacks, at most 1; the threshold is the greatest for which
    n/(n+1) times the mean loss plus 1/(n+1) is at most 1 - level. A topic drawn like these then keeps the
    level on average. A level that no threshold reaches, or whose lists would be too long, is left out.
    """
    found = {}
    for level in LEVELS:
        surest = max(thresholds(fitted, one.question.size)["yes"] for one in scored)
        for threshold in np.arange(surest, surest - 8, -0.05):
            wide = [one.listed(fitted, float(threshold))[1] for one in scored]
            losses = [1 - _recall(chosen, one.question) for chosen, one in zip(wide, scored, strict=True)]
            if (sum(losses) + 1) / (len(losses) + 1) <= 1 - level:
                found[f"{level:g}"] = round(float(threshold), 2)
                break
    return found


def _rows(looks: Sequence[dict[str, Any]], questions: Sequence[Labelled]) -> list[np.ndarray]:
    """What the next look sees of each question's papers."""
    return [question.pool.rows(probability(looked(question.pool, looks)[0])) for question in questions]


def _fit(
    names: Sequence[str],
    questions: Sequence[Labelled],
    rows: Sequence[np.ndarray],
    counts: Sequence[np.ndarray] | None = None,
) -> dict[str, Any]:
    """A right paper weighs less the more of them its topic has; `counts` are the papers that teach."""
    kept = counts or [question.counts for question in questions]
    return fit_logistic(
        names,
        np.vstack([part[keep] for part, keep in zip(rows, kept, strict=True)]),
        np.concatenate([question.labels[keep] for question, keep in zip(questions, kept, strict=True)]),
        weights=np.concatenate(
            [_weights(question)[keep] for question, keep in zip(questions, kept, strict=True)]
        ),
        strength=STRENGTH,
    ).as_json()


def _fit_last(questions: Sequence[Labelled], rows: Sequence[np.ndarray]) -> dict[str, Any]:
    """The look that decides learns from the papers that may be a yes."""
    return _fit(
        FEATURES,
        questions,
        rows,
        [question.counts & shows(part) for question, part in zip(questions, rows, strict=True)],
    )


def _weights(question: Labelled) -> np.ndarray:
    weights: np.ndarray = np.where(question.labels, max(1, question.labels.sum()) ** -0.5, 30**-0.5)
    return weights * (1.0 if question.whole else 0.3)


def _thresholds(scored: Sequence[Scored]) -> dict[str, float]:
    """The score of a yes, the score that some paper must have for there to be a yes, and that of a maybe."""
    there, yes = np.arange(-1, 2.01, 0.25), np.arange(-2, 3.01, 0.1)
    total = np.zeros((len(there), len(yes)))
    for one in scored:
        shown = shows(one.rows)
        some = np.array([_f1(shown & (one.scores >= score), one.question) for score in yes])
        none = _f1(np.zeros_like(shown), one.question)
        surest = one.scores[shown].max(initial=-np.inf)
        total += one.question.weight * np.where((surest >= there)[:, None], some, none)
    total[there[:, None] < yes] = -1.0
    best = np.unravel_index(total.argmax(), total.shape)
    cut = {"any": round(float(there[best[0]]), 2), "yes": round(float(yes[best[1]]), 2)}
    return {**cut, "maybe": _maybe(scored, cut)}


def _f1(chosen: np.ndarray, question: Labelled) -> float:
    """F1 over all right papers; an empty list for an empty truth is perfect."""
    chosen = chosen & question.counts
    if not question.truth:
        return float(not chosen.any())
    hit = (chosen & question.labels).sum()
    return float(2 * hit / (chosen.sum() + question.truth))


def _recall(chosen: np.ndarray, question: Labelled) -> float:
    return float((chosen & question.labels).sum() / question.truth) if question.truth else 1.0


def _maybe(scored: Sequence[Scored], cut: dict[str, float]) -> float:
    """The lowest threshold whose lists, whole ones if there are any, keep to `MAYBE_PER_YES` on average."""
    scored = [one for one in scored if one.question.whole] or list(scored)
    for threshold in np.arange(cut["yes"] - 5, cut["yes"], 0.1):
        wide = [listed(one.scores, one.rows, cut, float(threshold))[1] for one in scored]
        lengths = [
            (chosen & one.question.counts).sum() / max(1, one.question.truth)
            for chosen, one in zip(wide, scored, strict=True)
        ]
        if np.mean(lengths) <= MAYBE_PER_YES:
            return round(float(threshold), 2)
    return cut["yes"]
