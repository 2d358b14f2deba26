"""Answers and conversations as Markdown, as a CommonMark reader takes them."""

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag.export.conversation import answer_markdown, conversation_markdown, inert
from rag.grounding.marks import marks
from rag.records import (
    Answer,
    Citation,
    CitedSpan,
    Conversation,
    Decision,
    Paper,
    Receipt,
    Verdict,
)
from rag.sources.seed import default_papers

if TYPE_CHECKING:
    from rag.engine import PaperQueryEngine

FIRST, SECOND, THIRD = default_papers()[:3]


def tokens(source: str) -> list[Token]:
    """Every token of a document, those inside its lines too."""
    found = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(source)
    return [*found, *(child for token in found for child in token.children or ())]


def headings(source: str) -> list[str]:
    found = MarkdownIt("commonmark").parse(source)
    return [found[i + 1].content for i, token in enumerate(found) if token.type == "heading_open"]


def cite(number: int, paper: Paper, quote: str, verdict: Verdict = "supported") -> Citation:
    return Citation(number, paper, (CitedSpan(0, quote, verdict),))


def answer(text: str, *citations: Citation, question: str = "Why?", **fields: object) -> Answer:
    return Answer(question, "lookup", **{"language": "en", "text": text, "citations": citations, **fields})  # type: ignore[arg-type]


def test_an_answer_is_its_text_then_its_references_with_quotes() -> None:
    said = answer("It is so [2]. And so [1].", cite(2, SECOND, "a *b* c"), cite(1, FIRST, "d", "weak"))
    assert answer_markdown(said) == (
        "It is so [2]. And so [1].\n\n"
        "### References\n\n"
        "[1] **Diffusing to the Top: Boost Graph Neural Networks with Minimal Hyperparameter Tuning**. "
        "Lequan Lin, Dai Shi, Andi Han, Zhiyong Wang, Junbin Gao. ICLR 2025 (poster). "
        "<https://openreview.net/forum?id=D756s2YQ6b>\n\n"
        "> “d” (weak support)\n\n"
        "[2] **QA-Calibration of Language Model Confidence Scores**. Putra Manggala, Atalanti A. Mastakouri, "
        "Elke Kirschbaum, Shiva Kasiviswanathan, Aaditya Ramdas. ICLR 2025 (poster). "
        "<https://openreview.net/forum?id=D2hhkU5O48>\n\n"
        "> “a \\*b\\* c”\n"
    )


def test_an_answer_without_papers_is_its_text() -> None:
    assert answer_markdown(answer("Hello!")) == "Hello!\n"


def test_the_papers_of_a_list_that_the_text_does_not_cite_are_listed_too() -> None:
    decisions = tuple(
        Decision(paper, choice, "", 1.0)
        for paper, choice in ((FIRST, "yes"), (SECOND, "yes"), (THIRD, "maybe"))
    )
    shown = answer_markdown(answer("One of 3 [1].", cite(1, FIRST, "q"), papers=decisions))
    text, also, rest = shown.partition("\n\nAlso in the list:\n\n")
    assert (text, bool(also)) == ("One of 3 [1].", True)
    listed = rest.split("\n\n")[0].splitlines()
    assert [SECOND.title in listed[0], THIRD.title in listed[1]] == [True, True]
    assert [line.endswith(" (may match)") for line in listed] == [False, True]
    assert rest.count(FIRST.title) == 1


def test_a_conversation_keeps_its_numbers_and_quotes_each_sentence_once() -> None:
    first = answer("A [1].", cite(1, FIRST, "one"), question="What is *it*?\n# really")
    again = (cite(2, SECOND, "two"), cite(1, FIRST, "one"), cite(1, FIRST, "three"))
    second = answer("B [2] and [1].", *again)
    shown = conversation_markdown(Conversation().with_turn(first).with_turn(second))
    assert headings(shown) == [r"What is \*it\*? # really", "Why?", "References"]
    body, _, references = shown.partition("## References\n\n")
    assert body.index("A [1].") < body.index("B [2] and [1].")
    assert re.findall(r"(?m)^\[(\d+)\] ", references) == ["1", "2"]
    assert re.findall(r"(?m)^> “(.*)”", references) == ["one", "three", "two"]
    assert conversation_markdown(Conversation()) == ""


