"""A key goes to its endpoint and nowhere else: not into logs, errors, answers, files or what is printed."""

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_endpoint import (
    CONTEXT_LENGTH_EXCEEDED,
    Raw,
    Refusal,
    Reply,
    Request,
    ScriptedEndpoint,
    Silence,
    Stream,
    words,
)
from short_papers import local_embedding

import rag.writing.endpoint
from rag.assembly import chat_model, open_engine
from rag.errors import EmbeddingError, RagError, SettingsError
from rag.index.paper_index import PaperIndex
from rag.index.remote_embedding import RemoteEmbedding
from rag.records import Answer, Conversation, Reading, TextDelta
from rag.settings import Settings
from rag.sources.seed import default_papers

CANARY = "sk-canary-7f3a9c1e5b2d8046"
QUESTION = "how many experiments did GNN-Diff run?"
# Every way a call can end, with the key wherever a server could put it.
REPLIES: dict[str, Reply | str] = {
    "answer": "GNN-Diff ran 166 experiments across four graph tasks [1].",
    "echo": f"Your key is {CANARY} [1].",
    "echo with an answer": f"GNN-Diff ran 166 experiments [1]. The key is {CANARY} [1].",
    "echo letter by letter": Stream(list(f"GNN-Diff ran 166 experiments [1]. The key: {CANARY}")),
    "400": Refusal(400, f"bad request from {CANARY}", CANARY),
    "401": Refusal(401, f"Incorrect API key provided: {CANARY}", "invalid_api_key"),
    "403": Refusal(403, f"{CANARY} may not"),
    "404": Refusal(404, f"no model for {CANARY}"),
    "413": Refusal(413, CANARY),
    "422": Refusal(422, f"messages: {CANARY}"),
    "429": Refusal(429, f"slow down, {CANARY}", retry_after=0.01),
    "429 quota": Refusal(429, CANARY, "insufficient_quota"),
    "500": Refusal(500, f"Traceback: Authorization: Bearer {CANARY}"),
    "overflow": Refusal(400, f"maximum context length, {CANARY}", CONTEXT_LENGTH_EXCEEDED),
    "half-way": Stream(words(f"GNN-Diff ran {CANARY} experiments [1]."), stop_after=2),
    "no end": Stream(words("GNN-Diff ran"), finish_reason=None),
    "no JSON": Raw(f"data: {{{CANARY}\n\n".encode()),
    "error event": Raw(f'data: {{"error": {{"message": "{CANARY}"}}}}\n\n'.encode()),
    "page": Raw(f"<html>{CANARY}</html>".encode(), "text/html"),
    "silence": Silence(0.0),
    "silence after headers": Silence(0.0, headers=True),
}


@pytest.fixture
def heard(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[list[str]]:
    """What a test is told; afterwards none of it, no log line and nothing printed may hold the key."""
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    yield told
    printed = capfd.readouterr()
    for text in (*told, caplog.text, printed.out, printed.err):
        assert CANARY not in text


def files_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    with PaperIndex.open(folder, local_embedding()) as index:
        index.ingest(Reading(default_papers()))
    return folder


@pytest.mark.parametrize("name", REPLIES)
def test_no_ending_of_a_call_shows_the_key(
    endpoint: ScriptedEndpoint,
    filled: Path,
    monkeypatch: pytest.MonkeyPatch,
    heard: list[str],
    name: str,
) -> None:
    monkeypatch.setattr(rag.writing.endpoint.time, "sleep", lambda seconds: None)
    endpoint.answer_with(lambda request: REPLIES[name])
    values = {"OPENAI_API_KEY": CANARY, "OPENAI_BASE_URL": endpoint.url, "RAG_CHAT_TIMEOUT": 2.0}
    settings = Settings.model_validate(values | {"RAG_DATA_DIR": filled})
    engine = open_engine(settings)
    try:
        streamed = ""
        for event in engine.stream(QUESTION):
            if isinstance(event, TextDelta):
                streamed += event.text
                heard.append(streamed)
            if isinstance(event, Answer):
                heard += [repr(event), json.dumps(event.as_json())]
                heard.append(repr(Conversation().with_turn(event)))
        heard += [repr(settings), str(settings.model_dump()), repr(chat_model(settings)), repr(vars(engine))]
    finally:
        engine.close()
    assert endpoint.requests
    assert all(CANARY in request.headers["authorization"] for request in endpoint.requests)
    assert all(CANARY not in json.dumps(dict(request.body)) for request in endpoint.requests)
    assert CANARY.encode() not in files_of(filled)


@pytest.mark.parametrize("name", [name for name in REPLIES if isinstance(REPLIES[name], Refusal | Raw)])
def test_no_failing_embedding_shows_the_key(endpoint: ScriptedEndpoint, heard: list[str], name: str) -> None:
    def decide(request: Request) -> Reply | str:
        return REPLIES[name]

    endpoint.answer_with(decide)
    model = RemoteEmbedding("text-embedding-3-small", CANARY, endpoint.url)
    with pytest.raises(EmbeddingError) as caught:
        model.get_text_embedding("tidal pools")
    heard += [repr(caught.value), str(caught.value), repr(model), str(model.to_dict()), model.to_json()]
    assert caught.value.__cause__ is None


def test_no_unusable_setting_shows_its_value(monkeypatch: pytest.MonkeyPatch, heard: list[str]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("RAG_CHAT_WINDOW", CANARY)
    monkeypatch.setenv("RAG_EMBEDDING", CANARY)
    with pytest.raises(SettingsError) as caught:
        Settings.load()
    heard += [str(caught.value), repr(caught.value)]
    assert "RAG_CHAT_WINDOW" in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/v1", "nowhere", f"http://user:{CANARY}@127.0.0.1:9/v1"]
)
def test_no_command_prints_the_key(filled: Path, address: str) -> None:
    environment = {**os.environ, "OPENAI_API_KEY": CANARY, "OPENAI_BASE_URL": address, "RAG_DEBUG": ""}
    for extra in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "rag", "ask", QUESTION, "--data-dir", str(filled), *extra],
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert CANARY not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        assert done.returncode == 0, done.stderr


def test_an_error_holds_strings_only() -> None:
    error = RagError("message", "hint")
    assert error.args == ("message", "hint")
    assert not any(isinstance(value, io.IOBase) for value in vars(error).values())
