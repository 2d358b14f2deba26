"""A finished run of a question set as HTML: its figures and pictures. Pure: values in, safe HTML out.

Imports the measures, which takes seconds: to be imported once there is something to show.
"""

from collections.abc import Collection, Iterable, Iterator
from html import escape

from eval.intervals import Estimate
from eval.measures import BETTER
from eval.pages import RATES
from eval.report import ALWAYS, Estimates, Report
from eval.tables import number
from ui.eval_run import Evaluation
from ui.eval_texts import EvalTexts

_GROUPS = {
    "answers": "strict_pass nugget_recall numbers_grounded count_exact followup_pass followup_fresh "
    "answer_words_p50 answer_words_max",
    "citations": "paper_recall_at_1 citation_validity citation_precision citation_recall sentences_cited "
    "citation_support",
    "lists": "list_precision list_recall list_f1 list_recall_with_maybe list_length",
    "refusals": "refusal_rate_unanswerable refusal_rate_missing_detail refusal_rate_false_premise "
    "refusal_rate_not_covered refusal_rate_off_topic false_refusal_rate",
    "search": "retrieval_recall_at_1 retrieval_recall_at_5 retrieval_recall_at_20 retrieval_ndcg_at_10 "
    "retrieval_mrr_at_10",
    "confidence": "brier brier_skill ece ece_within_kinds aurc",
    "speed": "seconds_p50 seconds_p95 first_text_seconds_p50 first_text_seconds_p95 tokens_prompt "
    "tokens_completion cost_usd",
}
_OF_A_MODEL = {"tokens_prompt", "tokens_completion", "cost_usd"}


def headline(evaluation: Evaluation, texts: EvalTexts) -> str:
    """How many questions passed, how sure that is, and what one should know before reading on."""
    if evaluation.state != "finished":
        return ""
    if evaluation.report is None:
        return f'<p class="notice" role="status">{escape(texts.stopped_at_once)}</p>'
    report = evaluation.report
    passed = texts.passed.format(passed=evaluation.passed, total=evaluation.done)
    estimate = report.metrics["strict_pass"]
    sure = texts.sure.format(interval=_interval(estimate, texts))
    notes = "".join(f"<p>{escape(note)}</p>" for note in _notes(evaluation, report, texts))
    return (
        f'<h2 role="status">{escape(passed)}</h2>'
        f'<p class="sure">{_bar(estimate)} {number(estimate.value)}, {escape(sure)}</p>{notes}'
    )


def figures(report: Report, texts: EvalTexts) -> str:
    """The main figures by subject, each with its interval and its number of questions; then the others."""
    shown = {name: estimate for name, estimate in report.metrics.items() if estimate.n}
    if report.run.settings.get("model") is None:
        shown = {name: estimate for name, estimate in shown.items() if name not in _OF_A_MODEL}
    main = {name: estimate for name, estimate in shown.items() if name in ALWAYS}
    rest = {name: estimate for name, estimate in shown.items() if name not in ALWAYS}
    html = f"<h2>{escape(texts.figures)}</h2>{_figures(main, texts.figures, texts)}"
    if rest:
        more = texts.more_figures[len(rest) == 1].format(count=len(rest))
        html += f"<details><summary>{escape(more)}</summary>{_figures(rest, more, texts)}</details>"
    return html


def kinds(report: Report, texts: EvalTexts) -> str:
    """The main figures of each kind of question."""
    columns = {name: head for name, head in texts.names.kind_columns.items() if report.metrics[name].n}
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in (texts.number, *columns.values()))
    rows = "".join(
        f'<tr><th scope="row">{escape(texts.names.kind[kind])}</th>'
        f'<td class="n">{values["strict_pass"].n}</td>{_cells(values, columns, texts)}</tr>'
        for kind, values in report.by_kind.items()
    )
    table = f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody>"
    name = escape(texts.kinds)
    return (
        f'<h2>{name}</h2><div class="kinds" role="region" tabindex="0" aria-label="{name}">'
        f"<table>{table}</table></div>"
    )


