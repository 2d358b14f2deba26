"""Answers that rest on no abstract: greetings, refusals with the nearest paper, a question asked back."""

from collections.abc import Sequence

from rag.extractive import facts
from rag.extractive.extract import short_name
from rag.phrases import say
from rag.question.parsing import Question
from rag.question.wordings import small_talk
from rag.records import Composition, Evidence, Hit, Language, Statement


def no_question(question: Question, n: int) -> Composition:
    """What this chat does, a kind word to who thanks it, or what it does not do. `n` is the number of papers."""
    talk = small_talk(question.asked)
    if talk is None:
        return off_topic(question.language, n)
    if talk == "thanks":
        return _reply(say(question.language, "welcome"))
    return _reply(say(question.language, "greeting", n=n), say(question.language, "examples"))


def off_topic(language: Language, n: int) -> Composition:
    return _reply(say(language, "off_topic", n=n))


def which_paper(language: Language) -> Composition:
    """Asks back: the question points at a paper without saying which."""
    return _reply(say(language, "which_paper"))


def unknown_paper(language: Language, n: int, hits: Sequence[Hit]) -> Composition:
    """No paper is the one whose record is asked for."""
    return _with_nearest(say(language, "paper_unknown", n=n), language, hits)


def not_found(language: Language, n: int, hits: Sequence[Hit], missing: str) -> Composition:
    """The abstracts do not answer. `missing` is a name that the nearest paper lacks, or empty."""
    return _with_nearest(say(language, "not_found", n=n), language, hits, missing)


def _reply(*sentences: str) -> Composition:
    return Composition(tuple(map(Statement, sentences)), abstained=True)


def _with_nearest(text: str, language: Language, hits: Sequence[Hit], missing: str = "") -> Composition:
    if not hits:
        return _reply(text)
    paper = hits[0].paper
    key = "nearest_lacks" if missing else "nearest"
    nearest = say(language, key, title=facts.neutral(short_name(paper)), what=facts.neutral(missing))
    return Composition((Statement(text), Statement(nearest, (Evidence(paper, paper.title),))), abstained=True)
