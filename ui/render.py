"""Entries of a chat as HTML. Pure: values in, safe HTML out.

Everything that comes from a paper, a model or a reader goes through `ui.scholarly` or `html.escape`; the only
links are the citations of this page and the http(s) address of a paper's record.
"""

from collections.abc import Iterable, Sequence
from html import escape

from rag.records import Answer, Choice, Citation, CitedSpan, Decision, Receipt, Verdict
from ui.chat import Chat, Entry
from ui.papers import byline, dotted, title
from ui.prose import Cite, prose
from ui.scholarly import language, markup, plain
from ui.texts import Texts

_DOUBT: Sequence[Verdict] = ("unsupported", "weak")  # worst first
_ALL_IN_VIEW = 8  # papers of a list shown without a scroll bar of their own


def history(chat: Chat, texts: Texts) -> str:
    """All entries but the last, which `current` shows."""
    return "".join(_entry(chat, index, texts) for index in range(len(chat.entries) - 1))


def current(chat: Chat, texts: Texts) -> str:
    """The last entry, finished or being written; empty for an empty chat."""
    return _entry(chat, len(chat.entries) - 1, texts) if chat.entries else ""


def _entry(chat: Chat, index: int, texts: Texts) -> str:
    entry = chat.entries[index]
    earlier = Chat(chat.entries[:index])
    if entry.answer:
        body = _answer(entry.answer, index, earlier, texts)
    elif entry.state == "failed":
        body = _notice("failed", f"{texts.failed} {entry.message}")
    else:
        body = _unfinished(entry, index, earlier, texts)
    tag = f' lang="{entry.answer.language}"' if entry.answer else ""
    return (
        f'<article class="turn {entry.state}" id="turn-{index}" aria-busy="{str(chat.writing).lower()}">'
        f'<h2 class="question" lang="{language(entry.question)}">{markup(entry.question)}</h2>'
        f'<div class="answer"{tag}>{body}</div></article>'
    )


def _unfinished(entry: Entry, index: int, earlier: Chat, texts: Texts) -> str:
    """Text that is being written, or was when the reader stopped it; numbers lead to papers known before."""
    known = {c.number: c for answer in earlier.answers for c in answer.citations}

    def cite(number: int, sentence: int) -> str:
        if number in known:
            return _mark(known[number], (), f"{index}-{sentence}", texts)
        return f'<span class="cite">[{number}]</span>' if entry.state == "writing" else ""

    body = prose(entry.text, cite)
    if entry.state == "stopped":
        return body + _notice("stopped", texts.stopped)
    return body or f'<p class="reading" role="status">{escape(texts.reading)}<span class="dots"></span></p>'


def _answer(answer: Answer, index: int, earlier: Chat, texts: Texts) -> str:
    before = _notice("warning", answer.receipt.notice) if answer.receipt.notice else ""
    if answer.abstained and answer.kind != "offtopic":
        before += f'<p class="abstained">{escape(texts.abstained)}</p>'
    cite = _citing(answer, index, earlier, texts)
    # The text of a list answer names its papers too, for those who read it without this page.
    text = prose(answer.text, cite, lists=not answer.papers)
    return before + text + _found(answer, cite, texts) + receipt(answer, texts)


def _citing(answer: Answer, index: int, earlier: Chat, texts: Texts) -> Cite:
    known = {c.number: c for a in (*earlier.answers, answer) for c in a.citations}
    own = {citation.number: citation for citation in answer.citations}

    def cite(number: int, sentence: int) -> str:
        if number not in known:
            return f"[{number}]"
        spans = _spans_of(own[number], sentence) if number in own else ()
        return _mark(known[number], spans, f"{index}-{sentence}", texts)

    return cite


def _spans_of(citation: Citation, sentence: int) -> tuple[CitedSpan, ...]:
    """The spans this sentence cites; where none is recorded for it, those of the nearest sentence."""
    if not citation.spans:
        return ()
    nearest = min(citation.spans, key=lambda span: abs(span.sentence - sentence)).sentence
    return tuple(span for span in citation.spans if span.sentence == nearest)


