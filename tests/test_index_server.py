"""Vectors on a Chroma server."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from index_folders import CONFORMAL, QUESTION, best, build
from short_papers import local_embedding

from rag.errors import IndexBroken
from rag.index.embedding import query_vector
from rag.index.paper_index import PaperIndex
from rag.records import Paper, Reading
from rag.sources.seed import default_papers

# Chroma's client warns of its own way to note that a collection has no embedding function.
pytestmark = pytest.mark.filterwarnings("ignore:legacy embedding function config:DeprecationWarning")


@pytest.fixture(scope="module")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Chroma server on loopback."""
    program = Path(sys.executable).with_name("chroma")
    if not program.exists():
        pytest.skip("the chroma command is not installed")
    port = free_port()
    process = subprocess.Popen(
        [
            str(program),
            "run",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--path",
            str(tmp_path_factory.mktemp("server")),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("the Chroma server did not start")


def open_with_server(folder: Path, url: str) -> PaperIndex:
    return PaperIndex.open(folder, local_embedding(), url)


def test_vectors_can_be_on_a_server(tmp_path: Path, chroma_server: str) -> None:
    vector = query_vector(local_embedding(), QUESTION)
    with open_with_server(tmp_path, chroma_server) as index:
        index.ingest(Reading(default_papers()))
    assert not list(tmp_path.rglob("chroma.sqlite3"))
    with open_with_server(tmp_path, chroma_server) as index:
        assert best(index.nearest(vector, 5)) == CONFORMAL
        assert {p.paper_id for p, _ in index.nearest(vector, 9, ["D756s2YQ6b"])} == {"D756s2YQ6b"}
        changed = replace(index.paper(CONFORMAL), abstract="We grow bananas.")
        index.ingest(Reading((changed,)))
        assert len(index.nearest(vector, 100)) == index.describe().passages


def test_two_folders_share_a_server(tmp_path: Path, chroma_server: str) -> None:
    for name, papers in (("one", default_papers()[:2]), ("two", default_papers()[2:3])):
        with open_with_server(tmp_path / name, chroma_server) as index:
            index.ingest(Reading(papers))
            found = index.nearest(query_vector(local_embedding(), QUESTION), 100)
            assert {passage.paper_id for passage, _ in found} == {paper.id for paper in papers}


def test_vectors_move_to_a_server_and_back_without_staying_behind(tmp_path: Path, chroma_server: str) -> None:
    fruit = query_vector(local_embedding(), "yellow bananas")
    build(tmp_path, *default_papers()[:3])
    with open_with_server(tmp_path, chroma_server) as index:
        assert len(index.nearest(fruit, 100)) == index.describe().passages
        index.ingest(Reading((Paper(default_papers()[0].id, "Bananas", "Bananas are yellow."),)))
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        assert best(index.nearest(fruit, 1)) == default_papers()[0].id
        assert len(index.nearest(fruit, 100)) == index.describe().passages


def test_a_server_that_is_not_there_gives_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(IndexBroken) as caught:
        open_with_server(tmp_path, f"http://user:secret@127.0.0.1:{free_port()}")
    assert "cannot be used" in caught.value.message
    assert "CHROMA_URL" in caught.value.hint
    assert "secret" not in str(caught.value)
