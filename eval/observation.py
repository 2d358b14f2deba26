"""What the runner saw of one case: everything a measure may look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from eval.marks import cited_numbers
from rag.records import Answer, Paper


@dataclass(frozen=True, slots=True)
class Observation:
    """The answer to a case's last turn and what surrounds it.

    `ranking` are the paper ids that retrieval put first for the last turn, best first. `sources` are the
    index's own records of the papers that the answer names, by id. `earlier` are the answers to the turns
    before. `seconds` is the wall time of the last turn, `first_text_seconds` the time to its first piece of
    text (None when it came in one piece). `variants` are what was seen of the same case under harmless
    changes, by the name of the change.
    """

    answer: Answer
    ranking: tuple[str, ...] = ()
    sources: Mapping[str, Paper] = field(default_factory=dict)
    earlier: tuple[Answer, ...] = ()
    seconds: float = 0.0
    first_text_seconds: float | None = None
    variants: Mapping[str, "Observation"] = field(default_factory=dict)

    @property
    def cited(self) -> tuple[str, ...]:
        """Ids of the papers that the text marks, each once, in the order of their first mark."""
        by_number = {citation.number: citation.paper.id for citation in self.answer.citations}
        marked = [by_number[number] for number in cited_numbers(self.answer.text) if number in by_number]
        return tuple(dict.fromkeys(marked))

    @property
    def listed(self) -> tuple[str, ...]:
        """Ids of the papers decided yes."""
        return tuple(decision.paper.id for decision in self.answer.papers if decision.choice == "yes")

    @property
    def listed_or_maybe(self) -> tuple[str, ...]:
        """Ids of the papers decided yes or maybe."""
        return tuple(
            decision.paper.id for decision in self.answer.papers if decision.choice in ("yes", "maybe")
        )
