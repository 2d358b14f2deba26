"""Answers and conversations as Markdown: the text with its `[n]`, then the papers under the same numbers."""

from collections.abc import Iterable, Sequence

from rag.cleaning import squeeze
from rag.export.markdown import escaped, reference
from rag.patterns import lazy_pattern
from rag.phrases import say
from rag.records import Answer, Citation, CitedSpan, Conversation, Decision, Language, Paper

# What would become HTML, a link or image, or the definition of a link: entities, since a backslash before
# it would take ours for itself.
_ENTITIES = (
    (lazy_pattern(r"<(?=[A-Za-z/!?])"), "&lt;"),
    (lazy_pattern(r"(?<=\])\("), "&#40;"),
    (lazy_pattern(r"(?<=\]):"), "&#58;"),
)
_MARKERS = lazy_pattern(r"(?:[ \t>]|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t]))*")
# After a line's markers: a heading, the underline of one, or a fence that would reach to the end of all.
_BLOCK = lazy_pattern(r"#{1,6}(?:\s|$)|`{3}|~{3}|(?:=+|-+)[ \t]*$")


def answer_markdown(answer: Answer) -> str:
    """One answer with its references, for the clipboard."""
    return "\n\n".join((*_answer(answer), *_references(answer.language, [answer], level=3))) + "\n"


def conversation_markdown(conversation: Conversation) -> str:
    """Every question as a heading over its answer, one list of references at the end; empty without turns."""
    if not conversation.turns:
        return ""
    answers = [turn.answer for turn in conversation.turns]
    parts: list[str] = []
    for turn in conversation.turns:
        parts += [f"## {escaped(turn.question)}", *_answer(turn.answer)]
    parts += _references(answers[-1].language, answers, level=2)
    return "\n\n".join(parts) + "\n"


def _answer(answer: Answer) -> list[str]:
    """The text, and the papers of its list that the text does not cite."""
    cited = {citation.paper.id for citation in answer.citations}
    listed = [decision for decision in answer.papers if decision.paper.id not in cited]
    rest = "\n".join(f"- {_decision(decision, answer.language)}" for decision in listed)
    return [inert(answer.text), *([f"{say(answer.language, 'also_listed')}\n\n{rest}"] if listed else [])]


def _decision(decision: Decision, language: Language) -> str:
    unsure = f" ({say(language, 'listed_maybe')})" if decision.choice == "maybe" else ""
    return reference(decision.paper) + unsure


def _references(language: Language, answers: Sequence[Answer], *, level: int) -> list[str]:
    """A heading and, by number, each cited paper with the words that were quoted from it."""
    papers: dict[tuple[int, str], Paper] = {}
    spans: dict[tuple[int, str], list[CitedSpan]] = {}
    for citation in _citations(answers):
        place = citation.number, citation.paper.id
        papers.setdefault(place, citation.paper)
        spans.setdefault(place, []).extend(citation.spans)
    parts = [
        f"[{number}] {reference(papers[number, paper_id])}{_quotes(spans[number, paper_id], language)}"
        for number, paper_id in sorted(papers)
    ]
    return [f"{'#' * level} {say(language, 'references')}", *parts] if parts else []


def _citations(answers: Iterable[Answer]) -> Iterable[Citation]:
    return (citation for answer in answers for citation in answer.citations)


def _quotes(spans: Sequence[CitedSpan], language: Language) -> str:
    """Each quote once, as a block under its reference; what supports a statement only weakly says so."""
    lines: dict[str, None] = {}
    for span in spans:
        if quote := escaped(span.quote):
            verdict = "" if span.verdict == "supported" else f" ({say(language, f'quote_{span.verdict}')})"
            lines.setdefault(f"“{quote}”{verdict}")
    return "".join(f"\n\n> {line}" for line in lines)


def inert(text: str) -> str:
    """An answer's Markdown with its emphasis, lists and marks, but no HTML, link, image or heading."""
    text = "\n".join(map(_inert_line, text.splitlines())).strip("\n")
    for opening, entity in _ENTITIES:
        text = opening.sub(entity, text)
    return text


def _inert_line(line: str) -> str:
    """A line without control characters, its indentation kept, that opens no block but lists and quotes."""
    line = line[: len(line) - len(line.lstrip(" "))] + squeeze(line)
    markers = _MARKERS.match(line)
    start = markers.end() if markers else 0
    return f"{line[:start]}\\{line[start:]}" if _BLOCK.match(line, start) else line
