"""What happens in the chat at each event: values of components in, updates of components out."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape
from threading import Event
from typing import TYPE_CHECKING

import gradio as gr

from rag.suggestions import asked_again
from ui.answer_texts import answer_texts_for
from ui.chat import MAX_QUESTION, Chat, ask
from ui.controls import button, number_in, told_by
from ui.greeting import Greeting, Updates
from ui.layout import Parts
from ui.listing import formats
from ui.papers import source_cards
from ui.reading_events import readable, reading
from ui.receipts import totals
from ui.render import current, history
from ui.texts import Texts
from ui.view import texts_of, view_of

if TYPE_CHECKING:
    from rag.engine import AnswerEngine


@dataclass(slots=True)
class _Running:
    """The answer that a session is being given: `stop` ends it, `discarded` then throws it away."""

    stop: Event = field(default_factory=Event)
    discarded: bool = False


class Handlers:
    """What happens at each event. A conversation is its session's `Chat`; here is only who is answered."""

    def __init__(self, engine: "AnswerEngine", parts: Parts, greeting: Greeting) -> None:
        self._engine = engine
        self._parts = parts
        self._greeting = greeting
        self._running: dict[str, _Running] = {}

    def greeting(self, request: gr.Request) -> Updates:
        """Every text of the page in the reader's language."""
        texts = texts_of(request)
        return self._greeting.labels(texts) | self._greeting.welcome(texts)

    def translated(self, chat: Chat, model: int, request: gr.Request) -> Updates:
        """The page in another language; an answer that is being written goes on as it began."""
        texts, parts = texts_of(request), self._parts
        updates = self._greeting.labels(texts, model) | self._greeting.welcome(texts)
        if not chat.entries:
            return updates
        updates |= {parts.welcome: gr.update(visible=False), parts.history: history(chat, texts)}
        if not chat.writing:
            updates |= {parts.current: current(chat, texts), parts.totals: _totals(chat, texts)}
            updates[parts.hint] = _revising(texts) if chat.revising else ""
        if any(answer.citations for answer in chat.answers):
            updates[parts.sources] = _sources(chat, texts)
        return updates

    def model(self, told: gr.EventData, model: int, request: gr.Request) -> Updates:
        """Choose a model, by its place among those of the engine."""
        chosen = number_in(told_by(told), "chosen")
        if chosen is None or chosen >= len(self._engine.chat_models):
            chosen = model
        return {self._parts.model: chosen, **self._greeting.model(texts_of(request), chosen)}

    # -- asking -------------------------------------------------------------------------------------------

    def question(
        self, question: str, chat: Chat, use_llm: bool, model: int, request: gr.Request
    ) -> Iterator[Updates]:
        """Ask what is in the box; it takes the place of the last question where that is being edited."""
        yield from self._asking(question.strip(), chat, use_llm, model, request, {self._parts.box: ""})

    def example(
        self, question: str, chat: Chat, use_llm: bool, model: int, request: gr.Request
    ) -> Iterator[Updates]:
        """Ask one of the example questions; what is in the box stays there."""
        yield from self._asking(question, replace(chat, revising=False), use_llm, model, request)

    def onward(
        self, told: gr.EventData, chat: Chat, use_llm: bool, model: int, request: gr.Request
    ) -> Iterator[Updates]:
        """Ask a suggested question, or the question of a turn for another search."""
        data = told_by(told)
        question, turn = str(data.get("question") or ""), number_in(data, "turn")
        answer = chat.entries[turn].answer if turn is not None and turn < len(chat.entries) else None
        if answer and (search := str(data.get("search") or "").strip()):
            question = asked_again(answer, search)
        yield from self._asking(question.strip(), replace(chat, revising=False), use_llm, model, request)

    def retry(self, chat: Chat, use_llm: bool, model: int, request: gr.Request) -> Iterator[Updates]:
        """Ask the last question again; its new answer takes the place of the old one."""
        if chat.entries:
            question = chat.entries[-1].question
            yield from self._asking(question, replace(chat, revising=True), use_llm, model, request)

    def read(self, told: gr.EventData, chat: Chat, request: gr.Request) -> Iterator[Updates]:
        """Have a model read the papers of the last list. Until that is done the chat is the one there was."""
        texts, session = texts_of(request), request.session_hash or ""
        if session in self._running or not readable(chat, number_in(told_by(told), "turn")):
            yield {self._parts.hint: gr.skip()}
            return
        running = self._running[session] = _Running()
        try:
            drawn = None
            for stage, failed in reading(self._engine, chat, texts, running.stop):
                updates = self._drawn(stage, texts, before=drawn)
                if stage.writing:  # whoever leaves now comes back to the list as it was
                    del updates[self._parts.chat]
                yield updates | ({self._parts.hint: _hint(failed, texts)} if failed else {})
                drawn = stage
            if running.discarded:
                yield self._discarded(texts)
        finally:
            running.stop.set()
            del self._running[session]

    def edit(self, chat: Chat, request: gr.Request) -> Updates:
        """Put the last question back into the box, to be asked anew."""
        if not chat.entries or (request.session_hash or "") in self._running:
            return {self._parts.hint: gr.skip()}
        return {
            self._parts.chat: replace(chat, revising=True),
            self._parts.box: chat.entries[-1].question,
            self._parts.hint: _revising(texts_of(request)),
        }

    def keep(self, chat: Chat) -> Updates:
        """Leave the last question as it is."""
        return {self._parts.chat: replace(chat, revising=False), self._parts.box: "", self._parts.hint: ""}

    def _asking(
        self,
        question: str,
        chat: Chat,
        use_llm: bool,
        model: int,
        request: gr.Request,
        at_once: Updates | None = None,
    ) -> Iterator[Updates]:
        """Ask, redrawing the last entry while it is being written; `at_once` goes with the first drawing."""
        texts, session = texts_of(request), request.session_hash or ""
        if hint := self._objection(question, session, texts):
            yield {self._parts.hint: _hint(hint, texts)}
            return
        running = self._running[session] = _Running()
        try:
            drawn = None
            stages = ask(
                self._using(model),
                chat,
                question,
                use_llm=use_llm,
                within=view_of(request).filters,
                texts=texts,
                stop=running.stop,
            )
            for stage in stages:
                yield (at_once or {}) | self._drawn(stage, texts, before=drawn)
                drawn, at_once = stage, None
            if running.discarded:
                yield self._discarded(texts)
        finally:
            running.stop.set()
            del self._running[session]

    def _using(self, model: int) -> "AnswerEngine":
        return self._engine.using(self._engine.chat_models[model]) if model else self._engine

    def stop(self, request: gr.Request) -> None:
        """End the answer that is being written; `question` draws what there is of it."""
        if running := self._running.get(request.session_hash or ""):
            running.stop.set()

    def fresh(self, request: gr.Request) -> Updates:
        """An empty conversation.

        Where an answer is being written, `question` empties it, so that its last drawing cannot come later.
        """
        if running := self._running.get(request.session_hash or ""):
            running.discarded = True
            running.stop.set()
            return {self._parts.hint: ""}
        return self._emptied(texts_of(request))

    def _objection(self, question: str, session: str, texts: Texts) -> str | None:
        if session in self._running:
            return texts.still_answering
        if not question:
            return texts.empty_question
        if len(question) > MAX_QUESTION:
            return texts.long_question.format(length=f"{len(question):,}", limit=f"{MAX_QUESTION:,}")
        return None

    def _drawn(self, chat: Chat, texts: Texts, *, before: Chat | None) -> Updates:
        """What changes on the page where `before` was drawn last, None at the beginning."""
        parts = self._parts
        if chat is before:
            return {parts.hint: gr.skip()}
        updates: Updates = {parts.chat: chat, parts.current: current(chat, texts)}
        if before is None:
            updates |= {
                parts.welcome: gr.update(visible=False),
                parts.history: history(chat, texts),
                parts.hint: "",
                **self._busy(True),
            }
        if not chat.writing:
            updates |= self._busy(False) | {parts.totals: _totals(chat, texts)}
            cited = any(answer.citations for answer in chat.answers)
            updates[parts.sources] = _sources(chat, texts) if cited else self._greeting.papers(texts)
            if chat.entries[-1].state == "failed":
                updates[parts.box] = chat.entries[-1].question
        return updates

    def _emptied(self, texts: Texts) -> Updates:
        parts = self._parts
        return {
            parts.chat: Chat(),
            parts.history: "",
            parts.current: "",
            parts.hint: "",
            parts.box: "",
            parts.totals: "",
            **self._busy(False),
            **self._greeting.welcome(texts),
        }

    def _discarded(self, texts: Texts) -> Updates:
        """An empty conversation in the parts that a question changes."""
        emptied, touched = self._emptied(texts), set(self._parts.talk)
        return {part: update for part, update in emptied.items() if part in touched}

    def _busy(self, busy: bool) -> Updates:
        return {self._parts.ask: gr.update(visible=not busy), self._parts.stop: gr.update(visible=busy)}


def _sources(chat: Chat, texts: Texts) -> str:
    save = formats(escape(answer_texts_for(texts.language).save_cited))
    cards = source_cards([entry.answer for entry in chat.entries], texts, tools=save)
    return f'<div lang="{texts.tag}">{cards}</div>'


def _totals(chat: Chat, texts: Texts) -> str:
    return f'<div lang="{texts.tag}">{totals(chat, texts)}</div>'


def _hint(message: str, texts: Texts, after: str = "") -> str:
    return f'<p role="status" lang="{texts.tag}">{escape(message)}{after}</p>'


def _revising(texts: Texts) -> str:
    said = answer_texts_for(texts.language)
    return _hint(said.editing, texts, " " + button("clear", escape(said.keep)))
