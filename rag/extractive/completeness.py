"""How complete a list is expected to be, where labelled topics support a statement."""

from collections.abc import Mapping, Sequence
from typing import Any

from rag.extractive.screening import thresholds
from rag.index.paper_index import PaperIndex
from rag.question.parsing import Question
from rag.question.topic import Topic
from rag.records import Completeness, Paper


def threshold(question: Question, size: int, fitted: Mapping[str, Any]) -> float:
    """The score from which a paper is at least a maybe, in a list of `size` papers.

    Where the question asks for a level of completeness, the one that keeps it; else the lowest there is.
    """
    usual = thresholds(fitted, size)["maybe"]
    if question.level is None:
        return usual
    levels = _levels(size, fitted)
    enough = [score for level, score in levels.items() if level >= question.level]
    return min(usual, max(enough) if enough else min(levels.values(), default=usual))


def completeness(
    question: Question, topic: Topic, papers: Sequence[Paper], index: PaperIndex, fitted: Mapping[str, Any]
) -> Completeness:
    """What the list of `papers` on `topic` rests on, `fitted` in the form of `rag/data/screening.json`.

    A level holds, on average over topics, for lists about as long as those it was calibrated on and the same
    embedding model. It says nothing of topics that are told by what they exclude or not wholly understood.
    """
    if index.embedding.model_name != fitted["model"] or topic.excluded or question.unmatched:
        return Completeness(len(papers))
    used = threshold(question, len(papers), fitted)
    kept = [level for level, score in _levels(len(papers), fitted).items() if score >= used]
    return Completeness(len(papers), max(kept, default=None))


def _levels(size: int, fitted: Mapping[str, Any]) -> dict[float, float]:
    """Level → the score that keeps it, for lists of `size` papers; empty where that is not calibrated."""
    for calibrated in fitted["levels"]:
        if calibrated["from"] <= size <= calibrated["to"]:
            return {float(level): score for level, score in calibrated["scores"].items()}
    return {}
