"""Asks an engine every case and scores what comes back. Takes an engine, never builds one."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from eval.cases import Case
from eval.measures import EVALUATORS
from eval.measures.strict_pass import failings
from eval.observation import Observation
from eval.perturbations import INJECTED, PERTURBATIONS, perturbed
from eval.run import Outcome
from rag.engine import AnswerEngine
from rag.records import Answer, Conversation, TextDelta

RANKED = 20
"""As deep as any ranking measure looks."""


@dataclass(frozen=True, slots=True)
class Runner:
    """How cases are asked: by which engine, with or without its model, under which changes.

    `injected` is the same engine over a corpus with injected papers, where that is to be tried.
    """

    engine: AnswerEngine
    use_llm: bool = True
    seed: int = 0
    perturb: bool = False
    injected: AnswerEngine | None = None

    def run(self, cases: Sequence[Case], finished: Mapping[str, Outcome] | None = None) -> Iterator[Outcome]:
        """The outcome of each case, in order, as soon as it is there. Those in `finished` are not asked.

        A case whose engine or measure crashes is an outcome too; only KeyboardInterrupt ends a run early.
        """
        for case in cases:
            yield (finished or {}).get(case.id) or self.outcome(case)

    def outcome(self, case: Case) -> Outcome:
        error, answer = "", None
        try:
            seen, seconds = self._observe(case, self.engine)
            answer = seen.answer.as_json()
            seen = replace(seen, variants=dict(self._variants(case)))
        except Exception as crash:  # a result in the report, not the end of the run
            error, seconds = f"the engine: {_named(crash)}", 0.0
            seen = Observation(_nothing(case))
        scores, broken = _scores(case, seen)
        return Outcome(
            case=case,
            scores=scores,
            why=_reasons(case, seen, error),
            answer=answer,
            variants={name: not failings(case, variant) for name, variant in seen.variants.items()},
            seconds_all_turns=seconds,
            error="; ".join(filter(None, [error, *broken])),
        )

    def _variants(self, case: Case) -> Iterator[tuple[str, Observation]]:
        if self.perturb:
            for name in PERTURBATIONS:
                if changed := perturbed(case, name, self.seed):
                    yield name, self._variant(changed, self.engine)
        if self.injected and not case.counts_corpus:
            yield INJECTED, self._variant(case, self.injected)

    def _variant(self, case: Case, engine: AnswerEngine) -> Observation:
        try:
            return self._observe(case, engine)[0]
        except Exception:  # a change that crashes the engine has changed the verdict
            return Observation(_nothing(case))

    def _observe(self, case: Case, engine: AnswerEngine) -> tuple[Observation, float]:
        conversation, spent = Conversation(), 0.0
        for turn in case.turns:
            answer, seconds, first_text = self._ask(engine, turn, conversation)
            conversation, spent = conversation.with_turn(answer), spent + seconds
        named = {*(c.paper.id for c in answer.citations), *(d.paper.id for d in answer.papers)}
        seen = Observation(
            answer=answer,
            ranking=tuple(hit.paper.id for hit in engine.rank(case.question, RANKED))
            if len(case.turns) == 1
            else (),
            sources={paper.id: paper for paper in engine.papers if paper.id in named},
            earlier=tuple(turn.answer for turn in conversation.turns[:-1]),
            seconds=seconds,
            first_text_seconds=first_text,
        )
        return seen, spent

    def _ask(
        self, engine: AnswerEngine, question: str, conversation: Conversation
    ) -> tuple[Answer, float, float | None]:
        start = time.perf_counter()
        first_text: float | None = None
        answer: Answer | None = None
        for part in engine.stream(question, conversation, use_llm=self.use_llm):
            if isinstance(part, TextDelta):
                first_text = first_text or time.perf_counter() - start
            else:
                answer = part
        if answer is None:
            raise RuntimeError("the stream ended without an answer")
        return answer, time.perf_counter() - start, first_text


def _scores(case: Case, seen: Observation) -> tuple[dict[str, float], list[str]]:
    """Every score that applies, and the measures that crashed."""
    scores: dict[str, float] = {}
    broken: list[str] = []
    for evaluator in EVALUATORS:
        try:
            value = evaluator.score(case, seen)
        except Exception as crash:
            broken.append(f"{evaluator.name}: {_named(crash)}")
        else:
            if value is not None:
                scores[evaluator.name] = value
    return scores, broken


def _reasons(case: Case, seen: Observation, error: str) -> tuple[str, ...]:
    if error:
        return (f"crashed in {error}",)
    try:
        return failings(case, seen)
    except Exception as crash:
        return (f"the verdict crashed: {_named(crash)}",)


def _nothing(case: Case) -> Answer:
    """What a crash is worth: no text, no papers, and no abstention either."""
    return Answer(case.question, "lookup", case.language, "")


def _named(crash: Exception) -> str:
    return f"{type(crash).__name__}: {' '.join(str(crash).split())}"[:300]
