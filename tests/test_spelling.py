"""Slips in questions are mended from the words of the papers, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.engine import PaperQueryEngine
from rag.index.lexical import terms
from rag.question.naming import as_written, mentions
from rag.question.spelling import american, mend

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


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("explain fugatto", "explain Fugatto"),
        ("hexgen-2 or hexgen2?", "HexGen-2 or HexGen-2?"),
        ("does gritlm beat diotm", "does GritLM beat DIOTM"),
        ("what is a graph transformer", "what is a graph transformer"),
        ("how are images sampled", "how are images sampled"),
    ],
)
def test_names_typed_small_are_put_as_the_papers_write_them(
    seed_engine: PaperQueryEngine, typed: str, written: str
) -> None:
    assert seed_engine.understood(typed).asked == written


def test_what_a_text_writes_small_or_only_begins_with_is_no_name() -> None:
    assert as_written("prism", "Here PRISM is best. PRISM: masks") == "PRISM"
    assert as_written("prism", "PRISM is a prism") == ""
    assert as_written("glass", "Glass is old. Glass breaks.") == ""
    assert as_written("samba", "We present Samba, a model") == "Samba"
    assert as_written("samba", "see https://samba.org") == ""


def test_a_name_in_capitals_is_not_a_common_word() -> None:
    assert mentions("Our resource, INCLUDE, is a benchmark", "INCLUDE")
    assert not mentions("These include images", "INCLUDE")
    assert mentions("the LoRA adapters", "LORA")


def test_british_spellings_give_way_to_what_the_papers_write() -> None:
    counts = dict.fromkeys(terms("optimize license color center labeled analyze"), 1.0)
    respelt = american(
        "optimise licence colour centre labelled analyse advise hours", lambda s: counts.get(s, 9.0)
    )
    assert respelt == "optimize license color center labelled analyze advise hours"
    assert american("optimise", lambda stem: 1.0) == "optimise"
