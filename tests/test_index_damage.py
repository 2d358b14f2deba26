"""Damaged, locked and full: what an index makes again, and what it says when it cannot."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from index_folders import CONFORMAL, QUESTION, best, build, run
from short_papers import contents, local_embedding, sentence_papers

from rag.errors import IndexBroken, StorageError
from rag.index.paper_index import PaperIndex

# Chroma's client warns of its own way to note that a collection has no embedding function.
pytestmark = pytest.mark.filterwarnings("ignore:legacy embedding function config:DeprecationWarning")


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
