"""A killed ingest: what was published stays readable, the next ingest completes it, nothing is doubled.

A real process is killed with SIGKILL at each stage of its work, which is watched from outside in its files.
"""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from short_papers import contents, local_embedding, sentence_papers

from rag.index.embedding import query_vector
from rag.index.paper_index import PaperIndex
from rag.records import IngestReport, Paper, Reading

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is a signal of POSIX"),
    # Chroma's client warns of its own way to note that a collection has no embedding function.
    pytest.mark.filterwarnings("ignore:legacy embedding function config:DeprecationWarning"),
]

ROOT = Path(__file__).parents[1]
BATCH = 16
"""Passages a commit in the process under test, so that there are many moments to be killed at."""

# The papers in the index before, and those the killed ingest brings: some changed, some new.
BEFORE = sentence_papers()[:40]
AFTER = (
    *(replace(paper, abstract=f"Rewritten. {paper.abstract}") for paper in BEFORE[:10]),
    *(replace(paper, track="oral") for paper in BEFORE[10:20]),
    *sentence_papers()[40:120],
)

INGEST = f"""
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from rag.index import building
from rag.index.paper_index import PaperIndex
from rag.records import Reading
from short_papers import local_embedding
from test_index_crash import AFTER
building._BATCH = {BATCH}
local_embedding().get_query_embedding("load")
with PaperIndex.open(Path(sys.argv[1]), local_embedding()) as index:
    print("open", flush=True)
    index.ingest(Reading(AFTER))
print("done", flush=True)
"""


