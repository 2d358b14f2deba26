"""An answer engine that says what a test tells it to, for tests of the page itself."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rag.errors import UnknownPaper
from rag.question.filters import Filters
from rag.records import (
    Answer,
    Conversation,
    Fate,
    Hit,
    IndexDescription,
    Paper,
    Passage,
    ReadSoFar,
    ScreeningPlan,
    TextDelta,
)

if TYPE_CHECKING:
    from rag.engine import ChatModel

_NOD = 0.01  # seconds between two empty pieces of a stream that waits
_FIRST = Conversation()
_EVERY = Filters()


@dataclass(frozen=True)
class Line:
    """What is said to one question: pieces of text, then an answer, or an error raised in its place.

    `hold` keeps the stream open after its pieces until it is set, with empty pieces in between, so that a
    stream can be stopped or two of them interleaved; `pause` is the time before each piece, in seconds.
    """

    pieces: Sequence[str] = ()
    end: Answer | Exception | None = None
    hold: threading.Event | None = None
    pause: float = 0.0


@dataclass(frozen=True)
class Reading:
    """What comes of a model's reading the papers of a list: steps, then an answer or an error.

    `hold` keeps it after its steps until it is set, or until the reader stops it: then `stopped` is the end.
    """

    steps: Sequence[ReadSoFar] = ()
    end: Answer | Exception | None = None
    hold: threading.Event | None = None
    stopped: Answer | None = None


@dataclass
class ScriptedEngine:
    """Answers by `lines`, keyed by question; records what it was asked and which streams were cut short.

    `likes` holds what a search for a text finds and which papers are like that of an id; `others` are models
    it can be told to use, and `used` the name of the one that each question was put to. `plans` and
    `readings` are those of the lists that answer a question.
    """

    papers: Sequence[Paper]
    lines: Mapping[str, Line]
    chat_model: "ChatModel | None" = None
    asked: list[tuple[str, Conversation, bool]] = field(default_factory=list)
    cut_short: list[str] = field(default_factory=list)
    within: list[Filters] = field(default_factory=list)
    likes: Mapping[str, Sequence[Paper]] = field(default_factory=dict)
    others: "Sequence[ChatModel]" = ()
    used: list[str] = field(default_factory=list)
    plans: Mapping[str, ScreeningPlan] = field(default_factory=dict)
    readings: Mapping[str, "Reading"] = field(default_factory=dict)

    @property
    def chat_models(self) -> "Sequence[ChatModel]":
        return (*([self.chat_model] if self.chat_model else []), *self.others)

    def using(self, model: "ChatModel") -> "ScriptedEngine":
        return replace(self, chat_model=model, others=())

    def describe(self) -> IndexDescription:
        return IndexDescription(
            len(self.papers), len(self.papers), "scripted", 1, "scripted", "scripted", 1, 0
        )

    def rank(self, question: str, k: int = 20, *, within: Filters = _EVERY) -> list[Hit]:
        return self._likes(question, k)

    def similar(self, paper_id: str, k: int = 10, *, within: Filters = _EVERY) -> list[Hit]:
        if paper_id not in {paper.id for paper in self.papers}:
            raise UnknownPaper(f"No paper has the id {paper_id!r}.")
        return self._likes(paper_id, k)

    def _likes(self, key: str, k: int) -> list[Hit]:
        papers = self.likes.get(key, ())[:k]
        return [Hit(paper, 1.0, None, None, Passage(paper.id, 0, 0, 0, "")) for paper in papers]

    def why_not(
        self, paper_id: str, answer: Answer, conversation: Conversation = _FIRST, *, within: Filters = _EVERY
    ) -> Fate:
        return Fate(paper_id, paper_id, "retrieve", None, None, "scripted")

    def screening_plan(
        self,
        answer: Answer,
        conversation: Conversation = _FIRST,
        *,
        within: Filters = _EVERY,
        most_usd: float | None = None,
    ) -> ScreeningPlan | None:
        return self.plans.get(answer.question) if self.chat_model else None

    def screen(
        self,
        answer: Answer,
        plan: ScreeningPlan,
        conversation: Conversation = _FIRST,
        *,
        within: Filters = _EVERY,
        stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[ReadSoFar | Answer]:
        reading = self.readings[answer.question]
        yield from reading.steps
        while reading.hold and not reading.hold.wait(_NOD):
            if stop() and reading.stopped:
                yield reading.stopped
                return
        if isinstance(reading.end, Exception):
            raise reading.end
        if reading.end:
            yield reading.end

    def ask(
        self,
        question: str,
        conversation: Conversation = _FIRST,
        *,
        use_llm: bool = True,
        within: Filters = _EVERY,
    ) -> Answer:
        stream = self.stream(question, conversation, use_llm=use_llm, within=within)
        return next(piece for piece in stream if isinstance(piece, Answer))

    def stream(
        self,
        question: str,
        conversation: Conversation = _FIRST,
        *,
        use_llm: bool = True,
        within: Filters = _EVERY,
    ) -> Iterator[TextDelta | Answer]:
        self.within.append(within)
        self.used.append(self.chat_model.name if self.chat_model and use_llm else "")
        self.asked.append((question, conversation, use_llm))
        line = self.lines[question]
        try:
            for piece in line.pieces:
                time.sleep(line.pause)
                yield TextDelta(piece)
            while line.hold and not line.hold.wait(_NOD):
                yield TextDelta("")
            if isinstance(line.end, Exception):
                raise line.end
            if line.end:
                yield line.end
        except GeneratorExit:
            if not line.end or line.hold:
                self.cut_short.append(question)
            raise
