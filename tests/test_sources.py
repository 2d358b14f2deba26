"""Files of papers in, Papers out: formats, encodings, dirt, damage, and nothing lost without a word."""

import gzip
import json
import lzma
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.cleaning import adopt, squeeze, stable_id
from rag.errors import SourceError
from rag.records import Paper
from rag.sources import document, read_papers
from rag.sources.seed import default_papers

PROSE = (
    "We study how abstracts are read from files and show that none of them is lost on the way.",
    "Reading lists is dull work, and this paper presents a reader that does it well for many formats.",
    "Sampling from a density is hard when modes are far apart, so we train a teacher to find them.",
)


def write(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


# --- the default papers and the list they come from


def test_the_default_papers() -> None:
    papers = default_papers()
    assert len(papers) == len({paper.id for paper in papers}) == 19
    assert papers[0].id == "D756s2YQ6b"
    assert papers[0].authors[0] == "Lequan Lin"
    for paper in papers:
        assert paper.title
        assert paper.authors
        assert len(paper.abstract) > 400
        assert paper.published == "ICLR 2025"
        assert paper.track in {"poster", "spotlight", "oral"}
        assert paper.url == f"https://openreview.net/forum?id={paper.id}"


def test_the_list_as_its_owner_keeps_it_gives_the_known_records(bench_data: Path) -> None:
    reading = read_papers(bench_data / "corpus" / "iclr2025_seed.txt")
    assert not reading.skipped
    assert not any(paper.titled for paper in reading.papers)
    assert adopt(reading.papers, default_papers()) == list(default_papers())


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_list_in_any_encoding_and_line_end(tmp_path: Path, encoding: str, end: str) -> None:
    text = f"{end}{end}".join(["ICLR 2025 论文列表", *(paper.abstract for paper in default_papers())])
    path = tmp_path / "list.txt"
    path.write_bytes(text.encode(encoding))
    reading = read_papers(path)
    assert not reading.skipped
    assert [(p.venue, p.year, p.titled) for p in reading.papers] == [("ICLR", 2025, False)] * 19
    assert adopt(reading.papers, default_papers()) == list(default_papers())


def test_hard_wrapped_lines_form_feeds_trailing_and_full_width_blanks(tmp_path: Path) -> None:
    wrapped = [paper.abstract.replace(". ", ".  \n").replace(", ", ",\u3000") for paper in default_papers()]
    text = "\ufeffICLR 2025 论文列表\u3000\n\u3000\n" + "\n \t\u3000\n\f\n".join(wrapped) + "\n\n\f\n\x1a"
    assert adopt(read_papers(write(tmp_path / "list.txt", text)).papers, default_papers()) == list(
        default_papers()
    )


# --- bare abstracts


@pytest.mark.parametrize(
    ("heading", "venue", "year"),
    [
        ("ICLR 2025 论文列表", "ICLR", 2025),
        ("Accepted papers of NeurIPS 2024", "NeurIPS", 2024),
        ("2023年 CVPR 论文", "CVPR", 2023),
        ("My reading list", None, None),
        ("", None, None),
    ],
)
def test_a_heading_gives_venue_and_year(
    tmp_path: Path, heading: str, venue: str | None, year: int | None
) -> None:
    reading = read_papers(write(tmp_path / "list.txt", "\n\n".join([heading, *PROSE])))
    assert [paper.abstract for paper in reading.papers] == list(PROSE)
    assert {(paper.venue, paper.year) for paper in reading.papers} == {(venue, year)}


def test_a_block_that_is_no_abstract_is_reported_with_its_line(tmp_path: Path) -> None:
    reading = read_papers(write(tmp_path / "list.txt", f"{PROSE[0]}\n\nPage 3\n\n{PROSE[1]}\n\n{PROSE[0]}\n"))
    assert [paper.abstract for paper in reading.papers] == list(PROSE[:2])
    assert [skipped.where for skipped in reading.skipped] == ["list.txt: line 3", "list.txt: line 7"]
    assert "short" in reading.skipped[0].reason
    assert "repeats" in reading.skipped[1].reason


def test_a_list_with_an_abstract_a_line_and_no_blank_lines(tmp_path: Path) -> None:
    abstracts = [paper.abstract for paper in default_papers()]
    for heading in ("", "ICLR 2025\n\n"):
        reading = read_papers(write(tmp_path / "list.txt", heading + "\n".join(abstracts)))
        assert [paper.abstract for paper in reading.papers] == abstracts


def test_lines_broken_inside_chinese_are_joined_without_blank(tmp_path: Path) -> None:
    broken = "本文提出了一种新的图扩散方法，\n用于生成大规模的图\n结构，并给出了完整的理论分析。"
    (paper,) = read_papers(write(tmp_path / "list.txt", broken)).papers
    assert paper.abstract == broken.replace("\n", "")


def test_western_encodings_are_not_taken_for_chinese(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(
        "The naïve Schrödinger–Bayes estimator of Müller is, we show, never “optimal” at all.".encode(
            "cp1252"
        )
    )
    assert "naïve Schrödinger–Bayes" in read_papers(path).papers[0].abstract


# --- JSON and JSON Lines

RECORD = {
    "forum_id": "a1",
    "Title": " A\n title ",
    "abstract": "Some  abstract.",
    "authors": ["Ann Lee", "Bo Li"],
    "venue": "ICLR",
    "year": "2025",
    "decision": "Oral",
    "link": "https://example.org/a1",
    "keywords": "graphs; flows",
}
PAPER = Paper(
    "a1",
    "A title",
    "Some abstract.",
    ("Ann Lee", "Bo Li"),
    "ICLR",
    2025,
    "Oral",
    "https://example.org/a1",
    ("graphs", "flows"),
)


@pytest.mark.parametrize(
    "content",
    [
        [RECORD],
        RECORD,
        {"records": [RECORD], "count": 1},
        {"data": {"papers": [RECORD]}},
        {"a1": {key: value for key, value in RECORD.items() if key != "forum_id"}},
        {
            "venue": "ICLR",
            "year": 2025,
            "papers": [{k: v for k, v in RECORD.items() if k not in {"venue", "year"}}],
        },
    ],
)
def test_json_in_each_shape(tmp_path: Path, content: object) -> None:
    assert read_papers(write(tmp_path / "x.json", content)).papers == (PAPER,)


def test_every_array_of_an_object_is_read(tmp_path: Path) -> None:
    reading = read_papers(
        write(tmp_path / "x.json", {"orals": [{"title": "A"}], "posters": [{"title": "B"}]})
    )
    assert [paper.title for paper in reading.papers] == ["A", "B"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x", "x.txt", "x.jsonl.gz", "x.xz"])
def test_json_lines_packed_or_not_under_any_name(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / name
    path.write_bytes(pack(f"\n{json.dumps(RECORD)}\r\n\n{json.dumps({'title': 'Two'})}\n".encode()))
    assert [paper.title for paper in read_papers(path).papers] == ["A title", "Two"]


def test_one_line_of_json_lines(tmp_path: Path) -> None:
    assert read_papers(write(tmp_path / "x.jsonl", json.dumps(RECORD) + "\n")).papers == (PAPER,)


@pytest.mark.parametrize(
    ("authors", "names"),
    [
        (["Ann Lee", " Bo  Li "], ("Ann Lee", "Bo Li")),
        ("Ann Lee;Bo Li", ("Ann Lee", "Bo Li")),
        ("Ann Lee, Bo Li", ("Ann Lee", "Bo Li")),
        ("Ann Lee, Bo Li and Cy Wu", ("Ann Lee", "Bo Li", "Cy Wu")),
        ("Lee, Ann and Li, Bo", ("Ann Lee", "Bo Li")),
        ([{"given": "Ann", "family": "Lee"}, {"name": "Bo Li"}], ("Ann Lee", "Bo Li")),
        ("Ann Lee", ("Ann Lee",)),
        ([], ()),
        (None, ()),
        (7, ("7",)),
    ],
)
def test_authors_in_each_shape(tmp_path: Path, authors: object, names: tuple[str, ...]) -> None:
    (paper,) = read_papers(write(tmp_path / "x.json", [{"title": "T", "authors": authors}])).papers
    assert paper.authors == names


@pytest.mark.parametrize(
    ("fields", "venue", "year"),
    [
        ({"venue": "ICLR 2025"}, "ICLR", 2025),
        ({"venue": "ICLR 2025 Poster"}, "ICLR 2025 Poster", 2025),
        ({"conference": "ICLR", "year": 2025.0}, "ICLR", 2025),
        ({"year": "2025-04-24"}, None, 2025),
        ({"year": "soon", "venue": ""}, None, None),
        ({"year": True}, None, None),
    ],
)
def test_venue_and_year(
    tmp_path: Path, fields: dict[str, object], venue: str | None, year: int | None
) -> None:
    (paper,) = read_papers(write(tmp_path / "x.json", [{"title": "T", **fields}])).papers
    assert (paper.venue, paper.year) == (venue, year)


def test_links_are_web_addresses_only(tmp_path: Path) -> None:
    records = [
        {"title": "A", "url": "javascript:alert(1)"},
        {"title": "B", "url": "javascript:alert(1)", "pdf_url": "https://example.org/b.pdf"},
        {"title": "C", "url": "https://example.org/ <b>"},
    ]
    reading = read_papers(write(tmp_path / "x.json", records))
    assert [paper.url for paper in reading.papers] == [None, "https://example.org/b.pdf", None]


def test_what_is_not_a_paper_is_reported_and_what_has_only_a_title_is_kept(tmp_path: Path) -> None:
    records = [
        {"title": "Only a title"},
        {"abstract": PROSE[0]},
        {"authors": ["Ann Lee"]},
        ["a", "list"],
        None,
        {"title": "n/a", "abstract": None},
        {"id": "a", "title": "A"},
        {"id": "a", "title": "A"},
        {"id": "a", "title": "Another"},
    ]
    reading = read_papers(write(tmp_path / "x.json", records))
    first = reading.papers[0]
    assert (first.title, first.titled, first.abstract) == ("Only a title", True, "")
    assert reading.papers[1].id == stable_id(PROSE[0])
    assert not reading.papers[1].titled
    assert [paper.id for paper in reading.papers[2:]] == ["a"]
    assert len(reading.papers) + len(reading.skipped) == len(records)
    assert {s.where: s.reason for s in reading.skipped} == {
        "x.json: record 3": "has neither a title nor an abstract",
        "x.json: record 4": "is an array, not an object with fields",
        "x.json: record 5": "is null, not an object with fields",
        "x.json: record 6": "has neither a title nor an abstract",
        "x.json: record 8": "repeats the id a with the same record; the first one is kept",
        "x.json: record 9": "repeats the id a with a different record; the first one is kept",
    }


def test_a_broken_first_line_is_passed_over_too(tmp_path: Path) -> None:
    reading = read_papers(write(tmp_path / "x.jsonl", '{"title": "A\n{"title": "B"}\n'))
    assert [paper.title for paper in reading.papers] == ["B"]
    assert reading.skipped[0].where == "x.jsonl: line 1"


def test_a_broken_line_of_json_lines_does_not_cost_the_others(tmp_path: Path) -> None:
    text = '{"title": "A"}\n{"title": "B", \n{"title": "C"}\n[1]\n{"title": "D'
    reading = read_papers(write(tmp_path / "x.jsonl", text))
    assert [paper.title for paper in reading.papers] == ["A", "C"]
    assert [s.where for s in reading.skipped] == ["x.jsonl: line 2", "x.jsonl: line 5", "x.jsonl: line 4"]


# --- laws

LINES = (
    st.text(st.characters(exclude_categories=["C"]), min_size=1)
    .map(squeeze)
    .filter(lambda text: text.lower() not in {"", "-", "n/a", "na", "none", "null", "nan"})
)
PAPERS = st.lists(
    st.builds(
        Paper,
        id=LINES,
        title=LINES,
        abstract=st.one_of(st.just(""), LINES),
        authors=st.lists(LINES).map(tuple),
        venue=st.sampled_from([None, "ICLR", "Journal of X"]),
        year=st.one_of(st.none(), st.integers(1900, 2099)),
        track=st.one_of(st.none(), LINES),
        url=st.one_of(st.none(), st.just("https://example.org/x?y=1")),
        keywords=st.lists(LINES).map(tuple),
    ),
    min_size=1,
    unique_by=lambda paper: paper.id,
).map(tuple)
WORDS = [word for word in " ".join(PROSE).split() if len(word) > 1]  # a single letter is no word
ABSTRACTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=12, max_size=40).map(" ".join),
    min_size=1,
    unique_by=stable_id,
)


@given(PAPERS)
def test_json_and_json_lines_bring_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, papers: tuple[Paper, ...]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    records = [{k: v for k, v in asdict(paper).items() if k != "titled"} for paper in papers]
    assert read_papers(write(folder / "law.json", records)).papers == papers
    lines = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    assert read_papers(write(folder / "law.jsonl", lines)).papers == papers


@given(ABSTRACTS, st.sampled_from(["\n\n", "\r\n\r\n", "\n \n\n"]))
def test_bare_abstracts_bring_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, abstracts: list[str], blank: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "law.txt"
    path.write_bytes(blank.join(["ICLR 2025 论文列表", *abstracts]).encode())
    reading = read_papers(path)
    assert [paper.abstract for paper in reading.papers] == abstracts
    assert {paper.published for paper in reading.papers} == {"ICLR 2025"}


# --- what cannot be read

BAD: dict[str, tuple[bytes, str]] = {
    "empty.txt": (b"", "is empty"),
    "blank.json": (b" \n\n", "is empty"),
    "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "binary file"),
    "archive.json": (b"PK\x03\x04" + bytes(range(256)) * 20, "binary file"),
    "cut.jsonl.gz": (
        gzip.compress(json.dumps(RECORD).encode() * 500)[:-40],
        "damaged .gz file (it ends too early)",
    ),
    "wrong.gz": (b"\x1f\x8b" + b"not gzip at all", "damaged .gz file"),
    "cut.xz": (lzma.compress(os.urandom(5000))[:-500], "damaged .xz file"),
    "syntax.json": (b'[\n{"title": "A"},\n{"title" "B"}\n]', "line 3, column 10"),
    "cut.json": (b'[\n{"title": "A"},\n{"title": "B', "line 3"),
    "deep.json": (b"[" * 200_000, "not usable JSON"),
    "no_lines.jsonl": (b'{"title": \n{"title": \n', "line 1"),
    "nothing.json": (b"[]", "no paper with a title or an abstract"),
    "fields.json": (b'[{"name": "x"}]', "no paper with a title or an abstract (fields.json: record 1"),
    "number.json": (b"12", "no paper with a title or an abstract"),
    "note.txt": (b"buy milk\n\nand bread\n", "no abstracts in a format that is read"),
    "table.csv": (b"name,age\nAda,36\n", "no paper with a title or an abstract"),
    "page.html": (b"<html><p>" + " ".join(PROSE).encode() + b"</p></html>", "no abstracts"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_read_says_why_in_one_line(tmp_path: Path, name: str) -> None:
    content, reason = BAD[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError) as caught:
        read_papers(tmp_path / name)
    assert reason in caught.value.message
    assert name in caught.value.message
    assert "\n" not in str(caught.value)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_BYTES", 1 << 20)
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b" " * (1 << 21)))
    with pytest.raises(SourceError, match="more than 1 MiB"):
        read_papers(path)


def test_paths_that_are_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="There is no file or folder"):
        read_papers(tmp_path / "absent.json")
    with pytest.raises(SourceError, match="cannot be read"):
        read_papers(tmp_path / ("x" * 5000))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="neither a file nor a folder"):
        read_papers(tmp_path / "pipe")
    locked = write(tmp_path / "locked.json", [RECORD])
    locked.chmod(0)
    if not os.access(locked, os.R_OK):  # root reads everything
        with pytest.raises(SourceError, match="Permission denied"):
            read_papers(locked)


