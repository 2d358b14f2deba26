"""Finished cases on disk, so that a broken-off run can go on."""

import json
from collections.abc import Mapping
from pathlib import Path

from eval.run import Outcome
from rag.errors import StorageError, UsageError


class KeptOutcomes:
    """A JSON Lines file: the run's settings, then an outcome a line, each written as soon as it is there."""

    def __init__(self, path: Path, settings: Mapping[str, object]) -> None:
        self.path = path
        self._header = json.dumps(dict(settings), sort_keys=True)

    def resume(self) -> dict[str, Outcome]:
        """The outcomes, by case id, of an earlier run with the same settings; none where there was none.

        A last line that was cut off is passed over.

        Raises:
            UsageError: the kept run has other settings.
        """
        try:
            header, *lines = self.path.read_text(encoding="utf-8").splitlines()
        except (FileNotFoundError, ValueError):
            return {}
        except OSError as error:
            raise StorageError(
                f"The kept cases {self.path} cannot be read ({error.__class__.__name__})."
            ) from None
        if header != self._header:
            raise UsageError(
                "The kept cases are of a run with other questions, papers or settings.",
                "Run without --resume to start anew.",
            )
        outcomes: dict[str, Outcome] = {}
        for line in lines:
            try:
                outcome = Outcome.from_line(line)
            except (ValueError, KeyError, TypeError):
                break
            outcomes[outcome.case.id] = outcome
        return outcomes

    def start(self, outcomes: Mapping[str, Outcome]) -> None:
        """Makes the file anew with `outcomes` in it."""
        lines = [self._header, *(outcome.as_line() for outcome in outcomes.values())]
        self._write("w", "".join(f"{line}\n" for line in lines))

    def add(self, outcome: Outcome) -> None:
        self._write("a", outcome.as_line() + "\n")

    def clear(self) -> None:
        """To be called when the run is complete."""
        self.path.unlink(missing_ok=True)

    def _write(self, mode: str, text: str) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open(mode, encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise StorageError(f"Finished cases cannot be kept in {self.path} ({error.strerror}).") from None
