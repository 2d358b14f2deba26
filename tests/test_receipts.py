"""What became of each paper and each sentence: receipts, and "why not this paper?"."""

import json
from collections.abc import Callable

import pytest
from answer_laws import check
from scripted_endpoint import ScriptedEndpoint, Stream, words

from rag.engine import PaperQueryEngine
from rag.errors import UnknownPaper
from rag.index.paper_index import PaperIndex
from rag.question.filters import Filters
from rag.records import Answer, Conversation, Fate
from rag.settings import Settings
from rag.writing.spend import SpendLedger
from rag.writing.writer import open_writer

TRON, GNN_DIFF, ALGOPERF = "9WYMDgxDac", "D756s2YQ6b", "CtM5xjRSfm"
QUESTION = "how many experiments did GNN-Diff run?"
LIST = "which papers use conformal prediction?"
Maker = Callable[..., PaperQueryEngine]


@pytest.fixture
def written(seed_index: PaperIndex, endpoint: ScriptedEndpoint, ledger: SpendLedger) -> PaperQueryEngine:
    values = {"OPENAI_API_KEY": "sk-local-1", "OPENAI_BASE_URL": endpoint.url}
    return PaperQueryEngine(seed_index, open_writer(Settings.model_validate(values), ledger))


def stages(answer: Answer) -> dict[str, str]:
    return {fate.paper_id: fate.stage for fate in answer.receipt.retrieved}


def test_a_quoted_answer_accounts_for_every_paper_it_ranked(seed_engine: PaperQueryEngine) -> None:
    answer = check(seed_engine.ask(QUESTION), seed_engine.papers)
    retrieved = answer.receipt.retrieved
    assert [fate.rank for fate in retrieved] == list(range(1, 11))
    scores = [fate.score for fate in retrieved]
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    assert {p for p, stage in stages(answer).items() if stage == "answer"} == {
        citation.paper.id for citation in answer.citations
    }
    assert [fate.paper_id for fate in retrieved] == [hit.paper.id for hit in seed_engine.rank(QUESTION, 10)]
    assert all(fate.reason and fate.title for fate in retrieved)
    assert json.loads(json.dumps(answer.as_json()))["receipt"]["retrieved"][0]["stage"] == "answer"


def test_a_list_names_what_it_left_out_and_the_evidence(seed_engine: PaperQueryEngine) -> None:
    answer = check(seed_engine.ask(LIST), seed_engine.papers)
    inside = [fate for fate in answer.receipt.retrieved if fate.stage == "answer"]
    outside = [fate for fate in answer.receipt.retrieved if fate.stage == "screen"]
    assert [fate.paper_id for fate in inside] == [decision.paper.id for decision in answer.papers]
    assert outside
    assert not {fate.paper_id for fate in outside} & {decision.paper.id for decision in answer.papers}
    assert all("conformal prediction" in fate.reason for fate in outside)


def test_the_reasons_are_in_the_language_of_the_question(seed_engine: PaperQueryEngine) -> None:
    for fate in seed_engine.ask("GNN-Diff 做了多少实验？").receipt.retrieved:
        assert any("\u4e00" <= sign <= "\u9fff" for sign in fate.reason), fate


def why_not(engine: PaperQueryEngine, paper: str, asked: str, **conditions: Filters) -> Fate:
    return engine.why_not(paper, engine.ask(asked, **conditions), **conditions)


def test_why_not_this_paper(seed_engine: PaperQueryEngine) -> None:
    assert why_not(seed_engine, TRON, LIST).stage == "answer"
    left_out = why_not(seed_engine, ALGOPERF, LIST)
    assert (left_out.stage, left_out.rank is not None) == ("screen", True)
    assert "conformal prediction" in left_out.reason
    assert why_not(seed_engine, GNN_DIFF, QUESTION) == seed_engine.ask(QUESTION).receipt.retrieved[0]
    assert why_not(seed_engine, ALGOPERF, "which orals use diffusion?").stage == "filter"
    assert why_not(seed_engine, ALGOPERF, "hello").stage == "retrieve"
    assert why_not(seed_engine, ALGOPERF, "how many papers are orals?").stage in ("filter", "compose")
    with pytest.raises(UnknownPaper):
        why_not(seed_engine, "nothing", LIST)


def test_a_paper_below_the_cut_has_its_rank(seed_engine: PaperQueryEngine) -> None:
    answer = seed_engine.ask(QUESTION)
    ranked = [hit.paper.id for hit in seed_engine.rank(QUESTION, 19)]
    for rank, paper_id in enumerate(ranked[10:], start=11):
        fate = seed_engine.why_not(paper_id, answer)
        assert (fate.stage, fate.rank) == ("retrieve", rank)
        assert str(rank) in fate.reason


def test_a_paper_that_does_not_exist_for_the_question(seed_engine: PaperQueryEngine) -> None:
    tracks = {paper.id: paper.track for paper in seed_engine.papers}
    other = next(track for track in tracks.values() if track and track != tracks[ALGOPERF])
    fate = why_not(seed_engine, ALGOPERF, QUESTION, within=Filters(tracks=(other,)))
    assert fate.stage == "filter"
    assert other in fate.reason


def test_why_not_within_a_conversation(seed_engine: PaperQueryEngine) -> None:
    conversation = Conversation().with_turn(seed_engine.ask(QUESTION))
    answer = seed_engine.ask("how many datasets does it use?", conversation)
    assert seed_engine.why_not(GNN_DIFF, answer, conversation).stage == "answer"
    assert seed_engine.why_not(ALGOPERF, answer, conversation).stage == "filter"


def test_what_a_model_was_shown_and_did_not_cite(
    endpoint: ScriptedEndpoint, written: PaperQueryEngine
) -> None:
    endpoint.reply("GNN-Diff ran 166 experiments across four graph tasks [1].")
    answer = check(written.ask(QUESTION), written.papers)
    assert list(stages(answer).values()) == ["answer", *["write"] * 5, *["compose"] * 4]


def test_a_call_that_failed_half_way_is_on_the_receipt(
    endpoint: ScriptedEndpoint, written: PaperQueryEngine, ledger: SpendLedger
) -> None:
    endpoint.reply(Stream(words("GNN-Diff ran a great many experiments [1]."), stop_after=4))
    answer = check(written.ask(QUESTION), written.papers)
    assert answer.receipt.mode == "extractive"
    assert answer.receipt.notice
    assert answer.receipt.tokens.prompt > 300
    assert answer.receipt.tokens.completion >= 4
    assert answer.receipt.cost_usd
    assert ledger.today() == pytest.approx(answer.receipt.cost_usd)
