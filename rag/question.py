"""Question text → Question: its kind, topic, filters and language. Rules only; no model is asked."""

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from llama_index.core.schema import QueryBundle

from rag import wordings
from rag.glossary import is_chinese, translate
from rag.records import Kind, Language

Expectation = Literal["number", "name", "expansion", "reason", "open"]
"""The kind of answer a lookup expects: a figure, a name or list of names, what an acronym stands for, why."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on the record, applied before ranking. Empty tuples and None mean "any"."""

    tracks: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    authors: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tracks or self.years or self.authors)


@dataclass
class Question(QueryBundle):
    """A LlamaIndex query that knows what kind of question it is.

    `query_str` is what retrieval searches for: English, without the question's frame. `asked` is the text
    as typed. `topic` is what a listed paper must be about (enumerate only). `focus` holds ids of papers
    that an earlier turn was about; retrieval keeps them within reach.
    """

    asked: str = ""
    kind: Kind = "lookup"
    language: Language = "en"
    topic: str = ""
    asks: wordings.Ask | None = None
    expects: Expectation = "open"
    existential: bool = False
    filters: Filters = field(default_factory=Filters)
    focus: tuple[str, ...] = ()
    considered: int = 0
    """How many papers the index holds; set by the engine."""
    unmatched: tuple[str, ...] = ()
    """Chinese words of the question that the glossary does not know."""


def parse(text: str) -> Question:
    """The question behind `text`. Chinese is carried over to English by the glossary for searching."""
    asked = " ".join(text.split())
    language: Language = "zh" if is_chinese(asked) else "en"
    translation = translate(asked) if language == "zh" else None
    english = translation.text if translation else asked
    search = _strip(english, wordings.FRAME)
    question = Question(
        query_str=search or asked,
        asked=asked,
        language=language,
        filters=_filters(asked),
        expects=_expectation(asked),
        existential=bool(wordings.EXISTENTIAL.search(_strip(asked, wordings.FRAME))),
        unmatched=translation.unmatched if translation else (),
    )
    return _with_kind(question, search)


def _with_kind(question: Question, search: str) -> Question:
    asked = _strip(question.asked, wordings.FRAME) or question.asked
    if wordings.GREETING.search(question.asked):
        return replace(question, kind="offtopic")
    if wordings.PAPER_COUNT.search(asked) and not question.filters:
        return replace(question, kind="metadata", asks="paper_count")
    topic = _topic(asked, search, question.language)
    if ask := _ask(asked):
        bare = _bare(topic or "", question.filters)
        if not (ask == "track" and bare):
            return replace(question, kind="metadata", asks=ask, topic=bare)
    if topic is not None:
        bare = _bare(topic, question.filters)
        if question.filters and not bare:
            return replace(question, kind="metadata", asks="listing")
        return replace(question, kind="enumerate", topic=bare or topic)
    if question.filters.authors and not _bare(wordings.SINGULAR_PAPER.sub("", asked), question.filters):
        return replace(question, kind="metadata", asks="listing")
    if wordings.COMPARE.search(asked):
        return replace(question, kind="compare")
    if question.expects != "expansion" and (
        wordings.EXPLAIN.search(asked) or wordings.EXPLAIN.search(question.asked)
    ):
        return replace(question, kind="explain")
    return question


def _strip(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(" ", text).strip()


def _ask(asked: str) -> wordings.Ask | None:
    return next((ask for ask, pattern in wordings.ASKS if pattern.search(asked)), None)


def _expectation(asked: str) -> Expectation:
    if wordings.EXPANSION.search(asked):
        return "expansion"
    if wordings.NUMBER.search(asked):
        return "number"
    if wordings.NAME.search(asked):
        return "name"
    return "open"


def _topic(asked: str, search: str, language: Language) -> str | None:
    """What the listed papers must be about; None when no list of papers is asked for."""
    if language == "zh":
        return search if wordings.ENUMERATE_ZH.search(asked) and wordings.ZH_PAPERS.search(asked) else None
    if wordings.SINGULAR_PAPER.search(asked):
        return None
    for pattern in wordings.ENUMERATE:
        if match := pattern.search(search):
            topic = wordings.TOPIC_LEAD.sub("", search[match.end() :], count=1)
            return wordings.TOPIC_TAIL.sub("", topic.rstrip(" ?!.")).strip(" ,?!.")
    return None


def _filters(asked: str) -> Filters:
    tracks = tuple(track for track, pattern in wordings.TRACKS.items() if re.search(pattern, asked, re.I))
    years = tuple(sorted({int(a or b) for a, b in wordings.YEAR.findall(asked)}))
    return Filters(tracks=tracks, years=years, authors=_author_names(asked))


def _author_names(asked: str) -> tuple[str, ...]:
    """Names after "papers by": each must look like a name, so that "papers by topic" is none."""
    match = wordings.BY_AUTHOR.search(asked)
    if not match:
        return ()
    names = re.split(r"\s*,\s*|\s+and\s+|\s*&\s*", match.group("names") or match.group("did"))
    return tuple(
        name.strip()
        for name in names
        if re.fullmatch(r"[A-ZÀ-Ž][\w.'’-]*(?:\s+[\w.'’-]+){0,4}", name.strip())
    )


def _bare(topic: str, filters: Filters) -> str:
    """The topic without the words that became filters."""
    for track in filters.tracks:
        topic = re.sub(wordings.TRACKS[track], " ", topic, flags=re.I)
    for year in filters.years:
        topic = re.sub(rf"\b(?:(?:published\s+)?(?:in|from|of|since)\s+)?{year}\b(?:\s*年)?", " ", topic)
    for author in filters.authors:
        topic = re.sub(rf"\b(?:written\s+|authored\s+)?(?:by\s+|and\s+)?{re.escape(author)}\b", " ", topic)
    topic = re.sub(r"\b(?:presentations?|papers?)\b", " ", topic, flags=re.I) if filters.tracks else topic
    return wordings.TOPIC_LEAD.sub("", " ".join(topic.split()), count=1).strip(" ,?!.")
