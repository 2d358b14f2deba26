"""The LlamaIndex query engine: ask and stream."""

import asyncio
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response, StreamingResponse
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from rag.answering import Answering
from rag.browsing import alike
from rag.errors import UsageError
from rag.extractive.facts import select
from rag.extractive.relevance import SentenceRanker
from rag.fates import why_not
from rag.index.paper_index import PaperIndex
from rag.question.conversation import resolve
from rag.question.ellipsis import complete
from rag.question.filters import Filters
from rag.question.parsing import Question, parse
from rag.question.put_in_english import put_in_english
from rag.question.record_wordings import TALLIES
from rag.question.spelling import american, mend, with_capitals
from rag.records import (
    Answer,
    Conversation,
    Fate,
    Hit,
    IndexDescription,
    Paper,
    ReadSoFar,
    ScreeningPlan,
    TextDelta,
)
from rag.rereading import Rereading, can_be_read
from rag.retrieval import HybridRetriever, as_node
from rag.writing.writer import Writer

LONGEST_QUESTION = 4_000
"""Characters; a longer question is refused with a clear message."""
_NEW = Conversation()
_EVERY = Filters()


@dataclass(frozen=True, slots=True)
class ChatModel:
    """The language model that writes answers, and the endpoint that questions and abstracts are sent to."""

    name: str
    endpoint: str


class AnswerEngine(Protocol):
    """What the page, the command line and the eval need of an engine; tests hand in a scripted one."""

    @property
    def papers(self) -> Sequence[Paper]:
        """All papers, in the order of their lists."""

    @property
    def chat_model(self) -> ChatModel | None:
        """The model in use, None where answers are extractive only."""

    @property
    def chat_models(self) -> Sequence[ChatModel]:
        """All models that may be used, the one in use first."""

    def using(self, model: ChatModel) -> "AnswerEngine":
        """The same engine with another of its models. Raises UsageError for any other model."""

    def describe(self) -> IndexDescription: ...

    def rank(self, question: str, k: int = 20, *, within: Filters = ...) -> list[Hit]:
        """The `k` papers that retrieval puts first among those that meet `within`, best first."""

    def similar(self, paper_id: str, k: int = 10, *, within: Filters = ...) -> list[Hit]:
        """The `k` papers most like this one among those that meet `within`. Raises UnknownPaper."""

    def ask(
        self,
        question: str,
        conversation: Conversation = ...,
        *,
        use_llm: bool = True,
        within: Filters = ...,
    ) -> Answer: ...

    def stream(
        self,
        question: str,
        conversation: Conversation = ...,
        *,
        use_llm: bool = True,
        within: Filters = ...,
    ) -> Iterator[TextDelta | Answer]:
        """Pieces of text as they are written, then exactly one Answer, whose text replaces them.

        For the question, only papers that meet `within` exist.
        """

    def why_not(
        self, paper_id: str, answer: Answer, conversation: Conversation = ..., *, within: Filters = ...
    ) -> Fate:
        """What became of any paper on the way to `answer`, which was given within `conversation`."""

    def screening_plan(
        self,
        answer: Answer,
        conversation: Conversation = ...,
        *,
        within: Filters = ...,
        most_usd: float | None = ...,
    ) -> ScreeningPlan | None:
        """The papers that the model in use would read for the list `answer`, and what that costs at most.

        None where there is no model, no list, or nothing to read. No call is made. With `most_usd` only as
        many papers are planned as that pays for: none where nobody knows the price.
        """

    def screen(
        self,
        answer: Answer,
        plan: ScreeningPlan,
        conversation: Conversation = ...,
        *,
        within: Filters = ...,
        stop: Callable[[], bool] = ...,
    ) -> Iterator[ReadSoFar | Answer]:
        """How far the model is with reading, then exactly one Answer, which takes the place of `answer`.

        Once `stop` returns true no further call is made, and the answer is made of what was read until then.
        """


