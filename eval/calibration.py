"""Is the stated confidence the probability of being right? The reliability diagram and a test."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.cases import KINDS
from eval.evaluator import Statistic
from eval.intervals import exact_interval
from eval.measures.calibration_error import BINS, ece, ece_within_kinds
from eval.run import Outcome, columns
from eval.spiegelhalter import p_value

DRAWS = 2000
Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bin:
    """`n` cases of neighbouring confidence: mean confidence, pass rate and the rate's exact 95 % interval."""

    confidence: float
    rate: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """Bins of equal mass, and the probability that a perfect forecaster looks at least as bad at this n."""

    bins: tuple[Bin, ...]
    p_value: float
    p_value_within_kinds: float

    @property
    def rejected(self) -> bool:
        """Whether calibration is rejected, on average or within kinds, at p < .05."""
        return min(self.p_value, self.p_value_within_kinds) < 0.05


def calibration(outcomes: Sequence[Outcome], seed: int) -> Calibration | None:
    """None where no answer states a confidence."""
    _, (confidence, passed, kind) = columns(outcomes, ("confidence", "strict_pass", "kind"))
    if not len(confidence):
        return None
    return Calibration(
        bins=_bins(confidence, passed),
        p_value=consistency_test(ece, (confidence, passed), seed),
        p_value_within_kinds=consistency_test(ece_within_kinds, (confidence, passed, kind), seed),
    )


@dataclass(frozen=True, slots=True)
class KindConfidence:
    """Of one kind's cases that state a confidence: how many pass, the Brier score, and that of their rate.

    `p_value` is of Spiegelhalter's test: small where the confidence is no probability of passing.
    """

    kind: str
    n: int
    passed: float
    brier: float
    base_rate: float
    p_value: float


def confidence_by_kind(outcomes: Sequence[Outcome]) -> list[KindConfidence]:
    """A row a kind of question, in the order of the kinds, and one of all together, last."""
    _, (confidence, passed, kind) = columns(outcomes, ("confidence", "strict_pass", "kind"))
    members = [(name, kind == number) for number, name in enumerate(KINDS)]
    return [
        KindConfidence(
            name,
            int(member.sum()),
            rate := float(passed[member].mean()),
            float(np.mean((confidence[member] - passed[member]) ** 2)),
            rate * (1 - rate),
            p_value(confidence[member], passed[member]),
        )
        for name, member in [*members, ("all", np.ones(len(kind), dtype=bool))]
        if member.any()
    ]


def consistency_test(statistic: Statistic, data: tuple[Column, ...], seed: int) -> float:
    """p-value of a calibration error by consistency resampling (Bröcker and Smith, 2007).

    Outcomes are drawn from the confidences themselves, `DRAWS` times: how often does a forecaster who is
    right about every probability get an error this large? `data` is confidence, pass and what else
    `statistic` takes.
    """
    confidence, passed, *rest = data
    rng = np.random.default_rng(seed)
    drawn = (rng.random((DRAWS, len(confidence))) < confidence).astype(np.float64)
    repeated = [np.broadcast_to(column, drawn.shape) for column in (confidence, *rest)]
    errors = statistic(repeated[0], drawn, *repeated[1:])
    observed = statistic(confidence, passed, *rest)
    return float((1 + np.sum(errors >= observed - 1e-12)) / (1 + DRAWS))


def _bins(confidence: Column, passed: Column) -> tuple[Bin, ...]:
    order = np.argsort(confidence, kind="stable")
    bins = []
    for members in np.array_split(order, min(BINS, len(order))):
        hits, n = int(passed[members].sum()), len(members)
        bins.append(Bin(float(confidence[members].mean()), hits / n, *exact_interval(hits, n), n))
    return tuple(bins)
