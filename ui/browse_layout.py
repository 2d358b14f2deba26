"""The components of the Papers tab and where they stand; browse.css does the rest."""

from dataclasses import dataclass, fields
from typing import Any

import gradio as gr


@dataclass(frozen=True, slots=True)
class BrowseParts:
    """The components that events change. `language` and `chips` stand outside of the tab."""

    tab: gr.Tab
    search: gr.HTML
    filters: gr.HTML
    results: gr.HTML
    language: gr.HTML
    chips: gr.HTML

    @property
    def all(self) -> list[Any]:
        return [getattr(self, field.name) for field in fields(self)]


def lay_out_browse(language: gr.HTML, chips: gr.HTML) -> BrowseParts:
    """The tab inside the current Tabs. Everything is filled in once a browser has said what it shows."""

    def html(name: str) -> gr.HTML:
        return gr.HTML(elem_id=name, apply_default_css=False, js_on_load=None)

    with gr.Tab("Papers", id="papers", elem_id="papers-tab") as tab, gr.Row(elem_id="browse"):
        filters = html("browse-filters")
        with gr.Column(elem_id="browse-list"):
            search = html("browse-search")
            results = html("browse-results")
    return BrowseParts(tab, search, filters, results, language, chips)
