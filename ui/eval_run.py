"""A question set asked through the page: its questions, and how the run goes. Measuring is left to eval."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Event, Thread, main_thread
from typing import TYPE_CHECKING, Literal

from eval.cases import DEFAULT_QUESTIONS, Case, parse_cases
from ui.failures import told

# The measures take seconds to import: a run waits for them, the page does not.
if TYPE_CHECKING:
    from eval.pages import Chart
    from eval.report import Report
    from eval.run import Outcome
    from rag.engine import AnswerEngine

LARGEST_FILE = 1_000_000
"""Bytes of the largest question file that is taken, some 1,500 questions."""

_SEED = 0  # as on the command line, so that both give the same figures
_TICK = 0.25  # seconds between two looks at what the worker has finished


@dataclass(frozen=True, slots=True)
class Questions:
    """A question file: its name, the bytes it holds, and its cases in their order."""

    name: str
    content: bytes
    cases: tuple[Case, ...]

    @property
    def asked(self) -> int:
        """Questions that are asked, the earlier turns of conversations included."""
        return sum(len(case.turns) for case in self.cases)

    @classmethod
    def shipped(cls) -> "Questions":
        """The question set that comes with the project."""
        return cls.read(DEFAULT_QUESTIONS.name, DEFAULT_QUESTIONS.read_text(encoding="utf-8"))

    @classmethod
    def read(cls, name: str, text: str) -> "Questions":
        """Raises UsageError, naming the line, where the text breaks the schema."""
        return cls(name, text.encode(), parse_cases(text, name))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A run as the page shows it. A value: as the run goes on it makes others.

    `seconds_left` is None while nobody can tell. `report` and `charts` are there once the state is
    "finished", unless no case was; `message` says what went wrong in a "failed" one.
    """

    questions: Questions
    state: Literal["asking", "summarising", "finished", "failed"] = "asking"
    outcomes: "tuple[Outcome, ...]" = ()
    seconds_left: float | None = None
    report: "Report | None" = None
    charts: "tuple[Chart, ...]" = ()
    message: str = ""

    @property
    def total(self) -> int:
        return len(self.questions.cases)

    @property
    def done(self) -> int:
        return len(self.outcomes)

    @property
    def passed(self) -> int:
        return sum(outcome.passed for outcome in self.outcomes)


def evaluate(
    engine: "AnswerEngine", questions: Questions, *, use_llm: bool, failed_inside: str, stop: Event
) -> Iterator[Evaluation]:
    """The run as it goes: at once, every quarter of a second while a worker thread asks, then summarised.

    Setting `stop` summarises the cases finished by then. The one being asked is left to end unseen, as it is
    when this iterator is left. Never raises: what goes wrong becomes a failed run; `failed_inside` is what
    the reader is told when that is no error of ours.
    """
    evaluation = Evaluation(questions)
    yield evaluation
    finished: SimpleQueue[Outcome | Exception] = SimpleQueue()
    work = (engine, questions, use_llm, finished, stop)
    Thread(target=_ask, args=work, name="eval").start()
    pace = _Pace()
    try:
        while evaluation.done < evaluation.total:
            stopped = stop.wait(_TICK)
            for piece in _waiting(finished):
                if isinstance(piece, Exception):
                    yield replace(evaluation, state="failed", message=told(piece, failed_inside))
                    return
                evaluation = replace(evaluation, outcomes=(*evaluation.outcomes, piece))
            if stopped:
                break
            evaluation = replace(evaluation, seconds_left=pace.left(evaluation))
            yield evaluation
        if evaluation.done:
            yield replace(evaluation, state="summarising")
        yield _summarised(evaluation, engine, use_llm, failed_inside)
    finally:
        stop.set()


class _Pace:
    """How fast cases are finished, counted from the first of them: what comes before is loading."""

    def __init__(self) -> None:
        self._began: tuple[float, int] | None = None

    def left(self, evaluation: Evaluation) -> float | None:
        """Seconds until all cases are finished, at the pace so far."""
        now = time.monotonic()
        if self._began is None:
            self._began = (now, evaluation.done) if evaluation.done else None
            return None
        then, before = self._began
        since = evaluation.done - before
        return (now - then) / since * (evaluation.total - evaluation.done) if since else None


def _ask(
    engine: "AnswerEngine",
    questions: Questions,
    use_llm: bool,
    finished: "SimpleQueue[Outcome | Exception]",
    stop: Event,
) -> None:
    """Hands over the outcomes as they come, or the exception that ended the run.

    The program's end waits for this thread, since the embedding model does not survive being cut off; so it
    leaves after the case at hand when the program ends.
    """
    try:
        from eval.runner import Runner

        for outcome in Runner(engine, use_llm=use_llm, seed=_SEED).run(questions.cases):
            if stop.is_set() or not main_thread().is_alive():
                return
            finished.put(outcome)
    except Exception as error:
        finished.put(error)


def _waiting(finished: "SimpleQueue[Outcome | Exception]") -> "Iterator[Outcome | Exception]":
    try:
        while True:
            yield finished.get_nowait()
    except Empty:
        return


def _summarised(
    evaluation: Evaluation, engine: "AnswerEngine", use_llm: bool, failed_inside: str
) -> Evaluation:
    """The finished run, with its report and pictures where there is anything to report."""
    if not evaluation.done:
        return replace(evaluation, state="finished")
    try:
        from eval.pages import charts
        from eval.report import summarise
        from eval.run import Run
        from eval.runner import Runner
        from eval.session import settings_of

        questions, runner = evaluation.questions, Runner(engine, use_llm=use_llm, seed=_SEED)
        settings = settings_of(runner, questions.name, questions.content, evaluation.done)
        report = summarise(Run(evaluation.outcomes, settings), _SEED)
        return replace(evaluation, state="finished", report=report, charts=tuple(charts(report)))
    except Exception as error:
        return replace(evaluation, state="failed", message=told(error, failed_inside))
