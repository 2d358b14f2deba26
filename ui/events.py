"""What happens on the page at each event: values of components in, updates of components out."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from threading import Event
from typing import TYPE_CHECKING, Any

import gradio as gr

from ui.chat import MAX_QUESTION, Chat, ask
from ui.examples import examples
from ui.layout import EXAMPLES, Parts
from ui.papers import paper_list, source_cards
from ui.render import current, history
from ui.texts import Texts
from ui.view import texts_of, view_of

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

Updates = dict[Any, Any]
"""Component → its new value or properties."""


@dataclass(slots=True)
class _Running:
    """The answer that a session is being given: `stop` ends it, `discarded` then throws it away."""

    stop: Event = field(default_factory=Event)
    discarded: bool = False


class Handlers:
    """What happens at each event. A conversation is its session's `Chat`; here is only who is answered."""

    def __init__(self, engine: "AnswerEngine", parts: Parts, embedding_endpoint: str | None) -> None:
        self._engine = engine
        self._parts = parts
        self._embedding_endpoint = embedding_endpoint
        self._running: dict[str, _Running] = {}

    def greeting(self, request: gr.Request) -> Updates:
        """Every text of the page in the reader's language."""
        texts = texts_of(request)
        return self._labels(texts) | self._welcome(texts)

    def translated(self, chat: Chat, request: gr.Request) -> Updates:
        """The page in another language; an answer that is being written goes on as it began."""
        texts, parts = texts_of(request), self._parts
        updates = self._labels(texts) | self._welcome(texts)
        if not chat.entries:
            return updates
        updates |= {parts.welcome: gr.update(visible=False), parts.history: history(chat, texts)}
        if not chat.writing:
            updates[parts.current] = current(chat, texts)
        if any(answer.citations for answer in chat.answers):
            updates[parts.sources] = _sources(chat, texts)
        return updates

    def _labels(self, texts: Texts) -> Updates:
        parts = self._parts
        return {
            parts.tab: gr.update(label=texts.tab),
            parts.heading: self._heading(texts),
            parts.new: gr.update(value=texts.new_chat),
            parts.box: gr.update(label=texts.question_label, placeholder=texts.placeholder),
            parts.ask: gr.update(value=texts.ask),
            parts.stop: gr.update(value=texts.stop),
            parts.switch: gr.update(label=texts.model_switch),
            parts.privacy: f'<p lang="{texts.tag}">{escape(self._privacy(texts))}</p>',
        }

    def question(self, question: str, chat: Chat, use_llm: bool, request: gr.Request) -> Iterator[Updates]:
        """Ask, redrawing the last entry while it is being written."""
        texts, session = texts_of(request), request.session_hash or ""
        if hint := self._objection(question.strip(), session, texts):
            yield {self._parts.hint: _hint(hint, texts)}
            return
        running = self._running[session] = _Running()
        try:
            drawn = None
            stages = ask(
                self._engine,
                chat,
                question.strip(),
                use_llm=use_llm,
                within=view_of(request).filters,
                texts=texts,
                stop=running.stop,
            )
            for stage in stages:
                yield self._drawn(stage, texts, before=drawn)
                drawn = stage
            if running.discarded:
                yield self._emptied(texts)
        finally:
            running.stop.set()
            del self._running[session]

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
                parts.box: "",
                **self._busy(True),
            }
        if not chat.writing:
            updates |= self._busy(False)
            if any(answer.citations for answer in chat.answers):
                updates[parts.sources] = _sources(chat, texts)
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
            **self._busy(False),
            **self._welcome(texts),
        }

    def _busy(self, busy: bool) -> Updates:
        return {self._parts.ask: gr.update(visible=not busy), self._parts.stop: gr.update(visible=busy)}

    def _heading(self, texts: Texts) -> str:
        held = texts.held.format(count=f"{len(self._engine.papers):,}")
        lists = " · ".join([held, *self._engine.describe().lists])
        # page.js names the two panes by these.
        names = (
            f'data-transcript="{escape(texts.conversation)}" data-sources="{escape(texts.sources_heading)}"'
        )
        return f'<h1 lang="{texts.tag}" {names}>{escape(texts.title)}</h1><p>{escape(lists)}</p>'

    def _welcome(self, texts: Texts) -> Updates:
        questions = examples(self._engine.papers, texts)
        heading = f"<h2>{escape(texts.examples)}</h2>" if questions else ""
        shown = (*questions, *[""] * EXAMPLES)
        return {
            self._parts.welcome: gr.update(visible=True),
            self._parts.lead: f'<div lang="{texts.tag}"><p>{escape(texts.lead)}</p>{heading}</div>',
            self._parts.sources: f'<div lang="{texts.tag}">{paper_list(self._engine.papers, texts)}</div>',
            **{
                button: gr.update(value=text, visible=bool(text))
                for button, text in zip(self._parts.examples, shown, strict=False)
            },
        }

    def _privacy(self, texts: Texts) -> str:
        otherwise = texts.leaves(self._embedding_endpoint)
        if model := self._engine.chat_model:
            return texts.leaves_model.format(model=model.name, endpoint=model.endpoint, otherwise=otherwise)
        return otherwise[:1].upper() + otherwise[1:]


def _sources(chat: Chat, texts: Texts) -> str:
    return f'<div lang="{texts.tag}">{source_cards([e.answer for e in chat.entries], texts)}</div>'


def _hint(message: str, texts: Texts) -> str:
    return f'<p role="status" lang="{texts.tag}">{escape(message)}</p>'
