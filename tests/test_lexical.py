"""Word terms and BM25."""

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.index.lexical import LexicalIndex, terms
from rag.sources.seed import default_papers

WORDS = st.sampled_from(
    "Graph neural GNN-Diff next-token prediction FlashAttention-2 GPT-3.5 l1 naïve Schrödinger 10,000 the of "
    "we is diffusion models' agents 图神经网络 扩散 α-divergence low-rank".split()
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("next-token prediction", ["next", "token", "predict"]),
        ("next token predictions", ["next", "token", "predict"]),
        ("GNN-Diff", ["gnn", "diff"]),
        ("the of and which", []),
        ("**bold** _it_ `code`", ["bold", "code"]),
        (r"$\mathcal{O}(n \log n)$", ["o", "n", "log", "n"]),
        (r"\textbf{FlashAttention} and \emph{Mamba}", ["flashattent", "mamba"]),
        (r"$\alpha$-divergence", ["alpha", "diverg"]),
        ("α-divergence", ["alpha", "diverg"]),
        ("Schrödinger naïve", ["schroding", "naiv"]),
        ("GPT-3.5, v1.5 and 10,000 samples.", ["gpt", "3.5", "v1.5", "10000", "sampl"]),
        ("the model's weights, models’ weights", ["model", "weight", "model", "weight"]),
        ("see [code](https://example.org/a-b?c=d) at https://example.org", ["see", "code"]),
        (
            "哪些论文使用了 conformal prediction？",
            ["哪些", "些论", "论文", "文使", "使用", "用了", "conform", "predict"],
        ),
        ("用LLM做图", ["用", "llm", "做图"]),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@given(TEXTS, TEXTS)
def test_terms_of_two_texts_are_those_of_each(one: str, other: str) -> None:
    assert terms(f"{one}\n{other}") == terms(one) + terms(other)


@given(TEXTS)
def test_case_hyphens_and_emphasis_make_no_difference(text: str) -> None:
    assert terms(text.upper()) == terms(text) == terms(f"**{text}**")
    assert terms(text.replace("-", " ")) == terms(text)


@given(st.text())
def test_any_text_has_terms_of_letters_and_digits_in_lower_case(text: str) -> None:
    for term in terms(text):
        assert term
        assert term == term.casefold()
        assert not any(sign.isspace() for sign in term)


def ranked(index: LexicalIndex, query: str, k: int = 10) -> list[int]:
    return [row for row, _ in index.rank(query, k)]


def test_the_text_with_the_rarer_word_comes_first() -> None:
    index = LexicalIndex.build(["graph networks", "graph diffusion", "graph", "agents"])
    assert ranked(index, "graph diffusion")[0] == 1
    assert set(ranked(index, "graph diffusion")) == {0, 1, 2}
    assert ranked(index, "agents")[0] == 3
    assert ranked(index, "proteins") == ranked(index, "the") == ranked(index, "") == []


def test_scores_fall_and_k_bounds_them() -> None:
    index = LexicalIndex.build([paper.abstract for paper in default_papers()])
    full = index.rank("language models with graph data", 19)
    scores = [score for _, score in full]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)
    assert index.rank("language models with graph data", 3) == full[:3]
    assert index.rank("language models", 0) == []


def test_a_mask_leaves_out_texts_and_changes_no_score() -> None:
    index = LexicalIndex.build([paper.abstract for paper in default_papers()])
    mask = np.arange(len(index)) % 2 == 0
    full = dict(index.rank("language models with graph data", 19))
    masked = dict(index.rank("language models with graph data", 19, mask))
    assert masked == {row: score for row, score in full.items() if row % 2 == 0}


@given(st.lists(TEXTS, min_size=1, max_size=6), TEXTS)
def test_just_the_texts_that_share_a_term_are_ranked(texts: list[str], query: str) -> None:
    index = LexicalIndex.build(texts)
    sharing = {row for row, text in enumerate(texts) if set(terms(text)) & set(terms(query))}
    assert set(ranked(index, query)) == sharing


@given(st.lists(TEXTS, max_size=6), WORDS)
def test_document_frequency_counts_texts(texts: list[str], word: str) -> None:
    index = LexicalIndex.build(texts)
    for term in terms(word):
        assert index.document_frequency(term) == sum(term in terms(text) for text in texts)
    assert index.document_frequency("") == index.document_frequency("zebra") == 0


@pytest.mark.parametrize("texts", [[], ["", "the of"], ["graph", "", "扩散模型 diffusion"]])
def test_saved_and_loaded_it_ranks_the_same(tmp_path: Path, texts: list[str]) -> None:
    index = LexicalIndex.build(texts)
    index.save(tmp_path / "bm25")
    loaded = LexicalIndex.load(tmp_path / "bm25")
    assert len(loaded) == len(index) == len(texts)
    for query in ("graph", "扩散", "nothing"):
        assert loaded.rank(query, 5) == index.rank(query, 5)


def test_many_threads_get_the_same_ranking() -> None:
    papers = default_papers()
    index = LexicalIndex.build([paper.abstract for paper in papers])
    queries = [paper.title for paper in papers] * 10
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda query: index.rank(query, 5), queries))
    assert together == [index.rank(query, 5) for query in queries]


def test_bm25_is_the_formula() -> None:
    """Texts of equal length, one with the term once: idf * 1 / (1 + k1), k1 = 1.5 (Kamphuis et al. 2020)."""
    index = LexicalIndex.build(["graph agents", "proteins agents"])
    [(row, score)] = index.rank("graph", 2)
    assert row == 0
    assert score == pytest.approx(math.log(1 + (2 - 1 + 0.5) / (1 + 0.5)) / (1 + 1.5), rel=1e-5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pre-trained models", "pretrained models"),
        ("non-IID data", "non IID data"),
        ("fine-tuning", "finetuning"),
        ("LLMs", "an LLM"),
        ("llms", "LLM"),
        ("GPs", "GP"),
    ],
)
def test_spellings_of_one_term_are_the_same(one: str, other: str) -> None:
    assert terms(one) == terms(other)


def test_an_acronym_that_ends_in_s_is_no_plural() -> None:
    assert terms("GPS") != terms("GPs")
    assert terms("CSS") == ["css"]
