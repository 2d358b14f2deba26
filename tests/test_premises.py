"""What a question takes for granted and an abstract denies, and which sentences sum a paper up."""

import pytest

from rag.engine import PaperQueryEngine
from rag.extractive.extract import WORDS
from rag.extractive.facts import code_sentence
from rag.extractive.premises import FEATURES, examine
from rag.question.opposites import denied_words
from rag.question.parsing import parse
from rag.records import Paper

QUIET = Paper(
    id="q",
    title="Quiet: steering without rewards",
    abstract="Steering is costly. We present Quiet, which works without any external reward model."
    " It is evaluated with and without a teacher. We will release our code.",
)


@pytest.mark.parametrize(
    ("asked", "denied"),
    [
        ("Why does Quiet need an external reward model?", True),
        ("Quiet 为什么需要奖励模型？", True),
        ("Does Quiet need an external reward model?", False),
        ("Why does Quiet use a teacher for steering?", False),
        ("How does Quiet steer?", False),
    ],
)
def test_what_is_taken_to_be_needed_and_is_denied(asked: str, denied: bool) -> None:
    found = examine(parse(asked), [QUIET], lambda stem: 1.0)
    share = dict(zip(FEATURES, found.row, strict=True))["denied_object"]
    assert (share >= 0.5) is denied
    if denied:
        assert found.against == (QUIET, QUIET.abstract.split(". ")[1] + ".")


def test_with_and_without_denies_nothing() -> None:
    assert denied_words("It works without and with a teacher.") == ""
    assert "teacher" in denied_words("It works without a teacher.")


def test_code_that_will_be_released_is_spoken_of() -> None:
    assert code_sentence(QUIET, repository_only=False) == "We will release our code."
    assert code_sentence(QUIET, repository_only=True) == ""


def test_summaries_and_comparisons_keep_their_budget(seed_engine: PaperQueryEngine) -> None:
    for asked, kind in (
        ("summarise HexGen-2", "explain"),
        ("explain the paper on robust barycenter estimation", "explain"),
        ("compare PRISM and Fugatto", "compare"),
        ("How do GNN-Diff and GGSD differ in what they generate?", "compare"),
    ):
        answer = seed_engine.ask(asked)
        quoted = [span.quote for citation in answer.citations for span in citation.spans]
        assert not answer.abstained
        assert len(answer.citations) == (2 if kind == "compare" else 1)
        assert len(quoted) > len(answer.citations)
        assert sum(len(quote.split()) for quote in quoted) <= WORDS[kind] + 10
