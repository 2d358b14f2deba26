"""The real page in a real Chromium, over an engine that says what a test tells it, and once over ours."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import httpx
import pytest
from browser import Opens, served
from playwright.sync_api import expect
from scripted_engine import Line, ScriptedEngine

from rag.engine import LONGEST_QUESTION, ChatModel
from rag.errors import ModelUnreachable, PortInUse, UsageError
from rag.records import Answer, Citation, CitedSpan, Decision, Paper, Receipt
from ui.address import bind, url
from ui.chat import MAX_QUESTION

pytestmark = pytest.mark.browser

MASKS = Paper(
    "masks",
    "PRISM-2: Masks for <script>alert('title')</script> All",
    "We study masks. The error falls by 2.0$\\times$ on *every* task. Code is at~\\url{https://code.example/a_b}.",
    ("Ada Lovelace", "<b>Bo</b>"),
    "ICLR",
    2025,
    "spotlight",
    "https://openreview.net/forum?id=masks",
)
GROWTH = Paper(
    "growth",
    "Growth in $x^2$ steps",
    "Growth is fast. ![x](http://evil.example/x) <img src=http://evil.example/y onerror=alert(1)> It ends.",
    ("Emmy Noether",),
    "ICLR",
    2025,
    "poster",
    "javascript:alert(document.domain)",
)
MANY = tuple(Paper(f"n{n}", f"Numbered paper {n}", f"Abstract {n}.", track="poster") for n in range(60))
FALLS = "The error falls by 2.0$\\times$ on *every* task."


def saying(question: str, text: str, *citations: Citation, **changes: object) -> Answer:
    fields = {"kind": "lookup", "language": "en", "receipt": Receipt(searched_for="masks", considered=62)}
    return Answer(question, text=text, citations=citations, **(fields | changes))  # type: ignore[arg-type]


def line(question: str, text: str, *citations: Citation, **changes: object) -> dict[str, Line]:
    pieces = [text[start : start + 40] for start in range(0, len(text), 40)]
    return {question: Line(pieces, saying(question, text, *citations, **changes), pause=0.02)}


CITED = Citation(1, MASKS, (CitedSpan(0, FALLS), CitedSpan(1, "We study masks.", "weak")))
HOSTILE = (
    "<img src=http://evil.example/z onerror=alert(2)> ![i](http://evil.example/i) [t](javascript:alert(3))"
)
FOUND = tuple(Decision(p, "maybe" if n < 2 else "yes", f"Abstract {n}.", 1.0) for n, p in enumerate(MANY))
LINES = {
    **line("masks?", "Errors fall by 2.0$\\times$ [1]. Masks are **new** [1].", CITED, confidence=0.93),
    **line("growth?", "It grows [2].", Citation(2, GROWTH, (CitedSpan(0, "Growth is fast."),))),
    **line("hostile?", HOSTILE),
    **line("which?", "58 of 60 [1].", Citation(1, MASKS), kind="enumerate", count=58, papers=FOUND),
    **line("down?", "Quoted [1].", CITED, receipt=Receipt(notice="The model could not be reached.")),
    **line("long?", "A sentence that goes on for a while. " * 60 + "\n\nThen the end [1].", CITED),
    "breaks?": Line(["Half a "], RuntimeError("secret detail")),
    "refuses?": Line((), ModelUnreachable("The endpoint is down.", "Try again later.")),
    "ends?": Line(["Half a "]),
}
MODEL = ChatModel("some-model", "https://llm.example/v1")


@pytest.fixture(scope="module")
def engine() -> ScriptedEngine:
    return ScriptedEngine((MASKS, GROWTH, *MANY), dict(LINES))


@pytest.fixture(scope="module")
def address(engine: ScriptedEngine) -> Iterator[str]:
    with served(engine) as address:
        yield address


# --- reading an answer ---


def test_a_citation_opens_its_card_at_the_highlighted_sentence(read: Opens) -> None:
    reader = read()
    text = reader.ask("masks?")
    assert "Errors fall by 2.0× [1]. Masks are new [1]" in text
    assert "very likely right" in text
    reader.page.locator("#turn-0 a.cite").first.click()
    expect(reader.page.locator("#paper-1.active")).to_be_in_viewport()
    hit = reader.page.locator("#paper-1 mark.hit")
    assert hit.all_inner_texts() == ["The error falls by 2.0× on every task."]
    expect(hit).to_be_in_viewport()
    reader.page.locator("#turn-0 a.cite").nth(1).click()
    assert hit.all_inner_texts() == ["We study masks."]
    reader.page.click("#paper-1 a.back")
    expect(reader.page.locator("#turn-0 a.cite").nth(1)).to_be_focused()


def test_a_card_says_all_of_its_paper(read: Opens) -> None:
    reader = read()
    reader.ask("masks?")
    card = reader.page.locator("#paper-1")
    text = card.inner_text()
    for words in (
        "Ada Lovelace, <b>Bo</b>",
        "ICLR 2025",
        "spotlight",
        "https://code.example/a_b",
        "weakly supported",
    ):
        assert words in text
    link = card.locator("a[target=_blank]")
    assert link.get_attribute("href") == MASKS.url
    assert "noopener" in (link.get_attribute("rel") or "")


def test_pointing_at_a_number_shows_title_and_quote(read: Opens) -> None:
    reader = read()
    reader.ask("masks?")
    cite = reader.page.locator("#turn-0 a.cite").first
    cite.hover()
    shown = reader.page.locator("#peek")
    assert "PRISM-2: Masks for <script>alert('title')</script> All" in shown.inner_text()
    assert "The error falls by 2.0× on every task." in shown.inner_text()
    reader.page.mouse.move(5, 5)
    expect(shown).to_have_count(0)
    cite.focus()
    expect(shown).to_have_count(1)
    reader.page.keyboard.press("Escape")
    expect(shown).to_have_count(0)


def test_the_keyboard_reaches_cards_and_comes_back(read: Opens) -> None:
    reader = read()
    reader.ask("masks?")
    reader.page.locator("#turn-0 a.cite").first.focus()
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("#paper-1")).to_be_focused()
    reader.page.keyboard.press("Escape")
    expect(reader.page.locator("#turn-0 a.cite").first).to_be_focused()


def test_titles_are_text_and_formulas_are_laid_out(read: Opens) -> None:
    reader = read()
    reader.ask("masks?")
    assert "<script>alert('title')</script>" in reader.page.locator("#paper-1 h3").inner_text()
    reader.ask("growth?")
    title = reader.page.locator("#paper-2 h3")
    assert title.locator("math msup").count() == 1
    assert "$" not in title.inner_text()


def test_nothing_of_a_paper_or_a_model_loads_runs_or_leads_away(read: Opens) -> None:
    reader = read()
    reader.ask("growth?")
    text = reader.ask("hostile?")
    assert "![i](http://evil.example/i) [t](javascript:alert(3))" in text
    assert "<img src=http://evil.example/y onerror=alert(1)>" in reader.page.inner_text("#paper-2")
    assert reader.page.locator("#desk img, #desk iframe, #desk script").count() == 0
    assert reader.page.locator("a[href^=javascript]").count() == 0


def test_papers_keep_their_numbers_and_cards(read: Opens) -> None:
    reader = read()
    reader.ask("masks?")
    reader.ask("growth?")
    assert reader.page.locator("#cards .card .number").all_inner_texts() == ["2", "1"]
    reader.page.locator("#turn-0 a.cite").first.click()
    expect(reader.page.locator("#paper-1.active")).to_be_in_viewport()


def test_a_list_answer_shows_every_paper(read: Opens) -> None:
    reader = read()
    text = reader.ask("which?")
    assert "58 match" in text
    assert "2 may match" in text
    last = reader.page.locator("#turn-0 .found tr.paper").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    expect(last.locator(".title")).to_have_text("Numbered paper 1")


def test_a_model_that_failed_is_said_plainly(read: Opens) -> None:
    reader = read()
    assert "The model could not be reached." in reader.ask("down?")
    assert reader.page.locator("#turn-0 .notice.warning").count() == 1


def test_examples_can_be_asked(read: Opens, engine: ScriptedEngine) -> None:
    reader = read()
    examples = reader.page.locator(".example").all_inner_texts()
    assert "How does PRISM-2 work?" in examples
    engine.lines |= line("How does PRISM-2 work?", "With masks [1].", CITED)  # type: ignore[operator]
    reader.page.get_by_role("button", name="How does PRISM-2 work?").click()
    expect(reader.page.locator("#turn-0.answered h2")).to_have_text("How does PRISM-2 work?")
    expect(reader.page.locator("#welcome")).to_be_hidden()


# --- several readers ---


def test_two_conversations_at_once_never_mix(read: Opens, engine: ScriptedEngine) -> None:
    gates = {"ours": Event(), "theirs": Event()}
    for who, gate in gates.items():
        end = saying(f"{who}?", f"The end of {who}.")
        engine.lines |= {f"{who}?": Line([f"Piece {n} of {who}. " for n in range(9)], end, gate, pause=0.02)}  # type: ignore[operator]
    readers = {"ours": read(), "theirs": read()}
    for who, reader in readers.items():
        reader.write(f"{who}?")
    for who, reader in readers.items():
        expect(reader.page.locator("#turn-0")).to_contain_text(f"Piece 8 of {who}.")
        gates[who].set()
    for who, reader in readers.items():
        expect(reader.page.locator("#turn-0.answered")).to_contain_text(f"The end of {who}.")
        reader.ask("masks?")
        other = "theirs" if who == "ours" else "ours"
        assert other not in reader.page.inner_text("body")
    earlier = [[turn.question for turn in conversation.turns] for _, conversation, _ in engine.asked[-2:]]
    assert sorted(earlier) == [["ours?"], ["theirs?"]]


# --- stopping, failing ---


@pytest.fixture
def endless(engine: ScriptedEngine) -> Iterator[Event]:
    """A question "endless?" whose answer stays open until the event is set."""
    gate = Event()
    engine.lines |= {"endless?": Line(["It goes on [1]. "], saying("endless?", "The end."), gate)}  # type: ignore[operator]
    engine.cut_short.clear()
    yield gate
    gate.set()


def closed(engine: ScriptedEngine) -> bool:
    """Whether the engine's stream is closed within ten seconds."""
    wait = Event()
    return any(engine.cut_short or wait.wait(0.05) for _ in range(200))


