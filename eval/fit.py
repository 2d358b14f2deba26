"""All fits in their order: each later one uses what the earlier ones wrote."""

from collections.abc import Callable
from pathlib import Path

from llama_index.core.base.embeddings.base import BaseEmbedding

from eval import fit_confidence, fit_examples, fit_screening, fit_sentences, fit_wordings, fit_words
from eval.cases import DEFAULT_QUESTIONS, TOPICS
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
BACKGROUND = "corpus/ml_papers_100k.jsonl.xz"
"""100,000 abstracts on machine learning, for what words are usual and near in meaning."""
REFUSALS = DEFAULT_QUESTIONS.parent / "iclr2025_refusals.jsonl"
"""Questions of this project's own over CORPUS: most of them ask what no abstract answers."""
FRESH, FRESH_DEFAULT = (DEFAULT_QUESTIONS.parent / name for name in ("fresh.jsonl", "fresh_default.jsonl"))
"""Questions of our own of all kinds, over CORPUS and over the default papers."""
WORDINGS = DEFAULT_QUESTIONS.parent / "wordings.jsonl"
"""Ways to ask for papers, and some to ask for something else."""


def fit_all(bench: Path, folder: Path, embedding: BaseEmbedding, tell: Callable[[str], None]) -> None:
    """Fit on the data in `bench`, with indexes kept in `folder`, and write the files of `rag/data`.

    Raises:
        UsageError: `bench` lacks one of the files.
    """
    for name in (CORPUS, LABELS, MORE_QUESTIONS, BACKGROUND):
        if not (bench / name).is_file():
            raise UsageError(f"{bench / name} is missing.", "Point --bench or RAG_BENCH_DATA at it.")
    with (
        PaperIndex.open(folder / "large", embedding) as large,
        PaperIndex.open(folder / "small", embedding) as small,
    ):
        large.ingest(read_papers(bench / CORPUS), progress=True)
        small.ingest(Reading(default_papers()))

        tell(fit_words.write_counts(large))
        tell(fit_words.write_kinship(read_papers(bench / BACKGROUND).papers, embedding))

        tell(fit_sentence_ranking(bench, large))

        tell(fit_lists(bench, small, large))
        tell(fit_list_wordings(bench))
        tell(fit_answer_confidence(bench, small, large))


def fit_sentence_ranking(bench: Path, large: PaperIndex) -> str:
    """Fit which sentence answers, over all papers of the bench."""
    files = [DEFAULT_QUESTIONS, bench / MORE_QUESTIONS, REFUSALS]
    ranking, measured = fit_sentences.fit(files, large)
    source = f"evidence sentences of right papers in {', '.join(file.name for file in files)}, over {CORPUS}"
    return write("sentence_ranking", ranking.as_json(), data=source, measured=measured)


def fit_lists(bench: Path, small: PaperIndex, large: PaperIndex) -> str:
    """Fit which papers are on a topic, over the default papers and all of the bench."""
    labelled = fit_screening.read(bench / LABELS, large)
    others = [*fit_screening.read(TOPICS, large), *fit_screening.read(DEFAULT_QUESTIONS, small)]
    model = large.embedding.model_name
    measured = fit_screening.held_out(labelled, others, model)
    source = (
        f"{LABELS} and {TOPICS.name} over {CORPUS}; enumerate cases of {DEFAULT_QUESTIONS.name} over the"
        " default papers"
    )
    return write("screening", fit_screening.fit([*labelled, *others], model), data=source, measured=measured)


def fit_list_wordings(bench: Path) -> str:
    """Fit which questions ask for papers in words that no pattern knows."""
    files = [DEFAULT_QUESTIONS, bench / MORE_QUESTIONS, REFUSALS, FRESH, FRESH_DEFAULT]
    model, measured = fit_wordings.fit(fit_wordings.read(WORDINGS, files, bench / LABELS))
    source = f"{WORDINGS.name}, {', '.join(file.name for file in files)}, {LABELS}"
    return write("list_wordings", model, data=source, measured=measured)


def fit_answer_confidence(bench: Path, small: PaperIndex, large: PaperIndex) -> str:
    """Fit whether the abstracts answer and how sure an answer is, `small` holding the default papers."""
    measured_on = [
        *fit_examples.read(DEFAULT_QUESTIONS, small),
        *fit_examples.read(bench / MORE_QUESTIONS, large),
    ]
    besides = [
        *fit_examples.read(REFUSALS, large),
        *fit_examples.read(REFUSALS, small, everyday=True),
        *fit_examples.read(FRESH, large),
        *fit_examples.read(FRESH_DEFAULT, small),
    ]
    fitted, measured = fit_confidence.fit(measured_on, besides)
    source = (
        f"{DEFAULT_QUESTIONS.name} over the default papers, {MORE_QUESTIONS} over {CORPUS}; besides, "
        "for refusals, "
        f"{REFUSALS.name} over {CORPUS} and its everyday questions over the default papers, "
        f"{FRESH.name} and {FRESH_DEFAULT.name}"
    )
    return write("confidence", fitted, data=source, measured=measured)
