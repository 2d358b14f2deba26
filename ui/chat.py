"""One conversation as the page shows it: its entries, and how one comes about while the engine streams."""

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Literal

from rag.question.filters import Filters
from rag.records import Answer, Conversation, ReadSoFar, ScreeningPlan, TextDelta
from ui.failures import told
from ui.reading import offered
from ui.texts import Texts

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

MAX_QUESTION = 4_000
"""Characters of the longest question that is asked; the engine's limit, known here without importing it."""

_REDRAW = 0.1  # seconds between two drawings of an answer that is being written
_HEARTBEAT = 0.5  # seconds after which an unchanged chat is yielded again, so that its reader can leave

_EVERY = Filters()


@dataclass(frozen=True, slots=True)
class _Given:
    """An answer, and what a model would read for it where that is offered."""

    answer: Answer
    plan: ScreeningPlan | None


_Piece = TextDelta | _Given | Exception | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A question and what came of it.

    `within` are the filters it was asked with; `text` is what has been written so far, `message` what the
    reader is told when it failed; `answer` is set once the state is "answered".
    """

    question: str
    state: Literal["writing", "answered", "stopped", "failed"] = "writing"
    text: str = ""
    message: str = ""
    answer: Answer | None = None
    within: Filters = _EVERY
    plan: ScreeningPlan | None = None
    """What a model would read for this list, where it is offered."""
    read: ReadSoFar | None = None
    """How far a model is with that; set while it is under way."""


@dataclass(frozen=True, slots=True)
class Chat:
    """The entries of one conversation, oldest first. A value: every change makes another one.

    `replaced` are answers that had their question asked again; what they took still counts. While the last
    question is `revising`, it is in the box, and what is asked next takes the place of its entry.
    """

    entries: tuple[Entry, ...] = ()
    replaced: tuple[Answer, ...] = ()
    revising: bool = False

    @property
    def answers(self) -> tuple[Answer, ...]:
        return tuple(entry.answer for entry in self.entries if entry.answer)

    @property
    def conversation(self) -> Conversation:
        """The answered turns, as the engine needs them."""
        conversation = Conversation()
        for answer in self.answers:
            conversation = conversation.with_turn(answer)
        return conversation

    @property
    def writing(self) -> bool:
        return bool(self.entries) and self.entries[-1].state == "writing"

    def with_last(self, entry: Entry) -> "Chat":
        """This chat with another last entry."""
        return replace(self, entries=(*self.entries[:-1], entry))

    def without_last(self) -> "Chat":
        """This chat before its last question."""
        answers = tuple(entry.answer for entry in self.entries[-1:] if entry.answer)
        return Chat(self.entries[:-1], (*self.replaced, *answers))


def ask(
    engine: "AnswerEngine",
    chat: Chat,
    question: str,
    *,
    use_llm: bool,
    within: Filters,
    texts: Texts,
    stop: Event,
) -> Iterator[Chat]:
    """The chat as it grows by this question: at once, then with each piece of text, then finished.

    The question takes the place of the last one where that is being revised.

    Setting `stop` finishes the entry as it stands, also while the engine is silent; so does leaving this
    iterator. The engine's stream is closed at its next piece. Never raises: whatever goes wrong in the engine
    becomes a failed entry.
    """
    chat = chat.without_last() if chat.revising else chat
    kept = tuple(entry for entry in chat.entries if entry.state != "writing")
    entry = Entry(question, within=within)
    grown = replace(chat, entries=(*kept, entry))
    yield grown
    pieces: SimpleQueue[_Piece] = SimpleQueue()
    stream = _stream(engine, question, chat.conversation, use_llm=use_llm, within=within)
    Thread(target=_pump, args=(stream, pieces, stop), daemon=True, name="answer").start()
    text, drawn = "", time.monotonic()
    try:
        while True:
            piece = _next(pieces)
            if stop.is_set():
                yield grown.with_last(replace(entry, state="stopped", text=text))
                return
            if not isinstance(piece, TextDelta):
                yield grown.with_last(_finished(entry, piece, texts))
                return
            text += piece.text
            waited = time.monotonic() - drawn
            if waited >= (_REDRAW if text != entry.text else _HEARTBEAT):
                if text != entry.text:
                    entry = replace(entry, text=text)
                    grown = grown.with_last(entry)
                yield grown
                drawn = time.monotonic()
    finally:
        stop.set()


def _stream(
    engine: "AnswerEngine", question: str, conversation: Conversation, *, use_llm: bool, within: Filters
) -> Generator[TextDelta | _Given, None, None]:
    """The engine's stream; calling the engine is part of iterating, and closing this closes it too."""
    stream = engine.stream(question, conversation, use_llm=use_llm, within=within)
    try:
        for piece in stream:
            if isinstance(piece, TextDelta):
                yield piece
            else:
                yield _Given(piece, offered(engine, piece, conversation, within) if use_llm else None)
    finally:
        if isinstance(stream, Generator):
            stream.close()


def _pump(
    stream: Generator[TextDelta | _Given, None, None], pieces: SimpleQueue[_Piece], stop: Event
) -> None:
    """Moves the stream's pieces over, then None, or the exception that ended it."""
    try:
        with closing(stream):
            for piece in stream:
                if stop.is_set():
                    return
                pieces.put(piece)
        pieces.put(None)
    except Exception as error:
        pieces.put(error)


def _next(pieces: SimpleQueue[_Piece]) -> _Piece:
    try:
        return pieces.get(timeout=_REDRAW)
    except Empty:
        return TextDelta("")


def _finished(entry: Entry, end: _Given | Exception | None, texts: Texts) -> Entry:
    if isinstance(end, _Given):
        return replace(entry, state="answered", answer=end.answer, plan=end.plan)
    message = told(end, texts.failed_inside) if end else texts.no_answer
    return replace(entry, state="failed", message=message)
