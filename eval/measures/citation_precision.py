"""Share of the cited papers that are right."""

from eval.cases import Case
from eval.observation import Observation


def citation_precision(case: Case, seen: Observation) -> float | None:
    """Citation precision (after ALCE, Gao et al., EMNLP 2023), against the gold papers instead of a judge.

    Tolerated papers and those that the answer itself calls a maybe count neither way. None where the case
    has no gold papers or the answer cites nothing else.
    """
    reserved = set(seen.listed_or_maybe) - set(seen.listed)
    cited = set(seen.cited) - ((set(case.ok_extra) | reserved) - set(case.gold))
    if not case.gold or not cited:
        return None
    return len(cited & set(case.gold)) / len(cited)
