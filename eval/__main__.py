"""`python -m eval`: the only module here that reads settings and builds an engine.

Tables go to stdout, everything else to stderr. Exit codes: 0 done, 1 the work or a gate failed, 2 bad usage
or input, 130 broken off. What fails says so in one line.
"""

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from typer.exceptions import TyperException

from rag.errors import RagError, StorageError, UsageError
from rag.settings import Settings

# Everything slow is imported by the command that needs it, so that --help and bad usage answer at once.
if TYPE_CHECKING:
    from collections.abc import Sequence

    from llama_index.core.llms import LLM

    from eval.attack import Attack
    from eval.judge import Judge
    from rag.engine import AnswerEngine
    from rag.records import Paper

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

DataDir = Annotated[
    Path | None,
    typer.Option(help="The index; else RAG_DATA_DIR, else the user data folder.", show_default=False),
]
NoLlm = Annotated[bool, typer.Option("--no-llm", help="Quote the abstracts; let no model write.")]
JsonOut = Annotated[Path | None, typer.Option("--json", help="Write the results here.", show_default=False)]
ReportDir = Annotated[
    Path | None, typer.Option("--report", help="Write a page for the browser here.", show_default=False)
]
Seed = Annotated[int, typer.Option(min=0, help="Of resampling and of changed questions.")]


@app.callback()
def main() -> None:
    """Measure the answers, the lists, the ranking and the speed."""


@app.command()
def run(
    questions: Annotated[Path | None, typer.Option(help="A question file; else the shipped one.")] = None,
    data_dir: DataDir = None,
    no_llm: NoLlm = False,
    json_out: JsonOut = None,
    report_dir: ReportDir = None,
    baseline: Annotated[Path | None, typer.Option(help="Compare with this earlier --json file.")] = None,
    gate: Annotated[
        list[str] | None, typer.Option(help="A figure whose fall fails the comparison; repeatable.")
    ] = None,
    max_broken: Annotated[int, typer.Option(min=0, help="Cases that may flip to failing.")] = 2,
    perturb: Annotated[bool, typer.Option("--perturb", help="Ask under harmless changes too.")] = False,
    inject: Annotated[bool, typer.Option("--inject", help="Ask with hostile papers added too.")] = False,
    judge: Annotated[
        bool, typer.Option("--judge", help="Let a model judge the answers; never gates.")
    ] = False,
    judge_model: Annotated[str | None, typer.Option(help="Another model than RAG_CHAT_MODEL.")] = None,
    judge_repeats: Annotated[int, typer.Option(min=3, help="How often each answer is judged.")] = 3,
    failures: Annotated[bool, typer.Option("--failures", help="Print each failing case and why.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was broken off.")] = False,
    seed: Seed = 0,
) -> None:
    """Ask a question set and report every measure with its 95 % interval."""
    from rich.console import Console

    from eval.cases import DEFAULT_QUESTIONS, load_cases, require_papers
    from eval.comparison import GATED, compare, read_run, require_figures
    from eval.files import write_json
    from eval.pages import write_report
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
    asked_judge = _judge(settings, judge_model) if judge else None
    engine = open_engine(settings, progress=True)
    require_papers(cases, [paper.id for paper in engine.papers], path.name, str(settings.data_dir))
    with _injected(settings) if inject else nullcontext() as injected:
        runner = Runner(engine, use_llm=not no_llm, seed=seed, perturb=perturb, injected=injected)
        report = summarise(complete_run(runner, cases, path, resume=resume), seed)
    if asked_judge:
        opinion = asked_judge.judge(report.run.outcomes, engine.papers, judge_repeats, seed)
        report = replace(report, judge=opinion)
    console = Console()
    print_report(report, console)
    if failures:
        print_failures(report.run.outcomes, console)
    if json_out:
        write_json(json_out, report.as_json())
    comparison = compare(report.run, old, seed, gates, max_broken) if old else None
    if comparison:
        print_comparison(comparison, console)
    if report_dir:
        write_report(report_dir, report, comparison)
    if comparison and comparison.alarms:
        raise typer.Exit(1)


