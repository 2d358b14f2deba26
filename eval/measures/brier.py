"""Brier score: squared distance between the stated probability and what happened."""

from eval.cases import Case
from eval.measures.strict_pass import strict_pass
from eval.observation import Observation


def brier(case: Case, seen: Observation) -> float | None:
    """(confidence - pass)^2 (Brier 1950). None where the engine states no confidence."""
    if seen.answer.confidence is None:
        return None
    return (seen.answer.confidence - (strict_pass(case, seen) or 0.0)) ** 2