def test_stop_keeps_what_was_written_and_closes_the_stream(
    read: Opens, engine: ScriptedEngine, endless: Event
) -> None:
    reader = read()
    reader.write("endless?")
    expect(reader.page.locator("#turn-0")).to_contain_text("It goes on")
    reader.page.click("#stop")
    expect(reader.page.locator("#turn-0.stopped")).to_contain_text("It goes on")
    assert closed(engine)
    assert "Masks are new" in reader.ask("masks?")
    assert engine.asked[-1][1].turns == ()


def test_a_reader_who_leaves_closes_the_stream(read: Opens, engine: ScriptedEngine, endless: Event) -> None:
    reader = read()
    reader.write("endless?")
    expect(reader.page.locator("#turn-0")).to_contain_text("It goes on")
    reader.leave()
    assert closed(engine)


def test_a_new_chat_forgets_the_old_one(read: Opens, engine: ScriptedEngine, endless: Event) -> None:
    reader = read()
    reader.ask("masks?")
    reader.write("endless?")
    expect(reader.page.locator("#turn-1")).to_contain_text("It goes on")
    reader.page.click("#new-chat")
    expect(reader.page.locator("#welcome")).to_be_visible()
    expect(reader.page.locator(".turn")).to_have_count(0)
    assert closed(engine)
    reader.turns = 0
    reader.ask("growth?")
    assert engine.asked[-1][1].turns == ()
    assert reader.page.locator(".turn").count() == 1


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("breaks?", "Something went wrong inside"),
        ("refuses?", "The endpoint is down. Try again later."),
        ("ends?", "ended without an answer"),
        ("unheard of", "Something went wrong inside"),
    ],
)
def test_an_error_is_one_message_and_the_question_is_kept(
    read: Opens, engine: ScriptedEngine, question: str, message: str
) -> None:
    reader = read()
    reader.ask("masks?")
    text = reader.ask(question)
    assert message in text
    assert "secret detail" not in text
    assert "Traceback" not in text
    assert reader.page.input_value("#question textarea") == question
    assert "It grows" in reader.ask("growth?")
    assert [turn.question for turn in engine.asked[-1][1].turns] == ["masks?"]


