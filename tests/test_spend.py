"""The daily cap on model calls."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rag.writing.spend
from rag.errors import SpendCapReached, StorageError
from rag.writing.spend import SpendLedger


def test_spending_adds_up_and_survives_a_restart(tmp_path: Path) -> None:
    SpendLedger(tmp_path, 1.0).add(0.25)
    SpendLedger(tmp_path, 1.0).add(0.5)
    assert SpendLedger(tmp_path, 1.0).today() == 0.75


def test_cap(tmp_path: Path) -> None:
    ledger = SpendLedger(tmp_path, 1.0)
    ledger.check()
    ledger.check(1.0)
    with pytest.raises(SpendCapReached, match=r"\$0\.00 of the daily cap of \$1\.00"):
        ledger.check(1.01)
    ledger.add(0.75)
    ledger.check(0.25)
    with pytest.raises(SpendCapReached):
        ledger.check(0.5)
    ledger.add(0.25)
    with pytest.raises(SpendCapReached) as caught:
        ledger.check()
    assert "RAG_DAILY_SPEND_USD" in caught.value.hint


def test_a_cap_of_zero_allows_no_call(tmp_path: Path) -> None:
    with pytest.raises(SpendCapReached):
        SpendLedger(tmp_path, 0.0).check()


def test_a_new_day_starts_at_zero(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = SpendLedger(tmp_path, 1.0)
    monkeypatch.setattr(rag.writing.spend, "_today", lambda: "2025-01-01")
    ledger.add(2.0)
    monkeypatch.setattr(rag.writing.spend, "_today", lambda: "2025-01-02")
    assert ledger.today() == 0.0
    ledger.check()


def test_thirty_users_at_once_lose_nothing(tmp_path: Path) -> None:
    ledger = SpendLedger(tmp_path, 100.0)
    with ThreadPoolExecutor(30) as pool:
        list(pool.map(ledger.add, [0.125] * 240))
    assert ledger.today() == 30.0


ADD_FIFTY = """
import sys
from pathlib import Path
from rag.writing.spend import SpendLedger
for _ in range(50):
    SpendLedger(Path(sys.argv[1]), 100.0).add(0.125)
"""


def test_processes_share_one_ledger(tmp_path: Path) -> None:
    root = Path(rag.writing.spend.__file__).parents[1]
    running = [subprocess.Popen([sys.executable, "-c", ADD_FIFTY, str(tmp_path)], cwd=root) for _ in range(3)]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    assert SpendLedger(tmp_path, 100.0).today() == 18.75


def test_a_damaged_ledger_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "spend.sqlite3").write_bytes(b"no database" * 100)
    with pytest.raises(StorageError, match=r"spend\.sqlite3"):
        SpendLedger(tmp_path, 1.0).check()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        SpendLedger(tmp_path / "file", 1.0).add(0.1)


def test_the_ledger_is_a_plain_table(tmp_path: Path) -> None:
    SpendLedger(tmp_path, 1.0).add(0.5)
    with sqlite3.connect(tmp_path / "spend.sqlite3") as connection:
        assert connection.execute("SELECT usd FROM spend").fetchall() == [(0.5,)]
