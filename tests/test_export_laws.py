"""Laws of exports: whatever a record holds, parsers that are not ours read it back."""

import json
import lzma
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import bibtexparser
import pytest
import rispy
from export_readers import brace_depths, field, paper, printed, read_bibtex, typographic
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rag.cleaning import squeeze
from rag.export import PAPER_FORMATS
from rag.export.bibtex import bibtex
from rag.export.conversation import inert
from rag.export.csl import csl
from rag.export.keys import citation_keys, plain_key
from rag.export.markdown import escaped, markdown
from rag.export.ris import ris
from rag.records import Paper
from rag.sources import read_papers
from rag.sources.latex_text import plain_text
from rag.sources.seed import default_papers

# Text as the readers of lists hand it on, and also text as nobody should: line breaks and control characters.
texts = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("\\{}$%&_#~^<>|\"'`@,=-\n\r\x00\x1b A")),
    max_size=60,
)
names = st.one_of(
    texts,
    st.sampled_from(
        [
            "Ludwig van Beethoven",
            "Zhang Wei",
            "张伟",
            "Plato",
            "Knuth, Donald",
            "King, Jr., Martin",
            "A and B",
            "{",
            "a,b",
        ]
    ),
)
papers = st.builds(
    Paper,
    id=st.text(min_size=1, max_size=8),
    title=texts,
    abstract=texts,
    authors=st.lists(names, max_size=4).map(tuple),
    venue=st.none() | texts | st.sampled_from(["ICLR", "JMLR", "arXiv"]),
    year=st.none() | st.integers(1900, 2100),
    track=st.none() | st.sampled_from(["Oral", "Reject", "Withdrawn"]),
    url=st.none() | texts | texts.map(lambda text: f"https://example.org/{text}"),
    keywords=st.lists(texts, max_size=3).map(tuple),
    titled=st.booleans(),
)
lists = st.lists(papers, max_size=5, unique_by=lambda each: each.id)


@settings(deadline=None)
@given(lists)
def test_every_format_of_any_papers_is_read_back_whole(listed: list[Paper]) -> None:
    keys = list(citation_keys(listed).values())
    library = bibtexparser.parse_string(bibtex(listed))
    assert not library.failed_blocks
    assert [entry.key for entry in library.entries] == keys
    assert list(read_bibtex(listed).entries) == keys
    assert [record["id"] for record in rispy.loads(ris(listed))] == keys
    assert [item["id"] for item in json.loads(csl(listed))] == keys
    assert len(re.findall(r"(?m)^- ", markdown(listed))) == len(markdown(listed).splitlines()) == len(listed)


def squeezed(title: str) -> str:
    return squeeze(title)


@settings(deadline=None)
@given(texts)
def test_any_title_comes_back_from_bibtex(title: str) -> None:
    value = field(paper(title), "title")
    depths = brace_depths(value)
    assert min(depths, default=0) >= 0
    assert (depths or [0])[-1] == 0
    if "$" not in title:  # formulas: below
        assert printed(value) == typographic(squeezed(title))


@settings(deadline=None)
@given(texts.filter(squeeze))
def test_any_title_comes_back_from_ris_and_csl(title: str) -> None:
    (record,) = rispy.loads(ris([paper(title)]))
    (item,) = json.loads(csl([paper(title)]))
    assert record["title"] == item["title"] == squeezed(title)


@settings(deadline=None)
@given(texts)
def test_any_text_is_shown_as_it_is_in_markdown(text: str) -> None:
    assert shown_in_markdown(f"**x{escaped(text)}x**") == f"x{squeeze(text)}x"


