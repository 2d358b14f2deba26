"""The answer to "which papers ...?": the number first, then the papers with their quotes."""

from collections.abc import Sequence

from rag.extractive import facts
from rag.extractive.screening import decide
from rag.index.paper_index import PaperIndex
from rag.phrases import say
from rag.question.parsing import Question
from rag.question.topic import parse_topic
from rag.records import Composition, Evidence, Paper, Statement

NEAREST = 3
"""Papers named when none matches."""
PASSED_OVER = 5
"""Papers left out that a receipt names: those that came nearest."""


def screen(question: Question, papers: Sequence[Paper], index: PaperIndex) -> Composition:
    """The decided list for `question.topic` over `papers`, and the text that tells it."""
    decisions = decide(parse_topic(question.topic), papers, index)
    yes = [decision for decision in decisions if decision.choice == "yes"]
    maybe = [decision for decision in decisions if decision.choice == "maybe"]
    over = tuple(decision for decision in decisions if decision.choice == "no")[:PASSED_OVER]
    language = question.language
    conditions = facts.describe(question.filters, language)
    narrowed = say(language, "narrowed", filters=conditions) if conditions else ""
    topic = facts.neutral(question.topic)
    nearest = [decision.paper for decision in decisions[:NEAREST]]
    if not yes:
        head = [Statement(say(language, "list_none", n=len(papers), topic=topic, narrowed=narrowed))]
        if maybe:
            head += [
                Statement(say(language, "list_maybe_only", maybe=len(maybe))),
                *facts.listed(language, maybe),
            ]
        elif nearest:
            titles = "; ".join(facts.neutral(paper.title) for paper in nearest)
            evidence = tuple(Evidence(paper, paper.title) for paper in nearest)
            head.append(Statement(say(language, "nearest_many", titles=titles), evidence))
        abstained = question.existential and not maybe
        return Composition(
            tuple(head), abstained=abstained, decisions=tuple(maybe), count=0, passed_over=over
        )
    several = "" if len(yes) > 1 else "es"
    text = say(language, "list_some", yes=len(yes), n=len(papers), topic=topic, narrowed=narrowed, es=several)
    statements = [Statement(text), *facts.listed(language, yes)]
    if maybe:
        statements.append(Statement(say(language, "list_maybe", maybe=len(maybe)), lead="\n\n"))
        statements += facts.listed(language, maybe)
    return Composition(tuple(statements), decisions=(*yes, *maybe), count=len(yes), passed_over=over)
