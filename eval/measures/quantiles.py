"""Percentiles of a column."""

import numpy as np
from numpy.typing import NDArray

from eval.evaluator import Statistic


def percentile(percent: float) -> Statistic:
    """The percentile, linear between neighbours (type 7 of Hyndman and Fan, 1996)."""

    def statistic(*columns: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
        return np.asarray(np.percentile(columns[0], percent, axis=axis))

    return statistic
