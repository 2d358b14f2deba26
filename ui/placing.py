"""HTML that goes to one place of the page without drawing the rest anew, by `handOver` of answers.js."""

import json

from ui.chat import Chat
from ui.controls import Told, number_in


def placed(html: str, into: str) -> str:
    """The parcel that fills the element with the id `into`."""
    return json.dumps({"into": into, "html": html})


def answered(told: Told, chat: Chat) -> int | None:
    """The turn that a control tells of, None where it has no answer."""
    turn = number_in(told, "turn")
    return turn if turn is not None and turn < len(chat.entries) and chat.entries[turn].answer else None
