"""What the page says, without a browser: whatever the text, it is shown and never obeyed."""

import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shown_html import Shown, hostile

from rag.records import Answer, Citation, CitedSpan, Decision, Paper, Receipt, Span, Tokens
from ui.atoms import as_highlighted
from ui.chat import Chat, Entry
from ui.examples import examples
from ui.mathml import mathml, symbols
from ui.papers import address, paper_list, source_cards
from ui.prose import prose
from ui.render import current, history
from ui.scholarly import atoms, markup, plain
from ui.texts import texts_for

EN, ZH = texts_for("en"), texts_for("zh")
# Text without a sign that TeX, Markdown or HTML entities give a meaning.
bland = st.text(
    st.characters(exclude_characters="\\$*_`~&'-{}\x00", exclude_categories=("Cs",)), max_size=60
).filter(lambda text: "http" not in text)


def paper(**changes: object) -> Paper:
    fields = {
        "id": "p",
        "title": "A title",
        "abstract": "First one. Second one.",
        "url": "https://o.example/p",
    }
    return Paper(**(fields | changes))  # type: ignore[arg-type]


def answered(**changes: object) -> Chat:
    fields = {"question": "What?", "kind": "lookup", "language": "en", "text": "It says so [1]."}
    answer = Answer(**(fields | changes))  # type: ignore[arg-type]
    return Chat((Entry(answer.question, "answered", answer=answer),))


def cited(quote: str, *, source: Paper | None = None, **changes: object) -> Chat:
    return answered(citations=(Citation(1, source or paper(), (CitedSpan(0, quote),)),), **changes)


def cards(chat: Chat) -> Shown:
    return Shown(source_cards([entry.answer for entry in chat.entries], EN))


def unlinked(links: Iterable[str]) -> list[str]:
    """Links that lead off the page."""
    return [link for link in links if not re.fullmatch(r"#paper-\d+|#current", link)]


# --- titles, abstracts, quotes ---


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"up to 2.0$\times$ on", "up to 2.0× on"),
        (r"a **t**w, *TRON* and _so_ on", "a tw, TRON and so on"),
        (r"at~\url{https://github.com/a_b}", "at\u00a0https://github.com/a_b"),
        (r"\href{https://p.example}{Our page}", "Our page (https://p.example)"),
        (r"``lottery'' Mat\'ern G\"odel \'{E}cole {\L}ód{\'z}", "“lottery” Matérn Gödel École {Ł}ódź"),
        (r"$\texttt{LIRS}$, $\textbf{Gra}$dient, {\em do}", "LIRS, Gradient, do"),
        (r"$5 and $6, 90\% of $10", "$5 and $6, 90% of $10"),
        (r"1--3, bias---variance, R\&D", "1–3, bias—variance, R&D"),
        (r"A* and n*m*k, snake_case_name", "A* and n*m*k, snake_case_name"),
        (r"\"quoted\" ~5 \ours{} \textbf{open", r"\"quoted\" ~5 \ours{} \textbf{open"),
        ("a &lt; b &amp; c &nosuch; &#1;", "a < b & c &nosuch; &#1;"),
        (r"<b>bold</b> ![i](http://e.example/i.png)", r"<b>bold</b> ![i](http://e.example/i.png)"),
        (r"***FaceShot*** and __ProDe__", "FaceShot and ProDe"),
    ],
)
def test_text_reads_as_its_author_meant_it(written: str, read: str) -> None:
    assert plain(written) == read
    assert Shown(markup(written)).text == read


def test_formulas_are_laid_out_without_a_script() -> None:
    shown = Shown(markup(r"runs in $O(n^2)$ and $\frac{a}{b}$"))
    assert shown.tags.count("math") == 2
    assert {"msup", "mfrac"} <= set(shown.tags)
    assert plain(r"$O(n\log n)$ and $x^2$") == "O(n log n) and x^2"


def test_a_formula_that_cannot_be_laid_out_is_shown_as_written() -> None:
    assert mathml("x" * 500) is None
    assert symbols("x" * 500) is None
    assert "<code>" in markup("$" + "{" * 300 + "$")
    assert Shown(markup(r"$\href{javascript:alert(1)}{x} \style{color:red}{<b>}$")).links == []


@given(hostile)
def test_atoms_cover_the_text_without_gaps(text: str) -> None:
    pieces = atoms(text)
    assert [piece.start for piece in pieces] == [0, *(piece.end for piece in pieces[:-1])][: len(pieces)]
    assert sum(piece.end - piece.start for piece in pieces) == len(text)


@given(hostile)
def test_whatever_a_paper_holds_is_only_shown(text: str) -> None:
    assert Shown(markup(text)).links == []


@given(bland)
def test_text_without_special_signs_is_shown_as_it_is(text: str) -> None:
    assert plain(text) == text
    assert Shown(markup(text)).text == text.replace("\r\n", "\n").replace("\r", "\n") or "\r" in text


