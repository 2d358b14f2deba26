"""What the figures of a report are made of: scores of single cases, and statistics of a whole run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from eval.cases import Case
from eval.observation import Observation

Better = Literal["higher", "lower", "neither"]
Score = Callable[[Case, Observation], float | None]
"""A pure function: the score of one case, or None where the measure does not apply to it."""


class Statistic(Protocol):
    """Maps columns of shape (..., n), one value a case, to one value a row, shape (...)."""

    def __call__(self, *columns: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]: ...


def mean(*columns: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """Arithmetic mean of the only column."""
    return np.asarray(columns[0].mean(axis=axis))


def rate(*columns: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """The mean of scores between 0 and 1, whose interval is known even where all cases agree."""
    return mean(*columns, axis=axis)


@dataclass(frozen=True, slots=True)
class Evaluator:
    """A measure whose figure for a run is the mean over the cases it applies to."""

    name: str
    score: Score
    better: Better = "higher"
    statistic: Statistic = rate


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a report: `statistic` over the columns `inputs`, each the name of a score.

    The column `kind` is the index of the case's kind in `cases.KINDS`. `biased` marks a figure in [0, 1] that
    resampling makes larger, as it does with a mean of absolute values.
    """

    name: str
    inputs: tuple[str, ...]
    statistic: Statistic
    better: Better = "higher"
    biased: bool = False
