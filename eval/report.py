"""A report: the figures of a run, as a whole and by kind of question."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from eval.calibration import Calibration, calibration
from eval.cases import KINDS
from eval.evaluator import Figure
from eval.intervals import Estimate, estimate
from eval.judge import JudgeSummary
from eval.measures import FIGURES
from eval.measures.quantiles import percentile
from eval.measures.risk_coverage import risk_coverage_curve
from eval.run import Outcome, Run, columns

Estimates = Mapping[str, Estimate]

ALWAYS = frozenset(
    {
        *("paper_recall_at_1", "nugget_recall", "strict_pass"),
        *("citation_validity", "citation_precision", "citation_recall"),
        *("list_precision", "list_recall", "list_f1"),
        *("refusal_rate_unanswerable", "false_refusal_rate", "followup_pass"),
        *("brier", "ece", "seconds_p50", "seconds_p95"),
    }
)
"""Names that every report holds, with n = 0 where nothing applies; other programs read them."""


@dataclass(frozen=True, slots=True)
class Report:
    """The estimates of a run and the curves that its pictures are drawn from.

    `stages` are p50 and p95 of the seconds that each stage of answering took. `risk_coverage` are the points
    (coverage, risk) of the curve, surest answers first. `calibration` is None where no confidence was stated,
    `judge` where no model was asked.
    """

    run: Run
    metrics: Estimates
    by_kind: Mapping[str, Estimates]
    stages: Mapping[str, Estimates]
    risk_coverage: tuple[tuple[float, float], ...]
    calibration: Calibration | None
    judge: JudgeSummary | None = None

    def as_json(self) -> dict[str, Any]:
        """The JSON of `eval run --json`, documented in eval/README.md."""
        return {
            "metrics": {name: asdict(value) for name, value in self.metrics.items()},
            "by_kind": {
                kind: {name: asdict(v) for name, v in values.items()} for kind, values in self.by_kind.items()
            },
            "stages": {
                stage: {name: asdict(v) for name, v in values.items()}
                for stage, values in self.stages.items()
            },
            "calibration": None if self.calibration is None else asdict(self.calibration),
            "judge": None if self.judge is None else self.judge.as_json(),
            "risk_coverage": [list(point) for point in self.risk_coverage],
            "cases": [outcome.as_json() for outcome in self.run.outcomes],
            "settings": dict(self.run.settings),
        }


def summarise(run: Run, seed: int) -> Report:
    """The report of a run. The same run and seed give the same figures."""
    by_kind = {kind: [o for o in run.outcomes if o.case.kind == kind] for kind in KINDS}
    return Report(
        run=run,
        metrics=_estimates(run.outcomes, seed, keep=ALWAYS),
        by_kind={kind: _estimates(outcomes, seed) for kind, outcomes in by_kind.items() if outcomes},
        stages=_stages(run.outcomes, seed),
        risk_coverage=_curve(run.outcomes),
        calibration=calibration(run.outcomes, seed),
    )


def _estimates(outcomes: Sequence[Outcome], seed: int, keep: frozenset[str] = frozenset()) -> Estimates:
    estimates = {
        figure.name: estimate(figure, columns(outcomes, figure.inputs)[1], seed) for figure in FIGURES
    }
    return {name: value for name, value in estimates.items() if value.n or name in keep}


def _stages(outcomes: Sequence[Outcome], seed: int) -> Mapping[str, Estimates]:
    taken: dict[str, list[float]] = {}
    for outcome in outcomes:
        for stage, seconds in (outcome.answer or {}).get("receipt", {}).get("seconds", {}).items():
            taken.setdefault(stage, []).append(seconds)
    return {
        stage: {
            f"p{percent}": estimate(
                Figure(f"{stage}_p{percent}", (), percentile(percent), "lower"), [np.array(seconds)], seed
            )
            for percent in (50, 95)
        }
        for stage, seconds in taken.items()
    }


def _curve(outcomes: Sequence[Outcome]) -> tuple[tuple[float, float], ...]:
    _, (confidence, passed) = columns(outcomes, ("answered_confidence", "strict_pass"))
    if not len(confidence):
        return ()
    coverage, risk = risk_coverage_curve(confidence, passed)
    return tuple(zip(coverage.tolist(), risk.tolist(), strict=True))
