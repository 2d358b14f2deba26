"""What an export says of names, titles, kinds and links, read by parsers that are not ours."""

import json
import unicodedata

import pytest
import rispy
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from export_readers import field, paper, read_bibtex

from rag.export import PAPER_FORMATS
from rag.export.csl import csl
from rag.export.keys import citation_keys, plain_key
from rag.export.markdown import markdown
from rag.export.names import parse_name
from rag.export.ris import ris
from rag.records import Paper
from rag.sources.seed import default_papers

# --- keys


def test_papers_that_share_a_key_get_a_suffix_of_their_own() -> None:
    twins = [paper("Deep nets", id=name, authors=("Wei Zhang",), year=2020) for name in ("a", "b", "c")]
    of_three, of_two = citation_keys(twins), citation_keys(twins[1:])
    assert citation_keys(twins[:1]) == {"a": "zhang2020deep"}
    assert of_three["b"].startswith("zhang2020deep-")
    assert {name: of_three[name] for name in "bc"} == of_two


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        (
            {"title": "The Loss of Plasticity", "authors": ("Shibhansh Dohare",), "year": 2024},
            "dohare2024loss",
        ),
        ({"title": "深度学习的泛化", "authors": ("张伟",), "year": 2023}, "zhangwei2023shenduxuexidefanhua"),
        ({"title": "Ça va?", "authors": ("Luc Van Gool", "B C"), "year": None}, "vangoolca"),
        ({"title": "On what there is", "authors": ()}, "there"),
        ({"title": "It is what it is", "authors": ()}, "itis"),
        ({"title": "？！", "authors": ()}, "paper"),
        (
            {"title": "label", "titled": False, "abstract": "Graphs grow fast.", "authors": (), "year": 2025},
            "2025graphsgrow",
        ),
        ({"title": "C'est l'été", "authors": ("Florence d'Alché-Buc",), "year": 1999}, "dalchebuc1999cest"),
    ],
)
def test_keys(fields: dict[str, object], key: str) -> None:
    assert plain_key(paper(**fields)) == key  # type: ignore[arg-type]


# --- names


@pytest.mark.parametrize(
    ("text", "family", "given", "particle", "suffix"),
    [
        ("Ludwig van Beethoven", "Beethoven", "Ludwig", "van", ""),
        ("Aäron van den Oord", "Oord", "Aäron", "van den", ""),
        ("Zhang Wei", "Wei", "Zhang", "", ""),
        ("Plato", "Plato", "", "", ""),
        ("Knuth, Donald E.", "Knuth", "Donald E.", "", ""),
        ("van Beethoven, Ludwig", "Beethoven", "Ludwig", "van", ""),
        ("Martin Luther King Jr.", "King", "Martin Luther", "", "Jr."),
        ("King, Jr., Martin Luther", "King", "Martin Luther", "", "Jr."),
        ("King, Martin Luther, Jr.", "King", "Martin Luther", "", "Jr."),
        ("Martin Luther King, Jr.", "King", "Martin Luther", "", "Jr."),
        ("Hal Daumé III", "Daumé", "Hal", "", "III"),
        ("Luc Van Gool", "Van Gool", "Luc", "", ""),
        ("Fernando De la Torre", "De la Torre", "Fernando", "", ""),
        ("Blaise Agüera y Arcas", "Agüera y Arcas", "Blaise", "", ""),
        ("Xue Bin Peng", "Peng", "Xue Bin", "", ""),
        ("Van Nguyen", "Nguyen", "Van", "", ""),
        ("Jong II Park", "Park", "Jong II", "", ""),
        ("Bo Du 0001", "Du 0001", "Bo", "", ""),
        ("张伟", "张伟", "", "", ""),
        ("山田 太郎", "山田 太郎", "", "", ""),
        ("The AlgoPerf Team", "The AlgoPerf Team", "", "", ""),
        ("Jason (Jiasheng) Zhang", "Zhang", "Jason (Jiasheng)", "", ""),
        ("A, B, C, D", "A, B, C, D", "", "", ""),
        ("  Ada\n Lovelace ", "Lovelace", "Ada", "", ""),
    ],
)
def test_names(text: str, family: str, given: str, particle: str, suffix: str) -> None:
    name = parse_name(text)
    assert (name.family, name.given, name.particle, name.suffix) == (family, given, particle, suffix)


