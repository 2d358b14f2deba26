"""Measures of the ranking that retrieval gives, computed by ir_measures (MacAvaney et al., ECIR 2022).

They apply to answerable single questions with gold papers: a follow-up cannot be searched for as it stands.
"""

from collections.abc import Callable

from eval.cases import Case
from eval.evaluator import Score
from eval.observation import Observation


def ranking_measure(notation: str) -> Score:
    """What ir_measures knows by `notation` ("R@5", "nDCG@10", "RR@10"), with a gain of 1 for gold papers."""

    def score(case: Case, seen: Observation) -> float | None:
        if not case.gold or not case.answerable or len(case.turns) > 1:
            return None
        return _calculate(notation)(dict.fromkeys(case.gold, 1), seen.ranking)

    return score


def _calculate(notation: str) -> Callable[[dict[str, int], tuple[str, ...]], float]:
    import ir_measures  # on use: it loads a compiled library

    measure = ir_measures.parse_measure(notation)

    def calculate(gains: dict[str, int], ranking: tuple[str, ...]) -> float:
        scores = {paper: float(-place) for place, paper in enumerate(ranking)}
        found = list(ir_measures.iter_calc([measure], {"q": gains}, {"q": scores}))
        return float(found[0].value) if found else 0.0

    return calculate