def start(folder: Path) -> "subprocess.Popen[str]":
    """An ingest of AFTER that has opened the index."""
    process = subprocess.Popen(
        [sys.executable, "-c", INGEST, folder], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


def kill(process: "subprocess.Popen[str]") -> bool:
    """Whether the process was still at work."""
    process.send_signal(signal.SIGKILL)
    out, _ = process.communicate(timeout=60)
    return "done" not in out


def kill_when(folder: Path, reached: Callable[[Path], bool]) -> bool:
    """Start an ingest and kill it as soon as its files show that it has reached a point."""
    process = start(folder)
    while process.poll() is None and not reached(folder):
        time.sleep(0.001)
    return kill(process)


def rows(file: Path, sql: str) -> int:
    """A count in an SQLite file that another process is writing; 0 where it cannot be read yet."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=5)) as table:
            return int(table.execute(sql).fetchone()[0])
    except sqlite3.Error:
        return 0


def recorded(folder: Path) -> bool:
    return rows(folder / "papers.sqlite3", "SELECT count(*) FROM papers") > len(BEFORE)


def embedded(count: int) -> Callable[[Path], bool]:
    return lambda folder: rows(folder / "unpublished.sqlite3", "SELECT count(*) FROM vectors") >= count


def stored(count: int) -> Callable[[Path], bool]:
    def reached(folder: Path) -> bool:
        files = list(folder.glob("generation-*/chroma/chroma.sqlite3"))
        return len(files) == 2 and any(rows(f, "SELECT count(*) FROM embeddings") >= count for f in files)

    return reached


def made(pattern: str) -> Callable[[Path], bool]:
    """Both generations, the published one and the new one, have a file of this pattern."""
    return lambda folder: len(list(folder.glob(f"generation-*/{pattern}"))) == 2


def published(folder: Path) -> bool:
    return (
        rows(folder / "papers.sqlite3", "SELECT count(*) FROM meta WHERE key = 'finished' AND value != ''")
        == 1
    )


STAGES: dict[str, Callable[[Path], bool]] = {
    "at once": lambda folder: True,
    "papers recorded": recorded,
    "a batch embedded": embedded(BATCH),
    "half embedded": embedded(3 * BATCH),
    "all embedded": embedded(90),
    "some stored": stored(len(BEFORE) + 1),
    "bm25 begun": made("bm25"),
    "bm25 written": made("bm25/numbers.npy"),
    "sealed": made("chroma/seal.json"),
    "published": lambda folder: recorded(folder) and published(folder),
}


def build(folder: Path, *papers: Paper) -> IngestReport:
    with PaperIndex.open(folder, local_embedding()) as index:
        return index.ingest(Reading(papers))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What an ingest that nobody kills leaves."""
    folder = tmp_path_factory.mktemp("expected")
    build(folder, *BEFORE)
    build(folder, *AFTER)
    return dict(contents(folder))


@pytest.mark.parametrize("stage", STAGES)
def test_an_ingest_killed_at_any_stage_is_completed_by_the_next(
    tmp_path: Path, expected: dict[str, str], stage: str
) -> None:
    build(tmp_path, *BEFORE)
    kill_when(tmp_path, STAGES[stage])
    report = build(tmp_path, *AFTER)
    assert report.added + report.updated + report.unchanged == len(AFTER)
    assert contents(tmp_path) == expected
    assert not list(tmp_path.glob("unpublished*"))
    assert len(list(tmp_path.glob("generation-*"))) == 1


def test_opening_completes_what_was_killed(tmp_path: Path, expected: dict[str, str]) -> None:
    build(tmp_path, *BEFORE)
    assert kill_when(tmp_path, STAGES["half embedded"])
    assert contents(tmp_path) == expected


@pytest.mark.parametrize("stage", ["half embedded", "some stored"])
def test_a_first_ingest_that_is_killed_is_completed_too(tmp_path: Path, stage: str) -> None:
    def some_stored(folder: Path) -> bool:
        return any(rows(f, "SELECT count(*) FROM embeddings") for f in folder.glob("*/chroma/chroma.sqlite3"))

    assert kill_when(tmp_path, {**STAGES, "some stored": some_stored}[stage])
    assert build(tmp_path, *AFTER) == IngestReport(len(AFTER), 0, 0, len(AFTER))
    assert len(contents(tmp_path)) == len(AFTER)


def test_embedded_batches_are_not_embedded_again(tmp_path: Path, expected: dict[str, str]) -> None:
    build(tmp_path, *BEFORE)
    assert kill_when(tmp_path, STAGES["half embedded"])
    kept = rows(tmp_path / "unpublished.sqlite3", "SELECT count(*) FROM vectors")
    assert kept >= 3 * BATCH
    with closing(sqlite3.connect(tmp_path / "unpublished.sqlite3")) as journal:
        # One for all: shows whether the vectors of the killed process are published, or new ones.
        journal.execute("UPDATE vectors SET vector = (SELECT vector FROM vectors LIMIT 1)")
        journal.commit()
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        scores = [score for _, score in index.nearest(query_vector(local_embedding(), "model"), 1000)]
    assert max(scores.count(score) for score in scores) >= kept


def test_what_was_published_answers_while_an_ingest_is_at_work_and_after_its_kill(tmp_path: Path) -> None:
    build(tmp_path, *BEFORE)
    vector = query_vector(local_embedding(), BEFORE[30].abstract)
    with PaperIndex.open(tmp_path, local_embedding()) as reader:
        process = start(tmp_path)
        asked = 0
        while process.poll() is None and not embedded(3 * BATCH)(tmp_path):
            with PaperIndex.open(tmp_path, local_embedding()) as newcomer:
                for index in (reader, newcomer):
                    index.refresh()
                    assert index.nearest(vector, 1)[0][0].paper_id == BEFORE[30].id
                    assert index.nearest(vector, 1, [p.id for p in AFTER] + [BEFORE[30].id])
                    assert index.lexical(BEFORE[30].abstract, 1)[0][0].paper_id == BEFORE[30].id
            asked += 1
        assert kill(process)
        assert asked > 0
        assert reader.nearest(vector, 1)[0][0].paper_id == BEFORE[30].id


def test_killed_again_and_again_it_gets_there(tmp_path: Path, expected: dict[str, str]) -> None:
    kill_at_random_moments(tmp_path, expected, seed=0, kills=2)


@pytest.mark.stress
@pytest.mark.parametrize("seed", range(20))
def test_killed_very_often_it_gets_there(tmp_path: Path, expected: dict[str, str], seed: int) -> None:
    kill_at_random_moments(tmp_path, expected, seed, kills=10)


def kill_at_random_moments(folder: Path, expected: dict[str, str], seed: int, kills: int) -> None:
    moments = random.Random(seed)  # noqa: S311
    build(folder, *BEFORE)
    for _ in range(kills):
        process = start(folder)
        time.sleep(moments.uniform(0, 0.6))
        kill(process)
    build(folder, *AFTER)
    assert contents(folder) == expected
