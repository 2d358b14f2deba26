"""What can be done with an answer on the page: asked again, searched anew, gone on from, copied, kept."""

import json
from collections.abc import Iterator
from threading import Event

import pytest
from browser import Opens, Reader, served
from playwright.sync_api import Browser, Download, expect
from scripted_engine import Line, ScriptedEngine

from rag.engine import ChatModel
from rag.records import Answer, Citation, CitedSpan, Fate, Paper, Receipt, Tokens

pytestmark = pytest.mark.browser

MASKS = Paper(
    "masks",
    "PRISM-2: Masks & <b>Bo</b>",
    "We study masks. The error falls. It is cheap.",
    ("Ada Lovelace", "Emmy Noether"),
    "ICLR",
    2025,
    "spotlight",
    "https://openreview.net/forum?id=masks",
)
FLOWS = Paper("flows", "FLOW-1: Flows", "We study flows.", ("Grace Hopper",), "ICLR", 2024, "poster")
RECEIPT = Receipt(
    searched_for="masks",
    considered=62,
    seconds={"retrieve": 0.5, "compose": 0.25, "total": 0.75},
    retrieved=(
        Fate("masks", MASKS.title, "answer", 1, 0.9, "Cited in the answer."),
        Fate("flows", FLOWS.title, "retrieve", 2, 0.1, "Too low."),
    ),
)
WRITTEN = Receipt("generated", "some-model", "masks", 62, {"total": 1.0}, Tokens(1000, 200), 0.004)


def saying(question: str, text: str, *citations: Citation, **changes: object) -> Line:
    fields = {"kind": "lookup", "language": "en", "receipt": RECEIPT}
    answer = Answer(question, text=text, citations=citations, **(fields | changes))  # type: ignore[arg-type]
    return Line([text], answer)


CITED = Citation(1, MASKS, (CitedSpan(0, "The error falls."),))
BOTH = (CITED, Citation(2, FLOWS, (CitedSpan(1, "We study flows."),)))


def lines() -> dict[str, Line]:
    return {
        "masks?": saying("masks?", "It falls [1].", CITED, confidence=0.7),
        "flows?": saying("flows?", "They flow [2].", BOTH[1]),
        "both?": saying("both?", "It falls [1]. They flow [2].", *BOTH),
        "nothing?": saying("nothing?", "Not in these abstracts.", abstained=True),
        "written?": saying("written?", "It falls [1].", CITED, receipt=WRITTEN),
        "which masks?": saying("which masks?", "None.", kind="enumerate"),
        "breaks?": Line((), RuntimeError("inside")),
        "How does PRISM-2 work?": saying("How does PRISM-2 work?", "Masks [1].", CITED),
    }


@pytest.fixture(scope="module")
def shared() -> ScriptedEngine:
    return ScriptedEngine((MASKS, FLOWS), {}, ChatModel("some-model", "https://llm.example/v1"))


@pytest.fixture(autouse=True)
def engine(shared: ScriptedEngine) -> ScriptedEngine:
    shared.lines = lines()
    shared.asked.clear()
    return shared


@pytest.fixture(scope="module")
def address(shared: ScriptedEngine) -> Iterator[str]:
    with served(shared) as address:
        yield address


def questions(engine: ScriptedEngine) -> list[str]:
    return [question for question, _, _ in engine.asked]


def saved(reader: Reader, button: str, within: str = "body") -> Download:
    with reader.page.expect_download() as download:
        reader.page.locator(within).get_by_role("button", name=button, exact=True).click()
    return download.value


def content(download: Download) -> str:
    return download.path().read_text("utf-8")


# --- asking again ---


def test_trying_again_replaces_the_last_answer(read: Opens, engine: ScriptedEngine) -> None:
    reader = read()
    reader.ask("flows?")
    reader.ask("masks?")
    engine.lines = lines() | {"masks?": saying("masks?", "It falls faster [1].", CITED)}
    reader.page.fill("#question textarea", "a draft")
    reader.page.evaluate("document.querySelector('#transcript').scrollTop = 0")
    reader.page.get_by_role("button", name="Try again").click()
    expect(reader.page.locator("#turn-1.answered .answer")).to_have_text("It falls faster [1].")
    assert questions(engine) == ["flows?", "masks?", "masks?"]
    assert [turn.question for turn in engine.asked[-1][1].turns] == ["flows?"]
    expect(reader.page.locator(".turn")).to_have_count(2)
    assert reader.page.input_value("#question textarea") == "a draft"
    top = "(id) => document.getElementById(id).getBoundingClientRect().top"
    assert reader.page.evaluate(top, "turn-1") == pytest.approx(reader.page.evaluate(top, "desk"), abs=2)