def test_no_question_and_too_long_a_question_get_a_hint(read: Opens, engine: ScriptedEngine) -> None:
    reader = read()
    asked = len(engine.asked)
    reader.page.click("#ask")
    expect(reader.page.locator("#hint")).to_have_text("Write a question first.")
    long = "w" * (MAX_QUESTION + 1)
    reader.page.fill("#question textarea", long)
    reader.page.click("#ask")
    expect(reader.page.locator("#hint")).to_contain_text("4,001 characters")
    assert reader.page.input_value("#question textarea") == long
    assert len(engine.asked) == asked
    reader.ask("masks?")
    expect(reader.page.locator("#hint")).to_have_text("")


def test_the_page_refuses_what_the_engine_would() -> None:
    assert MAX_QUESTION == LONGEST_QUESTION


# --- the language model ---


def test_without_a_model_the_page_says_that_nothing_leaves(read: Opens) -> None:
    reader = read()
    expect(reader.page.locator("#model-switch")).to_be_hidden()
    expect(reader.page.locator("#privacy")).to_have_text("Nothing leaves this machine.")


def test_the_switch_says_what_leaves_and_turns_the_model_off(read: Opens) -> None:
    engine = ScriptedEngine((MASKS,), LINES, MODEL)
    with served(engine) as address:
        reader = read(at=address)
        said = reader.page.inner_text("#privacy")
        for words in ("your question", "earlier turns", "abstracts", "some-model", "https://llm.example/v1"):
            assert words in said
        reader.ask("masks?")
        reader.page.get_by_label("Let a language model write the answer").uncheck()
        reader.ask("growth?")
        reader.leave()
    assert [use_llm for _, _, use_llm in engine.asked] == [True, False]


