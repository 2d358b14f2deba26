"""The table of a list answer on the page: sorted, filtered, selected from, saved; also where it is long."""

import json
from collections.abc import Iterator

import pytest
from browser import Opens, Reader, served
from playwright.sync_api import Locator, expect
from scripted_engine import Line, ScriptedEngine

from rag.records import Answer, Citation, CitedSpan, Completeness, Decision, Paper

pytestmark = pytest.mark.browser


def paper(name: str, title: str, year: int, track: str) -> Paper:
    return Paper(name, title, f"Abstract of {name}.", (f"{name.title()} Author",), "ICLR", year, track)


BETA = paper("beta", "Beta & <b>more</b>", 2023, "poster")
ALPHA = paper("alpha", "Alpha", 2025, "oral")
GAMMA = paper("gamma", "Gamma", 2024, "poster")
DELTA = paper("delta", "Delta", 2022, "spotlight")
FOUND = (
    Decision(BETA, "yes", "Abstract of beta.", 0.9, "in the title"),
    Decision(ALPHA, "yes", "Abstract of alpha.", 0.8, "<i>close</i> in meaning"),
    Decision(GAMMA, "yes", "Abstract of gamma.", 0.7),
    Decision(DELTA, "maybe", "Abstract of delta.", 0.4),
)
MANY = tuple(
    Decision(
        paper(f"n{n}", f"Numbered {n} on masks", 2000 + n % 25, "poster"), "yes", f"Abstract of n{n}.", 1
    )
    for n in range(600)
)


def listing(question: str, *papers: Decision, **changes: object) -> Line:
    fields = {
        "kind": "enumerate",
        "language": "en",
        "text": f"{len(papers)} papers match [1].",
        "papers": papers,
        "citations": (Citation(1, papers[0].paper, (CitedSpan(0, papers[0].quote),)),),
        "completeness": Completeness(19, 0.934),
    }
    return Line((), Answer(question, **(fields | changes)))  # type: ignore[arg-type]


