"""Whether a list that was asked for with "is there ..." is about what was asked at all."""

from collections.abc import Callable, Sequence

from rag.extractive.kinship import closeness
from rag.index.lexical import terms
from rag.patterns import lazy_pattern
from rag.question.parsing import Question
from rag.records import Decision

SPECIFIC = 0.5
"""A word of at least this share of the greatest idf says what a topic is about."""
LIKE = 0.7
"""Cosine from which another word will do for it."""
_HAN = lazy_pattern("[\u4e00-\u9fff]{2}")


def is_covered(question: Question, decisions: Sequence[Decision], idf: Callable[[str], float]) -> bool:
    """Whether one of the papers decided yes has every specific word of the topic, or its like.

    A Chinese word of the topic that could not be carried over is specific and nowhere to be found.
    """
    if any(_HAN.search(word) for word in question.unmatched):
        return False
    least = SPECIFIC * idf("")
    core = [stem for stem in dict.fromkeys(terms(question.topic)) if idf(stem) >= least]
    yes = [decision.paper for decision in decisions if decision.choice == "yes"]
    return not core or any(_has(core, list(set(terms(f"{p.title} {p.abstract}")))) for p in yes)


def _has(core: Sequence[str], said: Sequence[str]) -> bool:
    return all(closeness(_spellings(stem), said).max() >= LIKE for stem in core)


def _spellings(stem: str) -> list[str]:
    """The stem, and that of its American spelling: "localis" for "localise", "local" for "localize"."""
    return [stem, stem[:-2], f"{stem[:-2]}iz"] if stem.endswith("is") and len(stem) > 5 else [stem]
