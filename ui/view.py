"""What the page's address says: the language, the filters, and what the papers tab shows. All of it is data.

The address is the one place where a view is kept, so that it can be shared, and is read anew at every event.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import gradio as gr

from rag.question.filters import Filters
from ui.texts import Texts, texts_for

FIELDS = {"venue": "venues", "year": "years", "track": "tracks", "author": "authors", "keyword": "keywords"}
"""Name in the address → field of `Filters`, in the order of their chips."""

TELLS = """
for (const [heard, told] of [["view", "input"], ["language", "submit"]]) {
  document.addEventListener(heard, () => trigger(told));
}"""
"""The script of a component that passes the events of view.js on: `input` for the view, else `submit`."""

_MOST = 20  # values of one field that are read
_LONGEST = 200  # characters of a value that are read
_LAST_PAGE = 1_000_000
_EVERY = Filters()


@dataclass(frozen=True, slots=True)
class View:
    """What is shown: only papers that meet `filters`, those found by `text` or like the paper `similar`.

    `page` counts from 1; in the address it is `sheet`, since Gradio keeps `page` for itself. `ignored` are
    pairs of field and value that mean nothing ("year", "soon").
    """

    filters: Filters = _EVERY
    text: str = ""
    similar: str = ""
    page: int = 1
    ignored: tuple[tuple[str, str], ...] = ()


def read_view(pairs: Iterable[tuple[str, str]]) -> View:
    """The view that the names and values of a query string describe; whatever they hold, never an error."""
    named: dict[str, dict[str, None]] = {name: {} for name in (*FIELDS, "q", "similar", "sheet")}
    ignored: list[tuple[str, str]] = []
    for name, value in pairs:
        value = " ".join(value.split())
        if name not in named or not value:
            continue
        readable = len(value) <= _LONGEST and (name != "year" or _is_year(value))
        if readable and len(named[name]) < _MOST:
            named[name][value.casefold() if name == "track" else value] = None
        elif name in FIELDS:
            ignored.append((name, value[:_LONGEST]))
    filters = Filters(
        venues=tuple(named["venue"]),
        years=tuple(map(int, named["year"])),
        tracks=tuple(named["track"]),
        authors=tuple(named["author"]),
        keywords=tuple(named["keyword"]),
    )
    text, similar, page = (next(iter(named[name]), "") for name in ("q", "similar", "sheet"))
    number = int(page) if page.isascii() and page.isdecimal() else 1
    return View(filters, text, similar, min(max(number, 1), _LAST_PAGE), tuple(ignored[:_MOST]))


def view_of(request: gr.Request) -> View:
    """The view of the page that sent a request."""
    return read_view(request.query_params.multi_items())


def texts_of(request: gr.Request) -> Texts:
    """The language chosen on the page, else the one its browser prefers."""
    chosen = request.query_params.get("lang")
    return texts_for(chosen if chosen in ("en", "zh") else request.headers.get("accept-language"))


def _is_year(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) <= 4
