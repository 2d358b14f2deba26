"""The papers of a data folder, read without its vectors, and what ingesting more into it would report."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from rag.errors import UnknownPaper
from rag.index.papers import PaperTable
from rag.records import IngestReport, Paper, Reading
from rag.sources.seed import default_papers


def held_papers(data_dir: Path) -> Sequence[Paper]:
    """The papers of an index in list order; of an empty folder those it would be filled with.

    Raises:
        IndexBroken: the folder holds something that is no index.
        StorageError: it cannot be read.
    """
    file = data_dir / "papers.sqlite3"
    if not file.exists():
        return default_papers()
    table = PaperTable(file)
    try:
        return table.papers() or default_papers()
    finally:
        table.close()


def papers_by_id(held: Sequence[Paper], ids: Sequence[str]) -> list[Paper]:
    """The papers with these ids, as ordered, each once. Raises UnknownPaper for the first that is unknown."""
    by_id = {paper.id: paper for paper in held}
    for paper_id in ids:
        if paper_id not in by_id:
            raise UnknownPaper(f"No paper has the id {paper_id!r}.", _advice(paper_id, by_id))
    return [by_id[paper_id] for paper_id in dict.fromkeys(ids)]


def _advice(paper_id: str, known: Iterable[str]) -> str:
    meant = next((other for other in known if other.lower() == paper_id.strip().lower()), None)
    if meant:
        return f"Did you mean {meant}?"
    return "Ids are in what `python -m rag ask QUESTION --json` prints, under citations and papers."


def preview(reading: Reading, held: Sequence[Paper]) -> IngestReport:
    """What ingesting would report of an index that holds these papers."""
    by_id = {paper.id: paper for paper in held}
    known = [paper for paper in reading.papers if paper.id in by_id]
    unchanged = sum(paper == by_id[paper.id] for paper in known)
    return IngestReport(
        read=len(reading.papers) + len(reading.skipped),
        added=len(reading.papers) - len(known),
        updated=len(known) - unchanged,
        unchanged=unchanged,
        skipped=reading.skipped,
    )
