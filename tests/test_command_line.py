"""`python -m rag` as its users meet it: real processes, their output, their exit codes."""

import gzip
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from scripted_endpoint import Refusal, ScriptedEndpoint
from scripted_engine import Line, ScriptedEngine

from rag.engine import ChatModel
from rag.index.papers import PaperTable
from rag.records import Answer, Citation, Conversation, Receipt
from rag.sources.seed import default_papers
from rag.terminal import print_answer, print_answer_json

RAG = (sys.executable, "-m", "rag")
CONFORMAL = "which papers use conformal prediction?"


def run(*arguments: object, **variables: str) -> "subprocess.CompletedProcess[str]":
    """The command line with these arguments, and these environment variables besides the newcomer's."""
    return subprocess.run(
        [*RAG, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **variables},
    )


def succeed(*arguments: object, **variables: str) -> str:
    """Standard output of a run that succeeds."""
    done = run(*arguments, **variables)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def as_json(*arguments: object, **variables: str) -> Any:
    return json.loads(succeed(*arguments, "--json", **variables))


def assert_one_line(done: "subprocess.CompletedProcess[str]", exit_code: int, *words: str) -> None:
    assert (done.returncode, done.stdout) == (exit_code, "")
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the default papers; tests that write take a copy."""
    folder = tmp_path_factory.mktemp("built") / "data"
    assert run("status", "--data-dir", folder).returncode == 0
    return folder


@pytest.fixture
def data(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "data"))


def fingerprint(folder: Path) -> str:
    """Of the index in a folder, read here: starting a process for it takes seconds."""
    table = PaperTable(folder / "papers.sqlite3")
    try:
        return table.meta()["fingerprint"]
    finally:
        table.close()


def papers_file(path: Path, count: int = 2) -> Path:
    records = [
        {
            "id": f"new{n}",
            "title": f"Paper {n}",
            "abstract": f"We study the lists of papers, part {n}. 论文列表。",
        }
        for n in range(count)
    ]
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


# --- start, usage


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], {"chromadb", "llama_index", "numpy", "openai", "gradio"}),
        (["ask"], {"chromadb", "llama_index", "numpy", "openai", "gradio"}),
        (["ingest", "PAPERS", "--dry-run"], {"chromadb", "onnxruntime", "openai", "gradio"}),
        (["ingest", "PAPERS"], {"openai", "gradio", "ui"}),
        (["status"], {"openai", "gradio", "ui"}),
    ],
)
def test_a_command_imports_no_more_than_it_needs(data: Path, arguments: list[str], absent: set[str]) -> None:
    papers = papers_file(data.parent / "papers.json")
    script = f"""
