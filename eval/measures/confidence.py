"""The probability that an engine gives its own answer: calibration and selective answering rest on it."""

from eval.cases import Case
from eval.observation import Observation


def confidence(case: Case, seen: Observation) -> float | None:
    """As stated; None where the engine states none."""
    return seen.answer.confidence


def answered_confidence(case: Case, seen: Observation) -> float | None:
    """As stated, for answers given: an abstention takes no risk."""
    return None if seen.answer.abstained else seen.answer.confidence
