"""Whether the stated size of a list is right."""

from eval.cases import Case
from eval.observation import Observation


def count_exact(case: Case, seen: Observation) -> float | None:
    """1 when the answer's count is the number of gold papers, or that plus the tolerated ones it lists."""
    if case.kind != "enumerate":
        return None
    tolerated = len(set(seen.listed) & set(case.ok_extra))
    return float(seen.answer.count in (len(case.gold), len(case.gold) + tolerated))
