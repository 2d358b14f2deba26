"""`python -m eval`: the only module here that reads settings and builds an engine."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from rag.errors import RagError
from rag.settings import Settings

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Measure the answers: run, which, beir, bench.",
)

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="the index; else RAG_DATA_DIR, else the user data folder")
]
NoLlm = Annotated[bool, typer.Option("--no-llm", help="extractive answers only")]
JsonOut = Annotated[Path | None, typer.Option("--json", help="write the results here")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="of resampling and of changed questions")]


@app.callback()
def main() -> None:
    """Measure the answers."""


@app.command()
def run(
    questions: Annotated[
        Path | None, typer.Option("--questions", help="another question file than the shipped one")
    ] = None,
    data_dir: DataDir = None,
    no_llm: NoLlm = False,
    json_out: JsonOut = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="compare with this earlier --json file")
    ] = None,
    gate: Annotated[
        list[str] | None, typer.Option("--gate", help="metric whose fall fails the comparison; repeatable")
    ] = None,
    max_broken: Annotated[
        int, typer.Option("--max-broken", min=0, help="cases that may flip to failing")
    ] = 2,
    perturb: Annotated[
        bool, typer.Option("--perturb", help="ask each question under harmless changes too")
    ] = False,
    failures: Annotated[bool, typer.Option("--failures", help="print each failing case and why")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="go on with a run that was broken off")] = False,
    seed: Seed = 0,
) -> None:
    """Ask a question set and report every measure with its 95 % interval."""
    from rich.console import Console

    from eval.cases import DEFAULT_QUESTIONS, load_cases, require_papers
    from eval.comparison import GATED, compare, read_run, require_figures
    from eval.files import write_json
    from eval.report import summarise
    from eval.runner import Runner
    from eval.session import complete_run
    from eval.tables import print_comparison, print_failures, print_report
    from rag.assembly import open_engine

    path = questions or DEFAULT_QUESTIONS
    cases = load_cases(path)
    gates = require_figures(gate or GATED)
    old = read_run(baseline) if baseline else None
    settings = Settings.load(data_dir=data_dir)
    engine = open_engine(settings, progress=True)
    require_papers(cases, [paper.id for paper in engine.papers], path.name, str(settings.data_dir))
    runner = Runner(engine, use_llm=not no_llm, seed=seed, perturb=perturb)
    report = summarise(complete_run(runner, cases, path, resume=resume), seed)
    console = Console(soft_wrap=False)
    print_report(report, console)
    if failures:
        print_failures(report.run.outcomes, console)
    if json_out:
        write_json(json_out, report.as_json())
    comparison = compare(report.run, old, seed, gates, max_broken) if old else None
    if comparison:
        print_comparison(comparison, console)
    if comparison and comparison.alarms:
        raise typer.Exit(1)


def command_line() -> int:
    """Runs the command line; every foreseen error is one line on stderr and an exit code."""
    try:
        return app(standalone_mode=False) or 0
    except RagError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return error.exit_code
    except TyperException as error:
        print(error.format_message(), file=sys.stderr)  # noqa: T201
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print("Broken off.", file=sys.stderr)  # noqa: T201
        return 1


if __name__ == "__main__":
    sys.exit(command_line())
