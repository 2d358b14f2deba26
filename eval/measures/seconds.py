"""How long an answer takes."""

from eval.cases import Case
from eval.observation import Observation


def seconds(case: Case, seen: Observation) -> float | None:
    """Wall time of the scored turn until the whole answer was there."""
    return seen.seconds


def first_text_seconds(case: Case, seen: Observation) -> float | None:
    """Wall time of the scored turn to the first piece of a streamed text."""
    return seen.first_text_seconds
