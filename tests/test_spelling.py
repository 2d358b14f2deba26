"""Slips in questions are mended from the words of the papers, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.index.lexical import terms
from rag.question.spelling import mend

VOCABULARY = set(
    terms("hyperparameter calibration interpretability federated barycenter quantization privacy")
)


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("hyperparamters", "hyperparameter"),
        ("calibraton", "calibration"),
        ("interpretabilty", "interpretability"),
        ("fedrated", "federated"),
        ("bayrcenters", "barycenter"),
        ("quantisation", "quantization"),
    ],
)
def test_a_slip_becomes_the_word_of_the_papers(slip: str, meant: str) -> None:
    assert terms(mend(f"papers on {slip} here", VOCABULARY)) == terms(f"papers on {meant} here")


@pytest.mark.parametrize(
    "right",
    [
        "papers on calibration",
        "papers on robotics and language",  # ordinary words that no paper has
        "what does Barycentr do?",  # a name may be unknown and right
        "fl and rl",  # too short to judge
        "UQDM-barycentr",
        "",
    ],
)
def test_the_rest_is_left_alone(right: str) -> None:
    assert mend(right, VOCABULARY) == right


@given(st.text(max_size=80))
def test_without_a_vocabulary_nothing_changes(text: str) -> None:
    assert mend(text, ()) == text


@given(st.text(alphabet="abcdefgh ,-?", max_size=60))
def test_only_lower_case_words_change(text: str) -> None:
    mended = mend(text, VOCABULARY)
    assert [c for c in mended if not c.isalpha()] == [c for c in text if not c.isalpha()]