@app.command()
def which(
    labels: Annotated[Path, typer.Option(help="Judged questions; eval/README.md gives the schema.")],
    data_dir: DataDir = None,
    no_llm: NoLlm = False,
    leave_one_out: Annotated[
        bool, typer.Option("--leave-one-out", help="Decide each question by a fit that never saw it.")
    ] = False,
    json_out: JsonOut = None,
    seed: Seed = 0,
) -> None:
    """Measure "which papers ...?" against judged lists: precision, recall, F1 of the papers decided yes."""
    from rich.console import Console
    from tqdm import tqdm

    from eval.files import write_json
    from eval.tables import print_lists
    from eval.which import as_json, load_labels, require_known, score_labels
    from rag.assembly import open_engine, open_index

    questions = load_labels(labels)
    settings = Settings.load(data_dir=data_dir)
    with open_index(settings, progress=True) as index:
        require_known(questions, {paper.id for paper in index.papers}, labels.name, str(settings.data_dir))
        if leave_one_out:
            _require_sklearn()
            from eval.leave_one_out import score_left_out

            asked = score_left_out(labels, questions, index)
        else:
            asked = score_labels(open_engine(settings), questions, use_llm=not no_llm)
        scores = dict(tqdm(asked, total=len(questions), unit="question", file=sys.stderr, disable=None))
    print_lists(scores, seed, Console())
    if json_out:
        write_json(json_out, as_json(scores, seed))


@app.command()
def twins(
    pairs: Annotated[Path | None, typer.Option(help="Pairs of questions; else the shipped ones.")] = None,
    data_dir: DataDir = None,
    no_llm: NoLlm = False,
    json_out: JsonOut = None,
    seed: Seed = 0,
) -> None:
    """Measure whether Chinese "which papers ...?" list what their English twins list."""
    from rich.console import Console
    from tqdm import tqdm

    from eval.files import write_json
    from eval.tables import print_twins
    from eval.twins import TWINS, as_json, compare_twins, load_twins
    from rag.assembly import open_engine

    asked = load_twins(pairs or TWINS)
    engine = open_engine(Settings.load(data_dir=data_dir), progress=True)
    compared = compare_twins(engine, asked, use_llm=not no_llm)
    found = dict(tqdm(compared, total=len(asked), unit="pair", file=sys.stderr, disable=None))
    print_twins(found, seed, Console())
    if json_out:
        write_json(json_out, as_json(found, seed))


@app.command()
def beir(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set in BEIR layout.")],
    split: Annotated[str | None, typer.Option(help="qrels/SPLIT.tsv; else test, or the only one.")] = None,
    json_out: JsonOut = None,
    run_file: Annotated[Path | None, typer.Option(help="Write the rankings in TREC format.")] = None,
    seed: Seed = 0,
) -> None:
    """Measure the retriever, and by how much it beats each of the two rankings that it fuses, on a data set
    in BEIR layout, which is indexed once into a folder of its own."""
    from platformdirs import user_cache_path
    from rich.console import Console

    from eval.beir import as_json, index_key, query_scores, rank_queries, read_collection, summarise, trec_run
    from eval.files import write_json, write_text
    from eval.single_rankings import gains, single_rankings
    from eval.tables import print_estimates
    from rag.assembly import open_index
    from rag.engine import PaperQueryEngine
    from rag.index.chunking import CHUNKER
    from rag.index.embedding import open_embedding
    from rag.records import Reading

    collection = read_collection(folder, split)
    key = index_key(folder, open_embedding(Settings.load()).model_name, CHUNKER)
    settings = Settings.load(data_dir=user_cache_path("abstracts-chat", appauthor=False) / "beir" / key)
    with open_index(settings, fill=False, progress=True) as index:
        index.ingest(Reading(collection.papers), progress=True)
        rankings = rank_queries(PaperQueryEngine(index), collection.queries)
        single = single_rankings(index, collection.queries)
    scores = query_scores(rankings, collection.relevance)
    estimates = summarise(scores, seed)
    gained = gains(scores, single, collection.relevance, seed)
    console = Console()
    print_estimates(f"{collection.name}, {collection.split}", estimates, console)
    for name, differences in gained.items():
        print_estimates(f"Above {name} alone", differences, console)
    if run_file:
        write_text(run_file, trec_run(rankings, "abstracts-chat"))
    if json_out:
        write_json(json_out, as_json(collection, scores, estimates, gained))


