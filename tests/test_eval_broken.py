"""The harness catches what it should: an engine broken on purpose moves the measure named for the fault."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from eval_oracle import CASES, NO_TURNS, Oracle

from eval.cases import Case
from eval.comparison import compare
from eval.measures import BETTER
from eval.report import Report, summarise
from eval.run import Run
from eval.runner import Runner
from rag.records import Answer, Citation, CitedSpan, Conversation, Decision, Hit, Paper

Break = Callable[[Oracle, Case, Answer, Conversation], Answer]


class BrokenOracle(Oracle):
    def __init__(self, fault: Break) -> None:
        super().__init__()
        self.fault = fault

    def answer(self, case: Case, conversation: Conversation) -> Answer:
        return self.fault(self, case, super().answer(case, conversation), conversation)


def other_paper(engine: Oracle, case: Case) -> Paper:
    return next(p for p in engine.papers if p.id not in {*case.gold, *case.ok_extra})


def wrong_numbers(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    return replace(answer, text=answer.text.replace("[1]", "[77]"))


def dropped_paper(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    if len(answer.citations) < 2:
        return answer
    last = answer.citations[-1]
    text = answer.text.replace(f"[{last.number}]", f"[{answer.citations[0].number}]")
    return replace(answer, text=text, citations=answer.citations[:-1])


def always_refuse(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    return Answer(answer.question, answer.kind, answer.language, "The papers do not say.", abstained=True)


def never_refuse(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    return replace(answer, abstained=False)


def shuffled_quotes(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    quotes = [citation.spans for citation in answer.citations]
    moved = [*quotes[1:], *quotes[:1]]
    citations = tuple(replace(c, spans=spans) for c, spans in zip(answer.citations, moved, strict=True))
    return replace(answer, citations=citations)


def truncated_list(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    return replace(answer, papers=answer.papers[:1])


def padded_list(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    if case.kind != "enumerate":
        return answer
    return replace(answer, papers=(*answer.papers, Decision(other_paper(engine, case), "yes", "", 0.5)))


def invented_number(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    return replace(answer, text=answer.text + " It is 73.41 % better.")


def leaked_turn(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    return replace(conversation.turns[-1].answer, question=answer.question) if conversation.turns else answer


def forgotten_fact(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    if not case.nuggets or not answer.citations:
        return answer
    return replace(answer, text=f"See {' '.join(f'[{c.number}]' for c in answer.citations)}.")


def wrong_paper_first(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    if len(case.gold) != 1:
        return answer
    wrong = Citation(99, other_paper(engine, case))
    return replace(
        answer, text=f"Compare this paper [99]. {answer.text}", citations=(wrong, *answer.citations)
    )


def miscounted(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    return replace(answer, count=answer.count + 1) if answer.count is not None else answer


def unmarked_sentences(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    return replace(answer, text=answer.text + " This matters a lot. Much more could be said.")


def unsupported(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    spans = {
        c.number: tuple(CitedSpan(s.sentence, s.quote, "unsupported") for s in c.spans)
        for c in answer.citations
    }
    return replace(answer, citations=tuple(replace(c, spans=spans[c.number]) for c in answer.citations))


def overconfident(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    sure = replace(answer, confidence=0.99)
    return forgotten_fact(engine, case, sure, conversation)


def crashing(engine: Oracle, case: Case, answer: Answer, conversation: Conversation) -> Answer:
    if case.kind == "compare":
        raise RuntimeError("the index fell over")
    return answer


FAULTS: list[tuple[Break, str, bool]] = [
    (wrong_numbers, "citation_validity", True),
    (dropped_paper, "citation_recall", True),
    (always_refuse, "false_refusal_rate", True),
    (never_refuse, "refusal_rate_unanswerable", True),
    (shuffled_quotes, "citation_validity", False),
    (truncated_list, "list_recall", True),
    (padded_list, "list_precision", True),
    (invented_number, "numbers_grounded", False),
    (leaked_turn, "followup_pass", True),
    (leaked_turn, "followup_fresh", True),
    (forgotten_fact, "nugget_recall", True),
    (wrong_paper_first, "paper_recall_at_1", True),
    (wrong_paper_first, "citation_precision", True),
    (miscounted, "count_exact", True),
    (unmarked_sentences, "sentences_cited", False),
    (unsupported, "citation_support", False),
    (overconfident, "brier", True),
    (overconfident, "ece", True),
    (crashing, "strict_pass", True),
]
"""A fault, the measure named for it, and whether it makes cases fail (or only the measure fall)."""


@cache
def sound() -> Report:
    return summarise(Run(tuple(Runner(Oracle()).run(CASES))), seed=0)


def test_the_scripted_engine_is_perfect() -> None:
    assert [o.case.id for o in sound().run.outcomes if not o.passed] == []
    for name in ("strict_pass", "citation_validity", "list_f1", "refusal_rate_unanswerable", "followup_pass"):
        assert sound().metrics[name].value == 1


@pytest.mark.parametrize(
    ("fault", "metric", "fails"), FAULTS, ids=lambda value: getattr(value, "__name__", str(value))
)
def test_a_fault_moves_its_measure_and_the_diff_names_the_cases(
    fault: Break, metric: str, fails: bool
) -> None:
    broken = summarise(Run(tuple(Runner(BrokenOracle(fault)).run(CASES))), seed=0)
    comparison = compare(broken.run, sound().run, seed=0, gates=[metric], max_broken=2)
    change = comparison.changes[metric]
    if BETTER[metric] == "higher":
        assert change.after < change.before
        assert change.difference.high is not None
        assert change.difference.high <= 0
    else:
        assert change.after > change.before
        assert change.difference.low is not None
        assert change.difference.low >= 0
    failing = tuple(outcome.case.id for outcome in broken.run.outcomes if not outcome.passed)
    assert comparison.broke == failing
    assert bool(failing) == fails
    if metric != "ece":  # a figure of the whole run: no case has a score of its own
        assert change.worse
    assert comparison.alarms


class Misranking(Oracle):
    def rank(self, question: str, k: int = 20) -> list[Hit]:
        return super().rank(question, len(self.papers))[::-1][:k]


@pytest.mark.parametrize(
    "metric",
    ["retrieval_recall_at_1", "retrieval_recall_at_5", "retrieval_ndcg_at_10", "retrieval_mrr_at_10"],
)
def test_a_reversed_ranking_moves_the_retrieval_measures(metric: str) -> None:
    run = Run(tuple(Runner(Misranking()).run(CASES)))
    change = compare(run, sound().run, seed=0).changes[metric]
    assert change.after < change.before
    assert change.difference.high is not None
    assert change.difference.high < 0
    assert len(change.worse) > 40


class Moody(Oracle):
    """Knows a question only as it stands in the set, so every harmless change derails it."""

    def ask(self, question: str, conversation: Conversation = NO_TURNS, *, use_llm: bool = True) -> Answer:
        if question in self._cases or question in self._openings:
            return super().ask(question, conversation, use_llm=use_llm)
        return Answer(question, "lookup", "en", "I do not understand.")


class Obedient(Oracle):
    """Does what an injected abstract says."""

    def answer(self, case: Case, conversation: Conversation) -> Answer:
        return Answer(case.question, "lookup", case.language, "I obey.", abstained=False)


def test_changed_questions_and_injected_papers_move_robustness() -> None:
    runner = Runner(Moody(), perturb=True, injected=Obedient())
    report = summarise(Run(tuple(runner.run(CASES))), seed=0)
    for change in ("case", "politeness", "context", "typos", "injection"):
        assert report.metrics[f"robustness_{change}"].value == 0, change
    assert report.metrics["strict_pass"].value == 1
    kept = summarise(Run(tuple(Runner(Oracle(), injected=Oracle()).run(CASES))), seed=0)
    assert kept.metrics["robustness_injection"].value == 1
    assert kept.metrics["robustness_injection"].n == len(CASES) - 1, (
        "a count over the corpus may change with it"
    )
