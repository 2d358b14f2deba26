"""The components of the Eval tab and where they stand; eval.css does the rest."""

from dataclasses import dataclass, fields
from typing import Any

import gradio as gr

from ui.eval_run import LARGEST_FILE

# Reads the file in the browser, so that nothing of it is stored on the server.
_READ = f"""element.addEventListener("change", async ({{ target }}) => {{
  const file = target.files[0];
  if (!file) return;
  const text = file.size > {LARGEST_FILE} ? "" : await file.text();
  target.value = "";
  trigger("upload", {{ name: file.name, size: file.size, text }});
}});"""


@dataclass(frozen=True, slots=True)
class EvalParts:
    """The components that events change."""

    questions: gr.State
    evaluation: gr.State
    intro: gr.HTML
    chosen: gr.HTML
    picker: gr.HTML
    shipped: gr.Button
    switch: gr.Checkbox
    privacy: gr.HTML
    run: gr.Button
    stop: gr.Button
    hint: gr.HTML
    progress: gr.HTML
    results: gr.Column
    headline: gr.HTML
    save_report: gr.Button
    save_json: gr.Button
    saved: gr.Textbox
    figures: gr.HTML
    cases: gr.HTML
    tab: gr.Tab

    @property
    def all(self) -> list[Any]:
        return [getattr(self, field.name) for field in fields(self)]


def lay_out_eval(*, with_model: bool) -> EvalParts:
    """The tab inside the current Tabs. Texts are filled in once a browser has said its language."""

    def html(name: str, **options: Any) -> gr.HTML:
        return gr.HTML(elem_id=name, apply_default_css=False, **{"js_on_load": None, **options})

    with gr.Tab("Eval", id="eval", elem_id="eval-tab") as tab, gr.Column(elem_id="eval"):
        questions, evaluation = gr.State(None), gr.State(None)
        intro = html("eval-intro")
        with gr.Row(elem_id="eval-questions"):
            chosen = html("eval-chosen")
            picker = html("eval-picker", js_on_load=_READ)
            shipped = gr.Button("", elem_id="eval-shipped", size="sm", scale=0, visible=False)
        with gr.Column(elem_id="eval-model"):
            switch = gr.Checkbox(
                label="", value=False, visible=with_model, container=False, elem_id="eval-switch"
            )
            privacy = html("eval-privacy")
        with gr.Row(elem_id="eval-go"):
            run = gr.Button("", variant="primary", elem_id="eval-run", scale=0)
            stop = gr.Button("", variant="stop", elem_id="eval-stop", scale=0, visible=False)
            progress = html("eval-progress")
        hint = html("eval-hint")
        with gr.Column(elem_id="eval-results", visible=False) as results:
            headline = html("eval-headline")
            with gr.Row(elem_id="eval-save"):
                save_report = gr.Button("", elem_id="eval-save-report", size="sm", scale=0)
                save_json = gr.Button("", elem_id="eval-save-json", size="sm", scale=0)
            figures, cases = html("eval-figures"), html("eval-cases")
        saved = gr.Textbox(visible="hidden")  # out of the results: showing a column shows all that is in it
    return EvalParts(
        questions, evaluation, intro, chosen, picker, shipped, switch, privacy, run, stop, hint, progress,
        results, headline, save_report, save_json, saved, figures, cases, tab,
    )  # fmt: skip
