"""The Markdown of an answer as safe HTML, with its citation marks made by the caller.

Blocks (paragraphs, lists, tables, code) are read by markdown-it; what stands inside them reads like a title
or an abstract. Links, images and raw HTML have no meaning here, so no answer can forge one.
"""

import html
import re
from collections.abc import Callable, Collection, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag.grounding.marks import Mark, marks
from rag.sentences import split
from ui.scholarly import markup

Cite = Callable[[int, int], str]
"""Citation number and 0-based sentence → the HTML of the mark."""

_BLOCKS = (
    MarkdownIt("commonmark")
    .enable("table")
    .disable(["inline", "text_join", "html_block", "reference", "lheading", "code"])
)
_ELEMENTS = {
    "paragraph": "p",
    "heading": "h3",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "blockquote": "blockquote",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
}
# A mark travels through the Markdown reader as its place in the list of marks between two private characters.
_OPEN, _CLOSE = "\ue000", "\ue001"
_PRIVATE = re.compile(f"[{_OPEN}{_CLOSE}]")
_HELD = re.compile(f"{_OPEN}(\\d+){_CLOSE}")


def prose(text: str, cite: Cite, *, lists: bool = True, omitted: Collection[str] = ()) -> str:
    """The blocks of an answer's Markdown `text`, on demand without its bullet lists.

    Paragraphs that are one of `omitted` are left out; sentences keep their numbers.
    """
    text = _PRIVATE.sub("", text)
    found = marks(text)
    sentences = split(text)
    tokens = _BLOCKS.parse(_hold(text, found))
    blocks = "".join(map(_block, _without(tokens, lists=lists, paragraphs=omitted)))

    def shown(held: re.Match[str]) -> str:
        mark = found[int(held[1])]
        index = next((i for i, span in enumerate(sentences) if mark.start < span.end), len(sentences) - 1)
        return cite(mark.number, index)

    return _HELD.sub(shown, blocks)


def _hold(text: str, found: Sequence[Mark]) -> str:
    pieces, position = [], 0
    for index, mark in enumerate(found):
        pieces += [text[position : mark.start], f"{_OPEN}{index}{_CLOSE}"]
        position = mark.end
    return "".join(pieces) + text[position:]


def _without(tokens: Sequence[Token], *, lists: bool, paragraphs: Collection[str]) -> Iterator[Token]:
    depth = 0
    for i, token in enumerate(tokens):
        opens, closes = token.type == "bullet_list_open", token.type == "bullet_list_close"
        depth += 0 if lists else opens - closes
        # A paragraph is its opening, its text and its closing.
        spoken = [near.content for near in tokens[max(i - 1, 0) : i + 2] if near.type == "inline"]
        if not depth and (lists or not closes) and not (spoken and spoken[0] in paragraphs):
            yield token


def _block(token: Token) -> str:
    if token.type == "inline":
        return markup(token.content)
    if token.type == "hr":
        return "<hr>"
    if token.type == "fence":
        return f"<pre><code>{html.escape(token.content)}</code></pre>"
    name, _, side = token.type.rpartition("_")
    element = _ELEMENTS[name]
    if token.hidden:
        return ""
    if side == "close":
        return f"</{element}>"
    start = token.attrs.get("start")
    return f'<{element} start="{int(start)}">' if element == "ol" and start else f"<{element}>"
