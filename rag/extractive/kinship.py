"""How near in meaning two words are: "quicker" and "faster", "smell" and "odour".

`rag/data/word_kinship.npz` holds a short vector for every stem that is usual in machine-learning abstracts,
and in how many of them it stands; `eval/fit_words.py` writes it. A stem that is not in it is kin to itself
only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Table:
    """`vectors`: (stems + 1, dimensions), rows of length 1; the last row, for unknown stems, is zero."""

    rows: dict[str, int]
    vectors: npt.NDArray[np.float32]
    abstracts: npt.NDArray[np.int32]

    def of(self, stems: Sequence[str]) -> npt.NDArray[np.float32]:
        return self.vectors[[self.rows.get(stem, -1) for stem in stems]]


def closeness(wanted: Sequence[str], said: Sequence[str]) -> Floats:
    """For each wanted stem the cosine to the nearest of `said`, in [0, 1]: (len(wanted),)."""
    known = set(said)
    exact = np.array([stem in known for stem in wanted], dtype=np.float64)
    if not wanted or not said or exact.all():
        return exact
    table = _table()
    nearest = (table.of(wanted) @ table.of(said).T).max(axis=1)
    near: Floats = np.maximum(exact, np.clip(nearest, 0.0, 1.0))
    return near


def usual(stem: str) -> int:
    """In how many of 100,000 abstracts on machine learning `stem` stands; 0 where that is next to none."""
    table = _table()
    row = table.rows.get(stem)
    return 0 if row is None else int(table.abstracts[row])


@cache
def _table() -> _Table:
    with resources.files("rag.data").joinpath("word_kinship.npz").open("rb") as file, np.load(file) as data:
        stems, vectors, abstracts = data["stems"], data["vectors"], data["abstracts"]
    rows = vectors.astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.vstack([rows, np.zeros((1, rows.shape[1]), dtype=np.float32)])
    return _Table({str(stem): row for row, stem in enumerate(stems)}, rows, abstracts)
