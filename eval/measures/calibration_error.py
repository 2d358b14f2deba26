"""Expected calibration error with bins of equal mass, overall and within question kinds."""

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]
BINS = 10


def ece(*columns: Column, axis: int = -1) -> Column:
    """Mean gap between confidence and pass rate over bins of equal mass (Nguyen and O'Connor, EMNLP 2015).

    Columns: confidence, pass; each (..., n). Cases of equal confidence share their pass rate, so that their
    order does not matter. Fewer than `BINS` cases a bin each.
    """
    confidence, passed = columns
    return _error(confidence, passed, np.zeros(confidence.shape))


def ece_within_kinds(*columns: Column, axis: int = -1) -> Column:
    """As `ece`, binned within each question kind and weighted by its size.

    Calibration on average can hide kinds that are off both ways (QA-calibration, Manggala et al., ICLR 2025).
    Columns: confidence, pass, kind; each (..., n).
    """
    return _error(*columns)


def _error(confidence: Column, passed: Column, group: Column) -> Column:
    """Rows of shape (..., n) at once: all bins of all groups of all rows are sums over flat labels."""
    shape, n = confidence.shape[:-1], confidence.shape[-1]
    row = np.repeat(np.arange(confidence.size // n), n)
    order = np.lexsort((confidence.ravel(), group.ravel(), row))
    conf, hit, label = confidence.ravel()[order], passed.ravel()[order], group.ravel()[order]
    rows = row[order]
    cell = _runs(rows, label)
    hit = _mean_of_runs(hit, _runs(rows, label, conf))
    size = np.bincount(cell)
    place = np.arange(cell.size) - np.repeat(np.cumsum(size) - size, size)
    bins = cell * BINS + place * np.minimum(BINS, size[cell]) // size[cell]
    gaps = np.abs(np.bincount(bins, weights=conf - hit))
    row_of_bin = np.repeat(rows[np.cumsum(size) - 1], BINS)[: gaps.size]
    return np.asarray(np.bincount(row_of_bin, weights=gaps, minlength=confidence.size // n) / n).reshape(
        shape
    )


def _runs(*keys: NDArray[np.generic]) -> NDArray[np.intp]:
    """Labels 0, 1, ... of the runs in which no key changes."""
    changes = np.zeros(keys[0].size, dtype=bool)
    for key in keys:
        changes[1:] |= key[1:] != key[:-1]
    return np.cumsum(changes)


def _mean_of_runs(values: Column, runs: NDArray[np.intp]) -> Column:
    means: Column = np.bincount(runs, weights=values) / np.bincount(runs)
    return means[runs]
