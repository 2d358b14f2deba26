"""Starting a process and answering costs little more than importing the two libraries below."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROUNDS = 5
QUESTION = "which papers use conformal prediction?"


@dataclass(frozen=True)
class Cost:
    """Processor time of a process in seconds, user and system, and its largest resident memory in MB."""

    seconds: float
    megabytes: float


def cost(command: Sequence[str], environment: dict[str, str]) -> Cost:
    """What `command` takes to run to its end: processor time, since others' work stretches wall time."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="os.wait4 reports memory in other units elsewhere"
)
def test_first_answer_costs_little_more_than_the_bare_imports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    bare = [sys.executable, "-c", "import chromadb, llama_index.core"]
    ask = [sys.executable, "-m", "rag", "ask", QUESTION, "--json", "--data-dir", str(tmp_path / "data")]
    cost(ask, environment)  # the first run builds the index

    rounds = [(cost(bare, environment), cost(ask, environment)) for _ in range(ROUNDS)]
    imports, answer = (min(runs, key=lambda run: run.seconds) for runs in zip(*rounds, strict=True))
    with capsys.disabled():
        print(
            f"\nfirst answer {answer.seconds:.2f} s, {answer.megabytes:.0f} MB; "
            f"bare imports {imports.seconds:.2f} s, {imports.megabytes:.0f} MB"
        )
    assert answer.seconds <= 1.4 * imports.seconds


def test_a_command_line_answer_does_not_import_the_page(tmp_path: Path) -> None:
    ask = f"""
import runpy, sys
sys.argv = ["rag", "ask", {QUESTION!r}, "--json", "--data-dir", {str(tmp_path)!r}]
try:
    runpy.run_module("rag", run_name="__main__")
finally:
    assert not {{"gradio", "ui"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", ask], check=True, stdout=subprocess.DEVNULL)
