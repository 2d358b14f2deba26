"""Filters on the page: in the address, as chips, over chat and search alike."""

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest
from browser import Opens, Reader, served
from playwright.sync_api import expect
from scripted_engine import Line, ScriptedEngine

from rag.engine import PaperQueryEngine
from rag.question.filters import Filters
from rag.records import Answer, Paper
from ui.view import View, read_view

PAPERS = (
    Paper("1", "Masks", "", ("Ada Lovelace", "Bo"), "ICLR", 2025, "oral", keywords=("masks", "nets")),
    Paper("2", "Growth", "", ("Ada Lovelace",), "ICLR", 2024, "poster", keywords=("nets",)),
    Paper("3", "Nets", "", ("Cy Twombly",), "NeurIPS", 2024, "poster"),
    *(Paper(f"x{n}", f"More {n}", "", (f"Author {n}",), "NeurIPS", 2024, "poster") for n in range(9)),
)
EVERYTHING = "venue=ICLR&year=2025&track=Oral&author=Ada+Lovelace&keyword=nets"


# --- what an address says, without a browser ---


@pytest.mark.parametrize(
    ("query", "view"),
    [
        ("", View()),
        (
            EVERYTHING,
            View(Filters(("oral",), (2025,), None, None, ("ICLR",), ("Ada Lovelace",), (), ("nets",))),
        ),
        ("year=2024&year=2025&year=2024", View(Filters(years=(2024, 2025)))),
        ("q=%20masks%20%20and%20nets&sheet=3", View(text="masks and nets", page=3)),
        ("similar=a%2Fb%231", View(similar="a/b#1")),
        ("venue=&venue=%20%0A&sheet=0&q=&__theme=dark&lang=zh&nonsense=1", View()),
        ("sheet=-1", View()),
        ("sheet=99999999999999999999999", View(page=1_000_000)),
        ("sheet=٣&year=２０２４", View(ignored=(("year", "２０２４"),))),
        ("year=soon&year=20255", View(ignored=(("year", "soon"), ("year", "20255")))),
    ],
)
def test_an_address_becomes_a_view_or_says_what_means_nothing(query: str, view: View) -> None:
    assert read_view(parse_qsl(query)) == view


def test_an_address_of_any_length_is_read_in_part() -> None:
    view = read_view([("author", f"Name {n}") for n in range(1000)] + [("venue", "v" * 5000)])
    assert len(view.filters.authors) == 20
    assert not view.filters.venues
    assert len(view.ignored) == 20
    assert all(len(value) <= 200 for _, value in view.ignored)


# --- the page ---

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def engine() -> ScriptedEngine:
    lines = {"what?": Line(["Said."], Answer("what?", "lookup", "en", "Said."))}
    return ScriptedEngine(PAPERS, lines)


@pytest.fixture(scope="module")
def address(engine: ScriptedEngine) -> Iterator[str]:
    with served(engine) as address:
        yield address


def chips(reader: Reader) -> list[str]:
    return [text.partition("\n")[0] for text in reader.page.locator("#scope .chip").all_inner_texts()]


def choose(reader: Reader, field: str, value: str) -> None:
    """Set or remove a filter in the menu above the question box, and wait until that is drawn."""
    if reader.page.locator("#scope details[open]").count() == 0:
        reader.page.click("#scope summary")
    button = reader.page.locator(f'#scope .facet [data-field="{field}"][data-value="{value}"]')
    before = button.get_attribute("aria-pressed")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false" if before == "true" else "true")


def query_of(reader: Reader) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(reader.page.url).query)


def test_a_filter_is_a_chip_in_the_address_and_binds_the_next_question(
    read: Opens, engine: ScriptedEngine
) -> None:
    reader = read()
    expect(reader.page.locator("#scope .left")).to_have_text("All 12 papers")
    choose(reader, "venue", "ICLR")
    choose(reader, "year", "2024")
    assert chips(reader) == ["ICLR", "2024"]
    assert query_of(reader) == [("venue", "ICLR"), ("year", "2024")]
    expect(reader.page.locator("#scope .left")).to_have_text("1 of 12 papers")
    reader.ask("what?")
    assert engine.within[-1] == Filters(venues=("ICLR",), years=(2024,))
    reader.page.get_by_role("button", name="Remove the filter Year “2024”").first.click()
    expect(reader.page.locator("#scope .left")).to_have_text("2 of 12 papers")
    reader.ask("what?")
    assert engine.within[-1] == Filters(venues=("ICLR",))
    reader.page.locator("#scope [data-clear]").click()
    expect(reader.page.locator("#scope .chip")).to_have_count(0)
    assert query_of(reader) == []
    reader.ask("what?")
    assert not engine.within[-1]


