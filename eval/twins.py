"""Whether a list question finds the same papers in Chinese as in English, over pairs of both."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError

from eval.cases import DEFAULT_QUESTIONS
from eval.evaluator import Figure, mean
from eval.intervals import Estimate, estimate
from rag.engine import AnswerEngine
from rag.errors import UsageError
from rag.records import Answer

TWINS = DEFAULT_QUESTIONS.with_name("twins.jsonl")


class Twin(BaseModel, frozen=True):
    """One question in two languages."""

    id: str
    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many papers each list holds as yes, and the F1 of the Chinese one where the English one is right.

    Two empty lists agree (1.0).
    """

    english: int
    chinese: int
    f1: float


def load_twins(path: Path = TWINS) -> tuple[Twin, ...]:
    """The pairs of a JSON Lines file. Raises UsageError where it cannot be read or holds none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        twins = tuple(Twin.model_validate_json(line) for line in lines if line.strip())
    except (OSError, UnicodeDecodeError, ValidationError, json.JSONDecodeError) as error:
        raise UsageError(
            f"The pairs {path} cannot be read ({type(error).__name__}).",
            'Each line needs "id", "en" and "zh".',
        ) from None
    if not twins:
        raise UsageError(f"The pairs {path} hold no question.")
    return twins


def compare_twins(
    engine: AnswerEngine, twins: Sequence[Twin], use_llm: bool = True
) -> Iterator[tuple[str, Agreement]]:
    """Asks both of each pair; yields its id and how far the lists agree."""
    for twin in twins:
        english, chinese = (_listed(engine.ask(text, use_llm=use_llm)) for text in (twin.en, twin.zh))
        both = len(english) + len(chinese)
        f1 = 2 * len(english & chinese) / both if both else 1.0
        yield twin.id, Agreement(len(english), len(chinese), f1)


def _listed(answer: Answer) -> set[str]:
    return {decision.paper.id for decision in answer.papers if decision.choice == "yes"}


def mean_f1(found: Mapping[str, Agreement], seed: int) -> Estimate:
    """The mean over pairs with its 95 % interval."""
    return estimate(Figure("f1", (), mean), [np.array([one.f1 for one in found.values()])], seed)


def as_json(found: Mapping[str, Agreement], seed: int) -> dict[str, Any]:
    """The JSON of `eval twins --json`, documented in eval/README.md."""
    return {
        "pairs": {name: asdict(one) for name, one in found.items()},
        "f1": asdict(mean_f1(found, seed)),
    }
