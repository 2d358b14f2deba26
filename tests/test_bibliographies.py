"""BibTeX, RIS, CSL-JSON and tables in: as their programs write them, broken, and as our own exports."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.cleaning import squeeze, stable_id
from rag.errors import SourceError
from rag.export import PAPER_FORMATS
from rag.records import Paper, Reading
from rag.sources import read_papers
from rag.sources.latex_text import plain_text
from rag.sources.seed import default_papers

ENDINGS = {"bibtex": "bib", "ris": "ris", "csl": "json"}


def read(folder: Path, text: str, name: str = "list.txt") -> Reading:
    """What is read of a file with this text; its name tells nothing unless a test says so."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return read_papers(path)


def one(folder: Path, text: str) -> Paper:
    (paper,) = read(folder, text).papers
    return paper


# --- what we export is what we read


@pytest.mark.parametrize("name", ["bibtex", "ris"])
def test_our_exports_of_the_default_papers_are_the_default_papers(tmp_path: Path, name: str) -> None:
    reading = read(tmp_path, PAPER_FORMATS[name](default_papers()))
    assert not reading.skipped
    assert list(map(shown, reading.papers)) == list(map(shown, default_papers()))


def shown(paper: Paper) -> tuple[object, ...]:
    """What the formats carry of a record: all but the track."""
    title, abstract = typographic(paper.title), typographic(paper.abstract)
    return paper.id, title, abstract, paper.authors, paper.venue, paper.year, paper.url


words = st.sampled_from(
    "Graphs über LLMs 论文 50% of C# a_b R&D {GPT} \\textbf{x} x^2 ~10 <b> |S| $\\ell_0$ A/B it's é".split()
)
titles = st.lists(words, min_size=1, max_size=8).map(" ".join)
names = st.sampled_from(
    [
        "Ludwig van Beethoven",
        "张伟",
        "Plato",
        "Hal Daumé III",
        "Luc Van Gool",
        "Ann And Bob",
        "The A Team",
        "Ana Ñ. Öz",
    ]
)
records = st.builds(
    Paper,
    id=st.just("Ab-1_c"),
    title=titles,
    abstract=titles,
    authors=st.lists(names, max_size=3).map(tuple),
    venue=st.none() | st.sampled_from(["ICLR", "JMLR", "arXiv", "Art & Craft"]),
    year=st.none() | st.integers(1900, 2099),
    url=st.just("https://openreview.net/forum?id=Ab-1_c"),
    keywords=st.lists(st.sampled_from(["deep nets", "50%", "a_b"]), max_size=2).map(tuple),
)


@settings(deadline=None)
@given(records)
def test_any_record_comes_back_from_our_exports(
    tmp_path_factory: pytest.TempPathFactory, record: Paper
) -> None:
    folder = tmp_path_factory.mktemp("exported")
    assert one(folder, PAPER_FORMATS["bibtex"]([record])) == record
    assert one(folder, PAPER_FORMATS["ris"]([record])) == record
    item = one(folder, PAPER_FORMATS["csl"]([record]))
    assert (item.title, item.abstract, item.authors, item.venue, item.year) == (
        record.title, record.abstract, record.authors, record.venue, record.year,
    )  # fmt: skip


def test_thousands_of_exported_papers_come_back(bench_data: Path, tmp_path: Path) -> None:
    papers = read_papers(bench_data / "corpus/iclr2025.jsonl.gz").papers
    for name in ("bibtex", "ris"):
        reading = read(tmp_path, PAPER_FORMATS[name](papers))
        assert not reading.skipped
        assert [paper.id for paper in reading.papers] == [paper.id for paper in papers]
        assert [paper.authors for paper in reading.papers] == [paper.authors for paper in papers]
        pairs = list(zip(papers, reading.papers, strict=True))
        assert sum(typographic(a.title) != typographic(b.title) for a, b in pairs) == 0
        assert sum(typographic(a.abstract) != typographic(b.abstract) for a, b in pairs) <= 3  # "$5%$"


def typographic(text: str) -> str:
    """A text with the signs that LaTeX types in two."""
    for typed, sign in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”")):
        text = text.replace(typed, sign)
    return text


