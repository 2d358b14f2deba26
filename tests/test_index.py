"""The whole index on disk: build, reopen, change, refuse."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from short_papers import contents, local_embedding, sentence_papers

from rag.errors import IndexBroken, IndexLocked, ModelMismatch, StorageError, UnknownPaper
from rag.index.embedding import LocalEmbedding, query_vector, vectors
from rag.index.paper_index import PaperIndex
from rag.records import IngestReport, Paper, Passage, Reading, Skipped
from rag.sources.seed import default_papers

# Chroma's client warns of its own way to note that a collection has no embedding function.
pytestmark = pytest.mark.filterwarnings("ignore:legacy embedding function config:DeprecationWarning")

ROOT = Path(__file__).parents[1]
QUESTION = "which papers use conformal prediction?"
CONFORMAL = "9WYMDgxDac"


class CountingEmbedding(LocalEmbedding):
    """The shipped model, and how many texts it was given."""

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        self._count += len(texts)
        return super()._get_text_embeddings(texts)

    _count: int = 0

    @property
    def count(self) -> int:
        return self._count


def build(folder: Path, *papers: Paper, list_name: str = "") -> IngestReport:
    with PaperIndex.open(folder, local_embedding()) as index:
        return index.ingest(Reading(papers), list_name=list_name)


@pytest.fixture(scope="session")
def seed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The 19 papers, indexed once."""
    folder = tmp_path_factory.mktemp("seed") / "data"
    build(folder, *default_papers(), list_name="ICLR 2025")
    return folder


@pytest.fixture
def folder(seed_folder: Path, tmp_path: Path) -> Path:
    """A copy of the indexed 19 papers."""
    return Path(shutil.copytree(seed_folder, tmp_path / "data"))


