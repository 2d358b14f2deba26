"""The Eval tab in a real Chromium, over an engine that says what a test tells it and over our own."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from browser import Opens, Reader, readers, served
from playwright.sync_api import Browser, expect
from question_sets import (
    CITED,
    GROWTH,
    HOSTILE,
    LINES,
    MASKS,
    SET,
    a_case,
    as_file,
    saying,
    upload,
)
from scripted_engine import Line, ScriptedEngine

from rag.engine import ChatModel
from ui.eval_run import LARGEST_FILE


@pytest.fixture(scope="module")
def engine() -> ScriptedEngine:
    return ScriptedEngine((MASKS, GROWTH), dict(LINES))


@pytest.fixture(scope="module")
def address(engine: ScriptedEngine) -> Iterator[str]:
    with served(engine, data_dir=Path("/my data")) as address:
        yield address


class Visitor(Reader):
    """Someone at the Eval tab."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.page.locator("#eval-tab-button").click()
        self.page.wait_for_selector("#eval-run:visible")

    def choose(self, content: str | bytes, name: str = "mine.jsonl") -> None:
        """Choose a file and wait until it is said to be chosen."""
        self.page.set_input_files("#eval-picker input", upload(content, name))
        expect(self.page.locator("#eval-chosen p")).to_contain_text(name)

    def run(self, lines: list[dict[str, Any]]) -> str:
        """Run these questions and return the headline."""
        self.choose(as_file(lines))
        self.page.click("#eval-run")
        return self.headline()

    def headline(self) -> str:
        self.page.wait_for_selector("#eval-run:visible")
        self.page.wait_for_selector("#eval-headline:visible", timeout=60_000)
        return self.page.inner_text("#eval-headline")


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Opens]:
    """Opens the tab; as `read` does, it checks in the end that nothing went wrong there."""
    with readers(browser, address, Visitor) as visit:
        yield visit


@pytest.fixture
def gate(engine: ScriptedEngine) -> Iterator[Event]:
    """A question "endless?" whose answer stays open until the event is set."""
    gate = Event()
    engine.lines |= {"endless?": Line(["On "], saying("endless?", "On and on.").end, gate)}  # type: ignore[operator]
    engine.cut_short.clear()
    yield gate
    gate.set()


pytestmark = pytest.mark.browser
ENDLESS = a_case("endless", "endless?", gold=["masks"])


def test_a_run_from_its_questions_to_the_reason_a_case_fails(visit: Opens, gate: Event) -> None:
    one = visit()
    one.choose(as_file([*SET, ENDLESS]))
    one.page.click("#eval-run")
    expect(one.page.locator("#eval-progress .line")).to_contain_text("6 of 7 asked, 3 pass")
    assert one.page.locator("#eval-progress progress").get_attribute("value") == "6"
    gate.set()
    assert "3 of 7 questions pass" in one.headline()
    expect(one.page.locator("#eval-progress progress")).to_have_count(0)
    drawn = one.page.locator("#eval-figures figure svg[role=img]")
    assert drawn.count() == 3
    assert (
        drawn.first.get_attribute("aria-label")
        == "Reliability diagram: pass rate against confidence, 6 cases"
    )
    assert "One fact" in one.page.inner_text(".kinds")
    lacks = one.page.locator('[data-case="lacks"]')
    expect(lacks.locator(".answer")).to_be_hidden()
    lacks.locator("> summary").focus()
    one.page.keyboard.press("Enter")
    text = lacks.inner_text()
    for words in (
        "A fact is missing",
        "42",
        "It grows [1].",
        "Growth is fast.",
        "supported",
        "right",
        HOSTILE,
    ):
        assert words in text
    assert lacks.locator("math msup").count() == 2
    expect(one.page.locator('[data-case="passes"]')).to_be_hidden()
    one.page.click(".passing > summary")
    expect(one.page.locator('[data-case="passes"]')).to_be_visible()
    assert one.page.locator("#eval img, #eval script, #eval iframe").count() == 0


def test_stop_keeps_the_cases_that_are_finished(visit: Opens, gate: Event) -> None:
    one = visit()
    one.choose(as_file([*SET[:2], ENDLESS, *SET[2:]]))
    one.page.click("#eval-run")
    expect(one.page.locator("#eval-progress .line")).to_contain_text("2 of 7 asked")
    one.page.click("#eval-stop")
    headline = one.headline()
    assert "1 of 2 questions pass" in headline
    assert "Stopped after 2 of 7 questions." in headline
    assert one.page.locator(".case").count() == 2
    gate.set()
    one.run(SET[:1])
    expect(one.page.locator("#eval-headline")).to_contain_text("1 of 1 questions pass")


def test_stop_before_the_first_answer_says_so(visit: Opens, gate: Event) -> None:
    one = visit()
    one.choose(as_file([ENDLESS]))
    one.page.click("#eval-run")
    one.page.click("#eval-stop")
    assert one.headline() == "Stopped before the first question was answered."
    expect(one.page.locator("#eval-save-report")).to_be_hidden()


