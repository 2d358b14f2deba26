"""Acronyms that texts define."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.extractive.acronyms import Acronyms, definitions
from rag.index.lexical import terms
from rag.sources.seed import default_papers


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Graph Neural Networks (GNNs) are used.", [("GNN", "Graph Neural Networks")]),
        ("the evidence lower bound (ELBO) on", [("ELBO", "evidence lower bound")]),
        ("sparse autoencoders (SAEs)", [("SAE", "sparse autoencoders")]),
        ("optimal transport (**OT**) maps", [("OT", "optimal transport")]),
        ("a mixture-of-experts (MoE) layer", [("MoE", "mixture-of-experts")]),
        ("we show (see below) that it holds (Adam)", []),
        ("it works (GPU) at once", []),
        ("two (2) and three (3)", []),
        ("nothing here", []),
    ],
)
def test_definitions(text: str, pairs: list[tuple[str, str]]) -> None:
    assert definitions(text) == [(short, tuple(terms(long))) for short, long in pairs]


def defined(*texts: str) -> Acronyms:
    return Acronyms(definition for text in texts for definition in definitions(text))


def test_forms_both_ways() -> None:
    acronyms = defined("Optimal transport (OT) is.", "We use optimal transport (OT).", "Old texts (OT).")
    assert acronyms.short_forms("optimal transport") == ["OT"]
    assert acronyms.short_forms("Optimal Transports") == ["OT"]
    assert tuple(terms("optimal transport")) in acronyms.long_forms("OT")
    assert acronyms.short_forms("diffusion") == []
    assert acronyms.long_forms("XYZ") == []


def test_a_rare_meaning_is_none() -> None:
    acronyms = defined(*["optimal transport (OT)"] * 9, "object tracking (OT)")
    assert acronyms.short_forms("object tracking") == []
    assert acronyms.long_forms("OT") == [tuple(terms("optimal transport"))]


def test_the_seed_papers_define_what_they_use() -> None:
    acronyms = defined(*(paper.abstract for paper in default_papers()))
    for short, long in (
        ("SCP", "Split Conformal Prediction"),
        ("FL", "federated learning"),
        ("ARO", "adaptive robust optimization"),
        ("OT", "optimal transport"),
        ("LLM", "large language models"),
    ):
        assert any(set(terms(long)) <= set(form) for form in acronyms.long_forms(short)), short


def test_an_acronym_of_a_kind_counts_for_the_kind() -> None:
    acronyms = defined(
        "large language models (LLMs)", "vision language models (VLMs)", "neural networks (NNs)"
    )
    assert set(acronyms.short_forms("language models")) == {"LLM", "VLM"}
    assert acronyms.short_forms("models") == []


@given(st.text(max_size=120))
def test_any_text_has_definitions_of_itself(text: str) -> None:
    whole = f"{text} ({text[:5]})"
    for short, form in definitions(whole):
        assert set(form) <= set(terms(whole))
        assert short in whole
