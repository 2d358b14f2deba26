"""Selective answering: how the risk falls when only the surer answers are given."""

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]


def risk_coverage_curve(confidence: Column, passed: Column) -> tuple[Column, Column]:
    """Coverage and risk, each (..., n), when the k surest of n answers are given, k = 1 ... n.

    Risk is the share of wrong answers among the given (El-Yaniv and Wiener, JMLR 2010). Answers of equal
    confidence come in random order; the curve is the expectation over it.
    """
    order = np.argsort(-confidence, axis=-1, kind="stable")
    conf = np.take_along_axis(confidence, order, axis=-1)
    wrong = 1 - np.take_along_axis(passed, order, axis=-1)
    n = conf.shape[-1]
    starts = np.ones(conf.shape, dtype=bool)
    starts[..., 1:] = conf[..., 1:] != conf[..., :-1]
    run = np.cumsum(starts.ravel()) - 1
    mean = (np.bincount(run, weights=wrong.ravel()) / np.bincount(run))[run].reshape(conf.shape)
    given = np.arange(1, n + 1)
    return np.broadcast_to(given / n, conf.shape), np.cumsum(mean, axis=-1) / given


def aurc(*columns: Column, axis: int = -1) -> Column:
    """Area under the risk-coverage curve (Geifman et al., ICLR 2019). Columns: confidence, pass."""
    return np.asarray(risk_coverage_curve(columns[0], columns[1])[1].mean(axis=axis))
