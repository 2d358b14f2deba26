"""What happens when a reader has a model read the papers of the last list: progress, then the list anew."""

from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

from rag.records import Answer, ReadSoFar
from ui.chat import Chat
from ui.failures import told
from ui.texts import Texts

if TYPE_CHECKING:
    from rag.engine import AnswerEngine


def readable(chat: Chat, turn: int | None) -> bool:
    """Whether this turn is the last one and offers a list to be read."""
    return bool(chat.entries) and turn == len(chat.entries) - 1 and chat.entries[-1].plan is not None


def reading(engine: "AnswerEngine", chat: Chat, texts: Texts, stop: Event) -> Iterator[tuple[Chat, str]]:
    """The chat while the papers of its last list are read, then with the list anew; and what went wrong.

    Setting `stop` sends no further batch: the list is then made of what was read. Never raises: where the
    engine fails, the last chat is the one there was, with a message.
    """
    entry, before = chat.entries[-1], Chat(chat.entries[:-1]).conversation
    if entry.answer is None or entry.plan is None:
        return
    plan = entry.plan
    model = next((model for model in engine.chat_models if model.name == plan.model), None)
    engine = engine.using(model) if model else engine
    yield chat.with_last(replace(entry, state="writing", read=ReadSoFar(0, plan.papers))), ""
    try:
        for event in engine.screen(entry.answer, plan, before, within=entry.within, stop=stop.is_set):
            if isinstance(event, Answer):
                # A list that nothing could be read of can be tried again.
                again = plan if event.receipt.mode != "screened" else None
                yield chat.with_last(replace(entry, answer=event, plan=again)), ""
            else:
                yield chat.with_last(replace(entry, state="writing", read=event)), ""
    except Exception as error:
        yield chat, told(error, texts.failed_inside)
