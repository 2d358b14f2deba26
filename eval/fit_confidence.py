"""Fit whether the abstracts answer a question, and how likely its extractive answer passes strictly."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eval.fitting import fit_logistic
from rag.engine import PaperQueryEngine
from rag.extractive.confidence import FEATURES, features, ruled_out
from rag.extractive.extract import compose
from rag.extractive.relevance import SentenceRanker
from rag.index.paper_index import PaperIndex
from rag.question.conversation import resolve
from rag.question.parsing import parse
from rag.records import Composition, Conversation

FOLDS = 10
FALSE_REFUSALS = 0.005
"""Share of the answerable questions that the threshold may refuse, beside those ruled out plainly."""
_ABSTRACT_KINDS = ("lookup", "explain", "compare")


@dataclass(frozen=True, slots=True)
class Example:
    question: str
    row: np.ndarray
    answerable: bool
    passes: bool
    ruled_out: bool


def read(file: Path, index: PaperIndex) -> list[Example]:
    """The questions of a set that are answered from abstracts, as the engine meets them."""
    engine = PaperQueryEngine(index)
    return list(_examples(file, engine, index))


def _examples(file: Path, engine: PaperQueryEngine, index: PaperIndex) -> Iterator[Example]:
    ranker = SentenceRanker(index)
    for line in file.read_text("utf-8").splitlines():
        record = json.loads(line)
        conversation = Conversation()
        *before, last = record.get("turns") or [record["question"]]
        for turn in before:
            conversation = conversation.with_turn(engine.ask(turn, conversation, use_llm=False))
        question = resolve(parse(last), conversation)
        if question.kind not in _ABSTRACT_KINDS or record["kind"] in ("enumerate", "metadata"):
            continue
        hits = engine.retriever.rank(question, 10, set(question.focus) or None)
        composition = compose(question, hits, index, ranker)
        row = features(question, hits, composition, index, ranker)
        yield Example(
            file.stem + record["id"],
            row,
            record["answerable"],
            record["answerable"] and _passes(record, composition),
            ruled_out(question, dict(zip(FEATURES, row.tolist(), strict=True))),
        )


def _passes(record: dict[str, Any], composition: Composition) -> bool:
    text = " ".join(statement.text for statement in composition.statements)
    cited = {e.paper.id for statement in composition.statements for e in statement.evidence}
    found = all(any(re.search(pattern, text, re.I) for pattern in nugget) for nugget in record["nuggets"])
    return found and set(record["gold"]) <= cited


def fit(examples: Sequence[Example]) -> tuple[dict[str, Any], dict[str, float]]:
    """The two models and thresholds, and figures of `FOLDS`-fold cross-validation."""
    rows = np.array([example.row for example in examples])
    answerable = np.array([example.answerable for example in examples])
    passes = np.array([example.passes for example in examples])
    ruled_out = np.array([example.ruled_out for example in examples])
    held = np.where(ruled_out, 0.0, _held_out(rows, answerable))
    threshold = float(np.quantile(held[answerable & ~ruled_out], FALSE_REFUSALS))
    fitted = {
        "answered": fit_logistic(FEATURES, rows, answerable, strength=0.1).as_json(),
        "passes": fit_logistic(FEATURES, rows, passes, strength=0.1).as_json(),
        "answer_from": round(threshold, 4),
    }
    likely = _held_out(rows, passes)
    measured = {
        "refused_unanswerable": float((held[~answerable] < threshold).mean()),
        "refused_answerable": float((held[answerable] < threshold).mean()),
        "auc_answerable": _auc(held, answerable),
        "auc_passes": _auc(likely, passes),
        "brier_passes": float(np.mean((likely - passes) ** 2)),
        "brier_base_rate": float(passes.mean() * (1 - passes.mean())),
        "examples": len(examples),
    }
    return fitted, measured


def _held_out(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Probabilities (n,), each from a model that did not see the example's fold."""
    order = np.random.default_rng(0).permutation(len(rows))
    out = np.zeros(len(rows))
    for fold in range(FOLDS):
        held = order[fold::FOLDS]
        kept = np.setdiff1d(order, held)
        model = fit_logistic(FEATURES, rows[kept], labels[kept], strength=0.1)
        out[held] = 1 / (1 + np.exp(-model.scores(rows[held])))
    return out


def _auc(scores: np.ndarray, labels: np.ndarray) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(labels, scores))
