"""What became of a paper on the way to an answer: for receipts, and for whoever asks "why not this one?"."""

from collections.abc import Collection, Sequence

from rag.extractive import facts
from rag.extractive.screening import decide
from rag.index.paper_index import PaperIndex
from rag.phrases import say
from rag.question.parsing import Question
from rag.question.record_wordings import TALLIES
from rag.question.topic import parse_topic
from rag.records import Answer, Composition, Decision, Fate, Hit, Language, Paper, Stage
from rag.retrieval import DEPTH, HybridRetriever

LISTED = 10
"""Papers of a list whose rank and score a receipt names; the list itself is whole."""


def fates(
    answer: Answer, hits: Sequence[Hit], composition: Composition, shown: Collection[str]
) -> tuple[Fate, ...]:
    """The fates of the papers that were ranked for the answer, best first.

    `shown` are the ids of the papers whose abstracts a model was given.
    """
    if composition.passed_over or composition.decisions:
        return _of_list(answer.language, composition)
    cited = {citation.paper.id for citation in answer.citations}
    found = []
    for rank, hit in enumerate(hits, start=1):
        paper_id = hit.paper.id
        stage: Stage = "answer" if paper_id in cited else "write" if paper_id in shown else "compose"
        key = {"answer": "fate_cited", "write": "fate_shown", "compose": "fate_not_quoted"}[stage]
        found.append(_fate(hit.paper, stage, rank, hit.score, say(answer.language, key)))
    return tuple(found)


def why_not(
    paper: Paper, question: Question, answer: Answer, index: PaperIndex, retriever: HybridRetriever
) -> Fate:
    """The fate of any paper of the index for the answer that `question` was given."""
    language = question.language
    known = next((fate for fate in answer.receipt.retrieved if fate.paper_id == paper.id), None)
    if paper.id in {c.paper.id for c in answer.citations} | {d.paper.id for d in answer.papers}:
        rank, score = (known.rank, known.score) if known else (None, None)
        stands = known.reason if known and known.stage == "answer" else say(language, "fate_stands")
        return _fate(paper, "answer", rank, score, stands)
    if unmet := next(
        (f for f in (question.within, question.filters) if f and not facts.select([paper], f)), None
    ):
        return _left(paper, "filter", language, "fate_filtered", filters=facts.describe(unmet, language))
    if question.focus and paper.id not in question.focus:
        return _left(paper, "filter", language, "fate_focus")
    if known:
        return known
    papers = facts.select(facts.select(index.papers, question.within), question.filters)
    if question.kind == "enumerate" or (question.asks in TALLIES and question.topic):
        return _screened(paper, question, papers, index)
    if question.kind == "metadata" and not answer.receipt.retrieved:
        return _left(paper, "compose", language, "fate_records")
    if not answer.receipt.retrieved:
        return _left(paper, "retrieve", language, "fate_no_search")
    return _ranked(paper, question, papers, len(answer.receipt.retrieved), retriever)


def _of_list(language: Language, composition: Composition) -> tuple[Fate, ...]:
    found = []
    for rank, decision in enumerate(composition.decisions[:LISTED], start=1):
        key = "fate_listed" if decision.choice == "yes" else "fate_maybe"
        found.append(_fate(decision.paper, "answer", rank, decision.score, say(language, key)))
    for rank, decision in enumerate(composition.passed_over, start=len(composition.decisions) + 1):
        found.append(_left_out(language, decision, rank))
    return tuple(found)


def _left_out(language: Language, decision: Decision, rank: int) -> Fate:
    said = say(language, "fate_left_out", why=decision.reason)
    return _fate(decision.paper, "screen", rank, decision.score, said)


def _screened(paper: Paper, question: Question, papers: Sequence[Paper], index: PaperIndex) -> Fate:
    """Decides the list once more, down to this paper."""
    language = question.language
    decisions = decide(parse_topic(question.topic), papers, index, language=language)
    for rank, decision in enumerate(decisions, start=1):
        if decision.paper.id == paper.id:
            return _left_out(language, decision, rank)
    return _left(paper, "retrieve", language, "fate_unread")


def _ranked(
    paper: Paper, question: Question, papers: Sequence[Paper], cut: int, retriever: HybridRetriever
) -> Fate:
    language = question.language
    hits = retriever.rank(question, len(papers), {each.id for each in papers})
    for rank, hit in enumerate(hits, start=1):
        if hit.paper.id == paper.id:
            said = say(language, "fate_ranked_low", rank=rank, cut=cut)
            return _fate(paper, "retrieve", rank, hit.score, said)
    return _left(paper, "retrieve", language, "fate_unranked", depth=DEPTH)


def _left(paper: Paper, stage: Stage, language: Language, key: str, **values: object) -> Fate:
    return _fate(paper, stage, None, None, say(language, key, **values))


def _fate(paper: Paper, stage: Stage, rank: int | None, score: float | None, reason: str) -> Fate:
    return Fate(paper.id, paper.title, stage, rank, None if score is None else round(score, 4), reason)
