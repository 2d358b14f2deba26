"""Confidence: the shipped file is whole, what was held out is measured, calibration is tested."""

import json
from importlib import resources

import numpy as np
import pytest

from eval.cases import load_cases
from eval.fit import REFUSALS
from eval.fit_confidence import Examples, fit
from eval.fit_examples import Example
from eval.measures.refusal_rate_unanswerable import REASONS
from eval.spiegelhalter import p_value, z_score
from rag.engine import PaperQueryEngine
from rag.extractive.confidence import (
    ANSWERED,
    FEATURES,
    KINDS,
    OFF_TOPIC,
    SURE,
    kind_of,
    may_be_off_topic,
    ruled_out,
)
from rag.question.parsing import parse

SHIPPED = json.loads(resources.files("rag.data").joinpath("confidence.json").read_text("utf-8"))


def test_the_shipped_file_fits_the_features() -> None:
    assert tuple(SHIPPED["answered"]["weights"]) == ANSWERED
    assert tuple(SHIPPED["off_topic"]["weights"]) == OFF_TOPIC
    assert tuple(SHIPPED["passes"]["weights"]) == (*SURE, "answered", *KINDS)
    assert set(SHIPPED["answer_from"]) == set(KINDS)
    assert len(set(FEATURES)) == len(FEATURES)


def test_what_was_held_out_meets_what_is_promised() -> None:
    measured = SHIPPED["measured"]
    assert measured["refused_answerable"] <= 0.07
    assert measured["refused_off-topic"] == 1
    both = [measured["refused_missing-detail"], measured["refused_false-premise"]]
    assert np.mean(both) >= 0.5
    assert measured["calibration_p"] >= 0.05


def test_every_answer_and_refusal_states_its_confidence(seed_engine: PaperQueryEngine) -> None:
    for asked in ("What is Fugatto?", "Compare GNN-Diff and GGSD", "recommended learning rate for DIOTM?"):
        confidence = seed_engine.ask(asked).confidence
        assert confidence is not None
        assert 0 < confidence < 1
    assert seed_engine.ask("hello").confidence is None


def test_the_questions_that_teach_refusals() -> None:
    cases = load_cases(REFUSALS)
    assert len(cases) == 252
    for reason in REASONS:
        assert sum(case.note == reason for case in cases) >= 18
    assert not any(case.answerable and not case.gold for case in cases)


def test_plain_reasons() -> None:
    nothing = dict.fromkeys(FEATURES, 0.0)
    assert not ruled_out(nothing)
    for name in ("names_unknown", "detail_missing", "metric_missing", "swapped"):
        assert ruled_out(nothing | {name: 1.0})
    assert may_be_off_topic(nothing)
    for name in ("focus", "of_papers", "names_known"):
        assert not may_be_off_topic(nothing | {name: 1.0})


def test_a_follow_up_is_a_kind_of_its_own() -> None:
    question = parse("how fast is PRISM?")
    assert kind_of(question) == "lookup"
    question.focus = ("a",)
    assert kind_of(question) == "followup"


def test_spiegelhalter() -> None:
    random = np.random.default_rng(0)
    confidence = random.uniform(0.1, 0.9, 5_000)
    fair = (random.random(5_000) < confidence).astype(float)
    assert p_value(confidence, fair) > 0.05
    assert p_value(np.clip(confidence + 0.09, 0, 1), fair) < 0.05
    assert z_score(np.array([0.5, 1.0]), np.array([1.0, 1.0])) == 0
    # By hand: one case with confidence 0.8 that passes.
    assert z_score(np.array([0.8]), np.array([1.0])) == pytest.approx(0.2 * -0.6 / (0.36 * 0.16) ** 0.5)


def examples() -> list[Example]:
    """Questions: the answerable ones have a high `sentence`, the off-topic ones a low `similarity`."""
    random = np.random.default_rng(1)
    made = []
    for number in range(240):
        note = ("", "", "", "missing-detail", "off-topic")[number % 5]
        row = random.normal(0, 0.3, len(FEATURES))
        row[FEATURES.index("sentence")] += 2.0 * (note == "")
        row[FEATURES.index("similarity")] -= 2.0 * (note == "off-topic")
        for name in ("focus", "of_papers", "names_known"):
            row[FEATURES.index(name)] = 0.0
        kind = KINDS[number % 2]
        passes = note == "" and bool(random.random() < (0.9 if kind == "lookup" else 0.5))
        made.append(Example(f"paper{number}", kind, kind, row, note == "", passes, False, note))
    return [*made, Example("errand", "unanswerable", "offtopic", None, False, False, True, "off-topic")]


def test_the_fit_finds_what_there_is_to_find() -> None:
    fitted, measured = fit(examples(), examples()[:40])
    assert measured["refused_off-topic"] > 0.9
    assert measured["refused_missing-detail"] > 0.8
    assert measured["refused_answerable"] < 0.1
    assert measured["brier_lookup"] < measured["brier_explain"]
    assert fitted["passes"]["weights"]["lookup"] > fitted["passes"]["weights"]["explain"]
    assert fitted["errand"] > 0.5


def test_no_example_is_judged_by_a_model_that_saw_its_paper() -> None:
    table = Examples.of(examples(), 241)
    folds = {example.group: fold for example, fold in zip(examples(), table.fold.tolist(), strict=True)}
    twice = Examples.of([*examples(), *examples()], 482)
    for example, fold in zip([*examples(), *examples()], twice.fold.tolist(), strict=True):
        assert folds[example.group] == fold
