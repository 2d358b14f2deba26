"""How an answer came about and what it took, as HTML; and what the conversation took in all. Pure."""

from collections.abc import Iterator, Sequence
from html import escape

from rag.records import Answer, Checked, Receipt
from ui.answer_texts import AnswerTexts, answer_texts_for
from ui.chat import MAX_QUESTION, Chat
from ui.controls import button, form
from ui.papers import dotted
from ui.scholarly import language, markup, plain
from ui.texts import Texts
from ui.why_not import why_not

_FATES = 30  # papers on the way that are named
_FLOORS = (0.85, 0.6, 0.35, 0.0)  # probabilities from which on the words of `Texts.confidence` are said


def summary(answer: Answer, texts: Texts) -> str:
    """One line: how sure, how it was written, what was looked at, how long it took."""
    parts = [escape(part) for part in _summed(answer.receipt, texts)]
    if answer.confidence is not None:
        number = texts.confidence_number.format(percent=round(100 * answer.confidence))
        word = escape(_in_words(answer.confidence, texts))
        parts.insert(0, f'<abbr class="confidence" title="{escape(number)}">{word}</abbr>')
    return f'<p class="receipt">{dotted(parts)}</p>'


def search(answer: Answer, turn: int, texts: Texts) -> str:
    """What was searched for, and a form that asks the question again with another search."""
    searched_for = answer.receipt.searched_for
    if not searched_for or answer.kind == "offtopic":
        return ""
    said = answer_texts_for(texts.language)
    shown = escape(texts.searched_for.format(query=plain(searched_for)))
    label, submit = said.search_label, said.search_again
    again = form("submit", {"turn": turn}, "search", searched_for, label, submit, longest=MAX_QUESTION)
    return f'<details class="search"><summary>{shown}</summary>{again}</details>'


def receipt(answer: Answer, turn: int, texts: Texts) -> str:
    """All of the receipt, folded up, and a field that asks about papers it does not name."""
    said = answer_texts_for(texts.language)
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in _rows(answer, texts, said)
    )
    more = _checks(answer.receipt.checked, texts, said) + _fates(answer, texts, said)
    more += why_not(turn, texts) if answer.kind != "offtopic" else ""
    return f'<details class="how"><summary>{escape(said.how)}</summary><dl>{rows}</dl>{more}</details>'


def totals(chat: Chat, texts: Texts) -> str:
    """What the answers took in all, replaced ones included, and a button that saves the conversation."""
    if not chat.answers:
        return ""
    said = answer_texts_for(texts.language)
    given = [answer.receipt for answer in (*chat.replaced, *chat.answers)]
    parts = [said.totals[len(given) == 1].format(count=len(given))]
    prompt, completion = (sum(each) for each in zip(*map(_tokens, given), strict=True))
    if prompt or completion:
        parts.append(said.total_tokens.format(prompt=f"{prompt:,}", completion=f"{completion:,}"))
        parts.append(_cost_in_all(given, said))
    save = button("download", escape(said.save_conversation), {"format": "conversation"})
    return f'<p class="totals">{dotted([escape(part) for part in parts])} {save}</p>'


def _summed(receipt: Receipt, texts: Texts) -> Iterator[str]:
    yield _author(receipt, texts)
    if receipt.considered:
        yield texts.considered[receipt.considered == 1].format(count=f"{receipt.considered:,}")
    if "total" in receipt.seconds:
        yield _seconds(receipt.seconds["total"], texts)
    if any(_tokens(receipt)):
        yield texts.tokens.format(prompt=receipt.tokens.prompt, completion=receipt.tokens.completion)
    if receipt.cost_usd:
        yield texts.cost.format(cost=_dollars(receipt.cost_usd))


def _rows(answer: Answer, texts: Texts, said: AnswerTexts) -> Iterator[tuple[str, str]]:
    receipt = answer.receipt
    if answer.confidence is not None:
        words = _in_words(answer.confidence, texts)
        yield said.confidence, f"{words} ({round(100 * answer.confidence)} %)"
    if receipt.searched_for:
        yield said.searched, plain(receipt.searched_for)
    yield said.written, _author(receipt, texts)
    if receipt.considered:
        count = f"{receipt.considered:,}"
        yield said.looked_at, texts.considered[receipt.considered == 1].format(count=count)
    if receipt.seconds:
        total = receipt.seconds.get("total", sum(receipt.seconds.values()))
        stages = [
            f"{said.stages.get(name, name)} {_seconds(seconds, texts)}"
            for name, seconds in receipt.seconds.items()
            if name != "total"
        ]
        yield said.time, ", ".join([_seconds(total, texts), *stages])
    if any(_tokens(receipt)):
        prompt, completion = (f"{count:,}" for count in _tokens(receipt))
        yield "Token", said.tokens.format(prompt=prompt, completion=completion)
        cost = receipt.cost_usd
        yield said.cost, said.unpriced if cost is None else texts.cost.format(cost=_dollars(cost))


def _checks(checked: Sequence[Checked], texts: Texts, said: AnswerTexts) -> str:
    """The sentences a model wrote and what checking them against the abstracts made of each."""
    items = [(check.sentence, said.checks[check.action], texts.tag) for check in checked]
    return _followed(said.sentences, items)


def _fates(answer: Answer, texts: Texts, said: AnswerTexts) -> str:
    """The papers that were ranked for the question, and how far each of them came."""
    fates = answer.receipt.retrieved
    more = len(fates) - _FATES
    rest = f"<p>{escape(texts.more_papers.format(count=f'{more:,}'))}</p>" if more > 0 else ""
    # Why one was left out of a list differs from paper to paper; the other stages say all there is.
    items = [
        (fate.title, fate.reason, answer.language)
        if fate.stage == "screen" and fate.reason
        else (fate.title, said.fate_stages[fate.stage], texts.tag)
        for fate in fates[:_FATES]
    ]
    return _followed(said.fates, items) + rest


def _followed(heading: str, items: Sequence[tuple[str, str, str]]) -> str:
    """A list of texts of papers or models, each with what became of it, and the language that is said in."""
    rows = "".join(
        f'<li lang="{language(text)}">{markup(text)} <span class="fate" lang="{spoken}">'
        f"{markup(outcome)}</span></li>"
        for text, outcome, spoken in items
    )
    return f"<h3>{escape(heading)}</h3><ol>{rows}</ol>" if rows else ""


def _author(receipt: Receipt, texts: Texts) -> str:
    if receipt.mode == "generated":
        return texts.generated.format(model=receipt.model or "")
    if receipt.mode == "screened":
        return texts.screened.format(model=receipt.model or "")
    return texts.extractive


def _in_words(probability: float, texts: Texts) -> str:
    return next(w for w, floor in zip(texts.confidence, _FLOORS, strict=True) if probability >= floor)


def _tokens(receipt: Receipt) -> tuple[int, int]:
    return receipt.tokens.prompt, receipt.tokens.completion


def _cost_in_all(given: Sequence[Receipt], said: AnswerTexts) -> str:
    costs = [receipt.cost_usd for receipt in given]
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs):
        return f"{said.cost.lower()} {said.unpriced}"
    return said.total_cost.format(cost=_dollars(sum(known)))


def _seconds(seconds: float, texts: Texts) -> str:
    shown = "<0.01" if seconds < 0.01 else f"{seconds:.2g}" if seconds < 100 else f"{seconds:.0f}"
    return texts.seconds.format(seconds=shown)


def _dollars(cost: float) -> str:
    return f"{cost:.2g}" if cost < 1 else f"{cost:,.2f}"
