"""Share of the right papers that are cited."""

from eval.cases import Case
from eval.observation import Observation


def citation_recall(case: Case, seen: Observation) -> float | None:
    """Citation recall against the gold papers: cited gold papers by gold papers."""
    if not case.gold:
        return None
    return len(set(seen.cited) & set(case.gold)) / len(set(case.gold))
