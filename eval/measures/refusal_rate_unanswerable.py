"""How often an engine refuses when it should."""

from collections.abc import Callable

from eval.cases import Case
from eval.observation import Observation


def refusal_rate_unanswerable(case: Case, seen: Observation) -> float | None:
    """1 when a question that the papers do not answer is refused (Rajpurkar et al., SQuAD 2.0, ACL 2018)."""
    return None if case.answerable else float(seen.answer.abstained)


REASONS = ("missing-detail", "false-premise", "not-covered", "off-topic")
"""Why the papers do not answer a case: how its note begins."""


def refusal_rate_of(reason: str) -> Callable[[Case, Observation], float | None]:
    """The same for the cases that are not answerable for one of `REASONS`."""

    def score(case: Case, seen: Observation) -> float | None:
        return refusal_rate_unanswerable(case, seen) if case.note.startswith(reason) else None

    return score
