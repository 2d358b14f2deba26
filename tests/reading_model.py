"""A scripted model that reads the papers of a list, for tests of screening."""

import json
import re
from collections.abc import Callable

from scripted_endpoint import Request

Word = tuple[str, str]
"""A decision and a quote."""

_SHOWN = re.compile(r'<abstract number="(\d+)">\nTitle: (.*?)\nText: (.*?)\n</abstract>', re.DOTALL)


def shown(request: Request) -> list[tuple[int, str, str]]:
    """Number, title and text of each abstract of a request's last message."""
    last = str(request.body["messages"][-1]["content"])
    return [(int(number), title, text) for number, title, text in _SHOWN.findall(last)]


def is_screening(request: Request) -> bool:
    return "Criterion:" in request.prompt


def reading(decide: Callable[[str, str], Word]) -> Callable[[Request], str]:
    """A reply to screening requests: `decide` has the word on a title and a text."""

    def reply(request: Request) -> str:
        entries = []
        for number, title, text in shown(request):
            choice, quote = decide(title, text)
            entries.append({"number": number, "quote": quote, "decision": choice})
        return json.dumps({"papers": entries}, ensure_ascii=False)

    return reply
