"""How sure a figure is: 95 % intervals by resampling cases."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from eval.evaluator import Figure, rate

RESAMPLES = 2000
Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value over `n` cases with the ends of its 95 % interval; None where `n` is too small to say."""

    value: float | None
    low: float | None
    high: float | None
    n: int


def estimate(figure: Figure, columns: Sequence[Column], seed: int) -> Estimate:
    """`figure` of the columns, each of shape (n,), with its percentile bootstrap interval (Efron 1979).

    Where all cases of a rate agree, resampling would call it certain whatever n is; the exact binomial
    interval (Clopper and Pearson 1934) takes its place. The bias that resampling
    shows in a `biased` figure is taken out of its interval (Efron and Tibshirani 1993, ch. 10).
    """
    n = len(columns[0])
    if n == 0:
        return Estimate(None, None, None, 0)
    value = float(figure.statistic(*columns, axis=-1))
    if figure.statistic is rate and value in (0.0, 1.0) and bool(np.all(columns[0] == value)):
        return Estimate(value, *exact_interval(int(value) * n, n), n)
    return Estimate(value, *_bootstrap(figure, columns, value, seed), n)


def paired_difference(figure: Figure, new: Sequence[Column], old: Sequence[Column], seed: int) -> Estimate:
    """`figure` of `new` minus that of `old`, resampling cases of both alike. All columns have shape (n,)."""
    width = len(new)

    def difference(*columns: Column, axis: int = -1) -> Column:
        return figure.statistic(*columns[:width], axis=axis) - figure.statistic(*columns[width:], axis=axis)

    return estimate(Figure(figure.name, (), difference, figure.better), (*new, *old), seed)


def exact_interval(successes: int, n: int) -> tuple[float, float]:
    """Clopper-Pearson 95 % interval of a rate."""
    from scipy.stats import binomtest  # type: ignore[import-untyped]  # on use: a second to import

    interval = binomtest(successes, n).proportion_ci(0.95, method="exact")
    return float(interval.low), float(interval.high)


def _bootstrap(
    figure: Figure, columns: Sequence[Column], value: float, seed: int
) -> tuple[float | None, float | None]:
    from scipy.stats import bootstrap

    if len(columns[0]) < 2:
        return None, None
    # A stream of its own for each figure: adding one leaves the others' intervals as they were.
    rng = np.random.default_rng([seed, crc32(figure.name.encode())])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "all values are the same": the interval of no width says it
        result = bootstrap(
            tuple(columns),
            figure.statistic,
            paired=True,
            vectorized=True,
            n_resamples=RESAMPLES,
            method="percentile",
            rng=rng,
        )
    low, high = float(result.confidence_interval.low), float(result.confidence_interval.high)
    if figure.biased:
        bias = float(result.bootstrap_distribution.mean()) - value
        low, high = max(0.0, low - bias), min(1.0, high - bias)
    return low, high