def test_a_chinese_answer_has_chinese_headings() -> None:
    said = answer("是的 [1]。", cite(1, FIRST, "q", "unsupported"), language="zh")
    shown = answer_markdown(said)
    assert headings(shown) == ["参考文献"]
    assert "> “q” (不支持该陈述)" in shown


def test_nothing_of_how_the_answer_came_about_is_in_it() -> None:
    receipt = Receipt("generated", "secret-model", "secret search", notice="secret notice")
    said = answer("A [1].", cite(1, FIRST, "q"), receipt=receipt)
    shown = answer_markdown(said) + conversation_markdown(Conversation().with_turn(said))
    assert "secret" not in shown


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    r"\<img src=x onerror=alert(1)>",
    "<!-- the rest is hidden",
    "![x](https://tracker.example/p.png)",
    "[click](javascript:alert(1))",
    "[1]: https://evil.example",
    "- > [1]: https://evil.example",
    "<https://evil.example>",
    "# Another question",
    "Another question\n===",
    "Another question\n---",
    "```\nthe rest is code",
    "~~~\nthe rest is code",
    "> # Another question",
    "a\x1b[2J\x00b\u2028# c",
]
ACTIVE = {"html_block", "html_inline", "image", "link_open", "fence", "hr"}


@pytest.mark.parametrize("text", HOSTILE)
def test_an_answers_text_can_open_nothing_of_its_own(text: str) -> None:
    said = answer(f"{text}\n\nSo [1].", cite(1, FIRST, text))
    shown = conversation_markdown(Conversation().with_turn(said))
    links = [token for token in tokens(shown) if token.type == "link_open"]
    assert [link.attrs["href"] for link in links] == [FIRST.url]
    assert not {token.type for token in tokens(shown)} & (ACTIVE - {"link_open"})
    assert headings(shown) == ["Why?", "References"]
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_record_or_question_can_open_nothing_of_its_own(text: str) -> None:
    forged = Paper("x", text, text, (text,), text, 2020, text, f"https://a/{text}")
    untitled = Paper("y", text, text, titled=False)
    said = answer("So [1], [2].", cite(1, forged, text), cite(2, untitled, text), question=text)
    shown = conversation_markdown(Conversation().with_turn(said))
    hrefs = [str(token.attrs["href"]) for token in tokens(shown) if token.type == "link_open"]
    assert all(href.startswith("https://a/") for href in hrefs)
    assert not {token.type for token in tokens(shown)} & (ACTIVE - {"link_open"})
    assert len(headings(shown)) == 2


markdown_texts = st.text(st.sampled_from("<>[]()!#=-`~\\*_:> \nab1/"), max_size=40)


@settings(deadline=None)
@given(markdown_texts)
def test_any_text_of_an_answer_is_inert(text: str) -> None:
    found = {token.type for token in tokens(f"{inert(text)}\n\nSo [1].")}
    assert not found & (ACTIVE - {"hr"} | {"heading_open"})


@settings(deadline=None)
@given(markdown_texts)
def test_the_marks_of_an_answer_stay(text: str) -> None:
    kept = inert(f"x{text}")
    assert [mark.number for mark in marks(kept)] == [mark.number for mark in marks(f"x{text}")]


def test_a_real_conversation_is_exported(seed_engine: "PaperQueryEngine") -> None:
    conversation = Conversation()
    for question in ("Which papers use conformal prediction?", "Who wrote it?", "What is GNN-Diff?"):
        conversation = conversation.with_turn(seed_engine.ask(question, conversation))
    shown = conversation_markdown(conversation)
    assert headings(shown)[-1] == "References"
    references = shown.partition("## References")[2]
    for paper_id, number in conversation.numbers.items():
        (title,) = (paper.title for paper in default_papers() if paper.id == paper_id)
        assert f"[{number}] **{title}**" in references
    for turn in conversation.turns:
        assert answer_markdown(turn.answer).startswith(turn.answer.text.splitlines()[0])
