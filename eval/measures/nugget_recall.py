"""Share of the required facts that an answer states."""

import regex

from eval.cases import Case
from eval.marks import without_marks
from eval.observation import Observation

_LONGEST = 1.0  # seconds a pattern may take: anyone's file may hold one that never ends


def nugget_recall(case: Case, seen: Observation) -> float | None:
    """Nugget recall (Voorhees, TREC 2003 QA track): found nuggets by all nuggets of the case.

    A nugget is found when one of its alternatives matches the text, citation marks taken out.
    """
    if not case.nuggets:
        return None
    missing = missing_nuggets(case, seen.answer.text)
    return (len(case.nuggets) - len(missing)) / len(case.nuggets)


def missing_nuggets(case: Case, text: str) -> list[tuple[str, ...]]:
    """The nuggets of `case` that `text` does not state.

    Raises:
        TimeoutError: a pattern takes too long.
    """
    plain = without_marks(text)
    return [nugget for nugget in case.nuggets if not any(_states(plain, way) for way in nugget)]


def _states(text: str, way: str) -> bool:
    # Other threads, the page among them, go on meanwhile.
    found = regex.search(way, text, regex.IGNORECASE, timeout=_LONGEST, concurrent=True)
    return found is not None
