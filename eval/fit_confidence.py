"""Fit whether the abstracts answer a question, and how likely what is then said is right, by kind.

Everything measured is held out: an example is judged by weights, thresholds and calibration that were
fitted without any question about its paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.fit_examples import Example
from eval.fitting import Logistic, fit_logistic
from eval.spiegelhalter import p_value
from rag.extractive.confidence import ANSWERED, FEATURES, KINDS, OFF_TOPIC, SURE, may_be_off_topic

FOLDS = 30
REFUSED = 0.05
"""Share of a kind's answerable questions that may be refused, those ruled out plainly among them."""
SUREST = {"lookup": 0.42, "explain": 0.42, "compare": 0.3, "followup": 0.42}
"""No threshold is higher: a refusal must be clearly the likelier. What is not there is seldom compared."""
LEAST = 0.2
"""No threshold is lower: four to one against is refused in every kind."""
OFF_TOPIC_AMONG_OTHERS = 0.01
"""Share of the questions about papers that may be taken for something else."""
ANSWERED_BESIDES, REFUSED_BESIDES = 1.0, 0.3
"""What answerable and other examples weigh that only teach: most of these are not answerable."""
_Bools = np.ndarray
_PENALTY = {"off_topic": 0.3, "answered": 0.3, "passes": 0.015, "refused": 0.3}
"""Inverse L2 penalties. The one of `passes` shrinks a kind's own rate towards that of all."""


