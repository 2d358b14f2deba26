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
    decisions = decided(question, papers, index)
    stated = completeness(question, parse_topic(question.topic), papers, index, shipped())
    return composed(question, len(papers), decisions, stated)


def decided(question: Question, papers: Sequence[Paper], index: PaperIndex) -> list[Decision]:
    """The decisions that the question's list is made of, best first, those left out included."""
    fitted = shipped()
    least = threshold(question, len(papers), fitted)
    return decide(parse_topic(question.topic), papers, index, fitted, least, question.language)


def composed(
    question: Question,
    n: int,
    decisions: Sequence[Decision],
    stated: Completeness,
    dropped: Sequence[Decision] = (),
) -> Composition:
    """The list of `decisions` over `n` papers; `dropped` are those left out that a receipt names first."""
    yes = [decision for decision in decisions if decision.choice == "yes"]
    maybe = [decision for decision in decisions if decision.choice == "maybe"]
    known = {decision.paper.id for decision in dropped}
    rest = [d for d in decisions if d.choice == "no" and d.paper.id not in known]
    if yes:
        statements = _found(question, n, yes, maybe, stated)
    else:
        nearest = [decision.paper for decision in decisions[:NEAREST]]
        statements = _none_found(question, n, maybe, nearest)
    return Composition(
        tuple(statements),
        abstained=question.existential and not yes and not maybe,
        decisions=(*yes, *maybe),
        count=len(yes),
        passed_over=(*dropped, *rest[:PASSED_OVER]),
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
    )
    statements = [Statement(told), *facts.listed(language, yes)]
    if maybe:
        statements.append(Statement(say(language, "list_maybe", maybe=len(maybe)), lead="\n\n"))
        statements += facts.listed(language, maybe)
    if stated.expected is not None:
        text = say(
            language,
            "list_complete" if len(yes) + len(maybe) > 1 else "list_complete_single",
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
    key = "list_none_sure" if maybe else "list_none"
    statements = [Statement(say(language, key, n=n, topic=topic, narrowed=_narrowed(question)))]
    if maybe:
        statements.append(Statement(say(language, "list_maybe_only", n=n, maybe=len(maybe))))
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
