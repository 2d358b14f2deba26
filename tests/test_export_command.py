"""`python -m rag export` as its users meet it."""

import json
import os
import pty
import subprocess
from contextlib import closing
from pathlib import Path

import bibtexparser
import pytest
import rispy
from test_command_line import RAG, assert_one_line, read_all, run, succeed

from rag.index.papers import PaperTable
from rag.records import Paper
from rag.sources.seed import default_papers

ORAL, POSTER = "CxXGvKRDnL", "D756s2YQ6b"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that holds two papers and no vectors."""
    folder = tmp_path_factory.mktemp("held")
    papers = [Paper("a", "Über % Größe 论文", "An abstract.", ("张伟",)), Paper("b", "B", "Text.")]
    with closing(PaperTable(folder / "papers.sqlite3")) as table:
        table.put(papers, {paper.id: () for paper in papers})
    return folder


def test_papers_come_in_the_order_asked_for_and_once(tmp_path: Path) -> None:
    ids = [POSTER, ORAL, POSTER]
    exported = succeed("export", *ids, "--format", "csl", "--data-dir", tmp_path / "new")
    assert [item["title"].split()[0] for item in json.loads(exported)] == ["Diffusing", "Progressive"]
    assert not (tmp_path / "new").exists()


def test_every_format_is_written_in_utf_8_whatever_the_terminal_speaks(data: Path) -> None:
    for name, read in {
        "bibtex": lambda text: bibtexparser.parse_string(text).entries[0]["title"].replace("\\", ""),
        "ris": lambda text: rispy.loads(text)[0]["title"],
        "csl": lambda text: json.loads(text)[0]["title"],
        "markdown": lambda text: text.split("**")[1],
    }.items():
        exported = succeed("export", "a", "--format", name, "--data-dir", data, PYTHONIOENCODING="ascii")
        assert read(exported) == "Über % Größe 论文"
    assert succeed("export", "a", "--data-dir", data).startswith("@misc{zhangweiuber,\n")


def test_a_terminal_shows_the_same(data: Path) -> None:
    terminal, other_end = pty.openpty()
    command = [*RAG, "export", "a", "--data-dir", str(data)]
    with subprocess.Popen(command, stdout=other_end) as process:
        os.close(other_end)
        shown = read_all(terminal)
    assert process.returncode == 0
    assert shown == succeed("export", "a", "--data-dir", data)


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        (["a", "c", "d"], ["'c'", "rag ask QUESTION --json"]),
        (["A"], ["'A'", "Did you mean a?"]),
        ([""], ["''"]),
        (["a\n\x1b[2J"], ["No paper has the id"]),
    ],
)
def test_an_unknown_id_is_one_line_that_names_the_first(data: Path, ids: list[str], words: list[str]) -> None:
    done = run("export", *ids, "--data-dir", data)
    assert_one_line(done, 2, *words)
    assert "'d'" not in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [([], ["Missing argument", "ID"]), (["a", "--format", "docx"], ["--format", "docx", "bibtex"])],
)
def test_bad_usage_is_one_line(arguments: list[str], words: list[str]) -> None:
    assert_one_line(run("export", *arguments), 2, *words, "python -m rag --help")


def test_a_folder_that_is_no_index_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "papers.sqlite3").write_bytes(b"no database at all" * 100)
    assert_one_line(run("export", "a", "--data-dir", tmp_path), 1, str(tmp_path))


def test_it_reads_papers_without_the_parts_that_rank_them(data: Path) -> None:
    script = f"""
import sys
sys.argv = ["rag", "export", "a", "--data-dir", {str(data)!r}]
from rag.__main__ import main
assert main() == 0
found = {{"chromadb", "llama_index", "onnxruntime", "openai", "gradio"}} & set(sys.modules)
assert not found, found
"""
    subprocess.run([RAG[0], "-c", script], check=True, capture_output=True, encoding="utf-8")


def test_the_default_papers_are_exported_without_an_index(tmp_path: Path) -> None:
    ids = [paper.id for paper in default_papers()]
    library = bibtexparser.parse_string(succeed("export", *ids, "--data-dir", tmp_path / "new"))
    assert len(library.entries) == 19
