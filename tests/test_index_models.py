"""An index belongs to one model, chunker and format: what another of them meets."""

import sqlite3
from pathlib import Path

import pytest
from index_folders import build
from short_papers import local_embedding

from rag.errors import ModelMismatch
from rag.index.embedding import LocalEmbedding
from rag.index.paper_index import PaperIndex
from rag.records import Reading
from rag.sources.seed import default_papers

# Chroma's client warns of its own way to note that a collection has no embedding function.
pytestmark = pytest.mark.filterwarnings("ignore:legacy embedding function config:DeprecationWarning")


def other_model() -> LocalEmbedding:
    shipped = LocalEmbedding.shipped()
    return LocalEmbedding("other-model@1", "onnx:/models/other", shipped._model, shipped._tokenizer, {})


def test_another_model_is_refused_with_the_setting_and_the_command_that_fix_it(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(ModelMismatch) as caught:
            PaperIndex.open(folder, other_model())
        assert "model all-MiniLM-L6-v2-int8@8199be6f699a, not model other-model@1" in caught.value.message
        assert "RAG_EMBEDDING=local " in caught.value.hint
        assert f"python -m rag ingest PATH --data-dir {folder}-new" in caught.value.hint
    build(folder)
    build(Path(f"{folder}-new"), *default_papers()[:2])
    with PaperIndex.open(Path(f"{folder}-other"), other_model()) as index:
        index.ingest(Reading(default_papers()[:2]))


def test_an_index_without_papers_belongs_to_no_model(tmp_path: Path) -> None:
    build(tmp_path)
    with PaperIndex.open(tmp_path, other_model()) as index:
        index.ingest(Reading(default_papers()[:1]))
        assert index.describe().model == "other-model@1"


@pytest.mark.parametrize("key", ["chunker", "format"])
def test_another_chunker_or_format_is_refused(folder: Path, key: str) -> None:
    with sqlite3.connect(folder / "papers.sqlite3") as table:
        table.execute("UPDATE meta SET value = 'older' WHERE key = ?", (key,))
    table.close()
    with pytest.raises(ModelMismatch, match=f"{key} older") as caught:
        PaperIndex.open(folder, local_embedding())
    assert "RAG_EMBEDDING" not in caught.value.hint


def test_another_process_that_changed_the_model_meanwhile_is_noticed(tmp_path: Path) -> None:
    with (
        PaperIndex.open(tmp_path, other_model()) as other,
        PaperIndex.open(tmp_path, local_embedding()) as index,
    ):
        index.ingest(Reading(default_papers()[:1]))
        with pytest.raises(ModelMismatch):
            other.ingest(Reading(default_papers()[:1]))
