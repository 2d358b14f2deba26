"""The abstract of a listed paper, unfolded beside its row when a reader asks for it."""

from collections.abc import Sequence
from html import escape

import gradio as gr

from rag.records import Answer, Choice, Decision
from ui.answer_texts import AnswerTexts
from ui.chat import Chat
from ui.controls import number_in, told_by
from ui.papers import abstract
from ui.placing import answered, placed
from ui.view import texts_of

CHOICES: Sequence[Choice] = ("yes", "maybe")
"""The groups of a list's rows, in their order."""


def rows(answer: Answer) -> list[Decision]:
    """The decisions of a list in the order of its rows."""
    return [decision for choice in CHOICES for decision in answer.papers if decision.choice == choice]


def unfolder(turn: int, place: int, said: AnswerTexts) -> str:
    """A button that unfolds the abstract of the paper in row `place` of the list, and room for it. Pure."""
    room = _room(turn, place)
    return (
        f'<p><button type="button" class="act unfold" data-event="expand" data-turn="{turn}"'
        f' data-row="{place}" aria-expanded="false" aria-controls="{room}"'
        f' aria-describedby="found-{turn}-{place}">{escape(said.abstract)}</button></p>'
        f'<div id="{room}" class="unfolded"></div>'
    )


def unfold(told: gr.EventData, chat: Chat, request: gr.Request) -> str:
    """The abstract with the quote that decided marked in it, on its way to its place."""
    data, texts = told_by(told), texts_of(request)
    turn, row = answered(data, chat), number_in(data, "row")
    answer = chat.entries[turn].answer if turn is not None else None
    listed = rows(answer) if answer else []
    if turn is None or row is None or row >= len(listed):
        return ""
    decision = listed[row]
    return placed(abstract(decision.paper, decision.quote, texts), _room(turn, row))


def _room(turn: int, place: int) -> str:
    return f"abstract-{turn}-{place}"
