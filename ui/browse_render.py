"""Filters, search results and records as HTML. Pure: values in, safe HTML out; view.js makes them act."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from rag.facets import Facet
from rag.question.filters import Filters
from rag.records import Paper
from ui.browse_texts import BrowseTexts
from ui.papers import byline, dotted, record_link, warning
from ui.scholarly import language, markup, plain
from ui.texts import Texts
from ui.view import FIELDS, View

PAGE = 20
"""Papers on one page of the list."""

_NAMES = {field: name for name, field in FIELDS.items()}
_LONGEST_TITLE = 300  # characters of a title in a question about its paper


@dataclass(frozen=True, slots=True)
class Shown:
    """The papers to list: those asked for, then those near in content; where to a paper, `origin` is that."""

    named: Sequence[Paper] = ()
    near: Sequence[Paper] = ()
    origin: Paper | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """What the filters of `view` leave: `left` of `total` papers; `nobody` are those that no paper meets.

    `offered` are the values that can be set beside them.
    """

    view: View
    left: int
    total: int
    nobody: Filters
    offered: Sequence[Facet]


def language_switch(said: BrowseTexts) -> str:
    """The button to the other language, named in that language."""
    code, name = said.language_code, escape(said.language)
    return f'<button type="button" data-lang="{code}" lang="{code}">{name}</button>'


def search_box(text: str, texts: Texts, said: BrowseTexts) -> str:
    """The box to search in, holding what the address asks for."""
    return (
        f'<form role="search" lang="{texts.tag}"><input type="search" name="q" value="{escape(text)}"'
        f' autocomplete="off" aria-label="{escape(said.search)}" placeholder="{escape(said.search)}"'
        f' title="{escape(said.search_hint)}" maxlength="200"></form>'
    )


def filter_bar(scope: Scope, texts: Texts, said: BrowseTexts) -> str:
    """One line above the question box: what is set, how many papers are left, and the way to more filters."""
    choices = _choices(scope, said)
    more = (
        f'<details class="choose"><summary>{escape(said.choose)}</summary>'
        f'<div class="facets" role="group" aria-label="{escape(said.filters)}">{choices}</div></details>'
    )
    return (
        f'<div class="filters" lang="{texts.tag}">{_problems(scope, said)}<div class="line">'
        f"{more if choices else ''}{_set(scope, said)}</div></div>"
    )


def chooser(scope: Scope, texts: Texts, said: BrowseTexts) -> str:
    """The column beside the list: what is set, and all that can be."""
    return (
        f'<div class="filters" lang="{texts.tag}"><div class="line">{_set(scope, said)}</div>'
        f"{_problems(scope, said)}"
        f'<details class="choose" open><summary>{escape(said.filters)}</summary>'
        f'<div class="facets">{_choices(scope, said)}</div></details></div>'
    )


def results(shown: Shown, view: View, texts: Texts, said: BrowseTexts) -> str:
    """A heading that counts, one page of records, and the way to the others."""
    papers, split = [*shown.named, *shown.near], len(shown.named)
    pages = max(1, -(-len(papers) // PAGE))
    page = min(view.page, pages)
    first, last = (page - 1) * PAGE, page * PAGE
    named = _listed(papers[first : min(last, split)], first, texts, said)
    near = _listed(papers[max(first, split) : last], max(first, split), texts, said)
    if near and not shown.origin:
        near = f'<h3 class="near">{escape(said.near)}</h3>{near}'
    heading = _heading(shown, view, texts, said)
    return f'<div lang="{texts.tag}">{heading}{named}{near}{_paging(page, pages, said)}</div>'


def _listed(papers: Sequence[Paper], before: int, texts: Texts, said: BrowseTexts) -> str:
    records = "".join(f"<li>{_record(paper, texts, said)}</li>" for paper in papers)
    return f'<ol class="records" start="{before + 1}">{records}</ol>' if records else ""


def _heading(shown: Shown, view: View, texts: Texts, said: BrowseTexts) -> str:
    count, one = f"{len(shown.named):,}", len(shown.named) == 1
    back = f'<button type="button" class="plain" data-back>{escape(said.back)}</button>'
    note = ""
    if shown.origin:
        text = said.alike.format(title=plain(shown.origin.title))
        note = "" if shown.near else f'<p class="note">{escape(said.nothing_alike)}</p>'
    elif view.similar:
        text = said.unknown_paper.format(paper=view.similar)
    elif view.text:
        text = said.found[one].format(count=count, text=view.text)
    else:
        back = ""
        text = texts.papers[one].format(count=count) if shown.named or view.filters else said.no_papers
    return f'<div class="tally"><h2 role="status">{escape(text)}</h2>{back}</div>{note}'


def _paging(page: int, pages: int, said: BrowseTexts) -> str:
    if pages == 1:
        return ""

    def leading_to(target: int, label: str) -> str:
        off = "" if 1 <= target <= pages else " disabled"
        return f'<button type="button" data-page="{target}"{off}>{escape(label)}</button>'

    where = escape(said.page.format(page=f"{page:,}", pages=f"{pages:,}"))
    return (
        f'<nav class="pages" aria-label="{escape(said.pages)}">{leading_to(page - 1, said.previous)}'
        f"<span>{where}</span>{leading_to(page + 1, said.following)}</nav>"
    )


def _record(paper: Paper, texts: Texts, said: BrowseTexts) -> str:
    """A title to open, and behind it the abstract and what can be done with the paper."""
    lang = f' lang="{language(paper.title)}"'
    keywords = said.keywords.format(keywords=", ".join(map(plain, paper.keywords))) if paper.keywords else ""
    name = plain(paper.title)
    name = name if len(name) <= _LONGEST_TITLE else f"{name[:_LONGEST_TITLE]}…"
    ask = escape(said.question.format(title=name))
    everyone = dotted([escape(", ".join(map(plain, paper.authors)))]) if len(paper.authors) > 3 else ""
    return (
        f'<details class="record"><summary><span class="title"{lang}>{markup(paper.title)}</span>'
        f'<span class="byline">{byline(paper, texts, authors=3)}</span></summary>'
        + (f'<p class="authors">{everyone}</p>' if everyone else "")
        + warning(paper, texts)
        + f'<p class="abstract"{lang}>{markup(paper.abstract) or escape(texts.no_abstract)}</p>'
        + (f'<p class="keywords">{escape(keywords)}</p>' if keywords else "")
        + f'<p class="actions"><button type="button" data-ask="{ask}">{escape(said.ask)}</button>'
        f'<button type="button" data-similar="{escape(paper.id)}">{escape(said.similar)}</button>'
        f"{record_link(paper, texts)}</p></details>"
    )


def _facet(facet: Facet, view: View, said: BrowseTexts) -> str:
    name = _NAMES[facet.field]
    chosen = {value.casefold() for value in _chosen(view.filters, name)}

    def offered(value: str, count: int) -> str:
        pressed = str(value.casefold() in chosen).lower()
        data = f'data-field="{name}" data-value="{escape(value)}"'
        return (
            f'<li><button type="button" {data} aria-pressed="{pressed}"><span class="value">'
            f'{escape(plain(value))}</span> <span class="count">{count:,}</span></button></li>'
        )

    items = "".join(offered(value, count) for value, count in facet.values)
    other = ""
    if facet.distinct > len(facet.values):
        label = escape(said.other[name])
        other = (
            f'<form data-field="{name}"><input type="text" name="value" maxlength="200" autocomplete="off"'
            f' aria-label="{label}" placeholder="{label}"></form>'
        )
    return f'<section class="facet"><h3>{escape(said.fields[name])}</h3><ul>{items}</ul>{other}</section>'


def _chips(view: View, said: BrowseTexts) -> str:
    """The conditions that are set, each a button that removes it; also those that mean nothing."""
    set_ = [(name, value) for name in FIELDS for value in _chosen(view.filters, name)]
    items = "".join(
        f'<li><button type="button" class="chip{kind}" data-field="{name}" data-value="{escape(value)}"'
        f' aria-label="{escape(said.remove.format(condition=_condition(name, value, said)))}">'
        f'{escape(plain(value))}<span aria-hidden="true">×</span></button></li>'
        for kind, pairs in (("", set_), (" odd", view.ignored))
        for name, value in pairs
    )
    if not items:
        return ""
    clear = f'<button type="button" class="plain" data-clear>{escape(said.clear)}</button>'
    return f'<ul class="chips" aria-label="{escape(said.filters)}">{items}</ul>{clear}'


def _left(left: int, total: int, said: BrowseTexts) -> str:
    text = said.left if left < total else said.every[total == 1]
    return f'<span class="left">{escape(text.format(count=f"{left:,}", total=f"{total:,}"))}</span>'


def _choices(scope: Scope, said: BrowseTexts) -> str:
    return "".join(_facet(facet, scope.view, said) for facet in scope.offered)


def _set(scope: Scope, said: BrowseTexts) -> str:
    """What is set, and how many papers that leaves."""
    return f"{_chips(scope.view, said)}{_left(scope.left, scope.total, said)}"


def _problems(scope: Scope, said: BrowseTexts) -> str:
    lines = [
        *(said.ignored.format(condition=_condition(name, value, said)) for name, value in scope.view.ignored),
        *_why_empty(scope.nobody, said),
    ]
    return "".join(f'<p class="problem" role="status">{escape(line)}</p>' for line in lines)


def _why_empty(nobody: Filters, said: BrowseTexts) -> Iterator[str]:
    if not nobody:
        return
    if len(nobody.apart()) > 1:
        yield said.never_together
        return
    for name in FIELDS:
        for value in _chosen(nobody, name):
            yield said.unmet.format(condition=_condition(name, value, said))


def _condition(name: str, value: str, said: BrowseTexts) -> str:
    return said.condition.format(field=said.fields[name], value=plain(value))


def _chosen(filters: Filters, name: str) -> tuple[str, ...]:
    return tuple(map(str, getattr(filters, FIELDS[name])))
