"""The whole index on disk: built, read, changed."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from index_folders import CONFORMAL, QUESTION, CountingEmbedding, best, build, run
from short_papers import contents, local_embedding, sentence_papers

from rag.errors import UnknownPaper
from rag.index.embedding import LocalEmbedding, query_vector, vectors
from rag.index.paper_index import PaperIndex
from rag.records import IngestReport, Paper, Passage, Reading, Skipped
from rag.sources.seed import default_papers

# Chroma's client warns of its own way to note that a collection has no embedding function.
pytestmark = pytest.mark.filterwarnings("ignore:legacy embedding function config:DeprecationWarning")


def test_both_rankings_find_the_paper(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index:
        vector = query_vector(local_embedding(), QUESTION)
        assert best(index.nearest(vector, 5)) == CONFORMAL
        assert best(index.lexical(QUESTION, 5)) == CONFORMAL
        assert index.idf("conform") > index.idf("model")
        assert tuple(index.papers) == default_papers()
        assert index.paper(CONFORMAL).title.startswith("Sample then Identify")
        assert index.embedding is local_embedding()
        with pytest.raises(UnknownPaper):
            index.paper("no such id")
        with pytest.raises(UnknownPaper):
            index.passages("no such id")


def test_scores_are_cosines_and_fall(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index:
        for paper in default_papers()[:1]:
            vector = query_vector(local_embedding(), paper.title)
            found = index.nearest(vector, 100)
            texts = [f"{index.paper(passage.paper_id).title}\n{passage.text}" for passage, _ in found]
            scores = [score for _, score in found]
            assert scores == pytest.approx(vectors(local_embedding(), texts) @ vector, abs=1e-5)
            assert scores == sorted(scores, reverse=True)
            assert len(found) == index.describe().passages


def test_a_filter_keeps_to_the_papers_named(folder: Path) -> None:
    vector = query_vector(local_embedding(), QUESTION)
    names = {"D756s2YQ6b", CONFORMAL, "no such id"}
    with PaperIndex.open(folder, local_embedding()) as index:
        assert {p.paper_id for p, _ in index.nearest(vector, 100, names)} == names - {"no such id"}
        assert {p.paper_id for p, _ in index.lexical("graph conformal model", 100, names)} <= names
        full = dict(index.nearest(vector, 100))
        for passage, score in index.nearest(vector, 100, names):
            assert score == pytest.approx(full[passage], abs=1e-6)
        for nothing in ([], ["no such id"]):
            assert index.nearest(vector, 5, nothing) == index.lexical(QUESTION, 5, nothing) == []
        assert index.nearest(vector, 0) == index.lexical(QUESTION, 0) == []


def test_it_describes_itself(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index:
        description = index.describe()
    assert description.papers == 19
    assert description.passages == len(contents(folder))
    assert description.model == "all-MiniLM-L6-v2-int8@8199be6f699a"
    assert description.dimensions == 384
    assert description.lists == ("ICLR 2025",)
    assert description.format_version == 1
    files = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    assert 0 < description.bytes_on_disk <= files + 200_000


def test_an_empty_index_answers_nothing(tmp_path: Path) -> None:
    with PaperIndex.open(tmp_path / "new" / "folder", local_embedding()) as index:
        assert index.papers == ()
        assert index.nearest(query_vector(local_embedding(), QUESTION), 5) == []
        assert index.lexical(QUESTION, 5) == []
        assert index.describe().papers == index.describe().passages == index.describe().dimensions == 0
        assert index.ingest(Reading(())) == IngestReport()
        assert not index.refresh()


def test_another_process_reads_what_one_has_built(folder: Path) -> None:
    program = """
        import sys
        from pathlib import Path
        from rag.index.embedding import LocalEmbedding, query_vector
        from rag.index.paper_index import PaperIndex
        model = LocalEmbedding.shipped()
        with PaperIndex.open(Path(sys.argv[1]), model) as index:
            print(index.nearest(query_vector(model, sys.argv[2]), 1)[0][0].paper_id)
            print(index.lexical(sys.argv[2], 1)[0][0].paper_id)
            print(index.describe().fingerprint)
    """
    found = run(program, folder, QUESTION, check=True).stdout.split()
    with PaperIndex.open(folder, local_embedding()) as index:
        assert found == [CONFORMAL, CONFORMAL, index.describe().fingerprint]


def test_many_threads_get_the_same_answers(folder: Path) -> None:
    questions = [paper.title for paper in default_papers()] * 4

    def ask(index: PaperIndex, question: str) -> tuple[list[str], list[str]]:
        near = index.nearest(query_vector(local_embedding(), question), 5)
        said = index.lexical(question, 5, ids=[paper.id for paper in default_papers()[::2]])
        return [p.id for p, _ in near], [p.id for p, _ in said]

    with PaperIndex.open(folder, local_embedding()) as index, ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda question: ask(index, question), questions))
        assert together == [ask(index, question) for question in questions]


# Ingesting again


def test_ingesting_twice_changes_nothing(folder: Path) -> None:
    before = contents(folder)
    files = {file: file.stat().st_mtime_ns for file in folder.glob("generation-*/bm25/*")}
    assert build(folder, *default_papers(), list_name="ICLR 2025") == IngestReport(19, 0, 0, 19)
    assert contents(folder) == before
    assert {file: file.stat().st_mtime_ns for file in folder.glob("generation-*/bm25/*")} == files


def test_papers_are_added_after_those_that_are_there(folder: Path) -> None:
    extra = Paper("extra", "Bananas", "Bananas are yellow. Apples are red.")
    assert build(folder, extra, list_name="Fruit") == IngestReport(1, 1, 0, 0)
    with PaperIndex.open(folder, local_embedding()) as index:
        assert tuple(index.papers) == (*default_papers(), extra)
        assert best(index.nearest(query_vector(local_embedding(), "fruit"), 1)) == "extra"
        assert best(index.lexical("bananas", 1)) == "extra"
        assert index.describe().lists == ("Fruit", "ICLR 2025")
    assert "extra#0" in contents(folder)


def test_a_changed_paper_replaces_its_passages(folder: Path) -> None:
    with PaperIndex.open(folder, local_embedding()) as index:
        before = index.describe()
        changed = replace(index.paper(CONFORMAL), abstract="We grow bananas.")
        assert index.ingest(Reading((changed,))) == IngestReport(1, 0, 1, 0)
        after = index.describe()
        assert (after.papers, after.passages) == (19, before.passages - 1)
        assert after.fingerprint != before.fingerprint
        assert [passage.text for passage in index.passages(CONFORMAL)] == ["We grow bananas."]
        assert best(index.lexical("bananas", 1)) == CONFORMAL
        assert index.papers[[paper.id for paper in default_papers()].index(CONFORMAL)] == changed
        assert index.ingest(Reading(default_papers())).updated == 1
        assert index.describe().fingerprint == before.fingerprint
    assert "bananas" not in "".join(contents(folder).values())


def test_a_record_that_changes_without_its_text_is_not_embedded_again(folder: Path) -> None:
    shipped = LocalEmbedding.shipped()
    model = CountingEmbedding(
        shipped.model_name, "local", shipped._model, shipped._tokenizer, shipped._checksums
    )
    with PaperIndex.open(folder, model) as index:
        first = replace(default_papers()[0], track="oral", authors=("A. Nother",))
        assert index.ingest(Reading((first,))).updated == 1
        assert index.paper(first.id) == first
        assert model.count == 0
        index.ingest(Reading((replace(first, title="Another title"),)))
        assert model.count == len(index.passages(first.id))


def test_the_first_of_two_papers_with_one_id_counts(tmp_path: Path) -> None:
    papers = (Paper("a", "First", "One."), Paper("a", "Second", "Two."), Paper("b", "Third", "Three."))
    doubled = Skipped("a", "a paper with this id comes earlier in the list")
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        assert index.ingest(Reading(papers, (Skipped("x", "y"),))) == IngestReport(
            4, 2, 0, 0, (Skipped("x", "y"), doubled)
        )
        assert index.ingest(Reading(papers)) == IngestReport(3, 0, 0, 2, (doubled,))
        assert index.paper("a").title == "First"


def test_a_paper_that_is_only_a_title_is_found_by_it(tmp_path: Path) -> None:
    papers = (Paper("only", "Bananas and their colour", ""), Paper("full", "Graphs", "Graphs have nodes."))
    build(tmp_path, *papers)
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        [passage] = index.passages("only")
        assert passage == Passage("only", 0, 0, 0, "")
        assert index.lexical("banana", 5)[0][0] == passage
        assert best(index.nearest(query_vector(local_embedding(), "yellow fruit"), 1)) == "only"


def test_an_abstract_of_50_000_characters_is_indexed_whole(tmp_path: Path) -> None:
    abstract = "We study graphs. " * 2900 + "At the very end we mention bananas."
    build(tmp_path, Paper("long", "Long", abstract))
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        [(passage, _)] = index.lexical("bananas", 5)
        assert passage.paper_id == "long"
        assert index.passages("long")[-1].text.endswith("we mention bananas.")
        assert abstract[passage.start : passage.end] == passage.text
        assert len(index.passages("long")) > 40


def test_a_few_hundred_papers_of_a_real_list(bench_data: Path, tmp_path: Path) -> None:
    from rag.sources import read_papers

    papers = read_papers(bench_data / "corpus" / "iclr2025.jsonl.gz").papers[:200]
    build(tmp_path, *papers)
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        rows = [query_vector(local_embedding(), paper.title) for paper in papers]
        assert (
            sum(best(index.nearest(row, 1)) == paper.id for row, paper in zip(rows, papers, strict=True))
            >= 190
        )
        assert sum(best(index.lexical(paper.title, 1)) == paper.id for paper in papers) >= 190


def test_progress_goes_to_stderr_and_only_when_asked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with PaperIndex.open(tmp_path, local_embedding()) as index:
        index.ingest(Reading(sentence_papers()[:100]))
        assert capfd.readouterr() == ("", "")
        index.ingest(Reading(sentence_papers()), progress=True)
        assert capfd.readouterr().out == ""
