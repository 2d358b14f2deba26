"""Finished cases on disk, so that a broken-off run can go on."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from eval.run import Outcome
from rag.errors import StorageError, UsageError


class KeptOutcomes:
    """A JSON Lines file that belongs to the settings of a run: one outcome a line, as soon as it is there."""

    def __init__(self, folder: Path, settings: Mapping[str, object]) -> None:
        key = hashlib.sha256(json.dumps(dict(settings), sort_keys=True).encode()).hexdigest()
        self._path = folder / f"run-{key[:16]}.partial.jsonl"

    def resume(self) -> dict[str, Outcome]:
        """The outcomes, by case id, that a broken-off run with the same settings left.

        A last line that was cut off is passed over.

        Raises:
            UsageError: there was no such run.
            StorageError: its file cannot be read.
        """
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            raise UsageError(
                "No run with these questions, papers and settings was broken off.", "Run without --resume."
            ) from None
        except OSError as error:
            raise StorageError(f"The kept cases {self._path} cannot be read ({error.strerror}).") from None
        outcomes: dict[str, Outcome] = {}
        for line in lines:
            try:
                outcome = Outcome.from_line(line.decode())
            except (ValueError, KeyError, TypeError):
                break
            outcomes[outcome.case.id] = outcome
        return outcomes

    def start(self, outcomes: Mapping[str, Outcome]) -> None:
        """Makes the file anew with `outcomes` in it. Raises StorageError."""
        self._write("w", "".join(f"{outcome.as_line()}\n" for outcome in outcomes.values()))

    def add(self, outcome: Outcome) -> None:
        """Raises StorageError."""
        self._write("a", f"{outcome.as_line()}\n")

    def clear(self) -> None:
        """To be called when the run is complete."""
        self._path.unlink(missing_ok=True)

    def _write(self, mode: str, text: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise StorageError(f"Finished cases cannot be kept in {self._path} ({error.strerror}).") from None
