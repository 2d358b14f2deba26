"""Which papers are about a topic: what is looked at, what is decided, and how complete a list says it is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from short_papers import local_embedding

from rag.engine import PaperQueryEngine
from rag.extractive.acronyms import Acronyms
from rag.extractive.completeness import completeness, threshold
from rag.extractive.evidence import Phrase, paper_text
from rag.extractive.pool import FEATURES, FIRST_LOOK, gather
from rag.extractive.screening import decide, listed, look, looked, probability, shipped, shows, thresholds
from rag.index.paper_index import PaperIndex
from rag.question.parsing import parse
from rag.question.topic import parse_topic
from rag.records import Paper, Reading

LEVELS = [{"from": 10, "to": 50, "scores": {"0.8": -1.0, "0.9": -3.0}}]


def fitted(index: PaperIndex, maybe: float = -2.0, **overrides: Any) -> dict[str, Any]:
    thresholds = [{"to": 100, "any": 2.0, "yes": 0.0, "maybe": maybe}]
    model = index.embedding.model_name
    return {**shipped(), "model": model, "levels": LEVELS, "thresholds": thresholds, **overrides}


@pytest.mark.parametrize(
    ("asked", "level", "topic"),
    [
        ("List at least 95% of the papers on optimal transport", 0.95, "optimal transport"),
        ("which papers use diffusion, with 90 % recall?", 0.9, "diffusion"),
        ("哪些论文研究扩散模型，召回率至少 90%？", 0.9, "diffusion model"),
        ("which papers report a 90% accuracy gain?", None, None),
        ("which papers prune 90% of the weights?", None, None),
    ],
)
def test_a_level_of_completeness_is_read_and_cut_out(asked: str, level: float, topic: str | None) -> None:
    question = parse(asked)
    assert question.level == level
    assert question.kind == "enumerate"
    assert topic is None or question.topic == topic


def test_a_list_states_the_highest_level_that_its_threshold_keeps(seed_index: PaperIndex) -> None:
    question, topic = parse("which papers use diffusion?"), parse_topic("diffusion")
    stated = completeness(question, topic, seed_index.papers, seed_index, fitted(seed_index))
    assert (stated.checked, stated.expected) == (19, 0.8)
    wider = fitted(seed_index, maybe=-3.5)
    assert completeness(question, topic, seed_index.papers, seed_index, wider).expected == 0.9


def test_a_level_that_is_asked_for_widens_the_list(seed_index: PaperIndex) -> None:
    question, topic = parse("list 90% of the papers on diffusion"), parse_topic("diffusion")
    values = fitted(seed_index)
    assert threshold(question, 19, values) == -3.0
    assert completeness(question, topic, seed_index.papers, seed_index, values).expected == 0.9
    assert threshold(parse("papers on diffusion"), 19, values) == -2.0


@pytest.mark.parametrize(
    ("asked", "topic", "changed"),
    [
        ("which papers use diffusion?", "diffusion", {"model": "another model"}),
        ("which papers use diffusion?", "diffusion", {"levels": [{**LEVELS[0], "to": 18}]}),
        ("which papers use diffusion but not graphs?", "diffusion but not graphs", {}),
    ],
)
def test_what_is_not_calibrated_is_not_stated(
    seed_index: PaperIndex, asked: str, topic: str, changed: dict[str, Any]
) -> None:
    values = fitted(seed_index, **changed)
    found = completeness(parse(asked), parse_topic(topic), seed_index.papers, seed_index, values)
    assert found.expected is None


def test_an_answer_says_how_much_was_checked(seed_engine: PaperQueryEngine) -> None:
    answer = seed_engine.ask("which papers use diffusion models?")
    assert answer.completeness is not None
    assert answer.completeness.checked == 19
    asked = seed_engine.ask("list at least 90% of the papers on diffusion models")
    assert asked.completeness is not None
    assert asked.completeness.expected is not None or "not been calibrated" in asked.text


def test_the_rows_of_a_pool_have_the_named_figures(seed_index: PaperIndex) -> None:
    papers = {paper.id: paper for paper in seed_index.papers}
    pool = gather(parse_topic("diffusion models"), papers, seed_index)
    assert pool is not None
    n = len(pool.papers)
    assert pool.first.shape == (n, len(FIRST_LOOK))
    probable = probability(look(shipped()["looks"][0], FIRST_LOOK, pool.first))
    rows = pool.rows(probable)
    assert rows.shape == (n, len(FEATURES))
    assert np.isfinite(rows).all()
    assert np.array_equal(rows[:, : len(FIRST_LOOK)], pool.first)


def test_vectors_come_in_the_order_of_their_passages(seed_index: PaperIndex) -> None:
    passages = [seed_index.passages(paper.id)[0] for paper in reversed(seed_index.papers)]
    found = seed_index.passage_vectors(passages)
    for passage, vector in zip(passages, found, strict=True):
        assert any(np.allclose(vector, row) for row in seed_index.vectors([passage.paper_id]))


def test_the_last_look_sees_what_the_one_before_found(seed_index: PaperIndex) -> None:
    papers = {paper.id: paper for paper in seed_index.papers}
    pool = gather(parse_topic("diffusion models"), papers, seed_index)
    assert pool is not None
    looks = shipped()["looks"]
    before, _ = looked(pool, looks[:-1])
    scores, rows = looked(pool, looks)
    assert np.array_equal(rows, pool.rows(probability(before)))
    assert np.array_equal(scores, look(looks[-1], FEATURES, rows))
    places = rows[:, FEATURES.index("place")]
    assert np.argmax(before) == np.argmin(places)
    assert np.allclose(rows[:, FEATURES.index("crowd")], np.log1p(probability(before).sum()))


@pytest.mark.parametrize(
    ("abstract", "literal"),
    [
        ("We propose tokenizers for video.", 1.0),
        ("We propose a tokenizer for video.", 1.0),
        ("We count the tokens of a prompt.", 0.0),
    ],
)
def test_the_same_stem_is_not_the_same_word(abstract: str, literal: float) -> None:
    phrase = Phrase("tokenizers", Acronyms(()), lambda term: 1.0)
    found = phrase.evidence(paper_text(Paper("p", "A study", abstract)))
    assert found.literal == literal
    assert found.phrases == 1, "the stems agree"


@pytest.mark.parametrize(("size", "yes"), [(19, 1.0), (600, 1.0), (601, 2.0), (10**10, 2.0)])
def test_a_short_list_has_thresholds_of_its_own(size: int, yes: float) -> None:
    cuts = [{"to": 600, "yes": 1.0}, {"to": 10**9, "yes": 2.0}]
    assert thresholds({"thresholds": cuts}, size)["yes"] == yes


def test_no_score_makes_up_for_words_and_meaning_that_are_not_there() -> None:
    rows = np.zeros((2, len(FEATURES)))
    rows[1, FEATURES.index("phrases")] = 1.0
    assert shows(rows).tolist() == [False, True]
    yes, wide = listed(np.array([9.0, 9.0]), rows, {"any": 0.0, "yes": 0.0, "maybe": -9.0})
    assert yes.tolist() == [False, True]
    assert wide.tolist() == [False, True]


def test_nothing_is_a_yes_where_no_paper_is_sure() -> None:
    rows = np.zeros((2, len(FEATURES)))
    rows[:, FEATURES.index("phrases")] = rows[:, FEATURES.index("core_units")] = 1.0
    yes, wide = listed(np.array([1.0, 0.5]), rows, {"any": 2.0, "yes": 0.0, "maybe": -1.0})
    assert yes.tolist() == [False, False]
    assert wide.tolist() == [True, True]


def test_a_topic_that_no_paper_has_is_none(tmp_path: Path) -> None:
    subjects = ("Mountain lakes freeze", "River deltas grow", "Bees find flowers", "Bridges bend in wind")
    papers = [Paper(f"p{i}", title, f"We study how {title.lower()}.") for i, title in enumerate(subjects)]
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        index.ingest(Reading(tuple(papers)))
        assert [d.choice for d in decide(parse_topic("quantum error correction"), papers, index)].count(
            "yes"
        ) == 0
        lakes = decide(parse_topic("mountain lakes"), papers, index)
        assert [d.paper.id for d in lakes if d.choice == "yes"] == ["p0"]


def test_words_in_turned_order_count_as_loose() -> None:
    text = paper_text(Paper("v", "Video generation", "We generate long videos. Images are generated."))
    found = Phrase("generate videos", Acronyms(()), lambda term: 1.0).evidence(text)
    assert found.phrases == 0
    assert found.loose == 2


def test_an_acronym_in_a_phrase_is_spelled_out() -> None:
    text = paper_text(Paper("a", "Agents", "We build large language model agents."))
    acronyms = Acronyms([("LLM", ("larg", "languag", "model"))])
    assert Phrase("LLM agents", acronyms, lambda term: 1.0).evidence(text).phrases == 1
    assert Phrase("LLM agents", Acronyms(()), lambda term: 1.0).evidence(text).phrases == 0