LINES = {
    "four?": listing("four?", *FOUND),
    "two?": listing("two?", *FOUND[:2], completeness=Completeness(3_703)),
    "many?": listing("many?", *MANY),
    "plain?": Line((), Answer("plain?", "lookup", "en", "Plain.")),
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(ScriptedEngine((BETA, ALPHA), LINES)) as address:
        yield address


def titles(within: Locator | Reader, turn: int = 0) -> list[str]:
    """Titles that are not filtered out, in their order; those out of view are not laid out."""
    page = within.page if isinstance(within, Reader) else within
    return page.locator(f"#turn-{turn} tr.paper:not([hidden]) .title").all_text_contents()


def sort(reader: Reader, column: str) -> None:
    reader.page.locator("#turn-0 .found").get_by_role("button", name=column, exact=True).click()


def saved(reader: Reader, turn: int = 0, button: str = "CSL-JSON") -> str:
    with reader.page.expect_download() as download:
        reader.page.locator(f"#turn-{turn} .found").get_by_role("button", name=button).click()
    return download.value.path().read_text("utf-8")


def ids(exported: str) -> list[str]:
    return [item["title"] for item in json.loads(exported)]


def test_a_list_says_what_was_checked_and_how_complete_it_is(read: Opens) -> None:
    reader = read()
    text = reader.ask("four?")
    assert "All 19 papers were checked. About 93 % of all that match are expected to be listed here." in text
    text = reader.ask("two?")
    assert "All 3,703 papers were checked. How complete the list is cannot be said: not calibrated." in text


def test_matches_and_maybes_stand_apart_each_with_quote_and_reason(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    table = reader.page.get_by_role("table", name="Papers found")
    assert table.locator(".group").all_inner_texts() == ["3 match", "1 may match"]
    assert titles(reader) == ["Beta & <b>more</b> [1]", "Alpha", "Gamma", "Delta"]
    assert table.locator("tbody.maybe tr.paper").count() == 1
    row = table.get_by_role("row").filter(has_text="Alpha").text_content() or ""
    for words in ("“Abstract of alpha.”", "<i>close</i> in meaning", "ICLR 2025", "oral", "Alpha Author"):
        assert words in row
    reader.page.locator("#turn-0 .found a.cite").click()
    expect(reader.page.locator("#paper-1 mark.hit")).to_have_text("Abstract of beta.")


def test_columns_sort_both_ways_and_groups_stay_apart(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    sort(reader, "Paper")
    assert titles(reader)[:3] == ["Alpha", "Beta & <b>more</b> [1]", "Gamma"]
    assert reader.page.locator("th.what[aria-sort]").get_attribute("aria-sort") == "ascending"
    sort(reader, "Paper")
    assert titles(reader) == ["Gamma", "Beta & <b>more</b> [1]", "Alpha", "Delta"]
    sort(reader, "Published")
    assert titles(reader) == ["Beta & <b>more</b> [1]", "Gamma", "Alpha", "Delta"]
    assert reader.page.locator("th.what[aria-sort]").get_attribute("aria-sort") == "none"
    sort(reader, "Quote and reason")
    assert titles(reader) == ["Beta & <b>more</b> [1]", "Alpha", "Gamma", "Delta"]


def test_words_filter_the_rows(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    field = reader.page.get_by_role("searchbox", name="Only papers with these words")
    field.fill("ALPHA close")
    assert titles(reader) == ["Alpha"]
    assert reader.page.inner_text("#turn-0 .found .shown") == "1 of 4 shown"
    expect(reader.page.locator("#turn-0 .group").nth(1)).to_be_hidden()
    assert "Save 1 shown as" in reader.page.inner_text("#turn-0 .tools")
    assert ids(saved(reader)) == ["Alpha"]
    field.fill("")
    assert len(titles(reader)) == 4
    assert reader.page.inner_text("#turn-0 .found .shown") == ""


def test_selected_papers_are_saved_in_the_order_shown(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    assert len(ids(saved(reader))) == 4
    for name in ("Gamma", "Beta"):
        reader.page.get_by_role("row").filter(has_text=name).get_by_role("checkbox").check()
    assert "Save 2 selected as" in reader.page.inner_text("#turn-0 .tools")
    sort(reader, "Published")
    assert ids(saved(reader)) == ["Beta & <b>more</b>", "Gamma"]
    assert saved(reader, button="BibTeX").count("@inproceedings") == 2
    assert saved(reader, button="RIS").count("TY  - ") == 2
    assert "Beta & \\<b\\>more" in saved(reader, button="Markdown").replace("\\&", "&")


def test_all_that_are_shown_are_selected_at_once(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    reader.page.get_by_role("searchbox").fill("poster")
    every = reader.page.get_by_role("checkbox", name="Select all shown")
    every.check()
    reader.page.get_by_role("searchbox").fill("")
    assert "Save 2 selected as" in reader.page.inner_text("#turn-0 .tools")
    assert every.evaluate("(box) => [box.checked, box.indeterminate]") == [False, True]
    assert set(ids(saved(reader))) == {"Beta & <b>more</b>", "Gamma"}


@pytest.mark.parametrize("sorted_too", [True, False])
def test_a_list_keeps_its_order_filter_and_selection_while_the_chat_goes_on(
    read: Opens, sorted_too: bool
) -> None:
    reader = read()
    reader.ask("four?")
    if sorted_too:
        sort(reader, "Paper")
        sort(reader, "Paper")
    reader.page.get_by_role("row").filter(has_text="Gamma").get_by_role("checkbox").check()
    reader.page.get_by_role("searchbox").fill("poster")
    reader.ask("plain?")
    reader.ask("two?")
    reader.ask("plain?")
    posters = ["Beta & <b>more</b> [1]", "Gamma"]
    assert titles(reader, 0) == (posters[::-1] if sorted_too else posters)
    assert reader.page.locator("#turn-0 .filter input").input_value() == "poster"
    ticked = "(boxes) => boxes.filter((box) => box.checked).map((box) => box.value)"
    assert reader.page.locator("#turn-0 tr.paper input").evaluate_all(ticked) == ["gamma"]
    assert ids(saved(reader, 0)) == ["Gamma"]
    assert titles(reader, 2) == ["Beta & <b>more</b> [1]", "Alpha"]


def test_another_chat_begins_with_a_list_as_the_answer_ranks_it(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    reader.page.get_by_role("searchbox").fill("poster")
    sort(reader, "Paper")
    reader.page.click("#new-chat")
    expect(reader.page.locator(".turn")).to_have_count(0)
    reader.turns = 0
    reader.ask("four?")
    assert titles(reader) == ["Beta & <b>more</b> [1]", "Alpha", "Gamma", "Delta"]
    assert reader.page.get_by_role("searchbox").input_value() == ""


def test_few_papers_need_no_tools_but_are_saved(read: Opens) -> None:
    reader = read()
    reader.ask("two?")
    assert reader.page.get_by_role("searchbox").count() == 0
    assert reader.page.get_by_role("checkbox").count() == 0
    assert reader.page.inner_text("#turn-0 .tools").startswith("Save as")
    assert ids(saved(reader)) == ["Beta & <b>more</b>", "Alpha"]


def test_six_hundred_papers_are_all_there_and_work_alike(read: Opens) -> None:
    reader = read()
    reader.ask("many?")
    assert len(titles(reader)) == 600
    sort(reader, "Paper")
    assert titles(reader)[:3] == ["Numbered 0 on masks [1]", "Numbered 1 on masks", "Numbered 2 on masks"]
    reader.page.get_by_role("searchbox").fill("numbered 59")
    assert len(titles(reader)) == 16
    reader.page.get_by_role("checkbox", name="Select all shown").check()
    assert len(ids(saved(reader))) == 16
    reader.page.get_by_role("searchbox").fill("")
    reader.page.get_by_role("checkbox", name="Select all shown").check()
    assert "Save 600 selected as" in reader.page.inner_text("#turn-0 .tools")
    assert len(ids(saved(reader))) == 600
    reader.ask("plain?")
    assert "Save 600 selected as" in reader.page.inner_text("#turn-0 .tools")


@pytest.mark.parametrize("width", [360, 1440])
def test_a_table_fits_the_page(read: Opens, width: int) -> None:
    reader = read(width=width, height=740)
    reader.ask("four?")
    wide = """() => [...document.querySelectorAll("html, #transcript, .found, .found :not(input)")]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .filter((element) => getComputedStyle(element).display !== "inline")
        .map((element) => element.outerHTML.slice(0, 90))"""
    assert reader.page.evaluate(wide) == []
    row = reader.page.get_by_role("row").filter(has_text="Alpha")
    expect(row.get_by_role("checkbox", name="Select")).to_be_visible()
    expect(row.get_by_role("rowheader")).to_contain_text("Alpha")


def test_the_keyboard_sorts_and_selects(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    reader.page.get_by_role("searchbox").focus()
    for _ in range(6):  # past the four formats and the box for all
        reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Enter")
    assert titles(reader)[0] == "Alpha"
    reader.page.get_by_role("row").filter(has_text="Alpha").get_by_role("checkbox").focus()
    reader.page.keyboard.press("Space")
    assert "Save 1 selected as" in reader.page.inner_text("#turn-0 .tools")


def test_a_chinese_reader_gets_a_chinese_table(read: Opens) -> None:
    reader = read(locale="zh-CN")
    text = reader.ask("four?")
    for words in (
        "已检查全部 19 篇论文。",
        "约 93% ",
        "3 篇符合",
        "1 篇可能符合",
        "保存显示的 4 篇：",
        "引文与理由",
    ):
        assert words in text


def test_the_abstract_of_a_listed_paper_unfolds_beside_its_row(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    row = reader.page.locator("#turn-0 tr.paper").filter(has_text="Gamma")
    unfold = row.get_by_role("button", name="Abstract")
    expect(unfold).to_have_attribute("aria-expanded", "false")
    unfold.click()
    expect(row.locator(".abstract mark")).to_have_text("Abstract of gamma.")
    expect(unfold).to_have_attribute("aria-expanded", "true")
    unfold.click()
    expect(row.locator(".abstract")).to_be_hidden()
    expect(unfold).to_have_attribute("aria-expanded", "false")
    sort(reader, "Paper")
    unfold.press("Enter")
    expect(row.locator(".abstract")).to_be_visible()
    expect(reader.page.locator("#turn-0 .abstract")).to_have_count(1)


def test_a_new_list_in_the_same_place_has_its_abstracts_folded(read: Opens) -> None:
    reader = read()
    reader.ask("four?")
    reader.page.locator("#turn-0 .unfold").first.click()
    expect(reader.page.locator("#turn-0 .abstract")).to_have_count(1)
    reader.ask("two?")
    expect(reader.page.locator("#turn-1 tr.paper")).to_have_count(2)
    assert reader.page.locator("#turn-1 .abstract").count() == 0
    assert reader.page.locator('#turn-1 .unfold[aria-expanded="true"]').count() == 0
