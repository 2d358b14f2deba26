"""The paper table."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import IndexBroken, StorageError
from rag.index import chunking
from rag.index.papers import PaperTable, fingerprint, record_digest
from rag.records import Paper
from rag.sources.seed import default_papers

FULL = Paper(
    "id-1",
    "A title with $x^2$ & “quotes”",
    "First sentence. 第二句。",
    ("Ann O'Hara", "李雷"),
    "ICLR",
    2025,
    "oral",
    "https://example.org/?a=b",
    ("graphs", "x"),
    titled=False,
)
BARE = Paper("id-2", "Only a title", "")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PaperTable]:
    table = PaperTable(tmp_path / "papers.sqlite3")
    yield table
    table.close()


def put(table: PaperTable, *papers: Paper) -> None:
    with table.transaction():
        table.put(papers, {paper.id: chunking.passages(paper) for paper in papers})


def numbers(table: PaperTable) -> list[int]:
    return [text.number for text in table.texts()]


def test_papers_come_back_as_they_were_and_in_order(table: PaperTable) -> None:
    put(table, FULL, BARE)
    put(table, *default_papers())
    assert table.papers() == (FULL, BARE, *default_papers())
    assert table.paper("id-1") == FULL
    assert table.paper("id-3") is None
    assert table.count_papers() == 21


def test_passages_come_back_as_they_were(table: PaperTable) -> None:
    put(table, FULL, BARE, *default_papers())
    for paper in (FULL, BARE, *default_papers()):
        assert table.passages_of(paper.id) == chunking.passages(paper)
    assert table.count_passages() == len(numbers(table)) == table.count_waiting()


def test_a_replaced_paper_stays_in_its_place(table: PaperTable) -> None:
    put(table, FULL, BARE)
    changed = replace(FULL, abstract="Another text.")
    put(table, changed)
    assert table.papers() == (changed, BARE)
    assert [passage.text for passage in table.passages_of("id-1")] == ["Another text."]


def test_a_passage_whose_text_stays_keeps_its_number_and_its_vector(table: PaperTable) -> None:
    put(table, FULL, BARE)
    table.publish({})
    before = numbers(table)
    put(table, replace(FULL, track="poster", authors=()))
    assert numbers(table) == before
    assert table.count_waiting() == 0


def test_the_number_of_a_replaced_passage_is_never_given_again(table: PaperTable) -> None:
    put(table, FULL)
    [old] = numbers(table)
    put(table, replace(FULL, abstract="Another text."))
    put(table, FULL)
    assert old not in numbers(table)
    assert table.by_number([old]) == {}


def test_a_passage_whose_text_or_title_changes_waits_for_a_new_vector(table: PaperTable) -> None:
    put(table, replace(FULL, titled=True), BARE)
    table.publish({})
    old = {text.vector_id for text in table.texts()}
    put(table, replace(FULL, titled=True, title="Another title"))
    [waiting] = table.texts(waiting=True)
    assert waiting.vector_id not in old
    assert waiting.text.startswith("Another title\n")


def test_reconcile_takes_the_store_as_it_is(table: PaperTable) -> None:
    put(table, FULL, BARE)
    first, second = (text.vector_id for text in table.texts())
    assert table.reconcile({first, "of no passage"}) == {"of no passage"}
    assert [text.vector_id for text in table.texts(waiting=True)] == [second]
    assert table.embedded_of(["id-1", "id-2", "unknown"]) == [first]
    assert table.reconcile(set()) == set()
    assert table.count_waiting() == 2


def test_look_ups_leave_out_what_is_unknown(table: PaperTable) -> None:
    put(table, FULL, BARE)
    [first, second] = table.texts()
    assert table.by_vector_id([second.vector_id, "x"]) == {second.vector_id: chunking.passages(BARE)[0]}
    assert table.by_number([first.number, 999]) == {first.number: chunking.passages(FULL)[0]}
    assert table.numbers_of(["id-2", "id-2", "x"]) == [second.number]
    assert table.numbers_of([]) == []


def test_more_texts_than_a_page_come_each_once(table: PaperTable) -> None:
    papers = [Paper(f"p{n}", f"Title {n}", f"Abstract {n}.") for n in range(2500)]
    put(table, *papers)
    assert [text.text for text in table.texts()] == [f"Title {n}\nAbstract {n}." for n in range(2500)]
    assert len(table.numbers_of([paper.id for paper in papers])) == 2500


def test_lists(table: PaperTable) -> None:
    put(table, FULL, BARE)
    table.join_list("ICLR 2025", ["id-1", "id-2"])
    table.join_list("ICLR 2025", ["id-1"])
    table.join_list("A reading list", ["id-1"])
    assert table.list_names() == ("A reading list", "ICLR 2025")


def test_a_transaction_that_fails_leaves_nothing(table: PaperTable) -> None:
    put(table, FULL)

    def fail_half_way() -> None:
        with table.transaction():
            table.put([BARE], {"id-2": chunking.passages(BARE)})
            table.set_meta({"key": "value"})
            raise KeyError

    with pytest.raises(KeyError):
        fail_half_way()
    assert table.papers() == (FULL,)
    assert table.meta() == {}


def test_meta_values_are_set_and_added(table: PaperTable) -> None:
    table.add_meta({"id": "first"})
    table.add_meta({"id": "second", "other": "x"})
    table.set_meta({"other": "y"})
    assert table.meta() == {"id": "first", "other": "y"}


def test_threads_share_one_table(table: PaperTable) -> None:
    put(table, *default_papers())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(table.paper, [paper.id for paper in default_papers()] * 20))
    assert found == list(default_papers()) * 20


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "papers.sqlite3"
    file.write_bytes(b"this is no database at all, but long enough to look like one " * 20)
    with pytest.raises(IndexBroken, match="cannot be read") as caught:
        PaperTable(file)
    assert str(tmp_path) in caught.value.hint
    with pytest.raises(StorageError):
        PaperTable(tmp_path)
    with pytest.raises(StorageError):
        PaperTable(tmp_path / "no such folder" / "papers.sqlite3")


def test_a_table_with_another_schema_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "papers.sqlite3"
    with sqlite3.connect(file) as foreign:
        foreign.execute("CREATE TABLE papers (id TEXT, title TEXT)")
    foreign.close()
    with pytest.raises(IndexBroken, match="another program"):
        PaperTable(file)


@given(st.permutations([record_digest(paper) for paper in default_papers()[:5]]))
def test_the_fingerprint_does_not_depend_on_the_order(digests: list[str]) -> None:
    assert fingerprint(digests) == fingerprint(map(record_digest, default_papers()[:5]))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "x"}, {"title": "x"}, {"abstract": "x"}, {"authors": ("x",)}, {"venue": None}, {"year": 2024},
        {"track": None}, {"url": "x"}, {"keywords": ()}, {"titled": True},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_the_fingerprint_changes_with_every_field(change: dict[str, object]) -> None:
    assert record_digest(replace(FULL, **change)) != record_digest(FULL)  # type: ignore[arg-type]
    assert fingerprint([record_digest(replace(FULL, **change))]) != fingerprint([record_digest(FULL)])  # type: ignore[arg-type]
