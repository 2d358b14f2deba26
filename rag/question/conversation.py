"""A follow-up question → the papers and the words of earlier turns it leans on. No model is asked."""

import re
from dataclasses import replace

from rag.index.lexical import terms
from rag.patterns import lazy_pattern
from rag.phrases import join
from rag.question.list_wordings import PLURAL_VERBS
from rag.question.naming import names_in
from rag.question.parsing import Question, parse
from rag.question.record_wordings import TALLIES
from rag.question.wordings import wording
from rag.records import Conversation, Paper

_PRONOUN = wording(
    (
        r"\b(?:it|its|it's|they|them|their|theirs|this|that|these|those|he|she|his|her"
        r"|here)\b(?!\s+(?:paper|work)\s+(?:on|about|that|which))"
    ),
    r"它们?",
    r"他们",
    r"其(?!他|它|余|实)",
    r"这(?:个|篇|种|些)",
    r"那(?:个|篇|些)",
    r"该(?:方法|论文|模型|文)",
)
_OF_A_PAPER = wording(
    r"\b(?:it|its|they|them|their|(?:this|that|the) (?:paper|work|method|approach|model|system|one))\b",
    r"它们?",
    r"(?:这|那|该)(?:个|篇|种)?(?:方法|论文|模型|文|工作|系统)",
)
_RECENT = 50
"""Turns that are looked through for the question which the last papers answered."""
_SHOWN = 3
_TITLE_WORDS = 8
_LITTLE = 3
"""Words of a question that cannot tell which paper it means."""
_SET = wording(
    r"\b(?:of|among|from|in)\s+(?:those|these|them|the above)\b",
    r"^(?:and\s+)?which (?:of them|ones?|are|were)\b",
    rf"^(?:and\s+)?(?:which|how many) {PLURAL_VERBS}\b",
    r"其中",
    r"这些",
    r"那些",
    r"上述",
    r"上面",
)
_LEADING = wording(
    r"^(?:and|but|so|then|also|ok(?:ay)?|what about|how about|nice|great)\b",
    r"^(?:那么?|还有|另外|那)",
)
# "the first" is a paper of the answer before, "the first-order method" and "the first step" are not.
_NO_PAPER = (
    r"(?!-|\s+(?:order|stage|times?|steps?|authors?|principles|hitting|iterates?|layers?|levels?|party"
    r"|years?|days?"
    r"|parts?|half|phase|components?|rounds?|pass|moments?|derivatives?|tokens?|words?|sentences?|place"
    r"|terms?|rows?"
    r"|columns?|dimensions?|sets?|groups?|experiments?|tasks?|datasets?|benchmarks?|results?|attempts?|to)\b)"
)


def _ordinal(english: str, *chinese: str) -> re.Pattern[str]:
    return wording(rf"\b(?:the\s+)?(?:{english})(?:\s+(?:one|paper|of))?\b{_NO_PAPER}", *chinese)


_ORDINALS = (
    (slice(0, 2), _ordinal("first two", "前(?:两|二)[个篇种]")),
    (slice(0, 3), _ordinal("first three", "前三[个篇种]")),
    (slice(-2, None), _ordinal("last two", "(?:后|最后)(?:两|二)[个篇种]")),
    (slice(0, 1), _ordinal("first|former|1st", "前者", "前一[个篇种]", "第一[个篇种]")),
    (slice(1, 2), _ordinal("second|2nd", "第二[个篇种]")),
    (slice(2, 3), _ordinal("third|3rd", "第三[个篇种]")),
    (slice(3, 4), _ordinal("fourth|4th", "第四[个篇种]")),
    (slice(4, 5), _ordinal("fifth|5th", "第五[个篇种]")),
    (slice(-1, None), _ordinal("latter|last", "后者", "后一[个篇种]", "最后一[个篇种]")),
)
_AUTHORS_PAPERS = wording(
    r"\b(?:papers?|works?|else)\b.*\b(?:they|he|she|(?:the|these|those) (?:\w+ )?authors?)\b.*\b(?:write"
    r"|written|wrote"
    r"|publish(?:ed)?|author(?:ed)?)\b",
    r"\b(?:papers?|works?|else|anything|more)\b.*\bby (?:them|him|her|the(?:se|m)? (?:\w+ )?(?:authors?"
    r"|people|team|group))\b",
    r"\b(?:their|his|her) other (?:papers?|works?)\b",
    r"(?:他们?|她们?|作者|这些人|这位作者)还?(?:写|发表)(?:了|过)",
)
_EARLIER_LIST = wording(
    r"\b(?:the|that|your|my) (?:very )?(?:first|initial|original|earlier|previous|last|former) (?:list"
    r"|lists|results?|set|answers?|selection)\b",
    r"\b(?:list|results|papers) (?:from|of) (?:before|earlier|the (?:beginning|start))\b",
    r"(?:第一次|最开始|最初|刚才|之前|前面|上一?次)(?:的|那个|列出的|给出的)*(?:列表|结果|清单|那些论文|回答)",
)
_VERY_FIRST = wording(r"\b(?:first|initial|original|beginning|start)\b", "第一次|最开始|最初")
_FIRST_AUTHOR = wording(r"\bfirst author", "第一作者")
# A token that looks like a name: capitals or digits inside ("GNN-Diff", "SAE"), or a capitalised word.
_NAME = lazy_pattern(r"\b(?=\w*[A-Z])[A-Za-z]\w+(?:[-.]\w+)*\b")
_HAN = lazy_pattern(r"[\u4e00-\u9fff]")
_SHORT = 4
"""A question of at most so many words, with no name of its own, is the tail of the last one ("its cost?")."""
_SHORT_HAN = 14
"""The same for Chinese, in characters."""


