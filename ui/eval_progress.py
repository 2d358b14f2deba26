"""How far a run of a question set is, as HTML. Its results stand apart: their imports take seconds."""

from html import escape
from math import ceil

from ui.eval_run import Evaluation
from ui.eval_texts import EvalTexts

_IN_SECONDS = 90  # a time left that is longer is told in minutes


def progress(evaluation: Evaluation, texts: EvalTexts) -> str:
    """A bar and one line while the run goes on, what went wrong after a failed one, else nothing."""
    if evaluation.state == "failed":
        message = escape(texts.failed.format(reason=evaluation.message))
        return f'<p class="notice failed" role="alert">{message}</p>'
    if evaluation.state == "finished":
        return ""
    line = texts.summarising
    if evaluation.state == "asking":
        line = texts.asked.format(done=evaluation.done, total=evaluation.total, passed=evaluation.passed)
    bar = (
        f'<progress max="{evaluation.total}" value="{evaluation.done}"'
        f' aria-label="{escape(texts.progress)}"></progress>'
    )
    left = f"<span>{escape(_left(evaluation, texts))}</span>"
    return f'{bar}<p class="line"><span>{escape(line)}</span>{left}</p>'


def _left(evaluation: Evaluation, texts: EvalTexts) -> str:
    seconds = evaluation.seconds_left
    if seconds is None or evaluation.state != "asking":
        return ""
    if seconds < _IN_SECONDS:
        return texts.seconds_left.format(count=ceil(seconds))
    return texts.minutes_left.format(count=ceil(seconds / 60))
