"""A language model's opinion of answers: asked several times, reported with its agreement, never a gate.

Model judges vary from run to run and prefer some styles (Zheng et al., NeurIPS 2023), so each answer is
judged at least three times, at a temperature and with the abstracts in another order.
"""

import random
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from llama_index.core.llms import LLM
from tqdm import tqdm

from eval.evaluator import Figure, rate
from eval.intervals import Estimate, estimate
from eval.run import Outcome
from prompts import load
from rag.errors import ModelError
from rag.records import Paper, Tokens
from rag.writing.briefing import as_data
from rag.writing.spend import SpendLedger

LEAST_REPEATS = 3
REPLY_TOKENS = 200
_TEMPERATURE = 0.7
_ASPECTS = ("faithful", "relevant")
_LINE = {aspect: re.compile(rf"\b{aspect}\W+(yes|no)\b", re.IGNORECASE) for aspect in _ASPECTS}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One reply: does the cited text support every statement, does the answer say what is asked?"""

    faithful: bool
    relevant: bool


@dataclass(frozen=True, slots=True)
class JudgeSummary:
    """Majority verdicts over the judged answers and how far the repeats agree.

    `agreement` is the share of agreeing pairs of repeats, `kappa` that share beyond chance (Fleiss 1971; None
    where all replies are the same), by aspect. `cases` are the readable replies by case id, `unreadable` the
    number of others. `stopped` says why the judging ended early, empty otherwise.
    """

    model: str
    repeats: int
    verdicts: Mapping[str, Estimate]
    agreement: Mapping[str, float | None]
    kappa: Mapping[str, float | None]
    cases: Mapping[str, tuple[Judgement, ...]]
    unreadable: int = 0
    stopped: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks `llm` about answers. `price` gives the dollars of tokens; they count towards the daily cap."""

    llm: LLM
    model: str
    ledger: SpendLedger
    price: Callable[[Tokens], float | None]

    def judge(
        self, outcomes: Sequence[Outcome], papers: Sequence[Paper], repeats: int, seed: int
    ) -> JudgeSummary:
        """Judges every answer that was given and cites something, each `repeats` times.

        With a progress bar on stderr. A reply that cannot be read is counted; an error of the model or Ctrl-C
        ends the judging, not the run.
        """
        records = {paper.id: paper for paper in papers}
        rng = random.Random(seed)  # noqa: S311 (a reproducible order)
        cases: dict[str, tuple[Judgement, ...]] = {}
        unreadable, stopped = 0, ""
        judged = [outcome for outcome in outcomes if _judgeable(outcome)]
        try:
            for outcome in tqdm(judged, "Judging", unit="case", file=sys.stderr, disable=None):
                replies = [self._ask(outcome, records, rng) for _ in range(repeats)]
                cases[outcome.case.id] = tuple(reply for reply in replies if reply)
                unreadable += replies.count(None)
        except ModelError as error:
            stopped = str(error)
        except KeyboardInterrupt:
            stopped = "Broken off."
        return summarise(cases, self.model, repeats, seed, unreadable, stopped)

    def _ask(self, outcome: Outcome, records: Mapping[str, Paper], rng: random.Random) -> Judgement | None:
        from rag.writing.endpoint import Ending, reply

        answer = outcome.answer or {}
        cited = [records[c["paper"]["id"]] for c in answer["citations"] if c["paper"]["id"] in records]
        rng.shuffle(cited)
        messages = load("judge", frozenset({"abstracts", "question", "answer"})).format_messages(
            abstracts="\n\n".join(
                f"<abstract>\n{as_data(p.title)}\n{as_data(p.abstract)}\n</abstract>" for p in cited
            ),
            question=as_data(" / ".join(outcome.case.turns)),
            answer=as_data(answer["text"]),
        )
        self.ledger.check()
        llm = self.llm.model_copy(update={"temperature": _TEMPERATURE})
        text = ""
        for piece in reply(llm, messages):
            if isinstance(piece, Ending):
                self.ledger.add(self.price(piece.tokens or Tokens()) or 0.0)
            else:
                text += piece
        return read_reply(text)


def read_reply(text: str) -> Judgement | None:
    """The last verdict on each aspect in a reply; None when one is missing."""
    found = [_LINE[aspect].findall(text) for aspect in _ASPECTS]
    if not all(found):
        return None
    return Judgement(*(answers[-1].lower() == "yes" for answers in found))


def summarise(
    cases: Mapping[str, tuple[Judgement, ...]],
    model: str,
    repeats: int,
    seed: int,
    unreadable: int = 0,
    stopped: str = "",
) -> JudgeSummary:
    """Verdicts by majority, a tie counting as no, and the agreement of the repeats."""
    replies = {
        aspect: [[getattr(judgement, aspect) for judgement in case] for case in cases.values() if case]
        for aspect in _ASPECTS
    }
    verdicts = {
        aspect: estimate(
            Figure(f"judge_{aspect}", (), rate), [np.array([float(2 * sum(r) > len(r)) for r in rows])], seed
        )
        for aspect, rows in replies.items()
    }
    return JudgeSummary(
        model=model,
        repeats=repeats,
        verdicts=verdicts,
        agreement={aspect: agreement(rows) for aspect, rows in replies.items()},
        kappa={aspect: kappa(rows) for aspect, rows in replies.items()},
        cases=cases,
        unreadable=unreadable,
        stopped=stopped,
    )


def agreement(rows: Iterable[Sequence[bool]]) -> float | None:
    """Mean over answers of the share of pairs of repeats that agree; None where no answer has two replies."""
    shares = []
    for row in rows:
        n, yes = len(row), sum(row)
        if n > 1:
            shares.append((yes * (yes - 1) + (n - yes) * (n - yes - 1)) / (n * (n - 1)))
    return sum(shares) / len(shares) if shares else None


def kappa(rows: Sequence[Sequence[bool]]) -> float | None:
    """Fleiss' kappa: agreement beyond what the overall shares of yes and no give by chance."""
    observed = agreement(rows)
    answers = [answer for row in rows if len(row) > 1 for answer in row]
    if observed is None or len(set(answers)) < 2:
        return None
    yes = sum(answers) / len(answers)
    chance = yes**2 + (1 - yes) ** 2
    return (observed - chance) / (1 - chance)


def _judgeable(outcome: Outcome) -> bool:
    answer = outcome.answer
    return answer is not None and not answer["abstained"] and bool(answer["citations"])
