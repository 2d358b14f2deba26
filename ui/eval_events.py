"""What happens in the Eval tab at each event: values of components in, updates of components out."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import gradio as gr

from eval.cases import require_papers
from rag.errors import UsageError
from ui.eval_layout import EvalParts
from ui.eval_progress import progress
from ui.eval_run import LARGEST_FILE, Evaluation, Questions, evaluate
from ui.eval_texts import EvalTexts, eval_texts_for
from ui.privacy import Destinations, without_model
from ui.texts import Texts
from ui.view import texts_of

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

Updates = dict[Any, Any]
"""Component → its new value or properties."""


class EvalHandlers:
    """What happens at each event. Questions and results are their session's; here is only who is running."""

    def __init__(
        self,
        engine: "AnswerEngine",
        parts: EvalParts,
        destinations: Destinations,
        data_dir: Path | None,
    ) -> None:
        self._engine = engine
        self._parts = parts
        self._destinations = destinations
        self._data_dir = data_dir
        self._running: dict[str, Event] = {}

    def greeting(self, request: gr.Request) -> Updates:
        """Every text of the tab in the reader's language, with the shipped questions chosen."""
        texts = texts_of(request)
        return self._labels(texts) | self._chosen(Questions.shipped(), texts)

    def translated(
        self, questions: Questions | None, evaluation: Evaluation | None, request: gr.Request
    ) -> Updates:
        """The tab in another language; a run goes on in the one it began in."""
        texts, shipped = texts_of(request), Questions.shipped()
        chosen = questions or shipped
        updates = self._labels(texts) | self._chosen(chosen, texts, from_file=chosen != shipped)
        if evaluation and (request.session_hash or "") not in self._running:
            said, parts = eval_texts_for(texts.language), self._parts
            updates |= {parts.progress: _in(texts, progress(evaluation, said))}
            drawn = self._results(evaluation, texts, said)
            for save in (parts.save_report, parts.save_json):
                drawn[save] = updates[save] | drawn[save]
            updates |= drawn
        return updates

    def _labels(self, texts: Texts) -> Updates:
        said, parts = eval_texts_for(texts.language), self._parts
        picker = f'{escape(said.choose)}<input type="file" accept=".jsonl,.json,.txt">'
        return {
            parts.tab: gr.update(label=said.tab),
            parts.intro: _in(texts, f"<h2>{escape(said.title)}</h2><p>{escape(said.lead)}</p>"),
            parts.picker: f'<label lang="{texts.tag}">{picker}</label>',
            parts.switch: gr.update(label=said.model_switch),
            parts.run: gr.update(value=said.run),
            parts.stop: gr.update(value=said.stop),
            parts.save_report: gr.update(value=said.save_report),
            parts.save_json: gr.update(value=said.save_json),
        }

    def file(self, picked: gr.EventData, request: gr.Request) -> Updates:
        """Choose the questions of a file that the browser has read."""
        texts = texts_of(request)
        said = eval_texts_for(texts.language)
        name, size, text = str(picked.name), int(picked.size), str(picked.text)
        if max(size, len(text)) > LARGEST_FILE:
            return self._hint(said.too_large.format(name=name, size=size, limit=LARGEST_FILE), texts)
        try:
            return self._chosen(Questions.read(name, text), texts, from_file=True)
        except UsageError as error:
            return self._hint(said.unusable.format(reason=error), texts)

    def shipped(self, request: gr.Request) -> Updates:
        """Choose the shipped questions again."""
        return self._chosen(Questions.shipped(), texts_of(request))

    def run(self, questions: Questions, use_llm: bool, request: gr.Request) -> Iterator[Updates]:
        """Ask the chosen questions, redrawing how far that is, then show what came of it."""
        texts, session = texts_of(request), request.session_hash or ""
        said = eval_texts_for(texts.language)
        if objection := said.still_running if session in self._running else self._missing(questions):
            yield self._hint(objection, texts)
            return
        stop = self._running[session] = Event()
        try:
            stages = evaluate(
                self._engine, questions, use_llm=use_llm, failed_inside=said.failed_inside, stop=stop
            )
            for stage in stages:
                yield self._drawn(stage, texts, said)
        finally:
            stop.set()
            del self._running[session]

    def stop(self, request: gr.Request) -> None:
        """End the run; `run` then shows what the finished cases say."""
        if stop := self._running.get(request.session_hash or ""):
            stop.set()

    def report(self, evaluation: Evaluation) -> str:
        """The report of `eval run --report`, one page that needs nothing else."""
        from eval.pages import as_html

        return as_html(evaluation.report) if evaluation.report else ""

    def json(self, evaluation: Evaluation) -> str:
        """What `eval run --json` writes."""
        from eval.files import json_text

        return json_text(evaluation.report.as_json()) if evaluation.report else ""

    def _chosen(self, questions: Questions, texts: Texts, *, from_file: bool = False) -> Updates:
        said, parts = eval_texts_for(texts.language), self._parts
        count = len(questions.cases)
        name = said.chosen[count == 1].format(name=questions.name, count=f"{count:,}")
        return {
            parts.questions: questions,
            parts.chosen: _in(texts, f"<h3>{escape(said.questions)}</h3><p>{escape(name)}</p>"),
            parts.shipped: gr.update(value=said.shipped, visible=from_file),
            parts.privacy: _in(texts, f"<p>{escape(self._privacy(questions, texts, said))}</p>"),
            **self._hint(self._missing(questions), texts),
        }

    def _missing(self, questions: Questions) -> str:
        """Why these questions cannot be asked here, empty where their papers are all in the index."""
        known = [paper.id for paper in self._engine.papers]
        data_dir = str(self._data_dir) if self._data_dir else None
        try:
            require_papers(questions.cases, known, questions.name, data_dir)
        except UsageError as error:
            return str(error)
        return ""

    def _drawn(self, evaluation: Evaluation, texts: Texts, said: EvalTexts) -> Updates:
        """What the tab shows of a run as far as it is."""
        running = evaluation.state in {"asking", "summarising"}
        drawn: Updates = {self._parts.progress: _in(texts, progress(evaluation, said))}
        if running and not evaluation.done:
            return drawn | {
                self._parts.hint: "",
                self._parts.results: gr.update(visible=False),
                **self._busy(True),
            }
        return drawn if running else drawn | self._busy(False) | self._results(evaluation, texts, said)

    def _results(self, evaluation: Evaluation, texts: Texts, said: EvalTexts) -> Updates:
        from ui.eval_cases import case_list
        from ui.eval_results import figures, headline, kinds, pictures

        parts, report = self._parts, evaluation.report
        papers = {paper.id: paper for paper in self._engine.papers}
        measured = figures(report, said) + kinds(report, said) + pictures(evaluation, said) if report else ""
        cases = case_list(evaluation.outcomes, papers, texts, said) if report else ""
        return {
            parts.evaluation: evaluation,
            parts.results: gr.update(visible=evaluation.state == "finished"),
            parts.headline: _in(texts, headline(evaluation, said)),
            parts.save_report: gr.update(visible=report is not None),
            parts.save_json: gr.update(visible=report is not None),
            parts.figures: _in(texts, measured),
            parts.cases: _in(texts, cases),
        }

    def _busy(self, busy: bool) -> Updates:
        return {self._parts.run: gr.update(visible=not busy), self._parts.stop: gr.update(visible=busy)}

    def _hint(self, message: str, texts: Texts) -> Updates:
        return {self._parts.hint: _in(texts, f'<p role="status">{escape(message)}</p>') if message else ""}

    def _privacy(self, questions: Questions, texts: Texts, said: EvalTexts) -> str:
        otherwise = without_model(self._destinations, texts)
        if model := self._engine.chat_model:
            return said.sends.format(
                count=f"{questions.asked:,}", endpoint=model.endpoint, model=model.name, otherwise=otherwise
            )
        return otherwise[:1].upper() + otherwise[1:]


def _in(texts: Texts, html: str) -> str:
    return f'<div lang="{texts.tag}">{html}</div>' if html else ""
