"""What the Eval tab draws of a run, without a browser."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from question_sets import CITED, FAST, GROWTH, LINES, MASKS, SET, a_case, as_file, saying
from scripted_engine import ScriptedEngine

from eval.cases import KINDS, Case
from eval.charts import latency
from eval.measures import FIGURES
from eval.measures.strict_pass import failings
from eval.observation import Observation
from rag.records import Answer, Decision, Paper
from ui.eval_cases import answer_of, case_list
from ui.eval_progress import progress
from ui.eval_results import figures
from ui.eval_run import Evaluation, Questions, evaluate
from ui.eval_texts import EvalTexts, eval_texts_for
from ui.texts import texts_for

EN, ZH = eval_texts_for("en"), eval_texts_for("zh")


def run(engine: ScriptedEngine, text: str, stop: Event | None = None) -> list[Evaluation]:
    questions = Questions.read("mine.jsonl", text)
    stages = evaluate(engine, questions, use_llm=False, failed_inside="Inside.", stop=stop or Event())
    return list(stages)


@pytest.fixture(scope="module")
def finished() -> Evaluation:
    return run(ScriptedEngine((MASKS, GROWTH), LINES), as_file(SET))[-1]


def test_a_run_ends_with_a_report_of_all_its_cases(finished: Evaluation) -> None:
    assert (finished.state, finished.done, finished.passed) == ("finished", 6, 3)
    assert finished.report
    assert finished.report.metrics["strict_pass"].value == 0.5
    assert finished.report.run.settings["questions"] == "mine.jsonl"
    assert [title for title, _, _ in finished.charts] == ["Reliability", "Risk and coverage", "Latency"]


def test_pictures_drawn_at_the_same_time_are_those_drawn_alone() -> None:
    data = [[0.1 * n, 0.2, 0.4] for n in range(1, 13)]
    alone = [latency(seconds) for seconds in data]
    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(latency, data)) == alone


def test_a_failure_inside_is_told_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(ScriptedEngine):
        def describe(self) -> Any:
            raise ValueError("a secret")

    last = run(Broken((MASKS, GROWTH), LINES), as_file(SET[:1]))[-1]
    assert (last.state, last.message) == ("failed", "Inside.")
    assert "failed" in progress(last, EN)
    assert "ValueError in " in caplog.text
    assert "a secret" not in caplog.text


def test_a_pattern_that_never_ends_costs_its_own_case_only() -> None:
    never = a_case("never", "long?", gold=["masks"], nuggets=[["(a|aa)+$"]])
    lines = LINES | {"long?": saying("long?", f"{'a' * 60}b [1].", CITED)}
    last = run(ScriptedEngine((MASKS, GROWTH), lines), as_file([never, SET[0]]))[-1]
    assert [outcome.passed for outcome in last.outcomes] == [False, True]
    assert "TimeoutError" in last.outcomes[0].error


def test_time_left_is_told_in_words_one_can_use() -> None:
    questions = Questions.read("mine.jsonl", as_file(SET))
    told = [progress(Evaluation(questions, seconds_left=left), EN) for left in (None, 0.2, 61.0, 600.0)]
    assert ["left" in html for html in told] == [False, True, True, True]
    assert ["about 1 s left" in told[1], "about 61 s left" in told[2], "about 10 min left" in told[3]]
    assert 'max="6" value="0"' in told[0]


def test_cases_that_fail_come_first_and_nothing_of_them_is_markup(finished: Evaluation) -> None:
    papers = {paper.id: paper for paper in (MASKS, GROWTH)}
    html = case_list(finished.outcomes, papers, texts_for("en"), EN)
    order = [html.index(f'data-case="{name}"') for name in ("lacks", "lists", "crashes", "passes", "refuses")]
    assert order == sorted(order)
    for forbidden in ("<img", "<script", "<b>"):
        assert forbidden not in html
    for shown in (
        'A fact is missing: <code lang="en">forty-&lt;b&gt;two&lt;/b&gt; | 42</code>',
        'A right paper is not listed: <span lang="en">Growth in',
        'The engine crashed: <code lang="en">RuntimeError: what broke</code>',
        "Asked before: masks?",
        "weakly supported",
        "A refusal: no paper answers this.",
    ):
        assert shown in html


@pytest.mark.parametrize("texts", [EN, ZH], ids=["en", "zh"])
def test_every_figure_kind_and_chart_has_its_words(texts: EvalTexts, finished: Evaluation) -> None:
    # Asked under changes, a case has more figures; the page never does.
    names = {figure.name for figure in FIGURES if not figure.name.startswith("robustness")}
    assert names <= set(texts.names.labels)
    assert set(KINDS) == set(texts.names.kind)
    assert {title for title, _, _ in finished.charts} <= set(texts.names.chart)
    assert finished.report
    html = figures(finished.report, texts)
    for name, estimate in finished.report.metrics.items():
        of_a_model = name.startswith(("tokens_", "cost_"))
        assert (f"<code>{name}</code>" in html) is (estimate.n > 0 and not of_a_model)
    assert texts.names.groups["other"] not in html


@pytest.mark.parametrize("texts", [EN, ZH], ids=["en", "zh"])
def test_every_reason_of_the_eval_has_its_words(texts: EvalTexts, finished: Evaluation) -> None:
    asking = Case("x", "lookup", ("masks?",), gold=("masks",), nuggets=(("half",),))
    listing = Case("y", "enumerate", ("which?",), gold=("masks", "growth"))
    nothing = Case("z", "unanswerable", ("weather?",), answerable=False)
    silent = Answer("q", "lookup", "en", "")
    wrong = Answer("q", "lookup", "en", "It grows [1].", citations=(FAST,))
    listed = Answer(
        "q", "enumerate", "en", "", papers=(Decision(Paper("p", "P", ""), "yes", "", 1.0),), count=1
    )
    refused = Answer("q", "lookup", "en", "", abstained=True)
    pairs = [(asking, silent), (asking, wrong), (asking, refused), (listing, listed), (nothing, silent)]
    reasons = {reason for case, answer in pairs for reason in failings(case, Observation(answer))}
    reasons |= {reason for outcome in finished.outcomes for reason in outcome.why}
    heads = {reason.partition(": ")[0] for reason in reasons}
    assert len(heads) == 9
    assert heads <= set(texts.names.reasons)


def test_an_answer_survives_its_json() -> None:
    papers = {paper.id: paper for paper in (MASKS, GROWTH)}
    for line in LINES.values():
        if isinstance(line.end, Answer):
            assert answer_of(json.loads(json.dumps(line.end.as_json())), papers) == line.end
    assert answer_of(LINES["masks?"].end.as_json(), {}).citations[0].paper.title == MASKS.title  # type: ignore[union-attr]
