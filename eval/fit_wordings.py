"""Fit which questions ask for papers though no pattern says so: `rag/data/list_wordings.json`."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from eval.cases import load_cases
from rag.question.list_model import runs, tokens
from rag.question.parsing import parse

FOLDS = 10
USUAL, OFTEN = 4, 3
"""A word in fewer wordings is masked, a run in fewer has no weight."""
FROM = 0.8
"""Probability from which a question is taken for a list; held out, no other question reaches it."""
Wording = tuple[str, bool]


def read(wordings: Path, questions: Sequence[Path], labels: Path) -> list[Wording]:
    """Texts and whether they ask for a list: our own wordings, the cases of question files, judged lists."""
    lines = [json.loads(line) for line in wordings.read_text("utf-8").splitlines()]
    found = [(line["text"], bool(line["list"])) for line in lines]
    for case in (case for file in questions for case in load_cases(file)):
        if case.kind == "enumerate":
            found.append((case.question, True))
        elif not case.asks_for_list and not case.note.startswith("not-covered"):
            found.append((case.question, False))
    found += [(json.loads(line)["question"], True) for line in labels.read_text("utf-8").splitlines()]
    return list(dict(found).items())


def fit(wordings: Sequence[Wording]) -> tuple[dict[str, Any], dict[str, float]]:
    """The model, and what cross-validation measures on questions that the patterns leave a lookup."""
    model = _fitted(wordings)
    fold = np.random.default_rng(0).integers(FOLDS, size=len(wordings))
    held = np.zeros(len(wordings))
    for number in range(FOLDS):
        rest = _fitted([wording for wording, of in zip(wordings, fold, strict=True) if of != number])
        for place in map(int, np.flatnonzero(fold == number)):
            odds = rest["bias"] + sum(
                rest["weights"].get(run, 0.0)
                for run in runs(wordings[place][0], frozenset(rest["vocabulary"]))
            )
            held[place] = 1 / (1 + np.exp(-odds))
    lists = np.array([is_list for _, is_list in wordings])
    left = np.array([parse(text, fitted=False).kind == "lookup" for text, _ in wordings])
    measured = {
        "lists": lists,
        "lists_the_patterns_miss": left & lists,
        "of_these_found": left & lists & (held >= FROM),
        "others": left & ~lists,
        "of_these_taken_for_lists": left & ~lists & (held >= FROM),
    }
    return model, {name: float(which.sum()) for name, which in measured.items()}


def _fitted(wordings: Sequence[Wording]) -> dict[str, Any]:
    words = Counter(token for text, _ in wordings for token in set(tokens(text)))
    vocabulary = frozenset(word for word, count in words.items() if count >= USUAL)
    seen = [runs(text, vocabulary) for text, _ in wordings]
    counts = Counter(run for found in seen for run in found)
    names = sorted(run for run, count in counts.items() if count >= OFTEN)
    column = {run: number for number, run in enumerate(names)}
    rows = np.zeros((len(wordings), len(names)), dtype=np.float32)
    for row, found in enumerate(seen):
        rows[row, [column[run] for run in found if run in column]] = 1
    model = LogisticRegression(max_iter=1_000, class_weight="balanced")
    model.fit(rows, [is_list for _, is_list in wordings])
    weights = {
        run: round(float(w), 3) for run, w in zip(names, model.coef_[0], strict=True) if abs(w) >= 0.005
    }
    return {
        "from": FROM,
        "bias": round(float(model.intercept_[0]), 4),
        "vocabulary": sorted(vocabulary),
        "weights": weights,
    }
