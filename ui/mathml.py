"""TeX formulas as MathML, which browsers lay out by themselves: no script, no font file, no network."""

import html
from functools import lru_cache
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

MAX_TEX = 400
"""Longest formula, in characters, that is laid out; a longer one is shown as it was written."""

# latex2mathml copies \href, \style, \class and \color into attributes and does not escape text, so its tree
# is written anew from these lists.
_ELEMENTS = {
    "mfrac", "mi", "mn", "mo", "mover", "mpadded", "mphantom", "mroot", "mrow", "mspace", "msqrt", "mstyle",
    "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover",
}  # fmt: skip
_ATTRIBUTES = {
    "accent": ("true", "false"),
    "displaystyle": ("true", "false"),
    "fence": ("true", "false"),
    "form": ("prefix", "infix", "postfix"),
    "mathvariant": (
        "normal",
        "bold",
        "italic",
        "bold-italic",
        "script",
        "fraktur",
        "sans-serif",
        "monospace",
    ),
    "movablelimits": ("true", "false"),
    "stretchy": ("true", "false"),
}


@lru_cache(maxsize=4096)
def mathml(tex: str, *, display: bool = False) -> str | None:
    """`<math>` for a formula without its dollar signs; None where it cannot be laid out."""
    if len(tex) > MAX_TEX:
        return None
    try:
        tree = convert_to_element(tex)
    except Exception:  # the converter raises whatever its parser trips over (IndexError, RecursionError, ...)
        return None
    body = "".join(_serialise(child) for child in tree)
    return f'<math display="{"block" if display else "inline"}">{body}</math>' if body else None


@lru_cache(maxsize=4096)
def symbols(tex: str) -> str | None:
    """The formula as plain characters (`2.0\\times` is "2.0×"); None where its layout carries meaning."""
    if len(tex) > MAX_TEX:
        return None
    try:
        nodes = list(convert_to_element(tex).iter())
    except Exception:
        return None
    if any(node.tag not in {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace"} for node in nodes):
        return None
    words = [html.unescape(node.text or "") for node in nodes]
    text = "".join(f" {word} " if len(word) > 1 and word.isalpha() else word for word in words)
    text = " ".join(text.split())
    return None if "\\" in text or not text else text


def _serialise(node: Element) -> str:
    inner = html.escape(html.unescape(node.text or ""), quote=False) + "".join(map(_serialise, node))
    if node.tag not in _ELEMENTS:
        return inner
    attributes = "".join(
        f' {name}="{value}"' for name, value in node.attrib.items() if value in _ATTRIBUTES.get(name, ())
    )
    return f"<{node.tag}{attributes}>{inner}</{node.tag}>"
