"""How often an engine refuses when it should not."""

from eval.cases import Case
from eval.observation import Observation


def false_refusal_rate(case: Case, seen: Observation) -> float | None:
    """1 when a question that the papers answer is refused. "None of them does" is an answer, no refusal."""
    return float(seen.answer.abstained) if case.answerable else None