# --- BibTeX


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        ("{NeRF}: {Representing} {Scenes}", "NeRF: Representing Scenes"),
        (r'Sch{\"o}lkopf, {\'E}va, Ren{\'{e}}, \v{S}', "Schölkopf, Éva, René, Š"),
        (r'\c{c}, \c c, na{\"\i}ve', "ç, ç, naïve"),
        (r"Erd{\H o}s, \O{}re, {\ss}, \L{}ukasz, \aa{}, {\AA}rhus", "Erdős, Øre, ß, Łukasz, å, Århus"),
        (r"50\% of R\&D \#1 a\_b \$5 \{x\}", "50% of R&D #1 a_b $5 {x}"),
        ("50% of R&D, unescaped", "50% of R&D, unescaped"),
        (r"On {$\ell_0$}-norms of $O(n^{2})$", r"On $\ell_0$-norms of $O(n^{2})$"),
        (r"costs $5 and $10 {more}", "costs $5 and $10 more"),
        (r"\emph{very} \textbf{bold} {\it slanted} \textsc{Caps}", "very bold slanted Caps"),
        (r"\href{http://a.b}{the page}, \url{http://a.b/c}", "the page, http://a.b/c"),
        ("pages 1--2 --- ``quoted''", "pages 1–2 — “quoted”"),
        (r"{\textbackslash}bf{\textbraceleft}x{\textbraceright} {\textless}p{\textgreater}", r"\bf{x} <p>"),
        (r"{\textasciitilde} \~{} \^{} {\textasciicircum}", "~ ~ ^ ^"),
        (r"a~b \ c\,d\\e", "a b  c d e"),
        (r"\unknown{thing} \alpha \ldots", r"\unknownthing α…"),
        (r"\href", r"\href"),
        ("plain", "plain"),
    ],
)  # fmt: skip
def test_latex_as_plain_text(latex: str, text: str) -> None:
    assert plain_text(latex) == text


@settings(deadline=None)
@given(st.text(st.sampled_from("\\{}$%&~^'\"`-abcuvH \ue000\ue0110"), max_size=30))
def test_any_latex_is_read(latex: str) -> None:
    assert not set(plain_text(latex)) & set("\ue000\ue001\ue010\ue011") or "\\" not in latex + "{}~"


def test_an_entry(tmp_path: Path) -> None:
    paper = one(
        tmp_path,
        r"""% my papers
        @string{ml = "Machine Learning"}
        @article{key,
          Title = "The {GPT} of {\"U}bung",
          AUTHOR = {van Beethoven, Ludwig and Marie Curie and {The {AlgoPerf} Team} and King, Jr., Martin
                    and others},
          journal = ml, year = 2020, month = jan, doi = {10.1000/ABC_d},
          abstract = {One
             two.}, keywords = {a b; c},
        }""",
    )
    assert paper == Paper(
        "10.1000/abc_d",
        "The GPT of Übung",
        "One two.",
        ("Ludwig van Beethoven", "Marie Curie", "The AlgoPerf Team", "Martin King Jr."),
        "Machine Learning",
        2020,
        None,
        "https://doi.org/10.1000/ABC_d",
        ("a b", "c"),
    )


def test_what_is_broken_costs_only_itself(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        """@article{a, title = {First}}
@article{a, title = {Same key}}
@article{b, title = {Short}, title = {The longer one}}
@article{c, title = {Unclosed
@article(d, title = {In parentheses})
@article{e title = {No comma}}
@book{f, author = {Nobody}}
@misc{g, eprint = {2401.00001}, archiveprefix = {arXiv}, title = {Last}, howpublished = {\\url{https://a.b}}}
""",
    )
    assert [paper.title for paper in reading.papers] == [
        "First",
        "Same key",
        "The longer one",
        "In parentheses",
        "Last",
    ]
    assert (reading.papers[-1].id, reading.papers[-1].venue) == ("arXiv:2401.00001", None)
    assert reading.papers[0].id == stable_id("First")
    assert [(skipped.where, skipped.reason) for skipped in reading.skipped] == [
        ("list.txt: line 4", "is not valid BibTeX"),
        ("list.txt: line 6", "is not valid BibTeX"),
        ("list.txt: line 7", "has neither a title nor an abstract"),
    ]


