"""Every measure against fractions computed by hand."""

import math
from dataclasses import replace
from typing import Any

import pytest
from ir_measures import RR, R, calc_aggregate, nDCG

from eval.cases import Case
from eval.marks import cited_numbers, without_marks
from eval.measures import EVALUATORS
from eval.measures.strict_pass import failings
from eval.observation import Observation
from rag.records import Answer, Citation, CitedSpan, Decision, Paper, Receipt, Tokens

SCORES = {evaluator.name: evaluator.score for evaluator in EVALUATORS}
A = Paper(
    "a",
    "Alpha Net",
    "Alpha reaches 93.4 % on GSM8K. It needs 1,000 steps.",
    ("Ada L.", "Bo M."),
    "ICLR",
    2025,
)
B = Paper("b", "Beta Net", "Beta is faster. It runs on 8 GPUs.")
C = Paper("c", "Gamma Net", "Gamma says nothing of the kind.")
PAPERS = {paper.id: paper for paper in (A, B, C)}


def case(kind: str = "lookup", **fields: Any) -> Case:
    turns = fields.pop("turns", ("How good is Alpha?",))
    return Case("c1", kind, turns, **fields)  # type: ignore[arg-type]


def answer(text: str = "", cited: dict[int, tuple[Paper, str]] | None = None, **fields: Any) -> Answer:
    citations = tuple(
        Citation(number, paper, (CitedSpan(0, quote),) if quote else ())
        for number, (paper, quote) in (cited or {}).items()
    )
    return Answer("How good is Alpha?", "lookup", "en", text, citations=citations, **fields)


def seen(of: Answer, **fields: Any) -> Observation:
    return Observation(of, sources=PAPERS, **fields)


def listing(yes: str = "", maybe: str = "", count: int | None = None) -> Observation:
    decisions = [*(Decision(PAPERS.get(i) or Paper(i, i, i), "yes", "", 1) for i in yes)]
    decisions += [Decision(PAPERS.get(i) or Paper(i, i, i), "maybe", "", 0.5) for i in maybe]
    return seen(answer(papers=tuple(decisions), count=count))


# --- marks ---


@pytest.mark.parametrize(
    ("text", "numbers", "plain"),
    [
        ("Fast [4].", [4], "Fast."),
        ("Fast [1, 4][2].", [1, 4, 2], "Fast."),
        ("Fast [1-3] and small 【2】.", [1, 2, 3, 2], "Fast and small."),
        ("In (P4) it is.", [], "In it is."),
        ("Values in [0, 1] and x[i] stay.", [], "Values in [0, 1] and x[i] stay."),
        ("Twice [2] the same [2].", [2, 2], "Twice the same."),
    ],
)
def test_marks_are_read_and_taken_out(text: str, numbers: list[int], plain: str) -> None:
    assert cited_numbers(text) == numbers
    assert without_marks(text) == plain


# --- facts ---


def test_nugget_recall_counts_facts_with_any_alternative_found() -> None:
    three = case(nuggets=(("93\\.4",), ("steps?", "iterations"), ("never said",)))
    assert SCORES["nugget_recall"](three, seen(answer("It is 93.4 after 1,000 ITERATIONS."))) == 2 / 3
    assert SCORES["nugget_recall"](case(), seen(answer("Anything."))) is None


def test_a_citation_number_is_no_fact() -> None:
    four = case(nuggets=(("\\b4\\b",),))
    assert SCORES["nugget_recall"](four, seen(answer("Quite a few [1, 4]."))) == 0
    assert SCORES["nugget_recall"](four, seen(answer("There are 4 [1]."))) == 1


def test_numbers_grounded_looks_into_cited_papers_and_the_question() -> None:
    one = case(turns=("Does 50 % help?",))
    said = answer("93.4 after 1000 steps, not 50 or 77 [1].", {1: (A, "")})
    assert SCORES["numbers_grounded"](one, seen(said)) == 3 / 4
    assert SCORES["numbers_grounded"](one, seen(replace(said, citations=()))) == 1 / 4
    assert SCORES["numbers_grounded"](one, seen(answer("None at all [1].", {1: (A, "")}))) is None
    assert SCORES["numbers_grounded"](case("enumerate"), seen(said)) is None


