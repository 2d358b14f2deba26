"""A model's votes on its own sentences: which are asked about, what a majority does, what a failure does."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from answer_laws import check
from scripted_endpoint import Raw, Refusal, Reply, Request, ScriptedEndpoint, Stream

from rag.engine import PaperQueryEngine
from rag.grounding.citations import Settled, judged_anew, settle
from rag.index.paper_index import PaperIndex
from rag.records import Answer, Paper, Verdict
from rag.settings import Settings
from rag.writing.spend import SpendLedger
from rag.writing.votes import majority, read_vote
from rag.writing.writer import open_writer

KEY = "sk-local-0123456789abcdef"
QUESTION = "how many experiments did GNN-Diff run?"
PLAIN = "GNN-Diff ran 166 experiments across four graph tasks [1]."
TWO_SIDED = "GNN-Diff runs 166 experiments across four graph tasks rather than a grid search [1]."
WEAK = "GNN-Diff lets practitioners skip tedious tuning and deploy graph networks cheaply [1]."
YES, NO = "Both say so.\nSUPPORTED: yes", "The abstract says the opposite.\nSUPPORTED: no"
Maker = Callable[..., PaperQueryEngine]


@pytest.fixture
def voting(seed_index: PaperIndex, endpoint: ScriptedEndpoint, ledger: SpendLedger) -> Maker:
    def make(votes: int = 3, spend: SpendLedger = ledger) -> PaperQueryEngine:
        values = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": endpoint.url, "RAG_VERIFY_VOTES": votes}
        return PaperQueryEngine(seed_index, open_writer(Settings.model_validate(values), spend))

    return make


def is_vote(request: Request) -> bool:
    return "You check single sentences" in request.prompt


def votes_of(endpoint: ScriptedEndpoint) -> list[Request]:
    return [request for request in endpoint.requests if is_vote(request)]


def script(endpoint: ScriptedEndpoint, written: str, votes: Sequence[Reply | str]) -> None:
    """The endpoint writes `written` and gives these votes, in any order, the last one on and on."""
    left = list(votes)

    def decide(request: Request) -> Reply | str:
        if not is_vote(request):
            return written
        return left.pop(0) if len(left) > 1 else left[0]

    endpoint.answer_with(decide)


def verdicts(answer: Answer) -> list[Verdict]:
    return [span.verdict for citation in answer.citations for span in citation.spans]


def test_votes_are_off_unless_asked_for(endpoint: ScriptedEndpoint, voting: Maker) -> None:
    script(endpoint, TWO_SIDED, [NO])
    answer = voting(votes=0).ask(QUESTION)
    assert not votes_of(endpoint)
    assert "vote" not in answer.receipt.seconds
    assert Settings.model_validate({}).verify_votes == 0


def test_a_majority_of_no_takes_the_support_away(
    endpoint: ScriptedEndpoint, voting: Maker, ledger: SpendLedger
) -> None:
    said = f"{PLAIN} {TWO_SIDED}"
    script(endpoint, said, [NO, YES, NO])
    engine = voting()
    answer = check(engine.ask(QUESTION), engine.papers)
    assert len(votes_of(endpoint)) == 3  # the plain sentence is sure enough
    assert verdicts(answer) == ["supported", "unsupported"]
    assert answer.text.count("⚠") == 1
    assert answer.text.startswith(PLAIN)
    assert answer.receipt.checked[1].action == "marked"
    assert answer.receipt.checked[1].verdict == "unsupported"
    assert answer.receipt.tokens.prompt == 100 * len(endpoint.requests)
    assert answer.receipt.cost_usd == pytest.approx(ledger.today())
    assert answer.receipt.seconds["vote"] > 0
    assert answer.receipt.notice == ""


def test_a_majority_of_yes_leaves_what_is_supported(endpoint: ScriptedEndpoint, voting: Maker) -> None:
    script(endpoint, TWO_SIDED, [YES, NO, YES])
    assert verdicts(voting().ask(QUESTION)) == ["supported"]


def test_votes_settle_what_is_weak(endpoint: ScriptedEndpoint, voting: Maker) -> None:
    script(endpoint, WEAK, [YES])
    assert verdicts(voting(votes=0).ask(QUESTION)) == ["weak"]
    engine = voting()
    answer = check(engine.ask(QUESTION), engine.papers)
    assert verdicts(answer) == ["supported"]
    assert answer.receipt.checked[0].verdict == "supported"


def test_a_tie_is_weak(endpoint: ScriptedEndpoint, voting: Maker) -> None:
    script(endpoint, TWO_SIDED, [YES, NO])
    answer = voting(votes=2).ask(QUESTION)
    assert verdicts(answer) == ["weak"]
    assert "⚠" not in answer.text


def test_where_every_sentence_loses_its_support_the_abstracts_are_quoted(
    endpoint: ScriptedEndpoint, voting: Maker
) -> None:
    script(endpoint, TWO_SIDED, [NO])
    engine = voting()
    answer = check(engine.ask(QUESTION), engine.papers)
    assert answer.receipt.mode == "extractive"
    assert "not supported" in answer.receipt.notice
    assert "166" in answer.text


@pytest.mark.parametrize("reply", [Refusal(400, "no"), Raw(b"<html>"), "I would rather not say."])
def test_a_failure_leaves_the_verdicts(endpoint: ScriptedEndpoint, voting: Maker, reply: Reply | str) -> None:
    script(endpoint, TWO_SIDED, [reply])
    engine = voting()
    answer = check(engine.ask(QUESTION), engine.papers)
    assert verdicts(answer) == ["supported"]
    assert answer.text == TWO_SIDED
    assert bool(answer.receipt.notice) == (not isinstance(reply, str))


def test_what_the_abstract_lacks_is_never_raised(endpoint: ScriptedEndpoint, voting: Maker) -> None:
    wrong = "GNN-Diff ran 166 experiments across four graph tasks on ImageNet [1]."
    script(endpoint, f"{PLAIN} {wrong}", [YES])
    answer = voting().ask(QUESTION)
    assert verdicts(answer) == ["supported", "unsupported"]
    assert not votes_of(endpoint)


def test_the_vote_is_sampled_and_sees_abstract_and_sentence_as_data(
    endpoint: ScriptedEndpoint, voting: Maker
) -> None:
    script(endpoint, TWO_SIDED, [YES])
    voting().ask(QUESTION)
    for request in votes_of(endpoint):
        assert request.body["temperature"] > 0
        last = str(request.body["messages"][-1]["content"])
        assert '<abstract number="1">\nTitle: Diffusing to the Top' in last
        assert "<sentence>GNN-Diff runs 166 experiments across four graph tasks rather" in last
        assert "[1]" not in last.partition("<sentence>")[2]


def test_the_daily_cap_holds_for_votes_too(endpoint: ScriptedEndpoint, voting: Maker, tmp_path: Path) -> None:
    script(endpoint, TWO_SIDED, [NO])
    enough_to_write = SpendLedger(tmp_path / "small", 0.0030)
    endpoint.answer_with(
        lambda request: NO if is_vote(request) else Stream([TWO_SIDED], usage=(5_000, 500))  # $0.0028
    )
    answer = voting(spend=enough_to_write).ask(QUESTION)
    assert not votes_of(endpoint)
    assert verdicts(answer) == ["supported"]
    assert "daily cap" in answer.receipt.notice


# --- the rules by themselves


@pytest.mark.parametrize(
    ("reply", "vote"),
    [
        ("Reasons.\nSUPPORTED: yes", True),
        ("**SUPPORTED:** No.", False),
        ("SUPPORTED: yes\nOn second thoughts:\nSUPPORTED: no", False),
        ("Yes.", True),
        ("no", False),
        ("It says so, yes.", None),
        ("", None),
    ],
)
def test_reading_a_vote(reply: str, vote: bool | None) -> None:
    assert read_vote(reply) is vote


@pytest.mark.parametrize(
    ("cast", "before", "after"),
    [
        ([True, True, False], ["weak"], "supported"),
        ([True, False], ["supported"], "weak"),
        ([False, False, True], ["supported", "weak"], "unsupported"),
        ([], ["weak"], None),
        ([True], ["unsupported"], None),
    ],
)
def test_majorities(cast: list[bool], before: list[Verdict], after: Verdict | None) -> None:
    assert majority(cast, before) == after


def test_a_sentence_that_lost_its_support_is_marked_once() -> None:
    paper = Paper("a", "Alpha", "Alpha trains on 12 orchards. It lowers the error by 30%.")
    settled = settle("Alpha trains on 12 orchards [1]. Alpha lowers the error by 30% [1].", [(1, paper)])
    once = judged_anew(settled, {1: "unsupported"})
    assert once.text.endswith("30% [1] ⚠ (not found in the cited abstract).")
    assert judged_anew(once, {1: "unsupported"}).text == once.text
    assert judged_anew(settled, {}) == settled
    assert isinstance(once, Settled)
    assert [check.verdict for check in once.checked] == ["supported", "unsupported"]
