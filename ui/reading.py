"""A list that a model can read: the offer under it with its price, and how far the reading is."""

from html import escape
from typing import TYPE_CHECKING

from rag.errors import RagError
from rag.question.filters import Filters
from rag.records import Answer, Conversation, ReadSoFar, ScreeningPlan
from ui.answer_texts import answer_texts_for
from ui.controls import button
from ui.texts import Texts

if TYPE_CHECKING:
    from rag.engine import AnswerEngine


def offered(
    engine: "AnswerEngine", answer: Answer, conversation: Conversation, within: Filters
) -> ScreeningPlan | None:
    """What a model would read for an answer; None where there is nothing to read, or it cannot be known."""
    try:
        plan = engine.screening_plan(answer, conversation, within=within)
    except RagError:
        return None  # the answer stands without the offer
    return plan if plan and plan.papers else None


def offer(plan: ScreeningPlan, turn: int, texts: Texts) -> str:
    """A button that has the model read the papers, and says what that costs at most."""
    said = answer_texts_for(texts.language)
    dollars = "" if plan.cost_usd is None else f"${plan.cost_usd:.2g}"
    label = said.read_offer.format(
        model=plan.model,
        count=f"{plan.papers:,}",
        tokens=f"{plan.tokens.prompt + plan.tokens.completion:,}",
        cost=dollars or said.read_unpriced,
    )
    offer = button("apply", escape(label), {"turn": turn}, kind="onward")
    return f'<p class="read" lang="{texts.tag}">{offer}</p>'


def progress(plan: ScreeningPlan, read: ReadSoFar, texts: Texts) -> str:
    """How many papers have been read."""
    said = answer_texts_for(texts.language)
    told = said.read_so_far.format(model=plan.model, papers=f"{read.papers:,}", of=f"{read.of:,}")
    return f'<p class="reading" role="status" lang="{texts.tag}">{escape(told)}<span class="dots"></span></p>'