import sys
sys.argv = ["rag", *{[str(papers) if a == "PAPERS" else a for a in arguments]!r}]
from rag.__main__ import main
main()
found = {absent!r} & set(sys.modules)
assert not found, found
"""
    environment = {**os.environ, "RAG_DATA_DIR": str(data)}
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, env=environment)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["Missing command"]),
        (["frobnicate"], ["No such command", "frobnicate"]),
        (["ask"], ["Missing argument", "question"]),
        (["ask", "a", "b"], ["unexpected extra argument"]),
        (["ask", "a", "--colour"], ["No such option", "--colour"]),
        (["ingest"], ["Missing argument", "PATH"]),
        (["status", "--data-dir"], ["--data-dir"]),
    ],
)
def test_bad_usage_is_one_line(arguments: list[str], words: list[str]) -> None:
    assert_one_line(run(*arguments), 2, *words, "python -m rag --help")


def test_a_setting_that_makes_no_sense_is_one_line(tmp_path: Path) -> None:
    done = run("status", "--data-dir", tmp_path / "data", RAG_CHAT_WINDOW="wide")
    assert_one_line(done, 2, "RAG_CHAT_WINDOW")
    assert not (tmp_path / "data").exists()


# --- ask, chat-file

ANSWER_KEYS = {
    "question", "kind", "language", "text", "abstained", "confidence", "citations", "papers", "count",
    "receipt",
}  # fmt: skip


def test_ask_as_json_has_the_documented_shape(built: Path) -> None:
    answer = as_json("ask", CONFORMAL, "--data-dir", built)
    assert set(answer) >= ANSWER_KEYS
    assert answer["question"] == CONFORMAL
    assert answer["kind"] == "enumerate"
    assert [paper["id"] for paper in answer["papers"] if paper["decision"] == "yes"] == ["9WYMDgxDac"]
    assert answer["count"] == 1
    citation = answer["citations"][0]
    assert set(citation["paper"]) >= {"id", "title", "authors", "venue", "year", "track", "url"}
    assert {"sentence", "quote", "verdict"} <= set(citation["spans"][0])
    receipt = {"mode", "model", "searched_for", "considered", "seconds", "tokens", "cost_usd"}
    assert receipt <= set(answer["receipt"])
    assert answer["receipt"]["considered"] == 19


def test_ask_prints_the_answer_then_the_papers_it_cites(built: Path) -> None:
    shown = succeed("ask", CONFORMAL, "--data-dir", built)
    (paper,) = (paper for paper in default_papers() if paper.id == "9WYMDgxDac")
    text, _, sources = shown.partition(f"\n[1] {paper.title}\n")
    assert "[1]" in text
    assert paper.authors[0] in sources
    assert f"ICLR 2025 ({paper.track})" in sources
    assert str(paper.url) in sources


def test_ask_says_what_became_of_any_paper(built: Path) -> None:
    shown = succeed("ask", CONFORMAL, "--data-dir", built, "--why-not", "CtM5xjRSfm")
    assert "AlgoPerf" in shown.splitlines()[-1]
    assert "left out" in shown.splitlines()[-1]
    lines = succeed("ask", CONFORMAL, "--data-dir", built, "--json", "--why-not", "9WYMDgxDac").splitlines()
    answer, fate = map(json.loads, lines)
    assert set(answer) >= ANSWER_KEYS
    assert (fate["paper_id"], fate["stage"], fate["rank"]) == ("9WYMDgxDac", "answer", 1)


def test_chat_file_is_one_conversation_with_an_answer_a_line(built: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.txt"
    file.write_bytes(b"\xef\xbb\xbfWhat is GNN-Diff?\r\n\r\nWho wrote it?\r\n")
    lines = succeed("chat-file", file, "--json", "--data-dir", built).splitlines()
    answers = [json.loads(line) for line in lines]
    assert [answer["question"] for answer in answers] == ["What is GNN-Diff?", "Who wrote it?"]
    assert "Lequan Lin" in answers[1]["text"]
    first, second = ({c["paper"]["id"]: c["number"] for c in a["citations"]} for a in answers)
    assert first["D756s2YQ6b"] == second["D756s2YQ6b"]
    assert "> Who wrote it?" in succeed("chat-file", file, "--data-dir", built)


@pytest.mark.parametrize(
    ("question", "words"), [("", ["empty"]), (" \n", ["empty"]), ("why " * 25_000, ["characters"])]
)
def test_a_question_that_cannot_be_asked_is_one_line(built: Path, question: str, words: list[str]) -> None:
    assert_one_line(run("ask", question, "--data-dir", built), 2, *words)


def test_an_argument_that_is_no_text_does_not_stop_it(built: Path) -> None:
    command = [
        *(part.encode() for part in RAG),
        b"ask",
        b"graphs \xff\xfe",
        b"--json",
        b"--data-dir",
        bytes(built),
    ]
    done = subprocess.run(command, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    json.loads(done.stdout)


@pytest.mark.parametrize(
    "locale", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_a_terminal_that_lacks_characters_does_not_stop_it(
    built: Path, tmp_path: Path, locale: Mapping[str, str]
) -> None:
    papers = papers_file(tmp_path / "papers.json")
    listed = as_json("ingest", papers, "--dry-run", "--data-dir", built, **locale)["papers"]
    assert listed[0]["abstract"].endswith("论文列表。")
    assert "[1]" in succeed("ask", "哪些论文使用了 conformal prediction？", "--data-dir", built, **locale)


# --- a model writes


def test_on_a_terminal_a_models_text_appears_once_with_its_sources(built: Path) -> None:
    text = "GNN-Diff generates high-performing GNNs with a latent diffusion framework [1]."
    with ScriptedEndpoint() as endpoint:
        endpoint.answer_with(lambda request: text)
        settings = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": endpoint.url, "COLUMNS": "500"}
        terminal, other_end = pty.openpty()
        command = [*RAG, "ask", "What does GNN-Diff generate?", "--data-dir", str(built)]
        with subprocess.Popen(command, stdout=other_end, env={**os.environ, **settings}) as process:
            os.close(other_end)
            shown = read_all(terminal)
        assert process.returncode == 0
        assert endpoint.requests
    assert shown.count("latent diffusion framework [1]") == 1
    assert "\n[1] Diffusing to the Top" in shown


def read_all(terminal: int) -> str:
    """What was written to a terminal until its last writer left."""
    blocks = []
    while True:
        try:
            block = os.read(terminal, 4096)
        except OSError:  # Linux says so when the other end is closed
            block = b""
        if not block:
            os.close(terminal)
            return b"".join(blocks).decode().replace("\r\n", "\n")
        blocks.append(block)


def test_a_model_that_fails_leaves_an_answer_and_a_notice(built: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        endpoint.answer_with(lambda request: Refusal(401))
        settings = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": endpoint.url}
        plain = run("ask", "What is GNN-Diff?", "--data-dir", built, **settings)
        done = run("ask", "What is GNN-Diff?", "--json", "--data-dir", built, **settings)
        quoted = run("ask", "What is GNN-Diff?", "--no-llm", "--json", "--data-dir", built, **settings)
    assert (plain.returncode, plain.stderr) == (0, "")
    assert "Note: " in plain.stdout
    assert done.returncode == 0
    assert json.loads(done.stdout)["receipt"]["notice"] in done.stderr
    assert (quoted.returncode, quoted.stderr) == (0, "")


def scripted(text: str, notice: str = "") -> tuple[ScriptedEngine, Answer]:
    paper = default_papers()[0]
    answer = Answer(
        "Q", "lookup", "en", text, citations=(Citation(1, paper),), receipt=Receipt(notice=notice)
    )
    line = Line(["Half of ", "it\x1b[31m"], answer)
    return ScriptedEngine([paper], {"Q": line}, ChatModel("m", "https://example.org")), answer


def test_a_text_that_did_not_stand_is_replaced_in_sight(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, answer = scripted("The whole [1].", notice="The model stopped half-way.")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert print_answer(engine, "Q", Conversation()) is answer
    shown = capsys.readouterr().out
    assert shown.startswith(
        "Half of it[31m\n\nThe text above did not stand; the answer is:\n\nThe whole [1].\n"
    )
    assert "[1] Diffusing" in shown
    assert shown.endswith("\nNote: The model stopped half-way.\n")


def test_a_pipe_gets_the_settled_text_alone(capsys: pytest.CaptureFixture[str]) -> None:
    engine, _ = scripted("The whole [1].", notice="Noticed.")
    print_answer(engine, "Q", Conversation())
    assert capsys.readouterr().out.startswith("The whole [1].\n\n[1] Diffusing")
    print_answer_json(engine, "Q", Conversation())
    printed = capsys.readouterr()
    assert json.loads(printed.out)["text"] == "The whole [1]."
    assert printed.err == "Noticed.\n"


# --- ingest, status


def test_status_describes_the_index(built: Path) -> None:
    described = as_json("status", "--data-dir", built)
    assert described["papers"] == 19
    assert described["passages"] >= 19
    assert {"model", "fingerprint", "dimensions", "chunker", "bytes_on_disk"} <= set(described)
    shown = succeed("status", "--data-dir", built)
    assert "papers          19\n" in shown
    assert described["fingerprint"] in shown


def test_a_new_folder_gets_the_default_papers_before_what_is_ingested(tmp_path: Path) -> None:
    report = as_json("ingest", papers_file(tmp_path / "papers.json"), "--data-dir", tmp_path / "data")
    assert report == {"read": 2, "added": 2, "updated": 0, "unchanged": 0, "skipped": []}
    assert as_json("status", "--data-dir", tmp_path / "data")["papers"] == 21


def test_ingesting_twice_changes_nothing_and_a_changed_record_is_updated(data: Path, tmp_path: Path) -> None:
    papers = papers_file(tmp_path / "papers.json")
    succeed("ingest", papers, "--list", "mine", "--data-dir", data)
    once = fingerprint(data)
    assert as_json("ingest", papers, "--data-dir", data)["unchanged"] == 2
    assert fingerprint(data) == once
    papers.write_text(papers.read_text().replace("Paper 1", "Paper one"))
    assert succeed("ingest", papers, "--data-dir", data) == (
        "2 read: 0 added, 1 updated, 1 unchanged, 0 skipped.\n"
    )
    assert fingerprint(data) != once
    assert as_json("status", "--data-dir", data)["lists"] == ["ICLR 2025", "mine"]


def test_the_bare_abstracts_of_known_papers_are_those_papers(data: Path, tmp_path: Path) -> None:
    bare = tmp_path / "list.txt"
    bare.write_text(
        "\n\n".join(["ICLR 2025 论文列表", *(p.abstract for p in default_papers())]), encoding="utf-8"
    )
    before = fingerprint(data)
    assert as_json("ingest", bare, "--data-dir", data)["unchanged"] == 19
    assert fingerprint(data) == before


def test_a_dry_run_reports_what_an_ingest_would_and_writes_nothing(data: Path, tmp_path: Path) -> None:
    papers = papers_file(tmp_path / "papers.json")
    with papers.open("r+", encoding="utf-8") as file:
        records = [*json.load(file), {"title": "No abstract"}, {"note": "no paper"}]
        records += [{"abstract": default_papers()[0].abstract}]
        file.seek(0)
        json.dump(records, file)
    before = fingerprint(data)
    dry = as_json("ingest", papers, "--dry-run", "--data-dir", data)
    assert dry["papers"][0] == {
        "id": "new0", "title": "Paper 0", "authors": [], "year": None, "venue": None,
        "abstract": "We study the lists of papers, part 0. 论文列表。",
    }  # fmt: skip
    assert dry["papers"][3]["id"] == default_papers()[0].id
    assert fingerprint(data) == before
    wet = as_json("ingest", papers, "--data-dir", data)
    assert {**dry, "papers": None} == {**wet, "papers": None}
    assert (wet["read"], wet["added"], wet["unchanged"]) == (5, 3, 1)
    assert wet["skipped"] == [
        {"where": "papers.json: record 4", "reason": "has neither a title nor an abstract"}
    ]
    assert "would be 3 added" in succeed("ingest", papers, "--dry-run", "--data-dir", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_many_skipped_records_are_listed_in_part(tmp_path: Path) -> None:
    lines = "\n".join(['{"title": "A"}', *["{}"] * 30])
    (tmp_path / "papers.jsonl").write_text(lines)
    shown = succeed("ingest", tmp_path / "papers.jsonl", "--dry-run", "--data-dir", tmp_path / "new")
    assert shown.startswith("31 read: would be 1 added, 0 updated, 0 unchanged, 30 skipped.\n")
    assert shown.endswith("  and 10 more, all listed with --json\n")
    assert shown.count("\n") == 22


BAD: dict[str, tuple[bytes, str]] = {
    "empty.txt": (b"", "is empty"),
    "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "binary file"),
    "note.txt": (b"buy milk\n", "no abstracts"),
    "fields.json": (b'[{"name": "x"}]', "no paper with a title or an abstract"),
    "cut.jsonl.gz": (gzip.compress(b'{"title": "A"}\n' * 900)[:-20], "ends too early"),
    "syntax.json": (b'[\n{"title": "A"},\n{"title" "B"}\n]', "line 3"),
}


def test_bad_input_is_one_line_and_leaves_the_index_alone(data: Path, tmp_path: Path) -> None:
    before = fingerprint(data)
    for name, (content, reason) in BAD.items():
        (tmp_path / name).write_bytes(content)
        assert_one_line(run("ingest", tmp_path / name, "--data-dir", data), 2, name, reason)
    assert_one_line(run("ingest", tmp_path / "absent", "--data-dir", data), 2, "no file or folder")
    (tmp_path / "hollow").mkdir()
    assert_one_line(run("ingest", tmp_path / "hollow", "--data-dir", data), 2, "no file with papers")
    good = papers_file(tmp_path / "papers.json")
    done = run("ingest", good, tmp_path / "empty.txt", "--data-dir", tmp_path / "new")
    assert_one_line(done, 2, "empty.txt")
    assert not (tmp_path / "new").exists()
    assert_one_line(run("chat-file", tmp_path / "absent", "--json", "--data-dir", data), 2, "absent")
    assert fingerprint(data) == before


def test_a_folder_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    papers_file(locked / "papers.json")
    locked.chmod(0)
    try:
        if os.access(locked, os.R_OK):
            pytest.skip("this user reads every folder")
        assert_one_line(run("ingest", locked, "--data-dir", tmp_path / "data"), 2, "locked")
    finally:
        locked.chmod(0o700)


def test_a_second_writer_is_one_line_and_readers_go_on(data: Path, tmp_path: Path) -> None:
    before = fingerprint(data)
    with FileLock(data / "write.lock"):
        done = run("ingest", papers_file(tmp_path / "papers.json"), "--data-dir", data)
        assert_one_line(done, 1, "Another process is writing", str(data))
        assert fingerprint(data) == before
    assert as_json("ingest", tmp_path / "papers.json", "--data-dir", data)["added"] == 2


def test_a_data_folder_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder")
    for command in (["status"], ["ingest", papers_file(tmp_path / "papers.json")]):
        assert_one_line(run(*command, "--data-dir", tmp_path / "data"), 1, "data")


# --- interruptions, the unexpected


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    papers = papers_file(tmp_path / "papers.json", count=3000)
    command = [*RAG, "ingest", str(papers), "--dry-run", "--json", "--data-dir", str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    unread, write = os.pipe()
    os.close(unread)
    done = subprocess.run([*RAG, "--help"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert done.stderr == b""


def test_an_interrupt_is_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "chat")
    command = [*RAG, "chat-file", str(tmp_path / "chat"), "--json", "--data-dir", str(tmp_path / "data")]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
        (tmp_path / "chat").open("w"),  # opens as soon as the process reads
    ):
        process.send_signal(signal.SIGINT)
        shown, said = process.communicate()
    assert (process.returncode, shown, said) == (130, b"", b"Interrupted.\n")


def test_the_unexpected_is_one_line_unless_asked_for_more(tmp_path: Path) -> None:
    script = """
import sys
import rag.sources
from rag.__main__ import main

def read_papers(*paths, progress):
    raise KeyError("sk-secret")

rag.sources.read_papers = read_papers
sys.argv = ["rag", "ingest", "x", "--dry-run"]
sys.exit(main())
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert_one_line(done, 1, "KeyError", "RAG_DEBUG=1")
    assert "sk-secret" not in done.stderr
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env={**os.environ, "RAG_DEBUG": "1"}
    )
    assert "Traceback" in done.stderr