def resolve(question: Question, conversation: Conversation) -> Question:
    """`question` with the earlier papers it refers to as `focus`, and their titles in its search text.

    A question that stands on its own is returned unchanged: one without pronoun, ordinal or leading "and",
    or one that names a system unknown to the earlier papers before it comes to its pronoun.
    """
    earlier = papers_before(conversation)
    if not earlier or question.kind == "offtopic" or not _leans(question, earlier):
        return question
    if _AUTHORS_PAPERS.search(question.asked):
        return _by_their_authors(question, earlier)
    focus = _chosen(question.asked, conversation) or earlier
    added, shown = _context(focus, conversation)
    return replace(
        question,
        query_str=f"{question.query_str} {added}".strip(),
        searched=f"{question.query_str} ({shown})" if shown else "",
        focus=tuple(paper.id for paper in focus),
    )


def _context(focus: list[Paper], conversation: Conversation) -> tuple[str, str]:
    """What a follow-up is searched with beside its own words, and how that is shown in few words.

    One paper is known by its title. Among several the topic they were found by tells which is meant.
    """
    if len(focus) == 1:
        return focus[0].title, short_title(focus[0])
    asked = _asked_before(conversation)
    topic = parse(asked).topic if asked else ""
    shown = topic or join("en", [short_title(paper) for paper in focus[:_SHOWN]])
    return topic, shown if topic or len(focus) <= _SHOWN else f"{shown} …"


def _asked_before(conversation: Conversation) -> str:
    """The question that the most recent turn with papers answered."""
    turns = [turn for turn in conversation.turns[-_RECENT:] if turn.answer.papers or turn.answer.citations]
    return turns[-1].question if turns else ""


def short_title(paper: Paper) -> str:
    """The system's name where the title begins with one, else its first words."""
    head, colon, _ = paper.title.partition(":")
    if colon and len(head.split()) <= 4:
        return head
    words = paper.title.split()
    return " ".join(words[:_TITLE_WORDS]) + (" …" if len(words) > _TITLE_WORDS else "")


def _by_their_authors(question: Question, earlier: list[Paper]) -> Question:
    """Asks for the papers of those who wrote the earlier ones."""
    first = bool(_FIRST_AUTHOR.search(question.asked))
    names = [name for paper in earlier for name in (paper.authors[:1] if first else paper.authors)]
    filters = replace(question.filters, any_author=tuple(dict.fromkeys(names)))
    return replace(question, kind="metadata", asks="listing", topic="", filters=filters)


def dangles(question: Question, conversation: Conversation) -> bool:
    """Whether the question says "it" of a paper that no turn before has named, and next to nothing else."""
    pronoun = _OF_A_PAPER.search(question.asked)
    if not pronoun or names_in(question.asked) or papers_before(conversation):
        return False
    said = set(terms(question.query_str))
    return len(said) <= _LITTLE and question.kind in ("lookup", "explain", "compare")


def papers_before(conversation: Conversation, least: int = 1) -> list[Paper]:
    """The papers of the most recent turn that has `least`, in the order its answer names them."""
    for turn in reversed(conversation.turns):
        listed = [decision.paper for decision in turn.answer.papers if decision.choice == "yes"]
        papers = listed or [citation.paper for citation in turn.answer.citations]
        if len(papers) >= least:
            return papers
    return []


def _chosen(asked: str, conversation: Conversation) -> list[Paper]:
    """The papers an ordinal or "the earlier list" points to; none where the question has neither.

    After "compare A and B" and a question about the former, the latter is still B: an ordinal counts in the
    last answer that has several papers.
    """
    if back := _EARLIER_LIST.search(asked):
        turns = conversation.turns if _VERY_FIRST.search(back.group()) else reversed(conversation.turns)
        listed = (papers_before(Conversation((turn,)), least=2) for turn in turns)
        found = next(filter(None, listed), [])
        rest = asked[: back.start()] + asked[back.end() :]
        position = next((position for position, pattern in _ORDINALS if pattern.search(rest)), None)
        return found[position] if position else found
    position = next((position for position, pattern in _ORDINALS if pattern.search(asked)), None)
    return papers_before(conversation, least=2)[position] if position else []


def _leans(question: Question, earlier: list[Paper]) -> bool:
    asked = question.asked
    if _SET.search(asked) or _AUTHORS_PAPERS.search(asked) or _EARLIER_LIST.search(asked):
        return True
    if question.kind == "enumerate" or question.asks in TALLIES or question.lists:
        return False  # "list all papers" means all, whatever came before
    pronoun = _PRONOUN.search(asked)
    ordinal = next((match for _, pattern in _ORDINALS if (match := pattern.search(asked))), None)
    before = min((match.start() for match in (pronoun, ordinal) if match), default=len(asked))
    if _foreign_name(asked[:before], earlier):
        return False
    if pronoun or ordinal or _LEADING.search(asked):
        return True
    han = len(_HAN.findall(asked))
    return han <= _SHORT_HAN if han else len(asked.split()) <= _SHORT


def _foreign_name(text: str, earlier: list[Paper]) -> bool:
    """Whether `text` names something that none of the earlier papers mentions."""
    known = " ".join(f"{paper.title} {paper.abstract}" for paper in earlier).casefold()
    uncapitalised = text[:1].lower() + text[1:]
    return any(name.casefold() not in known for name in _NAME.findall(uncapitalised))
