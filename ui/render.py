"""Entries of a chat as HTML. Pure: values in, safe HTML out.

Everything that comes from a paper, a model or a reader goes through `ui.scholarly` or `html.escape`; the only
links are the citations of this page and the http(s) address of a paper's record.
"""

from collections.abc import Sequence
from html import escape

from rag.records import Answer, Citation, CitedSpan, Verdict
from rag.suggestions import follow_ups
from ui.answer_texts import AnswerTexts, answer_texts_for
from ui.chat import Chat, Entry
from ui.controls import button
from ui.listing import listing, told_by_table
from ui.prose import Cite, prose
from ui.reading import offer, progress
from ui.receipts import receipt, search, summary
from ui.scholarly import language, markup, plain
from ui.texts import Texts

_DOUBT: Sequence[Verdict] = ("unsupported", "weak")  # worst first


def history(chat: Chat, texts: Texts) -> str:
    """All entries but the last, which `current` shows."""
    return "".join(_entry(chat, index, texts) for index in range(len(chat.entries) - 1))


def current(chat: Chat, texts: Texts) -> str:
    """The last entry, finished or being written; empty for an empty chat."""
    return _entry(chat, len(chat.entries) - 1, texts) if chat.entries else ""


def _entry(chat: Chat, index: int, texts: Texts) -> str:
    entry = chat.entries[index]
    earlier = Chat(chat.entries[:index])
    last = index == len(chat.entries) - 1
    under = ""
    if entry.answer:
        body = _answer(entry.answer, index, earlier, texts)
        if entry.plan and last:
            reading = entry.state == "writing" and entry.read
            body += progress(entry.plan, reading, texts) if reading else offer(entry.plan, index, texts)
        asked = [entry.question for entry in chat.entries] if last else None
        under = _under(entry.answer, index, texts, last=asked)
    elif entry.state == "failed":
        body = _notice("failed", f"{texts.failed} {entry.message}")
    else:
        body = _unfinished(entry, index, earlier, texts)
    if last and entry.state in ("failed", "stopped"):
        again = _again(answer_texts_for(texts.language))
        under = f'<footer class="under" lang="{texts.tag}"><div class="acts">{again}</div></footer>'
    tag = f' lang="{entry.answer.language}"' if entry.answer else ""
    return (
        f'<article class="turn {entry.state}" id="turn-{index}" aria-busy="{str(chat.writing).lower()}">'
        f'<h2 class="question" lang="{language(entry.question)}">{markup(entry.question)}</h2>'
        f'<div class="answer"{tag}>{body}</div>{under}</article>'
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
    text = prose(answer.text, cite, lists=not answer.papers, omitted=told_by_table(answer))
    return before + text + listing(answer, index, cite, texts)


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


def _under(answer: Answer, index: int, texts: Texts, *, last: Sequence[str] | None) -> str:
    """What can be done with an answer and how it came about; under the last one also how to go on.

    `last` are the questions asked so far where the answer is the last one, else None.
    """
    said = answer_texts_for(texts.language)
    acts = button("copy", escape(said.copy), {"turn": index})
    if last is not None:
        acts += _again(said)
    onward = _onward(follow_ups(answer, last), said) if last is not None else ""
    return (
        f'<footer class="under" lang="{texts.tag}">{summary(answer, texts)}<div class="acts">{acts}'
        f"{search(answer, index, texts)}{receipt(answer, index, texts)}</div>{onward}</footer>"
    )


def _again(said: AnswerTexts) -> str:
    return button("retry", escape(said.retry)) + button("edit", escape(said.edit))


def _onward(questions: Sequence[str], said: AnswerTexts) -> str:
    """Buttons that ask these questions."""
    buttons = "".join(
        f'<li lang="{language(question)}">'
        f"{button('submit', markup(question), {'question': question}, kind='onward')}</li>"
        for question in questions
    )
    heading = f'<h3 class="label">{escape(said.onward)}</h3>'
    return (
        f'<nav class="next" aria-label="{escape(said.onward)}">{heading}<ul>{buttons}</ul></nav>'
        if buttons
        else ""
    )
