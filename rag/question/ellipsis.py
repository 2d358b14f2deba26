"""A question that leaves out what the last one said: "and HexGen-2?" after "who wrote PRISM?"."""

import re
from collections.abc import Sequence

from rag.patterns import lazy_pattern
from rag.question.parsing import Question, parse
from rag.question.wordings import wording

_MOST_WORDS = 6
"""A longer remainder after "and" is a question of its own."""

_AND_THIS = lazy_pattern(
    r"^(?:(?:(?:ok|okay|so|well|hm+)[\s,]+)?(?:and|what about|how about|and what about|and how about"
    r"|same for|also)"
    r"(?:\s+(?:for|on|about|in|with|of))?\s+(?P<en>[^?!.]+?)(?:\s+then)?)\W*$"
    r"|^(?:那么?|还有|以及)?\s*(?P<zh>[^？?。，]+?)\s*呢\W*$",
    re.I,
)
# With one of these the remainder says what it asks: "and how fast is it?".
_ASKS = wording(
    r"\b(?:who|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|list"
    r"|show"
    r"|find|give|compare|explain|tell|it|its|their|them|they|that|this|those|these|he|she)\b",
    "谁|什么|哪|怎|为何|多少|几|吗|它|其",
)
_SAME_LIST = wording(
    r"^(?:(?:and|so|ok|okay)[\s,]+)?(?:how many(?: (?:of them|papers|are there|is that|in total|are they"
    r"|do you have))*"
    r"|(?:please )?(?:list|show|name|give)(?: me)? (?:them|those|these)(?: all)?|which (?:ones|are they"
    r"|papers)"
    r"|what are they|all of them)(?: please)?\W*$",
    r"^(?:那么?)?(?:一共)?(?:有)?(?:哪些|几篇|多少篇|多少)呢?\W*$",
    r"^(?:请)?(?:都)?(?:列出来|列出它们|把它们列出来)\W*$",
)
_NAME = lazy_pattern(r"(?<![\w-])(?=\w*[A-Z])[A-Za-z]\w+(?:[-.]\w+)*(?![\w-])")
_DESCRIBED = lazy_pattern(
    r"\b(?:the|this|that)\s+(?:[\w-]+\s+){0,6}?(?:paper|method|model|work|one|framework|system|study)\b"
    r"|\b(?:the\s+)?(?:first|second|third|former|latter|last)(?:\s+(?:one|paper))?\b|\b(?:it|they|them)\b|它"
    r"|前者|后者",
    re.I,
)
_COMMON = wording(
    r"^(?:which|what|who|how|why|when|where|is|are|does|do|did|the|in|list|compare|explain|tell|show)$"
)


def complete(text: str, earlier: Sequence[str]) -> str:
    """`text` as a question that can stand without the one before, or as it is where it already can.

    `earlier` are the questions of the conversation, oldest first, as they were typed.
    """
    start = len(earlier)
    while start and _leans(text if start == len(earlier) else earlier[start]):
        start -= 1
    meant = ""
    for typed in (*earlier[start:], text):
        meant = _completed(typed, meant) if meant else typed
    return meant


def _leans(text: str) -> bool:
    return bool(_subject(text) or _SAME_LIST.match(text))


def _completed(text: str, before: str) -> str:
    """`text`, where it leaves out what the question `before` said, with that put in."""
    subject = _subject(text)
    same_list = _SAME_LIST.match(text)
    if not (subject or same_list):
        return text
    question = parse(before)
    if same_list:
        return before if question.kind == "enumerate" or question.asks in ("listing", "code") else text
    if (
        _ASKS.search(subject)
        or len(subject.split()) > _MOST_WORDS
        or question.kind in ("offtopic", "compare")
    ):
        return text
    return _about(question, before, subject) or text


def _subject(text: str) -> str:
    """What a question of the form "and ...?" is about; empty for any other."""
    match = _AND_THIS.match(text)
    return (match["en"] or match["zh"]) if match else ""


def _about(question: Question, before: str, subject: str) -> str:
    """The question `before`, asked of `subject`; empty where it has no subject that could be replaced."""
    if question.kind == "enumerate":
        if question.language == "zh":
            return f"哪些论文研究{subject}？"
        return (
            before.replace(question.topic, subject)
            if question.topic in before
            else f"Which papers are about {subject}?"
        )
    if not (_NAME.search(subject) or _DESCRIBED.search(subject)):
        return ""  # "and the experiments?" asks something else of the same paper
    names = [name for name in _NAME.finditer(before) if not _COMMON.match(name.group())]
    found = names[0] if len(names) == 1 else None if names else _DESCRIBED.search(before)
    return f"{before[: found.start()]}{subject}{before[found.end() :]}" if found else ""
