"""Whether the last turn of a conversation is answered from itself."""

from eval.cases import Case
from eval.marks import without_marks
from eval.observation import Observation
from rag.sentences import split


def followup_fresh(case: Case, seen: Observation) -> float | None:
    """Share of the last answer's sentences that no earlier answer of the conversation holds.

    Falls when an earlier turn leaks into a later one.
    """
    if len(case.turns) < 2:
        return None
    before = {sentence for answer in seen.earlier for sentence in _sentences(answer.text)}
    now = _sentences(seen.answer.text)
    return sum(sentence not in before for sentence in now) / len(now) if now else None


def _sentences(text: str) -> list[str]:
    plain = without_marks(text)
    return [" ".join(span.of(plain).lower().split()) for span in split(plain)]