# --- citations ---


def test_citation_validity_wants_the_number_the_paper_and_the_quote() -> None:
    good = {1: (A, "It needs 1,000\n steps."), 2: (B, "Beta is faster.")}
    assert SCORES["citation_validity"](case(), seen(answer("x [1] y [2].", good))) == 1
    assert SCORES["citation_validity"](case(), seen(answer("x [1] y [2] z [9].", good))) == 2 / 3
    assert SCORES["citation_validity"](case(), seen(answer("x [1].", {1: (A, "Beta is faster.")}))) == 0
    assert SCORES["citation_validity"](case(), seen(answer("x [1].", {1: (Paper("z", "", "q"), "q")}))) == 0
    assert SCORES["citation_validity"](case(), seen(answer("nothing cited"))) is None
    record = answer("By Ada L., Bo M. at ICLR 2025 [1].", {1: (A, "Ada L., Bo M.")})
    assert SCORES["citation_validity"](case(), seen(record)) == 1


def test_citation_validity_refuses_a_number_for_two_papers() -> None:
    both = Answer("q", "lookup", "en", "x [1]", citations=(Citation(1, A), Citation(1, B)))
    assert SCORES["citation_validity"](case(), seen(both)) == 0


@pytest.mark.parametrize(
    ("text", "gold", "ok_extra", "precision", "recall"),
    [
        ("[1]", "a", "", 1, 1),
        ("[1] [2]", "a", "", 1 / 2, 1),
        ("[1] [2]", "a", "b", 1, 1),
        ("[2]", "a", "b", None, 0),
        ("[1] [2] [3]", "ab", "", 2 / 3, 1),
        ("[1]", "abc", "", 1, 1 / 3),
        ("nothing", "a", "", None, 0),
        ("[1]", "", "", None, None),
    ],
)
def test_citation_precision_and_recall(
    text: str, gold: str, ok_extra: str, precision: float | None, recall: float | None
) -> None:
    one = case(gold=tuple(gold), ok_extra=tuple(ok_extra))
    observed = seen(answer(text, {1: (A, ""), 2: (B, ""), 3: (C, "")}))
    assert SCORES["citation_precision"](one, observed) == precision
    assert SCORES["citation_recall"](one, observed) == recall


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Alpha wins [1]. Beta loses [2].", 1),
        ("Alpha wins. [1] Beta loses.", 1 / 2),
        ("Alpha wins [1]. Beta loses. Gamma too.", 1 / 3),
        ("", None),
    ],
)
def test_sentences_cited(text: str, share: float | None) -> None:
    assert SCORES["sentences_cited"](case("explain"), seen(answer(text))) == share


def test_a_paper_that_the_answer_calls_a_maybe_is_no_wrong_citation() -> None:
    one = case("enumerate", gold=("a",))
    listed = (Decision(A, "yes", "", 1), Decision(B, "maybe", "", 0.5))
    said = replace(answer("[1], maybe [2]", {1: (A, ""), 2: (B, "")}), papers=listed)
    assert SCORES["citation_precision"](one, seen(said)) == 1
    assert SCORES["citation_precision"](one, seen(replace(said, papers=listed[:1]))) == 1 / 2


def test_citation_support_is_the_verifiers_word() -> None:
    spans = (CitedSpan(0, "x", "supported"), CitedSpan(1, "y", "weak"), CitedSpan(2, "z", "unsupported"))
    said = Answer("q", "lookup", "en", "t [1]", citations=(Citation(1, A, spans),))
    assert SCORES["citation_support"](case(), seen(said)) == 1 / 3


def test_paper_recall_at_1_is_about_the_first_mark() -> None:
    both = {1: (A, ""), 2: (B, "")}
    one = case(gold=("b",))
    assert SCORES["paper_recall_at_1"](one, seen(answer("x [2] y [1]", both))) == 1
    assert SCORES["paper_recall_at_1"](one, seen(answer("x [1] y [2]", both))) == 0
    assert SCORES["paper_recall_at_1"](one, seen(answer("x", both))) == 0
    assert SCORES["paper_recall_at_1"](one, seen(answer("x [2]", both, abstained=True))) == 0
    assert SCORES["paper_recall_at_1"](case(gold=("a", "b")), seen(answer("x [2]", both))) is None


