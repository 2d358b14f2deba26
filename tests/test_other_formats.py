"""Workbooks, databases, XML, notes and labelled blocks in: as programs write them, and broken."""

import io
import json
import sqlite3
import zipfile
from contextlib import closing, suppress
from pathlib import Path

import pytest
from openpyxl import Workbook

from rag.cleaning import stable_id
from rag.errors import SourceError
from rag.index.papers import PaperTable
from rag.records import Paper, Reading
from rag.sources import read_papers
from rag.sources.seed import default_papers


def read(folder: Path, content: str | bytes, name: str = "list.dat") -> Reading:
    """What is read of a file with this content; its name tells nothing."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_papers(path)


def refused(folder: Path, content: str | bytes) -> str:
    with pytest.raises(SourceError) as caught:
        read(folder, content)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- workbooks


def workbook(*sheets: list[list[object]]) -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"S{number}")
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_every_sheet_of_a_workbook_from_its_column_names_on(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        workbook(
            [
                ["My list", None],
                [],
                ["No.", "Title", "Year", "DOI"],
                [1, "One", 2020, "10.1000/A"],
                [2, None, 2021, None],
            ],
            [["notes", "to self"], ["x", "y"]],
            [["标题", "摘要", "作者"], ["论文一", "摘要内容", "张伟; 李娜"], ["论文二", None, None]],
        ),
    )
    assert reading.papers == (
        Paper("10.1000/a", "One", "", year=2020, url="https://doi.org/10.1000/A"),
        Paper(stable_id("摘要内容"), "论文一", "摘要内容", ("张伟", "李娜")),
        Paper(stable_id("论文二"), "论文二", ""),
    )
    assert [skipped.where for skipped in reading.skipped] == ["list.dat: sheet S1, row 5"]


def test_a_paper_on_two_sheets_comes_once(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Title", "Year"], ["One", 2020]]
    reading = read(tmp_path, workbook(rows, rows))
    assert len(reading.papers) == 1
    assert [skipped.reason for skipped in reading.skipped] == [
        f"repeats the id {stable_id('One')} with the same record; the first one is kept"
    ]


def test_workbooks_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = workbook([["Title", "Year"], ["One", 2020]])
    assert "no paper" in refused(tmp_path, workbook([["name", "age"], ["Ada", 36]]))
    assert "binary file" in refused(tmp_path, good[:200])
    broken = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as old, zipfile.ZipFile(broken, "w") as new:
        for item in old.infolist():
            new.writestr(item, b"<broken" if "sheet1" in item.filename else old.read(item))
    assert "damaged workbook" in refused(tmp_path, broken.getvalue())
    monkeypatch.setattr("rag.sources.spreadsheet.MAX_BYTES", 1000)
    assert "holds more than" in refused(tmp_path, good)


# --- databases


def database(folder: Path, *statements: str) -> bytes:
    path = folder / "made.sqlite"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as made:
        for statement in statements:
            made.execute(statement)
        made.commit()
    return path.read_bytes()


def test_every_table_with_titles_of_a_database(tmp_path: Path) -> None:
    content = database(
        tmp_path,
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE 'my \"papers\"' (number INTEGER, title TEXT, authors TEXT, decision TEXT)",
        """INSERT INTO 'my "papers"' VALUES (1, '[Re] One', '["Ann, Jr.", "Bob"]', 'Reject')""",
        """INSERT INTO 'my "papers"' VALUES (2, NULL, NULL, NULL)""",
        "CREATE TABLE other (name TEXT)",
        "INSERT INTO other VALUES ('x')",
        "CREATE VIEW endless AS WITH RECURSIVE n(title) AS (SELECT 1 UNION ALL SELECT 1 FROM n) "
        "SELECT title FROM n",
    )
    reading = read(tmp_path, content)
    assert reading.papers == (
        Paper(stable_id("[Re] One"), "[Re] One", "", ("Ann, Jr.", "Bob"), track="Reject"),
    )
    assert [skipped.where for skipped in reading.skipped] == ['list.dat: table my "papers", row 2']


def test_our_own_index_is_a_list_too(tmp_path: Path) -> None:
    with closing(PaperTable(tmp_path / "papers.sqlite3")) as table:
        table.put(default_papers(), {paper.id: () for paper in default_papers()})
    assert read_papers(tmp_path / "papers.sqlite3").papers == default_papers()


def test_databases_that_cannot_be_read(tmp_path: Path) -> None:
    content = database(tmp_path, "CREATE TABLE papers (title TEXT)", "INSERT INTO papers VALUES ('One')")
    assert "no paper" in refused(tmp_path, database(tmp_path, "CREATE TABLE t (name TEXT)"))
    assert "damaged database" in refused(tmp_path, content[:100] + b"\xff" * 5000)


# --- XML


def test_the_anthologys_xml(tmp_path: Path) -> None:
    (paper,) = read(
        tmp_path,
        """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2022.acl"><volume id="long">
  <meta><booktitle>Proceedings of X</booktitle><editor><first>E</first></editor><year>2022</year></meta>
  <frontmatter><url>2022.acl-long.0</url></frontmatter>
  <paper id="1"><title>On <fixed-case>BERT</fixed-case> and <tex-math>\\ell_0</tex-math></title>
    <author><first>Ali</first><last>Modarressi</last></author><author><last>Plato</last></author>
    <abstract>One <b>two</b>
      three.</abstract><url>2022.acl-long.1</url></paper>
