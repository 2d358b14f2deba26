"""What the chat shows before the first question, and the labels of everything around it."""

from html import escape
from typing import TYPE_CHECKING, Any

import gradio as gr

from ui.answer_texts import answer_texts_for
from ui.controls import choice
from ui.examples import examples
from ui.layout import EXAMPLES, Parts
from ui.papers import paper_list
from ui.privacy import Destinations, leaving
from ui.texts import Texts

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

Updates = dict[Any, Any]
"""Component → its new value or properties."""


class Greeting:
    """The texts of the page around a conversation, in whatever language."""

    def __init__(self, engine: "AnswerEngine", parts: Parts, destinations: Destinations) -> None:
        self._engine = engine
        self._parts = parts
        self._destinations = destinations

    def labels(self, texts: Texts, model: int = 0) -> Updates:
        """Names of tabs, buttons and fields; the models, of which the one at `model` is chosen."""
        parts = self._parts
        return {
            parts.tab: gr.update(label=texts.tab),
            parts.heading: self._heading(texts),
            parts.new: gr.update(value=texts.new_chat),
            parts.box: gr.update(label=texts.question_label, placeholder=texts.placeholder),
            parts.ask: gr.update(value=texts.ask),
            parts.stop: gr.update(value=texts.stop),
            parts.switch: gr.update(label=texts.model_switch),
            **self.model(texts, model),
        }

    def model(self, texts: Texts, chosen: int) -> Updates:
        """The choice of a model, where there is one, and what leaves the machine with it."""
        models = self._engine.chat_models
        privacy = leaving(self._destinations, models[chosen] if models else None, texts)
        label = answer_texts_for(texts.language).model
        shown = choice(label, [model.name for model in models], chosen) if len(models) > 1 else ""
        return {
            self._parts.models: f'<div lang="{texts.tag}">{shown}</div>',
            self._parts.privacy: f'<p lang="{texts.tag}">{escape(privacy)}</p>',
        }

    def welcome(self, texts: Texts) -> Updates:
        """What stands in the place of a conversation: a lead, example questions, the papers."""
        questions = examples(self._engine.papers, texts)
        heading = f"<h2>{escape(texts.examples)}</h2>" if questions else ""
        shown = (*questions, *[""] * EXAMPLES)
        return {
            self._parts.welcome: gr.update(visible=True),
            self._parts.lead: f'<div lang="{texts.tag}"><p>{escape(texts.lead)}</p>{heading}</div>',
            self._parts.sources: self.papers(texts),
            **{
                button: gr.update(value=text, visible=bool(text))
                for button, text in zip(self._parts.examples, shown, strict=False)
            },
        }

    def papers(self, texts: Texts) -> str:
        """The papers of the index, where there are no sources."""
        return f'<div lang="{texts.tag}">{paper_list(self._engine.papers, texts)}</div>'

    def _heading(self, texts: Texts) -> str:
        count = len(self._engine.papers)
        held = texts.papers[count == 1].format(count=f"{count:,}")
        lists = " · ".join([held, *self._engine.describe().lists])
        # page.js names the two panes by these.
        names = (
            f'data-transcript="{escape(texts.conversation)}" data-sources="{escape(texts.sources_heading)}"'
        )
        return f'<h1 lang="{texts.tag}" {names}>{escape(texts.title)}</h1><p>{escape(lists)}</p>'
