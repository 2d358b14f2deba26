"""Precision and recall of a list in one number."""

from eval.cases import Case
from eval.measures.list_precision import list_precision
from eval.measures.list_recall import list_recall
from eval.observation import Observation


def list_f1(case: Case, seen: Observation) -> float | None:
    """Harmonic mean of precision and recall (van Rijsbergen 1979); the precision for an empty gold set."""
    precision, recall = list_precision(case, seen), list_recall(case, seen)
    if precision is None or recall is None:
        return precision
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
