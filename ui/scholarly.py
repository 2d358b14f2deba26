r"""How titles, abstracts and quotes read: TeX and light Markdown as atoms.

Authors paste what the submission form takes: `2.0$\times$`, `\textbf{Ours}`, `Mat\'ern`, `*not*`, `&amp;`.
The text stays data: its links and images are shown as characters, and every character is escaped.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from html.entities import html5

from ui.atoms import Atom, as_markup, as_plain, literal
from ui.mathml import mathml, symbols

_DEEPEST = 6  # styles nested deeper are shown as characters

_ELEMENTS = {
    **dict.fromkeys(("textbf", "mathbf", "bf", "bfseries"), ("strong",)),
    **dict.fromkeys(("emph", "textit", "mathit", "textsl", "underline", "em", "it", "itshape"), ("em",)),
    **dict.fromkeys(("texttt", "mathtt", "tt", "ttfamily"), ("code",)),
}
_DELIMITED = {"both": ("strong", "em"), "strong": ("strong",), "em": ("em",)}
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a",
}  # fmt: skip
_CHARACTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "ı", "ldots": "…", "dots": "…", "textasciitilde": "~", "quad": " ",
}  # fmt: skip

_STYLE_COMMAND = r"\\ (?P<{}> text[a-z]* | emph | mbox | underline | math(?:bf|it|tt|rm) ) \s* \{{"
_TOKEN = re.compile(
    rf"""
      (?P<url>     https?:// [^\s{{}}<>"'\[\]\\]+ )
    | (?P<math>    \$\$ (?P<display> [^$]+ ) \$\$
                 | (?<!\\) \$
                   (?P<inline> (?![\s$]) (?! [\d.,]+ [KMB]? [ ] [A-Za-z] )       # "$5 and $6" is money
                               (?: \\. | [^$\\] )+ (?<=\S) (?= \$ (?!\d) )
                             | (?![\s\d$]) [^$\\\d]+ (?<=\S) (?= \$ )
                             | [ ] [^$]{{0,200}} [\\^_=] [^$]{{0,200}} (?= \$ ) )
                   \$
                 | \\\( (?P<round> .{{1,2000}}? ) \\\)
                 | \\\[ (?P<square> .{{1,2000}}? ) \\\] )
    | (?P<link>    \\href \s* \{{ (?P<target> [^{{}}]* ) \}} \s* \{{ (?P<label> [^{{}}]* ) \}}
                 | \\url \s* \{{ (?P<bare> [^{{}}]* ) \}} )
    | (?P<command> {_STYLE_COMMAND.format("style")} )
    | (?P<group>   \{{ \\ (?P<switch> bf(?:series)? | it(?:shape)? | em | tt(?:family)?
                     | sc(?:shape)? | sf(?:family)? | rm )
                   (?![A-Za-z]) \s* )
    | (?P<accent>  \{{? \\
                   (?: (?P<sign> ['`"^~=.] ) (?: \{{ \\? (?P<held> [A-Za-z] ) \}} | (?P<next> [A-Za-z] ) )
                     | (?P<named> [cvuHkr] ) \{{ (?P<under> [A-Za-z] ) \}} )
                   \}}? )
    | (?P<escaped> \\{{1,2}} (?P<escapee> [%&_\#${{}}] ) )
    | (?P<space>   \\\\ | \\[ ,;] )
    | (?P<name>    \\ (?P<word> [A-Za-z]+ ) (?: \{{\}} )? )
    | (?P<entity>  & (?: \#\d{{1,7}} | \#x[0-9a-fA-F]{{1,6}} | [A-Za-z]{{2,31}} ) ; )
    | (?P<opening> `` (?!`) )
    | (?P<closing> '' )
    | (?P<code>    (?<!`) ` (?P<literal> [^`\n]+ ) ` (?!`) )
    | (?P<both>    \*\*\* (?=[^\s*]) (?P<bold3> .{{1,2000}}? ) (?<=[^\s*]) \*\*\* (?!\*) )
    | (?P<strong>  \*\* (?=[^\s*]) (?P<bold> .{{1,2000}}? ) (?<=[^\s*]) \*\* (?!\*)
                 | (?<!\w) __ (?=[^\s_]) (?P<bold2> .{{1,2000}}? ) (?<=[^\s_]) __ (?!\w) )
    | (?P<em>      (?<![\w*\\]) \* (?=[^\s*)\].,;:]) (?P<star> [^*]{{1,2000}}? ) (?<=[^\s*(\[]) \* (?![\w*])
                 | (?<![\w\\]) _ (?=[^\s_)\].,;:]) (?P<bar> [^_]{{1,2000}}? ) (?<=[^\s_(\[]) _ (?!\w) )
    | (?P<dash>    (?<=\w) --- (?=\w) | (?<=\s) --- (?=\s) | (?<=\w) -- (?=\w) )
    | (?P<tie>     (?<=[\w.,;:)]) ~ (?=[\\\w$(\[]) )
    """,
    re.VERBOSE | re.DOTALL,
)
# Where none of these stands no token begins: most names, titles and sentences are told by it at once.
_BEGINNING = re.compile(r"http|[\\$&`*_~]|''|--")
# "$\texttt{LIRS}$" is a name in type, not a formula.
_ONLY_STYLED = re.compile(_STYLE_COMMAND.format("style") + r".*\}", re.VERBOSE | re.DOTALL)

_CHINESE = re.compile("[\u3400-\u9fff]")

_Styles = tuple[str, ...]


def atoms(text: str) -> list[Atom]:
    """The whole text, in order and without gaps."""
    if text and not _BEGINNING.search(text):
        return [literal(text, 0)]
    return list(_read(text, 0, len(text), ()))


def markup(text: str) -> str:
    """Safe inline HTML of a title, a quote or a sentence."""
    return as_markup(atoms(text))


def plain(text: str) -> str:
    """The text as it reads, for tooltips and labels."""
    return as_plain(atoms(text))


def language(text: str) -> str:
    """`zh` for text with Chinese characters, else `en`: which font draws its quotation marks."""
    return "zh" if _CHINESE.search(text) else "en"


def _read(text: str, start: int, end: int, styles: _Styles) -> Iterator[Atom]:
    position = start
    while match := _TOKEN.search(text, position, end):
        if match.start() > position:
            yield literal(text[position : match.start()], position, styles)
        found = list(_token(text, match, end, styles))
        yield from found
        position = found[-1].end
    if position < end:
        yield literal(text[position:end], position, styles)


def _token(text: str, match: re.Match[str], limit: int, styles: _Styles) -> Iterator[Atom]:
    """The atoms of one token; reading goes on where the last of them ends."""
    kind = match.lastgroup or ""
    if kind == "math":
        yield from _formula(text, match, styles)
    elif kind in {"command", "group"}:
        closing = _closing_brace(text, match.end(), limit)
        name = match["style"] or match["switch"]
        if closing < 0 or len(styles) >= _DEEPEST:
            yield literal(match.group(), match.start(), styles)
        else:
            within = (*styles, *_ELEMENTS.get(name, ()))
            yield from _within(text, match.start(), match.end(), closing, closing + 1, within)
    elif kind in _DELIMITED:
        inner = match.span(next(name for name in ("bold3", "bold", "bold2", "star", "bar") if match[name]))
        if len(styles) >= _DEEPEST:
            yield literal(match.group(), match.start(), styles)
        else:
            yield from _within(text, match.start(), *inner, match.end(), (*styles, *_DELIMITED[kind]))
    elif kind == "code":
        yield from _fixed(match, match["literal"], (*styles, "code"))
    else:
        shown = _SHOWN[kind](match)
        if shown is None:
            yield literal(match.group(), match.start(), styles)
        else:
            yield from _fixed(match, shown, styles)


def _fixed(match: re.Match[str], shown: str, styles: _Styles) -> Iterator[Atom]:
    yield Atom(match.start(), match.end(), html.escape(shown), shown, styles)


def _within(text: str, start: int, inner: int, inner_end: int, end: int, styles: _Styles) -> Iterator[Atom]:
    """What stands between two delimiters, which are themselves not shown."""
    yield Atom(start, inner, "", "")
    yield from _read(text, inner, inner_end, styles)
    yield Atom(inner_end, end, "", "")


def _closing_brace(text: str, start: int, limit: int) -> int:
    depth = 1
    for brace in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, start, limit):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if depth == 0:
            return brace.start()
    return -1


def _formula(text: str, match: re.Match[str], styles: _Styles) -> Iterator[Atom]:
    name = next(n for n in ("display", "inline", "round", "square") if match[n] is not None)
    start, end = match.span(name)
    tex = match[name].strip()
    if _ONLY_STYLED.fullmatch(tex) and len(styles) < _DEEPEST:
        yield from _within(text, match.start(), start, end, match.end(), styles)
        return
    characters = symbols(tex)
    if characters and not any(c.isalpha() for c in characters):
        yield from _fixed(match, characters, styles)
        return
    laid_out = mathml(tex, display=name in {"display", "square"})
    yield Atom(
        match.start(), match.end(), laid_out or f"<code>{html.escape(tex)}</code>", characters or tex, styles
    )


def _link_text(match: re.Match[str]) -> str:
    if match["bare"] is not None:
        return match["bare"].strip()
    return f"{match['label'].strip()} ({match['target'].strip()})"


def _accented(match: re.Match[str]) -> str | None:
    letter = match["held"] or match["next"] or match["under"]
    braced = match["next"] is None or match.group().startswith("{")
    before = match.string[match.start() - 1 : match.start()]
    if not braced and not before.isalpha():
        return None  # \"quoted\" words keep their backslash; Mat\'ern is an accent
    composed = unicodedata.normalize("NFC", letter + _ACCENTS[match["sign"] or match["named"]])
    return composed if len(composed) == 1 else None


def _named_character(match: re.Match[str]) -> str | None:
    return _CHARACTERS.get(match["word"]) or symbols("\\" + match["word"])


def _entity(match: re.Match[str]) -> str | None:
    name = match.group()[1:]
    character = html.unescape(match.group()) if name.startswith("#") else html5.get(name)
    return character if character and character.isprintable() else None


_SHOWN: dict[str, Callable[[re.Match[str]], str | None]] = {
    "url": lambda match: None,
    "link": _link_text,
    "accent": _accented,
    "escaped": lambda match: match["escapee"],
    "space": lambda match: " ",
    "name": _named_character,
    "entity": _entity,
    "opening": lambda match: "“",
    "closing": lambda match: "”",
    "dash": lambda match: "—" if len(match.group()) == 3 else "–",
    "tie": lambda match: "\u00a0",
}
