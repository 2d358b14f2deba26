"""All fits in their order: each later one uses what the earlier ones wrote."""

from collections.abc import Callable
from pathlib import Path

from llama_index.core.base.embeddings.base import BaseEmbedding

from eval import fit_confidence, fit_screening, fit_sentences, fit_words
from eval.cases import DEFAULT_QUESTIONS
from eval.fitting import write
from rag.errors import UsageError
from rag.index.paper_index import PaperIndex
from rag.records import Reading
from rag.sources import read_papers
from rag.sources.seed import default_papers

CORPUS, LABELS, MORE_QUESTIONS = (
    "corpus/iclr2025.jsonl.gz",
    "which/iclr2025_which.jsonl",
    "questions/iclr2025_dev.jsonl",
)


def fit_all(bench: Path, folder: Path, embedding: BaseEmbedding, tell: Callable[[str], None]) -> None:
    """Fit on the data in `bench`, with indexes kept in `folder`, and write the files of `rag/data`.

    Raises:
        UsageError: `bench` lacks one of the files.
    """
    for name in (CORPUS, LABELS, MORE_QUESTIONS):
        if not (bench / name).is_file():
            raise UsageError(f"{bench / name} is missing.", "Point --bench or RAG_BENCH_DATA at it.")
    with (
        PaperIndex.open(folder / "large", embedding) as large,
        PaperIndex.open(folder / "small", embedding) as small,
    ):
        large.ingest(read_papers(bench / CORPUS), progress=True)
        small.ingest(Reading(default_papers()))
        more = bench / MORE_QUESTIONS

        tell(fit_words.write_counts(large))

        ranking, measured = fit_sentences.fit([DEFAULT_QUESTIONS, more], large)
        source = f"{DEFAULT_QUESTIONS.name} and {MORE_QUESTIONS}: evidence sentences of right papers"
        tell(write("sentence_ranking", ranking.as_json(), data=source, measured=measured))

        labelled = fit_screening.read(bench / LABELS, large)
        own = fit_screening.read(DEFAULT_QUESTIONS, small)
        measured = fit_screening.held_out([*labelled, *own])
        source = (
            f"{LABELS} over {CORPUS}; enumerate cases of {DEFAULT_QUESTIONS.name} over the default papers"
        )
        fitted = fit_screening.fit([*labelled, *own])
        tell(write("screening", fitted, data=source, measured=measured))

        examples = [*fit_confidence.read(DEFAULT_QUESTIONS, small), *fit_confidence.read(more, large)]
        fitted, measured = fit_confidence.fit(examples)
        source = f"{DEFAULT_QUESTIONS.name} over the default papers, {MORE_QUESTIONS} over {CORPUS}"
        tell(write("confidence", fitted, data=source, measured=measured))
