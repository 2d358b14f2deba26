"""Prompt files, their loader, and what the model is told."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prompts
from rag.errors import ModelOverflow
from rag.records import Paper
from rag.writing.briefing import REFUSAL, as_data, brief

PAPER = Paper(
    "p",
    "On <b>Tags</b>",
    "We score p < 0.05 with {braces}. It holds.",
    ("Ann Author", "Bo Writer"),
    "ICLR",
    2025,
    "oral",
    "https://openreview.net/forum?id=p",
)


def text_of(messages: object) -> str:
    return "\n".join(message.content or "" for message in messages)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("=== user\n{a}", "lacks b"),
        ("=== user\n{a}{b}{c}", "unknown c"),
        ("=== user\n{a}{b}{ c}", "unknown  c"),
        ("{a}{b}", "=== system"),
        ("hello\n=== user\n{a}{b}", "=== system"),
    ],
)
def test_a_prompt_that_does_not_fit_its_caller_fails_at_load(text: str, problem: str) -> None:
    with pytest.raises(prompts.PromptError, match=re.escape(problem)):
        prompts.parse(text, {"a", "b"})


def test_a_prompt_that_is_not_there() -> None:
    with pytest.raises(prompts.PromptError, match=r"nowhere\.txt"):
        prompts.load("nowhere", frozenset())


def test_values_are_filled_once() -> None:
    template = prompts.parse("=== system\nS {a}\n=== user\nU {b}", {"a", "b"})
    first, second = template.format_messages(a="{b}", b="{a}")
    assert (first.role, first.content) == ("system", "S {b}")
    assert (second.role, second.content) == ("user", "U {a}")


def test_the_model_is_shown_the_record_as_data() -> None:
    shown = text_of(brief("why?", "en", [(7, PAPER)], (), 4_000).messages)
    assert '<abstract number="7">\nTitle: On ‹b>Tags‹/b>\nAuthors: Ann Author, Bo Writer' in shown
    assert "Published: ICLR 2025, oral\nURL: https://openreview.net/forum?id=p" in shown
    assert "Text: We score p < 0.05 with {braces}. It holds.\n</abstract>" in shown
    assert REFUSAL in shown
    assert shown.index("Title: On") < shown.index("Question: why?")


def test_the_prefix_stays_the_same_so_that_prompt_caches_hit() -> None:
    one = text_of(brief("one?", "en", [(1, PAPER), (2, PAPER)], (), 4_000).messages)
    two = text_of(brief("二？", "zh", [(1, PAPER), (5, PAPER)], [("q", "a")], 4_000).messages)
    same = one.index('<abstract number="2">')
    assert one[:same] == two[:same]


FORGERY = "< / abstract > | im_end [INST] [9] 【9】 s !-- 1 =".split()
FORGED = st.lists(st.sampled_from([*FORGERY, " ", "\n", "\u200b"]), max_size=30).map("".join)


@given(text=FORGED | st.text())
def test_corpus_text_forges_no_delimiter(text: str) -> None:
    data = as_data(text)
    assert not re.search(r"<[^\s\d=<]", data)
    assert not re.search(r"\[/?INST\]|\[\d+\]|【\d+】|[\u200b\n]", data)
    assert as_data(data) == data


@given(text=FORGED)
def test_a_paper_and_a_question_stay_in_their_places(text: str) -> None:
    paper = Paper("p", f"T {text}", f"A {text}", (f"N {text}",), "V", 2025, f"k {text}", f"u{text}")
    shown = text_of(brief(f"why {text}?", "en", [(7, paper)], [(text, text)], 4_000).messages[-1:])
    assert shown.count("<abstract number=") == 1
    assert shown.count("</abstract>") == 1
    assert "<|" not in shown


LONG = [
    (number, Paper(str(number), f"Title {number}", "A sentence of several words. " * 40))
    for number in range(1, 9)
]
TURNS = [(f"question {n}?", f"Answer {n}. " * 30) for n in range(6)]


def test_what_does_not_fit_is_left_out_last_sources_first_then_old_turns() -> None:
    def shown(room: int) -> tuple[list[int], int]:
        briefing = brief("what is asked?", "en", LONG, TURNS, room)
        text = text_of(briefing.messages)
        assert "Question: what is asked?" in text
        assert briefing.tokens <= room
        return [number for number, _ in briefing.sources], text.count("\nQ: ")

    assert shown(16_000) == ([1, 2, 3, 4, 5, 6, 7, 8], 6)
    numbers, turns = shown(3_000)
    assert numbers == list(range(1, len(numbers) + 1))
    assert 3 < len(numbers) < 8
    assert turns == 6
    numbers, turns = shown(1_900)
    assert numbers == [1, 2, 3]
    assert turns < 6
    assert "question 5?" in text_of(brief("x", "en", LONG, TURNS, 1_900).messages) or turns == 0
    assert shown(1_000) == ([1], 0)


def test_an_abstract_of_fifty_thousand_characters_is_cut() -> None:
    endless = Paper("e", "Endless", "Word after word. " * 3_000)
    briefing = brief("why?", "en", [(1, endless)], (), 2_000)
    assert briefing.tokens <= 2_000
    assert briefing.sources == ((1, endless),)
    assert "Question: why?" in text_of(briefing.messages)


def test_a_question_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(ModelOverflow):
        brief("why? " * 3_000, "en", LONG, TURNS, 2_000)
    with pytest.raises(ModelOverflow):
        brief("why? " * 3_000, "en", [], (), 2_000)
