"""What happens when a reader copies or saves: a text goes to the browser, which hands it over."""

import gradio as gr

from ui.chat import Chat
from ui.controls import number_in, told_by
from ui.saving import Parcel, copied, saved
from ui.view import texts_of


def copy(told: gr.EventData, chat: Chat, request: gr.Request) -> str:
    """An answer as Markdown, on its way to the clipboard."""
    turn = number_in(told_by(told), "turn")
    return _packed(None if turn is None else copied(chat, turn), request)


def save(told: gr.EventData, chat: Chat, request: gr.Request) -> str:
    """Papers or the conversation, on their way to a file."""
    data = told_by(told)
    chosen = data.get("papers")
    ids = [str(each) for each in chosen] if isinstance(chosen, list) else None
    return _packed(saved(chat, str(data.get("format")), number_in(data, "turn"), ids), request)


def _packed(parcel: Parcel | None, request: gr.Request) -> str:
    return parcel.packed(texts_of(request)) if parcel else ""
