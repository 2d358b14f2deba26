"""The cases of a run as HTML, those that fail first: question, answer, citations, verdict and why."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from eval.cases import Case
from eval.run import Outcome
from eval.tables import number
from rag.records import Answer, Checked, Citation, CitedSpan, Decision, Fate, Paper, Receipt, Tokens
from ui.eval_texts import EvalTexts
from ui.papers import title
from ui.prose import prose
from ui.receipts import summary
from ui.render import verdict
from ui.scholarly import language, markup
from ui.texts import Texts


def case_list(outcomes: Sequence[Outcome], papers: Mapping[str, Paper], texts: Texts, said: EvalTexts) -> str:
    """Every case as something to open; those that pass wait behind one line. `papers` are known by id."""
    failing = [outcome for outcome in outcomes if not outcome.passed]
    passing = [outcome for outcome in outcomes if outcome.passed]

    def drawn(group: Sequence[Outcome]) -> str:
        return "".join(_case(outcome, papers, texts, said) for outcome in group)

    html = f"<h2>{escape(said.cases)}</h2>"
    if failing:
        heading = said.failing[len(failing) == 1].format(count=len(failing))
        html += f'<h3 class="failing">{escape(heading)}</h3>{drawn(failing)}'
    if passing:
        heading = said.passing[len(passing) == 1].format(count=len(passing))
        summary = f"<summary><h3>{escape(heading)}</h3></summary>"
        html += f'<details class="passing">{summary}{drawn(passing)}</details>'
    return html


def answer_of(fields: Mapping[str, Any], papers: Mapping[str, Paper]) -> Answer:
    """The answer that `Answer.as_json` wrote; its papers are the index's own records where it has them."""

    def paper(record: Mapping[str, Any]) -> Paper:
        known = papers.get(record["id"])
        return known or Paper(record["id"], record["title"], "", url=record.get("url"))

    return Answer(
        question=fields["question"],
        kind=fields["kind"],
        language=fields["language"],
        text=fields["text"],
        abstained=fields["abstained"],
        confidence=fields["confidence"],
        citations=tuple(
            Citation(one["number"], paper(one["paper"]), tuple(CitedSpan(**span) for span in one["spans"]))
            for one in fields["citations"]
        ),
        papers=tuple(
            Decision(paper(one), one["decision"], one["quote"], 0.0, one["reason"])
            for one in fields["papers"]
        ),
        count=fields["count"],
        receipt=_receipt(fields["receipt"]),
    )


def _receipt(noted: Mapping[str, Any]) -> Receipt:
    made = {
        "tokens": Tokens(**noted["tokens"]),
        "retrieved": tuple(Fate(**one) for one in noted.get("retrieved", ())),
        "checked": tuple(
            Checked(**{**one, "missing": tuple(one["missing"])}) for one in noted.get("checked", ())
        ),
    }
    return Receipt(**{**noted, **made})


def _case(outcome: Outcome, papers: Mapping[str, Paper], texts: Texts, said: EvalTexts) -> str:
    case = outcome.case
    parts = [_before(case, said), _why(outcome, papers, said)]
    if outcome.answer:
        answer = answer_of(outcome.answer, papers)
        parts += [_answer(answer, texts, said), _named(answer, case, texts, said)]
    parts += [_expected(case, papers, said), _scores(outcome, said)]
    return (
        f'<details class="case {"passed" if outcome.passed else "failed"}" data-case="{escape(case.id)}">'
        f'<summary><span class="kind">{escape(said.names.kind[case.kind])}</span>'
        f'<span class="asked" lang="{language(case.question)}">{markup(case.question)}</span>'
        f"{_in_short(outcome, said)}</summary>"
        f'<div class="body">{"".join(parts)}</div></details>'
    )


def _before(case: Case, said: EvalTexts) -> str:
    """The earlier turns of a conversation."""
    return "".join(
        f'<p class="before">{escape(said.asked_before).format(turn=markup(turn))}</p>'
        for turn in case.turns[:-1]
    )


def _why(outcome: Outcome, papers: Mapping[str, Paper], said: EvalTexts) -> str:
    reasons = "".join(f"<li>{_reason(reason, papers, said)}</li>" for reason in outcome.why)
    return f'<h4>{escape(said.why)}</h4><ul class="why">{reasons}</ul>' if reasons else ""


def _in_short(outcome: Outcome, said: EvalTexts) -> str:
    """The reasons without what they are about, each once."""
    heads = dict.fromkeys(reason.partition(": ")[0] for reason in outcome.why)
    short = " · ".join(said.names.reasons.get(head, head) for head in heads)
    return f'<span class="short">{escape(short)}</span>' if short else ""