def pictures(evaluation: Evaluation, texts: EvalTexts) -> str:
    """The charts of eval's own report, which take the colours of the page."""
    drawn = "".join(
        f'<figure><h3>{escape(title)}</h3><div lang="en">{svg}</div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
        for name, said, svg in evaluation.charts
        for title, caption in (texts.names.chart.get(name, (name, said)),)
    )
    return f'<h2>{escape(texts.charts)}</h2><div class="charts">{drawn}</div>' if drawn else ""


def _notes(evaluation: Evaluation, report: Report, texts: EvalTexts) -> Iterator[str]:
    if evaluation.done < evaluation.total:
        yield texts.stopped.format(done=evaluation.done, total=evaluation.total)
    if crashed := sum(bool(outcome.error) for outcome in evaluation.outcomes):
        yield texts.crashed[crashed == 1].format(count=crashed)
    notices = [o.answer["receipt"]["notice"] for o in evaluation.outcomes if o.answer]
    if unwritten := [notice for notice in notices if notice]:
        yield texts.unwritten[len(unwritten) == 1].format(count=len(unwritten), notice=unwritten[0])
    if report.calibration:
        p = f"{report.calibration.p_value:.2g}"
        yield texts.calibrated[report.calibration.rejected].format(p=p)


def _figures(estimates: Estimates, name: str, texts: EvalTexts) -> str:
    figure, value, n = (f"{escape(head)}</th>" for head in (texts.figure, texts.value, texts.number))
    heads = f'<th scope="col">{figure}<th scope="col">{value}<td class="drawn"></td><th scope="col">{n}'
    groups = "".join(
        f'<tbody><tr><th scope="rowgroup" colspan="4">{escape(texts.names.groups[group])}</th></tr>'
        f"{''.join(_figure(name, estimates[name], texts) for name in names)}</tbody>"
        for group, names in _grouped(estimates)
    )
    return f'<table aria-label="{escape(name)}"><thead><tr>{heads}</tr></thead>{groups}</table>'


def _grouped(names: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    """The names by subject; what no subject knows comes last."""
    subjects = {group: known.split() for group, known in _GROUPS.items()}
    known = {name for group in subjects.values() for name in group}
    subjects["other"] = [name for name in names if name not in known]
    for group, members in subjects.items():
        if shown := [name for name in members if name in names]:
            yield group, shown


def _figure(name: str, estimate: Estimate, texts: EvalTexts) -> str:
    lower = f'&nbsp;<abbr class="lower" title="{escape(texts.lower_is_better)}">↓</abbr>'
    label = escape(texts.names.labels.get(name, name)) + (lower if BETTER.get(name) == "lower" else "")
    bar = _bar(estimate) if name in RATES else ""
    return (
        f'<tr><th scope="row">{label} <code>{escape(name)}</code></th><td>{_measured(estimate, texts)}</td>'
        f'<td class="drawn">{bar}</td><td class="n">{estimate.n}</td></tr>'
    )


def _cells(values: Estimates, columns: Iterable[str], texts: EvalTexts) -> str:
    shown = (_measured(values[name], texts) if name in values else "–" for name in columns)
    return "".join(f"<td>{cell}</td>" for cell in shown)


def _measured(estimate: Estimate, texts: EvalTexts) -> str:
    return f'{number(estimate.value)} <span class="interval">{escape(_interval(estimate, texts))}</span>'


def _interval(estimate: Estimate, texts: EvalTexts) -> str:
    if estimate.low is None:
        return ""
    return texts.interval.format(low=number(estimate.low), high=number(estimate.high))


def _bar(estimate: Estimate) -> str:
    """A rate between 0 and 1 as a line from 0 to 1: its interval, and a stroke at its value."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    span = f"left:{100 * estimate.low:.1f}%;right:{100 * (1 - estimate.high):.1f}%"
    return (
        f'<span class="bar" aria-hidden="true"><i style="{span}"></i>'
        f'<b style="left:{100 * estimate.value:.1f}%"></b></span>'
    )
