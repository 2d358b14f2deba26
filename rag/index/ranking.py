"""BM25 over the papers of an index: on all collections measured it beats BM25 over their passages."""

import math
from collections.abc import Collection, Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from rag.index.lexical import LexicalIndex
from rag.index.papers import PaperWords

VERSION = 4
"""Goes up with every change of `rag.index.lexical.terms`, so that older rankings are made again."""


class PaperRanking:
    """A BM25 index of papers, known by the numbers of their first passages. Safe to use from threads."""

    def __init__(self, lexical: LexicalIndex, numbers: npt.NDArray[np.int64]) -> None:
        """`numbers` has shape (len(lexical),): the number of each text."""
        self._lexical = lexical
        self._numbers = numbers

    @classmethod
    def build(cls, papers: Iterable[PaperWords]) -> Self:
        numbers: list[int] = []

        def texts() -> Iterable[str]:
            for paper in papers:
                numbers.append(paper.number)
                yield paper.text

        lexical = LexicalIndex.build(texts())
        return cls(lexical, np.asarray(numbers, dtype=np.int64))

    def rank(self, query: str, k: int, numbers: Collection[int] | None = None) -> list[tuple[int, float]]:
        """Numbers and BM25 scores of the `k` best papers, best first; `numbers` restricts to these."""
        mask = None if numbers is None else np.isin(self._numbers, np.asarray(list(numbers), dtype=np.int64))
        return [(int(self._numbers[row]), score) for row, score in self._lexical.rank(query, k, mask)]

    @property
    def vocabulary(self) -> Collection[str]:
        """Every stem of the papers."""
        return self._lexical.vocabulary

    def idf(self, term: str) -> float:
        """log(1 + (N - df + 0.5) / (df + 0.5)), at least 0: Lucene's form of Robertson and Zaragoza 2009.

        Counted over these papers and a shipped background of machine-learning abstracts together, so that
        a word weighs about the same in a list of 19 papers as in one of thousands.
        """
        background = _background()
        having = self._lexical.document_frequency(term) + (background.get(term, 0) if term else 0)
        return math.log(1 + (len(self._lexical) + background[""] - having + 0.5) / (having + 0.5))

    def document_frequency(self, term: str) -> int:
        """How many papers have `term`, a stem as `rag.index.lexical.terms` gives it."""
        return self._lexical.document_frequency(term)

    def save(self, folder: Path) -> None:
        """Write to `folder`, which is made. Raises OSError."""
        self._lexical.save(folder)
        np.save(folder / "numbers.npy", self._numbers)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What `save` wrote, memory-mapped. Raises OSError, ValueError, KeyError."""
        return cls(LexicalIndex.load(folder), np.load(folder / "numbers.npy"))


@cache
def _background() -> dict[str, int]:
    """Papers that have each stem; under the empty word, how many there are (`python -m eval fit`)."""
    lines = files("rag.data").joinpath("word_counts.tsv").read_text("utf-8").splitlines()
    return {stem: int(count) for stem, count in (line.split("\t") for line in lines)}
