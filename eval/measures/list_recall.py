"""Share of the right papers that are listed."""

from collections.abc import Collection

from eval.cases import Case
from eval.observation import Observation


def list_recall(case: Case, seen: Observation) -> float | None:
    """Gold papers that are decided yes, by gold papers. None for an empty gold set: nothing to be found."""
    return recall(case, seen.listed)


def list_recall_with_maybe(case: Case, seen: Observation) -> float | None:
    """As `list_recall`, over the papers decided yes or maybe."""
    return recall(case, seen.listed_or_maybe)


def recall(case: Case, papers: Collection[str]) -> float | None:
    if not case.asks_for_list or not case.gold:
        return None
    return len(set(papers) & set(case.gold)) / len(set(case.gold))