</volume></collection>""",
    ).papers
    assert paper == Paper(
        stable_id("One two three."), r"On BERT and $\ell_0$", "One two three.",
        ("Ali Modarressi", "Plato"), "Proceedings of X", 2022, url="https://aclanthology.org/2022.acl-long.1",
    )  # fmt: skip


def test_an_atom_feed(tmp_path: Path) -> None:
    (paper,) = read(
        tmp_path,
        """<feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv query</title><id>http://arxiv.org/api/x</id>
<entry><id>http://arxiv.org/abs/2401.00001v2</id><published>2024-01-01T00:00:00Z</published>
<title>A title
  in two lines</title><summary> The abstract. </summary>
<author><name>Ann Bee</name><affiliation>X</affiliation></author>
<author><name>Cy Dee</name></author></entry></feed>""",
    ).papers
    assert paper == Paper(
        "arXiv:2401.00001", "A title in two lines", "The abstract.", ("Ann Bee", "Cy Dee"), year=2024,
        url="http://arxiv.org/abs/2401.00001v2",
    )  # fmt: skip


BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><x><p><title>&b;</title></p></x>'
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><x><p><title>&a;</title><author>b</author></p></x>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<a><b>", "not valid XML"),
        ("<papers><p><name>x</name></p></papers>", "no paper"),
        (BOMB, "entities"),
        (OUTSIDE, "entities"),
        ("<a>" * 50_000 + "</a>" * 50_000, "not"),
        ("<!DOCTYPE html><html><title>x</title></html>", "no abstracts"),
    ],
)
def test_xml_that_cannot_be_read(tmp_path: Path, content: str, reason: str) -> None:
    assert reason in refused(tmp_path, content)


# --- notes


NOTE = """---
title: "A: title"
authors: ["Ann Bee", "Cy Dee"]
year: 2025
openreview_id: "aB-c"
url: https://x.y
published: 2024-05-06
empty: ""
---

# A: title

## Abstract
One
two.

## Notes
Mine.
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_note_with_front_matter(tmp_path: Path, end: str) -> None:
    (paper,) = read(tmp_path, NOTE.replace("\n", end)).papers
    assert paper == Paper("aB-c", "A: title", "One two.", ("Ann Bee", "Cy Dee"), year=2025, url="https://x.y")


def test_where_a_note_has_its_abstract(tmp_path: Path) -> None:
    in_head = NOTE.replace('empty: ""', "abstract: |\n  In the\n  head.")
    assert read(tmp_path, in_head).papers[0].abstract == "In the head."
    assert read(tmp_path, NOTE.replace("## Abstract\n", "")).papers[0].abstract == "One two."
    assert read(tmp_path, NOTE.split("# A")[0] + "Just text.").papers[0].abstract == "Just text."
    assert read(tmp_path, NOTE.replace("## Abstract", "## 摘要")).papers[0].abstract == "One two."


