"""A model reads the papers of a list on the page: price first, progress shown, and it can be stopped."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from browser import Opens, served
from playwright.sync_api import expect
from reading_model import reading
from scripted_endpoint import Request, ScriptedEndpoint
from scripted_engine import Line, Reading, ScriptedEngine

from rag.engine import ChatModel, PaperQueryEngine
from rag.errors import ModelError
from rag.index.paper_index import PaperIndex
from rag.records import Answer, Decision, Paper, ReadSoFar, Receipt, ScreeningPlan, Tokens
from rag.settings import Settings
from rag.writing.spend import SpendLedger
from rag.writing.writer import open_writer
from ui.reading import offer
from ui.texts import texts_for

pytestmark = pytest.mark.browser

MODEL = ChatModel("m<i>x</i>", "http://127.0.0.1:9/v1")
ALPHA, BETA = (Paper(name, name.title(), f"Abstract of {name}.") for name in ("alpha", "beta"))
PLAN = ScreeningPlan(MODEL.name, "?", (((1, ALPHA), (2, BETA)),), Tokens(20_000, 1_000), 0.0123)
BOTH = Answer(
    "both?",
    "enumerate",
    "en",
    "2 papers match.",
    papers=tuple(Decision(paper, "yes", paper.abstract, 0.9) for paper in (ALPHA, BETA)),
    count=2,
)
ONE = replace(
    BOTH,
    text="1 paper matches.",
    papers=BOTH.papers[:1],
    count=1,
    receipt=Receipt("screened", MODEL.name, tokens=Tokens(900, 90), cost_usd=0.01),
)
PARTLY = replace(ONE, receipt=replace(ONE.receipt, notice="Only 1 was read."))


def list_of(question: str) -> Answer:
    return replace(BOTH, question=question)


HOLD, NEVER = threading.Event(), threading.Event()
ENGINE = ScriptedEngine(
    (ALPHA, BETA),
    {name: Line((), list_of(name)) for name in ("held?", "stopped?", "broken?", "plain?")}
    | {"next?": Line((), Answer("next?", "lookup", "en", "Next."))},
    MODEL,
    plans=dict.fromkeys(("held?", "stopped?", "broken?"), PLAN),
    readings={
        "held?": Reading((ReadSoFar(1, 2),), replace(ONE, question="held?"), HOLD),
        "stopped?": Reading((), None, NEVER, replace(PARTLY, question="stopped?")),
        "broken?": Reading((ReadSoFar(1, 2),), ModelError("The endpoint fell over.")),
    },
)
BUTTON = ".read button"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(ENGINE) as address:
        yield address


def test_the_price_is_said_before_and_the_list_changes_after(read: Opens) -> None:
    HOLD.clear()
    reader = read()
    reader.ask("held?")
    button = reader.page.locator(f"#turn-0 {BUTTON}")
    expect(button).to_have_text("Let m<i>x</i> read 2 papers (at most 21,000 tokens, $0.012)")
    button.click()
    expect(reader.page.locator("#turn-0 [role=status].reading")).to_contain_text("has read 1 of 2 papers")
    assert reader.page.locator("#turn-0 tr.paper").count() == 2  # the list stays in sight
    expect(reader.page.locator("#stop")).to_be_visible()
    assert reader.page.locator(BUTTON).count() == 0
    HOLD.set()
    expect(reader.page.locator("#turn-0 tr.paper")).to_have_count(1)
    expect(reader.page.locator("#stop")).to_be_hidden()
    assert "papers read by m<i>x</i>" in reader.page.inner_text("#turn-0")
    assert reader.page.locator(BUTTON).count() == 0
    expect(reader.page.locator("#totals")).to_contain_text("900 + 90 tokens")
    reader.ask("next?")
    assert ENGINE.asked[-1][1].turns[0].answer.text == "1 paper matches."


def test_stopping_keeps_what_was_read(read: Opens) -> None:
    reader = read()
    reader.ask("stopped?")
    reader.page.click(BUTTON)
    reader.page.click("#stop")
    expect(reader.page.locator("#turn-0 .notice")).to_have_text("Only 1 was read.")
    assert reader.page.locator("#turn-0 tr.paper").count() == 1


def test_a_failure_leaves_the_list_and_says_so(read: Opens) -> None:
    reader = read()
    reader.ask("broken?")
    reader.page.click(BUTTON)
    expect(reader.page.locator("#hint")).to_contain_text("The endpoint fell over.")
    expect(reader.page.locator("#turn-0 tr.paper")).to_have_count(2)
    expect(reader.page.locator(BUTTON)).to_be_visible()  # it can be tried again


def test_only_a_list_with_a_plan_offers_it_and_only_the_last_one(read: Opens) -> None:
    reader = read()
    reader.ask("plain?")
    assert reader.page.locator(BUTTON).count() == 0
    reader.ask("broken?")
    assert reader.page.locator(BUTTON).count() == 1
    reader.ask("next?")
    assert reader.page.locator(BUTTON).count() == 0
    extractive = read()
    extractive.page.uncheck("#model-switch input")
    extractive.ask("broken?")
    assert extractive.page.locator(BUTTON).count() == 0


def test_in_chinese(read: Opens) -> None:
    reader = read(locale="zh-CN")
    reader.ask("broken?")
    expect(reader.page.locator(BUTTON)).to_have_text(
        "请 m<i>x</i> 阅读 2 篇论文（最多 21,000 个 token，$0.012）"
    )


def test_a_price_that_nobody_knows() -> None:
    html = offer(replace(PLAN, cost_usd=None), 3, texts_for("en"))
    assert "21,000 tokens, price not known" in html
    assert 'data-turn="3"' in html
    assert "<i>" not in html


def test_the_whole_way_through_a_real_client(
    read: Opens, seed_index: PaperIndex, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def decide(title: str, text: str) -> tuple[str, str]:
        at = text.lower().find("diffusion")
        return ("yes", text[at : at + 20]) if at >= 0 else ("no", "")

    with ScriptedEndpoint() as endpoint:
        says: list[Request] = []

        def reply(request: Request) -> str:
            says.append(request)
            return reading(decide)(request)

        endpoint.answer_with(reply)
        values = {"OPENAI_API_KEY": "sk-canary-0123456789", "OPENAI_BASE_URL": endpoint.url}
        writer = open_writer(
            Settings.model_validate(values), SpendLedger(tmp_path_factory.mktemp("spend"), 1.0)
        )
        engine = PaperQueryEngine(seed_index, writer, ChatModel("gpt-4.1-mini", endpoint.url))
        with served(engine) as address:
            reader = read(at=address)
            reader.ask("which papers use diffusion models?")
            assert not says
            reader.page.click(BUTTON)
            expect(reader.page.locator("#turn-0")).to_contain_text("papers read by gpt-4.1-mini")
            assert says
            quotes = reader.page.locator("#turn-0 tbody.yes .quote").all_inner_texts()
            assert quotes
            assert all("diffusion" in quote.lower() for quote in quotes)
            assert "sk-canary" not in reader.page.content()
