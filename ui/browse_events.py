"""What happens in the Papers tab and to the filters: the page's address in, updates of components out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

import gradio as gr

from rag.browsing import found
from rag.errors import RagError, UnknownPaper
from rag.extractive.facts import select
from rag.facets import Facet, facets, unmet
from rag.question.filters import Filters
from rag.records import Paper
from ui.browse_layout import BrowseParts
from ui.browse_render import Scope, Shown, chooser, filter_bar, language_switch, results, search_box
from ui.browse_texts import browse_texts_for
from ui.texts import Texts
from ui.view import View, texts_of, view_of

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

Updates = dict[Any, Any]
"""Component → its new value or properties."""

_RANKED = 20  # papers that a search takes from retrieval
_ALIKE = 20
_REMEMBERED = 64  # sets of filters whose facets are kept


class BrowseHandlers:
    """What happens at each event. Everything that is shown follows from the address: nothing is kept here."""

    def __init__(self, engine: "AnswerEngine", parts: BrowseParts) -> None:
        self._engine = engine
        self._parts = parts
        self._counts = _Counts()

    def greeting(self, request: gr.Request) -> Updates:
        """Every text of the tab in the reader's language, and what the address asks for."""
        texts, view, parts = texts_of(request), view_of(request), self._parts
        said = browse_texts_for(texts.language)
        return {
            parts.tab: gr.update(label=said.tab),
            parts.search: search_box(view.text, texts, said),
            parts.language: language_switch(said),
            **self._drawn(view, texts),
        }

    def show(self, request: gr.Request) -> Updates:
        """What the address asks for, after it has changed."""
        return self._drawn(view_of(request), texts_of(request))

    def _drawn(self, view: View, texts: Texts) -> Updates:
        said, parts, papers = browse_texts_for(texts.language), self._parts, self._engine.papers
        left, offered, nobody = self._counts.of(papers, view.filters)
        scope = Scope(view, len(left), len(papers), nobody, offered)
        return {
            parts.chips: filter_bar(scope, texts, said),
            parts.filters: chooser(scope, texts, said),
            parts.results: results(self._shown(view, left), view, texts, said),
        }

    def _shown(self, view: View, left: Sequence[Paper]) -> Shown:
        try:
            if view.similar:
                hits = self._engine.similar(view.similar, _ALIKE, within=view.filters)
                origin = next(paper for paper in self._engine.papers if paper.id == view.similar)
                return Shown(near=tuple(hit.paper for hit in hits), origin=origin)
            ranked = self._engine.rank(view.text, _RANKED, within=view.filters) if view.text else []
        except UnknownPaper:
            return Shown()
        except RagError:
            ranked = []  # an embedding that cannot be used: the words still find titles and authors
        by_text = found(left, view.text, ranked)
        return Shown(by_text.named, by_text.near)


@dataclass(slots=True)
class _Counts:
    """Papers that filters leave, what may be chosen beside them and what leaves none; counted once a list."""

    papers: Sequence[Paper] = ()
    known: dict[Filters, tuple[Sequence[Paper], tuple[Facet, ...], Filters]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def of(
        self, papers: Sequence[Paper], within: Filters
    ) -> tuple[Sequence[Paper], tuple[Facet, ...], Filters]:
        with self.lock:
            if papers is not self.papers:
                self.papers, self.known = papers, {}
            if counted := self.known.get(within):
                return counted
        left = select(papers, within) if within else papers
        counted = left, facets(papers, within), Filters() if left else unmet(papers, within)
        with self.lock:
            if papers is self.papers:
                while len(self.known) >= _REMEMBERED:
                    del self.known[next(iter(self.known))]
                self.known[within] = counted
        return counted
