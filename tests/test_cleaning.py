"""Text repair, stable ids, labels, and records that are the same paper."""

import gzip
import json
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.cleaning import adopt, distinct, recognise, squeeze, stable_id
from rag.labels import MAX_LABEL, label
from rag.records import Paper, Reading
from rag.sources.seed import default_papers

WORDS = st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1), min_size=1)
BLANKS = st.text(" \t\r\n\f\v\u00a0\u2009\u3000", min_size=1)


def test_squeeze_leaves_single_blanks_and_no_control_characters() -> None:
    assert squeeze("\ufeff  two\u3000 words\r\n\there\x00\x1b[31m \ud800 ") == "two words here[31m \ufffd"


@given(st.text())
def test_squeeze_changes_nothing_the_second_time_and_can_be_encoded(text: str) -> None:
    once = squeeze(text)
    assert squeeze(once) == once
    assert "  " not in once
    assert once == once.strip()
    once.encode()


@given(WORDS, st.data())
def test_stable_id_does_not_depend_on_white_space(words: list[str], data: st.DataObject) -> None:
    spaced = "".join(word + data.draw(BLANKS) for word in words)
    assert stable_id(data.draw(BLANKS) + spaced) == stable_id(" ".join(words))


@given(st.text())
def test_stable_id_does_not_depend_on_the_unicode_form(text: str) -> None:
    forms = {stable_id(unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    assert forms == {stable_id(text)}


def test_stable_id_is_short_url_safe_and_the_same_for_ever() -> None:
    assert stable_id("An abstract.") == stable_id("AN\nABSTRACT.") == "47cbb5a7979f22d9"
    assert stable_id("An abstract.") != stable_id("Another abstract.")


def test_a_paper_without_title_becomes_the_known_record_with_its_abstract() -> None:
    known = default_papers()
    bare = [
        Paper("x", "a label", known[3].abstract.upper(), titled=False),
        Paper("y", "a label", "Some other abstract.", titled=False),
        Paper("z", "Its own title", known[3].abstract),
    ]
    assert adopt(bare, known) == [known[3], bare[1], bare[2]]


def test_the_first_known_record_with_a_title_is_adopted() -> None:
    first = default_papers()[0]
    bare = Paper("x", "a label", first.abstract, titled=False)
    assert adopt([bare], [bare, first, replace(first, id="later")]) == [first]


def test_a_paper_recognised_twice_is_kept_once_and_reported() -> None:
    known = default_papers()[0]
    bare = Paper("x", "a label", known.abstract, titled=False)
    reading = recognise(Reading((known, bare)), [known])
    assert reading.papers == (known,)
    assert [skipped.where for skipped in reading.skipped] == [known.title]


def test_a_repeated_id_is_kept_once_and_reported() -> None:
    paper = Paper("a", "Title", "Abstract.")
    reading = distinct([("1", paper), ("2", replace(paper)), ("3", replace(paper, title="Other"))])
    assert reading.papers == (paper,)
    assert [(s.where, "different" in s.reason) for s in reading.skipped] == [("2", False), ("3", True)]


LABELS = (
    (
        "We present GGSD, a novel graph generative model based on spectra. It works.",
        "GGSD: graph generative model based on spectra",
    ),
    (
        "Tuning is slow. This work introduces a latent diffusion framework (GNN-Diff) to generate GNNs.",
        "GNN-Diff: latent diffusion framework",
    ),
    (
        "Risk is a concern. In this paper, we propose *TRON*, a **t**wo-step framework for risk c**on**trol.",
        "TRON: two-step framework for risk control",
    ),
    (
        "Decoding is hard. We propose a new decoding method called Permute-and-Flip (PF) decoder.",
        "Permute-and-Flip: decoding method",
    ),
    (
        r"We introduce $\textbf{Lotus}$, a diffusion-based visual foundation model.",
        "Lotus: diffusion-based visual foundation model",
    ),
    (
        "Fugatto is a versatile audio synthesis model. Fugatto is large.",
        "Fugatto: versatile audio synthesis model",
    ),
    (
        "Large language models (LLMs) are slow. We propose LLM-based scheduling rules for clusters.",
        "LLM-based scheduling rules for clusters",
    ),
    (
        "In this paper we study the limits of transformers on parity.",
        "Limits of transformers on parity",
    ),
    (
        "Sampling is the task of drawing from a target density.",
        "Sampling is the task of drawing from a target density",
    ),
    ("本文提出了一种新的图扩散方法，用于生成图结构。", "本文提出了一种新的图扩散方法，用于生成图结构"),
    ("***", "***"),
    ("", ""),
)


@pytest.mark.parametrize(("abstract", "expected"), LABELS)
def test_label(abstract: str, expected: str) -> None:
    assert label(abstract) == expected


@given(st.text(min_size=1))
def test_a_label_is_short_and_is_there_wherever_there_is_text(abstract: str) -> None:
    made = label(abstract)
    assert len(made) <= MAX_LABEL
    assert bool(made) == bool(squeeze(abstract))


@pytest.mark.parametrize("piece", ["[", "(", "<a ", "A-", "a", "we propose ", "we propose A1 (", "\\", "é"])
def test_a_label_of_a_very_long_text_comes_at_once(piece: str) -> None:
    assert (
        len(label(piece * 200_000)) <= MAX_LABEL
    )  # a pattern that backtracks would meet the test's time limit


def test_most_labels_carry_the_name_that_the_true_title_starts_with(bench_data: Path) -> None:
    """Where a true title reads "Name: ...": how often a label, which is blind to it, has that name."""

    def bare(text: str) -> str:
        return re.sub(r"[\W_]", "", text).lower()

    with gzip.open(bench_data / "corpus" / "iclr2025.jsonl.gz", "rt", encoding="utf-8") as lines:
        papers = [json.loads(line) for line in lines]
    named = [p for p in papers if re.match(r"[^\s:]{2,25}(?: \d[\w.]*)?:", p["title"])]
    labels = [label(p["abstract"]) for p in named]
    with_name = [(made.split(":")[0], p) for made, p in zip(labels, named, strict=True) if ":" in made]
    right = sum(bare(name) in bare(p["title"]) for name, p in with_name)
    assert right / len(named) > 0.72
    assert right / len(with_name) > 0.88
