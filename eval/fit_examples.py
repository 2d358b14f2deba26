"""Questions as the engine meets them, with what was right: what confidence is fitted on."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.cases import Case, load_cases
from eval.measures.nugget_recall import missing_nuggets
from rag.engine import PaperQueryEngine
from rag.extractive.confidence import FEATURES, features, kind_of, ruled_out
from rag.extractive.extract import best_first, compose
from rag.extractive.premises import examine
from rag.extractive.relevance import SentenceRanker
from rag.index.paper_index import PaperIndex
from rag.records import Composition, Conversation


@dataclass(frozen=True, slots=True)
class Example:
    """A question as the engine meets it. `group`: its paper; `row` is None for what is refused unread.

    `case_kind` is the kind its question set gives it, `kind` the one the engine sees; `passes` says whether
    the answer would pass, were it given; `note` is the set's word for what cannot be answered.
    """

    group: str
    case_kind: str
    kind: str
    row: np.ndarray | None
    answerable: bool
    passes: bool
    ruled_out: bool
    note: str = ""

    @property
    def off_topic(self) -> bool:
        return self.note == "off-topic"


def read(file: Path, index: PaperIndex, *, everyday: bool = False) -> list[Example]:
    """The questions of a set that are answered from abstracts or refused; `everyday`: those off topic."""
    engine = PaperQueryEngine(index)
    ranker = SentenceRanker(index)
    cases = [case for case in load_cases(file) if not everyday or case.note.startswith("off-topic")]
    return [example for case in cases for example in _examples(case, engine, index, ranker)]


def _examples(
    case: Case, engine: PaperQueryEngine, index: PaperIndex, ranker: SentenceRanker
) -> Iterator[Example]:
    if case.kind in ("enumerate", "metadata"):
        return
    conversation = Conversation()
    for turn in case.turns[:-1]:
        conversation = conversation.with_turn(engine.ask(turn, conversation, use_llm=False))
    question = engine.understood(case.question, conversation)
    note = "" if case.answerable else case.note.split(":")[0]
    if question.kind == "offtopic":
        yield Example(case.question, case.kind, "offtopic", None, case.answerable, False, True, note)
    if question.kind not in ("lookup", "explain", "compare"):
        return
    hits = engine.retriever.rank(question, 10, set(question.focus) or None)
    hits = best_first(question, hits, ranker)
    composition = compose(question, hits, index, ranker)
    if not composition.statements:
        return
    cited = list({e.paper.id: e.paper for s in composition.statements for e in s.evidence}.values())
    row = features(question, hits, composition, index, ranker, examine(question, cited, index.idf))
    plainly = ruled_out(dict(zip(FEATURES, row.tolist(), strict=True)))
    passes = case.answerable and _passes(case, composition)
    yield Example(cited[0].id, case.kind, kind_of(question), row, case.answerable, passes, plainly, note)


def _passes(case: Case, composition: Composition) -> bool:
    text = " ".join(statement.text for statement in composition.statements)
    cited = {e.paper.id for statement in composition.statements for e in statement.evidence}
    return not missing_nuggets(case, text) and set(case.gold) <= cited <= {*case.gold, *case.ok_extra}