# --- looks ---


SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll("#transcript, #sources")]
    .filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.id)"""


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_no_width_scrolls_sideways(read: Opens, width: int) -> None:
    reader = read(width=width, height=740)
    for question in ("masks?", "growth?", "which?", "long?", "hostile?"):
        reader.ask(question)
        assert reader.page.evaluate(SIDEWAYS) == []
    reader.page.locator("#turn-0 a.cite").first.click()
    expect(reader.page.locator("#paper-1 mark.hit")).to_be_in_viewport()


# Shifts within half a second of a key or click are the reader's own doing and do not count.
WATCH_SHIFTS = """() => {
    window.shifts = [];
    const keep = (list) => window.shifts.push(...list.getEntries().filter((e) => !e.hadRecentInput));
    new PerformanceObserver(keep).observe({type: "layout-shift"});
}"""


@pytest.mark.parametrize("width", [360, 1440])
def test_text_that_comes_moves_nothing(read: Opens, width: int) -> None:
    reader = read(width=width)
    reader.ask("masks?")
    reader.page.evaluate(WATCH_SHIFTS)
    reader.write("long?")
    expect(reader.page.locator("#turn-1.writing")).to_contain_text("a while. A sentence")
    top = "(name) => document.querySelector(name)?.getBoundingClientRect().top ?? 0"
    edge = reader.page.evaluate(top, "#desk") if width > 960 else 0
    assert reader.page.evaluate(top, "#turn-1") == pytest.approx(edge, abs=2)
    expect(reader.page.locator("#turn-1.answered")).to_be_visible()
    assert reader.page.evaluate(top, "#turn-1") == pytest.approx(edge, abs=2)
    assert sum(reader.page.evaluate("window.shifts.map((shift) => shift.value)")) < 0.01


CONTRAST = """() => {
    const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const behind = (element) => {
        for (let e = element; e; e = e.parentElement) {
            const colour = numbers(getComputedStyle(e).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const poor = [];
    for (const element of document.querySelectorAll("#top *, #desk *")) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.checkVisibility()) continue;
        const [a, b] = [light(numbers(getComputedStyle(element).color)), light(behind(element))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) poor.push(`${element.className || element.tagName}: ${ratio.toFixed(2)}`);
    }
    return poor;
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_has_the_contrast_of_wcag_aa(read: Opens, dark: bool) -> None:
    reader = read(dark=dark)
    assert reader.page.evaluate(CONTRAST) == []
    for question in ("down?", "masks?", "which?", "breaks?"):
        reader.ask(question)
        reader.page.locator("a.cite").last.click()
        assert reader.page.evaluate(CONTRAST) == []
    paper = reader.page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]"
    )
    assert (paper < 60) is dark


