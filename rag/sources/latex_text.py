"""LaTeX of a bibliography as plain text. Formulas stay as they are written; what is unknown is kept."""

import re
import unicodedata
from functools import lru_cache

from pylatexenc.latex2text import LatexNodes2Text

from rag.patterns import lazy_pattern

_FORMULA = lazy_pattern(r"(?<!\\)\$(?=[^\s$])[^$]{0,299}(?<=[^\s\\])\$(?!\d)")
_HELD = lazy_pattern("\ue000(\\d+)\ue001")
_ARGUMENT = r"(?:\{(?P<braced>[^{}]*)\}|(?P<bare>\\[ij](?![A-Za-z])|[^\W_]))"
_ACCENT = lazy_pattern(rf"\\(?:(?P<sign>[\"'`^~=.])\s*|(?P<letter>[uvHtcdbrk])(?:\s+|(?=\{{))){_ARGUMENT}")
_LINK = lazy_pattern(r"\\href\s*\{[^{}]*\}\s*\{(?P<text>[^{}]*)\}|\\url\s*\{(?P<url>[^{}]*)\}")
_FORMAT = lazy_pattern(
    r"\\(?:emph|text(?:bf|it|tt|sc|sf|rm|up|sl|normal)|mbox|bf|it|tt|sc|em|rm|sf|enquote)(?![A-Za-z])\s*"
)
_COMMAND = lazy_pattern(r"\\(?:[A-Za-z]+(?:\{\}|\s+)?|[^A-Za-z])")
_SIGNS = {
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textquotedbl": '"',
    "textunderscore": "_",
}
_COMBINING = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331", "t": "\u0361",
}  # fmt: skip
# Signs that a command stands for and that plain LaTeX would mean something by: held until all is read.
_KEPT = str.maketrans({sign: chr(0xE010 + i) for i, sign in enumerate("\\{}~`'-")})
_RELEASED = {ord(kept): chr(sign) for sign, kept in _KEPT.items()}
_PRIVATE = lazy_pattern("[\ue000-\ue0ff]")


def plain_text(latex: str) -> str:
    """The text that LaTeX would print, without its fonts."""
    if not re.search(r"[\\{}~]|--|``|''", latex):
        return latex
    text = _PRIVATE.sub("", latex)
    formulas: list[str] = []

    def hold(found: re.Match[str]) -> str:
        formulas.append(found.group())
        return f"\ue000{len(formulas) - 1}\ue001"

    text = _FORMULA.sub(hold, text)
    text = _LINK.sub(lambda found: found["text"] or found["url"] or "", text)
    text = _ACCENT.sub(_accented, _FORMAT.sub("", text))
    text = _COMMAND.sub(lambda found: _sign(found.group()), text)
    text = re.sub(r"[{}]", "", text).replace("~", " ")
    for typed, sign in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”")):
        text = text.replace(typed, sign)
    return _HELD.sub(lambda found: formulas[int(found[1])], text.translate(_RELEASED))


def _accented(found: re.Match[str]) -> str:
    letter = (found["braced"] if found["braced"] is not None else found["bare"] or found.group()[-1]).strip()
    letter = {"\\i": "i", "\\j": "j"}.get(letter, letter)
    if not letter:  # \~{} is how a tilde is written
        return (found["sign"] or "").translate(_KEPT)
    mark = _COMBINING[found["sign"] or found["letter"]]
    return unicodedata.normalize("NFC", letter[0] + mark + letter[1:])


@lru_cache(maxsize=4096)
def _sign(command: str) -> str:
    """What a command prints, as itself where that is not known."""
    name = command[1:].rstrip().removesuffix("{}")
    if name in _SIGNS:
        return _SIGNS[name].translate(_KEPT)
    if len(name) < 2 and not name.isalpha():
        return {"": " ", ",": " ", ";": " ", ":": " ", "\\": " ", "-": "", "/": "", "@": ""}.get(
            name, name
        ).translate(_KEPT)
    try:
        printed = _COMMANDS.latex_to_text(f"\\{name}").strip()
    except Exception:  # the table of commands calls code of many kinds, each with an error of its own
        printed = ""
    return (printed if len(printed) == 1 else command).translate(_KEPT)


_COMMANDS = LatexNodes2Text(math_mode="text")
