"""`rag ask --screen`: the cost is said first, kept to, and the list is the one a model has read."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from reading_model import reading
from scripted_endpoint import Refusal, ScriptedEndpoint

QUESTION = "which papers use diffusion models?"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    ask(folder, "hello")
    return folder


@pytest.fixture
def reader() -> Iterator[ScriptedEndpoint]:
    """A model that says yes where a text has the word, else no."""

    def decide(title: str, text: str) -> tuple[str, str]:
        at = text.lower().find("diffusion")
        return ("yes", text[at : at + 20]) if at >= 0 else ("no", "")

    with ScriptedEndpoint() as endpoint:
        endpoint.answer_with(reading(decide))
        yield endpoint


def ask(
    folder: Path, *arguments: str, endpoint: ScriptedEndpoint | None = None, **variables: str
) -> "subprocess.CompletedProcess[str]":
    settings = {"OPENAI_API_KEY": "sk-test-0123456789", "OPENAI_BASE_URL": endpoint.url} if endpoint else {}
    return subprocess.run(
        [sys.executable, "-m", "rag", "ask", *arguments, "--data-dir", str(folder)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **settings, **variables},
    )


def test_the_cost_is_said_before_and_the_list_has_been_read(built: Path, reader: ScriptedEndpoint) -> None:
    done = ask(built, QUESTION, "--screen", "--json", endpoint=reader)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Reading ")
    assert "papers with gpt-4.1-mini: at most " in done.stderr
    assert "tokens, $0.0" in done.stderr
    answer = json.loads(done.stdout)
    assert answer["receipt"]["mode"] == "screened"
    assert answer["receipt"]["cost_usd"] > 0
    assert all(
        "diffusion" in paper["quote"].lower() for paper in answer["papers"] if paper["decision"] == "yes"
    )
    assert "sk-test" not in done.stdout + done.stderr


def test_the_answer_in_words_and_its_sources(built: Path, reader: ScriptedEndpoint) -> None:
    done = ask(built, QUESTION, "--screen", endpoint=reader)
    assert done.returncode == 0, done.stderr
    assert "of the 19 papers" in done.stdout
    assert "\n[1] " in done.stdout


def test_without_the_option_no_model_reads(built: Path, reader: ScriptedEndpoint) -> None:
    done = ask(built, QUESTION, "--json", endpoint=reader)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["receipt"]["mode"] == "extractive"
    assert not reader.requests


def test_a_limit_on_the_cost(built: Path, reader: ScriptedEndpoint) -> None:
    done = ask(
        built, QUESTION, "--screen", "--max-cost", "0.003", "--json", endpoint=reader, RAG_CHAT_WINDOW="3000"
    )
    assert done.returncode == 0, done.stderr
    assert "more would cost more than $0.003" in done.stderr
    assert 0 < json.loads(done.stdout)["receipt"]["cost_usd"] <= 0.003


def test_a_limit_that_cannot_be_kept_is_said_to_be_none(built: Path, reader: ScriptedEndpoint) -> None:
    done = ask(
        built, QUESTION, "--screen", "--max-cost", "1", "--json", endpoint=reader, RAG_CHAT_MODEL="my-own"
    )
    assert done.returncode == 0
    assert "price of my-own is not known" in done.stderr
    assert not reader.requests


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--screen",), "needs a model"),
        (("--max-cost", "1"), "--screen"),
        (("--screen", "--max-cost", "-1"), "--max-cost"),
    ],
)
def test_options_that_make_no_sense(built: Path, arguments: tuple[str, ...], told: str) -> None:
    done = ask(built, QUESTION, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_question_that_is_no_list_is_answered_as_ever(built: Path, reader: ScriptedEndpoint) -> None:
    done = ask(built, "how many papers are there?", "--screen", endpoint=reader)
    assert done.returncode == 0
    assert "no papers to read" in done.stderr
    assert "19" in done.stdout


def test_an_endpoint_that_fails_leaves_the_list_and_a_notice(built: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        endpoint.answer_with(lambda request: Refusal(401))
        done = ask(built, QUESTION, "--screen", endpoint=endpoint)
    assert done.returncode == 0
    assert "of the 19 papers" in done.stdout
    assert "could read none of the papers" in done.stdout
