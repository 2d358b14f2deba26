"""Several processes and threads at one index: one writes, all read."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock
from index_folders import CONFORMAL, QUESTION, best, build, run
from short_papers import local_embedding, sentence_papers

from rag.errors import IndexLocked
from rag.index.embedding import query_vector
from rag.index.paper_index import PaperIndex
from rag.records import Reading
from rag.sources.seed import default_papers

# Chroma's client warns of its own way to note that a collection has no embedding function.
pytestmark = pytest.mark.filterwarnings("ignore:legacy embedding function config:DeprecationWarning")


@contextmanager
def writer_at_work(folder: Path) -> Iterator[None]:
    """Another process that holds the write lock."""
    program = """
import sys
from filelock import FileLock
lock = FileLock(sys.argv[1])
lock.acquire()
print("held", flush=True)
sys.stdin.read()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(folder / "write.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    try:
        yield
    finally:
        process.kill()
        process.communicate()


def test_a_second_writer_is_refused_at_once_and_readers_are_not(folder: Path) -> None:
    with writer_at_work(folder), PaperIndex.open(folder, local_embedding()) as index:
        with pytest.raises(IndexLocked, match=f"{folder}") as caught:
            index.ingest(Reading(default_papers()))
        assert caught.value.retryable
        assert best(index.lexical(QUESTION, 1)) == CONFORMAL
    assert build(folder, *default_papers()).unchanged == 19


def test_two_threads_do_not_write_at_once(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index, FileLock(folder / "write.lock"):
        failed: list[Exception] = []

        def write() -> None:
            try:
                index.ingest(Reading(default_papers()))
            except IndexLocked as error:
                failed.append(error)

        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
        assert len(failed) == 1


ADD = """
    import sys
    from pathlib import Path
    from rag.index.embedding import LocalEmbedding
    from rag.index.paper_index import PaperIndex
    from rag.records import Paper, Reading
    with PaperIndex.open(Path(sys.argv[1]), LocalEmbedding.shipped()) as index:
        bananas = Paper("extra", "Bananas", "Bananas are yellow.")
        index.ingest(Reading((bananas, Paper(sys.argv[2], "Gone", "Nothing."))))
"""


def test_a_reader_goes_on_while_another_process_changes_the_folder(folder: Path) -> None:
    fruit = query_vector(local_embedding(), "yellow bananas")
    everything = [paper.id for paper in default_papers()]
    with PaperIndex.open(folder, local_embedding()) as index:
        assert best(index.nearest(fruit, 1)) != "extra"
        run(ADD, folder, CONFORMAL, check=True)

        # Without a refresh: no error, and passages that are gone are left out.
        assert all(passage in index.passages(passage.paper_id) for passage, _ in index.nearest(fruit, 100))
        assert all(p.paper_id != CONFORMAL for p, _ in index.lexical("conformal prediction", 100))
        assert index.nearest(fruit, 100, everything)
        assert index.lexical("model", 100, everything)

        index.refresh()
        assert not index.refresh()
        assert best(index.nearest(fruit, 1)) == best(index.lexical("bananas", 1)) == "extra"
        assert len(index.papers) == 20


def test_readers_ask_all_the_time_while_a_writer_adds_papers(folder: Path) -> None:
    stop = threading.Event()
    fruit = query_vector(local_embedding(), "yellow bananas")
    ids = [paper.id for paper in default_papers()] + ["extra"]

    def read(index: PaperIndex) -> int:
        asked = 0
        while not stop.is_set():
            index.refresh()
            assert index.nearest(fruit, 5)
            assert index.nearest(fruit, 5, ids)
            assert index.lexical("language model", 5, ids)
            assert len(index.papers) >= 19
            asked += 1
        return asked

    with PaperIndex.open(folder, local_embedding()) as index, ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, index) for _ in range(4)]
        for number in range(2):
            run(ADD, folder, sentence_papers()[number].id, check=True)
            index.ingest(Reading(sentence_papers()[10 * number : 10 * number + 10]))
        stop.set()
        assert all(reader.result() > 0 for reader in readers)