def test_a_question_that_failed_or_was_stopped_can_be_tried_again(
    read: Opens, engine: ScriptedEngine
) -> None:
    reader = read()
    reader.ask("breaks?")
    engine.lines = lines() | {"breaks?": saying("breaks?", "Mended [1].", CITED)}
    reader.page.get_by_role("button", name="Try again").click()
    expect(reader.page.locator("#turn-0.answered")).to_contain_text("Mended")
    gate = Event()
    engine.lines = lines() | {"long?": Line(["It goes on. "], saying("long?", "The end.").end, gate)}
    reader.write("long?")
    expect(reader.page.locator("#turn-1.writing")).to_contain_text("It goes on.")
    assert reader.page.get_by_role("button", name="Try again").count() == 0
    reader.page.click("#stop")
    expect(reader.page.locator("#turn-1.stopped")).to_be_visible()
    gate.set()
    reader.page.get_by_role("button", name="Try again").click()
    expect(reader.page.locator("#turn-1.answered")).to_contain_text("The end.")


def test_the_last_question_can_be_edited(read: Opens, engine: ScriptedEngine) -> None:
    reader = read()
    reader.ask("both?")
    reader.ask("masks?")
    reader.page.get_by_role("button", name="Edit the question").click()
    box = reader.page.locator("#question textarea")
    expect(box).to_have_value("masks?")
    expect(box).to_be_focused()
    expect(reader.page.locator("#hint")).to_contain_text("replaces its answer")
    box.fill("flows?")
    box.press("Enter")
    expect(reader.page.locator("#turn-1.answered h2")).to_have_text("flows?")
    assert [turn.question for turn in engine.asked[-1][1].turns] == ["both?"]
    expect(reader.page.locator(".turn")).to_have_count(2)
    expect(reader.page.locator("#hint")).to_have_text("")
    reader.turns = 2
    reader.ask("masks?")
    assert [turn.question for turn in engine.asked[-1][1].turns] == ["both?", "flows?"]


@pytest.mark.parametrize("way", ["button", "Escape"])
def test_an_edit_can_be_given_up(read: Opens, engine: ScriptedEngine, way: str) -> None:
    reader = read()
    reader.ask("masks?")
    reader.page.get_by_role("button", name="Edit the question").click()
    expect(reader.page.locator("#question textarea")).to_have_value("masks?")
    if way == "button":
        reader.page.get_by_role("button", name="Keep the answer").click()
    else:
        reader.page.press("#question textarea", "Escape")
    expect(reader.page.locator("#hint")).to_have_text("")
    expect(reader.page.locator("#question textarea")).to_have_value("")
    reader.ask("flows?")
    expect(reader.page.locator(".turn")).to_have_count(2)


def test_another_search_asks_the_question_again(read: Opens, engine: ScriptedEngine) -> None:
    reader = read()
    engine.lines = lines() | {"which <i>flows</i>?": saying("which <i>flows</i>?", "Those [2].", BOTH[1])}
    reader.ask("which masks?")
    reader.page.locator("#turn-0 .search summary").click()
    field = reader.page.get_by_label("Search for")
    assert field.input_value() == "masks"
    field.fill("<i>flows</i>")
    field.press("Enter")
    expect(reader.page.locator("#turn-1.answered h2")).to_have_text("which <i>flows</i>?")
    assert questions(engine)[-1] == "which <i>flows</i>?"


def test_earlier_answers_can_be_searched_anew_and_copied_too(read: Opens, engine: ScriptedEngine) -> None:
    reader = read()
    reader.ask("masks?")
    reader.ask("both?")
    assert reader.page.locator("#turn-0 [data-event=retry]").count() == 0
    reader.page.locator("#turn-0 .search summary").click()
    reader.page.locator("#turn-0 .search input").fill("flows")
    reader.page.locator("#turn-0 .search button").click()
    expect(reader.page.locator("#turn-2.answered h2")).to_have_text("flows?")


# --- going on ---


def test_follow_ups_are_asked_at_a_click(read: Opens, engine: ScriptedEngine) -> None:
    reader = read()
    reader.ask("masks?")
    onward = reader.page.locator("#turn-0 .next button")
    assert onward.all_inner_texts()[0] == "How does PRISM-2 work?"
    assert onward.count() == 3
    onward.first.click()
    expect(reader.page.locator("#turn-1.answered")).to_contain_text("Masks [1].")
    assert [turn.question for turn in engine.asked[-1][1].turns] == ["masks?"]
    expect(reader.page.locator("#turn-0 .next")).to_have_count(0)
    assert "How does PRISM-2 work?" not in reader.page.locator("#turn-1 .next").inner_text()


