"""Passages: whole sentences, exact offsets, whatever the abstract holds."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from short_papers import local_embedding
from tokenizers import Tokenizer

from rag.index import tokens
from rag.index.chunking import CHUNK_TOKENS, passages, searchable
from rag.records import Paper
from rag.sentences import split
from rag.sources.seed import default_papers

PIECES = st.sampled_from(
    [
        "We show that graphs, e.g. trees, help. ",
        "Results of Smith et al. (2023) improve by 3.14%! ",
        "Is it true? ",
        "我们提出了一种新方法，效果很好。",
        "<|endoftext|> ",
        "$x^2$ and \\textbf{y}\n",
        "word " * 90,
        "a,b;c:" * 60,
        "é🙂𝔘 ",
        "x" * 1200,
        "\n\n\n",
        "  ",
        ". ",
    ]
)
ABSTRACTS = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=400))


def cut(abstract: str) -> list[tuple[int, int]]:
    return [(p.start, p.end) for p in passages(Paper("id", "Title", abstract))]


@settings(max_examples=150, deadline=None)
@given(ABSTRACTS)
def test_passages_are_slices_in_order_that_leave_out_white_space_only(abstract: str) -> None:
    found = passages(Paper("id", "Title", abstract))
    assert [passage.ordinal for passage in found] == list(range(len(found)))
    position = 0
    for passage in found:
        assert passage.text == abstract[passage.start : passage.end]
        assert not abstract[position : passage.start].strip()
        position = passage.end
    assert not abstract[position:].strip()


@settings(max_examples=100, deadline=None)
@given(ABSTRACTS)
def test_every_sentence_that_fits_lies_within_one_passage(abstract: str) -> None:
    found = cut(abstract)
    for sentence in split(abstract):
        if tokens.count(sentence.of(abstract)) < CHUNK_TOKENS // 2:
            holding = [span for span in found if span[0] <= sentence.start and sentence.end <= span[1]]
            long_neighbours = any(tokens.count(s.of(abstract)) > CHUNK_TOKENS for s in split(abstract))
            assert len(holding) == 1 or long_neighbours


@settings(max_examples=100, deadline=None)
@given(ABSTRACTS)
def test_no_passage_is_longer_than_the_limit(abstract: str) -> None:
    for passage in passages(Paper("id", "Title", abstract)):
        # Counts of parts need not add up to the count of the whole where a word was cut.
        assert tokens.count(passage.text) <= CHUNK_TOKENS * 1.1


@pytest.mark.parametrize(
    "abstract",
    [
        "We study graphs. " * 3000,
        "graph " * 8500,
        "x" * 50_000,
        "我们研究图神经网络。" * 5000,
        "图" * 50_000,
        "🙂" * 50_000,
        "a, " * 17_000,
    ],
    ids=["sentences", "no full stop", "no blank", "chinese", "chinese without a stop", "emoji", "commas"],
)
def test_an_abstract_of_50_000_characters_is_cut_exactly(abstract: str) -> None:
    found = passages(Paper("id", "Title", abstract))
    assert "".join(passage.text for passage in found).replace(" ", "") == abstract.replace(" ", "")
    assert max(tokens.count(passage.text) for passage in found) <= CHUNK_TOKENS * 1.1


def test_a_long_sentence_is_cut_after_a_comma_and_never_in_a_number() -> None:
    abstract = "We report " + ", ".join(f"{n}.{n}5 and 10,{n:03}" for n in range(60)) + " points."
    ends = [end for _, end in cut(abstract)][:-1]
    assert ends
    assert {abstract[end - 1] for end in ends} == {","}
    assert all(abstract[end] == " " for end in ends)


def test_an_empty_abstract_gives_one_empty_passage_for_the_title() -> None:
    for abstract in ("", "  \n "):
        [passage] = passages(Paper("id", "A title", abstract))
        assert (passage.start, passage.end, passage.text) == (0, 0, "")
        assert searchable("A title", True, passage.text) == "A title"


def test_a_label_made_from_the_abstract_is_not_repeated_before_it() -> None:
    assert searchable("Label", False, "Text.") == "Text."
    assert searchable("Title", True, "Text.") == "Title\nText."


def test_titles_and_passages_fit_what_the_local_model_reads(bench_data: Path) -> None:
    """At most 1 % of the passages of 300 papers lose words at the end."""
    from rag.sources import read_papers

    papers = read_papers(bench_data / "corpus" / "iclr2025.jsonl.gz").papers[:300]
    tokenizer = Tokenizer.from_file(str(local_embedding()._tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts = [searchable(paper.title, True, passage.text) for paper in papers for passage in passages(paper)]
    too_long = sum(len(encoded.ids) > 256 for encoded in tokenizer.encode_batch(texts))
    assert too_long <= 0.01 * len(texts)


def test_the_default_papers_make_few_passages() -> None:
    assert {len(passages(paper)) for paper in default_papers()} <= {1, 2, 3}
