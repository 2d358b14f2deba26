"""Runs from start to end: crashes are results, a broken-off run goes on, errors are one clear line."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eval_oracle import CASES, NO_TURNS, Oracle

import rag.assembly
from eval.__main__ import command_line
from eval.cases import DEFAULT_QUESTIONS, Case, load_cases
from eval.comparison import GATED, compare, read_run
from eval.files import write_json, write_text
from eval.measures import FIGURES
from eval.report import ALWAYS, summarise
from eval.run import Outcome, Run
from eval.runner import Runner
from eval.session import Interrupted, complete_run
from rag.errors import StorageError, UsageError
from rag.records import Answer, Conversation, TextDelta

LINE = {"id": "x", "kind": "lookup", "question": "q?", "answerable": True, "gold": []}


class Falling(Oracle):
    """Crashes on one case; is broken off by its user at another."""

    def __init__(self, crash_at: str = "", break_at: str = "") -> None:
        super().__init__()
        self.crash_at, self.break_at = crash_at, break_at

    def answer(self, case: Case, conversation: Conversation) -> Answer:
        if case.id == self.crash_at:
            raise ValueError("the model\nfell over")
        if case.id == self.break_at:
            raise KeyboardInterrupt
        return super().answer(case, conversation)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def eval_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Runs `python -m eval ...` on a scripted engine; returns the exit code."""
    engines = {"engine": Oracle()}
    monkeypatch.setattr(rag.assembly, "open_engine", lambda settings, *, progress=False: engines["engine"])

    def command(*arguments: object, engine: Oracle | None = None) -> int:
        engines["engine"] = engine or Oracle()
        given = ["eval", *map(str, arguments)]
        if "run" in given:
            given += ["--data-dir", str(tmp_path / "data")]
        monkeypatch.setattr("sys.argv", given)
        return command_line()

    return command


# --- the question file ---


def test_the_shipped_questions_are_read_whole() -> None:
    assert len(CASES) == 71
    by_id = {case.id: case for case in CASES}
    assert by_id["dev-followup-04"].turns == ("有没有做联邦学习的论文？", "服务器端是怎么聚合的？")
    assert by_id["dev-followup-04"].language == "zh"
    assert by_id["dev-metadata-01"].asks_for_list
    assert not by_id["dev-metadata-02"].asks_for_list
    assert [case.id for case in CASES if case.counts_corpus] == ["dev-metadata-04"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "holds no case"),
        ("{", "line 1: Invalid JSON"),
        (json.dumps({**LINE, "kind": "riddle"}), "line 1: kind: Input should be"),
        (json.dumps({**LINE, "question": " "}), "needs a question or turns"),
        (json.dumps({**LINE, "nuggets": [["("]]}), "is no regular expression"),
        (json.dumps({k: v for k, v in LINE.items() if k != "gold"}), "gold: Field required"),
        ("\n".join([json.dumps(LINE)] * 2), "names the id 'x' twice"),
    ],
)
def test_a_bad_question_file_is_one_clear_line(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=complaint) as error:
        load_cases(path)
    assert "\n" not in str(error.value)


def test_a_question_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_cases(tmp_path / "none.jsonl")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="cannot be read"):
        load_cases(tmp_path / "binary")


# --- the runner ---


def test_a_crash_is_a_result_and_counts_as_a_failure() -> None:
    outcomes = tuple(Runner(Falling(crash_at="dev-lookup-03")).run(CASES))
    assert len(outcomes) == 71
    crashed = next(outcome for outcome in outcomes if outcome.error)
    assert crashed.case.id == "dev-lookup-03"
    assert crashed.error == "the engine: ValueError: the model fell over"
    assert crashed.why == ("crashed in the engine: ValueError: the model fell over",)
    assert (
        crashed.scores["strict_pass"]
        == crashed.scores["nugget_recall"]
        == crashed.scores["citation_recall"]
        == 0
    )
    report = summarise(Run(outcomes), 0)
    assert report.metrics["strict_pass"].value == 70 / 71
    assert report.as_json()["cases"][2]["error"]


def test_a_measure_that_crashes_is_named_and_the_others_stand() -> None:
    odd = Case("odd", "lookup", CASES[0].turns, gold=CASES[0].gold, nuggets=(("(",),))
    outcome = Runner(Oracle()).outcome(odd)
    assert "nugget_recall: " in outcome.error
    assert not outcome.passed
    assert outcome.scores["citation_precision"] == 1


def test_a_stream_without_an_answer_is_a_crash() -> None:
    class Silent(Oracle):
        def stream(
            self, question: str, conversation: Conversation = NO_TURNS, *, use_llm: bool = True
        ) -> Iterator[TextDelta | Answer]:
            yield TextDelta("Well")

    assert "the stream ended without an answer" in Runner(Silent()).outcome(CASES[0]).error


