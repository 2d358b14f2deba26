"""Question text → Question: its kind, topic, filters and language. Rules only; no model is asked."""

import re
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

from llama_index.core.schema import QueryBundle

from rag.index.lexical import terms
from rag.patterns import lazy_pattern
from rag.question import list_wordings, record_wordings, wordings
from rag.question.errands import is_errand
from rag.question.filters import Filters, read_filters
from rag.question.glossary import is_chinese, translate
from rag.question.level import read_level
from rag.question.list_model import asks_for_list, subject
from rag.question.record_wordings import RECORD_WORDS, Ask
from rag.records import Kind, Language

Expectation = Literal["number", "name", "expansion", "reason", "open"]
"""The kind of answer a lookup expects: a figure, a name or list of names, what an acronym stands for, why."""

_ASKS_OF_MANY: frozenset[Ask] = frozenset({"code", "unrecorded"})
"""What may be asked of a list of papers as well as of one paper's record."""


# "On how many studies was it validated?" counts inside of a paper.
_COUNTS_WITHIN = lazy_pattern(
    r"^(?:on|over|across|from|with|by|in) how many\b(?!.*\b(?:papers|abstracts"
    r"|articles)\b).*\b(?:was|were|did|does|do|is|are)\b",
    re.I,
)


_CONTRACTED = lazy_pattern(r"\b(who|where|when|how)['’]?s\b(?=\s+(?!name\b))", re.I)
_BEEN = lazy_pattern(r"\b(what)['’]?s been\b", re.I)
_PARTICLE = lazy_pattern(r"(?<=[\u4e00-\u9fff])(?<![什怎那这多要])么(?=\W*$)")


@dataclass
class Question(QueryBundle):
    """A LlamaIndex query that knows what kind of question it is.

    `query_str` is what retrieval searches for: English, without the question's frame. `asked` is the question
    that is answered, `typed` what the user typed where that leans on an earlier question ("and HexGen-2?").
    `topic` is what a listed paper must be about. `focus` holds ids of papers that an earlier turn was about;
    retrieval keeps them within reach.
    """

    asked: str = ""
    typed: str = ""
    kind: Kind = "lookup"
    language: Language = "en"
    topic: str = ""
    asks: Ask | None = None
    expects: Expectation = "open"
    existential: bool = False
    lists: bool = False
    """Papers are asked for, not one paper's record."""
    filters: Filters = field(default_factory=Filters)
    within: Filters = field(default_factory=Filters)
    """Conditions set beside the question, on the page or by a caller: other papers do not exist for it."""
    focus: tuple[str, ...] = ()
    level: float | None = None
    """Share of the matching papers that a list is asked to hold, in (0, 1)."""
    considered: int = 0
    """How many papers the question is asked of; set by the engine."""
    searched: str = ""
    """What is said to have been searched for, where that is not just `query_str`."""
    unmatched: tuple[str, ...] = ()
    """Chinese words of the question that the glossary does not know."""


def parse(text: str, *, fitted: bool = True) -> Question:
    """The question behind `text`. Chinese is carried over to English by the glossary for searching.

    Where no pattern knows its wording, a fitted model may find that it asks for papers, unless not `fitted`.
    """
    level, asked = read_level(_spelt_out(" ".join(text.split())))
    language: Language = "zh" if is_chinese(asked) else "en"
    translation = translate(asked) if language == "zh" else None
    framed = _unframed(asked) or asked
    filters, plain = read_filters(framed)
    question = Question(
        query_str=_unframed(_once(translation.text) if translation else asked) or asked,
        asked=asked,
        language=language,
        filters=filters,
        expects=_expectation(asked),
        existential=bool(list_wordings.EXISTENTIAL.search(framed)),
        unmatched=translation.unmatched if translation else (),
        level=level,
    )
    found = _with_kind(question, framed, plain)
    return _listed(found, plain) if fitted and found.kind == "lookup" else found


def _with_kind(question: Question, framed: str, plain: str) -> Question:
    """`framed` is the question without courtesies, `plain` is that without its conditions."""
    if wordings.small_talk(question.asked) or is_errand(question.asked):
        return replace(question, kind="offtopic")
    topic = _topic(plain, question.language)
    ask = _ask(framed if record_wordings.TRACK.search(framed) else plain)
    if ask and ask != "track" and not (ask == "link" and topic):
        left = _meaningful(record_wordings.CODE_PHRASE.sub(" ", topic or "")) if ask == "code" else ""
        lists = topic is not None and ask in _ASKS_OF_MANY
        return replace(question, kind="metadata", asks=ask, topic=left, lists=lists)
    explains = wordings.EXPLAIN.search(framed) or wordings.EXPLAIN.search(question.asked)
    told = explains and record_wordings.ONE_PAPER.search(framed)
    if question.filters and not told and not _content(plain, question.language):
        about_one = ask == "track" and record_wordings.ONE_PAPER.search(framed)
        return replace(question, kind="metadata", asks="track" if about_one else "listing")
    if topic is not None:
        return _list_of(question, topic, plain)
    if ask:
        return replace(question, kind="metadata", asks=ask)
    if record_wordings.PAPER_COUNT.search(plain):
        return replace(question, kind="metadata", asks="paper_count")
    if wordings.COMPARE.search(framed):
        return replace(question, kind="compare")
    if explains and question.expects != "expansion":
        return replace(question, kind="explain")
    if question.language == "en" and (listed := list_wordings.LIST_ANYWHERE.search(plain)):
        return _list_of(question, _cleaned_topic("", plain[listed.end() :]), plain)
    return question


