"""`python -m rag`: ask, chat-file, ingest, status, export. Reads the settings and builds the engine.

Answers, reports and JSON go to stdout, progress and notices to stderr. Exit codes: 0 done, 1 the work failed,
2 bad usage or bad input, 130 interrupted. Whatever fails says so in one line.
"""

import gc
import io
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer.exceptions import TyperException

from rag.errors import RagError, UsageError

# Everything slow is imported by the command that needs it: --help and bad usage answer at once.
if TYPE_CHECKING:
    from rag.engine import AnswerEngine
    from rag.settings import Settings

_INTERRUPTED = 130  # 128 + SIGINT, as shells count

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
NoLlm = Annotated[bool, typer.Option("--no-llm", help="Answer with quotes; no model writes.")]
DataDir = Annotated[
    Path | None, typer.Option(help="The index; else RAG_DATA_DIR, else the user data folder.")
]


@app.callback()
def rag() -> None:
    """Ask questions over a list of paper abstracts; every statement carries a checked citation."""


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A question about the papers, in English or Chinese.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    no_llm: NoLlm = False,
    why_not: Annotated[
        str | None, typer.Option(metavar="PAPER", help="Also say what became of the paper with this id.")
    ] = None,
    screen: Annotated[
        bool,
        typer.Option("--screen", help="For a list, have the model read the papers; says the cost first."),
    ] = False,
    max_cost: Annotated[
        float | None, typer.Option(metavar="USD", min=0.0, help="Read only as many papers as this pays for.")
    ] = None,
) -> None:
    """Answer one question."""
    from rag.records import Conversation
    from rag.terminal import print_answer, print_answer_json, print_fate, print_screened

    if max_cost is not None and not screen:
        raise UsageError("--max-cost is a limit for --screen.", "Give both.")
    engine = _engine(data_dir, no_llm)
    if screen and engine.chat_model is None:
        raise UsageError("--screen needs a model.", "Set OPENAI_API_KEY, and leave --no-llm out.")
    question = question.encode(errors="replace").decode()  # an argument may carry bytes that are no text
    if screen:
        answer = print_screened(engine, question, max_cost, as_json=as_json)
    else:
        answer = (print_answer_json if as_json else print_answer)(engine, question, Conversation())
    if why_not:
        print_fate(engine.why_not(why_not, answer), as_json=as_json)


@app.command()
def chat_file(
    file: Annotated[Path, typer.Argument(help="A conversation, one question a line.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    no_llm: NoLlm = False,
) -> None:
    """Answer a file's questions as one conversation."""
    from rag.records import Conversation
    from rag.sources.document import Document
    from rag.terminal import print_answer, print_answer_json, printable

    lines = [line.strip() for line in Document.open(file).text.splitlines()]
    engine, conversation = _engine(data_dir, no_llm), Conversation()
    for question in filter(None, lines):
        if as_json:
            answer = print_answer_json(engine, question, conversation)
        else:
            typer.echo(f"> {printable(question)}\n")
            answer = print_answer(engine, question, conversation)
            typer.echo()
        conversation = conversation.with_turn(answer)


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders with papers.")],
    data_dir: DataDir = None,
    list_name: Annotated[str, typer.Option("--list", help="Name of the list that the papers join.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and report; change nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add papers and update changed ones."""
    from rag.cleaning import recognise
    from rag.sources import read_papers
    from rag.sources.seed import default_papers
    from rag.terminal import print_report, print_report_json

    settings = _settings(data_dir)
    reading = read_papers(*paths, progress=True)
    if dry_run:
        from rag.index.held import held_papers, preview

        held = held_papers(settings.data_dir)
        reading = recognise(reading, (*held, *default_papers()))
        report = preview(reading, held)
    else:
        from rag.assembly import open_index

        with open_index(settings, progress=True) as index:
            reading = recognise(reading, (*index.papers, *default_papers()))
            report = index.ingest(reading, list_name=list_name, progress=True)
    if as_json:
        print_report_json(report, reading.papers if dry_run else None)
    else:
        print_report(report, dry_run=dry_run)


@app.command()
def status(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Say what the index holds."""
    from rag.assembly import open_index
    from rag.terminal import print_description, print_json

    settings = _settings(data_dir)
    with open_index(settings, progress=True) as index:
        description = index.describe()
    if as_json:
        print_json({"folder": str(settings.data_dir), **asdict(description)})
    else:
        print_description(description, str(settings.data_dir))


@app.command()
def export(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of papers, in the order wanted.")],
    file_format: Annotated[
        Literal["bibtex", "ris", "csl", "markdown"], typer.Option("--format", help="What is written.")
    ] = "bibtex",
    data_dir: DataDir = None,
) -> None:
    """Write papers as references for elsewhere."""
    from rag.export import PAPER_FORMATS
    from rag.index.held import held_papers, papers_by_id
    from rag.terminal import print_document

    papers = papers_by_id(held_papers(_settings(data_dir).data_dir), ids)
    print_document(PAPER_FORMATS[file_format](papers))


def _settings(data_dir: Path | None, **overrides: object) -> "Settings":
    from rag.settings import Settings

    return Settings.load(data_dir=data_dir, **overrides)


def _engine(data_dir: Path | None, no_llm: bool) -> "AnswerEngine":
    settings = _settings(data_dir, use_llm=False if no_llm else None)
    gc.disable()  # what imports leave is no garbage; looking it through again and again is a fifth of a start
    from rag.assembly import open_engine

    gc.freeze()
    gc.enable()
    return open_engine(settings, progress=True)


def _fail(message: str, exit_code: int) -> int:
    from rag.terminal import printable

    typer.echo(" ".join(printable(message).split()), err=True)
    return exit_code


def main() -> int:
    """Run the command line and return the exit code; an error becomes one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character still shows the rest
    try:
        exit_code = int(app(standalone_mode=False, prog_name="python -m rag") or 0)
        sys.stdout.flush()
    except RagError as error:
        return _fail(str(error), error.exit_code)
    except TyperException as error:
        return _fail(f"{error.format_message().rstrip('.')}. See python -m rag --help.", UsageError.exit_code)
    except BrokenPipeError:  # whoever read the output has left, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return _fail("Interrupted.", _INTERRUPTED)
    except Exception as error:
        if os.environ.get("RAG_DEBUG"):
            raise
        return _fail(f"Unexpected failure ({type(error).__name__}). Set RAG_DEBUG=1 to see where.", 1)
    return _fail("Interrupted.", exit_code) if exit_code == _INTERRUPTED else exit_code


if __name__ == "__main__":
    sys.exit(main())
