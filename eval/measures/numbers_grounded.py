"""Whether the numbers an answer states stand in its sources."""

import re

from eval.cases import Case
from eval.marks import without_marks
from eval.observation import Observation

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_FROM_ABSTRACTS = ("lookup", "explain", "compare", "followup")


def numbers_grounded(case: Case, seen: Observation) -> float | None:
    """Numbers of the text that the cited papers or the conversation's questions hold, by all its numbers.

    The numeric part of faithfulness: an invented figure is the commonest harmful hallucination over
    abstracts. Lists and record questions are left out, their numbers are counted and not read. None without
    numbers.
    """
    if case.kind not in _FROM_ABSTRACTS or seen.answer.abstained:
        return None
    stated = _numbers(without_marks(seen.answer.text))
    if not stated:
        return None
    known = _numbers(" ".join(case.turns))
    for paper_id in seen.cited:
        if paper := seen.sources.get(paper_id):
            known += _numbers(f"{paper.title} {paper.abstract} {paper.published} {paper.url or ''}")
    return sum(number in known for number in stated) / len(stated)


def _numbers(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in _NUMBER.findall(text)]
