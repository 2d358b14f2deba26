"""Is a stated probability calibrated? Spiegelhalter's test on the Brier score, which needs no bins."""

import math

import numpy as np
from numpy.typing import NDArray


def z_score(confidence: NDArray[np.float64], passed: NDArray[np.float64]) -> float:
    """Spiegelhalter's z (1986): how many standard errors the Brier score is off what the confidence promises.

    Columns (n,). 0 where every confidence is 0, 1/2 or 1, of which the test cannot speak.
    """
    weight = 1 - 2 * confidence
    spread = float(np.sum(weight**2 * confidence * (1 - confidence)))
    return float(np.sum((passed - confidence) * weight)) / math.sqrt(spread) if spread > 0 else 0.0


def p_value(confidence: NDArray[np.float64], passed: NDArray[np.float64]) -> float:
    """Probability of a z this far from 0, either way, if every confidence is the probability of passing."""
    return math.erfc(abs(z_score(confidence, np.asarray(passed, dtype=np.float64))) / math.sqrt(2))