def test_a_chinese_browser_gets_a_chinese_page(read: Opens) -> None:
    reader = read(locale="zh-CN")
    expect(reader.page.locator("h1")).to_have_text("与论文对话")
    expect(reader.page.locator("#ask")).to_have_text("提问")
    assert reader.page.get_attribute("#question textarea", "placeholder") == "就这些论文提问"
    assert "PRISM-2 是怎么做的？" in reader.page.locator(".example").all_inner_texts()
    expect(reader.page.locator("#privacy")).to_have_text("没有任何内容离开这台机器。")
    assert "很可能正确" in reader.ask("masks?")
    assert "支持较弱" in reader.page.inner_text("#paper-1")
    assert reader.page.evaluate("document.documentElement.lang") == "zh-CN"


def test_every_control_has_a_name(read: Opens) -> None:
    reader = read()
    named = {
        "textbox": ("Your question",),
        "button": ("Ask", "New chat"),
        "region": ("Conversation", "Sources"),
    }
    for role, name in ((role, name) for role, names in named.items() for name in names):
        expect(reader.page.get_by_role(role, name=name, exact=True)).to_be_visible()  # type: ignore[arg-type]


# --- the address ---


def test_a_port_in_use_and_a_foreign_address_are_clear_errors() -> None:
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        assert url(taken) == f"http://127.0.0.1:{port}"
        with pytest.raises(PortInUse, match=f"Port {port} on 127.0.0.1 is in use"):
            bind("127.0.0.1", port)
        command = [sys.executable, "-m", "ui", "--port", str(port)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (run.returncode, run.stdout) == (1, "")
        assert run.stderr == f"Port {port} on 127.0.0.1 is in use. Choose another with --port.\n"
    with pytest.raises(UsageError, match="no address of this machine"):
        bind("192.0.2.1", 0)


def test_the_command_serves_says_so_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ui", "--port", "0", "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        try:
            said = run.stdout.readline() if run.stdout else ""
            address = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert address, said
            assert httpx.get(address.group(), trust_env=False, timeout=30).status_code == 200
        finally:
            run.send_signal(signal.SIGINT)
        _, problems = run.communicate(timeout=30)
    assert run.returncode == 0
    assert "Traceback" not in problems


# --- our own engine ---


def test_the_whole_path_from_the_shipped_papers_to_the_highlighted_sentence(
    read: Opens, tmp_path: Path
) -> None:
    from rag.assembly import open_engine
    from rag.settings import Settings

    engine = open_engine(Settings.load(data_dir=tmp_path))
    with served(engine) as address:
        reader = read(at=address)
        assert "19 papers" in reader.page.inner_text("#heading")
        text = reader.ask("Which papers use conformal prediction?")
        assert "Sample then Identify" in text
        reader.page.locator("#turn-0 a.cite").first.click()
        hit = reader.page.locator("#sources .card.active mark.hit")
        expect(hit.first).to_be_in_viewport()
        assert "conformal" in " ".join(hit.all_inner_texts()).lower()
        assert "HexGen-2" in reader.ask("How does HexGen-2 work?")
        assert "up to a 2.0× and on average a 1.3× improvement" in reader.page.inner_text("#sources")
        assert "论文" in reader.ask("哪些论文使用了 conformal prediction？")
        reader.leave()
