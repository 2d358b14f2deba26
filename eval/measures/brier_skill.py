"""Whether the confidence knows more than the kind of question tells."""

import numpy as np
from numpy.typing import NDArray


def brier_skill(*columns: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """1 - Brier / Brier of a forecaster that knows only the pass rate of each question kind (Murphy 1973).

    Columns: confidence, pass, kind; each (..., n). Above 0 the confidence knows more than the kind tells.
    Where every kind passes or fails as one the reference is perfect: the skill is 0 for a perfect confidence,
    else -1.
    """
    confidence, passed, kind = columns
    reference = np.zeros(passed.shape)
    for one in np.unique(kind):
        member = kind == one
        size = member.sum(axis=axis, keepdims=True)
        rate = (passed * member).sum(axis=axis, keepdims=True) / np.maximum(size, 1)
        reference = np.where(member, rate, reference)
    score = ((confidence - passed) ** 2).mean(axis=axis)
    base = ((reference - passed) ** 2).mean(axis=axis)
    skill = 1 - score / np.where(base > 0, base, 1)
    return np.where(base > 0, skill, np.where(score > 0, -1.0, 0.0))
