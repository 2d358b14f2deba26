"""Whether the paper an answer cites first is the right one."""

from eval.cases import Case
from eval.observation import Observation


def paper_recall_at_1(case: Case, seen: Observation) -> float | None:
    """1 when the first paper the answer cites is the only gold paper. Recall at rank 1 of the citations.

    Applies where there is exactly one gold paper: with more, recall at 1 could not reach 1. An abstention and
    an answer without citations count 0.
    """
    if len(case.gold) != 1 or not case.answerable:
        return None
    return float(not seen.answer.abstained and seen.cited[:1] == case.gold)