def shown_in_markdown(source: str) -> str:
    """The characters that a CommonMark reader with tables and strike-through shows; else it fails."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(source)
    (inline,) = (token for token in tokens if token.type == "inline")
    assert {token.type for token in tokens} == {"paragraph_open", "inline", "paragraph_close"}
    assert {child.type for child in inline.children or ()} <= {
        "text",
        "text_special",
        "strong_open",
        "strong_close",
    }
    return "".join(child.content for child in inline.children or ())


@settings(deadline=None)
@given(st.lists(names, max_size=5))
def test_any_authors_come_back_in_their_order(authors: list[str]) -> None:
    one = paper(authors=tuple(authors))
    kept = [squeeze(author) for author in authors if squeeze(author)]
    (entry,) = read_bibtex([one]).entries.values()
    people = entry.persons.get("author", [])
    assert len(people) == len(kept)
    for person, author in zip(people, kept, strict=True):
        if "$" not in author:
            parts = " ".join(
                [
                    *person.first_names,
                    *person.middle_names,
                    *person.prelast_names,
                    *person.last_names,
                    *person.lineage_names,
                ]
            )
            assert letters(printed(parts)) == letters(typographic(author))
    (record,) = rispy.loads(ris([one]))
    assert [letters(name) for name in record.get("authors", [])] == [letters(author) for author in kept]
    (item,) = json.loads(csl([one]))
    assert [letters("".join(name.values())) for name in item.get("author", [])] == [letters(a) for a in kept]


def letters(name: str) -> str:
    """What a name consists of, whatever the order of its parts and the commas between them."""
    return "".join(sorted(char for char in name if not char.isspace() and char != ","))


@settings(deadline=None)
@given(lists)
def test_keys_are_unique_in_any_case_ascii_and_independent_of_the_order(listed: list[Paper]) -> None:
    keys = citation_keys(listed)
    assert len({key.lower() for key in keys.values()}) == len(listed)
    assert all(re.fullmatch(r"[a-z0-9]+(-[0-9a-f]+)?", key) for key in keys.values())
    assert citation_keys(listed[::-1]) == keys
    for each in listed:
        alone = citation_keys([each])[each.id]
        assert alone == plain_key(each)
        assert keys[each.id].split("-")[0] == alone


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["LLMs", "the", "GPT-4", "$x^{2}$", "K-means", "{", "HexGen", "\\LaTeX", "Über"]),
        min_size=1,
    )
)
def test_what_has_fixed_capitals_is_out_of_reach_of_bibtex(words: list[str]) -> None:
    value = field(paper(" ".join(["On", *words, "of", "it"])), "title")
    for char, depth in list(zip(value, brace_depths(value), strict=True))[2:]:
        assert depth > 0 or not char.isupper() or char == "Ü"


@pytest.mark.parametrize(
    "run", ["\\", "{", "}", "$", "$a", "-", "a-", "A ", "[", "]:", "#", "`", "<a", "&", " ", ", "]
)
def test_long_runs_of_a_sign_take_no_longer_than_other_text(run: str) -> None:
    """What grows with the square of the length does not end within the time of a test."""
    text = f"A{run * 100_000}A"
    one = paper(text, abstract=text, authors=(text,), venue=text)
    for write in PAPER_FORMATS.values():
        assert write([one])
    assert inert(text)
    assert plain_text(text)


# --- whole lists


def assert_read_back(listed: Sequence[Paper]) -> None:
    entries = read_bibtex(listed).entries
    library = bibtexparser.parse_string(bibtex(listed))
    records, items = rispy.loads(ris(listed)), json.loads(csl(listed))
    assert not library.failed_blocks
    assert len(entries) == len(library.entries) == len(records) == len(items) == len(listed)
    keys = citation_keys(listed)
    for each, record, item in zip(listed, records, items, strict=True):
        entry = entries[keys[each.id]]
        assert record["id"] == item["id"] == entry.key == keys[each.id]
        title = squeeze(each.title) if each.titled else ""
        assert record.get("title", "") == item.get("title", "") == title
        assert same(printed(entry.fields.get("title", "")), typographic(title))
        assert record.get("abstract", "") == item.get("abstract", "") == squeeze(each.abstract)
        assert record.get("year", "") == entry.fields.get("year", "") == str(each.year or "")
        authors = [squeeze(author) for author in each.authors if squeeze(author)]
        assert [letters(name) for name in record.get("authors", [])] == list(map(letters, authors))
        assert len(entry.persons.get("author", [])) == len(authors)
        assert record.get("urls", [""])[0] == (each.url or "")


def same(one: str, other: str) -> bool:
    """Whether two texts are equal but for the braces and escapes inside formulas."""
    return re.sub(r"[{}\\]", "", one) == re.sub(r"[{}\\]", "", other)


def test_the_default_papers_are_read_back() -> None:
    assert_read_back(default_papers())
    keys = citation_keys(default_papers())
    assert keys["D756s2YQ6b"] == "lin2025diffusing"
    assert not [key for key in keys.values() if "-" in key]


def test_thousands_of_papers_are_read_back(bench_data: Path) -> None:
    assert_read_back(read_papers(bench_data / "corpus/iclr2025.jsonl.gz").papers)


def test_papers_of_many_venues_are_read_back(bench_data: Path, tmp_path: Path) -> None:
    sample = tmp_path / "sample.jsonl"
    with lzma.open(bench_data / "corpus/ml_papers_100k.jsonl.xz", "rt", encoding="utf-8") as lines:
        sample.write_text("".join(islice(lines, 7, None, 67)), encoding="utf-8")
    listed = read_papers(sample).papers
    assert len(listed) > 1000
    assert_read_back(listed)