def test_what_an_entry_lacks_its_proceedings_have(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        "@inproceedings{a, title={Child}, crossref={P}}\n@proceedings{p, title={Proc. of X}, year={1999}}",
    )
    assert (reading.papers[0].venue, reading.papers[0].year) == ("Proc. of X", 1999)


def test_broken_bibtex_says_nothing_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read(tmp_path, "@article{a, title = {A}}\n@article{c, title = {Unclosed\n@misc{x, title={B}}")
    assert capsys.readouterr() == ("", "")


# --- RIS


def test_a_record_of_ris(tmp_path: Path) -> None:
    text = """Provider: X\r
TY  - CPAPER\r
T1  - A title that\r
goes on\r
A1  - King, Martin Luther, Jr.\r
AU  - Plato\r
AU  - 张伟\r
JO  - J. of X\r
Y1  - 2019/05//\r
DO  - 10.1000/x\r
KW  - one; two\r
KW  - three\r
N2  - An abstract.\r
XX  - unknown\r
ER  -\r
"""
    assert one(tmp_path, text) == Paper(
        "10.1000/x",
        "A title that goes on",
        "An abstract.",
        ("Martin Luther King Jr.", "Plato", "张伟"),
        "J. of X",
        2019,
        None,
        "https://doi.org/10.1000/x",
        ("one", "two", "three"),
    )


def test_records_without_an_end_and_without_a_title(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        "TY  - JOUR\nTI  - One\nTY  - JOUR\nAU  - Nobody\nER  - \n\nstray\n"
        "TY  - JOUR\n\nTI  - Two\nAB  -\nUR  - javascript:x",
    )
    assert [(paper.title, paper.url) for paper in reading.papers] == [("One", None), ("Two", None)]
    assert [skipped.where for skipped in reading.skipped] == ["list.txt: line 3"]


# --- tables


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_a_table(tmp_path: Path, delimiter: str) -> None:
    rows = [
        ["\ufeffPaper ID", "Title", "Abstract", "Authors", "Source title", "Year", "Author Keywords"],
        [
            "x1",
            '"A ""quoted"" title, with; marks|\tand a\nbreak"',
            "Text.",
            "Ann B; Cy D",
            "ICLR 2024",
            "",
            "k; l",
        ],
        [""] * 7,
        ["x2", "Short", "[No abstract available]"],
        ["", "", "", "Nobody"],
    ]
    reading = read(tmp_path, "\r\n".join(delimiter.join(map(quoted, row)) for row in rows))
    assert reading.papers == (
        Paper(
            "x1", 'A "quoted" title, with; marks| and a break', "Text.", ("Ann B", "Cy D"), "ICLR", 2024,
            keywords=("k", "l"),
        ),
        Paper("x2", "Short", ""),
    )  # fmt: skip
    assert [skipped.where for skipped in reading.skipped] == ["list.txt: line 6"]


def quoted(cell: str) -> str:
    return cell if cell.startswith('"') or not set(cell) & set(";,|\t") else f'"{cell}"'


def test_quotation_marks_in_a_table_without_quoting_are_text(tmp_path: Path) -> None:
    lines = ["title\tabstract", '"Deep" nets\tA "b" c', '"Open\tEnd', "Third\tText"]
    papers = read(tmp_path, "\n".join(lines)).papers
    assert [(paper.title, paper.abstract) for paper in papers] == [
        ('"Deep" nets', 'A "b" c'),
        ('"Open', "End"),
        ("Third", "Text"),
    ]


def test_a_row_with_more_cells_than_columns_is_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, "title,year\nOne,2020\nTwo, and more,2021\nThree,2022,,\n")
    assert [(paper.title, paper.year) for paper in reading.papers] == [("One", 2020), ("Three", 2022)]
    assert [(skipped.where, skipped.reason) for skipped in reading.skipped] == [
        ("list.txt: line 3", "has 3 cells under 2 column names")
    ]