def test_turns_share_one_conversation_and_cases_do_not() -> None:
    seen: list[tuple[str, int]] = []

    class Listening(Oracle):
        def ask(
            self, question: str, conversation: Conversation = NO_TURNS, *, use_llm: bool = True
        ) -> Answer:
            seen.append((question, len(conversation.turns)))
            return super().ask(question, conversation, use_llm=use_llm)

    followups = [case for case in CASES if case.kind == "followup"]
    list(Runner(Listening()).run(followups))
    assert [turns for _, turns in seen] == [0, 1] * len(followups)


def test_a_run_takes_little_longer_than_its_answers() -> None:
    class Slow(Oracle):
        def ask(
            self, question: str, conversation: Conversation = NO_TURNS, *, use_llm: bool = True
        ) -> Answer:
            time.sleep(0.04)  # about the median of the real engine
            return super().ask(question, conversation, use_llm=use_llm)

    summarise(Run(tuple(Runner(Oracle()).run(CASES[:10]))), 0)  # the imports of a first summary
    start = time.perf_counter()
    outcomes = tuple(Runner(Slow()).run(CASES))
    summarise(Run(outcomes), 0)
    whole = time.perf_counter() - start
    assert whole <= 3 * sum(outcome.seconds_all_turns for outcome in outcomes)


# --- reports ---


def test_the_same_seed_gives_the_same_figures() -> None:
    outcomes = tuple(Runner(Oracle(), perturb=True, seed=4).run(CASES))
    again = tuple(Runner(Oracle(), perturb=True, seed=4).run(CASES))
    one, two = summarise(Run(outcomes), 4), summarise(Run(again), 4)
    timed = {name for name in one.metrics if "seconds" in name}
    assert {n: v for n, v in one.metrics.items() if n not in timed} == {
        n: v for n, v in two.metrics.items() if n not in timed
    }
    assert summarise(Run(outcomes), 4).as_json() == one.as_json()


def test_a_report_holds_the_names_that_others_read_even_where_nothing_applies() -> None:
    only_lists = [case for case in CASES if case.kind == "enumerate"]
    report = summarise(Run(tuple(Runner(Oracle()).run(only_lists))), 0).as_json()
    assert set(report["metrics"]) >= ALWAYS
    assert report["metrics"]["followup_pass"] == {"value": None, "low": None, "high": None, "n": 0}
    assert set(report["by_kind"]) == {"enumerate"}
    assert report["stages"]["retrieve"]["p50"]["value"] == 0.01
    assert set(report["cases"][0]) >= {"id", "kind", "passed", "why", "scores", "answer"}


def test_an_outcome_survives_its_line() -> None:
    outcome = Runner(Falling(crash_at="dev-lookup-02"), perturb=True).outcome(CASES[0])
    assert Outcome.from_line(outcome.as_line()) == outcome


def test_a_report_is_a_baseline(tmp_path: Path) -> None:
    run = Run(tuple(Runner(Oracle()).run(CASES)), {"papers": 19})
    write_json(tmp_path / "old.json", summarise(run, 0).as_json())
    old = read_run(tmp_path / "old.json")
    comparison = compare(run, old, 0)
    assert comparison.alarms == comparison.broke == comparison.mended == ()
    assert {name for name, change in comparison.changes.items() if change.difference.value} == set()
    worse = Run(tuple(Runner(Falling(crash_at="dev-lookup-03")).run(CASES)), {"papers": 20})
    comparison = compare(worse, old, 0)
    assert comparison.broke == ("dev-lookup-03",)
    assert comparison.alarms == ()
    assert comparison.settings == {"papers": (19, 20)}
    assert compare(run, worse, 0).mended == ("dev-lookup-03",)
    assert compare(worse, old, 0, max_broken=0).alarms == ("1 cases flipped to failing, 0 are tolerated",)
    part = Run(run.outcomes[1:], {})
    assert compare(part, old, 0).only_before == (CASES[0].id,)
    with pytest.raises(UsageError, match="no case in common"):
        compare(Run(run.outcomes[:1]), Run(run.outcomes[1:]), 0)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"cases": [{}], "settings": {}}', '{"cases": 3, "settings": {}}']
)
def test_a_baseline_that_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(text)
    with pytest.raises(UsageError, match="is no report"):
        read_run(tmp_path / "old.json")


def test_files_are_whole_or_not_there(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / "a.txt", "x")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.txt"]
    with pytest.raises(StorageError, match="cannot be written"):
        write_text(tmp_path / "new" / "a.txt" / "b.txt", "x")


# --- broken off and resumed ---


