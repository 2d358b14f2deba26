"""List questions decided by weights and thresholds that never saw them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from eval import fit_screening
from eval.cases import DEFAULT_QUESTIONS, TOPICS
from eval.which import Label, ListScore, score_answer
from rag.extractive.completeness import completeness
from rag.extractive.screening import decide
from rag.index.paper_index import PaperIndex
from rag.records import Answer, Reading
from rag.sources.seed import default_papers


def score_left_out(path: Path, labels: Sequence[Label], index: PaperIndex) -> Iterator[tuple[str, ListScore]]:
    """Each question's score when the fit saw only the other labels of `path` and the shipped questions.

    Of the shipped ones those over the default papers, and those over other papers if the index holds them.
    """
    with TemporaryDirectory() as folder, PaperIndex.open(Path(folder), index.embedding) as default:
        default.ingest(Reading(default_papers()))
        shipped = fit_screening.read(DEFAULT_QUESTIONS, default)
    examples = [*fit_screening.read(path, index), *shipped, *fit_screening.read_known(TOPICS, index)]
    for label in labels:
        kept = [example for example in examples if example.question != label.question]
        fitted = fit_screening.fit(kept, index.embedding.model_name)
        question, topic = fit_screening.asked_of(label.question, index)
        listed = tuple(d for d in decide(topic, index.papers, index, fitted) if d.choice != "no")
        answer = Answer(label.question, "enumerate", "en", "", papers=listed)
        stated = completeness(question, topic, index.papers, index, fitted)
        yield label.id, score_answer(label, replace(answer, completeness=stated))
