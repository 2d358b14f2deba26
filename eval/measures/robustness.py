"""Whether a verdict survives a harmless change."""

from eval.cases import Case
from eval.evaluator import Score
from eval.measures.strict_pass import strict_pass
from eval.observation import Observation


def verdict_kept(change: str) -> Score:
    """1 when `change` leaves the verdict as it is (invariance test of Ribeiro et al., ACL 2020)."""

    def score(case: Case, seen: Observation) -> float | None:
        variant = seen.variants.get(change)
        return None if variant is None else float(strict_pass(case, variant) == strict_pass(case, seen))

    return score


def robustness(case: Case, seen: Observation) -> float | None:
    """Share of a case's changes that keep its verdict."""
    kept = [strict_pass(case, variant) == strict_pass(case, seen) for variant in seen.variants.values()]
    return sum(kept) / len(kept) if kept else None
