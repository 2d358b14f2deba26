"""The decided papers of a list answer as a table that can be sorted, filtered and selected from. Pure.

`answers.js` does the sorting, filtering and selecting; without it the table shows everything.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

from rag.extractive.facts import SHOWN
from rag.phrases import say
from rag.records import Answer, Choice, Completeness, Decision
from ui.abstracts import CHOICES, unfolder
from ui.answer_texts import AnswerTexts, answer_texts_for
from ui.controls import button
from ui.papers import byline, title, warning
from ui.prose import Cite
from ui.scholarly import language, markup
from ui.texts import Texts

FORMATS = {"bibtex": "BibTeX", "ris": "RIS", "csl": "CSL-JSON", "markdown": "Markdown"}
"""What papers can be saved as: the names of rag/export and what people call them."""

_ALL_IN_VIEW = 6  # papers of a list shown without a scroll bar of their own
_FEW = 3  # papers that need no sorting and filtering
_AUTHORS = 3


def listing(answer: Answer, turn: int, cite: Cite, texts: Texts) -> str:
    """All decided papers of the answer in turn `turn`, those that match first; empty where it has none."""
    said = answer_texts_for(texts.language)
    groups = [(c, [d for d in answer.papers if d.choice == c]) for c in CHOICES]
    count = sum(len(decisions) for _, decisions in groups)
    if not count:
        return ""
    numbers = {citation.paper.id: citation.number for citation in answer.citations}
    flagged = answer.receipt.suspicious.keys()
    rows = _Rows(turn, numbers, cite, texts, said, flagged=flagged, selectable=count > _FEW)
    if answer.kind == "metadata":
        # What all rows have in common is the question's condition, and says nothing of one of them.
        groups = [("yes", [replace(d, reason="") for _, decisions in groups for d in decisions])]
        rows.headings = {"yes": texts.papers}
    bodies = "".join(rows.group(choice, decisions) for choice, decisions in groups if decisions)
    scrolls = f' scrolls" role="region" tabindex="0" aria-label="{escape(texts.list_label)}'
    return (
        f'<section class="found" data-list="{turn}">{_completeness(answer.completeness, said)}'
        f"{_tools(turn, count, said)}"
        f'<div class="rows{scrolls if count > _ALL_IN_VIEW else ""}">'
        f'<table role="table" aria-label="{escape(texts.list_label)}">{rows.head}{bodies}</table></div>'
        "</section>"
    )


def told_by_table(answer: Answer) -> Collection[str]:
    """Sentences of a list's text that its table tells better: how many more it holds, how complete it is."""
    language, listed = answer.language, len(answer.papers)
    counts = [sum(decision.choice == choice for decision in answer.papers) for choice in CHOICES]
    told = {say(language, "list_rest", rest=count - SHOWN) for count in counts if count > SHOWN}
    if listed and (stated := answer.completeness):
        values = {"n": stated.checked, "percent": round(100 * (stated.expected or 0)), "listed": listed}
        keys = ("list_complete", "list_complete_single", "list_uncalibrated")
        told |= {say(language, key, **values) for key in keys}
    return told


def formats(label: str, turn: int | None = None) -> str:
    """Buttons that save papers in each format, those of a turn's list or all that are cited.

    `label` is HTML that leads to them.
    """
    told = {} if turn is None else {"turn": turn}
    buttons = " ".join(
        button("download", name, kind="format", told={"format": key, **told}) for key, name in FORMATS.items()
    )
    return f'<p class="save"><span class="label">{label}</span> {buttons}</p>'


