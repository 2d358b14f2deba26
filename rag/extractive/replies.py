"""Answers that rest on no abstract: greetings, refusals with the nearest paper, a question asked back."""

from collections.abc import Sequence

from rag.extractive import facts
from rag.extractive.extract import short_name
from rag.extractive.premises import Premises
from rag.phrases import join, say
from rag.question.parsing import Question
from rag.question.wordings import small_talk
from rag.records import Composition, Evidence, Hit, Language, Paper, Statement

NEAREST = 3
"""Papers that are offered where none answers, and names that are said to be missing."""


def no_question(question: Question, n: int) -> Composition:
    """What this chat does, a kind word to who thanks it, or what it does not do; `n` papers are there."""
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


def not_found(language: Language, n: int, hits: Sequence[Hit], premises: Premises | None) -> Composition:
    """The abstracts do not answer: what the nearest paper lacks or says otherwise, or the nearest papers."""
    head = Statement(say(language, "not_found", n=n))
    if not hits:
        return Composition((head,), abstained=True)
    if premises and premises.against:
        return Composition((head, _otherwise(language, *premises.against)), abstained=True)
    lacking = _lacking(language, premises) if premises else ""
    if lacking:
        return _with_nearest(head.text, language, hits, lacking)
    nearest = [hit.paper for hit in hits[:NEAREST]]
    titles = "; ".join(facts.neutral(short_name(paper)) for paper in nearest)
    key = "nearest_many" if len(nearest) > 1 else "nearest"
    told = say(language, key, titles=titles, title=titles)
    evidence = tuple(Evidence(paper, paper.title) for paper in nearest)
    return Composition((head, Statement(told, evidence)), abstained=True)


def not_covered(language: Language, n: int, papers: Sequence[Paper]) -> Composition:
    """No paper is about what was asked for; `papers` come nearest."""
    titles = "; ".join(facts.neutral(short_name(paper)) for paper in papers[:NEAREST])
    key = "nearest_many" if len(papers[:NEAREST]) > 1 else "nearest"
    evidence = tuple(Evidence(paper, paper.title) for paper in papers[:NEAREST])
    nearest = Statement(say(language, key, titles=titles, title=titles), evidence)
    return Composition((Statement(say(language, "not_found", n=n)), nearest), abstained=True, count=0)


def _lacking(language: Language, premises: Premises) -> str:
    """What the nearest paper does not mention, in a few words: "ImageNet", "a learning rate"."""
    if premises.names:
        return join(language, [facts.neutral(name) for name in premises.names[:NEAREST]])
    if premises.details:
        return join(language, [detail.name(language) for detail in premises.details])
    return join(language, list(premises.metrics)) if premises.metrics else ""


def _otherwise(language: Language, paper: Paper, sentence: str) -> Statement:
    quote = facts.neutral(sentence).rstrip(".。 ")
    title = facts.neutral(short_name(paper))
    return Statement(say(language, "otherwise", title=title, quote=quote), (Evidence(paper, sentence),))


def _reply(*sentences: str) -> Composition:
    return Composition(tuple(map(Statement, sentences)), abstained=True)


def _with_nearest(text: str, language: Language, hits: Sequence[Hit], missing: str = "") -> Composition:
    if not hits:
        return _reply(text)
    paper = hits[0].paper
    key = "nearest_lacks" if missing else "nearest"
    nearest = say(language, key, title=facts.neutral(short_name(paper)), what=missing)
    return Composition((Statement(text), Statement(nearest, (Evidence(paper, paper.title),))), abstained=True)