def test_a_paper_of_a_table_is_known_by_its_link(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        "No.,Title,Link,DOI\n1,A,https://openreview.net/pdf?id=aB-c,\n2,B,http://arxiv.org/abs/2401.00001v3,\n"
        "3,C,https://x.y,10.1000/Z\n4,D,,\n",
    )
    assert [paper.id for paper in reading.papers] == ["aB-c", "arXiv:2401.00001", "10.1000/z", stable_id("D")]


def test_a_long_cell_is_no_limit(tmp_path: Path) -> None:
    assert len(one(tmp_path, f"title,abstract\nA,{'word ' * 60_000}").abstract) > 290_000


cells = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)


@settings(deadline=None)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=5), st.sampled_from(",\t;|"))
def test_a_quoted_table_brings_back_its_cells(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], delimiter: str
) -> None:
    def line(row: tuple[str, str]) -> str:
        return delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row)

    text = "\n".join(["id" + delimiter + "title" + delimiter + "abstract", *(
        f"p{n}{delimiter}{line(('T' + title, abstract))}" for n, (title, abstract) in enumerate(rows)
    )])  # fmt: skip
    found = read(tmp_path_factory.mktemp("table"), text).papers
    assert [paper.title for paper in found] == [squeeze("T" + title) for title, _ in rows]


# --- none of them


@pytest.mark.parametrize(
    "text",
    [
        "name,age\nAda,36\n",
        "mail me @ home {please}\n",
        "TY  - JOUR\nPY  - 2020\nER  - \n",
        "@comment{nothing}\n",
        "title\nOnly one column\n",
    ],
)
def test_what_holds_no_papers_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"list\.txt"):
        read(tmp_path, text)


def test_a_file_is_what_its_content_is_and_then_what_it_is_called(tmp_path: Path) -> None:
    assert read(tmp_path, "@misc{a, title={A}}", "papers.csv").papers[0].title == "A"
    with pytest.raises(SourceError, match="holds no paper"):
        read(tmp_path, "name,age\nAda,36\n", "papers.csv")


def test_a_title_with_an_at_sign_or_commas_stays_plain_text(tmp_path: Path) -> None:
    abstract = (
        "We study mail@example.org and title, abstract, and other words that tables have in their heads."
    )
    assert one(tmp_path, abstract).abstract == abstract


# --- files of others


def test_real_bibliographies_of_others(bench_data: Path) -> None:
    counts = {
        "zotero_export.bib": (4, 0),
        "zotero_export.ris": (9, 0),
        "zotero_csl.json": (3, 0),
        "scopus_export.csv": (2, 0),
        "iclr2021_paperlist.tsv": (3, 0),
        "paperlist_titles_only.tsv": (3, 0),
        "iclr2025_titles_decisions.csv": (3, 0),
    }
    found = {name: read_papers(bench_data / "formats" / name) for name in counts}
    assert {name: (len(each.papers), len(each.skipped)) for name, each in found.items()} == counts
    nerf = found["zotero_export.bib"].papers[0]
    assert nerf.title == "NeRF: Representing Scenes as Neural Radiance Fields for View Synthesis"
    assert (nerf.id, nerf.venue, nerf.year) == (
        "10.1007/978-3-030-58452-8_24", "European Conference on Computer Vision", 2020,
    )  # fmt: skip
    assert nerf.authors[0] == "Ben Mildenhall"
    assert len(nerf.authors) == 6
    first = found["zotero_export.ris"].papers[0]
    assert (first.authors[0], first.year) == ("Tal Avinadav", 2020)
    assert found["zotero_csl.json"].papers[0].published == "European Journal of Operational Research 2003"
    scopus = found["scopus_export.csv"].papers[0]
    assert (scopus.venue, scopus.year, scopus.authors) == (
        "Advances in Engineering Software", 2022, ("Govil N.", "Sharma A."),
    )  # fmt: skip
    assert found["paperlist_titles_only.tsv"].papers[0].id == "nIAxjsniDzg"
    assert (
        found["iclr2025_titles_decisions.csv"].papers[0].track == "ICLR 2025 Conference Withdrawn Submission"
    )
