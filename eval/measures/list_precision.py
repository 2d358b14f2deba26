"""Share of the listed papers that are right."""

from eval.cases import Case
from eval.observation import Observation


def list_precision(case: Case, seen: Observation) -> float | None:
    """Gold papers among those decided yes (van Rijsbergen 1979), tolerated ones left out.

    Listing none is right, 1, for an empty gold set and wrong, 0, for any other.
    """
    if not case.asks_for_list:
        return None
    listed = set(seen.listed) - (set(case.ok_extra) - set(case.gold))
    if not listed:
        return float(not case.gold)
    return len(listed & set(case.gold)) / len(listed)