def _mark(citation: Citation, spans: Sequence[CitedSpan], place: str, texts: Texts) -> str:
    """`[n]` as a link to the card of its paper; `place` names the sentence for the marks in the card."""
    name = " ".join(plain(citation.paper.title).split())
    quotes = " … ".join(plain(span.quote) for span in spans if span.quote)
    hover = f"{name}\n{texts.quotation.format(quote=quotes)}" if quotes else name
    if spans:
        place = f"{place.partition('-')[0]}-{spans[0].sentence}"
    doubt = next((verdict for verdict in _DOUBT if any(span.verdict == verdict for span in spans)), None)
    mark = (
        f'<a class="cite" href="#paper-{citation.number}" data-place="{place}" title="{escape(hover)}"'
        f' lang="{language(name)}" aria-label="[{citation.number}] {escape(name)}">[{citation.number}]</a>'
    )
    return f"{mark}{verdict(doubt, texts)}" if doubt else mark


def verdict(judged: Verdict, texts: Texts) -> str:
    """What the verifier says of a statement and the words it cites."""
    return f'<span class="verdict {judged}">{escape(texts.verdicts[judged])}</span>'


def _notice(kind: str, message: str) -> str:
    return f'<p class="notice {kind}" role="note">{escape(message)}</p>'


def _found(answer: Answer, cite: Cite, texts: Texts) -> str:
    """The decided papers of a list answer, all of them, those that match first."""
    groups = "".join(
        _group(choice, [d for d in answer.papers if d.choice == choice], answer, cite, texts)
        for choice in ("yes", "maybe")
    )
    if not groups:
        return ""
    scrolls = " scrolls" if len(answer.papers) > _ALL_IN_VIEW else ""
    return (
        f'<section class="found{scrolls}" role="region" tabindex="0" aria-label="{escape(texts.list_label)}">'
        f"{groups}</section>"
    )


def _group(choice: Choice, decisions: Sequence[Decision], answer: Answer, cite: Cite, texts: Texts) -> str:
    if not decisions:
        return ""
    heading = texts.list_counts.format(choice=texts.choices[choice], count=len(decisions))
    numbers = {citation.paper.id: citation.number for citation in answer.citations}
    rows = "".join(_row(decision, numbers.get(decision.paper.id), cite, texts) for decision in decisions)
    return f'<h3 class="{choice}">{escape(heading)}</h3><ol class="{choice}">{rows}</ol>'


def _row(decision: Decision, number: int | None, cite: Cite, texts: Texts) -> str:
    paper = decision.paper
    mark = f" {cite(number, 0)}" if number else ""
    quote = texts.quotation.format(quote=markup(decision.quote)) if decision.quote else ""
    return (
        f'<li>{title(paper, link=True, after=mark)}<p class="byline">{byline(paper, texts, authors=3)}</p>'
        f'<p class="quote" lang="{language(decision.quote)}">{quote}</p></li>'
    )


def receipt(answer: Answer, texts: Texts) -> str:
    """One line: how sure, what was searched for, how it was written, what it took."""
    parts = [escape(part) for part in _receipt_parts(answer.receipt, texts)]
    if answer.confidence is not None:
        parts.insert(0, _confidence(answer.confidence, texts))
    return f'<p class="receipt">{dotted(parts)}</p>'


def _confidence(probability: float, texts: Texts) -> str:
    word = next(
        w for w, floor in zip(texts.confidence, (0.85, 0.6, 0.35, 0.0), strict=True) if probability >= floor
    )
    number = texts.confidence_number.format(percent=round(100 * probability))
    return f'<abbr class="confidence" title="{escape(number)}">{escape(word)}</abbr>'


def _receipt_parts(receipt: Receipt, texts: Texts) -> Iterable[str]:
    if receipt.searched_for:
        yield texts.searched_for.format(query=plain(receipt.searched_for))
    if receipt.mode == "generated":
        yield texts.generated.format(model=receipt.model or "")
    else:
        yield texts.extractive
    if receipt.considered:
        yield texts.considered[receipt.considered == 1].format(count=f"{receipt.considered:,}")
    if "total" in receipt.seconds:
        yield texts.seconds.format(seconds=f"{receipt.seconds['total']:.2g}")
    if receipt.tokens.prompt or receipt.tokens.completion:
        yield texts.tokens.format(prompt=receipt.tokens.prompt, completion=receipt.tokens.completion)
    if receipt.cost_usd:
        yield texts.cost.format(cost=f"{receipt.cost_usd:.2g}")
