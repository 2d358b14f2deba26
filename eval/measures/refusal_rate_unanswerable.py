"""How often an engine refuses when it should."""

from eval.cases import Case
from eval.observation import Observation


def refusal_rate_unanswerable(case: Case, seen: Observation) -> float | None:
    """1 when a question that the papers do not answer is refused (Rajpurkar et al., SQuAD 2.0, ACL 2018)."""
    return None if case.answerable else float(seen.answer.abstained)
