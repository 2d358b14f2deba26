"""Two runs of the same cases, side by side: which figures moved, and which questions flipped."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.cases import Case
from eval.intervals import Estimate, paired_difference
from eval.measures import BETTER, FIGURES
from eval.run import Outcome, Run, column, columns
from rag.errors import UsageError

GATED = (
    "strict_pass",
    "nugget_recall",
    "paper_recall_at_1",
    "citation_validity",
    "citation_precision",
    "citation_recall",
    "list_f1",
    "refusal_rate_unanswerable",
    "false_refusal_rate",
    "followup_pass",
)
"""Figures whose fall fails the comparison, unless others are named."""

MAX_BROKEN = 2


@dataclass(frozen=True, slots=True)
class Change:
    """A figure over the cases both runs have, before and after, and the cases that got worse on it."""

    before: float
    after: float
    difference: Estimate
    worse: tuple[str, ...]

    @property
    def moved(self) -> bool:
        """Whether the difference shows in three decimals."""
        return abs(self.after - self.before) >= 0.0005


@dataclass(frozen=True, slots=True)
class Comparison:
    """`broke` and `mended` are the cases that pass only before, only after. `settings` are those that differ.

    `alarms` say what failed the gates, in words; empty when all hold.
    """

    changes: Mapping[str, Change]
    broke: tuple[str, ...]
    mended: tuple[str, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    settings: Mapping[str, tuple[Any, Any]]
    alarms: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def read_run(path: Path) -> Run:
    """The run that an earlier `eval run --json` wrote.

    Raises:
        UsageError: the file cannot be read or is no such report.
    """
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        return Run(tuple(_outcome(case) for case in report["cases"]), report["settings"])
    except OSError as error:
        raise UsageError(f"The baseline {path} cannot be read ({error.__class__.__name__}).") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(
            f"The baseline {path} is no report.", "Write one with: python -m eval run --json FILE"
        ) from None


def compare(
    new: Run, old: Run, seed: int, gates: Sequence[str] = GATED, max_broken: int = MAX_BROKEN
) -> Comparison:
    """The paired difference of two runs, over the cases that both have.

    An alarm is raised for a gated figure when the whole 95 % interval of its difference is on the bad side,
    and when more than `max_broken` cases flipped to failing.

    Raises:
        UsageError: the runs have no case in common.
    """
    before = {outcome.case.id: outcome for outcome in old.outcomes}
    after = {outcome.case.id: outcome for outcome in new.outcomes}
    shared = [case_id for case_id in after if case_id in before]
    if not shared:
        raise UsageError(
            "The baseline and this run have no case in common.", "Use a baseline of the same question set."
        )
    broke = tuple(i for i in shared if before[i].passed and not after[i].passed)
    changes = _changes([after[i] for i in shared], [before[i] for i in shared], seed)
    alarms = [_alarm(name, changes[name]) for name in gates if name in changes and _fell(name, changes[name])]
    if len(broke) > max_broken:
        alarms.append(f"{len(broke)} cases flipped to failing, {max_broken} are tolerated")
    return Comparison(
        changes=changes,
        broke=broke,
        mended=tuple(i for i in shared if after[i].passed and not before[i].passed),
        only_before=tuple(i for i in before if i not in after),
        only_after=tuple(i for i in after if i not in before),
        settings=_differing(old.settings, new.settings),
        alarms=tuple(alarms),
    )


def require_figures(gates: Sequence[str]) -> tuple[str, ...]:
    """The names as they are.

    Raises:
        UsageError: one of them is no figure, or one that cannot fall.
    """
    if unknown := [name for name in gates if BETTER.get(name, "neither") == "neither"]:
        raise UsageError(f"{unknown[0]!r} is no figure that can be gated.", f"Figures: {', '.join(BETTER)}.")
    return tuple(gates)


def _outcome(fields: Mapping[str, Any]) -> Outcome:
    case = Case(
        fields["id"], fields["kind"], tuple(fields["turns"]), fields["language"], gold=tuple(fields["gold"])
    )
    return Outcome(
        case, {name: float(score) for name, score in fields["scores"].items()}, tuple(fields["why"])
    )


def _changes(after: Sequence[Outcome], before: Sequence[Outcome], seed: int) -> dict[str, Change]:
    changes: dict[str, Change] = {}
    for figure in FIGURES:
        places = sorted(set(columns(after, figure.inputs)[0]) & set(columns(before, figure.inputs)[0]))
        if not places:
            continue
        new = columns([after[place] for place in places], figure.inputs)[1]
        old = columns([before[place] for place in places], figure.inputs)[1]
        changes[figure.name] = Change(
            before=float(figure.statistic(*old)),
            after=float(figure.statistic(*new)),
            difference=paired_difference(figure, new, old, seed),
            worse=tuple(after[i].case.id for i in places if _worse(figure.name, after[i], before[i])),
        )
    return changes


def _worse(name: str, after: Outcome, before: Outcome) -> bool:
    new, old = column(after, name), column(before, name)
    if new is None or old is None or BETTER[name] == "neither":
        return False
    return new < old if BETTER[name] == "higher" else new > old


def _fell(name: str, change: Change) -> bool:
    low, high = change.difference.low, change.difference.high
    if low is None or high is None:
        return False
    return high < 0 if BETTER[name] == "higher" else low > 0


def _alarm(name: str, change: Change) -> str:
    low, high = change.difference.low, change.difference.high
    moved = f"{name} went from {change.before:.3f} to {change.after:.3f}"
    return f"{moved} (95 % interval of the difference {low:+.3f} to {high:+.3f})"


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {key: (old.get(key), new.get(key)) for key in {**old, **new} if old.get(key) != new.get(key)}
