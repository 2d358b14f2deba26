"""The papers that a topic does not fit: "which papers don't use diffusion?"."""

from collections.abc import Sequence

from rag.extractive import facts
from rag.extractive.screening import decide
from rag.index.paper_index import PaperIndex
from rag.phrases import say
from rag.question.parsing import Question
from rag.question.topic import parse_topic
from rag.records import Composition, Decision, Paper, Statement


def without(question: Question, topic: str, papers: Sequence[Paper], index: PaperIndex) -> Composition:
    """All of `papers` but those that screening finds to fit `topic`; where it is unsure, so is the answer."""
    choices = {decision.paper.id: decision.choice for decision in decide(parse_topic(topic), papers, index)}
    # No sentence shows that something is absent: the title stands for the paper.
    rest = [Decision(p, "yes", p.title, 1.0) for p in papers if choices.get(p.id, "no") == "no"]
    maybe = [Decision(p, "maybe", p.title, 0.5) for p in papers if choices.get(p.id) == "maybe"]
    language = question.language
    conditions = facts.describe(question.filters, language)
    text = say(
        language,
        "list_without" if rest else "list_without_none",
        yes=len(rest),
        n=len(papers),
        topic=facts.neutral(topic),
        narrowed=say(language, "narrowed", filters=conditions) if conditions else "",
    )
    statements = [Statement(text), *facts.listed(language, rest, quoted=False)]
    if maybe:
        statements.append(Statement(say(language, "list_without_maybe", maybe=len(maybe)), lead="\n\n"))
        statements += facts.listed(language, maybe, quoted=False)
    return Composition(tuple(statements), decisions=(*rest, *maybe), count=len(rest))
