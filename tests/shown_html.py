"""What a browser would make of rendered HTML, and text as hostile lists and models could hold it."""

import re
from html.parser import HTMLParser

from hypothesis import strategies as st

VOID = {"hr", "br", "input"}
ATTRIBUTES = {
    "accent", "aria-busy", "aria-controls", "aria-describedby", "aria-expanded", "aria-label",
    "aria-labelledby", "aria-sort", "autocomplete", "class", "colspan", "data-column", "data-event",
    "data-format", "data-key", "data-list", "data-live", "data-paper", "data-place", "data-question",
    "data-row", "data-selected", "data-shown", "data-text", "data-turn", "display", "displaystyle",
    "fence", "form", "href", "id", "lang", "mathvariant", "maxlength", "movablelimits", "name",
    "placeholder", "rel", "required", "role", "scope", "start", "stretchy", "tabindex", "target", "title",
    "type", "value",
}  # fmt: skip
HARMLESS = {
    "a", "abbr", "article", "b", "blockquote", "button", "code", "dd", "details", "div", "dl", "dt", "em",
    "footer", "form", "h2", "h3", "hr", "input", "label", "li", "mark", "math", "nav", "ol", "p", "pre",
    "section", "span", "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
EVENTS = {"apply", "copy", "download", "edit", "expand", "input", "retry", "select", "submit"}


class Shown(HTMLParser):
    """What a browser would make of the HTML. Fails on anything that could run, load or submit."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.links: list[str] = []
        self.marked: list[str] = []
        self.tags: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in HARMLESS or re.fullmatch(r"m[a-z]+", tag), tag
        assert {name for name, _ in attrs} <= ATTRIBUTES, attrs
        assert {value for name, value in attrs if name == "data-event"} <= EVENTS
        assert dict(attrs).get("type") in {None, "button", "checkbox", "search", "submit", "text"}
        self.links += [value or "" for name, value in attrs if name == "href"]
        self.tags.append(tag)
        if tag == "mark":
            self.marked.append("")
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, tag
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "mark" in self._open:
            self.marked[-1] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    handle_decl = unknown_decl = handle_pi = handle_comment


# Text as hostile lists and models could hold it: fragments of TeX, Markdown and HTML between ordinary words.
FRAGMENTS = (
    "$", "$$", "\\(", "\\)", "\\[", "\\]", "$x^2$", "$\\frac{a}{b}$", "\\textbf{", "\\emph{a}", "{\\bf ", "}",
    "{", "\\", "\\'e", "\\%", "*", "**", "***", "_", "__", "`", "``", "'", "''", "~", "---", "--", "&amp;",
    "&lt;", "&#1;", "&", "<", ">",
    "<script>alert(1)</script>", "<img src=http://e.example/x onerror=alert(1)>", "</p>",
    "</article>", "<!--", "![x](http://e.example/x.png)", "[x](javascript:alert(1))", "<http://e.example>",
    "http://e.example/a_b_c", "\\href{javascript:alert(1)}{x}", "\\url{http://e.example}",
    "$\\href{javascript:alert(1)}{x}$", "$\\style{x}{y}$", "[1]", "[2]", "[99]", "【1】", "\ue0000\ue001",
    "\n", "\n\n", "- ", "# ", "> ", "| a | b |\n|---|---|\n", "```\n", "1. ", '"', "${alert(1)}", "{{value}}",
    "文", "。", "\x00", "\u202e", "word", "A sentence.",
)  # fmt: skip
hostile = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=12).map("".join)
