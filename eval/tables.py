"""A report and a comparison as tables for the terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from eval.bench import Bench
from eval.calibration import confidence_by_kind
from eval.comparison import Comparison
from eval.intervals import Estimate
from eval.judge import JudgeSummary
from eval.report import Report
from eval.run import Outcome
from eval.twins import Agreement, mean_f1
from eval.which import ListScore, apart, kept, macro

BY_KIND = {
    "pass": "strict_pass",
    "facts": "nugget_recall",
    "first": "paper_recall_at_1",
    "words": "answer_words_p50",
    "cit. P": "citation_precision",
    "cit. R": "citation_recall",
    "F1": "list_f1",
    "sec.": "seconds_p50",
}
"""Short headings, so that the table fits a terminal of 80 columns."""


def number(value: float | None) -> str:
    """Three significant decimals for small numbers, fewer for large ones; a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3f}"


def interval(estimate: Estimate) -> str:
    return "" if estimate.low is None else f"{number(estimate.low)} to {number(estimate.high)}"


def print_estimates(title: str, estimates: Mapping[str, Estimate], console: Console) -> None:
    table = Table("metric", "value", "95 % interval", "n", title=title, title_justify="left")
    for name, value in estimates.items():
        table.add_row(name, number(value.value), interval(value), str(value.n))
    console.print(table)


def print_lists(scores: Mapping[str, ListScore], seed: int, console: Console) -> None:
    table = Table("question", "precision", "recall", "F1", "recall with maybe", "listed", "truth")
    for name, score in scores.items():
        shares = (score.precision, score.recall, score.f1, score.recall_with_maybe)
        table.add_row(name, *map(number, shares), str(score.listed), str(score.truth))
    console.print(table)
    print_estimates("Macro averages", macro(scores, seed), console)
    for group, estimates in apart(scores, seed).items():
        print_estimates(f"Macro averages, {group}", estimates, console)
    if claim := kept(scores):
        console.print(
            f"{claim.n} lists state their completeness: {claim.stated:.3f} on average, and hold "
            f"{claim.recall:.3f} (standard error {claim.standard_error:.3f})."
        )


def print_twins(found: Mapping[str, Agreement], seed: int, console: Console) -> None:
    table = Table("pair", "listed in English", "in Chinese", "F1")
    for name, one in found.items():
        table.add_row(name, str(one.english), str(one.chinese), number(one.f1))
    console.print(table)
    print_estimates("Chinese lists against English ones", {"F1": mean_f1(found, seed)}, console)


def print_bench(bench: Bench, console: Console) -> None:
    table = Table(
        "what", "ours", "bare", "unit", "ratio", title="Against the bare parts", title_justify="left"
    )
    for name, one in bench.ratios.items():
        table.add_row(name, number(one.ours), number(one.bare), one.unit, f"{one.ratio:.2f}")
    console.print(table)
    sizes = Table(
        "papers",
        "ingest s",
        "open s",
        "retrieval ms",
        "peak MB",
        "disk MB",
        title="Growth",
        title_justify="left",
    )
    for size in bench.growth:
        costs = (size.ingest_seconds, size.open_seconds, size.retrieval_ms, size.peak_mb, size.disk_mb)
        sizes.add_row(str(size.papers), *map(number, costs))
    console.print(sizes)


def print_report(report: Report, console: Console) -> None:
    print_estimates("All cases", report.metrics, console)
    kinds = Table("kind", "n", *BY_KIND, title="By kind", title_justify="left")
    for kind, values in report.by_kind.items():
        cells = [_short(name, values[name].value) if name in values else "–" for name in BY_KIND.values()]
        kinds.add_row(kind, str(values["strict_pass"].n), *cells)
    console.print(kinds)
    if sure := confidence_by_kind(report.run.outcomes):
        trust = Table(
            "kind",
            "n",
            "passed",
            "Brier",
            "base rate's",
            "p",
            title="Confidence by kind",
            title_justify="left",
        )
        for row in sure:
            figures = (row.passed, row.brier, row.base_rate, row.p_value)
            trust.add_row(row.kind, str(row.n), *map(number, figures))
        console.print(trust)
    if report.judge:
        print_estimates(f"Judged by {report.judge.model}", report.judge.verdicts, console)
    for line in notes(report):
        console.print(line, markup=False)


def _short(name: str, value: float | None) -> str:
    """A cell of the table by kind, whose columns are narrow."""
    return f"{value:.0f}" if name == "answer_words_p50" and value is not None else number(value)


def notes(report: Report) -> list[str]:
    """What the figures alone do not say: crashes, whether calibration is rejected, how far a judge agrees."""
    lines = []
    if crashed := [outcome for outcome in report.run.outcomes if outcome.error]:
        lines.append(f"{len(crashed)} cases crashed, the first is {crashed[0].case.id}: {crashed[0].error}")
    if report.calibration:
        verdict = "is rejected" if report.calibration.rejected else "is not rejected"
        lines.append(
            f"Calibration {verdict} at p < .05 ({_p(report.calibration.p_value)} on average, "
            f"{_p(report.calibration.p_value_within_kinds)} within kinds)."
        )
    if report.judge:
        lines += _judge_notes(report.judge)
    return lines


def _p(value: float) -> str:
    return "p < .001" if value < 0.001 else f"p = {value:.3f}"


def _judge_notes(judge: JudgeSummary) -> list[str]:
    lines = [
        f"The judge's {judge.repeats} repeats agree on {aspect} in {number(share)} of their pairs "
        f"(Fleiss' kappa {number(judge.kappa[aspect])})."
        for aspect, share in judge.agreement.items()
    ]
    if judge.unreadable:
        lines.append(f"{judge.unreadable} replies of the judge could not be read.")
    if judge.stopped:
        lines.append(f"The judging stopped after {len(judge.cases)} answers: {judge.stopped}")
    return lines


def print_comparison(comparison: Comparison, console: Console) -> None:
    table = Table(
        "metric",
        "before",
        "after",
        "difference",
        "95 % interval",
        title="Against the baseline",
        title_justify="left",
    )
    for name, change in comparison.changes.items():
        if change.moved and change.difference.value is not None:
            table.add_row(
                name,
                number(change.before),
                number(change.after),
                f"{change.difference.value:+.3f}",
                interval(change.difference),
            )
    console.print(table if table.row_count else "No figure differs from the baseline.")
    for text, ids in (
        ("flipped to failing", comparison.broke),
        ("flipped to passing", comparison.mended),
        ("only in the baseline", comparison.only_before),
        ("only in this run", comparison.only_after),
    ):
        if ids:
            console.print(f"{text} ({len(ids)}): {', '.join(ids)}", markup=False)
    for name, (old, new) in comparison.settings.items():
        console.print(f"setting {name}: {old} before, {new} now", markup=False)
    for alarm in comparison.alarms:
        console.print(f"GATE: {alarm}", markup=False, style="bold red")


def print_failures(outcomes: Sequence[Outcome], console: Console) -> None:
    for outcome in outcomes:
        if not outcome.passed:
            console.print(f"{outcome.case.id}: {'; '.join(outcome.why)}", markup=False)