def test_a_folder_of_notes(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(NOTE)
    (tmp_path / "b.md").write_text(NOTE.replace("aB-c", "other").replace("One", "Three"))
    (tmp_path / "c.md").write_text("# Just a note\n")
    reading = read_papers(tmp_path)
    assert [paper.id for paper in reading.papers] == ["aB-c", "other"]
    assert [skipped.where for skipped in reading.skipped] == ["c.md"]


def test_notes_that_cannot_be_read(tmp_path: Path) -> None:
    assert "not valid YAML in line" in refused(tmp_path, "---\ntitle: [unclosed\n---\ntext")
    assert "no paper" in refused(tmp_path, "---\nname: x\n---\n")
    bomb = "a: &a [x, x, x, x]\n" + "".join(
        f"k{n}: &k{n} [*{p}, *{p}, *{p}, *{p}]\n" for n, p in enumerate(["a", *(f"k{i}" for i in range(40))])
    )
    assert read(tmp_path, f"---\ntitle: T\n{bomb}authors: *k40\n---\ntext").papers[0].authors == ()
    assert (
        read(tmp_path, "---\ntitle: !!python/object/apply:os.getcwd []\nabstract: A\n---\n")
        .papers[0]
        .abstract
        == "A"
    )


# --- labelled blocks


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_labelled_blocks(tmp_path: Path, end: str) -> None:
    text = """ID: 1
Title: One: a story
Link: https://dl.acm.org/doi/10.1145/1.2
**Authors:** Ann Bee, Cy Dee
Abstract: It begins here
and goes on: so it does.
----------------

ID: 2
Title: Two
Abstract: Other: things.

ID: 3
Authors: Nobody
===
标题：三
摘要：论文三的摘要。
"""
    reading = read(tmp_path, text.replace("\n", end))
    assert reading.papers == (
        Paper(
            "10.1145/1.2", "One: a story", "It begins here and goes on: so it does.", ("Ann Bee", "Cy Dee"),
            url="https://dl.acm.org/doi/10.1145/1.2",
        ),
        Paper(stable_id("Other: things."), "Two", "Other: things."),
        Paper(stable_id("论文三的摘要。"), "三", "论文三的摘要。"),
    )  # fmt: skip
    assert [skipped.where for skipped in reading.skipped] == ["list.dat: line 13"]


def test_prose_with_colons_is_no_labelled_block(tmp_path: Path) -> None:
    abstract = "Summary: we study how titles: and abstracts: are told apart from labels in long prose."
    assert read(tmp_path, abstract).papers[0].abstract == abstract


# --- OpenReview's API


def test_notes_of_openreviews_api(tmp_path: Path) -> None:
    note = {
        "id": "aB", "forum": "aB-c", "number": 7,
        "content": {
            "title": {"value": "One"}, "abstract": {"value": "Text."}, "authors": {"value": ["Ann", "Bob"]},
            "venue": {"value": "Submitted to ICLR 2026"}, "pdf": {"value": "/pdf/x.pdf"},
        },
    }  # fmt: skip
    older = {"id": "old", "content": {"title": "Two", "venue": "ICLR 2025 Poster"}}
    expected = (
        Paper(
            "aB-c",
            "One",
            "Text.",
            ("Ann", "Bob"),
            "ICLR",
            2026,
            "Submitted",
            "https://openreview.net/forum?id=aB-c",
        ),
        Paper("old", "Two", "", (), "ICLR", 2025, "Poster", "https://openreview.net/forum?id=old"),
    )
    assert read(tmp_path, json.dumps([note, older])).papers == expected
    assert read(tmp_path, json.dumps({"notes": [note, older], "count": 2})).papers == expected
    assert read(tmp_path, f"{json.dumps(note)}\n{json.dumps(older)}\n").papers == expected


# --- files of others, and files of nobody


def test_real_files_of_others(bench_data: Path) -> None:
    counts = {
        "acl_anthology_2022.acl.xml": 3,
        "bibliometrix_export.xlsx": 10,
        "iclr_papers.sqlite.db": 100,
        "kdd2026_labelled_blocks.txt": 3,
        "obsidian_frontmatter_paper.md": 1,
        "openreview_api_v2_notes.json": 3,
    }
    found = {name: read_papers(bench_data / "formats" / name) for name in counts}
    assert {name: len(each.papers) for name, each in found.items()} == counts
    assert not [skipped for each in found.values() for skipped in each.skipped]
    acl = found["acl_anthology_2022.acl.xml"].papers[0]
    assert acl.title == "AdapLeR: Speeding up Inference by Adaptive Length Reduction"
    assert (acl.id, acl.year, acl.authors[0]) == ("10.18653/v1/2022.acl-long.1", 2022, "Ali Modarressi")
    assert found["bibliometrix_export.xlsx"].papers[0].authors[0] == "GAVELAN J"
    assert found["obsidian_frontmatter_paper.md"].papers[0].id == "PwxYoMvmvy"
    assert found["iclr_papers.sqlite.db"].papers[0].track == "Reject"


def test_every_file_of_formats_is_read(bench_data: Path) -> None:
    for path in sorted((bench_data / "formats").iterdir()):
        assert read_papers(path).papers, path.name


@pytest.mark.parametrize(
    "head",
    [
        b"PK\x03\x04",
        b"SQLite format 3\x00",
        b"<?xml?>",
        b"---\n",
        b"@article{",
        b"TY  - JOUR\nTI  - ",
        b"title,",
        b"Title: ",
    ],
)
def test_noise_is_refused_or_read_but_never_crashes(tmp_path: Path, head: bytes) -> None:
    for noise in (b"", b"\x00" * 300, bytes(range(256)), b"{[<&%$'\"\\" * 50, "标题，".encode() * 90):
        with suppress(SourceError):
            assert read(tmp_path, head + noise).papers