def test_a_broken_off_run_goes_on_where_it_was(tmp_path: Path) -> None:
    with pytest.raises(Interrupted, match=r"30 of 71 cases are kept.*--resume"):
        complete_run(Runner(Falling(break_at=CASES[30].id)), CASES, DEFAULT_QUESTIONS)
    kept = next((tmp_path / "cache").rglob("*.partial.jsonl"))
    kept.write_text(kept.read_text(encoding="utf-8") + '{"case": {"id": "cut off', encoding="utf-8")
    engine = Oracle()
    run = complete_run(Runner(engine), CASES, DEFAULT_QUESTIONS, resume=True)
    assert [outcome.case.id for outcome in run.outcomes] == [case.id for case in CASES]
    assert CASES[29].question not in engine.asked
    assert CASES[30].question in engine.asked
    assert not kept.exists()
    whole = complete_run(Runner(Oracle()), CASES, DEFAULT_QUESTIONS)
    assert [outcome.passed for outcome in whole.outcomes] == [outcome.passed for outcome in run.outcomes]


def test_a_run_with_other_settings_is_not_resumed() -> None:
    with pytest.raises(Interrupted):
        complete_run(Runner(Falling(break_at=CASES[3].id)), CASES, DEFAULT_QUESTIONS)
    with pytest.raises(UsageError, match="No run with these questions, papers and settings was broken off"):
        complete_run(Runner(Oracle(), seed=1), CASES, DEFAULT_QUESTIONS, resume=True)


# --- the command line ---


def test_run_prints_a_table_and_writes_json(
    eval_command: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert eval_command("run", "--json", tmp_path / "out.json") == 0
    printed = capsys.readouterr().out
    assert "strict_pass" in printed
    assert "By kind" in printed
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert set(report) >= {"metrics", "by_kind", "cases", "settings"}
    assert report["metrics"]["strict_pass"]["value"] == 1
    assert report["settings"]["questions"] == "dev.jsonl"


def test_run_against_a_baseline_fails_when_a_gate_does(
    eval_command: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = tmp_path / "old.json"
    assert eval_command("run", "--json", baseline) == 0
    assert eval_command("run", "--baseline", baseline) == 0
    falling = Falling(crash_at="dev-lookup-01")
    assert eval_command("run", "--baseline", baseline, engine=falling) == 0
    assert "flipped to failing (1): dev-lookup-01" in capsys.readouterr().out
    assert eval_command("run", "--baseline", baseline, "--max-broken", 0, engine=falling) == 1
    assert "GATE: 1 cases flipped" in capsys.readouterr().out
    assert eval_command("run", "--failures", engine=falling) == 0
    assert "dev-lookup-01: crashed in the engine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["run", "--questions", "none.jsonl"], "The question file none.jsonl cannot be read"),
        (["run", "--baseline", "none.json"], "The baseline none.json cannot be read"),
        (["run", "--gate", "beauty"], "'beauty' is no figure that can be gated."),
        (["run", "--gate", "list_length"], "'list_length' is no figure that can be gated."),
        (["run", "--nonsense"], "No such option"),
        (["run", "--seed", "x"], "Invalid value for '--seed'"),
        (["guess"], "No such command"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    eval_command: Any, arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert eval_command(*arguments) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1


def test_questions_about_papers_that_are_not_there(
    eval_command: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps({**LINE, "gold": ["zzz"]}))
    assert eval_command("run", "--questions", tmp_path / "q.jsonl") == 2
    assert "python -m rag ingest" in capsys.readouterr().err


def test_ctrl_c_is_one_line_and_exit_code_130(eval_command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert eval_command("run", engine=Falling(break_at=CASES[5].id)) == 130
    assert "5 of 71 cases are kept. Go on with the same command and --resume." in capsys.readouterr().err
    assert eval_command("run", "--resume") == 0


def test_what_nobody_foresaw_is_one_line_too(
    eval_command: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(self: Oracle) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Oracle, "describe", broken)
    assert eval_command("run") == 1
    assert (
        capsys.readouterr().err == "Unexpected failure (ZeroDivisionError). Set RAG_DEBUG=1 to see where.\n"
    )
    monkeypatch.setenv("RAG_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        eval_command("run")


# --- the documentation ---


def test_the_readme_tells_every_figure_and_gate() -> None:
    readme = (Path(__file__).parents[1] / "eval" / "README.md").read_text(encoding="utf-8")
    table = readme[readme.index("| figure |") :]
    for figure in FIGURES:
        name = figure.name
        told = (
            f"`{name}`" in table or name.startswith("robustness_") or f"`_{name.rsplit('_', 1)[1]}`" in table
        )
        assert told, name
    for gate in GATED:
        assert f"`{gate}`" in readme[readme.index("Gated unless") :], gate


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (Path(__file__).parents[1] / "eval" / "README.md").read_text(encoding="utf-8")
    example = readme.split("```python\n")[1].split("```")[0]
    exec(compile(example, "eval/README.md", "exec"), {"engine": Oracle()})  # noqa: S102
    assert "Estimate(value=1.0, low=0.94" in capsys.readouterr().out
