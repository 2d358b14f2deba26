"""Fit which sentence of an abstract answers a question, from question sets that name their evidence."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.fitting import Logistic, fit_logistic
from rag.extractive.relevance import FEATURES, SentenceRanker
from rag.index.paper_index import PaperIndex
from rag.question.parsing import Question, parse
from rag.records import Paper
from rag.sentences import split

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Example:
    """The sentences of one right paper: features (n, len(FEATURES)) and which of them are evidence (n,)."""

    question: str
    rows: np.ndarray
    labels: np.ndarray


def fit(files: Sequence[Path], index: PaperIndex) -> tuple[Logistic, dict[str, float]]:
    """The ranking fitted on all examples, and how often evidence is among its first, over `FOLDS` folds."""
    examples = [example for file in files for example in _examples(file, index)]
    questions = sorted({example.question for example in examples})
    np.random.default_rng(0).shuffle(questions)
    hits = {1: 0, 2: 0}
    for fold in range(FOLDS):
        held = set(questions[fold::FOLDS])
        ranking = _fit([example for example in examples if example.question not in held])
        for example in examples:
            if example.question in held:
                order = np.argsort(-ranking.scores(example.rows))
                for k in hits:
                    hits[k] += bool(example.labels[order[:k]].any())
    measured = {f"evidence_in_first_{k}": count / len(examples) for k, count in hits.items()}
    return _fit(examples), {**measured, "examples": len(examples)}


def _fit(examples: Sequence[Example]) -> Logistic:
    rows = np.vstack([example.rows for example in examples])
    return fit_logistic(FEATURES, rows, np.concatenate([example.labels for example in examples]))


def _examples(file: Path, index: PaperIndex) -> Iterator[Example]:
    known = {paper.id for paper in index.papers}
    for line in file.read_text("utf-8").splitlines():
        record = json.loads(line)
        evidence = {
            (e["paper"], e.get("number", " ".join(e.get("sentence", "").split()))) for e in record["evidence"]
        }
        if not record["answerable"] or record["kind"] in ("enumerate", "metadata"):
            continue
        for paper_id in record["gold"]:
            if paper_id not in known:
                continue
            question = _question(record)
            yield _example(file.stem + record["id"], question, index.paper(paper_id), evidence, index)


def _question(record: dict[str, object]) -> Question:
    turns = record.get("turns")
    return parse(str(turns[-1] if isinstance(turns, list) else record["question"]))


def _example(
    name: str, question: Question, paper: Paper, evidence: set[tuple[str, object]], index: PaperIndex
) -> Example:
    spans = split(paper.abstract)
    rows = SentenceRanker(index).features(question, paper, spans)
    texts = [" ".join(span.of(paper.abstract).split()) for span in spans]
    labels = [(paper.id, i) in evidence or (paper.id, text) in evidence for i, text in enumerate(texts)]
    return Example(name, rows, np.array(labels))