# --- lists ---


@pytest.mark.parametrize(
    ("gold", "extra", "yes", "maybe", "precision", "recall", "f1", "with_maybe"),
    [
        ("abcd", "", "abx", "c", 2 / 3, 2 / 4, 4 / 7, 3 / 4),
        ("ab", "", "ab", "", 1, 1, 1, 1),
        ("ab", "x", "abx", "", 1, 1, 1, 1),
        ("ab", "x", "x", "", 0, 0, 0, 0),
        ("ab", "", "", "a", 0, 0, 0, 1 / 2),
        ("", "", "", "", 1, None, 1, None),
        ("", "", "x", "", 0, None, 0, None),
        ("", "x", "x", "", 1, None, 1, None),
        ("ab", "", "xy", "", 0, 0, 0, 0),
    ],
)
def test_list_precision_recall_f1(
    gold: str, extra: str, yes: str, maybe: str, precision: float, recall: float, f1: float, with_maybe: float
) -> None:
    one, observed = case("enumerate", gold=tuple(gold), ok_extra=tuple(extra)), listing(yes, maybe)
    assert SCORES["list_precision"](one, observed) == precision
    assert SCORES["list_recall"](one, observed) == recall
    assert SCORES["list_f1"](one, observed) == pytest.approx(f1, abs=1e-12)
    assert SCORES["list_recall_with_maybe"](one, observed) == with_maybe
    assert SCORES["list_length"](one, observed) == len(yes)


def test_count_exact_tolerates_only_what_is_listed() -> None:
    one = case("enumerate", gold=("a", "b"), ok_extra=("x",))
    assert SCORES["count_exact"](one, listing("ab", count=2)) == 1
    assert SCORES["count_exact"](one, listing("abx", count=3)) == 1
    assert SCORES["count_exact"](one, listing("ab", count=3)) == 0
    assert SCORES["count_exact"](one, listing("ab")) == 0


# --- verdicts ---


def test_strict_pass_names_everything_that_is_wrong() -> None:
    one = case(gold=("a",), nuggets=(("93",), ("never",)))
    wrong = seen(answer("It is 93 [2].", {2: (B, "")}))
    assert failings(one, wrong) == ("missing fact: never", "paper not cited: a", "wrong paper cited: b")
    assert SCORES["strict_pass"](one, wrong) == 0
    refused = seen(answer("No.", abstained=True))
    assert failings(one, refused) == ("abstained although the papers answer it",)


def test_an_unanswerable_question_passes_when_refused() -> None:
    one = case("unanswerable", answerable=False, ok_extra=("a",))
    assert SCORES["strict_pass"](one, seen(answer("They do not say [1].", {1: (A, "")}, abstained=True))) == 1
    assert SCORES["strict_pass"](one, seen(answer("It is 7."))) == 0
    assert SCORES["refusal_rate_unanswerable"](one, seen(answer("It is 7."))) == 0
    assert SCORES["false_refusal_rate"](one, seen(answer("It is 7."))) is None


def test_none_of_them_is_an_answer_and_no_refusal() -> None:
    one = case("enumerate")
    assert SCORES["strict_pass"](one, listing(count=0)) == 1
    assert SCORES["strict_pass"](one, listing("a", count=1)) == 0
    assert SCORES["strict_pass"](one, seen(answer(abstained=True, count=0))) == 0
    assert SCORES["false_refusal_rate"](one, seen(answer(abstained=True))) == 1


def test_a_metadata_question_may_list_or_cite() -> None:
    who = case("metadata", gold=("a",), nuggets=(("Ada",),))
    assert SCORES["strict_pass"](who, seen(answer("Ada L. [1].", {1: (A, "")}))) == 1
    listed = answer("Ada L.", papers=(Decision(A, "yes", "", 1),))
    assert SCORES["strict_pass"](who, seen(listed)) == 1
    size = case("metadata", nuggets=(("\\b3\\b",),))
    assert SCORES["strict_pass"](size, seen(answer("There are 3 papers [1].", {1: (A, "")}))) == 1


