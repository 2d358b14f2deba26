"""Laws of the measures: bounds, no dependence on order, more of the right never scores less."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from eval.cases import KINDS, Case
from eval.measures import EVALUATORS
from eval.measures.strict_pass import failings
from eval.observation import Observation
from eval.perturbations import PERTURBATIONS, perturbed
from rag.records import Answer, Citation, CitedSpan, Decision, Paper

PAPERS = {
    i: Paper(i, f"Title {i}", f"Paper {i} tells {n} things. It says more.")
    for n, i in enumerate("abcdef", start=2)
}
IDS = st.lists(st.sampled_from("abcdef"), unique=True).map(tuple)
UNBOUNDED = {
    "answer_words",
    "list_length",
    "seconds",
    "first_text_seconds",
    "tokens_prompt",
    "tokens_completion",
    "cost_usd",
}
SCORES = {evaluator.name: evaluator.score for evaluator in EVALUATORS}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    kind = draw(st.sampled_from(KINDS))
    turns = ("First?", "Then?") if kind == "followup" else ("What?",)
    nuggets = (
        draw(st.lists(st.sampled_from([("3",), ("things", "stuff"), ("never",)]), max_size=2))
        if kind != "unanswerable"
        else []
    )
    gold = draw(IDS) if kind != "unanswerable" else ()
    return Case("c", kind, turns, "en", kind != "unanswerable", gold, tuple(nuggets), draw(IDS))


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    cited = draw(IDS)
    spans = [
        (CitedSpan(0, PAPERS[i].abstract[:9], draw(st.sampled_from(["supported", "weak", "unsupported"]))),)
        for i in cited
    ]
    marks = draw(st.lists(st.integers(1, 8), max_size=6))
    sentences = [
        draw(st.sampled_from(["It tells 3 things", "No", "结果很好。", "It is 7 times better", ""]))
        for _ in marks
    ]
    text = " ".join(f"{sentence} [{number}]." for sentence, number in zip(sentences, marks, strict=True))
    choices = [(i, draw(st.sampled_from(["yes", "maybe", "no"]))) for i in draw(IDS)]
    return Answer(
        "What?",
        "lookup",
        "en",
        text,
        abstained=draw(st.booleans()),
        confidence=draw(st.none() | st.floats(0, 1)),
        citations=tuple(
            Citation(n, PAPERS[i], s) for n, (i, s) in enumerate(zip(cited, spans, strict=True), start=1)
        ),
        papers=tuple(Decision(PAPERS[i], choice, "", 0.5) for i, choice in choices),
        count=draw(st.none() | st.integers(0, 6)),
    )


observations = st.builds(
    Observation, answer=answers(), ranking=IDS, sources=st.just(PAPERS), earlier=st.tuples(answers())
)


@given(cases(), observations)
def test_scores_lie_between_0_and_1(case: Case, seen: Observation) -> None:
    for name, score in SCORES.items():
        value = score(case, seen)
        assert value is None or name in UNBOUNDED or 0 <= value <= 1, name


@given(cases(), observations, st.randoms(use_true_random=False))
def test_the_order_of_gold_papers_facts_and_decisions_does_not_matter(
    case: Case, seen: Observation, rng: random.Random
) -> None:
    gold, nuggets, papers = list(case.gold), list(case.nuggets), list(seen.answer.papers)
    for sequence in (gold, nuggets, papers):
        rng.shuffle(sequence)
    mixed_case = replace(case, gold=tuple(gold), nuggets=tuple(nuggets))
    mixed = replace(seen, answer=replace(seen.answer, papers=tuple(papers)))
    for name, score in SCORES.items():
        assert score(mixed_case, mixed) == score(case, seen), name


@given(cases(), observations)
def test_a_pass_needs_every_part_to_be_right(case: Case, seen: Observation) -> None:
    if not failings(case, seen) and case.answerable:
        assert SCORES["nugget_recall"](case, seen) in (None, 1)
        assert SCORES["list_f1"](case, seen) in (None, 1)
        assert not seen.answer.abstained


@given(cases().filter(lambda case: case.asks_for_list and bool(case.gold)), observations)
def test_listing_one_more_right_paper_never_scores_less(case: Case, seen: Observation) -> None:
    missing = [i for i in case.gold if i not in seen.listed]
    if missing:
        kept = [d for d in seen.answer.papers if d.paper.id != missing[0]]
        papers = (*kept, Decision(PAPERS[missing[0]], "yes", "", 1.0))
        fuller = replace(seen, answer=replace(seen.answer, papers=papers))
        for name in ("list_recall", "list_f1", "list_precision"):
            before, after = SCORES[name](case, seen), SCORES[name](case, fuller)
            assert before is not None
            assert after is not None
            assert after >= before, name


@given(cases(), observations, st.sampled_from("abcdef"))
def test_a_paper_moved_up_the_ranking_never_scores_less(case: Case, seen: Observation, paper: str) -> None:
    if paper in case.gold and paper in seen.ranking:
        moved = replace(seen, ranking=(paper, *(i for i in seen.ranking if i != paper)))
        for name in (
            "retrieval_recall_at_1",
            "retrieval_recall_at_5",
            "retrieval_ndcg_at_10",
            "retrieval_mrr_at_10",
        ):
            before, after = SCORES[name](case, seen), SCORES[name](case, moved)
            assert before is None or (after is not None and after >= before - 1e-12), name


@given(cases(), observations)
def test_one_more_fact_in_the_text_never_scores_less(case: Case, seen: Observation) -> None:
    fuller = replace(seen, answer=replace(seen.answer, text=seen.answer.text + " 3 things never."))
    before, after = SCORES["nugget_recall"](case, seen), SCORES["nugget_recall"](case, fuller)
    assert before is None or (after is not None and after >= before)


@given(st.text(min_size=1), st.integers(0, 5), st.sampled_from(sorted(PERTURBATIONS)))
def test_a_changed_question_is_reproducible_and_differs(text: str, seed: int, name: str) -> None:
    case = Case("c", "lookup", (text,))
    changed = perturbed(case, name, seed)
    assert changed == perturbed(case, name, seed)
    assert changed is None or changed.turns != case.turns


@given(st.text(alphabet="abcdefgh XY-1", min_size=1), st.integers(0, 5))
def test_typos_keep_the_letters_the_names_and_the_length(text: str, seed: int) -> None:
    changed = perturbed(Case("c", "lookup", (text,)), "typos", seed)
    if changed:
        assert sorted(changed.question) == sorted(text)
        assert len(changed.question.split()) == len(text.split())
        for word, typed in zip(text.split(), changed.question.split(), strict=True):
            assert word == typed or (word[0], word[-1]) == (typed[0], typed[-1])