def test_where_nothing_was_found_nothing_is_suggested(read: Opens) -> None:
    reader = read()
    reader.ask("nothing?")
    expect(reader.page.locator(".next")).to_have_count(0)


# --- how it came about ---


def test_the_receipt_unfolds(read: Opens) -> None:
    reader = read()
    reader.ask("masks?")
    how = reader.page.locator("#turn-0 details.how")
    expect(how.locator("dl")).to_be_hidden()
    how.locator("summary").focus()
    reader.page.keyboard.press("Enter")
    expect(how.locator("dl")).to_be_visible()
    text = how.inner_text()
    for words in (
        "likely right (70 %)",
        "masks",
        "quoted from the abstracts",
        "62 papers considered",
        "0.75\u00a0s, searching 0.5\u00a0s, choosing sentences 0.25\u00a0s",
        "PRISM-2: Masks & <b>Bo</b> in the answer",
        "FLOW-1: Flows ranked too low",
    ):
        assert words in text


def test_tokens_and_cost_are_said_for_an_answer_and_in_all(read: Opens) -> None:
    reader = read()
    text = reader.ask("written?")
    for words in ("written by some-model", "1000 + 200 tokens", "$0.004"):
        assert words in text
    totals = reader.page.locator("#totals")
    assert "1 answer · 1,000 + 200 tokens · $0.004 in all" in totals.inner_text().replace("\u00a0", " ")
    reader.page.get_by_role("button", name="Try again").click()
    expect(totals).to_contain_text("2,000 + 400 tokens")  # what was replaced has been paid for all the same
    expect(totals).to_contain_text("$0.008 in all")
    reader.page.click("#new-chat")
    expect(totals).to_have_text("")


# --- taking away ---


def test_an_answer_is_copied_as_markdown_with_its_references(read: Opens) -> None:
    reader = read()
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.ask("both?")
    reader.ask("masks?")
    for turn, present, absent in ((1, "Ada Lovelace", "Grace Hopper"), (0, "Grace Hopper", "nothing")):
        reader.page.locator(f"#turn-{turn} [data-event=copy]").click()
        expect(reader.page.locator("#told")).to_have_text("Copied as Markdown, with references.")
        copied = reader.page.evaluate("navigator.clipboard.readText()")
        assert "It falls [1]." in copied
        assert "[1] **PRISM-2: Masks \\& \\<b\\>Bo\\</b\\>**" in copied
        assert present in copied
        assert absent not in copied
        reader.page.evaluate("document.getElementById('told').textContent = ''")


def test_copying_works_where_the_browser_keeps_the_clipboard_to_itself(read: Opens) -> None:
    """As on a page of another machine that is not encrypted: there navigator.clipboard is missing."""
    reader = read()
    reader.ask("masks?")
    reader.page.evaluate(
        """() => {
            Object.defineProperty(navigator, "clipboard", { value: undefined });
            document.addEventListener("copy", () => (window.copied = document.activeElement.value));
        }"""
    )
    reader.page.get_by_role("button", name="Copy", exact=True).click()
    expect(reader.page.locator("#told")).to_have_text("Copied as Markdown, with references.")
    assert "It falls [1]." in reader.page.evaluate("window.copied")
    reader.page.evaluate("document.execCommand = () => false")
    reader.page.get_by_role("button", name="Copy", exact=True).click()
    expect(reader.page.locator("#told")).to_have_text("The browser did not allow copying.")


@pytest.mark.parametrize(
    ("button", "file", "holds"),
    [
        ("BibTeX", "papers.bib", "author = {Lovelace, Ada and Noether, Emmy}"),
        ("RIS", "papers.ris", "AU  - Lovelace, Ada"),
        ("CSL-JSON", "papers.json", '"family": "Lovelace"'),
        ("Markdown", "papers.md", "Ada Lovelace"),
    ],
)
def test_all_cited_papers_are_saved(read: Opens, button: str, file: str, holds: str) -> None:
    reader = read()
    reader.ask("flows?")
    reader.ask("masks?")
    download = saved(reader, button, "#cards")
    assert download.suggested_filename == file
    text = content(download)
    assert holds in text
    assert "Hopper" in text
    assert text.index("Lovelace") < text.index("Hopper")  # by their numbers
    expect(reader.page.locator("#told")).to_have_text(f"Saved: {file}")
    if file.endswith(".json"):
        assert len(json.loads(text)) == 2


