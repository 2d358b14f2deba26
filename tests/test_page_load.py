"""Many readers at once: nobody gets another's answer, nobody waits long, and memory does not grow.

Ratios only: how fast this machine is does not matter.
"""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import pytest
from queue_reader import Exchange, QueueReader
from scripted_endpoint import Request, ScriptedEndpoint, Stream, words

from rag.sentences import split
from rag.sources.seed import default_papers

PAPERS = [paper for paper in default_papers() if paper.titled]
PACE = 0.02  # seconds between two words of the model


def about(reader: int, turn: int) -> tuple[str, str]:
    """A question that names its reader and turn and one of the papers, and that paper's title."""
    title = PAPERS[(reader * 7 + turn * 3) % len(PAPERS)].title
    return f"What is “{title}” about? (reader R{reader}E turn T{turn}E)", title


def first_sentence(request: Request) -> Stream:
    """Says what the abstract asked about says first, under the number it was shown with."""
    asked = request.prompt.rpartition("Question: ")[2]
    paper = next(paper for paper in PAPERS if paper.title in asked)
    shown = re.search(rf'<abstract number="(\d+)">\nTitle: {re.escape(paper.title)}\n', request.prompt)
    sentence = split(paper.abstract)[0].of(paper.abstract)
    number = shown[1] if shown else "1"
    return Stream(words(f"{sentence.rstrip('.')} [{number}]."), delay=PACE)


@contextmanager
def page(folder: Path, endpoint: ScriptedEndpoint) -> Iterator[tuple[str, int]]:
    """The page in a process of its own, over the 19 papers and the endpoint: its address and process id."""
    environment = os.environ | {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": endpoint.url}
    command = [sys.executable, "-m", "ui", "--port", "0", "--data-dir", str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as ui:
        try:
            said = ui.stdout.readline() if ui.stdout else ""
            address = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert address, said
            yield address.group(), ui.pid
        finally:
            ui.terminate()


def talk(url: str, reader: int, turns: int, after: Callable[[], None] = lambda: None) -> list[Exchange]:
    """One reader's conversation of so many turns; `after` is called after each."""
    session = QueueReader(url)
    for turn in range(turns):
        session.ask(about(reader, turn)[0])
        after()
    session.close()
    return session.exchanges


def at_once(
    url: str, readers: Sequence[int], turns: int, after: Callable[[], None] = lambda: None
) -> dict[int, list[Exchange]]:
    """The conversations of several readers at the same time."""
    with ThreadPoolExecutor(len(readers)) as pool:
        running = {reader: pool.submit(talk, url, reader, turns, after) for reader in readers}
        return {reader: each.result() for reader, each in running.items()}


def belong_to_their_askers(talks: dict[int, list[Exchange]], endpoint: ScriptedEndpoint) -> None:
    """Every answer came, is about the paper asked about, and nothing of another reader came with it."""
    for reader, exchanges in talks.items():
        for turn, exchange in enumerate(exchanges):
            assert exchange.succeeded, exchange.messages[-500:]
            assert exchange.question == about(reader, turn)[0]
            told = set(re.findall(r"R(\d+)E", exchange.messages))
            assert told == {str(reader)}
            assert "turn answered" in exchange.messages
            assert "notice failed" not in exchange.messages
    for request in endpoint.requests:
        assert len(set(re.findall(r"R(\d+)E", request.prompt))) == 1


def resident(pid: int) -> int:
    """Kilobytes of memory that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_ten_readers_at_once_each_get_their_own_answers(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    endpoint.answer_with(first_sentence)
    with page(tmp_path, endpoint) as (url, _):
        talks = at_once(url, range(10), 2)
    belong_to_their_askers(talks, endpoint)
    assert len(endpoint.requests) >= 18
    for reader, exchanges in talks.items():
        for turn, exchange in enumerate(exchanges):
            sentence = next(p for p in PAPERS if p.title == about(reader, turn)[1]).abstract.split()[:4]
            assert " ".join(sentence[:2]) in exchange.messages


@pytest.mark.stress
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_thirty_readers_wait_no_longer_than_their_share_and_leave_no_memory_behind(
    tmp_path: Path, endpoint: ScriptedEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.answer_with(first_sentence)
    with page(tmp_path, endpoint) as (url, pid):
        talk(url, 0, len(PAPERS))  # models are loaded with the first, and each paper is read once
        alone: list[float] = []
        waits: list[float] = []
        took = 0.0
        for turn in range(5):  # in turns, so that whatever else this machine does slows both alike
            alone += [exchange.seconds for exchange in talk(url, turn, 4)]
            began = time.perf_counter()
            four = at_once(url, range(4), 4)
            took += time.perf_counter() - began
            waits += [exchange.seconds for exchanges in four.values() for exchange in exchanges]
            belong_to_their_askers(four, endpoint)
        at_four = len(waits) / took

        endpoint.requests.clear()
        held: list[int] = []
        lock = threading.Lock()

        def weigh() -> None:
            with lock:
                held.append(resident(pid))

        began = time.perf_counter()
        thirty = at_once(url, range(30), 7, weigh)
        at_thirty = 210 / (time.perf_counter() - began)
        belong_to_their_askers(thirty, endpoint)
    p95 = quantiles(waits, n=20)[-1]
    first, last = median(held[:100]), median(held[-100:])
    with capsys.disabled():
        print(
            f"\np95 at 4 readers {p95 / median(alone):.2f} times the median alone; "
            f"throughput at 30 readers {at_thirty / at_four:.2f} of that at 4; "
            f"memory of the last 100 turns {last / first:.3f} of the first 100"
        )
    assert p95 <= 4 * median(alone)
    assert at_thirty >= 0.8 * at_four
    assert last <= 1.05 * first