def test_pybtex_takes_the_names_apart_as_we_do() -> None:
    authors = (
        "Ludwig van Beethoven",
        "Martin Luther King Jr.",
        "张伟",
        "The AlgoPerf Team",
        "Ann And Bob",
        "Luc Van Gool",
    )
    (entry,) = read_bibtex([paper(authors=authors)]).entries.values()
    people = entry.persons["author"]
    assert [person.last_names for person in people] == [
        ["Beethoven"], ["King"], ["{张伟}"], ["{The AlgoPerf Team}"], ["Bob"], ["Van", "Gool"],
    ]  # fmt: skip
    assert people[0].prelast_names == ["van"]
    assert people[1].lineage_names == ["Jr."]
    assert people[4].first_names == ["{Ann And}"]


# --- BibTeX titles


@pytest.mark.parametrize(
    ("title", "value"),
    [
        ("LLMs as agents", "{LLMs} as agents"),
        ("HexGen-2: Inference, (GPT) and 3D", "{HexGen-2}: Inference, ({GPT}) and {3D}"),
        ("A K-means Method", "A {K-means} Method"),
        ("Scaling a model to Gaussian data: An analysis", "Scaling a model to {Gaussian} data: An analysis"),
        ("Deep Learning With Gaussian Data", "Deep Learning With Gaussian Data"),
        ("THIS IS A SHOUTED TITLE", "THIS IS A SHOUTED TITLE"),
        ("BERT", "{BERT}"),
        (r"On $\ell_0$-norms", r"On {$\ell_0$}-norms"),
        ("50% of C# & R_1", r"50\% of {C}\# \& {R\_1}"),
        ("It costs $5 and $10", r"It costs \$5 and \$10"),
        ("Half a {brace", "Half a {\\textbraceleft}brace"),
        (r"Half a $\frac{1$", r"Half a \${\textbackslash}frac{\textbraceleft}1\$"),
        (r"See \href{x}{y}~z", r"See {\textbackslash}href{\textbraceleft}x{\textbraceright}{\textbraceleft}y"
         r"{\textbraceright}{\textasciitilde}z"),
        (r"$\input{/etc/x}$ x", r"\${\textbackslash}input{\textbraceleft}/etc/x{\textbraceright}\$ x"),
        ("$50%$ more", r"{$50\%$} more"),
        ("a<b>c|d^e", r"a{\textless}b{\textgreater}c{\textbar}d{\textasciicircum}e"),
        (r"$\{x$ y", r"\${\textbackslash}{\textbraceleft}x\$ y"),
        (r"$\{x\}$ y", r"{$\{x\}$} y"),
        ("$a^^41$ b", r"\$a{\textasciicircum}{\textasciicircum}41\$ b"),
        ("Über Größe", "Über Größe"),
    ],
)  # fmt: skip
def test_bibtex_titles(title: str, value: str) -> None:
    assert field(paper(title), "title") == value


# --- kinds and fields

VENUE_FIELDS = {"booktitle", "journal", "howpublished", "note"}


@pytest.mark.parametrize(
    ("venue", "track", "kinds", "where"),
    [
        ("ICLR", None, ("inproceedings", "CPAPER", "paper-conference"), {"booktitle": "ICLR"}),
        ("NeurIPS", "poster", ("inproceedings", "CPAPER", "paper-conference"), {"booktitle": "NeurIPS"}),
        ("A Workshop", None, ("inproceedings", "CPAPER", "paper-conference"), {"booktitle": "A Workshop"}),
        ("JMLR", None, ("article", "JOUR", "article-journal"), {"journal": "JMLR"}),
        ("Vision Letters", None, ("article", "JOUR", "article-journal"), {"journal": "Vision Letters"}),
        ("Proceedings of the IEEE", None, ("article", "JOUR", "article-journal"),
         {"journal": "Proceedings of the IEEE"}),
        ("arXiv", None, ("misc", "UNPB", "article"), {"howpublished": "arXiv"}),
        ("ICLR", "Reject", ("unpublished", "UNPB", "manuscript"), {"note": "ICLR 2024 (Reject)"}),
        ("ICLR", "ICLR Withdrawn Submission", ("unpublished", "UNPB", "manuscript"),
         {"note": "ICLR 2024 (ICLR Withdrawn Submission)"}),
        ("Art & Craft", None, ("misc", "GEN", "article"), {"howpublished": r"Art \& Craft"}),
        (None, None, ("misc", "GEN", "article"), {}),
    ],
)  # fmt: skip
def test_kinds(venue: str, track: str, kinds: tuple[str, str, str], where: dict[str, str]) -> None:
    one = paper(year=2024, venue=venue, track=track)
    (entry,) = read_bibtex([one]).entries.values()
    (record,) = rispy.loads(ris([one]))
    (item,) = json.loads(csl([one]))
    assert (entry.type, record["type_of_reference"], item["type"]) == kinds
    assert {name: entry.fields[name] for name in VENUE_FIELDS & set(entry.fields)} == where
    published_in = "" if "note" in where else venue or ""
    assert record.get("secondary_title", "") == item.get("container-title", "") == published_in
    assert record.get("notes", [""])[0] == item.get("note", "") == where.get("note", "")


