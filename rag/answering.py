"""One question on its way to an answer: the stages in their order, timed."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from rag.errors import ModelError
from rag.extractive import facts, replies
from rag.extractive.complement import without
from rag.extractive.confidence import Judgement, errand, judge
from rag.extractive.coverage import is_covered
from rag.extractive.extract import best_first, compose
from rag.extractive.listing import screen
from rag.extractive.particulars import describes, meant, particulars
from rag.extractive.relevance import SentenceRanker
from rag.extractive.screening import decide
from rag.extractive.tallies import none_meets, tally
from rag.fates import fates
from rag.grounding.citations import Settled, settle
from rag.grounding.nearness import nearness_by
from rag.grounding.numbering import Numbering, render
from rag.index.paper_index import PaperIndex
from rag.phrases import say
from rag.question.conversation import dangles
from rag.question.parsing import Question
from rag.question.record_wordings import TALLIES
from rag.question.topic import negation, parse_topic
from rag.records import (
    Answer,
    Composition,
    Conversation,
    Hit,
    Paper,
    Receipt,
    TextDelta,
)
from rag.retrieval import HybridRetriever
from rag.suspicion import reasons
from rag.writing.english import English
from rag.writing.spend import Spent
from rag.writing.writer import Draft, Writer

HITS = 10
"""Papers ranked for a question about one or two of them."""
SHOWN_TO_MODEL = 6
"""Abstracts a language model is given for one answer."""
EARLIER_TURNS = 3
"""Earlier turns a language model is shown."""


class Answering:
    """Answers one question. Holds what the stages learn on the way; used once, by one thread."""

    def __init__(
        self,
        question: Question,
        conversation: Conversation,
        index: PaperIndex,
        retriever: HybridRetriever,
        ranker: SentenceRanker,
        english: English | None = None,
    ) -> None:
        """`english` is what putting the question in English brought and took, where a model was asked to."""
        self._papers = facts.select(index.papers, question.within) if question.within else index.papers
        self.question = replace(question, considered=len(question.focus) or len(self._papers))
        self.hits: list[Hit] = []
        self._conversation = conversation
        self._index = index
        self._retriever = retriever
        self._ranker = ranker
        self._numbering = Numbering(conversation)
        self._judgement: Judgement | None = None
        self._shown: frozenset[str] = frozenset()
        self._receipt = Receipt(
            searched_for=question.topic or question.searched or question.query_str,
            considered=len(self._papers),
        )
        self._seconds: dict[str, float] = {}
        self._started = time.perf_counter()
        if english:
            self._seconds["translate"] = english.seconds
            self._started -= english.seconds
            self._paid(english.spent)
            self._notice(str(english.error) if english.error else "")

    def events(self, writer: Writer | None) -> Iterator[TextDelta | Answer]:
        """Text as a model writes it, if there is one, then the settled answer."""
        composition = self._composition()
        asks = writer is not None and bool(self.hits) and self._worth_asking()
        written = self._written(writer, composition) if writer and asks else iter([self._answer(composition)])
        for event in written:
            yield self._accounted(event, composition) if isinstance(event, Answer) else event

    # -- extractive ---------------------------------------------------------------------------------------

    def _composition(self) -> Composition:
        question = self.question
        if question.within and not self._papers:
            return none_meets(replace(question, filters=question.within), self._index.papers)
        if question.kind == "offtopic":
            self._judgement = errand(question)
            return replies.no_question(question, len(self._papers))
        if question.kind in ("enumerate", "metadata"):
            return self._over_records()
        if dangles(question, self._conversation):
            return replies.which_paper(question.language)
        with self._stage("retrieve"):
            self.hits = self._retriever.rank(question, HITS, self._within())
        with self._stage("compose"):
            self.hits = best_first(question, self.hits, self._ranker)
            composition = compose(question, self.hits, self._index, self._ranker)
            self._judgement = judge(question, self.hits, composition, self._index, self._ranker)
        return composition if self._judgement.answerable else self._refusal()

    def _within(self) -> set[str] | None:
        """Ids of the papers asked about: those of the conversation, or that its conditions leave.

        A condition in the words of a lookup that no paper meets ("ResNet of 2015") is part of its subject.
        """
        if self.question.focus:
            return {paper.id for paper in self._papers_of(self.question.focus)}
        if self.question.filters and (meeting := facts.select(self._papers, self.question.filters)):
            return {paper.id for paper in meeting}
        return {paper.id for paper in self._papers} if self.question.within else None

    def _over_records(self) -> Composition:
        """Lists and facts: every paper that meets the question's conditions is considered."""
        question = self.question
        within = self._papers_of(question.focus) if question.focus else self._papers
        if question.kind == "enumerate" or question.asks in TALLIES or question.lists:
            papers = facts.select(within, question.filters)
            if question.filters and not papers:
                return none_meets(question, within)
            return self._screened(papers) if question.kind == "enumerate" else self._tally(papers)
        with self._stage("retrieve"):
            self.hits = self._retriever.rank(question, HITS, self._within())
        with self._stage("compose"):
            about = meant(question, self.hits, self._index.idf)
            return particulars(question, about) if about else self._unknown_paper()

    def _papers_of(self, ids: Sequence[str]) -> list[Paper]:
        """The papers with these ids, in their order, but for any that the list has lost since."""
        found = {paper.id: paper for paper in self._papers if paper.id in ids}
        return [found[paper_id] for paper_id in ids if paper_id in found]

    def _screened(self, papers: Sequence[Paper]) -> Composition:
        with self._stage("screen"):
            if unwanted := negation(self.question.topic):
                return without(self.question, unwanted, papers, self._index)
            composition = screen(self.question, papers, self._index)
        found = composition.decisions
        if self.question.existential and found and not is_covered(self.question, found, self._index.idf):
            nearest = [decision.paper for decision in found]
            return replies.not_covered(self.question.language, len(papers), nearest)
        return composition

    def _tally(self, papers: Sequence[Paper]) -> Composition:
        if topic := self.question.topic:
            with self._stage("screen"):
                decisions = decide(parse_topic(topic), papers, self._index)
            papers = [decision.paper for decision in decisions if decision.choice == "yes"]
        with self._stage("compose"):
            return tally(self.question, papers)

    def _unknown_paper(self) -> Composition:
        language = self.question.language
        if not describes(self.question):
            return replies.which_paper(language)
        return replies.unknown_paper(language, len(self._papers), self.hits)

    def _refusal(self) -> Composition:
        language, n = self.question.language, len(self._papers)
        if self._judgement and self._judgement.off_topic:
            self.question = replace(self.question, kind="offtopic")
            return replies.off_topic(language, n)
        premises = self._judgement.premises if self._judgement else None
        return replies.not_found(language, n, self.hits, premises)

    # -- generated ----------------------------------------------------------------------------------------

    def _worth_asking(self) -> bool:
        """A model is asked about abstracts; lists, records and off-topic questions need none."""
        asked_abstracts = self.question.kind in ("lookup", "explain", "compare")
        return asked_abstracts and not (self._judgement and self._judgement.off_topic)

    def _written(self, writer: Writer, fallback: Composition) -> Iterator[TextDelta | Answer]:
        """The model's prose; where it fails, the extractive answer with a notice in its place."""
        question = self.question
        papers = [hit.paper for hit in self.hits[:SHOWN_TO_MODEL]]
        # A copy: papers that are shown but not cited use up no number of the conversation.
        sources = Numbering(self._conversation).sources(papers)
        earlier = [(turn.question, turn.answer.text) for turn in self._conversation.turns[-EARLIER_TURNS:]]
        draft: Draft | None = None
        try:
            with self._stage("write"):
                for event in writer.write(
                    question.typed or question.asked, question.language, sources, earlier
                ):
                    if isinstance(event, Spent):
                        self._paid(event)
                    elif isinstance(event, Draft):
                        draft = event
                    else:
                        yield event
        except ModelError as error:
            self._notice(str(error))
        if draft is None:
            yield self._answer(fallback)
            return
        self._receipt = replace(self._receipt, mode="generated", model=writer.model)
        self._shown = frozenset(paper.id for number, paper in sources if number in draft.shown)
        if draft.refused or draft.recited:
            yield self._instead(fallback, "model_refused" if draft.refused else "model_recited")
            return
        with self._stage("verify"):
            settled = settle(
                draft.text,
                [source for source in sources if source[0] in draft.shown],
                nearness=nearness_by(self._index.embedding),
            )
        settled = self._voted(writer, settled, dict(sources))
        self._receipt = replace(self._receipt, checked=settled.checked)
        verdicts = {span.verdict for citation in settled.citations for span in citation.spans}
        if verdicts <= {"unsupported"}:
            yield self._instead(fallback, "model_unsupported")
            return
        # The probability was fitted on quoted answers and says nothing of a model's.
        written = replace(self._answer(Composition(())), confidence=None)
        yield replace(written, text=settled.text, citations=settled.citations)

    def _voted(self, writer: Writer, settled: Settled, papers: Mapping[int, Paper]) -> Settled:
        """The answer after the model's votes on its sentences, where votes are asked for."""
        if writer.verifier is None:
            return settled
        with self._stage("vote"):
            voted = writer.verifier.vote(settled, papers)
        self._paid(voted.spent)
        if voted.error:
            self._notice(say(self.question.language, "votes_failed", why=str(voted.error)))
        return voted.settled

    def _paid(self, spent: Spent) -> None:
        both = Spent(self._receipt.tokens, self._receipt.cost_usd) + spent
        self._receipt = replace(self._receipt, tokens=both.tokens, cost_usd=both.cost_usd)

    def _notice(self, text: str) -> None:
        """Something that went wrong, said after what did before it."""
        told = " ".join(filter(None, (self._receipt.notice, text)))
        self._receipt = replace(self._receipt, notice=told)

    def _instead(self, fallback: Composition, notice: str) -> Answer:
        """The extractive answer where the model's will not do; says so unless both refuse."""
        if not fallback.abstained:
            text = say(self.question.language, notice)
            self._receipt = replace(self._receipt, mode="extractive", model=None)
            self._notice(text)
        return self._answer(fallback)

    # -- the answer ---------------------------------------------------------------------------------------

    def _answer(self, composition: Composition) -> Answer:
        text, citations = render(composition, self._numbering)
        self._seconds["total"] = time.perf_counter() - self._started
        return Answer(
            question=self.question.typed or self.question.asked,
            kind=self.question.kind,
            language=self.question.language,
            text=text,
            abstained=composition.abstained,
            confidence=self._judgement.probability if self._judgement else None,
            citations=citations,
            papers=composition.decisions,
            count=composition.count,
            completeness=composition.completeness,
            receipt=replace(self._receipt, seconds=dict(self._seconds)),
        )

    def _accounted(self, answer: Answer, composition: Composition) -> Answer:
        """The answer with what became of the papers that were ranked for it, and which are suspicious."""
        named = [c.paper for c in answer.citations] + [decision.paper for decision in answer.papers]
        receipt = replace(
            answer.receipt,
            retrieved=fates(answer, self.hits, composition, self._shown),
            suspicious={paper.id: found for paper in named if (found := reasons(paper))},
        )
        return replace(answer, receipt=receipt)

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[name] = self._seconds.get(name, 0.0) + time.perf_counter() - started
