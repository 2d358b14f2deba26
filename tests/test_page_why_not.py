"""Why not this paper? Any paper is looked up from the receipt of an answer, explained by our own engine."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Opens, Reader, served
from playwright.sync_api import Locator, expect

from rag.engine import PaperQueryEngine
from rag.records import Conversation

pytestmark = pytest.mark.browser

LIST, LOOKUP, REFUSED = (
    "Which papers use conformal prediction?",
    "How does HexGen-2 work?",
    "Which papers are about quantum gravity?",
)


@pytest.fixture(scope="module")
def address(seed_engine: PaperQueryEngine) -> Iterator[str]:
    with served(seed_engine) as address:
        yield address


def opened(reader: Reader, turn: int = 0) -> Locator:
    """The section of a turn's receipt, which is opened for it."""
    receipt = reader.page.locator(f"#turn-{turn} .how")
    receipt.locator("> summary").click()
    return receipt.locator(".why-not")


def search(section: Locator, text: str) -> Locator:
    """The papers that are offered for what is typed."""
    section.get_by_role("searchbox").fill(text)
    return section.locator("li")


@pytest.mark.parametrize("question", [LIST, LOOKUP, REFUSED])
def test_any_paper_is_explained_as_the_engine_explains_it(
    read: Opens, seed_engine: PaperQueryEngine, question: str
) -> None:
    reader = read()
    reader.ask(question)
    section = opened(reader)
    answer = seed_engine.ask(question)
    paper = next(paper for paper in seed_engine.papers if paper.title.startswith("PRISM"))
    fate = seed_engine.why_not(paper.id, answer)
    search(section, "prism").first.get_by_role("button").click()
    expect(section.locator(".outcome .reason")).to_have_text(fate.reason)
    expect(section.locator(".outcome .title")).to_have_text(paper.title)
    told = section.locator(".outcome p").nth(1).inner_text()
    assert (f"rank {fate.rank}" in told) is (fate.rank is not None)
    assert (f"score {fate.score or 0:.2f}" in told) is (fate.score is not None)


def test_a_paper_is_found_by_authors_by_id_and_by_content(read: Opens) -> None:
    reader = read()
    reader.ask(LOOKUP)
    section = opened(reader)
    expect(search(section, "qingni wang").get_by_role("button")).to_contain_text(["Sample then Identify"])
    expect(search(section, "9WYMDgxDac").get_by_role("button")).to_have_count(1)
    expect(search(section, "text to audio synthesis").get_by_role("button")).not_to_have_count(0)
    expect(section.locator("li").filter(has_text="Fugatto")).to_have_count(1)
    search(section, "")
    expect(section.locator("[role=status]")).to_be_empty()


def test_the_keyboard_does_it_all_and_ends_at_what_was_found(read: Opens) -> None:
    reader = read()
    reader.ask(LIST)
    section = opened(reader)
    section.get_by_role("searchbox", name="Title, author or id of any paper").focus()
    reader.page.keyboard.type("hexgen")
    reader.page.keyboard.press("Enter")
    expect(section.locator("li")).to_have_count(1)
    reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Enter")
    expect(section.locator(".outcome")).to_be_focused()


def test_an_earlier_answer_is_explained_by_its_own_conversation_and_filters(
    read: Opens, seed_engine: PaperQueryEngine
) -> None:
    reader = read("track=spotlight")
    for question in (LIST, "who wrote it?"):
        reader.ask(question)
    section = opened(reader)
    search(section, "Fugatto").first.get_by_role("button").click()
    expect(section.locator(".reason")).to_have_text("It does not meet the conditions (spotlight).")
    asked = Conversation().with_turn(seed_engine.ask(LIST))
    fate = seed_engine.why_not("B2Fqu7Y2cd", seed_engine.ask("who wrote it?", asked), asked)
    later = opened(reader, 1)
    search(later, "Fugatto").first.get_by_role("button").click()
    expect(later.locator(".reason")).to_have_text("It does not meet the conditions (spotlight).")
    assert fate.stage == "filter"
    expect(section.locator(".reason")).to_have_count(1)


def test_it_is_asked_in_chinese_of_a_chinese_answer_and_passes_axe(read: Opens) -> None:
    reader = read(locale="zh-CN", width=360)
    reader.ask("哪些论文用了共形预测？")
    section = opened(reader)
    expect(section.locator("h3")).to_have_text("为什么没有这篇论文？")
    search(section, "diffusion")
    expect(section.locator("li")).not_to_have_count(0)
    serious = {"serious", "critical"}
    for state in ("offered", "explained"):
        found = Axe().run(reader.page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [rule["id"] for rule in found if rule["impact"] in serious] == [], state
        if state == "offered":
            section.locator("li button").first.click()
            expect(section.locator(".outcome .reason")).to_contain_text("未列入")
    assert reader.page.evaluate("document.documentElement.scrollWidth") == 360


def test_what_was_found_for_one_answer_is_not_shown_under_the_next(read: Opens) -> None:
    reader = read()
    reader.ask(LOOKUP)
    section = opened(reader)
    search(section, "prism").first.get_by_role("button").click()
    expect(section.locator(".outcome")).to_have_count(1)
    reader.ask(LIST)
    later = reader.page.locator("#turn-1 .why-not")
    expect(later.locator("[role=status]")).to_be_empty()
    expect(later.get_by_role("searchbox", include_hidden=True)).to_have_value("")


def test_a_greeting_has_no_such_field(read: Opens) -> None:
    reader = read()
    reader.ask("hello")
    expect(opened(reader)).to_have_count(0)
