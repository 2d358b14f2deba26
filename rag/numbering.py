"""Papers of an answer → the numbers they keep for the whole conversation, and the text that shows them."""

from collections.abc import Sequence

from rag.records import Citation, CitedSpan, Composition, Conversation, Paper
from rag.sentences import split

_CLOSING = ".。!！?？"


class Numbering:
    """Citation numbers of one conversation: a paper keeps its number, a new one gets the next."""

    def __init__(self, conversation: Conversation) -> None:
        self._numbers = dict(conversation.numbers)

    def number(self, paper: Paper) -> int:
        return self._numbers.setdefault(paper.id, max(self._numbers.values(), default=0) + 1)

    def sources(self, papers: Sequence[Paper]) -> list[tuple[int, Paper]]:
        """Each paper under its number, in the order given."""
        return [(self.number(paper), paper) for paper in papers]


def render(composition: Composition, numbering: Numbering) -> tuple[str, tuple[Citation, ...]]:
    """The text with a mark before each cited sentence's full stop, and its citations in order of mention."""
    text = ""
    marks: list[tuple[int, Paper, str]] = []
    for statement in composition.statements:
        numbers = list(dict.fromkeys(numbering.number(evidence.paper) for evidence in statement.evidence))
        body = statement.text.rstrip()
        stop = body[-1] if numbers and body.endswith(tuple(_CLOSING)) else ""
        text += (statement.lead if text else statement.lead.lstrip()) + body.removesuffix(stop)
        marks += [(len(text), evidence.paper, evidence.quote) for evidence in statement.evidence]
        text += "".join(f" [{number}]" for number in numbers) + stop
    return text, _citations(text, marks, numbering)


def _citations(text: str, marks: list[tuple[int, Paper, str]], numbering: Numbering) -> tuple[Citation, ...]:
    sentences = split(text)
    spans: dict[str, list[CitedSpan]] = {}
    papers: dict[str, Paper] = {}
    for offset, paper, quote in marks:
        index = next((i for i, span in enumerate(sentences) if offset < span.end), len(sentences) - 1)
        papers[paper.id] = paper
        spans.setdefault(paper.id, []).append(CitedSpan(index, quote))
    return tuple(Citation(numbering.number(papers[key]), papers[key], tuple(spans[key])) for key in papers)
