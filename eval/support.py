"""How well each signal of the verifier tells supported claims from others, on labelled claims.

AttributionBench (Li et al. 2024) has claims with references, attributable or not. SciFact (Wadden et al.
2020) has expert claims with cited abstracts that support them, contradict them, or do neither.
"""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.errors import UsageError
from rag.grounding.support import SIGNALS, Nearness, decide, signals
from rag.records import Paper, Verdict

ATTRIBUTION = "bench/attributionbench/dev.jsonl.gz"
SCIFACT_CLAIMS = "bench/scifact/claims_train.jsonl"
SCIFACT_PAPERS = "bench/scifact/corpus.jsonl.gz"
RESAMPLES = 1_000
FOLDS = 10
VERDICTS: tuple[Verdict, ...] = ("supported", "weak", "unsupported")
Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim and what it cites. `label` is 1 where the text supports it; `against`: it says the opposite."""

    text: str
    paper: Paper
    label: int
    source: str
    against: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """Area under the ROC curve with the ends of its 95 % bootstrap interval, over `n` claims."""

    value: float
    low: float
    high: float
    n: int


def read(bench: Path) -> list[Claim]:
    """The claims of both sets. Raises UsageError where a file is missing."""
    for name in (ATTRIBUTION, SCIFACT_CLAIMS, SCIFACT_PAPERS):
        if not (bench / name).is_file():
            raise UsageError(f"{bench / name} is missing.", "Point --bench or RAG_BENCH_DATA at it.")
    return [*_attribution(bench / ATTRIBUTION), *_scifact(bench / SCIFACT_CLAIMS, bench / SCIFACT_PAPERS)]


def columns(claims: Sequence[Claim], table: Column) -> dict[str, Column]:
    """Scores by name, higher for supported: each signal, and fits of several that never saw the claim."""
    against = {"lacks", "turned"}
    found = {name: (-1 if name in against else 1) * table[:, at] for at, name in enumerate(SIGNALS)}
    for used in (("score", "lacks"), ("score", "lacks", "nearness"), SIGNALS):
        found[" + ".join(used)] = out_of_fold(claims, table, used)
    return found


def verdict_shares(claims: Sequence[Claim], table: Column) -> dict[str, dict[str, dict[str, float]]]:
    """For each way to decide and each kind of claim the shares of the verdicts."""
    kinds = {
        "AttributionBench, attributable": [
            c.source not in ("scifact", "ExpertQA") and c.label == 1 for c in claims
        ],
        "AttributionBench, not": [c.source not in ("scifact", "ExpertQA") and c.label == 0 for c in claims],
        "SciFact, SUPPORT": [c.source == "scifact" and c.label == 1 for c in claims],
        "SciFact, CONTRADICT": [c.against for c in claims],
        "SciFact, no evidence": [c.source == "scifact" and not c.label and not c.against for c in claims],
    }
    found: dict[str, dict[str, dict[str, float]]] = {}
    for way, with_nearness in (("shared words", False), ("with meaning", True)):
        decided = np.array([decide(list(row), with_nearness=with_nearness) for row in table])
        for kind, mask in kinds.items():
            of_kind = decided[np.array(mask)]
            shares = {str(verdict): float(np.mean(of_kind == verdict)) for verdict in VERDICTS}
            found.setdefault(way, {})[kind] = shares
    return found


def rows(claims: Sequence[Claim], nearness: Nearness) -> Column:
    """The verifier's signals, array (claims, len(SIGNALS))."""
    return np.array([signals(claim.text, claim.paper, nearness=nearness) for claim in claims])


def areas(
    claims: Sequence[Claim], columns: Mapping[str, Column], seed: int = 0
) -> dict[str, dict[str, Area]]:
    """For each contrast and each signal how well it parts the two sides."""
    found: dict[str, dict[str, Area]] = {}
    for contrast, (places, labels) in _contrasts(claims).items():
        found[contrast] = {name: _area(labels, column[places], seed) for name, column in columns.items()}
    return found


def out_of_fold(claims: Sequence[Claim], table: Column, used: Sequence[str]) -> Column:
    """Log-odds of support by a logistic fit on the signals `used`, each claim scored by a fit without it."""
    from eval.fitting import fit_logistic

    labels = np.array([claim.label for claim in claims])
    data = table[:, [SIGNALS.index(name) for name in used]]
    scores = np.zeros(len(claims))
    order = np.random.default_rng(0).permutation(len(claims))
    for fold in range(FOLDS):
        held = np.zeros(len(claims), dtype=bool)
        held[order[fold::FOLDS]] = True
        scores[held] = fit_logistic(used, data[~held], labels[~held]).scores(data[held])
    return scores


def _contrasts(claims: Sequence[Claim]) -> dict[str, tuple[NDArray[np.intp], Column]]:
    """Name of a contrast → places and labels of its claims."""
    labels = np.array([claim.label for claim in claims], dtype=np.float64)
    scifact = np.array([claim.source == "scifact" for claim in claims])
    expert = np.array([claim.source == "ExpertQA" for claim in claims])
    against = np.array([claim.against for claim in claims])
    masks = {
        "AttributionBench": ~scifact,
        "AttributionBench without ExpertQA": ~scifact & ~expert,
        "SciFact: SUPPORT or no evidence": scifact & ~against,
        "SciFact: SUPPORT or CONTRADICT": scifact & (against | (labels == 1)),
    }
    return {name: (np.flatnonzero(mask), labels[mask]) for name, mask in masks.items()}


def _area(labels: Column, scores: Column, seed: int) -> Area:
    rng = np.random.default_rng(seed)
    drawn = (rng.integers(0, len(labels), len(labels)) for _ in range(RESAMPLES))
    resampled = [_auc(labels[at], scores[at]) for at in drawn if 0 < labels[at].sum() < len(labels)]
    low, high = np.percentile(resampled, (2.5, 97.5))
    return Area(_auc(labels, scores), float(low), float(high), len(labels))


def _auc(labels: Column, scores: Column) -> float:
    """The share of pairs in the right order, ties half (Hanley and McNeil 1982)."""
    ranks = np.empty(len(scores))
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[inverse]
    positive = int(labels.sum())
    negative = len(labels) - positive
    return float((ranks[labels == 1].sum() - positive * (positive + 1) / 2) / (positive * negative))


def _attribution(file: Path) -> Iterator[Claim]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            record = json.loads(line)
            text = " ".join(" ".join(record["references"]).split())
            label = int(record["attribution_label"] == "attributable")
            yield Claim(record["claim"], Paper(f"ab{number}", "", text), label, record["src_dataset"])


def _scifact(claims: Path, corpus: Path) -> Iterator[Claim]:
    papers: dict[str, Paper] = {}
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            papers[record["_id"]] = Paper(record["_id"], record["title"], record["text"])
    for line in claims.read_text("utf-8").splitlines():
        record = json.loads(line)
        for paper_id in map(str, record["cited_doc_ids"]):
            labels = {each["label"] for each in record["evidence"].get(paper_id, ())}
            if paper_id in papers:
                yield Claim(
                    record["claim"],
                    papers[paper_id],
                    int("SUPPORT" in labels),
                    "scifact",
                    against="CONTRADICT" in labels,
                )
