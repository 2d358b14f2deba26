"""A report as a folder to look at: one HTML page that needs nothing else, and a Markdown summary."""

from pathlib import Path

from eval.bench import Bench
from eval.charts import growth, latency, reliability, risk_coverage
from eval.comparison import Comparison
from eval.evaluator import rate
from eval.files import write_text
from eval.measures import FIGURES
from eval.report import Report
from eval.tables import interval, notes, number

Chart = tuple[str, str, str]
"""Title, caption, SVG."""

RATES = frozenset(figure.name for figure in FIGURES if figure.statistic is rate)
"""Figures between 0 and 1, which can be drawn as bars."""


def write_report(folder: Path, report: Report, comparison: Comparison | None = None) -> None:
    """Writes `report.html` and `report.md` into `folder`.

    Raises:
        StorageError: a file cannot be written.
    """
    write_text(folder / "report.html", as_html(report, comparison))
    write_text(folder / "report.md", as_markdown(report, comparison))


def charts(report: Report) -> list[Chart]:
    """The pictures that the run has data for."""
    found: list[Chart] = []
    if report.calibration:
        found.append(("Reliability", _calibration_caption(report), reliability(report.calibration)))
    if report.risk_coverage:
        caption = "Share of wrong answers when only the surest are given; dashed: when all are."
        found.append(("Risk and coverage", caption, risk_coverage(report.risk_coverage)))
    if seconds := [outcome.scores["seconds"] for outcome in report.run.outcomes if not outcome.error]:
        found.append(("Latency", "Wall time of the scored answers.", latency(seconds)))
    return found


def bench_page(bench: Bench) -> str:
    """The results of `eval bench` as a page without outside parts."""
    sizes = [one.papers for one in bench.growth]
    costs = {
        "Ingest": ("seconds", [one.ingest_seconds for one in bench.growth]),
        "Open": ("seconds", [one.open_seconds for one in bench.growth]),
        "Retrieval": ("milliseconds", [one.retrieval_ms for one in bench.growth]),
        "Memory": ("MB at the peak", [one.peak_mb for one in bench.growth if one.peak_mb is not None]),
        "Disk": ("MB", [one.disk_mb for one in bench.growth]),
    }
    drawn = [
        (title, "Dashed: growth in proportion.", growth(sizes, values, unit, title))
        for title, (unit, values) in costs.items()
        if sizes and len(values) == len(sizes)
    ]
    return rendered("bench.html.jinja", bench=bench, charts=drawn)


def as_html(report: Report, comparison: Comparison | None = None) -> str:
    """A page without outside parts. Everything from the corpus and the answers is escaped."""
    return rendered(
        "report.html.jinja",
        report=report,
        comparison=comparison,
        passed=_passed(report),
        notes=notes(report),
        charts=charts(report),
        rates=RATES,
    )


def rendered(template: str, **values: object) -> str:
    """A template of `templates/`, filled in; values are escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    pages = Environment(loader=PackageLoader("eval", "templates"), autoescape=True, undefined=StrictUndefined)
    pages.filters.update(number=number, interval=interval)
    return pages.get_template(template).render(values)


def as_markdown(report: Report, comparison: Comparison | None = None) -> str:
    """A summary that reads well in a pull request."""
    lines = [f"# {_passed(report)} of {len(report.run.outcomes)} questions pass", "", *notes(report), ""]
    if comparison:
        lines += _comparison_lines(comparison)
    lines += ["| metric | value | 95 % interval | n |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {k} | {number(v.value)} | {interval(v)} | {v.n} |" for k, v in report.metrics.items()]
    lines += ["", "| kind | n | strict_pass | 95 % interval |", "| --- | ---: | ---: | ---: |"]
    for kind, values in report.by_kind.items():
        value = values["strict_pass"]
        lines.append(f"| {kind} | {value.n} | {number(value.value)} | {interval(value)} |")
    failing = [outcome for outcome in report.run.outcomes if not outcome.passed]
    lines += ["", *(f"- {_plain(o.case.id)}: {_plain('; '.join(o.why))}" for o in failing)]
    return "\n".join(lines).rstrip() + "\n"


def _comparison_lines(comparison: Comparison) -> list[str]:
    lines = ["## Against the baseline", "", *(f"- **Gate:** {alarm}" for alarm in comparison.alarms)]
    for text, ids in (("flipped to failing", comparison.broke), ("flipped to passing", comparison.mended)):
        if ids:
            lines.append(f"- {text} ({len(ids)}): {', '.join(map(_plain, ids))}")
    moved = {name: change for name, change in comparison.changes.items() if change.moved}
    lines += [
        "",
        "| metric | before | after | 95 % interval of the difference |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, change in moved.items():
        cells = (number(change.before), number(change.after), interval(change.difference))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, "", "## All cases", ""]


def _plain(text: str) -> str:
    """`text` on one line, so that nothing in it is taken for Markdown."""
    return "".join(f"\\{char}" if char in r"\`*_{}[]<>#|!$~" else char for char in " ".join(text.split()))


def _passed(report: Report) -> int:
    return sum(outcome.passed for outcome in report.run.outcomes)


def _calibration_caption(report: Report) -> str:
    rejected = report.calibration is not None and report.calibration.rejected
    verdict = "Calibration is rejected" if rejected else "Calibration is not rejected"
    return f"{verdict} at p < .05. Bins of equal mass, bars are exact 95 % intervals, dashed is perfect."
