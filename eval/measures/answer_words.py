"""How long an answer in prose is: quoting the whole abstract is no answer."""

import numpy as np
from numpy.typing import NDArray

from eval.cases import Case
from eval.marks import without_marks
from eval.observation import Observation


def answer_words(case: Case, seen: Observation) -> float | None:
    """Words of the text without citation marks; None for lists, records and abstentions."""
    if case.asks_for_list or case.kind == "metadata" or seen.answer.abstained or seen.answer.papers:
        return None
    return float(len(without_marks(seen.answer.text).split()))


def longest(*columns: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """The greatest value of the only column."""
    return np.asarray(columns[0].max(axis=axis))