@given(hostile, st.data())
def test_highlighting_changes_no_character(text: str, data: st.DataObject) -> None:
    edges = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True)))
    spans = [Span(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False)]
    shown = Shown(
        as_highlighted(atoms(text), {span: f'class="now" data-place="{i}"' for i, span in enumerate(spans)})
    )
    assert shown.text == Shown(markup(text)).text


@given(bland, bland, bland)
def test_a_highlight_is_the_quote(before: str, quote: str, after: str) -> None:
    span = Span(len(before), len(before) + len(quote))
    shown = Shown(as_highlighted(atoms(before + quote + after), {span: 'class="now"'} if quote else {}))
    assert "".join(shown.marked).replace("\r", "") == quote.replace("\r", "")


# --- source cards ---


def test_a_card_marks_the_quoted_sentence() -> None:
    shown = cards(cited("Second one."))
    assert shown.marked == ["Second one."]
    assert "https://o.example/p" in shown.links


def test_a_quote_around_a_formula_marks_the_whole_of_it() -> None:
    source = paper(abstract=r"We gain 2.0$\times$ on *all* tasks. Then we stop.")
    assert cards(cited(r"We gain 2.0$\times$ on *all* tasks.", source=source)).marked == [
        "We gain 2.0× on all tasks."
    ]


def test_overlapping_quotes_are_all_marked() -> None:
    spans = (CitedSpan(0, "First one. Second"), CitedSpan(1, "Second one."))
    shown = cards(answered(citations=(Citation(1, paper(), spans),)))
    assert "".join(shown.marked) == "First one. Second one."


def test_a_quote_of_the_title_or_the_record_is_marked_there() -> None:
    source = paper(abstract="Of temporal things.", venue="ICLR", year=2025, track="oral")
    for quote in ("A title", "ICLR 2025", "oral"):
        assert cards(cited(quote, source=source)).marked == [quote]


def test_a_quote_that_is_nowhere_in_the_record_is_shown_below_it() -> None:
    shown = cards(cited("Words of another paper."))
    assert shown.marked == []
    assert "Quoted “Words of another paper.”" in shown.text


def test_doubtful_support_is_said_in_words() -> None:
    spans = (CitedSpan(0, "First one.", "weak"), CitedSpan(1, "Second one.", "unsupported"))
    chat = answered(text="So [1]. And so [1].", citations=(Citation(1, paper(), spans),))
    for words in ("weakly supported", "not supported by the abstract"):
        assert words in Shown(current(chat, EN)).text
        assert words in cards(chat).text


def test_earlier_sources_stay_under_the_latest() -> None:
    first, second = (
        cited("First one."),
        answered(citations=(Citation(2, paper(id="q", title="Another"), ()),)),
    )
    text = cards(Chat((*first.entries, *second.entries))).text
    assert text.index("Another") < text.index("Cited earlier") < text.index("A title")


@given(hostile, hostile, hostile, hostile)
def test_whatever_a_record_holds_no_card_runs_or_loads_it(
    title: str, abstract: str, quote: str, name: str
) -> None:
    source = paper(title=title, abstract=abstract, authors=(name, title), venue=name, track=quote, url=quote)
    chat = cited(quote, source=source)
    assert unlinked(cards(chat).links) == [link for link in [address(quote)] if link]
    assert unlinked(Shown(paper_list([source], EN)).links) == []


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
        "vbscript:x", "data:text/html,x", "file:///etc/passwd", "//e.example/x", "http:///x",
        "https://e.example/a b",
        "http://[", "", None,
    ],
)  # fmt: skip
def test_only_plain_web_addresses_become_links(url: str | None) -> None:
    assert address(url) is None
    assert unlinked(cards(cited("First one.", source=paper(url=url))).links) == []


def test_a_web_address_is_escaped_and_named_by_its_site() -> None:
    shown = cards(cited("First one.", source=paper(url='https://www.e.example/?a=1&b="2')))
    assert unlinked(shown.links) == ['https://www.e.example/?a=1&b="2']
    assert "Open on e.example" in shown.text
    assert (
        "Open on OpenReview" in cards(cited("", source=paper(url="https://openreview.net/forum?id=x"))).text
    )


# --- answers ---


def test_an_answer_links_its_numbers_and_names_title_and_quote() -> None:
    html = current(cited("Second one."), EN)
    assert Shown(html).links == ["#paper-1"]
    assert 'title="A title\n“Second one.”"' in html
    assert 'data-place="0-0"' in html


def test_a_number_leads_to_the_words_its_own_sentence_cites() -> None:
    spans = (CitedSpan(0, "First one."), CitedSpan(2, "Second one."))
    chat = answered(text="So [1]. Plain. And so [1].", citations=(Citation(1, paper(), spans),))
    assert re.findall(r'data-place="([^"]+)"', current(chat, EN)) == ["0-0", "0-2"]


def test_a_number_of_an_earlier_turn_still_leads_to_its_card() -> None:
    later = answered(text="As said [1], and [7].")
    shown = Shown(current(Chat((*cited("First one.").entries, *later.entries)), EN))
    assert shown.links == ["#paper-1"]
    assert "[7]" in shown.text


