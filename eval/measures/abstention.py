"""How often an engine refuses when it should, and when it should not."""

from eval.cases import Case
from eval.observation import Observation


def refusal_rate_unanswerable(case: Case, seen: Observation) -> float | None:
    """1 when a question that the papers do not answer is refused (Rajpurkar et al., SQuAD 2.0, ACL 2018)."""
    return None if case.answerable else float(seen.answer.abstained)


def false_refusal_rate(case: Case, seen: Observation) -> float | None:
    """1 when a question that the papers answer is refused. "None of them does" is an answer, no refusal."""
    return float(seen.answer.abstained) if case.answerable else None