def test_followup_measures_apply_to_conversations_only() -> None:
    talk = case("followup", turns=("What is Alpha?", "How good is it?"), gold=("a",))
    first = answer("Alpha is a net. It is big [1].", {1: (A, "")})
    last = answer("It is big [1]. It reaches 93.4 [1].", {1: (A, "")})
    assert SCORES["followup_fresh"](talk, seen(last, earlier=(first,))) == 1 / 2
    assert SCORES["followup_pass"](talk, seen(last, earlier=(first,))) == 1
    assert SCORES["followup_pass"](case(), seen(last)) is None
    assert SCORES["followup_fresh"](case(), seen(last)) is None


def test_robustness_is_the_share_of_changes_that_keep_the_verdict() -> None:
    one = case(gold=("a",))
    right, wrong = seen(answer("x [1]", {1: (A, "")})), seen(answer("x [2]", {2: (B, "")}))
    observed = replace(right, variants={"case": right, "typos": wrong, "context": right})
    assert SCORES["robustness"](one, observed) == 2 / 3
    assert SCORES["robustness_typos"](one, observed) == 0
    assert SCORES["robustness_politeness"](one, observed) is None
    both_wrong = replace(wrong, variants={"case": wrong})
    assert SCORES["robustness"](one, both_wrong) == 1


# --- retrieval, a second implementation ---


def test_ranking_measures_by_hand_and_by_ir_measures() -> None:
    one = case(gold=("a", "c"))
    ranking = ("b", "a", "x", "y", "z", "c")
    observed = seen(answer(), ranking=ranking)
    ideal = 1 + 1 / math.log2(3)
    expected = {
        "retrieval_recall_at_1": 0,
        "retrieval_recall_at_5": 1 / 2,
        "retrieval_recall_at_20": 1,
        "retrieval_ndcg_at_10": (1 / math.log2(3) + 1 / math.log2(7)) / ideal,
        "retrieval_mrr_at_10": 1 / 2,
    }
    for name, value in expected.items():
        assert SCORES[name](one, observed) == pytest.approx(value, abs=1e-12), name
    run = {"q": {paper: 1 / place for place, paper in enumerate(ranking, start=1)}}
    reference = calc_aggregate([R @ 1, R @ 5, R @ 20, nDCG @ 10, RR @ 10], {"q": {"a": 1, "c": 1}}, run)
    assert sorted(reference.values()) == pytest.approx(sorted(expected.values()), abs=1e-12)


def test_ranking_measures_are_zero_for_an_empty_ranking_and_skip_conversations() -> None:
    assert SCORES["retrieval_ndcg_at_10"](case(gold=("a",)), seen(answer())) == 0
    assert SCORES["retrieval_ndcg_at_10"](case(gold=("a",), turns=("x", "y")), seen(answer())) is None


# --- cost and confidence ---


def test_cost_is_read_from_the_receipt() -> None:
    said = answer(receipt=Receipt(tokens=Tokens(120, 30), cost_usd=None))
    observed = seen(said, seconds=0.5, first_text_seconds=0.1)
    assert SCORES["tokens_prompt"](case(), observed) == 120
    assert SCORES["tokens_completion"](case(), observed) == 30
    assert SCORES["cost_usd"](case(), observed) is None
    assert SCORES["seconds"](case(), observed) == 0.5
    assert SCORES["first_text_seconds"](case(), observed) == 0.1


def test_brier_is_the_squared_distance_to_the_verdict() -> None:
    right = seen(answer("x [1]", {1: (A, "")}, confidence=0.75))
    assert SCORES["brier"](case(gold=("a",)), right) == 1 / 16
    assert SCORES["brier"](case(gold=("b",)), right) == 9 / 16
    assert SCORES["brier"](case(), seen(answer())) is None
    assert SCORES["answered_confidence"](case(), seen(answer(confidence=0.4, abstained=True))) is None
    assert SCORES["confidence"](case(), seen(answer(confidence=0.4, abstained=True))) == 0.4