def fit(
    measured_on: Sequence[Example], besides: Sequence[Example]
) -> tuple[dict[str, Any], dict[str, float]]:
    """Models and thresholds, and figures of `FOLDS`-fold cross-validation on `measured_on`."""
    table = Examples.of([*measured_on, *besides], len(measured_on))
    everything = np.ones(len(table.rows), dtype=bool)
    apart = table.apart()
    models = table.models(everything)
    rest = table.decided(apart, everything)
    return {**{name: model.as_json() for name, model in models.items()}, **rest}, table.held_out(apart)


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples as columns (n,) and rows (n, len(FEATURES)).

    `read` marks those that were read at all, `counts` those on which figures are measured.
    """

    rows: np.ndarray
    read: _Bools
    counts: _Bools
    fold: np.ndarray
    answerable: _Bools
    off_topic: _Bools
    passes: _Bools
    ruled_out: _Bools
    kind: np.ndarray
    case_kind: np.ndarray
    note: np.ndarray

    @classmethod
    def of(cls, examples: Sequence[Example], counting: int) -> "Examples":
        groups = sorted({example.group for example in examples})
        np.random.default_rng(0).shuffle(groups)
        fold = {group: number % FOLDS for number, group in enumerate(groups)}
        empty = np.zeros(len(FEATURES))
        columns = ("answerable", "off_topic", "passes", "ruled_out", "kind", "case_kind", "note")
        return cls(
            np.array([empty if example.row is None else example.row for example in examples]),
            np.array([example.row is not None for example in examples]),
            np.arange(len(examples)) < counting,
            np.array([fold[example.group] for example in examples]),
            *(np.array([getattr(example, name) for example in examples]) for name in columns),
        )

    def models(self, chosen: _Bools) -> dict[str, Logistic]:
        """Whether a question is off topic and whether it is answered, fitted on the chosen examples."""
        known = chosen & self.read
        rows = self.rows[known]
        off, answered = _columns(rows, OFF_TOPIC), _columns(rows, ANSWERED)
        return {
            "off_topic": fit_logistic(OFF_TOPIC, off, self.off_topic[known], strength=_PENALTY["off_topic"]),
            "answered": fit_logistic(
                ANSWERED, answered, self.answerable[known], strength=_PENALTY["answered"]
            ),
        }

    def apart(self) -> dict[str, np.ndarray]:
        """Log-odds (n,) of both models, each example's by models that saw no question about its paper."""
        out = {"off_topic": np.zeros(len(self.rows)), "answered": np.zeros(len(self.rows))}
        for number in range(FOLDS):
            held = self.fold == number
            models = self.models(~held)
            out["off_topic"][held] = models["off_topic"].scores(_columns(self.rows[held], OFF_TOPIC))
            out["answered"][held] = models["answered"].scores(_columns(self.rows[held], ANSWERED))
        return out

    def decided(self, apart: dict[str, np.ndarray], chosen: _Bools) -> dict[str, Any]:
        """Thresholds and calibrated models that the chosen examples support, given held-out log-odds."""
        about = chosen & self.read & ~self.off_topic
        off_from = max(
            0.5, float(np.quantile(_sigmoid(apart["off_topic"][about]), 1 - OFF_TOPIC_AMONG_OTHERS))
        )
        plain = self._plainly_refused(apart, off_from)
        answered = _sigmoid(apart["answered"])
        good = chosen & self.read & self.answerable
        threshold = {
            kind: min(SUREST[kind], max(LEAST, _threshold(answered, plain, good & (self.kind == kind))))
            for kind in KINDS
        }
        refused = plain | (answered < self._thresholds(threshold))
        unread = chosen & ~self.read
        right = int((~self.answerable[unread]).sum())
        return {
            "off_topic_from": off_from,
            "answer_from": threshold,
            "passes": self._passing(apart["answered"], chosen & self.read & ~refused).as_json(),
            "refused": self._refusing(apart["answered"], chosen & self.read & refused),
            "errand": (right + 1) / (int(unread.sum()) + 2),
        }

    def _plainly_refused(self, apart: dict[str, np.ndarray], off_from: float) -> _Bools:
        may = [may_be_off_topic(dict(zip(FEATURES, row.tolist(), strict=True))) for row in self.rows]
        off = np.array(may) & (_sigmoid(apart["off_topic"]) >= off_from)
        return np.asarray(self.ruled_out | off)

    def _thresholds(self, by_kind: dict[str, float]) -> np.ndarray:
        return np.array([by_kind.get(kind, 0.0) for kind in self.kind])

    def _weights(self) -> np.ndarray:
        besides = np.where(self.answerable, ANSWERED_BESIDES, REFUSED_BESIDES)
        return np.where(self.counts, 1.0, besides)

    def _sure(self, answered: np.ndarray) -> np.ndarray:
        kinds = [(self.kind == kind).astype(float) for kind in KINDS]
        return np.column_stack([*_columns(self.rows, SURE).T, answered, *kinds])

    def _passing(self, answered: np.ndarray, given: _Bools) -> Logistic:
        names = (*SURE, "answered", *KINDS)
        rows, weights = self._sure(answered)[given], self._weights()[given]
        return fit_logistic(names, rows, self.passes[given], weights=weights, strength=_PENALTY["passes"])

    def _refusing(self, answered: np.ndarray, refused: _Bools) -> dict[str, Any]:
        """That a refusal is right, by all examples; how often it is, by those that count."""
        rows = np.column_stack([answered, self.kind == "explain"])
        right = ~self.answerable
        names = ("answered", "explain")
        if right[refused].all() or not right[refused].any():  # nothing to tell apart
            likely = (int(right[refused].sum()) + 1) / (int(refused.sum()) + 2)
            return Logistic(names, np.zeros(2), float(np.log(likely / (1 - likely)))).as_json()
        model = fit_logistic(
            names,
            rows[refused],
            right[refused],
            weights=self._weights()[refused],
            strength=_PENALTY["refused"],
        )
        mine = refused & self.counts
        shift = _shift(model.scores(rows[mine]), right[mine])
        return Logistic(model.names, model.weights, model.bias + shift).as_json()

    def stated(self, apart: dict[str, np.ndarray], fitted: dict[str, Any]) -> tuple[_Bools, np.ndarray]:
        """What is refused, and the confidence that is stated with the answer or the refusal, (n,) each."""
        answered = apart["answered"]
        refused = ~self.read | self._plainly_refused(apart, fitted["off_topic_from"])
        refused |= _sigmoid(answered) < self._thresholds(fitted["answer_from"])
        given = _sigmoid(_scores(fitted["passes"], self._sure(answered)))
        away = _sigmoid(_scores(fitted["refused"], np.column_stack([answered, self.kind == "explain"])))
        return refused, np.where(self.read, np.where(refused, away, given), fitted["errand"])

    def held_out(self, apart: dict[str, np.ndarray]) -> dict[str, float]:
        """Refusals, Brier by kind and calibration, everything fitted without the fold."""
        refused, confidence = np.zeros(len(self.rows), dtype=bool), np.zeros(len(self.rows))
        for number in range(FOLDS):
            held = self.fold == number
            away, stated = self.stated(apart, self.decided(apart, ~held))
            refused[held], confidence[held] = away[held], stated[held]
        right = np.where(refused, ~self.answerable, self.passes)
        counts = self.counts
        found = {
            "refused_answerable": refused[counts & self.answerable].mean(),
            **{
                f"refused_{note}{where}": refused[mine & (self.note == note)].mean()
                for note in sorted(set(self.note) - {""})
                for where, mine in (("", counts), ("_besides", ~counts))
            },
            "auc_answerable": _auc(apart["answered"], self.answerable, counts & self.read),
            "calibration_p": p_value(confidence[counts], right[counts]),
        }
        for kind in sorted(set(self.case_kind[counts])):
            member = counts & (self.case_kind == kind)
            rate = right[member].mean()
            found[f"brier_{kind}"] = np.mean((confidence[member] - right[member]) ** 2)
            found[f"brier_{kind}_base_rate"] = rate * (1 - rate)
        return {**found, "examples": int(counts.sum()), "examples_besides": int((~counts).sum())}


def _columns(rows: np.ndarray, names: Sequence[str]) -> np.ndarray:
    return rows[:, [FEATURES.index(name) for name in names]]


def _scores(model: dict[str, Any], rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows @ np.array(list(model["weights"].values())) + model["bias"])


def _threshold(answered: np.ndarray, plain: _Bools, good: _Bools) -> float:
    """Half-way between the last answerable question that may be refused and the next."""
    allowed = max(0, int(REFUSED * good.sum()) - int((good & plain).sum()))
    left = np.sort(answered[good & ~plain])
    if not len(left):
        return 0.0
    between = 0.9 * left[0] if not allowed else (left[allowed - 1] + left[min(allowed, len(left) - 1)]) / 2
    return float(between)


def _sigmoid(odds: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


def _shift(scores: np.ndarray, right: _Bools) -> float:
    """What makes the mean probability of `scores` the rate of `right`, by Newton's method; at most 3."""
    shift = 0.0
    for _ in range(50 if len(scores) else 0):
        likely = _sigmoid(scores + shift)
        shift += float((right - likely).sum() / max(1e-6, (likely * (1 - likely)).sum()))
        shift = max(-3.0, min(3.0, shift))
    return shift


def _auc(scores: np.ndarray, labels: _Bools, chosen: _Bools) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(labels[chosen], scores[chosen]))
