"""What the command line writes: answers and reports as text or JSON on stdout, notices on stderr."""

import io
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from rag.patterns import lazy_pattern
from rag.records import (
    Answer,
    Conversation,
    Fate,
    IndexDescription,
    IngestReport,
    Paper,
    ScreeningPlan,
    TextDelta,
)

if TYPE_CHECKING:  # the engine's libraries take seconds to import
    from rag.engine import AnswerEngine

_SHOWN_SKIPPED = 20
_CONTROL = lazy_pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Without the control characters by which a text could steer the terminal."""
    return _CONTROL.sub("", text)


def print_answer(engine: "AnswerEngine", question: str, conversation: Conversation) -> Answer:
    """Ask, print the answer and the papers it cites, and return it.

    On a terminal a model's text appears while it is written; a file or pipe gets the settled text alone.
    """
    if engine.chat_model and sys.stdout.isatty():
        answer = _print_stream(engine, question, conversation)
    else:
        answer = engine.ask(question, conversation)
        typer.echo(printable(answer.text))
    _print_sources(answer)
    return answer


def print_screened(engine: "AnswerEngine", question: str, most_usd: float | None, *, as_json: bool) -> Answer:
    """Ask; of a list say on stderr what reading its papers costs at most, have them read, and print that."""
    answer = engine.ask(question)
    plan = engine.screening_plan(answer, most_usd=most_usd)
    if plan is None:
        typer.echo("There are no papers to read for this question.", err=True)
    else:
        typer.echo(printable(_planned(plan, most_usd)), err=True)
        for event in engine.screen(answer, plan) if plan.papers else ():
            if isinstance(event, Answer):
                answer = event
            elif sys.stderr.isatty():
                typer.echo(f"{event.papers} of {event.of} read", err=True)
    if as_json:
        _print_as_json(answer)
    else:
        typer.echo(printable(answer.text))
        _print_sources(answer)
    return answer


def _planned(plan: ScreeningPlan, most_usd: float | None) -> str:
    """Which papers will be read and for how much: "Reading 43 papers with X: at most ..."."""
    if plan.cost_usd is None and most_usd is not None:
        return f"The price of {plan.model} is not known, so no limit can be kept: no paper is read."
    left = (
        f" ({plan.unread} more would cost more than ${most_usd:g})"
        if most_usd is not None and plan.unread
        else ""
    )
    cost = "price not known" if plan.cost_usd is None else f"${plan.cost_usd:.4f}"
    tokens = plan.tokens.prompt + plan.tokens.completion
    papers = f"{plan.papers} paper{'' if plan.papers == 1 else 's'}"
    return f"Reading {papers} with {plan.model}{left}: at most {tokens:,} tokens, {cost}."


def print_answer_json(engine: "AnswerEngine", question: str, conversation: Conversation) -> Answer:
    """Ask, print the answer as one line of JSON, and return it."""
    answer = engine.ask(question, conversation)
    _print_as_json(answer)
    return answer


def _print_as_json(answer: Answer) -> None:
    print_json(answer.as_json(), indent=None)
    if answer.receipt.notice:
        typer.echo(printable(answer.receipt.notice), err=True)


def print_fate(fate: Fate, *, as_json: bool) -> None:
    """What became of one paper; as JSON on a line of its own."""
    if as_json:
        print_json(asdict(fate), indent=None)
        return
    place = f", rank {fate.rank}" if fate.rank else ""
    score = "" if fate.score is None else f", score {fate.score:.2f}"
    typer.echo(printable(f"\n{fate.title} ({fate.stage}{place}{score}): {fate.reason}"))


def print_report(report: IngestReport, *, dry_run: bool) -> None:
    would = "would be " if dry_run else ""
    typer.echo(
        f"{report.read:,} read: {would}{report.added:,} added, {report.updated:,} updated, "
        f"{report.unchanged:,} unchanged, {len(report.skipped):,} skipped."
    )
    for skipped in report.skipped[:_SHOWN_SKIPPED]:
        typer.echo(printable(f"  {skipped.where} {skipped.reason}"))
    if (more := len(report.skipped) - _SHOWN_SKIPPED) > 0:
        typer.echo(f"  and {more:,} more, all listed with --json")


def print_report_json(report: IngestReport, papers: tuple[Paper, ...] | None = None) -> None:
    """The report, with the papers themselves where they are given."""
    listed = {} if papers is None else {"papers": [_listed(paper) for paper in papers]}
    print_json({**asdict(report), **listed})


def print_description(description: IndexDescription, folder: str) -> None:
    for name, value in {"folder": folder, **asdict(description)}.items():
        if isinstance(value, tuple):
            value = ", ".join(value)
        text = f"{value:,}" if isinstance(value, int) else str(value)
        typer.echo(printable(f"{name.replace('_', ' '):<15} {text}"))


def print_json(value: dict[str, Any], *, indent: int | None = 2) -> None:
    """Readable where the terminal can show every character, else escaped."""
    escaped = sys.stdout.encoding.lower() not in {"utf-8", "utf8"}
    typer.echo(json.dumps(value, ensure_ascii=escaped, indent=indent))


def print_document(text: str) -> None:
    """A document as it is: in UTF-8 where it goes to a file or program, whatever the terminal's encoding."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
    else:
        typer.echo(printable(text), nl=False)


def _print_stream(engine: "AnswerEngine", question: str, conversation: Conversation) -> Answer:
    written, answer = "", None
    for event in engine.stream(question, conversation):
        if isinstance(event, TextDelta):
            written += event.text
            typer.echo(printable(event.text), nl=False)
        else:
            answer = event
    if answer is None:
        raise TypeError("the stream of an answer ends with an Answer")
    if written.strip() == answer.text.strip():
        typer.echo()
    else:  # checking changed the text, or the model stopped half-way
        typer.echo(f"{_separator(written)}{printable(answer.text)}")
    return answer


def _separator(written: str) -> str:
    return "\n\nThe text above did not stand; the answer is:\n\n" if written.strip() else ""


def _print_sources(answer: Answer) -> None:
    for citation in answer.citations:
        paper = citation.paper
        typer.echo(printable(f"\n[{citation.number}] {paper.title}"))
        track = f" ({paper.track})" if paper.track else ""
        for line in (", ".join(paper.authors), f"{paper.published}{track}".strip(), paper.url):
            if line:
                typer.echo(printable(f"    {line}"))
    if answer.receipt.notice:
        typer.echo(printable(f"\nNote: {answer.receipt.notice}"))


def _listed(paper: Paper) -> dict[str, Any]:
    fields = asdict(paper)
    return {name: fields[name] for name in ("id", "title", "authors", "year", "venue", "abstract")}