def _listed(question: Question, plain: str) -> Question:
    """The question as one for papers, where its wording is like those and it says what they are about."""
    singular = list_wordings.SINGULAR_PAPER.search(plain) or list_wordings.SINGULAR_PAPER_ZH.search(plain)
    if singular or question.expects == "number" or not asks_for_list(question.asked):
        return question
    about = subject(plain) if question.language == "en" else _unframed(_once(translate(plain).text))
    return replace(question, kind="enumerate", topic=topic) if (topic := _meaningful(about)) else question


def _list_of(question: Question, topic: str, plain: str) -> Question:
    """The papers about a topic; where it is empty, all of them or how many they are."""
    if topic := _meaningful(topic) or " ".join(word for word in question.unmatched if len(word) > 1):
        return replace(question, kind="enumerate", topic=topic)
    counted = record_wordings.COUNTING.search(plain) and not question.filters
    return replace(question, kind="metadata", asks="paper_count" if counted else "listing")


def _unframed(text: str) -> str:
    """The text without the courtesies around the question."""
    while (shorter := wordings.FRAME.sub(" ", text).strip().lstrip(":;,.!-– ")) != text:
        text = shorter
    return text


def _spelt_out(text: str) -> str:
    """The text with the contractions of question words written out, and 么 at the end as 吗."""
    text = _CONTRACTED.sub(r"\1 is", text)
    return _BEEN.sub(r"\1 has been", _PARTICLE.sub("吗", text))


def _once(text: str) -> str:
    """The text without words said twice in a row: a Chinese term and its English gloss in brackets."""
    words = text.split()
    stems = [" ".join(terms(word)) for word in words]
    for size in range(len(words) // 2, 0, -1):
        for start in range(len(words) - 2 * size + 1):
            if any(one := stems[start : start + size]) and one == stems[start + size : start + 2 * size]:
                return _once(" ".join(words[:start] + words[start + size :]))
    return text


def _ask(asked: str) -> Ask | None:
    return next((ask for ask, pattern in record_wordings.ASKS if pattern.search(asked)), None)


def _expectation(asked: str) -> Expectation:
    if wordings.EXPANSION.search(asked):
        return "expansion"
    if wordings.NUMBER.search(asked):
        return "number"
    if wordings.NAME.search(asked):
        return "name"
    return "open"


def _topic(plain: str, language: Language) -> str | None:
    """What the listed papers must be about; None when no list of papers is asked for."""
    if language == "zh":
        if list_wordings.THIS_PAPER_ZH.search(plain):
            return None
        listed = list_wordings.ENUMERATE_ZH.search(plain) and list_wordings.ZH_PAPERS.search(plain)
        return _unframed(_once(translate(plain).text)) if listed else None
    if list_wordings.SINGULAR_PAPER.search(plain) or _COUNTS_WITHIN.search(plain):
        return None
    # A list may be asked for after a remark: "I'm writing a survey. Which papers ...?"
    clauses = [plain, *(clause for clause in re.split(r"(?<=[.!?:;])\s+", plain)[1:] if clause)]
    for clause, pattern in product(clauses, list_wordings.ENUMERATE):
        if match := pattern.search(clause):
            return _cleaned_topic(match.groupdict().get("about") or "", clause[match.end() :])
    return None


def _cleaned_topic(before: str, after: str) -> str:
    """The topic without the words that lead to it: what stands before "papers", and what follows."""
    said = re.split(r"[?!.]\s+(?=[A-Z])", after)[0]
    said = list_wordings.TOPIC_LEAD.sub("", said, count=1)
    said = list_wordings.TOPIC_TAIL.sub("", said.rstrip(" ?!."))
    about = list_wordings.NO_TOPIC.sub(" ", before)
    return " and ".join(part for piece in (about, said) if (part := piece.strip(' ,?!."“”')))


def _meaningful(topic: str) -> str:
    """The topic; empty where all its words speak of lists and records ("published")."""
    words = re.findall(r"[\w-]+", topic.lower())
    return " ".join(topic.split()) if any(terms(word) for word in words if word not in RECORD_WORDS) else ""


def _content(plain: str, language: Language) -> str:
    return _meaningful(translate(plain).text if language == "zh" else plain)
