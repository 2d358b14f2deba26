"""The components of the page and where they stand; page.css does the rest."""

from dataclasses import dataclass, fields
from typing import Any

import gradio as gr

from ui.browse_layout import BrowseParts, lay_out_browse
from ui.chat import Chat
from ui.controls import CHOICES, REPORTS
from ui.eval_layout import EvalParts, lay_out_eval
from ui.view import TELLS

EXAMPLES = 4
"""Buttons for example questions."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The components of the chat, and around it, that events change."""

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
    model: gr.State
    """Place of the chosen model among those of the engine."""
    models: gr.HTML
    privacy: gr.HTML
    totals: gr.HTML
    sources: gr.HTML
    tab: gr.Tab
    language: gr.HTML
    scope: gr.HTML
    parcel: gr.Textbox
    """A text on its way to the reader's clipboard or disk."""

    @property
    def talk(self) -> list[Any]:
        """What a question and its answer change. Few, since Gradio makes each anew at every drawing."""
        return [
            self.chat, self.welcome, self.history, self.current, self.hint, self.box, self.ask, self.stop,
            self.totals, self.sources,
        ]  # fmt: skip

    @property
    def all(self) -> list[Any]:
        values = [getattr(self, field.name) for field in fields(self)]
        return [part for value in values for part in (value if isinstance(value, tuple) else (value,))]


def lay_out(*, with_model: bool) -> tuple[Parts, BrowseParts, EvalParts]:
    """The components inside the current Blocks. Texts are filled in once a browser has said its language."""
    with gr.Row(elem_id="top"):
        heading = _html("heading")
        language = gr.HTML(elem_id="language", apply_default_css=False, js_on_load=TELLS)
        new = gr.Button("", elem_id="new-chat", size="sm", scale=0)
    with gr.Tabs(elem_id="tabs", overflow_behavior="wrap"):
        chat = _lay_out_chat(heading, new, language, with_model)
        return chat, lay_out_browse(language, chat.scope), lay_out_eval(with_model=with_model)


def _lay_out_chat(heading: gr.HTML, new: gr.Button, language: gr.HTML, with_model: bool) -> Parts:
    with gr.Tab("Chat", id="chat", elem_id="chat-tab") as tab, gr.Row(elem_id="desk"):
        chat = gr.State(Chat())
        with gr.Column(elem_id="talk"):
            with gr.Column(elem_id="transcript"):
                with gr.Column(elem_id="welcome") as welcome:
                    lead = _html("lead")
                    buttons = tuple(
                        gr.Button("", visible=False, elem_classes="example") for _ in range(EXAMPLES)
                    )
                past, now = _html("history", REPORTS), _html("current", REPORTS)
            with gr.Column(elem_id="composer"):
                scope = _html("scope")
                hint = _html("hint", REPORTS)
                with gr.Row(elem_id="ask-row"):
                    box = gr.Textbox(
                        show_label=False, container=False, lines=1, max_lines=6, elem_id="question", scale=1
                    )
                    ask = gr.Button("", variant="primary", elem_id="ask", scale=0)
                    stop = gr.Button("", variant="stop", elem_id="stop", scale=0, visible=False)
            with gr.Column(elem_id="model"):
                switch = gr.Checkbox(
                    label="",
                    value=with_model,
                    visible=with_model,
                    container=False,
                    elem_id="model-switch",
                )
                model, models = gr.State(0), _html("models", CHOICES)
                privacy, totals = _html("privacy"), _html("totals", REPORTS)
        with gr.Column(elem_id="sources"):
            sources = _html("cards", REPORTS)
        parcel = gr.Textbox(visible="hidden")
    return Parts(
        chat, heading, new, welcome, lead, buttons, past, now, hint, box, ask, stop, switch, model, models,
        privacy, totals, sources, tab, language, scope, parcel,
    )  # fmt: skip


def _html(name: str, script: str | None = None) -> gr.HTML:
    return gr.HTML(elem_id=name, apply_default_css=False, js_on_load=script)