def test_a_shared_address_restores_the_view(read: Opens, engine: ScriptedEngine) -> None:
    reader = read(EVERYTHING)
    expect(reader.page.locator("#scope .left")).to_have_text("1 of 12 papers")
    assert chips(reader) == ["ICLR", "2025", "oral", "Ada Lovelace", "nets"]
    reader.ask("what?")
    assert engine.within[-1] == read_view(parse_qsl(EVERYTHING)).filters
    again = read(f"{EVERYTHING}&tab=papers")
    expect(again.page.locator("#browse-results .record")).to_have_count(1)
    expect(again.page.locator("#browse-results .title")).to_have_text("Masks")
    assert again.page.locator("#browse-filters .chip").count() == 5


def test_chat_and_search_share_the_filters(read: Opens) -> None:
    reader = read()
    choose(reader, "track", "oral")
    reader.page.click("#papers-tab-button")
    expect(reader.page.locator("#browse-results .record")).to_have_count(1)
    reader.page.locator('#browse-filters .facet [data-value="poster"]').click()
    expect(reader.page.locator("#browse-results .record")).to_have_count(12)
    reader.page.fill("#browse-search input", "Lovelace")
    expect(reader.page.locator("#browse-results .record")).to_have_count(2)
    reader.page.locator('#browse-filters .chip[data-value="poster"]').click()
    expect(reader.page.locator("#browse-results .record")).to_have_count(1)
    reader.page.click("#chat-tab-button")
    assert chips(reader) == ["oral"]


def test_what_an_address_cannot_mean_is_a_line_and_never_an_error(
    read: Opens, engine: ScriptedEngine
) -> None:
    reader = read("venue=Nowhere&year=soon&sheet=x&similar=&author=Nobody&page=x&view=api&deep_link=x")
    problems = reader.page.locator("#scope .problem")
    expect(problems).to_have_text(
        ["Left out, since it means nothing here: Year “soon”.", "No paper has Venue “Nowhere”."]
    )
    expect(reader.page.locator("#scope .left")).to_have_text("0 of 12 papers")
    reader.ask("what?")
    assert engine.within[-1] == Filters(venues=("Nowhere",), authors=("Nobody",))
    reader.page.locator('#scope .chip[data-value="soon"]').click()
    expect(problems).to_have_text(["No paper has Venue “Nowhere”."])
    reader.page.locator('#scope .chip[data-value="Nowhere"]').click()
    expect(problems).to_have_text(["No paper has Author “Nobody”."])
    reader.page.locator('#scope .chip[data-value="Nobody"]').click()
    expect(problems).to_have_count(0)
    expect(reader.page.locator("#scope .left")).to_have_text("All 12 papers")


def test_filters_met_one_by_one_but_never_together_say_so(read: Opens) -> None:
    reader = read("author=Cy+Twombly&track=oral")
    expect(reader.page.locator("#scope .problem")).to_contain_text("no paper meets all of them")


def test_a_name_that_is_not_offered_can_be_typed(read: Opens) -> None:
    reader = read("tab=papers")
    box = reader.page.get_by_label("Another name").locator("visible=true")
    box.fill("twombly cy")
    box.press("Enter")
    expect(reader.page.locator("#browse-results .record")).to_have_count(1)
    assert query_of(reader) == [("tab", "papers"), ("author", "twombly cy")]


def test_the_keyboard_keeps_its_place_in_the_menu(read: Opens) -> None:
    reader = read()
    reader.page.locator("#scope summary").focus()
    reader.page.keyboard.press("Enter")
    reader.page.keyboard.press("Tab")
    pressed = reader.page.evaluate("({ ...document.activeElement.dataset })")
    assert pressed["field"] == "venue"
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("#scope .chip")).to_have_count(1)
    expect(reader.page.locator("#scope .facets")).to_be_visible()
    same = f'#scope .facet [data-value="{pressed["value"]}"]'
    expect(reader.page.locator(same)).to_be_focused()
    reader.page.keyboard.press("Escape")
    expect(reader.page.locator("#scope .facets")).to_be_hidden()
    expect(reader.page.locator("#scope summary")).to_be_focused()


def test_an_answer_says_which_filter_left_nothing(read: Opens, seed_engine: PaperQueryEngine) -> None:
    with served(seed_engine) as address:
        reader = read("venue=ICLR&year=1999", at=address)
        assert "1999" in reader.ask("Which papers use conformal prediction?")
        within = read("track=spotlight", at=address)
        assert "Sample then Identify" in within.ask("Which papers use conformal prediction?")
        oral = read("track=oral", at=address)
        assert "Sample then Identify" not in oral.ask("Which papers use conformal prediction?")
        for one in (reader, within, oral):
            one.leave()
