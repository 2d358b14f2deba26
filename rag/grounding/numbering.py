"""Papers of an answer → the numbers they keep for the whole conversation, and the text that shows them."""

from collections.abc import Callable, Sequence

from rag.grounding.marks import marks, neutral, unpaired
from rag.records import Citation, CitedSpan, Composition, Conversation, Paper, Statement
from rag.sentences import split

_CLOSING = tuple(".。!！?？")


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
    """The text with a mark before each cited sentence's full stop, and its citations in order of mention.

    Whatever a statement quotes, the text has no marks but these.
    """
    text, cited = _assembled(composition.statements, numbering, neutral)
    starts = [start for start, _, _ in cited]
    if [mark.start for mark in marks(text)] != starts or _by_sentence(text) != starts:
        # A formula that one statement opens and another closes would swallow the mark between them.
        text, cited = _assembled(composition.statements, numbering, lambda said: unpaired(neutral(said)))
    return text, _citations(text, cited, numbering)


def _by_sentence(text: str) -> list[int]:
    """Where marks stand for who reads sentence by sentence: a formula across two of them is none."""
    return [span.start + mark.start for span in split(text) for mark in marks(span.of(text))]


def _assembled(
    statements: Sequence[Statement], numbering: Numbering, clean: Callable[[str], str]
) -> tuple[str, list[tuple[int, Paper, list[str]]]]:
    """The text, and for every mark where it stands, its paper and what is quoted."""
    text = ""
    cited: list[tuple[int, Paper, list[str]]] = []
    for statement in statements:
        quotes: dict[Paper, list[str]] = {}
        for evidence in statement.evidence:
            quotes.setdefault(evidence.paper, []).append(evidence.quote)
        body = clean(statement.text.rstrip())
        stop = body[-1] if quotes and body.endswith(_CLOSING) else ""
        lead = statement.lead if text else statement.lead.lstrip()
        # No blank follows a full stop in Chinese.
        text += ("" if lead == " " and text.endswith("。") else lead) + body.removesuffix(stop)
        for paper, quoted in quotes.items():
            cited.append((len(text) + 1, paper, quoted))
            text += f" [{numbering.number(paper)}]"
        text += stop
    return text, cited


def _citations(
    text: str, cited: Sequence[tuple[int, Paper, list[str]]], numbering: Numbering
) -> tuple[Citation, ...]:
    sentences = split(text)
    spans: dict[Paper, list[CitedSpan]] = {}
    for start, paper, quotes in cited:
        sentence = next(i for i, span in enumerate(sentences) if start < span.end)
        spans.setdefault(paper, []).extend(CitedSpan(sentence, quote) for quote in quotes)
    return tuple(Citation(numbering.number(paper), paper, tuple(spans[paper])) for paper in spans)
