"""Facets of a list, the search as one types, and papers like another."""

import pytest

from rag.browsing import alike, found
from rag.engine import PaperQueryEngine
from rag.errors import UnknownPaper
from rag.extractive.facts import select
from rag.facets import Facet, facets, unmet
from rag.question.filters import Filters
from rag.records import Hit, Paper, Passage

ONE = Paper(
    "1", "Masks for Müller", "", ("Ada Lovelace", "Bo"), "ICLR", 2025, "Oral", keywords=("masks", "nets")
)
TWO = Paper("2", "Growth", "", ("Ada Lovelace",), "ICLR", 2024, "poster", keywords=("nets", "Nets"))
THREE = Paper("3", "Nets", "", ("Cy",), "ICLR Workshop", 2024, "spotlight poster", keywords=("NETS",))
BARE = Paper("4", "Bare", "")
PAPERS = (ONE, TWO, THREE, BARE)


def values(found: tuple[Facet, ...]) -> dict[str, tuple[tuple[str, int], ...]]:
    return {facet.field: facet.values for facet in found}


def test_facets_count_the_papers_of_each_value() -> None:
    assert values(facets(PAPERS, Filters())) == {
        "venues": (("ICLR", 3), ("ICLR Workshop", 1)),
        "years": (("2025", 1), ("2024", 2)),
        "tracks": (("oral", 1), ("poster", 2), ("spotlight poster", 1)),
        "authors": (("Ada Lovelace", 2), ("Bo", 1), ("Cy", 1)),
        "keywords": (("nets", 3), ("masks", 1)),
    }


def test_a_facet_keeps_the_choices_of_its_own_field() -> None:
    shown = values(facets(PAPERS, Filters(years=(2025,))))
    assert shown["years"] == (("2025", 1), ("2024", 2))
    assert shown["venues"] == (("ICLR", 1),)
    assert values(facets((BARE,), Filters())) == {}


def test_a_number_is_that_of_the_papers_the_filter_leaves() -> None:
    fields = {"venues": str, "years": int, "tracks": str, "authors": str, "keywords": str}
    for facet in facets(PAPERS, Filters()):
        for value, count in facet.values:
            only = Filters(**{facet.field: (fields[facet.field](value),)})  # type: ignore[arg-type]
            assert len(select(PAPERS, only)) == count


def test_the_commonest_values_and_how_many_there_are() -> None:
    [authors] = [f for f in facets(PAPERS, Filters(), most=1) if f.field == "authors"]
    assert authors == Facet("authors", (("Ada Lovelace", 2),), 3)


def test_what_leaves_no_paper_is_named() -> None:
    assert unmet(PAPERS, Filters(venues=("ICLR",), years=(1999,))) == Filters(years=(1999,))
    never_together = Filters(years=(2025,), authors=("Cy",))
    assert unmet(PAPERS, never_together) == never_together
    assert not unmet(PAPERS, Filters(years=(2025,)))
    assert not unmet((), Filters())


def hit(paper: Paper) -> Hit:
    return Hit(paper, 1.0, None, None, Passage(paper.id, 0, 0, 0, ""))


@pytest.mark.parametrize(
    ("text", "named", "near"),
    [
        ("", ["1", "2", "3", "4"], []),
        ("muller mask", ["1"], ["3"]),
        ("LOVE", ["1", "2"], ["3"]),
        ("lovelace growth", ["2"], ["3", "1"]),
        ("nowhere", [], ["3", "1"]),
    ],
)
def test_words_of_title_and_authors_name_a_paper_others_are_near(
    text: str, named: list[str], near: list[str]
) -> None:
    outside = Paper("5", "Outside", "")
    shown = found(PAPERS, text, [hit(THREE), hit(outside), hit(ONE)])
    assert [paper.id for paper in shown.named] == named
    assert [paper.id for paper in shown.near] == near


def test_like_a_paper_are_others_on_its_subject(seed_engine: PaperQueryEngine) -> None:
    compression = next(paper for paper in seed_engine.papers if "Universally Quantized" in paper.title)
    hits = seed_engine.similar(compression.id, 5)
    assert len(hits) == len({hit.paper.id for hit in hits}) == 5
    assert compression.id not in {hit.paper.id for hit in hits}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert any("iffusion" in hit.paper.title for hit in hits[:3])
    spotlights = seed_engine.similar(compression.id, 30, within=Filters(tracks=("spotlight",)))
    expected = select(seed_engine.papers, Filters(tracks=("spotlight",)))
    assert {hit.paper.id for hit in spotlights} == {paper.id for paper in expected} - {compression.id}
    with pytest.raises(UnknownPaper):
        seed_engine.similar("nobody")


def test_the_nearest_are_those_an_exact_search_finds(seed_engine: PaperQueryEngine) -> None:
    index = seed_engine._index
    papers = list(index.papers)
    for paper in papers[:5]:
        middle = index.vectors([paper.id]).mean(axis=0)
        best = {p.id: float((index.vectors([p.id]) @ middle).max()) for p in papers if p.id != paper.id}
        exact = sorted(best, key=lambda key: -best[key])[:4]
        assert [hit.paper.id for hit in alike(index, paper.id, 4)] == exact