def test_an_arxiv_address_is_an_eprint_and_a_doi_address_a_doi() -> None:
    preprint = paper(url="https://arxiv.org/pdf/2401.00001v2.pdf")
    assert field(preprint, "eprint") == "2401.00001v2"
    assert field(preprint, "archiveprefix") == "arXiv"
    assert json.loads(csl([preprint]))[0]["number"] == "arXiv:2401.00001v2"
    published = paper(url="https://doi.org/10.1000/a%28b%29_c", venue="ICRA")
    assert field(published, "doi") == "10.1000/a(b)_c"
    assert (
        rispy.loads(ris([published]))[0]["doi"] == json.loads(csl([published]))[0]["DOI"] == "10.1000/a(b)_c"
    )


def test_what_a_record_lacks_is_left_out_and_a_label_is_no_title() -> None:
    bare = Paper("x1", "GALA: a label made from the abstract", "We introduce GALA.", titled=False)
    (entry,) = read_bibtex([bare]).entries.values()
    assert dict(entry.fields) == {"abstract": "We introduce GALA."}
    (record,) = rispy.loads(ris([bare]))
    assert set(record) == {"type_of_reference", "id", "abstract"}
    assert set(json.loads(csl([bare]))[0]) == {"id", "type", "abstract"}
    assert markdown([bare]) == "- “We introduce GALA.”\n"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "not a link", "https://a b"])
def test_only_web_addresses_are_links(url: str) -> None:
    for write in PAPER_FORMATS.values():
        assert url not in write([paper(url=url)])


def test_no_value_can_open_a_field_of_its_own() -> None:
    forged = "x},\n  note = {forged}\n@misc{y,\nTY  - BOOK\nER  - \nAU  - Mallory\n## Mallory\x1b[2J"
    one = paper(
        forged,
        abstract=forged,
        authors=(forged,),
        venue=forged,
        keywords=(forged,),
        url=f"https://a/{forged}",
    )
    (entry,) = read_bibtex([one]).entries.values()
    assert "note" not in entry.fields
    (record,) = rispy.loads(ris([one]))
    assert len(record["authors"]) == 1
    assert set(record) == {
        "type_of_reference",
        "id",
        "title",
        "authors",
        "secondary_title",
        "keywords",
        "abstract",
    }
    assert markdown([one]).count("\n") == 1
    for write in PAPER_FORMATS.values():
        assert not [char for char in write([one]) if unicodedata.category(char) == "Cc" and char != "\n"]


def test_a_paper_that_is_named_twice_comes_once() -> None:
    first, second = default_papers()[:2]
    for write in PAPER_FORMATS.values():
        assert write([first, second, first]) == write([first, second])
        assert write([first]) in write([first, second]) or write is csl
    assert [write([]) for write in PAPER_FORMATS.values()] == ["", "", "[]\n", ""]


# --- CSL


def test_csl_items_keep_to_the_schema() -> None:
    allowed = {
        "type",
        "id",
        "title",
        "author",
        "container-title",
        "issued",
        "note",
        "number",
        "DOI",
        "URL",
        "keyword",
        "abstract",
    }
    types = {"paper-conference", "article-journal", "article", "manuscript"}
    listed = [*default_papers(), paper("Untold", id="u", track="Reject", venue="ICLR", year=1)]
    for item in json.loads(csl(listed)):
        assert set(item) <= allowed
        assert item["type"] in types
        assert all(isinstance(item[name], str) for name in allowed & set(item) - {"author", "issued"})
        assert all(
            set(name) <= {"family", "given", "non-dropping-particle", "suffix", "literal"}
            for name in item.get("author", [])
        )
        assert all(
            isinstance(part, int) for date in item.get("issued", {}).get("date-parts", []) for part in date
        )


@pytest.mark.filterwarnings("ignore::UserWarning:citeproc")
def test_a_csl_processor_prints_the_references() -> None:
    listed = [
        *default_papers(),
        paper("On strings", id="s", authors=("Ludwig van Beethoven", "张伟"), year=1801, venue="JMLR"),
    ]
    source = CiteProcJSON(json.loads(csl(listed)))
    bibliography = CitationStylesBibliography(
        CitationStylesStyle("harvard-cite-them-right", validate=False), source, formatter.plain
    )
    for key in source:
        bibliography.register(Citation([CitationItem(key)]))
    printed_lines = "\n".join(map(str, bibliography.bibliography()))
    assert "Lin, L. et al. (2025) “Diffusing to the Top" in printed_lines
    assert "van Beethoven, L. and 张伟 (1801) “On strings”, JMLR" in printed_lines
