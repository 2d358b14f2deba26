"""The gate through which a model's text reaches the user.

A model may write `[3]`, `[1, 4]`, `[2-4]`, `【1】`, `[Abstract 2]` or `[^2]`. Past the gate there is one form
only, `[1][4]`, and only with numbers of papers that were shown. Formulas, brackets with a zero ("[0, 1]") and
pairs after words like "range" are mathematics and pass as they are.
"""

import re
from collections.abc import Collection

from rag.patterns import lazy_pattern

# Text waits behind an opening bracket or dollar sign for at most this many characters, then passes as it is.
_LONGEST_BRACKET = 300
_LONGEST_TARGET = 2_000
_CONTEXT = 40

_NUMBER = r"[\#^]?\d{1,9}"
_LABEL = r"(?: (?: abstract|paper|source|reference|ref|document|doc|摘要|论文|文献 ) s?\.?[ \t]* )?"
_NUMBERS = rf"{_NUMBER} (?: [ \t]* (?: [,;，；、–—-] | and | & | 和 ) [ \t]* {_LABEL} {_NUMBER} )*"
_MARK = lazy_pattern(
    rf"""
      \\? \[ [ \t]* {_LABEL} (?P<square> {_NUMBERS} ) [ \t]* \\? \]
    | [【［] [ \t]* {_LABEL} (?P<lens> {_NUMBERS} ) (?: † [^】］\n]{{0,80}} )? [ \t]* [】］]
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Inside a formula, a bracket that nothing carries as its index is a mark.
_STANDS_ALONE = lazy_pattern(r"(?<!\S)\[[ \t]*(\d{1,9})[ \t]*\]")
_RANGE = lazy_pattern(r"(\d+)[ \t]*[–—-][ \t]*[#^]?(\d+)")
_INTERVAL = lazy_pattern(r"\[\s*\d+\s*,\s*\d+\s*\]")
_BEFORE_INTERVAL = lazy_pattern(
    r"(?: \b(?:range|interval)s? (?:[ ](?:of|from|in))? | ∈ | \\in | 区间 | 范围 ) [\s:]* $",
    re.IGNORECASE | re.VERBOSE,
)
_LINK_TARGET = lazy_pattern(
    r"""
    \( [ \t]* <? (?P<url> (?: [^\s()<>] | \([^\s()]*\) )* ) >?
    (?: [ \t]+ (?: "[^"\n]*" | '[^'\n]*' ) )? [ \t]* \)
    """,
    re.VERBOSE,
)
_URL = lazy_pattern(rf"(?:https?://|www\.)[^\s<>\"'`，。；！？）】」]{{0,{_LONGEST_TARGET}}}", re.IGNORECASE)
_URL_START = lazy_pattern(r"https?://|www\.", re.IGNORECASE)

_TRIGGER = lazy_pattern(
    r"""
      (?P<space> [ \t]* ) (?: (?P<bracket> !?\\?\[ | 【 | ［ ) | (?P<formula> (?<!\\)\$\$? | \\\( ) )
    | (?<![^\W_]) (?P<url> https?:// | www\. )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# The end of a piece that may turn out to be the beginning of one of these.
_UNDECIDED = lazy_pattern(
    r"(?: [ \t]+!?\\? | !\\? | \\ | (?<![^\W_]) (?: h|ht|htt|https?|https?:|https?:/ | w|ww|www ) ) $",
    re.VERBOSE | re.IGNORECASE,
)
# Characters without width could hide a mark, or an instruction, from whoever reads the screen.
_INVISIBLE = lazy_pattern("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
_LENSES = {"【": "】", "［": "］"}
_CLOSES_QUIETLY = frozenset(("", *' \t\n.,;!?。，；！？、)）”"'))


def through(text: str, numbers: Collection[int], urls: Collection[str] = ()) -> str:
    """A whole text as the gate would show it."""
    gate = Gate(numbers, urls)
    return gate.feed(text) + gate.close()


class _MoreNeeded(Exception):
    """What stands at the cursor depends on text that has not come yet."""


class Gate:
    """Lets a streamed text through, without marks of papers that were not shown and without foreign links.

    Text is held back from an opening bracket until it is known what it is, so that what comes out does not
    depend on how the text was cut into pieces. Links and images become their text unless they lead to one of
    `urls`; other addresses lose their scheme, so that no renderer turns them into links.
    """

    def __init__(self, numbers: Collection[int], urls: Collection[str] = ()) -> None:
        self._numbers = frozenset(numbers)
        self._urls = frozenset(urls)
        self._text = ""  # a little of what was decided, then what is still held back
        self._at = 0  # where the held text begins
        self._last = ""  # the last character shown
        self._open = False  # what was shown ends inside a bracket that is no mark

    def feed(self, piece: str) -> str:
        """The text that can be shown after this piece; may be empty."""
        self._text += _INVISIBLE.sub("", piece)
        return self._advance(final=False)

    def close(self) -> str:
        """What was still held back, the stream having ended."""
        return self._advance(final=True)

    def _advance(self, *, final: bool) -> str:
        shown: list[str] = []
        try:
            while trigger := _TRIGGER.search(self._text, self._at):
                shown.append(self._show(self._text[self._at : trigger.start()], trigger.start()))
                shown.append(self._decide(trigger, final=final))
            undecided = None if final else _UNDECIDED.search(self._text, self._at)
            end = undecided.start() if undecided else len(self._text)
            shown.append(self._show(self._text[self._at : end], end))
        except _MoreNeeded:
            pass
        cut = max(0, self._at - _CONTEXT)
        self._text, self._at = self._text[cut:], self._at - cut
        return "".join(shown)

    def _show(self, shown: str, end: int, *, formula: bool = False) -> str:
        """Show this for the text up to `end`."""
        self._at = end
        if shown:
            self._last = shown[-1]
        for bracket in () if formula else re.findall(r"[\[\]\n【】［］]", shown):
            self._open = bracket in "[【［"
        return shown

    def _decide(self, trigger: re.Match[str], *, final: bool) -> str:
        """What is shown for the thing that begins at `trigger`. Raises _MoreNeeded while that is open."""
        if trigger["url"]:
            return self._address(trigger.start(), final=final)
        if trigger["formula"]:
            return self._formula(trigger["formula"], trigger.start("formula"), trigger["space"], final=final)
        start = trigger.start("bracket")
        bang = "!" if trigger["bracket"].startswith("!") else ""
        if mark := _MARK.match(self._text, start + len(bang), start + _LONGEST_BRACKET):
            return self._mark(mark, trigger["space"] + bang, final=final)
        if trigger["bracket"] in _LENSES:
            self._closing(_LENSES[trigger["bracket"]], trigger.end(), final=final)
            return self._show(trigger.group(), trigger.end())
        if trigger["bracket"] == r"\[":
            return self._formula(r"\[", start, trigger["space"], final=final)
        return self._link(trigger, final=final)

    def _closing(self, closer: str, start: int, *, final: bool) -> int:
        """Where `closer` stands on this line within the longest bracket from `start`, else -1."""
        limit = start + _LONGEST_BRACKET
        line_end = self._text.find("\n", start, limit)
        found = self._text.find(closer, start, line_end if line_end >= 0 else limit)
        if found < 0 and line_end < 0 and not final and len(self._text) < limit:
            raise _MoreNeeded
        return found

    def _address(self, start: int, *, final: bool) -> str:
        found = _URL.match(self._text, start)
        url = found.group() if found else ""
        if not final and start + len(url) == len(self._text) and len(url) < _LONGEST_TARGET:
            raise _MoreNeeded
        end = start + len(url)
        if url.rstrip(".,;:!?)") not in self._urls:
            while (bare := _URL_START.sub("", url)) != url:
                url = bare
        return self._show(url, end)

    def _formula(self, opener: str, start: int, space: str, *, final: bool) -> str:
        inside = start + len(opener)
        if opener == "$" and inside >= len(self._text) and not final:
            raise _MoreNeeded
        closer = {r"\(": r"\)", r"\[": r"\]"}.get(opener, opener)
        closing = self._closing(closer, inside, final=final)
        end = closing + len(closer)
        if closing >= 0 and end >= len(self._text) and not final:
            raise _MoreNeeded  # "$5 and $6" is money: what follows the second sign decides
        inner = self._text[inside:closing] if closing >= 0 else ""
        money = opener == "$" and (
            inner[-1:].isspace() or inner[-1:] == "\\" or self._text[end : end + 1].isdigit()
        )
        if not inner or (inner[0].isspace() and opener == "$") or money or _URL_START.search(inner):
            return self._show(space + opener, inside)
        if mark := _MARK.fullmatch(inner.strip()):
            return self._cite(mark, space, end, final=final)
        if any(int(number) not in self._numbers for number in _STANDS_ALONE.findall(inner)):
            return self._show(space + opener, inside)
        return self._show(space + self._text[start:end], end, formula=True)

    def _mark(self, mark: re.Match[str], space: str, *, final: bool) -> str:
        target = self._target(mark.end(), final=final)
        return self._cite(mark, space, target.end() if target else mark.end(), final=final)

    def _cite(self, mark: re.Match[str], space: str, end: int, *, final: bool) -> str:
        """Show the mark, or what is left of it, for the text up to `end`."""
        named = _named(mark["square"] or mark["lens"])
        before = self._text[max(0, self._at - _CONTEXT) : self._at]
        if _INTERVAL.fullmatch(mark.group()) and (0 in named or _BEFORE_INTERVAL.search(before)):
            return self._show(space + mark.group(), end)
        if kept := [number for number in named if number in self._numbers]:
            return self._show(space + "".join(f"[{number}]" for number in kept), end)
        return self._drop(space, "", end, final=final)

    def _drop(self, space: str, instead: str, end: int, *, final: bool) -> str:
        """Show `instead` for what is dropped, so that the text around it does not grow together to a mark."""
        if self._open:
            return self._show(f"{space}…{instead}", end)
        if instead:
            return self._show(space + instead, end)
        if end >= len(self._text) and not final:
            raise _MoreNeeded
        quiet = self._text[end : end + 1] in _CLOSES_QUIETLY or not self._last or self._last.isspace()
        return self._show(space.strip() if quiet else space or " ", end)

    def _link(self, trigger: re.Match[str], *, final: bool) -> str:
        space, opening = trigger["space"], trigger.end()
        closing = self._balanced(opening, final=final)
        target = self._target(closing + 1, final=final) if closing >= 0 else None
        if target is None:
            return self._show(trigger.group(), opening)
        if trigger["bracket"] == "[" and target["url"] in self._urls:
            return self._show(space + self._text[opening - 1 : target.end()], target.end())
        label = through(self._text[opening:closing], self._numbers, self._urls)
        return self._drop(space, label, target.end(), final=final)

    def _target(self, start: int, *, final: bool) -> re.Match[str] | None:
        """The Markdown link target that begins at `start`, if one does."""
        if start >= len(self._text) and not final:
            raise _MoreNeeded
        if self._text[start : start + 1] != "(":
            return None
        limit = start + _LONGEST_TARGET
        line_end = self._text.find("\n", start, limit)
        found = _LINK_TARGET.match(self._text, start, line_end if line_end >= 0 else limit)
        if found is None and line_end < 0 and not final and len(self._text) < limit:
            raise _MoreNeeded
        return found

    def _balanced(self, start: int, *, final: bool) -> int:
        """Where the bracket opened just before `start` closes on this line, else -1."""
        depth = 1
        for at in range(start, min(len(self._text), start + _LONGEST_BRACKET)):
            character = self._text[at]
            if character == "\n":
                return -1
            depth += (character == "[") - (character == "]")
            if depth == 0:
                return at
        if not final and len(self._text) < start + _LONGEST_BRACKET:
            raise _MoreNeeded
        return -1


def _named(written: str) -> list[int]:
    """The numbers of a mark, each once; a range stands for all it spans."""
    spread = _RANGE.sub(
        lambda m: ",".join(map(str, range(int(m[1]), min(int(m[2]), int(m[1]) + 50) + 1))), written
    )
    return list(dict.fromkeys(int(number) for number in re.findall(r"\d+", spread)))
