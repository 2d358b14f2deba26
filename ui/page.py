"""The page: a conversation, and beside it the papers it rests on. Takes an engine, never builds one."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from html import escape
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import gradio as gr

from ui.chat import MAX_QUESTION, Chat, ask
from ui.examples import examples
from ui.papers import paper_list, source_cards
from ui.render import current, history
from ui.texts import Texts, texts_for
from ui.theme import theme

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

_FOLDER = Path(__file__).parent
_EXAMPLES = 4
_AT_ONCE = 8  # questions answered at the same time; more wait in Gradio's queue

Updates = dict[Any, Any]


@dataclass(frozen=True, slots=True)
class _Parts:
    """The components that events change."""

    chat: gr.State
    heading: gr.HTML
    new: gr.Button
    welcome: gr.Column
    lead: gr.HTML
    examples: tuple[gr.Button, ...]
    history: gr.HTML
    current: gr.HTML
    hint: gr.HTML
    box: gr.Textbox
    ask: gr.Button
    stop: gr.Button
    switch: gr.Checkbox
    privacy: gr.HTML
    sources: gr.HTML

    @property
    def all(self) -> list[Any]:
        values = [getattr(self, field.name) for field in fields(self)]
        return [part for value in values for part in (value if isinstance(value, tuple) else (value,))]


def build_page(engine: "AnswerEngine", *, embedding_endpoint: str | None = None) -> gr.Blocks:
    """The chat page of an engine.

    `embedding_endpoint` names where questions are sent to be turned into vectors, None where that happens on
    this machine; the page says so.
    """
    page: gr.Blocks
    with gr.Blocks(title=texts_for(None).title, analytics_enabled=False, fill_width=True) as page:
        parts = _lay_out(engine)
        _wire(page, parts, _Handlers(engine, parts, embedding_endpoint))
    page.queue(default_concurrency_limit=_AT_ONCE, api_open=False)
    return page


def launch_options() -> dict[str, Any]:
    """What `launch` and `mount_gradio_app` take beside the page: its looks, and nothing that phones home."""
    return {
        "theme": theme(),
        "css_paths": [_FOLDER / "page.css"],
        "head": f"<script>{(_FOLDER / 'page.js').read_text('utf-8')}</script>",
        "footer_links": [],
        "run_history": False,
        "enable_monitoring": False,
        "show_error": False,
        "ssr_mode": False,
        "pwa": False,
        "mcp_server": False,
    }


def _lay_out(engine: "AnswerEngine") -> _Parts:
    """Texts are filled in when a browser has said its language."""

    def html(name: str) -> gr.HTML:
        return gr.HTML(elem_id=name, apply_default_css=False, js_on_load=None)

    chat = gr.State(Chat())
    with gr.Row(elem_id="top"):
        heading = html("heading")
        new = gr.Button("", elem_id="new-chat", size="sm", scale=0)
    with gr.Row(elem_id="desk"):
        with gr.Column(elem_id="talk"):
            with gr.Column(elem_id="transcript"):
                with gr.Column(elem_id="welcome") as welcome:
                    lead = html("lead")
                    buttons = tuple(
                        gr.Button("", visible=False, elem_classes="example") for _ in range(_EXAMPLES)
                    )
                past, now = html("history"), html("current")
            with gr.Column(elem_id="composer"):
                hint = html("hint")
                with gr.Row(elem_id="ask-row"):
                    box = gr.Textbox(
                        show_label=False, container=False, lines=1, max_lines=6, elem_id="question", scale=1
                    )
                    ask = gr.Button("", variant="primary", elem_id="ask", scale=0)
                    stop = gr.Button("", variant="stop", elem_id="stop", scale=0, visible=False)
            with gr.Column(elem_id="model"):
                switch = gr.Checkbox(
                    label="",
                    value=engine.chat_model is not None,
                    visible=engine.chat_model is not None,
                    container=False,
                    elem_id="model-switch",
                )
                privacy = html("privacy")
        with gr.Column(elem_id="sources"):
            sources = html("cards")
    return _Parts(
        chat, heading, new, welcome, lead, buttons, past, now, hint, box, ask, stop, switch, privacy, sources
    )


def _wire(page: gr.Blocks, parts: _Parts, handle: "_Handlers") -> None:
    quiet: dict[str, Any] = {"outputs": parts.all, "show_progress": "hidden", "api_visibility": "private"}
    at_once: dict[str, Any] = {**quiet, "queue": False}
    page.load(handle.greeting, **at_once)
    asking = [parts.box.submit, parts.ask.click]
    gr.on(asking, handle.question, [parts.box, parts.chat, parts.switch], **quiet)
    for example in parts.examples:
        example.click(handle.question, [example, parts.chat, parts.switch], **quiet)
    parts.stop.click(handle.stop, api_visibility="private", queue=False)
    parts.new.click(handle.fresh, **at_once)


@dataclass(slots=True)
class _Running:
    """The answer that a session is being given: `stop` ends it, `discarded` then throws it away."""

    stop: Event = field(default_factory=Event)
    discarded: bool = False


class _Handlers:
    """What happens at each event. A conversation is its session's `Chat`; here is only who is answered."""

    def __init__(self, engine: "AnswerEngine", parts: _Parts, embedding_endpoint: str | None) -> None:
        self._engine = engine
        self._parts = parts
        self._embedding_endpoint = embedding_endpoint
        self._running: dict[str, _Running] = {}

    def greeting(self, request: gr.Request) -> Updates:
        """Every text of the page in the browser's language."""
        texts, parts = _texts(request), self._parts
        return {
            parts.heading: self._heading(texts),
            parts.new: gr.update(value=texts.new_chat),
            parts.box: gr.update(label=texts.question_label, placeholder=texts.placeholder),
            parts.ask: gr.update(value=texts.ask),
            parts.stop: gr.update(value=texts.stop),
            parts.switch: gr.update(label=texts.model_switch),
            parts.privacy: f'<p lang="{texts.tag}">{escape(self._privacy(texts))}</p>',
            **self._welcome(texts),
        }

    def question(self, question: str, chat: Chat, use_llm: bool, request: gr.Request) -> Iterator[Updates]:
        """Ask, redrawing the last entry while it is being written."""
        texts, session = _texts(request), request.session_hash or ""
        if hint := self._objection(question.strip(), session, texts):
            yield {self._parts.hint: _hint(hint, texts)}
            return
        running = self._running[session] = _Running()
        try:
            drawn = None
            stages = ask(
                self._engine, chat, question.strip(), use_llm=use_llm, texts=texts, stop=running.stop
            )
            for stage in stages:
                yield self._drawn(stage, texts, before=drawn)
                drawn = stage
            if running.discarded:
                yield self._emptied(texts)
        finally:
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
        return self._emptied(_texts(request))

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
            if chat.answers:
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
        return f'<h1 lang="{texts.tag}">{escape(texts.title)}</h1><p>{escape(lists)}</p>'

    def _welcome(self, texts: Texts) -> Updates:
        questions = examples(self._engine.papers, texts)
        heading = f"<h2>{escape(texts.examples)}</h2>" if questions else ""
        shown = (*questions, *[""] * _EXAMPLES)
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
        otherwise = (
            texts.leaves_embedding.format(endpoint=self._embedding_endpoint)
            if self._embedding_endpoint
            else texts.leaves_nothing
        )
        if model := self._engine.chat_model:
            return texts.leaves_model.format(model=model.name, endpoint=model.endpoint, otherwise=otherwise)
        return otherwise[:1].upper() + otherwise[1:]


def _sources(chat: Chat, texts: Texts) -> str:
    return f'<div lang="{texts.tag}">{source_cards([e.answer for e in chat.entries], texts)}</div>'


def _hint(message: str, texts: Texts) -> str:
    return f'<p role="status" lang="{texts.tag}">{escape(message)}</p>'


def _texts(request: gr.Request) -> Texts:
    return texts_for(request.headers.get("accept-language"))
