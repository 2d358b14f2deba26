"""The structure of list topics."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.question.topic import MOST_ALTERNATIVES, negation, parse_topic


@pytest.mark.parametrize(
    ("topic", "parts"),
    [
        ("conformal prediction", [("conformal prediction",)]),
        (
            "federated learning with differential privacy",
            [("federated learning",), ("differential privacy",)],
        ),
        ("continual or lifelong learning", [("continual learning", "lifelong learning")]),
        ("diffusion or flow matching", [("diffusion", "flow matching")]),
        ("Mamba or other state space models", [("Mamba", "Mamba space models", "state space models")]),
        ("text and images", [("text",), ("images",)]),
        ("diffusion models for audio", [("diffusion models",), ("audio",)]),
        ("privacy, fairness or safety", [("privacy", "fairness", "safety")]),
        (
            "medical or clinical dataset or benchmark",
            [("medical dataset", "medical benchmark", "clinical dataset", "clinical benchmark")],
        ),
        ("a new kind of pruning", [("pruning",)]),
        ("build or evaluate agents", [("agents",)]),
        ("the impact of data augmentation", [("data augmentation",)]),
        ("state space models", [("state space models",)]),
        ("test time training", [("test time training",)]),
        ("test the robustness of LLMs", [("robustness",), ("LLMs",)]),
        ("preference optimization or variants of it", [("preference optimization",)]),
        ("LLMs for scientific discovery or to automate research", [("LLMs",), ("scientific discovery",)]),
    ],
)
def test_parts_and_alternatives(topic: str, parts: list[tuple[str, ...]]) -> None:
    found = [set(part) for part in parse_topic(topic).parts]
    assert len(found) == len(parts)
    for alternatives, expected in zip(found, parts, strict=True):
        assert alternatives & set(expected), (alternatives, expected)


@pytest.mark.parametrize(
    ("topic", "parts"),
    [
        ("perturbations or distribution shift", ("perturbations", "distribution shift")),
        ("graphs or point clouds", ("graphs", "point clouds")),
        ("LLMs or vision-language models", ("LLMs", "vision-language models")),
        ("sparse or linear attention", ("sparse attention", "linear attention")),
        (
            "prune vision transformers or language models",
            ("prune vision transformers", "prune language models"),
        ),
        ("generate 3D shapes or scenes", ("generate 3D shapes", "generate 3D scenes")),
        ("generate molecules or design drugs", ("generate molecules", "generate drugs")),
        ("analyse medical images", ("medical images",)),
        ("learn from noisy labels", ("noisy labels",)),
    ],
)
def test_what_stands_on_either_side_of_or(topic: str, parts: tuple[str, ...]) -> None:
    assert parse_topic(topic).parts == (parts,)


@pytest.mark.parametrize(
    ("topic", "kept", "excluded"),
    [
        ("LLMs but not recommendation", "LLMs", ("recommendation",)),
        ("diffusion without images", "diffusion", ("images",)),
        ("besides images, diffusion", "diffusion", ("images",)),
        ("graphs, excluding molecules", "graphs", ("molecules",)),
        ("agents that do not use retrieval", "agents", ("retrieval",)),
        ("besides LoRA that discuss fine-tuning", "fine-tuning", ("LoRA",)),
        ("optimal transport", "optimal transport", ()),
    ],
)
def test_exclusions(topic: str, kept: str, excluded: tuple[str, ...]) -> None:
    found = parse_topic(topic)
    assert found.excluded == excluded
    assert found.parts[0][0] == kept
    assert not set(excluded) & {phrase for part in found.parts for phrase in part}


def test_examples_are_alternatives() -> None:
    (part,) = parse_topic("sequence models such as Mamba, RWKV and transformers").parts
    assert {"sequence models", "Mamba", "RWKV", "transformers"} <= set(part)


@pytest.mark.parametrize(
    ("topic", "positive"),
    [
        ("don't use diffusion", "diffusion"),
        ("do not use diffusion models", "diffusion models"),
        ("without retrieval", "retrieval"),
        ("not about LLMs", "LLMs"),
        ("no labels", "labels"),
        ("diffusion", ""),
        ("diffusion but not images", ""),
        ("not images but text", ""),
        ("besides images, using diffusion", ""),
        ("nothing but text", ""),
        ("besides LoRA variants study parameter-efficient fine-tuning", ""),
        ("apart from GNN-Diff use diffusion", ""),
        ("except for those about graphs", "those about graphs"),
    ],
)
def test_a_topic_that_only_excludes(topic: str, positive: str) -> None:
    assert negation(topic) == positive


WORDS = st.lists(
    st.sampled_from(
        "or and not without but for with , like such as e.g. using diffusion images Mamba the a new learning"
        " federated or/and ( ) besides except that both etc.".split()
    ),
    max_size=12,
).map(" ".join)


@given(st.one_of(st.text(max_size=100), WORDS))
def test_any_topic_has_a_part(text: str) -> None:
    topic = parse_topic(text)
    assert topic.parts
    assert all(part and len(part) <= 2 * MOST_ALTERNATIVES for part in topic.parts)
    assert all(phrase == phrase.strip() for phrase in topic.excluded)
    assert isinstance(negation(text), str)
