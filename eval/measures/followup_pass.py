"""Whether the last turn of a conversation is answered."""

from eval.cases import Case
from eval.measures.strict_pass import strict_pass
from eval.observation import Observation


def followup_pass(case: Case, seen: Observation) -> float | None:
    """Strict pass of the last turn of a conversation."""
    return strict_pass(case, seen) if len(case.turns) > 1 else None
