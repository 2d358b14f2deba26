"""The answer to "which papers ...?": the number first, then the papers with their quotes."""

from collections.abc import Sequence

from rag.extractive import facts
from rag.extractive.completeness import completeness, threshold
from rag.extractive.screening import decide, shipped
from rag.index.paper_index import PaperIndex
from rag.phrases import say
from rag.question.parsing import Question
from rag.question.topic import parse_topic
from rag.records import Completeness, Composition, Decision, Evidence, Paper, Statement

NEAREST = 3
"""Papers named when none matches."""
PASSED_OVER = 5
"""Papers left out that a receipt names: those that came nearest."""


def screen(question: Question, papers: Sequence[Paper], index: PaperIndex) -> Composition:
    """The decided list for `question.topic` over `papers`, and the text that tells it."""
    topic, fitted = parse_topic(question.topic), shipped()
    decisions = decide(topic, papers, index, fitted, threshold(question, len(papers), fitted))
    yes = [decision for decision in decisions if decision.choice == "yes"]
    maybe = [decision for decision in decisions if decision.choice == "maybe"]
    over = tuple(decision for decision in decisions if decision.choice == "no")[:PASSED_OVER]
    stated = completeness(question, topic, papers, index, fitted)
    if yes:
        statements = _found(question, len(papers), yes, maybe, stated)
    else:
        nearest = [decision.paper for decision in decisions[:NEAREST]]
        statements = _none_found(question, len(papers), maybe, nearest)
    return Composition(
        tuple(statements),
        abstained=question.existential and not yes and not maybe,
        decisions=(*yes, *maybe),
        count=len(yes),
        passed_over=over,
        completeness=stated,
    )


def _found(
    question: Question, n: int, yes: Sequence[Decision], maybe: Sequence[Decision], stated: Completeness
) -> list[Statement]:
    language = question.language
    told = say(
        language,
        "list_some",
        yes=len(yes),
        n=n,
        topic=facts.neutral(question.topic),
        narrowed=_narrowed(question),
        es="" if len(yes) > 1 else "es",
    )
    statements = [Statement(told), *facts.listed(language, yes)]
    if maybe:
        statements.append(Statement(say(language, "list_maybe", maybe=len(maybe)), lead="\n\n"))
        statements += facts.listed(language, maybe)
    if stated.expected is not None:
        text = say(
            language,
            "list_complete" if len(yes) + len(maybe) > 1 else "list_complete_one",
            n=n,
            percent=round(100 * stated.expected),
            listed=len(yes) + len(maybe),
        )
        statements.append(Statement(text, lead="\n\n"))
    elif question.level is not None:
        statements.append(Statement(say(language, "list_uncalibrated", n=n), lead="\n\n"))
    return statements


def _none_found(
    question: Question, n: int, maybe: Sequence[Decision], nearest: Sequence[Paper]
) -> list[Statement]:
    language = question.language
    topic = facts.neutral(question.topic)
    statements = [Statement(say(language, "list_none", n=n, topic=topic, narrowed=_narrowed(question)))]
    if maybe:
        statements.append(Statement(say(language, "list_maybe_only", maybe=len(maybe))))
        statements += facts.listed(language, maybe)
    elif nearest:
        titles = "; ".join(facts.neutral(paper.title) for paper in nearest)
        key = "nearest_many" if len(nearest) > 1 else "nearest"
        evidence = tuple(Evidence(paper, paper.title) for paper in nearest)
        statements.append(Statement(say(language, key, titles=titles, title=titles), evidence))
    return statements


def _narrowed(question: Question) -> str:
    conditions = facts.describe(question.filters, question.language)
    return say(question.language, "narrowed", filters=conditions) if conditions else ""
