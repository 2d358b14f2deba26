"""Precision, recall and F1 of an enumerated set, over the papers decided yes."""

from collections.abc import Collection

from eval.cases import Case
from eval.observation import Observation


def list_precision(case: Case, seen: Observation) -> float | None:
    """Gold papers among the listed, tolerated ones left out. Listing none is right for an empty gold set."""
    if not case.asks_for_list:
        return None
    listed = _counted(case, seen.listed)
    if not listed:
        return float(not case.gold)
    return len(listed & set(case.gold)) / len(listed)


def list_recall(case: Case, seen: Observation) -> float | None:
    """Listed papers among the gold ones. Does not apply to an empty gold set: there is nothing to find."""
    return _recall(case, seen.listed)


def list_recall_with_maybe(case: Case, seen: Observation) -> float | None:
    """As `list_recall`, over the papers decided yes or maybe."""
    return _recall(case, seen.listed_or_maybe)


def list_f1(case: Case, seen: Observation) -> float | None:
    """Harmonic mean of precision and recall (van Rijsbergen 1979); the precision for an empty gold set."""
    precision, recall = list_precision(case, seen), list_recall(case, seen)
    if precision is None or recall is None:
        return precision
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def list_length(case: Case, seen: Observation) -> float | None:
    """Papers decided yes."""
    return float(len(seen.listed)) if case.asks_for_list else None


def _counted(case: Case, papers: Collection[str]) -> set[str]:
    return set(papers) - (set(case.ok_extra) - set(case.gold))


def _recall(case: Case, papers: Collection[str]) -> float | None:
    if not case.asks_for_list or not case.gold:
        return None
    return len(set(papers) & set(case.gold)) / len(set(case.gold))
