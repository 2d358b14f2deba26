"""The verdict on a case: right papers, all facts, not abstained; or, where nothing answers it, abstained."""

from eval.cases import Case
from eval.measures.count_exact import count_exact
from eval.measures.nugget_recall import missing_nuggets
from eval.observation import Observation


def strict_pass(case: Case, seen: Observation) -> float | None:
    """1 when nothing at all is wrong with the answer, see `failings`."""
    return float(not failings(case, seen))


def failings(case: Case, seen: Observation) -> tuple[str, ...]:
    """Everything that keeps the case from passing, in words.

    The right papers are all of `gold` and none beyond `gold` and `ok_extra`: among the listed for a list,
    among the cited otherwise. A metadata answer may list or cite. A case without gold papers that is
    answerable and no list (a count over the corpus) asks for its facts only.
    """
    if not case.answerable:
        return () if seen.answer.abstained else ("answered although the papers do not answer it",)
    if seen.answer.abstained:
        return ("abstained although the papers answer it",)
    reasons = [f"missing fact: {' | '.join(nugget)}" for nugget in missing_nuggets(case, seen.answer.text)]
    if case.asks_for_list or case.gold:
        named, verb = _named(case, seen)
        reasons += [f"paper not {verb}: {paper}" for paper in case.gold if paper not in named]
        allowed = {*case.gold, *case.ok_extra}
        reasons += [f"wrong paper {verb}: {paper}" for paper in named if paper not in allowed]
    if count_exact(case, seen) == 0:
        reasons.append(f"wrong count: {seen.answer.count}, not {len(case.gold)}")
    return tuple(reasons)


def _named(case: Case, seen: Observation) -> tuple[tuple[str, ...], str]:
    if case.asks_for_list or (case.kind == "metadata" and seen.answer.papers):
        return seen.listed, "listed"
    return seen.cited, "cited"