def _reason(reason: str, papers: Mapping[str, Paper], said: EvalTexts) -> str:
    """A reason of eval's in the reader's language, a paper by its title."""
    head, colon, rest = reason.partition(": ")
    told = escape(said.names.reasons.get(head, head))
    if not colon:
        return told
    if paper := papers.get(rest):
        return f'{told}: <span lang="{language(paper.title)}">{markup(paper.title)}</span>'
    return f'{told}: <code lang="en">{escape(rest)}</code>'


def _answer(answer: Answer, texts: Texts, said: EvalTexts) -> str:
    numbers = {citation.number for citation in answer.citations}

    def cite(number: int, sentence: int) -> str:
        return f'<span class="cite">[{number}]</span>' if number in numbers else f"[{number}]"

    refused = f'<p class="abstained">{escape(said.abstained)}</p>' if answer.abstained else ""
    text = prose(answer.text, cite, lists=not answer.papers)
    return (
        f'<h4>{escape(said.answer)}</h4><div class="answer" lang="{answer.language}">{refused}{text}</div>'
        f"{summary(answer, texts)}"
    )


def _named(answer: Answer, case: Case, texts: Texts, said: EvalTexts) -> str:
    """Each paper that is cited or decided yes or maybe, once, with the words of it that are quoted."""
    papers = {c.paper.id: c.paper for c in answer.citations} | {d.paper.id: d.paper for d in answer.papers}
    citations = {citation.paper.id: citation for citation in answer.citations}
    decisions = {decision.paper.id: decision for decision in answer.papers}
    rows = "".join(
        f"<li>{title(paper, after=_tags(paper, citations, decisions, case, texts, said))}"
        f"{_quotes(citations.get(name), decisions.get(name), texts)}</li>"
        for name, paper in papers.items()
    )
    return f'<h4>{escape(said.named)}</h4><ul class="named">{rows}</ul>' if rows else ""


def _tags(
    paper: Paper,
    citations: Mapping[str, Citation],
    decisions: Mapping[str, Decision],
    case: Case,
    texts: Texts,
    said: EvalTexts,
) -> str:
    tags = []
    if paper.id in citations:
        tags.append(f'<span class="cite">[{citations[paper.id].number}]</span>')
    if paper.id in decisions:
        tags.append(f'<span class="tag">{escape(texts.choices[decisions[paper.id].choice])}</span>')
    if paper.id in case.gold:
        tags.append(f'<span class="tag right">{escape(said.right)}</span>')
    elif paper.id in case.ok_extra:
        tags.append(f'<span class="tag">{escape(said.tolerated)}</span>')
    return "".join(f" {tag}" for tag in tags)


def _quotes(citation: Citation | None, decision: Decision | None, texts: Texts) -> str:
    spans = dict.fromkeys((span.quote, span.verdict) for span in citation.spans) if citation else {}
    quotes = [f"{_quoted(quote, texts)} {verdict(judged, texts)}" for quote, judged in spans]
    if decision and decision.quote and decision.quote not in {quote for quote, _ in spans}:
        quotes.append(_quoted(decision.quote, texts))
    return "".join(f'<p class="quote">{quote}</p>' for quote in quotes)


def _quoted(quote: str, texts: Texts) -> str:
    return (
        f'<span lang="{language(quote)}">{texts.quotation.format(quote=markup(quote))}</span>'
        if quote
        else ""
    )


def _expected(case: Case, papers: Mapping[str, Paper], said: EvalTexts) -> str:
    return (
        f'<h4>{escape(said.expected)}</h4><ul class="expected">'
        f"{''.join(f'<li>{line}</li>' for line in _expectations(case, papers, said))}</ul>"
    )


def _expectations(case: Case, papers: Mapping[str, Paper], said: EvalTexts) -> Iterator[str]:
    if not case.answerable:
        yield escape(said.expected_refusal)
        return
    if case.asks_for_list and not case.gold:
        yield escape(said.expected_none)
    for gold in case.gold:
        name = papers[gold].title if gold in papers else gold
        yield f'<span lang="{language(name)}">{markup(name)}</span>'
    for nugget in case.nuggets:
        ways = f" {escape(said.any_of)} ".join(f"<code>{escape(way)}</code>" for way in nugget)
        yield f"{escape(said.fact)}: {ways}"


def _scores(outcome: Outcome, said: EvalTexts) -> str:
    """Every score by eval's name for it, and what crashed."""
    scores = " · ".join(f"{escape(name)} {number(score)}" for name, score in outcome.scores.items())
    summary = escape(said.scores).format(id=f"<code>{escape(outcome.case.id)}</code>")
    error = f'<p lang="en">{escape(outcome.error)}</p>' if outcome.error else ""
    return f'<details class="scores"><summary>{summary}</summary><p lang="en">{scores}</p>{error}</details>'
