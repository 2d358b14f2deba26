"""A run: what became of each case, and under which settings."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.cases import KINDS, Case


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished case.

    `scores` holds every measure that applies, by name. `why` says what keeps the case from passing. `answer`
    is the answer in the JSON of the README, None where the engine crashed. `error` is what crashed, empty
    otherwise. `variants` tells for each harmless change whether the case passed under it.
    """

    case: Case
    scores: Mapping[str, float]
    why: tuple[str, ...] = ()
    answer: Mapping[str, Any] | None = None
    variants: Mapping[str, bool] = field(default_factory=dict)
    seconds_all_turns: float = 0.0
    error: str = ""

    @property
    def passed(self) -> bool:
        return self.scores.get("strict_pass") == 1.0

    def as_json(self) -> dict[str, Any]:
        case = self.case
        return {
            "id": case.id,
            "kind": case.kind,
            "passed": self.passed,
            "turns": list(case.turns),
            "language": case.language,
            "gold": list(case.gold),
            "why": list(self.why),
            "error": self.error,
            "scores": dict(self.scores),
            "variants": dict(self.variants),
            "answer": self.answer,
        }

    def as_line(self) -> str:
        """One line of JSON that `from_line` reads back."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_line(cls, line: str) -> "Outcome":
        """Raises ValueError, KeyError or TypeError when `line` was not written by the same `as_line`."""
        fields = json.loads(line)
        case = fields["case"]
        for name in ("turns", "gold", "ok_extra"):
            case[name] = tuple(case[name])
        case["nuggets"] = tuple(tuple(nugget) for nugget in case["nuggets"])
        fields["why"] = tuple(fields["why"])
        return cls(**{**fields, "case": Case(**case)})


@dataclass(frozen=True, slots=True)
class Run:
    """The outcomes of a question set, in its order, and the settings that a comparable run shares."""

    outcomes: tuple[Outcome, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def columns(
    outcomes: Sequence[Outcome], inputs: Sequence[str]
) -> tuple[list[int], list[NDArray[np.float64]]]:
    """The places of the outcomes that have all scores of `inputs`, and these scores, an array each."""
    rows = [[column(outcome, name) for name in inputs] for outcome in outcomes]
    places = [place for place, row in enumerate(rows) if None not in row]
    return places, [
        np.array([rows[place][i] for place in places], dtype=np.float64) for i in range(len(inputs))
    ]


def column(outcome: Outcome, name: str) -> float | None:
    """One score of a case; `kind` is the index of its kind."""
    return float(KINDS.index(outcome.case.kind)) if name == "kind" else outcome.scores.get(name)