def test_who_leaves_ends_the_run(visit: Opens, engine: ScriptedEngine, gate: Event) -> None:
    one = visit()
    one.choose(as_file([ENDLESS, *SET]))
    one.page.click("#eval-run")
    expect(one.page.locator("#eval-progress .line")).to_contain_text("0 of 7 asked")
    asked = len(engine.asked)
    one.leave()
    Event().wait(3)
    gate.set()
    Event().wait(1)
    assert len(engine.asked) - asked <= 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "The question file mine.jsonl holds no case."),
        ("not json", "mine.jsonl, line 1: Invalid JSON"),
        (b"PK\x03\x04\xff\xfe", "mine.jsonl, line 1: Invalid JSON"),
        (as_file([SET[0], SET[0]]), "names the id 'passes' twice"),
        (
            as_file([SET[0], a_case("x", HOSTILE, "riddle")]),
            "mine.jsonl, line 2: kind: Input should be 'lookup'",
        ),
        (as_file([a_case("x", "q", nuggets=[["("]])]), "is no regular expression"),
        ("x" * (LARGEST_FILE + 1), "mine.jsonl has 1,000,001 bytes; 1,000,000 are the most."),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_line(
    visit: Opens, content: str | bytes, message: str
) -> None:
    one = visit()
    one.page.set_input_files("#eval-picker input", upload(content))
    hint = one.page.locator("#eval-hint")
    expect(hint).to_contain_text(message)
    assert "\n" not in hint.inner_text()
    expect(one.page.locator("#eval-chosen p")).to_have_text("dev.jsonl: 71 questions")
    one.choose(as_file(SET[:1]))
    expect(hint).to_have_text("")
    expect(one.page.locator("#eval-chosen p")).to_have_text("mine.jsonl: 1 question")
    one.page.get_by_role("button", name="Use the shipped set").click()
    expect(one.page.locator("#eval-chosen p")).to_have_text("dev.jsonl: 71 questions")


def test_questions_over_other_papers_get_the_message_of_the_command_line(
    visit: Opens, engine: ScriptedEngine
) -> None:
    one = visit()
    hint = one.page.locator("#eval-hint")
    expect(hint).to_contain_text("right papers of dev.jsonl are not in the index (the first is ")
    expect(hint).to_contain_text("Bring them in with: python -m rag ingest PAPERS --data-dir /my data")
    asked = len(engine.asked)
    one.page.click("#eval-run")
    expect(one.page.locator("#eval-results")).to_be_hidden()
    expect(hint).to_contain_text("right papers of dev.jsonl")
    assert len(engine.asked) == asked


def test_two_runs_at_once_never_mix(visit: Opens, engine: ScriptedEngine) -> None:
    gates = {"alpha": Event(), "omega": Event()}
    for who, gate in gates.items():
        engine.lines |= {f"{who}?": Line(["One "], saying(f"{who}?", f"One of {who} [1].", CITED).end, gate)}  # type: ignore[operator]
    visitors = {who: visit() for who in gates}
    for who, one in visitors.items():
        one.choose(as_file([a_case(f"case of {who}", f"{who}?", gold=["growth"]), *SET[:2]]), f"{who}.jsonl")
        one.page.click("#eval-run")
        expect(one.page.locator("#eval-progress .line")).to_contain_text("0 of 3 asked")
    for who, one in visitors.items():
        gates[who].set()
        assert "1 of 3 questions pass" in one.headline()
        one.page.locator(".case > summary").first.click()
        other = "omega" if who == "alpha" else "alpha"
        text = one.page.inner_text("#eval")
        assert f"One of {who}" in text
        assert other not in text


def test_report_and_json_are_saved_as_the_command_line_writes_them(visit: Opens) -> None:
    one = visit()
    one.run(SET)
    with one.page.expect_download() as page:
        one.page.click("#eval-save-report")
    assert page.value.suggested_filename == "report.html"
    html = page.value.path().read_text("utf-8")
    assert html.startswith("<!doctype html>")
    assert "3 of 6 questions pass" in html
    assert "<script" not in html
    with one.page.expect_download() as written:
        one.page.click("#eval-save-json")
    assert written.value.suggested_filename == "report.json"
    report = json.loads(written.value.path().read_text("utf-8"))
    assert report["metrics"]["strict_pass"]["value"] == 0.5
    assert [case["id"] for case in report["cases"]] == [line["id"] for line in SET]


def test_the_model_is_off_unless_it_is_ticked(visit: Opens) -> None:
    engine = ScriptedEngine((MASKS, GROWTH), LINES, ChatModel("some-model", "https://llm.example/v1"))
    with served(engine) as address:
        one = visit(at=address)
        one.run(SET[:1])
        assert [use_llm for _, _, use_llm in engine.asked] == [False]
        one.choose(as_file(SET[3:5]))
        expect(one.page.locator("#eval-privacy")).to_contain_text("3 questions")
        said = one.page.inner_text("#eval-privacy")
        for words in (
            "3 questions",
            "https://llm.example/v1",
            "some-model",
            "cost",
            "nothing leaves this machine",
        ):
            assert words in said
        switch = one.page.get_by_label("Let a language model write the answers")
        expect(switch.locator("visible=true")).not_to_be_checked()
        switch.locator("visible=true").check()
        one.page.click("#eval-run")
        expect(one.page.locator("#eval-headline h2")).to_contain_text("of 2 questions")
        assert [use_llm for _, _, use_llm in engine.asked] == [False, True, True, True]
        one.leave()


