"""Directions that a claim turns, and the verdicts that follow from the signals."""

import pytest

from rag.grounding.polarity import turned
from rag.grounding.support import decide, support
from rag.records import Paper

ABSTRACT = "Dropout lowers the error of deep networks on five image benchmarks. Training is faster."


@pytest.mark.parametrize(
    ("claim", "turns"),
    [
        ("Dropout raises the error of deep networks", True),
        ("Dropout lowers the error of deep networks", False),
        ("Dropout reduces the error of deep networks", False),
        ("Training is slower", True),
        ("Dropout is about deep networks", False),
        ("It is cheap", False),
    ],
)
def test_directions(claim: str, turns: bool) -> None:
    assert turned(claim, ABSTRACT) is turns


def test_a_turned_claim_is_weak_at_best() -> None:
    paper = Paper("p", "Dropout", ABSTRACT)
    right = support("Dropout lowers the error of deep networks on five image benchmarks.", paper)
    wrong = support("Dropout raises the error of deep networks on five image benchmarks.", paper)
    assert (right.verdict, wrong.verdict) == ("supported", "weak")


def test_meaning_adds_to_shared_words() -> None:
    paper = Paper("p", "Dropout", ABSTRACT)
    claim = "Dropout helps neural nets to err less when they look at pictures."
    far, near = (
        support(claim, paper, nearness=lambda _, sentences, x=x: [x] * len(sentences)) for x in (0.0, 0.9)
    )
    assert (far.verdict, near.verdict) == ("unsupported", "weak")
    assert far.score == near.score


def test_a_missing_figure_outweighs_everything() -> None:
    assert decide([1.0, 1, 1.0, 0]) == "unsupported"
    assert decide([1.0, 0, 1.0, 0]) == "supported"
    assert decide([1.0, 0, 1.0, 1]) == "weak"
    assert decide([0.0, 0, 0.0, 0]) == "unsupported"
    assert decide([0.7, 0, 0.0, 0], with_nearness=False) == "supported"
