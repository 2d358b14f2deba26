"""The page: a conversation beside its papers, and a tab that measures. Takes an engine, never builds one."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from ui.abstracts import unfold
from ui.browse_events import BrowseHandlers
from ui.browse_layout import BrowseParts
from ui.eval_events import EvalHandlers
from ui.eval_layout import EvalParts
from ui.events import Handlers
from ui.greeting import Greeting
from ui.layout import Parts, lay_out
from ui.privacy import Destinations
from ui.saving_events import copy, save
from ui.texts import texts_for
from ui.theme import theme
from ui.why_not_events import WhyNotHandlers

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

_FOLDER = Path(__file__).parent
_AT_ONCE = 8  # questions answered, and sets of them run, at the same time; more wait in Gradio's queue

# Saves a text under a name; what the reader keeps is never written on the server.
_SAVE = """(text) => {{
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {{ type: "{type}" }}));
  link.download = "{name}";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return "";
}}"""


def build_page(
    engine: "AnswerEngine",
    *,
    embedding_endpoint: str | None = None,
    vector_store: str | None = None,
    data_dir: Path | None = None,
) -> gr.Blocks:
    """The page of an engine.

    `embedding_endpoint` names where questions are sent to be turned into vectors, `vector_store` the Chroma
    server where those are compared, None where that happens on this machine; the page says so. `data_dir` is
    named where papers have to be brought in.
    """
    page = gr.Blocks(title=texts_for(None).title, analytics_enabled=False, fill_width=True)
    with page:
        parts, browse_parts, eval_parts = lay_out(with_model=engine.chat_model is not None)
        destinations = Destinations(embedding_endpoint, vector_store)
        _wire(page, parts, Handlers(engine, parts, Greeting(engine, parts, destinations)))
        _wire_handing_over(parts, WhyNotHandlers(engine))
        _wire_browse(page, browse_parts, BrowseHandlers(engine, browse_parts))
        _wire_eval(page, eval_parts, EvalHandlers(engine, eval_parts, destinations, data_dir), parts.language)
    page.queue(default_concurrency_limit=_AT_ONCE, api_open=False)
    return page


def launch_options() -> dict[str, Any]:
    """What `launch` and `mount_gradio_app` take beside the page: its looks, and nothing that phones home."""
    return {
        "theme": theme(),
        "css_paths": [_FOLDER / name for name in ("page.css", "answers.css", "eval.css", "browse.css")],
        "head": "".join(
            f"<script>{(_FOLDER / name).read_text('utf-8')}</script>"
            for name in ("view.js", "page.js", "answers.js")
        ),
        "footer_links": [],
        "run_history": False,
        "enable_monitoring": False,
        "max_file_size": 1,  # bytes: the page takes no files
        "show_error": False,
        "ssr_mode": False,
        "pwa": False,
        "mcp_server": False,
    }


def _wire(page: gr.Blocks, parts: Parts, handle: Handlers) -> None:
    quiet: dict[str, Any] = {"outputs": parts.all, "show_progress": "hidden", "api_visibility": "private"}
    at_once: dict[str, Any] = {**quiet, "queue": False}
    page.load(handle.greeting, **at_once)
    asking = [parts.box.submit, parts.ask.click]
    given = [parts.chat, parts.switch, parts.model]
    talking = quiet | {"outputs": parts.talk}
    gr.on(asking, handle.question, [parts.box, *given], **talking)
    for example in parts.examples:
        example.click(handle.example, [example, *given], **talking)
    gr.on([parts.current.submit, parts.history.submit], handle.onward, given, **talking)
    parts.current.retry(handle.retry, given, **talking)
    parts.current.apply(handle.read, parts.chat, **talking)
    parts.current.edit(handle.edit, parts.chat, **at_once)
    parts.hint.clear(handle.keep, parts.chat, **at_once)
    parts.stop.click(handle.stop, api_visibility="private", queue=False)
    parts.new.click(handle.fresh, **at_once)
    parts.language.submit(handle.translated, [parts.chat, parts.model], **at_once)
    parts.models.select(handle.model, parts.model, **at_once)


def _wire_handing_over(parts: Parts, why_not: WhyNotHandlers) -> None:
    """Copying, saving, explaining: `handOver` of answers.js empties what carried the text."""
    told: dict[str, Any] = {
        "outputs": parts.parcel, "show_progress": "hidden", "api_visibility": "private", "queue": False,
    }  # fmt: skip
    copying = [part.copy for part in (parts.current, parts.history)]
    saving = [part.download for part in (parts.current, parts.history, parts.sources, parts.totals)]
    looking = [part.input for part in (parts.current, parts.history)]
    choosing = [part.select for part in (parts.current, parts.history)]
    unfolding = [part.expand for part in (parts.current, parts.history)]
    events = (
        (copying, copy),
        (saving, save),
        (unfolding, unfold),
        (looking, why_not.look_up),
        (choosing, why_not.explain),
    )
    for triggers, write in events:
        gr.on(triggers, write, parts.chat, trigger_mode="always_last", **told).then(
            None, parts.parcel, parts.parcel, js="(text) => handOver(text)"
        )


def _wire_browse(page: gr.Blocks, parts: BrowseParts, handle: BrowseHandlers) -> None:
    at_once: dict[str, Any] = {
        "outputs": parts.all,
        "show_progress": "hidden",
        "api_visibility": "private",
        "queue": False,
        "trigger_mode": "always_last",  # while one view is drawn others may be asked for: the last counts
    }
    page.load(handle.greeting, **at_once)
    parts.language.submit(handle.greeting, **at_once)
    parts.language.input(handle.show, **at_once)


def _wire_eval(page: gr.Blocks, parts: EvalParts, handle: EvalHandlers, language: gr.HTML) -> None:
    quiet: dict[str, Any] = {"outputs": parts.all, "show_progress": "hidden", "api_visibility": "private"}
    at_once: dict[str, Any] = {**quiet, "queue": False}
    page.load(handle.greeting, **at_once)
    language.submit(handle.translated, [parts.questions, parts.evaluation], **at_once)
    parts.picker.upload(handle.file, **at_once)
    parts.shipped.click(handle.shipped, **at_once)
    parts.run.click(handle.run, [parts.questions, parts.switch], **quiet)
    parts.stop.click(handle.stop, api_visibility="private", queue=False)
    saved: dict[str, Any] = {**at_once, "outputs": parts.saved}
    for button, write, name, kind in (
        (parts.save_report, handle.report, "report.html", "text/html"),
        (parts.save_json, handle.json, "report.json", "application/json"),
    ):
        save = _SAVE.format(name=name, type=kind)
        button.click(write, parts.evaluation, **saved).then(None, parts.saved, parts.saved, js=save)