# --- looks ---

# The table of kinds may scroll by itself.
SIDEWAYS = """() => [document.documentElement, document.getElementById("eval-tab"),
        ...document.querySelectorAll("#eval .html-container")]
    .filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.outerHTML)"""


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_no_width_scrolls_sideways(visit: Opens, width: int) -> None:
    one = visit(width=width, height=740)
    one.run(SET)
    one.page.locator(".passing > summary").click()
    for summary in one.page.locator(".case > summary").all():
        summary.click()
    assert one.page.evaluate(SIDEWAYS) == []
    assert one.page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_has_the_contrast_of_wcag_aa(visit: Opens, dark: bool) -> None:
    from test_page import CONTRAST

    everywhere = CONTRAST.replace("#desk *", "#tabs [role=tab], #eval *")
    one = visit(dark=dark)
    assert one.page.evaluate(everywhere) == []
    one.run(SET)
    one.page.evaluate(
        "document.querySelectorAll('#eval details').forEach((details) => (details.open = true))"
    )
    assert one.page.evaluate(everywhere) == []


# Of the file's input the label is seen, as a link.
FOCUS = """() => {
    const active = document.activeElement, seen = active.type === "file" ? active.parentElement : active;
    return [active.id || active.type, getComputedStyle(seen).outlineStyle];
}"""


def test_the_keyboard_reaches_everything_and_shows_where_it_is(visit: Opens) -> None:
    one = visit()
    one.choose(as_file(SET))
    one.page.locator("#eval-tab-button").focus()
    reached = []
    while "eval-run" not in [name for name, _ in reached] and len(reached) < 6:
        one.page.keyboard.press("Tab")
        reached.append(one.page.evaluate(FOCUS))
    assert [name for name, _ in reached][-3:] == ["file", "eval-shipped", "eval-run"]
    assert {style for _, style in reached[-3:]} == {"solid"}
    one.page.keyboard.press("Enter")
    assert "3 of 6" in one.headline()


def test_the_chat_waits_while_the_other_tab_is_open(visit: Opens) -> None:
    one = visit()
    expect(one.page.locator("#new-chat")).to_be_hidden()
    one.page.get_by_role("tab", name="Chat").click()
    expect(one.page.locator("#new-chat")).to_be_visible()
    assert "The error falls by half" in one.ask("masks?")
    one.page.get_by_role("tab", name="Eval").click()
    assert "3 of 6" in one.run(SET)
    one.page.get_by_role("tab", name="Chat").click()
    expect(one.page.locator("#turn-0.answered")).to_be_visible()


def test_a_chinese_browser_gets_a_chinese_tab(visit: Opens) -> None:
    one = visit(locale="zh-CN")
    expect(one.page.locator("#eval-tab-button")).to_have_text("评测")
    expect(one.page.locator("#eval-run")).to_have_text("运行")
    assert "6 个问题中 3 个通过" in one.run(SET)
    assert "缺少事实" in one.page.inner_text('[data-case="lacks"]')
    assert "完全无误" in one.page.inner_text("#eval-figures")


# --- our own engine ---


def test_the_shipped_set_over_the_shipped_papers_and_ctrl_c_while_it_runs(
    visit: Opens, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "ui", "--port", "0", "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as ui:
        try:
            said = ui.stdout.readline() if ui.stdout else ""
            address = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert address, said
            one = visit(at=address.group())
            expect(one.page.locator("#eval-hint")).to_have_text("")
            one.page.click("#eval-run")
            expect(one.page.locator("#eval-progress .line")).to_contain_text("left", timeout=60_000)
        finally:
            ui.send_signal(signal.SIGINT)
        _, problems = ui.communicate(timeout=60)
        one.leave()
    assert ui.returncode == 0
    assert problems == ""


def test_papers_brought_in_while_the_page_runs_are_known_to_it(tmp_path: Path) -> None:
    from rag.assembly import open_engine
    from rag.settings import Settings

    engine = open_engine(Settings.load(data_dir=tmp_path / "data"))
    (tmp_path / "more.jsonl").write_text(json.dumps({"id": "new", "title": "New", "abstract": "It is new."}))
    ingest = ["-m", "rag", "ingest", str(tmp_path / "more.jsonl"), "--data-dir", str(tmp_path / "data")]
    before = len(engine.papers)
    subprocess.run([sys.executable, *ingest], check=True, capture_output=True, timeout=120)
    assert [paper.id for paper in engine.papers][before:] == ["new"]
    engine.close()