class _Rows:
    """The rows of one list."""

    def __init__(
        self,
        turn: int,
        numbers: dict[str, int],
        cite: Cite,
        texts: Texts,
        said: AnswerTexts,
        *,
        flagged: Collection[str],
        selectable: bool,
    ) -> None:
        self._turn, self._numbers, self._cite = turn, numbers, cite
        self._texts, self._said, self._flagged, self._selectable = texts, said, flagged, selectable
        self._place = 0
        self.headings: Mapping[Choice, Mapping[bool, str]] = said.groups
        """What leads each group: choice → by "exactly one paper"."""

    @property
    def head(self) -> str:
        if not self._selectable:
            return ""
        said = self._said
        columns = "".join(
            f'<th scope="col" role="columnheader" class="{kind}" aria-sort="none">'
            f'<button type="button" class="sort" data-column="{kind}">{escape(name)}</button></th>'
            for kind, name in (("what", said.paper), ("when", said.published), ("why", said.why))
        )
        return (
            '<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader" class="pick">'
            f'<input type="checkbox" class="all" aria-label="{escape(said.select_all)}"></th>{columns}</tr>'
            "</thead>"
        )

    def group(self, choice: Choice, decisions: Sequence[Decision]) -> str:
        count = len(decisions)
        heading = self.headings[choice][count == 1].format(count=f"{count:,}")
        columns = 4 if self._selectable else 3
        rows = "".join(map(self._row, decisions))
        return (
            f'<tbody role="rowgroup" class="{choice}"><tr role="row" class="group">'
            f'<th role="columnheader" scope="rowgroup" colspan="{columns}"><h3 class="{choice}">'
            f"{escape(heading)}</h3></th></tr>{rows}</tbody>"
        )

    def _row(self, decision: Decision) -> str:
        place, self._place = self._place, self._place + 1
        return (
            f'<tr role="row" class="paper" data-place="{place}">{"".join(self._cells(decision, place))}</tr>'
        )

    def _cells(self, decision: Decision, place: int) -> Iterator[str]:
        paper, said = decision.paper, self._said
        name = f"found-{self._turn}-{place}"
        if self._selectable:
            yield (
                f'<td role="cell" class="pick"><input type="checkbox" value="{escape(paper.id)}"'
                f' aria-label="{escape(said.select)}" aria-describedby="{name}"></td>'
            )
        number = self._numbers.get(paper.id)
        mark = f" {self._cite(number, 0)}" if number else ""
        authors = byline(replace(paper, venue=None, year=None, track=None), self._texts, authors=_AUTHORS)
        yield (
            f'<th role="rowheader" scope="row" class="what" id="{name}">{title(paper, link=True, after=mark)}'
            f'<p class="byline">{authors}</p>'
            f"{warning(paper, self._texts) if paper.id in self._flagged else ''}</th>"
        )
        published = "".join(
            f"<span>{escape(value)}</span> " for value in (paper.published, paper.track) if value
        )
        yield f'<td role="cell" class="when" data-key="{paper.year or ""}">{published}</td>'
        abstract = unfolder(self._turn, place, said)
        yield f'<td role="cell" class="why">{self._why(decision)}{abstract}</td>'

    def _why(self, decision: Decision) -> str:
        paper = decision.paper
        shown_beside = {paper.title, paper.track, paper.venue, paper.published, str(paper.year)}
        told = decision.quote and decision.quote not in shown_beside
        quote = self._texts.quotation.format(quote=markup(decision.quote)) if told else ""
        shown = f'<p class="quote" lang="{language(decision.quote)}">{quote}</p>' if quote else ""
        reason = decision.reason if decision.reason != decision.quote else ""
        because = f'<p class="reason" lang="{language(reason)}">{markup(reason)}</p>' if reason else ""
        return shown + because


def _completeness(completeness: Completeness | None, said: AnswerTexts) -> str:
    if completeness is None:
        return ""
    one = completeness.checked == 1
    parts = [said.checked[one].format(count=f"{completeness.checked:,}")]
    if completeness.expected is None:
        parts.append(said.uncalibrated)
    else:
        parts.append(said.expected.format(percent=round(100 * completeness.expected)))
    return f'<p class="complete">{escape(" ".join(parts))}</p>'


def _tools(turn: int, count: int, said: AnswerTexts) -> str:
    """Filter, how many are shown, and saving: what is selected, or else what is shown."""
    if count <= _FEW:
        return f'<div class="tools">{formats(escape(said.save), turn)}</div>'
    shown = escape(said.save_shown.format(count=f"{count:,}"))
    ways = f'data-shown="{escape(said.save_shown)}" data-selected="{escape(said.save_selected)}"'
    return (
        f'<div class="tools"><label class="filter"><input type="search" placeholder="{escape(said.filter)}"'
        f' aria-label="{escape(said.filter)}" autocomplete="off"></label>'
        f'<p class="shown" role="status" data-text="{escape(said.shown)}"></p>'
        f"{formats(f'<span {ways}>{shown}</span>', turn)}</div>"
    )