@app.command()
def bench(
    papers: Annotated[Path | None, typer.Option(help="A paper list; else the default papers.")] = None,
    size: Annotated[
        list[int] | None, typer.Option(min=50, help="Papers to grow to; repeatable. Else 1,000 4,000 16,000.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="The best of so many counts.")] = 5,
    searched: Annotated[int, typer.Option(min=20, help="Papers that retrievals and lists search.")] = 100,
    json_out: JsonOut = None,
    report_dir: ReportDir = None,
) -> None:
    """Measure speed and memory as ratios to the bare parts, and how they grow with the papers."""
    from rich.console import Console

    from eval.bench import measure
    from eval.files import write_json, write_text
    from eval.growth import SIZES
    from eval.pages import bench_page
    from eval.tables import print_bench
    from rag.index.embedding import open_embedding
    from rag.sources import read_papers
    from rag.sources.seed import default_papers

    read = read_papers(papers).papers if papers else default_papers()
    measured = measure(read, open_embedding(Settings.load()), sorted(size or SIZES), rounds, searched)
    print_bench(measured, Console())
    if json_out:
        write_json(json_out, measured.as_json())
    if report_dir:
        write_text(report_dir / "bench.html", bench_page(measured))


def _judge(settings: Settings, model: str | None) -> "Judge":
    """Raises UsageError without an endpoint to ask."""
    if settings.openai_api_key is None:
        raise UsageError(
            "--judge needs a model.", "Set OPENAI_API_KEY, and OPENAI_BASE_URL for a server of yours."
        )
    from eval.judge import REPLY_TOKENS, Judge
    from rag.writing.endpoint import OPENAI_URL, open_llm, price_usd
    from rag.writing.spend import SpendLedger

    chosen = settings.model_copy(update={"chat_model": model or settings.chat_model})
    ledger = SpendLedger(settings.data_dir, settings.daily_spend_usd)
    price = partial(price_usd, chosen.chat_model, settings.openai_base_url or OPENAI_URL)
    return Judge(open_llm(chosen, REPLY_TOKENS), chosen.chat_model, ledger, price)


@contextmanager
def _injected(settings: Settings) -> "Iterator[AnswerEngine]":
    """The same engine over a copy of the index to which papers that give orders were added.

    What its model calls cost counts towards the cap of the original.
    """
    from eval.injections import INJECTED_PAPERS
    from rag.assembly import chat_model, open_index
    from rag.engine import PaperQueryEngine
    from rag.records import Reading
    from rag.writing.spend import SpendLedger
    from rag.writing.writer import open_writer

    with TemporaryDirectory(prefix="eval-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "index"
        try:
            shutil.copytree(settings.data_dir, copy, ignore=shutil.ignore_patterns("*.lock"))
        except OSError as error:
            raise StorageError(f"The index cannot be copied to {copy} ({error.strerror or error}).") from None
        with open_index(
            settings.model_copy(update={"data_dir": copy, "chroma_url": None}), fill=False
        ) as index:
            index.ingest(Reading(INJECTED_PAPERS), progress=True)
            writer = open_writer(settings, SpendLedger(settings.data_dir, settings.daily_spend_usd))
            yield PaperQueryEngine(index, writer, chat_model(settings) if writer else None)


@app.command()
def attack(
    cases: Annotated[Path | None, typer.Option(help="Attack cases; else the shipped ones.")] = None,
    papers: Annotated[
        Path | None, typer.Option(help="A paper list to attack; else the default papers.")
    ] = None,
    json_out: JsonOut = None,
) -> None:
    """Attack the chat by papers and questions, with and without a model that obeys every order it sees."""
    from rich.console import Console

    from eval.attack import ATTACKS, as_json, ask_all, load_attacks
    from eval.files import write_json
    from eval.trust_tables import print_attacks
    from rag.sources import read_papers
    from rag.sources.seed import default_papers

    attacks = load_attacks(cases or ATTACKS)
    attacked = read_papers(papers).papers if papers else default_papers()
    with _under_attack(attacked, attacks) as (engines, secrets, told):
        verdicts = list(ask_all(attacks, engines, secrets, told))
    result = as_json(verdicts, attacks)
    print_attacks(verdicts, result, Console())
    if json_out:
        write_json(json_out, result)
    if any(verdict.wrong for verdict in verdicts):
        raise typer.Exit(1)


@contextmanager
def _under_attack(
    papers: "Sequence[Paper]", attacks: "Sequence[Attack]"
) -> "Iterator[tuple[dict[str, AnswerEngine], list[str], list[str]]]":
    """Engines over these papers and the attacking ones, what they must keep to themselves, and what their
    models are told."""
    from eval.attack import orders
    from eval.obedient import ObedientModel
    from rag.assembly import open_index
    from rag.engine import PaperQueryEngine
    from rag.records import Reading
    from rag.writing.briefing import brief
    from rag.writing.spend import SpendLedger
    from rag.writing.writer import Writer

    with TemporaryDirectory(prefix="eval-", ignore_cleanup_errors=True) as folder:
        settings = Settings.load().model_copy(update={"data_dir": Path(folder), "chroma_url": None})
        with open_index(settings, fill=False) as index:
            index.ingest(Reading((*papers, *(a.paper for a in attacks if a.paper))), progress=True)

            def engine(model: "LLM | None") -> PaperQueryEngine:
                ledger = SpendLedger(Path(folder), 1.0)
                return PaperQueryEngine(index, Writer(model, "obedient", 16_000, ledger) if model else None)

            engines: dict[str, AnswerEngine] = {
                "extractive": engine(None),
                "obedient": engine(ObedientModel(orders(attacks))),
                "obedient late": engine(ObedientModel(orders(attacks), late=True)),
                "captured": engine(ObedientModel(orders(attacks, captured=True))),
                "captured late": engine(ObedientModel(orders(attacks, captured=True), late=True)),
            }
            key = settings.openai_api_key
            secrets = [folder, *([key.get_secret_value()] if key else [])]
            yield engines, secrets, list(brief("?", "en", (), (), 16_000).instructions)


@app.command()
def support(
    bench: Annotated[
        Path, typer.Option(envvar="RAG_BENCH_DATA", help="The reference data; else RAG_BENCH_DATA.")
    ],
    seed: Seed = 0,
) -> None:
    """Measure how well the verifier's signals tell supported claims from others, on labelled claims."""
    _require_sklearn()
    from rich.console import Console

    from eval.support import areas, columns, read, rows, verdict_shares
    from eval.trust_tables import print_areas, print_verdicts
    from rag.grounding.nearness import nearness_by
    from rag.index.embedding import open_embedding

    claims = read(bench)
    table = rows(claims, nearness_by(open_embedding(Settings.load())))
    print_areas(areas(claims, columns(claims, table), seed), Console())
    print_verdicts(verdict_shares(claims, table), Console())


@app.command()
def fit(
    bench: Annotated[
        Path, typer.Option(envvar="RAG_BENCH_DATA", help="The reference data; else RAG_BENCH_DATA.")
    ],
) -> None:
    """Fit the small numbers in rag/data anew; the indexes it needs are kept in the cache folder."""
    _require_sklearn()
    from platformdirs import user_cache_path

    from eval.fit import fit_all
    from rag.index.embedding import open_embedding

    folder = user_cache_path("abstracts-chat", appauthor=False) / "fit"
    fit_all(bench, folder, open_embedding(Settings.load()), typer.echo)


def _require_sklearn() -> None:
    """Raises UsageError where the fitting library is not installed."""
    from importlib.util import find_spec

    if find_spec("sklearn") is None:
        raise UsageError("Fitting needs scikit-learn.", "Install it with: pip install -e '.[fit]'")


def command_line() -> int:
    """Runs the command line and returns its exit code; an error becomes one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character still shows the rest
    try:
        return int(app(standalone_mode=False, prog_name="python -m eval") or 0)
    except RagError as error:
        return _fail(str(error), error.exit_code)
    except TyperException as error:
        return _fail(
            f"{error.format_message().rstrip('.')}. See python -m eval --help.", UsageError.exit_code
        )
    except BrokenPipeError:  # whoever read the output has left, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return _fail("Broken off.", 130)
    except Exception as error:
        if os.environ.get("RAG_DEBUG"):
            raise
        return _fail(f"Unexpected failure ({type(error).__name__}). Set RAG_DEBUG=1 to see where.", 1)


def _fail(message: str, exit_code: int) -> int:
    typer.echo(" ".join(message.split()), err=True)
    return exit_code


if __name__ == "__main__":
    sys.exit(command_line())
