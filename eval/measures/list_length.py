"""How many papers are listed."""

from eval.cases import Case
from eval.observation import Observation


def list_length(case: Case, seen: Observation) -> float | None:
    """Papers decided yes. Neither good nor bad: it tells where precision and recall come from."""
    return float(len(seen.listed)) if case.asks_for_list else None