# --- folders and several paths


def test_a_folder_reads_what_it_can_in_order_and_lists_the_rest(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub" / "c.txt", PROSE[2])
    write(tmp_path / "b.jsonl", '{"title": "B"}\n{"title": "A"}\n')
    write(tmp_path / "a.json", [{"title": "A"}])
    write(tmp_path / ".hidden.json", [{"title": "Hidden"}])
    (tmp_path / "picture.png").write_bytes(BAD["picture.png"][0])
    reading = read_papers(tmp_path)
    assert [paper.abstract or paper.title for paper in reading.papers] == ["A", "B", PROSE[2]]
    assert [s.where.split(":")[0] for s in reading.skipped] == ["picture.png", "b.jsonl"]


def test_a_folder_without_papers_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no file with papers"):
        read_papers(tmp_path)
    (tmp_path / "empty.txt").touch()
    with pytest.raises(SourceError, match="holds no file with papers") as caught:
        read_papers(tmp_path)
    assert "empty.txt is empty" in caught.value.hint


def test_several_paths_are_one_reading_and_one_bad_path_stops_all(tmp_path: Path) -> None:
    one, two = (
        write(tmp_path / "1.json", [{"title": "A"}]),
        write(tmp_path / "2.json", [{"title": "A"}, {"title": "B"}]),
    )
    reading = read_papers(one, two)
    assert [paper.title for paper in reading.papers] == ["A", "B"]
    assert reading.skipped[0].where.startswith("2.json: ")
    with pytest.raises(SourceError):
        read_papers(one, tmp_path / "absent.json")


def test_real_lists_of_others(bench_data: Path) -> None:
    """JSON files as they are passed around: how many papers each holds, and that none is lost."""
    counts = {
        "ai_conference_paper_lists_iclr2023.json": 3,
        "arxiv_metadata_oai_snapshot.jsonl": 3,
        "mlanthology_iclr-2025.json.gz": 3,
        "mlanthology_legacy.jsonl": 3,
        "openreview_crawl_keyed_by_id.json": 2,
        "papercopilot_colm2025.json": 3,
        "papercopilot_iclr2018.json": 3,
        "seed_plain_abstracts.txt": 2,
        "zotero_csl.json": 3,
    }
    for name, count in counts.items():
        reading = read_papers(bench_data / "formats" / name)
        assert (len(reading.papers), reading.skipped) == (count, ()), name
    papers = {
        p.id: p
        for p in read_papers(bench_data / "formats" / "ai_conference_paper_lists_iclr2023.json").papers
    }
    assert {(paper.venue, paper.year) for paper in papers.values()} == {("ICLR", 2023)}
    assert (
        read_papers(bench_data / "corpus" / "seed19.json").papers[0].abstract == default_papers()[0].abstract
    )
