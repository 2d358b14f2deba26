"""The whole path with the network cut: import, index the default papers, ask, open the page.

Cut in two ways: a network namespace that holds nothing but a loopback device (Linux, root), which stops
native code too, and an audit hook that refuses every address but loopback, which works everywhere.
"""

import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser import Reader, launched

QUESTION = "which papers use conformal prediction?"

CLONE_NEWNET = 0x40000000  # <linux/sched.h>
SIOCSIFFLAGS = 0x8914  # <linux/sockios.h>
IFF_UP = 1  # <linux/if.h>

GUARD = """
import sys

def refuse(event, arguments):
    if event in {"socket.connect", "socket.sendto"}:
        address = arguments[1]
    elif event == "socket.getaddrinfo":
        address = arguments
    else:
        return
    if isinstance(address, tuple) and address[0] not in {"127.0.0.1", "::1", "localhost", "", None}:
        with open(f"{__file__}.attempts", "a") as attempts:
            print(event, address[:2], file=attempts)
        raise OSError(f"the network is cut: {event} {address[:2]}")

sys.addaudithook(refuse)
"""

ESCAPE = """
import socket

def connect():
    socket.create_connection(("192.0.2.1", 80), timeout=5)

def resolve():
    socket.getaddrinfo("example.org", 80)

for way in (connect, resolve):
    try:
        way()
    except TimeoutError:
        raise SystemExit("a packet left the machine")
    except OSError:
        continue
    raise SystemExit("the network can be reached")
"""


@contextmanager
def network_namespace() -> Iterator[None]:
    """Moves this thread, and the processes it starts, where the only network device is loopback."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/thread-self/ns/net").open() as outside:
        if libc.unshare(CLONE_NEWNET):
            raise PermissionError(ctypes.get_errno(), "no new network namespace")
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
                fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
            yield
        finally:
            libc.setns(outside.fileno(), CLONE_NEWNET)


@pytest.fixture(params=["namespace", "guard"])
def offline(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment for processes that cannot reach the network: nothing but a path and an empty home."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home)}
    if request.param == "guard":
        (tmp_path / "guard").mkdir()
        (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD)
        yield {**environment, "PYTHONPATH": str(tmp_path / "guard")}
        return
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("a network namespace needs Linux and root")
    with network_namespace():
        yield environment


def python(environment: dict[str, str], *arguments: str) -> str:
    """Standard output of `python ARGUMENTS`, which must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=environment["HOME"],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def page(environment: dict[str, str], data_dir: Path) -> Iterator[str]:
    """The address of a running chat page."""
    port = free_port()
    command = [sys.executable, "-m", "ui", "--port", str(port), "--data-dir", str(data_dir)]
    server = subprocess.Popen(
        command, env=environment, cwd=environment["HOME"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = f"http://127.0.0.1:{port}"
        assert any(address in line for line in server.stdout), "the page stopped without saying where it is"
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def test_nothing_gets_out(offline: dict[str, str], tmp_path: Path) -> None:
    python(offline, "-c", ESCAPE)
    assert bool(list(tmp_path.glob("guard/*.attempts"))) == ("PYTHONPATH" in offline), (
        "the guard keeps a record"
    )


def test_index_and_ask(offline: dict[str, str], tmp_path: Path) -> None:
    data_dir = ["--data-dir", str(tmp_path / "data")]
    answer = json.loads(python(offline, "-m", "rag", "ask", QUESTION, "--json", *data_dir))
    assert [paper["id"] for paper in answer["papers"] if paper["decision"] == "yes"] == ["9WYMDgxDac"]
    assert json.loads(python(offline, "-m", "rag", "status", "--json", *data_dir))["papers"] == 19
    assert_nothing_left(offline, tmp_path)


@pytest.mark.browser
def test_page(offline: dict[str, str], tmp_path: Path, chromium: str) -> None:
    with page(offline, tmp_path / "data") as address, launched(chromium) as browser:
        reader = Reader(browser, address)
        assert "Sample then Identify" in reader.ask(QUESTION)
        reader.page.locator("a.cite").first.click()
        assert reader.foreign == []
        assert reader.errors == []
    assert_nothing_left(offline, tmp_path)


def assert_nothing_left(offline: dict[str, str], tmp_path: Path) -> None:
    assert not list(tmp_path.glob("guard/*.attempts")), "something tried to reach the network"
    written = (path for path in Path(offline["HOME"]).rglob("*") if path.is_file())
    # Gradio imports matplotlib, which keeps a list of the system's fonts.
    assert not [path for path in written if "matplotlib" not in path.parts], "written outside the data folder"
