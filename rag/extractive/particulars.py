"""Facts of single records: who wrote a paper, its track, venue, link, code, title, abstract."""

import re
from collections.abc import Callable, Sequence

from rag.extractive import facts
from rag.extractive.facts import neutral
from rag.index.lexical import terms
from rag.patterns import lazy_pattern
from rag.phrases import join, say
from rag.question.glossary import translate
from rag.question.naming import mentions, names_in
from rag.question.parsing import Question
from rag.question.record_wordings import ASKING_WORDS
from rag.records import Composition, Decision, Evidence, Hit, Paper, Statement
from rag.sentences import split
from rag.suspicion import sound

MEANT_FROM = 0.75
"""Least sum of the share of the question's words that a paper has, weighed by rarity, and their cosine
similarity, for the paper to be the one that the question means."""

_SHORT = 3
"""Letters of words in capitals that are none of their own: PDF, URL."""
_QUOTED = lazy_pattern(r"[\"“「《]([^\"”」》]{4,})[\"”」》]")
_FIRST = lazy_pattern(r"\bfirst author|\blead author|第一作者|一作", re.I)
_LAST = lazy_pattern(r"\b(?:last|senior) author|最后一?位作者", re.I)


def meant(question: Question, hits: Sequence[Hit], idf: Callable[[str], float]) -> list[Paper]:
    """The papers whose record is asked for: one that the question describes, else those it leans on.

    Empty when no hit is what the question describes: the nearest paper is not the one that was meant.
    """
    subject = _subject(question)
    focus = [hit.paper for hit in hits if hit.paper.id in question.focus]
    if question.focus and not subject:
        return sorted(focus, key=lambda paper: question.focus.index(paper.id))
    found = next((hit.paper for hit in hits if _is_meant(question, subject, hit, idf)), None)
    return [found] if found else focus[:1]


def describes(question: Question) -> bool:
    """Whether the question says anything of the paper it asks about."""
    return bool(_subject(question))


def particulars(question: Question, papers: Sequence[Paper]) -> Composition:
    """What is asked of these records, a statement a paper."""
    if len(papers) == 1:
        return _about_one(question, papers[0])
    each = [_about_one(question, paper) for paper in papers[: facts.SHOWN]]
    statements = [
        Statement(statement.text, statement.evidence, "\n- " if first else " ")
        for composition in each
        for first, statement in _marked_first(composition.statements)
    ]
    return Composition(
        tuple(statements),
        abstained=all(composition.abstained for composition in each),
        decisions=tuple(decision for composition in each for decision in composition.decisions),
    )


def _marked_first(statements: Sequence[Statement]) -> list[tuple[bool, Statement]]:
    return [(number == 0, statement) for number, statement in enumerate(statements)]


def _subject(question: Question) -> list[str]:
    """The words of the question that describe the paper, not what is asked of it."""
    english = translate(question.asked).text if question.language == "zh" else question.asked
    words = re.findall(r"[^\W_]+(?:[-.@][^\W_]+)*", english)
    shouted = question.asked.isupper()
    return [word for word in words if (not _asks(word) or (_is_name(word) and not shouted)) and terms(word)]


def _asks(word: str) -> bool:
    return word.lower() in ASKING_WORDS


def _is_name(word: str) -> bool:
    """Whether a word of asking is written as a name is: "the INCLUDE paper"."""
    return word.isupper() and len(word) > _SHORT


def _is_meant(question: Question, subject: Sequence[str], hit: Hit, idf: Callable[[str], float]) -> bool:
    text = f"{hit.paper.title} {hit.paper.abstract} {hit.paper.id}"
    if quoted := _QUOTED.findall(question.asked):
        return all(_squeezed(phrase) in _squeezed(text) for phrase in quoted)
    names = [name for name in names_in(question.asked) if not _asks(name) or _is_name(name)]
    if not all(mentions(f"{text} {hit.paper.published}", name) for name in names):
        return False
    wanted = dict.fromkeys(terms(" ".join(subject)))
    known = set(terms(text)) | {term for name in names for term in terms(name)}
    total = sum(map(idf, wanted))
    coverage = sum(idf(term) for term in wanted if term in known) / total if total else 0.0
    return coverage + (hit.dense or 0.0) >= MEANT_FROM


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _about_one(question: Question, paper: Paper) -> Composition:
    if question.asks == "abstract" and paper.abstract:
        return _abstract(question, paper)
    text, quote = _fact(question, paper, neutral(paper.title))
    if not text:
        unknown = say(question.language, "record_unknown", title=neutral(paper.title))
        return Composition((Statement(unknown, (Evidence(paper, paper.title),)),), abstained=True)
    count = len(paper.authors) if question.asks == "author_count" else None
    decisions = (Decision(paper, "yes", quote, 1.0),) if question.asks == "track" else ()
    return Composition((Statement(text, (Evidence(paper, quote),)),), decisions=decisions, count=count)


def _abstract(question: Question, paper: Paper) -> Composition:
    spans = sound(paper.abstract) or split(paper.abstract)[:1]
    sentences = [span.of(paper.abstract) for span in spans]
    first = say(question.language, "abstract", title=neutral(paper.title), quote=neutral(sentences[0]))
    texts = [first, *map(neutral, sentences[1:])]
    return Composition(
        tuple(Statement(t, (Evidence(paper, s),)) for t, s in zip(texts, sentences, strict=True))
    )


def _fact(question: Question, paper: Paper, title: str) -> tuple[str, str]:
    """The sentence that states the fact and the record's words it rests on; both empty when not recorded."""
    language = question.language
    match question.asks:
        case "authors" | "author_count" if paper.authors:
            return _authors(question, paper, title)
        case "track" if paper.track:
            venue = neutral(paper.published) or ("the venue" if language == "en" else "会议")
            track = neutral(paper.track)
            article = "an" if track[:1].lower() in "aeiou" else "a"
            return say(language, "track", title=title, a=article, track=track, venue=venue), paper.track
        case "year" | "venue" if paper.published:
            return say(language, "published", title=title, venue=neutral(paper.published)), paper.published
        case "link" if paper.url:
            return say(language, "link", title=title, url=neutral(paper.url)), paper.url
        case "title":
            return say(language, "title", title=title), paper.title
        case "code":
            if sentence := facts.code_sentence(paper, repository_only=False):
                quote = neutral(sentence).rstrip(".。 ")
                return say(language, "quote", title=title, quote=quote), sentence
            return say(language, "code_none", title=title), paper.title
    return "", ""


def _authors(question: Question, paper: Paper, title: str) -> tuple[str, str]:
    language, authors = question.language, [neutral(author) for author in paper.authors]
    if question.asks == "author_count":
        named = join(language, authors)
        text = say(language, "author_count", title=title, count=len(authors), authors=named)
        return text, ", ".join(paper.authors)
    if _FIRST.search(question.asked):
        return say(language, "first_author", title=title, author=authors[0]), paper.authors[0]
    if _LAST.search(question.asked):
        return say(language, "last_author", title=title, author=authors[-1]), paper.authors[-1]
    return say(language, "authors", title=title, authors=join(language, authors)), ", ".join(paper.authors)