class PaperQueryEngine(BaseQueryEngine):
    """Answers questions over a PaperIndex: extractive without a writer, in a model's prose with one.

    As a LlamaIndex engine, `query()` returns a Response whose `metadata["answer"]` is the answer's JSON and
    whose source nodes are the cited passages; with `streaming=True` a StreamingResponse.
    """

    def __init__(
        self,
        index: PaperIndex,
        writer: Writer | None = None,
        chat_model: ChatModel | None = None,
        *,
        others: Mapping[ChatModel, Writer] = MappingProxyType({}),
        streaming: bool = False,
    ) -> None:
        """`others` are further models that `using` may change to, each with its writer."""
        super().__init__(callback_manager=None)
        self._index = index
        self.retriever = HybridRetriever(index)
        self._ranker = SentenceRanker(index)
        self._writer = writer
        self._chat_model = chat_model
        self._writers = ({chat_model: writer} if chat_model and writer else {}) | dict(others)
        self._streaming = streaming

    @property
    def papers(self) -> Sequence[Paper]:
        self._index.refresh()
        return self._index.papers

    @property
    def chat_model(self) -> ChatModel | None:
        return self._chat_model

    @property
    def chat_models(self) -> Sequence[ChatModel]:
        return tuple(self._writers)

    def using(self, model: ChatModel) -> "PaperQueryEngine":
        """The same engine over the same index with another of its models.

        Raises:
            UsageError: the engine does not have this model.
        """
        if model not in self._writers:
            raise UsageError(f"There is no model {model.name}.", "Choose one of those in RAG_CHAT_MODELS.")
        chosen = copy(self)
        chosen._writer, chosen._chat_model = self._writers[model], model
        return chosen

    def describe(self) -> IndexDescription:
        return self._index.describe()

    def rank(self, question: str, k: int = 20, *, within: Filters = _EVERY) -> list[Hit]:
        ids = {paper.id for paper in select(self._index.papers, within)} if within else None
        return self.retriever.rank(self._parsed(question), k, ids)

    def similar(self, paper_id: str, k: int = 10, *, within: Filters = _EVERY) -> list[Hit]:
        """The `k` papers most like this one, by the stored vectors. Raises UnknownPaper."""
        self._index.refresh()
        ids = {paper.id for paper in select(self._index.papers, within)} if within else None
        return alike(self._index, paper_id, k, ids)

    def ask(
        self,
        question: str,
        conversation: Conversation = _NEW,
        *,
        use_llm: bool = True,
        within: Filters = _EVERY,
    ) -> Answer:
        """The settled answer.

        Raises:
            UsageError: the question is empty or longer than `LONGEST_QUESTION`.
        """
        *_, answer = self.stream(question, conversation, use_llm=use_llm, within=within)
        if not isinstance(answer, Answer):
            raise TypeError("the stream of an answer ends with an Answer")
        return answer

    def stream(
        self,
        question: str,
        conversation: Conversation = _NEW,
        *,
        use_llm: bool = True,
        within: Filters = _EVERY,
    ) -> Iterator[TextDelta | Answer]:
        """Pieces of text while a model writes, then the settled answer. Raises as `ask` does."""
        text = question.strip()
        if not text:
            raise UsageError("The question is empty.", "Type a question about the papers.")
        if len(text) > LONGEST_QUESTION:
            raise UsageError(
                f"The question has {len(text):,} characters; at most {LONGEST_QUESTION:,} are read.",
                "Shorten it.",
            )
        self._index.refresh()
        writer = self._writer if use_llm else None
        completed = _completed(text, conversation)
        english = writer.translator.put(completed) if writer and _wants_english(completed) else None
        resolved = self._resolved(text, conversation, within, english.text if english else "")
        answering = Answering(resolved, conversation, self._index, self.retriever, self._ranker, english)
        # An endpoint that has just failed is not waited for once more.
        yield from answering.events(writer if english is None or english.error is None else None)

    def why_not(
        self, paper_id: str, answer: Answer, conversation: Conversation = _NEW, *, within: Filters = _EVERY
    ) -> Fate:
        """The stage that dropped the paper, its rank and score there, and the reason in words.

        Raises:
            UnknownPaper: no paper has this id.
        """
        question = self._understood(answer, conversation, within)
        return why_not(self._index.paper(paper_id), question, answer, self._index, self.retriever)

    def screening_plan(
        self,
        answer: Answer,
        conversation: Conversation = _NEW,
        *,
        within: Filters = _EVERY,
        most_usd: float | None = None,
    ) -> ScreeningPlan | None:
        if self._writer is None or answer.kind != "enumerate":
            return None
        rereading = self._rereading(self._writer, answer, conversation, within)
        return rereading.plan(self._writer.limits.papers, most_usd) if rereading else None

    def screen(
        self,
        answer: Answer,
        plan: ScreeningPlan,
        conversation: Conversation = _NEW,
        *,
        within: Filters = _EVERY,
        stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[ReadSoFar | Answer]:
        """How far the model is with reading the papers of `plan`, then the answer after it.

        Raises:
            UsageError: the plan is of another model than the one in use, or the answer is no list.
        """
        if self._writer is None or plan.model != self._writer.model:
            raise UsageError(f"The plan is for {plan.model}, which is not in use.", "Make another plan.")
        rereading = self._rereading(self._writer, answer, conversation, within)
        if rereading is None:
            raise UsageError("A model reads papers for lists only.", "Ask which papers are about a topic.")
        yield from rereading.events(answer, plan, conversation, stop)

    def _rereading(
        self, writer: Writer, answer: Answer, conversation: Conversation, within: Filters
    ) -> Rereading | None:
        self._index.refresh()
        question = self._understood(answer, conversation, within)
        return Rereading(question, self._index, writer.screener) if can_be_read(question) else None

    def understood(
        self, question: str, conversation: Conversation = _NEW, within: Filters = _EVERY
    ) -> Question:
        """What the question asks for, as it is put to the papers: completed from its conversation."""
        return self._resolved(question, conversation, within)

    def _resolved(
        self, text: str, conversation: Conversation, within: Filters, english: str = ""
    ) -> Question:
        parsed = self._parsed(_completed(text, conversation), english)
        return resolve(replace(parsed, typed=text, within=within), conversation)

    def _understood(self, answer: Answer, conversation: Conversation, within: Filters) -> Question:
        """The question of an answer as it was put to the papers, with a model's English where it had that."""
        english = ""
        if self._writer and "translate" in answer.receipt.seconds:
            english = self._writer.translator.known(_completed(answer.question, conversation))
        return self._resolved(answer.question, conversation, within, english)

    def _parsed(self, text: str, english: str = "") -> Question:
        question = parse(with_capitals(text, self._index))
        question = put_in_english(question, english) if english else question
        query, topic = (
            american(mend(part, self._index.vocabulary), self._index.idf)
            for part in (question.query_str, question.topic)
        )
        return replace(question, query_str=query, topic=topic)

    def close(self) -> None:
        """Release the index."""
        self._index.close()

    # -- LlamaIndex ---------------------------------------------------------------------------------------

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        if self._streaming:
            return self._streamed(query_bundle.query_str)
        answer = self.ask(query_bundle.query_str)
        nodes = self._nodes(answer)
        return Response(response=answer.text, source_nodes=nodes, metadata={"answer": answer.as_json()})

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return await asyncio.to_thread(self._query, query_bundle)

    def _streamed(self, question: str) -> StreamingResponse:
        """A response whose metadata and source nodes are there once its generator is used up."""
        nodes: list[NodeWithScore] = []
        metadata: dict[str, Any] = {}

        def pieces() -> Generator[str, None, None]:
            begun = False
            for event in self.stream(question):
                if isinstance(event, TextDelta):
                    begun = True
                    yield event.text
                    continue
                nodes.extend(self._nodes(event))
                metadata["answer"] = event.as_json()
                if event.receipt.mode == "extractive":
                    # What a model had begun cannot be taken back: the quoted answer follows it.
                    yield f"\n\n{event.text}" if begun else event.text

        return StreamingResponse(response_gen=pieces(), source_nodes=nodes, metadata=metadata)

    def _nodes(self, answer: Answer) -> list[NodeWithScore]:
        cited = {citation.paper.id for citation in answer.citations}
        if not cited:
            return []
        found = self.retriever.rank(parse(answer.question), len(cited), cited)
        return [as_node(hit) for hit in found]

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}


def _completed(text: str, conversation: Conversation) -> str:
    return complete(text, [turn.question for turn in conversation.turns])


def _wants_english(text: str) -> bool:
    """Whether a question is in Chinese and papers are searched for it: counting records needs no search."""
    question = parse(text)
    return question.language == "zh" and not (
        question.kind == "offtopic" or (question.asks in TALLIES and not question.topic)
    )
