"""The LlamaIndex query engine: ask and stream."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.records import Answer, Conversation, Hit, IndexDescription, Paper, TextDelta


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

    def describe(self) -> IndexDescription: ...

    def rank(self, question: str, k: int = 20) -> list[Hit]:
        """The `k` papers that retrieval puts first, best first."""

    def ask(self, question: str, conversation: Conversation = ..., *, use_llm: bool = True) -> Answer: ...

    def stream(
        self, question: str, conversation: Conversation = ..., *, use_llm: bool = True
    ) -> Iterator[TextDelta | Answer]:
        """Pieces of text as they are written, then exactly one Answer, whose text replaces them."""
