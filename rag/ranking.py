"""BM25 over the passages of an index, saved beside it."""

import math
import secrets
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from rag.lexical import LexicalIndex

_VERSION = 1
"""Goes up with every change of `rag.lexical.terms`, so that a ranking made with older terms is made again."""


class PassageRanking:
    """A BM25 index whose texts are passages with numbers of their own."""

    def __init__(self, lexical: LexicalIndex, numbers: npt.NDArray[np.int64]) -> None:
        """`numbers` has shape (len(lexical),): the number of each text, ascending."""
        self._lexical = lexical
        self._numbers = numbers

    @classmethod
    def build(cls, passages: Iterable[tuple[int, str]]) -> Self:
        """From the number and text of each passage, in ascending order of number."""
        numbers: list[int] = []

        def texts() -> Iterable[str]:
            for number, text in passages:
                numbers.append(number)
                yield text

        lexical = LexicalIndex.build(texts())
        return cls(lexical, np.asarray(numbers, dtype=np.int64))

    def rank(self, query: str, k: int, numbers: Collection[int] | None = None) -> list[tuple[int, float]]:
        """Numbers and BM25 scores of the `k` best passages, best first; `numbers` restricts to these."""
        mask = (
            None if numbers is None else np.isin(self._numbers, np.fromiter(numbers, np.int64, len(numbers)))
        )
        return [(int(self._numbers[row]), score) for row, score in self._lexical.rank(query, k, mask)]

    def idf(self, term: str) -> float:
        """log(1 + (N - df + 0.5) / (df + 0.5)), never negative (Lucene's variant of Robertson and Zaragoza 2009)."""
        having = self._lexical.document_frequency(term)
        return math.log(1 + (len(self._lexical) - having + 0.5) / (having + 0.5))

    @staticmethod
    def saved(folder: Path, revision: str) -> bool:
        return _folder(folder, revision).is_dir()

    def save(self, folder: Path, revision: str) -> None:
        """Write beside the index under the name of its revision and remove those of other revisions.

        The folder takes its name when it is complete, so a kill leaves no half-written one. Raises OSError.
        """
        target = _folder(folder, revision)
        unnamed = folder / f"bm25-unnamed-{secrets.token_hex(4)}"
        try:
            self._lexical.save(unnamed)
            np.save(unnamed / "numbers.npy", self._numbers)
            unnamed.rename(target)
        except BaseException:
            shutil.rmtree(unnamed, ignore_errors=True)
            raise
        for other in folder.glob("bm25-*"):
            if other != target:
                shutil.rmtree(other, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path, revision: str) -> Self | None:
        """What `save` wrote for this revision, memory-mapped; None where there is none that can be read."""
        source = _folder(folder, revision)
        try:
            return cls(LexicalIndex.load(source), np.load(source / "numbers.npy"))
        except (OSError, ValueError, KeyError):
            return None


def _folder(folder: Path, revision: str) -> Path:
    return folder / f"bm25-{_VERSION}-{revision}"
