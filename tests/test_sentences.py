"""Where sentences end, by example and by law."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.sentences import split
from rag.sources.seed import default_papers

TEXTS = st.text(
    st.one_of(
        st.sampled_from(list(" .!?。！？;:,\n\t()[]\"'”’*_-•$")),
        st.characters(codec="utf-8", exclude_categories=["Cs"]),
    ),
    max_size=200,
)


def sentences(text: str) -> list[str]:
    return [span.of(text) for span in split(text)]


@given(TEXTS)
def test_sentences_are_ordered_trimmed_and_cover_all_that_is_not_white_space(text: str) -> None:
    spans = split(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(span.of(text) and span.of(text) == span.of(text).strip() for span in spans)
    covered = "".join(span.of(text) for span in spans)
    assert "".join(covered.split()) == "".join(text.split())


@given(TEXTS)
def test_a_sentence_begins_where_its_predecessor_and_white_space_end(text: str) -> None:
    spans = split(text)
    for a, b in pairwise(spans):
        assert not text[a.end : b.start].strip()


@given(
    st.lists(st.sampled_from(["We train it.", "It is fast!", "Why not?", "它很快。"]), min_size=1, max_size=6)
)
def test_plain_sentences_are_parted(written: list[str]) -> None:
    assert sentences(" ".join(written)) == written


@pytest.mark.parametrize(
    "one",
    [
        "Following Lin et al. 2023, we sample.",
        "Several tasks, e.g. a retrieval task, i.e. search, are solved.",
        "As Fig. 3 and Eq. 4 and Sec. 2 show, it holds.",
        "It gains 1.3 points over GPT-3.5 at 0.25 of the cost.",
        "J. Smith and A. B. Lee wrote it.",
        "The errors are i.i.d. and zero.",
        "We compare A vs. B.",
        "The code is at https://example.org/a.b/c.html now.",
        "It works (1) on images and (2) on text.",
        "Who said “why? because” here?",
        "它在 GPT-4.5 上提升了 3.2 倍",
    ],
)
def test_these_are_one_sentence(one: str) -> None:
    assert sentences(one) == [one]


@pytest.mark.parametrize(
    "two",
    [
        ("We study images, text, etc.", "We show that it works."),
        ("It is called TopK.", "The rest follows."),
        ("It costs 5.", "That is little."),
        ("“It works.”", "We agree."),
        ("It is *good.*", "It is also fast."),
        ("A title", "\n\nA paragraph"),
        ("我们提出了一种方法。", "它很快！"),
        ("他说：“很好。”", "我们同意。"),
        ("Is it fast?", "Yes."),
        ("- The first item", "\n- The second item"),
        ("1. The first", "\n2. The second"),
    ],
)
def test_these_are_two(two: tuple[str, str]) -> None:
    first, second = two
    joined = first + second if second[0] == "\n" or "。" in first else f"{first} {second}"
    assert sentences(joined) == [first, second.strip()]


def test_nothing_has_no_sentence() -> None:
    assert split("") == split(" \n\t ") == []


def test_the_seed_abstracts_have_sentences_of_readable_length() -> None:
    for paper in default_papers():
        found = sentences(paper.abstract)
        assert len(found) >= 4, paper.title
        assert all(text[0].isupper() or text[0] in "(*\\" for text in found), paper.title
        assert max(map(len, found)) < 900, paper.title