def test_the_conversation_is_saved_as_markdown(read: Opens) -> None:
    reader = read()
    assert reader.page.locator("#totals").inner_text() == ""
    reader.ask("flows?")
    reader.ask("masks?")
    download = saved(reader, "Save this conversation")
    text = content(download)
    assert download.suggested_filename == "conversation.md"
    assert text.index("## flows?") < text.index("They flow [2].") < text.index("## masks?")
    assert text.index("It falls [1].") < text.index("[1] **PRISM-2")


def test_conversations_are_saved_by_those_who_had_them(read: Opens) -> None:
    readers = {"masks?": read(), "flows?": read()}
    for question, reader in readers.items():
        reader.ask(question)
    for question, reader in readers.items():
        text = content(saved(reader, "Save this conversation"))
        assert [other for other in readers if other in text] == [question]


# --- looks ---


def test_everything_under_an_answer_is_reached_by_the_keyboard_in_its_order(read: Opens) -> None:
    reader = read()
    reader.ask("masks?")
    reader.page.locator("#turn-0 a.cite").focus()
    names = []
    for _ in range(9):
        reader.page.keyboard.press("Tab")
        names.append(reader.page.evaluate("document.activeElement.textContent.trim()"))
        assert reader.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert names[:5] == [
        "Copy",
        "Try again",
        "Edit the question",
        "searched for “masks”",
        "How this came about",
    ]
    assert names[5] == "How does PRISM-2 work?"


CUT_OFF = """() => [...document.querySelectorAll("html, #transcript, #sources, .under :not(input)")]
    .filter((element) => element.scrollWidth > element.clientWidth)
    .filter((element) => getComputedStyle(element).display !== "inline")
    .map((element) => element.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("width", [360, 1440])
def test_nothing_under_an_answer_is_cut_off(read: Opens, engine: ScriptedEngine, width: int) -> None:
    reader = read(width=width, height=740)
    receipt = Receipt(searched_for="w" * 300 + " " + "many words " * 40, seconds={"total": 1.0})
    engine.lines = lines() | {"wide?": saying("wide?", "It falls [1].", CITED, receipt=receipt)}
    reader.ask("wide?")
    for summary in reader.page.locator("#turn-0 summary").all():
        summary.click()
    assert reader.page.evaluate(CUT_OFF) == []


def test_a_chinese_reader_gets_chinese_controls(read: Opens) -> None:
    reader = read(locale="zh-CN")
    text = reader.ask("masks?")
    for words in ("复制", "重试", "修改问题", "检索“masks”", "这个回答的由来", "接着问"):
        assert words in text
    reader.page.get_by_role("button", name="修改问题").click()
    expect(reader.page.locator("#hint")).to_contain_text("保留原回答")
    assert "保存本次对话" in reader.page.inner_text("#totals")
    assert "保存引用的论文" in reader.page.inner_text("#cards")


# --- the language model ---


def test_a_reader_chooses_among_the_models_and_is_told_where_questions_go(
    browser: Browser, engine: ScriptedEngine
) -> None:
    engine = ScriptedEngine(
        (MASKS,), lines(), engine.chat_model, others=(ChatModel("<b>other</b>", "https://other.example/v1"),)
    )
    with served(engine) as address:
        ours, theirs = (Reader(browser, address) for _ in range(2))
        choice = ours.page.get_by_role("combobox", name="Model")
        assert choice.locator("option").all_inner_texts() == ["some-model", "<b>other</b>"]
        assert "(some-model) are sent to https://llm.example/v1" in ours.page.inner_text("#privacy")
        choice.select_option("<b>other</b>")
        expect(ours.page.locator("#privacy")).to_contain_text(
            "(<b>other</b>) are sent to https://other.example/v1"
        )
        ours.ask("masks?")
        ours.page.get_by_role("button", name="Try again").click()
        expect(ours.page.locator("#turn-0.answered")).to_be_visible()
        theirs.ask("flows?")
        ours.page.get_by_label("Let a language model write the answer").uncheck()
        ours.turns = 1
        ours.ask("both?")
        for reader in (ours, theirs):
            reader.leave()
    assert engine.used == ["<b>other</b>", "<b>other</b>", "some-model", ""]


def test_where_there_is_one_model_there_is_nothing_to_choose(read: Opens) -> None:
    reader = read()
    assert "some-model" in reader.page.inner_text("#privacy")
    assert reader.page.locator("#models select").count() == 0
