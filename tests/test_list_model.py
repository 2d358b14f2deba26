"""Requests for papers in words that no pattern knows: what the model takes for one, and its subject."""

import json
from pathlib import Path

import pytest

from eval.fit import LABELS, WORDINGS
from eval.fit_wordings import fit, read
from rag.question.list_model import MASK, asks_for_list, likely_list, runs, subject
from rag.question.parsing import parse

VOCABULARY = frozenset("who here cares about of".split())


def test_words_of_the_subject_are_masked_and_neighbours_are_one() -> None:
    found = runs("Who here cares about language models?", VOCABULARY)
    assert f"cares about {MASK}" in found
    assert not any("language" in run or "models" in run for run in found)
    assert found == runs("who here cares about watermarks", VOCABULARY)


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("who here cares about frugal robotics", "frugal robotics"),
        ("I'd love a list of papers on lake ecology", "lake ecology"),
        ("further reading on coral reefs", "coral reefs"),
        ("is there interest in tabular foundation models in this collection", "tabular foundation models"),
        ("跟药物发现有关的都列一下", "drug discovery"),
        ("这批论文里有讲联邦学习的吗", "federated learning"),
    ],
)
def test_unusual_requests_are_lists_of_their_subject(asked: str, topic: str) -> None:
    question = parse(asked)
    assert (question.kind, question.topic) == ("enumerate", topic)


@pytest.mark.parametrize(
    "asked",
    [
        "what accuracy does xFinder hit on the test set?",
        "which GPUs was the model trained on",
        "how many languages does the benchmark cover?",
        "does the sampler need retraining",
        "TRON 的实验一共用了几个多模态大模型？",
    ],
)
def test_facts_of_one_paper_are_not(asked: str) -> None:
    assert not asks_for_list(asked)
    assert parse(asked).kind == "lookup"


def test_a_request_without_a_subject_lists_nothing() -> None:
    assert subject("who here does what") == ""
    assert parse("gimme gimme").kind == "lookup"


def test_any_text_has_a_probability() -> None:
    for text in ("", "?", "_ _ _", "研究", "x" * 4_000):
        assert 0 <= likely_list(text) <= 1


def test_a_fit_learns_wordings_and_not_subjects() -> None:
    subjects = ("bees", "soil", "rain", "gold", "milk", "tides", "roads", "birds")
    wordings = [(f"who here cares about {thing}", True) for thing in subjects]
    wordings += [(f"how fast is {thing}", False) for thing in subjects]
    model, measured = fit(wordings)
    assert set(model["vocabulary"]) == set("who here cares about how fast is".split())
    assert model["weights"]["who"] > 0 > model["weights"]["how fast"]
    assert measured["lists"] == len(subjects)


def test_wordings_are_read_with_the_cases_of_question_files(bench_data: Path) -> None:
    rows = read(WORDINGS, (), bench_data / LABELS)
    own = [json.loads(line) for line in WORDINGS.read_text("utf-8").splitlines()]
    assert {(row["text"], row["list"]) for row in own} <= set(rows)
    assert len(rows) > len(own)