def run(program: str, *arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":
    """A Python program in a process of its own, run from the project's root."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )


def best(found: list[tuple[Passage, float]]) -> str:
    return found[0][0].paper_id


# Building and reading


def test_both_rankings_find_the_paper(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index:
        vector = query_vector(local_embedding(), QUESTION)
        assert best(index.nearest(vector, 5)) == CONFORMAL
        assert best(index.lexical(QUESTION, 5)) == CONFORMAL
        assert index.idf("conform") > index.idf("model")
        assert tuple(index.papers) == default_papers()
        assert index.paper(CONFORMAL).title.startswith("Sample then Identify")
        assert index.embedding is local_embedding()
        with pytest.raises(UnknownPaper):
            index.paper("no such id")
        with pytest.raises(UnknownPaper):
            index.passages("no such id")


def test_scores_are_cosines_and_fall(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index:
        for paper in default_papers()[:1]:
            vector = query_vector(local_embedding(), paper.title)
            found = index.nearest(vector, 100)
            texts = [f"{index.paper(passage.paper_id).title}\n{passage.text}" for passage, _ in found]
            scores = [score for _, score in found]
            assert scores == pytest.approx(vectors(local_embedding(), texts) @ vector, abs=1e-5)
            assert scores == sorted(scores, reverse=True)
            assert len(found) == index.describe().passages


def test_a_filter_keeps_to_the_papers_named(folder: Path) -> None:
    vector = query_vector(local_embedding(), QUESTION)
    names = {"D756s2YQ6b", CONFORMAL, "no such id"}
    with PaperIndex.open(folder, local_embedding()) as index:
        assert {p.paper_id for p, _ in index.nearest(vector, 100, names)} == names - {"no such id"}
        assert {p.paper_id for p, _ in index.lexical("graph conformal model", 100, names)} <= names
        full = dict(index.nearest(vector, 100))
        for passage, score in index.nearest(vector, 100, names):
            assert score == pytest.approx(full[passage], abs=1e-6)
        for nothing in ([], ["no such id"]):
            assert index.nearest(vector, 5, nothing) == index.lexical(QUESTION, 5, nothing) == []
        assert index.nearest(vector, 0) == index.lexical(QUESTION, 0) == []


def test_it_describes_itself(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index:
        description = index.describe()
    assert description.papers == 19
    assert description.passages == len(contents(folder))
    assert description.model == "all-MiniLM-L6-v2-int8@8199be6f699a"
    assert description.dimensions == 384
    assert description.lists == ("ICLR 2025",)
    assert description.format_version == 1
    files = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    assert 0 < description.bytes_on_disk <= files + 200_000


def test_an_empty_index_answers_nothing(tmp_path: Path) -> None:
    with PaperIndex.open(tmp_path / "new" / "folder", local_embedding()) as index:
        assert index.papers == ()
        assert index.nearest(query_vector(local_embedding(), QUESTION), 5) == []
        assert index.lexical(QUESTION, 5) == []
        assert index.describe().papers == index.describe().passages == index.describe().dimensions == 0
        assert index.ingest(Reading(())) == IngestReport()
        assert not index.refresh()


def test_another_process_reads_what_one_has_built(folder: Path) -> None:
    program = """
        import sys
        from pathlib import Path
        from rag.index.embedding import LocalEmbedding, query_vector
        from rag.index.paper_index import PaperIndex
        model = LocalEmbedding.shipped()
        with PaperIndex.open(Path(sys.argv[1]), model) as index:
            print(index.nearest(query_vector(model, sys.argv[2]), 1)[0][0].paper_id)
            print(index.lexical(sys.argv[2], 1)[0][0].paper_id)
            print(index.describe().fingerprint)
    """
    found = run(program, folder, QUESTION, check=True).stdout.split()
    with PaperIndex.open(folder, local_embedding()) as index:
        assert found == [CONFORMAL, CONFORMAL, index.describe().fingerprint]


def test_many_threads_get_the_same_answers(folder: Path) -> None:
    questions = [paper.title for paper in default_papers()] * 4

    def ask(index: PaperIndex, question: str) -> tuple[list[str], list[str]]:
        near = index.nearest(query_vector(local_embedding(), question), 5)
        said = index.lexical(question, 5, ids=[paper.id for paper in default_papers()[::2]])
        return [p.id for p, _ in near], [p.id for p, _ in said]

    with PaperIndex.open(folder, local_embedding()) as index, ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda question: ask(index, question), questions))
        assert together == [ask(index, question) for question in questions]


# Ingesting again


def test_ingesting_twice_changes_nothing(folder: Path) -> None:
    before = contents(folder)
    files = {file: file.stat().st_mtime_ns for file in folder.glob("generation-*/bm25/*")}
    assert build(folder, *default_papers(), list_name="ICLR 2025") == IngestReport(19, 0, 0, 19)
    assert contents(folder) == before
    assert {file: file.stat().st_mtime_ns for file in folder.glob("generation-*/bm25/*")} == files


def test_papers_are_added_after_those_that_are_there(folder: Path) -> None:
    extra = Paper("extra", "Bananas", "Bananas are yellow. Apples are red.")
    assert build(folder, extra, list_name="Fruit") == IngestReport(1, 1, 0, 0)
    with PaperIndex.open(folder, local_embedding()) as index:
        assert tuple(index.papers) == (*default_papers(), extra)
        assert best(index.nearest(query_vector(local_embedding(), "fruit"), 1)) == "extra"
        assert best(index.lexical("bananas", 1)) == "extra"
        assert index.describe().lists == ("Fruit", "ICLR 2025")
    assert "extra#0" in contents(folder)


def test_a_changed_paper_replaces_its_passages(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index:
        before = index.describe()
        changed = replace(index.paper(CONFORMAL), abstract="We grow bananas.")
        assert index.ingest(Reading((changed,))) == IngestReport(1, 0, 1, 0)
        after = index.describe()
        assert (after.papers, after.passages) == (19, before.passages - 1)
        assert after.fingerprint != before.fingerprint
        assert [passage.text for passage in index.passages(CONFORMAL)] == ["We grow bananas."]
        assert best(index.lexical("bananas", 1)) == CONFORMAL
        assert index.papers[[paper.id for paper in default_papers()].index(CONFORMAL)] == changed
        assert index.ingest(Reading(default_papers())).updated == 1
        assert index.describe().fingerprint == before.fingerprint
    assert "bananas" not in "".join(contents(folder).values())


def test_a_record_that_changes_without_its_text_is_not_embedded_again(folder: Path) -> None:
    shipped = LocalEmbedding.shipped()
    model = CountingEmbedding(
        shipped.model_name, "local", shipped._model, shipped._tokenizer, shipped._checksums
    )
    with PaperIndex.open(folder, model) as index:
        first = replace(default_papers()[0], track="oral", authors=("A. Nother",))
        assert index.ingest(Reading((first,))).updated == 1
        assert index.paper(first.id) == first
        assert model.count == 0
        index.ingest(Reading((replace(first, title="Another title"),)))
        assert model.count == len(index.passages(first.id))


def test_the_first_of_two_papers_with_one_id_counts(tmp_path: Path) -> None:
    papers = (Paper("a", "First", "One."), Paper("a", "Second", "Two."), Paper("b", "Third", "Three."))
    doubled = Skipped("a", "a paper with this id comes earlier in the list")
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        assert index.ingest(Reading(papers, (Skipped("x", "y"),))) == IngestReport(
            4, 2, 0, 0, (Skipped("x", "y"), doubled)
        )
        assert index.ingest(Reading(papers)) == IngestReport(3, 0, 0, 2, (doubled,))
        assert index.paper("a").title == "First"


def test_a_paper_that_is_only_a_title_is_found_by_it(tmp_path: Path) -> None:
    papers = (Paper("only", "Bananas and their colour", ""), Paper("full", "Graphs", "Graphs have nodes."))
    build(tmp_path, *papers)
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        [passage] = index.passages("only")
        assert passage == Passage("only", 0, 0, 0, "")
        assert index.lexical("banana", 5)[0][0] == passage
        assert best(index.nearest(query_vector(local_embedding(), "yellow fruit"), 1)) == "only"


def test_an_abstract_of_50_000_characters_is_indexed_whole(tmp_path: Path) -> None:
    abstract = "We study graphs. " * 2900 + "At the very end we mention bananas."
    build(tmp_path, Paper("long", "Long", abstract))
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        [(passage, _)] = index.lexical("bananas", 5)
        assert passage.paper_id == "long"
        assert index.passages("long")[-1].text.endswith("we mention bananas.")
        assert abstract[passage.start : passage.end] == passage.text
        assert len(index.passages("long")) > 40


def test_a_few_hundred_papers_of_a_real_list(bench_data: Path, tmp_path: Path) -> None:
    from rag.sources import read_papers

    papers = read_papers(bench_data / "corpus" / "iclr2025.jsonl.gz").papers[:200]
    build(tmp_path, *papers)
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        rows = [query_vector(local_embedding(), paper.title) for paper in papers]
        assert (
            sum(best(index.nearest(row, 1)) == paper.id for row, paper in zip(rows, papers, strict=True))
            >= 190
        )
        assert sum(best(index.lexical(paper.title, 1)) == paper.id for paper in papers) >= 190


def test_progress_goes_to_stderr_and_only_when_asked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        index.ingest(Reading(sentence_papers()[:100]))
        assert capfd.readouterr() == ("", "")
        index.ingest(Reading(sentence_papers()), progress=True)
        assert capfd.readouterr().out == ""


# Other ways of making an index


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


# Other processes


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


# Damage


@pytest.mark.parametrize("part", ["chroma", "bm25", "."])
def test_what_is_made_from_the_table_is_made_again_when_it_is_gone(folder: Path, part: str) -> None:
    before = contents(folder)
    [generation] = folder.glob("generation-*")
    shutil.rmtree(generation / part)
    assert contents(folder) == before


@pytest.mark.parametrize("file", ["chroma.sqlite3", "index_metadata.pickle", "header.bin", "data_level0.bin"])
@pytest.mark.parametrize("damage", [b"", b"no such thing" * 10])
def test_damaged_vectors_are_made_again(folder: Path, file: str, damage: bytes) -> None:
    before = contents(folder)
    for damaged in folder.rglob(file):
        damaged.write_bytes(damage)
    assert contents(folder) == before


@pytest.mark.parametrize(
    "file", ["vocab.index.json", "numbers.npy", "params.index.json", "data.csc.index.npy"]
)
def test_damaged_bm25_is_made_again(folder: Path, file: str) -> None:
    before = contents(folder)
    for damaged in folder.rglob(file):
        damaged.write_bytes(b"")
    assert contents(folder) == before


def test_a_damaged_table_is_refused_with_what_to_do(folder: Path) -> None:
    for file in folder.glob("papers.sqlite3*"):
        file.write_bytes(b"no database" * 1000)
    with pytest.raises(IndexBroken) as caught:
        PaperIndex.open(folder, local_embedding())
    assert str(folder) in caught.value.hint


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "file", tmp_path / "file" / "data"):
        with pytest.raises(StorageError, match="cannot be used"):
            PaperIndex.open(folder, local_embedding())


INGEST = """
    import os, resource, sys
    from pathlib import Path
    from rag.index.embedding import LocalEmbedding
    from rag.errors import RagError
    from rag.index.paper_index import PaperIndex
    from rag.records import Reading
    sys.path.insert(0, "tests")
    from short_papers import sentence_papers
    folder, limit, user = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    model = LocalEmbedding.shipped()
    model.get_query_embedding("load")
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    if user:
        os.setuid(user)
    try:
        with PaperIndex.open(folder, model) as index:
            index.ingest(Reading(sentence_papers()))
    except RagError as error:
        print(type(error).__name__, error)
"""
NOBODY = 65534


def assert_one_line_of_storage_error(process: "subprocess.CompletedProcess[str]") -> None:
    assert process.stdout.startswith("StorageError "), process
    assert process.stdout.count("\n") == 1
    assert process.stderr == ""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)
def test_a_folder_that_cannot_be_written_gives_one_clear_line(folder: Path) -> None:
    for parent in [folder, *folder.parents]:
        if parent.stat().st_uid == os.geteuid() and parent != parent.parent:
            parent.chmod(0o755)
    before = contents(folder)
    for place in (folder, folder / "new"):
        assert_one_line_of_storage_error(run(INGEST, place, 0, NOBODY))
    assert contents(folder) == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of file sizes differ elsewhere")
@pytest.mark.parametrize("kilobytes", [120, 260, 400])
def test_a_file_that_may_not_grow_gives_one_clear_line_and_leaves_the_index(
    folder: Path, kilobytes: int
) -> None:
    before = contents(folder)
    process = run(INGEST, folder, kilobytes * 1024, 0)
    if process.stdout:
        assert_one_line_of_storage_error(process)
        with PaperIndex.open(folder, local_embedding()) as index:
            assert best(index.lexical(QUESTION, 1)).startswith(CONFORMAL)
    build(folder, *sentence_papers())
    after = contents(folder)
    assert before.items() <= after.items()
    assert len(after) == len(before) + len(sentence_papers())


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    """A file system of this size on `folder`; the test is skipped where it cannot be mounted."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
    )
    if mounted.returncode:
        pytest.skip(f"no small file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount a small disk"
)
@pytest.mark.parametrize("kilobytes", [300, 900, 1400])
def test_a_full_disk_gives_one_clear_line_and_the_next_ingest_goes_on(tmp_path: Path, kilobytes: int) -> None:
    disk = tmp_path / "disk"
    with small_disk(disk, kilobytes):
        assert_one_line_of_storage_error(run(INGEST, disk / "data", 0, 0))
        subprocess.run(["mount", "-o", "remount,size=60m", str(disk)], check=True)
        assert run(INGEST, disk / "data", 0, 0).stdout == ""
        assert len(contents(disk / "data")) == len(sentence_papers())


# A Chroma server


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
