"""What test files share: the environment of a newcomer, the reference data, the browser."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from scripted_endpoint import ScriptedEndpoint

if TYPE_CHECKING:
    from browser import Opens
    from playwright.sync_api import Browser

    from rag.engine import PaperQueryEngine
    from rag.index.paper_index import PaperIndex
    from rag.writing.spend import SpendLedger

# A busy machine is slow by the second; no law here is about time.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")

PRIVATE = ("OPENAI_", "RAG_", "CHROMA_", "XDG_")
PUBLIC = {"RAG_BENCH_DATA"}


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """A shell starts its background jobs deaf to Ctrl-C, and what tests start would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty home and working folder: no test, and no process it starts, meets your key or papers."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(PRIVATE) and name not in PUBLIC:
                patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.chdir(home)
        yield home


@pytest.fixture(scope="session")
def bench_data() -> Path:
    """The folder of reference data that is no part of the project."""
    folder = os.environ.get("RAG_BENCH_DATA")
    if not folder:
        pytest.skip("RAG_BENCH_DATA is not set: the reference data is not here")
    return Path(folder)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium. Without one the test skips, or fails where REQUIRE_BROWSER is set."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail("no Chromium was found and REQUIRE_BROWSER is set")
    pytest.skip("no Chromium was found")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator["Browser"]:
    from browser import launched

    with launched(chromium) as browser:
        yield browser


@pytest.fixture
def read(browser: "Browser", address: str) -> Iterator["Opens"]:
    """Opens the page at the module's `address`, and checks in the end that nothing went wrong there."""
    from browser import readers

    with readers(browser, address) as read:
        yield read


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    """An OpenAI-compatible server on loopback whose replies the test scripts."""
    with ScriptedEndpoint() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def seed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The 19 papers, indexed once."""
    from index_folders import build

    from rag.sources.seed import default_papers

    folder = tmp_path_factory.mktemp("seed") / "data"
    build(folder, *default_papers(), list_name="ICLR 2025")
    return folder


@pytest.fixture
def folder(seed_folder: Path, tmp_path: Path) -> Path:
    """A copy of the indexed 19 papers."""
    return Path(shutil.copytree(seed_folder, tmp_path / "data"))


@pytest.fixture(scope="session")
def seed_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator["PaperIndex"]:
    """An index over the 19 papers, for tests that only read it."""
    from short_papers import local_embedding

    from rag.index.paper_index import PaperIndex
    from rag.records import Reading
    from rag.sources.seed import default_papers

    with PaperIndex.open(tmp_path_factory.mktemp("seed"), local_embedding()) as index:
        index.ingest(Reading(default_papers()), list_name="ICLR 2025")
        yield index


@pytest.fixture(scope="session")
def seed_engine(seed_index: "PaperIndex") -> "PaperQueryEngine":
    """Extractive answers over the 19 papers."""
    from rag.engine import PaperQueryEngine

    return PaperQueryEngine(seed_index)


@pytest.fixture
def ledger(tmp_path: Path) -> "SpendLedger":
    """What models may cost a day: one dollar, none of it spent."""
    from rag.writing.spend import SpendLedger

    return SpendLedger(tmp_path, 1.0)


@pytest.fixture
def eval_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> "Callable[..., int]":
    """Runs `python -m eval ...` with a cache folder of its own; returns the exit code."""
    from eval.__main__ import command_line

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def command(*arguments: object) -> int:
        monkeypatch.setattr("sys.argv", ["eval", *map(str, arguments)])
        return command_line()

    return command