def test_markdown_of_an_answer_becomes_blocks() -> None:
    table = "| x | y |\n|---|---|\n| 1 | 2 |"
    shown = Shown(
        prose(f"# H\n\n- **a** [1]\n- b\n\n3. c\n\n{table}\n\n```\nif a < b:\n\n  c\n```", str_mark)
    )
    assert {"h3", "ul", "strong", "li", "ol", "table", "td", "pre"} <= set(shown.tags)
    assert "if a < b:\n\n  c" in shown.text


def str_mark(number: int, sentence: int) -> str:
    return f"[{number}/{sentence}]"


@given(hostile)
def test_whatever_a_model_writes_is_only_shown(text: str) -> None:
    assert Shown(prose(text, str_mark)).links == []
    assert unlinked(Shown(current(cited("First one.", text=text, question=text), EN)).links) == []
    writing = Chat(
        (Entry(text, "writing", text), Entry(text, "stopped", text), Entry(text, "failed", message=text))
    )
    for chat in (Chat(writing.entries[:1]), Chat(writing.entries[:2]), writing):
        assert Shown(history(chat, EN) + current(chat, EN)).links == []


def test_every_found_paper_is_listed_with_its_quote() -> None:
    found = tuple(
        Decision(paper(id=str(n), title=f"Paper {n}"), "yes" if n % 2 else "maybe", f"Quote {n}", 0.5)
        for n in range(300)
    )
    text = Shown(current(answered(kind="enumerate", papers=found, count=150), EN)).text
    assert all(f"Paper {n}ICLR" in text or f"Paper {n}“" in text for n in range(300))
    assert "150 match" in text
    assert "150 may match" in text
    assert text.index("Paper 299") < text.index("Paper 0")


def test_papers_that_the_text_lists_too_are_shown_once() -> None:
    found = (Decision(paper(), "yes", "First one.", 1.0),)
    source = Citation(1, paper(), (CitedSpan(1, "First one."),))
    chat = answered(
        text="1 paper.\n- **A title**: “First one.” [1]\n\nThat is all.", citations=(source,), papers=found
    )
    shown = Shown(current(chat, EN))
    assert shown.text.count("First one.") == 1
    assert "That is all." in shown.text
    assert "#paper-1" in shown.links


def test_the_receipt_says_how_the_answer_came_about() -> None:
    receipt = Receipt(
        "generated", "some-model", "a topic", 1234, {"total": 2.345}, Tokens(2000, 150), 0.00213
    )
    text = Shown(current(answered(receipt=receipt, confidence=0.714), EN)).text
    said = ("likely right", "written by some-model", "1,234 papers considered")
    assert "searched for “a topic”" in text
    assert "\u00a0· ".join((*said, "2.3\u00a0s", "2000 + 150 tokens", "$0.0021")) in text
    assert "71 %" in current(answered(confidence=0.714), EN)
    assert "quoted from the abstracts" in Shown(current(answered(), EN)).text
    assert "right" not in Shown(current(answered(), EN)).text
    assert "摘自原文" in Shown(current(answered(), ZH)).text


def test_what_went_wrong_on_the_way_is_said_first() -> None:
    text = Shown(current(answered(receipt=Receipt(notice="The model <was> down.")), EN)).text
    assert text.index("The model <was> down.") < text.index("It says so")


def test_text_that_is_being_written_links_only_papers_that_are_known() -> None:
    chat = Chat((*cited("First one.").entries, Entry("More?", "writing", "As in [1] and [2]")))
    shown = Shown(current(chat, EN))
    assert (shown.links, "[2]" in shown.text) == (["#paper-1"], True)
    stopped = Shown(current(chat.with_last(Entry("More?", "stopped", "As in [1] and [2]")), EN))
    assert (stopped.links, "[2]" in stopped.text) == (["#paper-1"], False)


# --- examples, languages ---


def test_examples_come_from_the_papers() -> None:
    papers = [
        paper(title="PRISM-2: Masks for All", track="poster"),
        paper(title="Robust Optimal Transport", track="poster"),
        paper(title="Neural Optimal Transport", track="oral"),
    ]
    assert examples(papers, EN) == (
        "How does PRISM-2 work?",
        "Which papers are about optimal transport?",
        "What is the main finding of “Neural Optimal Transport”?",
        "How many of the papers are oral papers?",
    )
    assert examples(papers, ZH)[1] == "哪些论文研究 optimal transport？"
    assert examples([], EN) == examples([paper(titled=False)], EN) == ()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-US,en;q=0.9,zh;q=0.8", "en"),
        ("de,zh;q=0.3", "zh"),
        ("zh-TW", "zh"),
        ("de-DE", "en"),
        ("zh;q=x,en;q=0.1", "en"),
        ("*", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_the_browser_chooses_the_language(header: str | None, language: str) -> None:
    assert texts_for(header).language == language
