"""What the chat model has cost today, kept in the data folder, so that a daily cap holds over restarts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rag.errors import ModelError, SpendCapReached, StorageError
from rag.records import Tokens

_WAIT_SECONDS = 10.0
_NO_TOKENS = Tokens()


@dataclass(frozen=True, slots=True)
class Spent:
    """What a call has cost, whether or not anything came of it. Dollars None where nobody knows the price."""

    tokens: Tokens = _NO_TOKENS
    cost_usd: float | None = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        """Both together; their price is unknown where that of either is."""
        tokens = Tokens(
            self.tokens.prompt + other.tokens.prompt, self.tokens.completion + other.tokens.completion
        )
        known = self.cost_usd is not None and other.cost_usd is not None
        return Spent(tokens, (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None)


NOTHING = Spent()
"""What no call has cost."""


class SpendLedger:
    """Dollars spent a UTC day. Safe across threads and processes: every call is a transaction of its own."""

    def __init__(self, data_dir: Path, cap_usd: float) -> None:
        self._file = data_dir / "spend.sqlite3"
        self._cap = cap_usd

    def check(self, upcoming_usd: float = 0.0) -> None:
        """Before a call that may cost `upcoming_usd`.

        Raises:
            SpendCapReached: the cap is used up, or this call could pass it.
            StorageError: the ledger cannot be read, so that nobody knows.
        """
        spent = self.today()
        if spent >= self._cap or spent + upcoming_usd > self._cap:
            raise SpendCapReached(
                f"Today's model calls have cost ${spent:.2f} of the daily cap of ${self._cap:.2f}.",
                "Answers quote the abstracts until midnight UTC; RAG_DAILY_SPEND_USD raises the cap.",
            )

    def add(self, usd: float) -> None:
        """Record what a call has cost, also one that failed half-way.

        Raises:
            StorageError: the ledger cannot be written.
        """
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO spend (day, usd) VALUES (?, ?) "
                "ON CONFLICT (day) DO UPDATE SET usd = usd + excluded.usd",
                (_today(), usd),
            )

    def today(self) -> float:
        """Dollars spent since midnight UTC."""
        with self._transaction() as connection:
            row = connection.execute("SELECT usd FROM spend WHERE day = ?", (_today(),)).fetchone()
        return float(row[0]) if row else 0.0

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._file, timeout=_WAIT_SECONDS)) as connection, connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS spend (day TEXT PRIMARY KEY, usd REAL NOT NULL)"
                )
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise StorageError(
                f"The spend ledger {self._file} cannot be used ({error}).",
                "Check the folder's rights and free space; delete the file if it is damaged.",
            ) from None


@contextmanager
def ledger_errors() -> Iterator[None]:
    """A ledger that cannot be used stops the model, not the chat: nobody would know what is spent."""
    try:
        yield
    except StorageError as error:
        raise ModelError(error.message, error.hint) from None


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
