"""The small fitted numbers the project ships, and how they come about: `python -m eval fit`.

Logistic regressions (scikit-learn, L2): which sentence answers (`sentence_ranking.json`), which paper is on a
topic (`screening.json`), whether and how likely an answer is right (`confidence.json`). Each file names the
data it was fitted on. Only numbers are shipped, never text of the data.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

DATA = Path(__file__).parent.parent / "rag" / "data"


@dataclass(frozen=True, slots=True)
class Logistic:
    """Weights on the raw features, so that shipped numbers need no scaler."""

    names: tuple[str, ...]
    weights: np.ndarray
    bias: float

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """Log-odds (n,) of rows (n, len(names))."""
        scores: np.ndarray = rows @ self.weights + self.bias
        return scores

    def as_json(self) -> dict[str, Any]:
        named = {name: round(float(weight), 4) for name, weight in zip(self.names, self.weights, strict=True)}
        return {"weights": named, "bias": round(self.bias, 4)}


def fit_logistic(
    names: Sequence[str],
    rows: np.ndarray,
    labels: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    strength: float = 1.0,
) -> Logistic:
    """L2-regularised logistic regression on standardised features; `strength` is the inverse penalty C.

    `rows` has shape (n, len(names)), `labels` and the examples' `weights` shape (n,).
    """
    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=strength, max_iter=2_000).fit(scaler.transform(rows), labels, weights)
    slopes = model.coef_[0] / scaler.scale_
    return Logistic(tuple(names), slopes, float(model.intercept_[0] - slopes @ scaler.mean_))


def write(name: str, fitted: dict[str, Any], *, data: str, measured: dict[str, float]) -> str:
    """Write `rag/data/<name>.json` with its source and what was measured; returns a line to tell."""
    path = DATA / f"{name}.json"
    figures = {key: round(float(value), 4) for key, value in measured.items()}
    content = {"format": 1, "data": data, "measured": figures, **fitted}
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return f"{name}: {', '.join(f'{key} {value:g}' for key, value in figures.items())}"
