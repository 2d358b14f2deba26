"""The figures of `python -m eval support`, on claims made up for the test."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from eval.support import Claim, areas, columns, out_of_fold, read, rows, verdict_shares
from eval.trust_tables import print_areas, print_verdicts
from rag.errors import UsageError
from rag.grounding.support import SIGNALS

ABSTRACT = ["Aspirin lowers the risk of stroke in adults.", "Doses of 100 mg were given daily."]


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Claims of both sets, the supported ones in the abstract's words."""
    folder = tmp_path / "bench"
    (folder / "attributionbench").mkdir(parents=True)
    (folder / "scifact").mkdir()
    lines = []
    for number in range(20):
        right = number % 2 == 0
        claim = "Moss grows on the north side of stones." if right else "Ships sail to Norway in winter."
        label = "attributable" if right else "not attributable"
        record = {"claim": claim, "references": ["Moss grows on the north side of old stones."]}
        lines.append(
            json.dumps({**record, "attribution_label": label, "src_dataset": "ExpertQA"[: 8 * (number > 17)]})
        )
    with gzip.open(folder / "attributionbench/dev.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    with gzip.open(folder / "scifact/corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"_id": "7", "title": "Aspirin", "text": " ".join(ABSTRACT)}) + "\n")
    claims = []
    for number in range(12):
        label = ("SUPPORT", "CONTRADICT", None)[number % 3]
        text = ("Aspirin lowers the risk of stroke.", "Aspirin raises the risk of stroke.", "Whales sing.")[
            number % 3
        ]
        evidence = {"7": [{"label": label, "sentences": [0]}]} if label else {}
        claims.append(json.dumps({"claim": text, "cited_doc_ids": [7], "evidence": evidence}))
    (folder / "scifact/claims_train.jsonl").write_text("\n".join(claims) + "\n", "utf-8")
    return tmp_path


def nearness(claim: str, sentences: object) -> list[float]:
    return [0.8 if "stroke" in claim or "Moss" in claim else 0.1]


def test_signals_part_the_claims_they_should(bench: Path) -> None:
    claims = read(bench)
    assert len(claims) == 32
    assert sum(claim.against for claim in claims) == 4
    table = rows(claims, nearness)
    assert table.shape == (32, len(SIGNALS))
    found = areas(claims, columns(claims, table))
    assert found["AttributionBench"]["score"].value == 1.0
    assert found["AttributionBench"]["score"].n == 20
    assert found["SciFact: SUPPORT or no evidence"]["nearness"].value == 1.0
    assert found["SciFact: SUPPORT or CONTRADICT"]["nearness"].value == 0.5  # shared meaning cannot tell them
    assert found["SciFact: SUPPORT or CONTRADICT"]["turned"].value == 1.0
    for area in found["AttributionBench"].values():
        assert area.low <= area.value <= area.high
    console = Console(width=200, record=True)
    print_areas(found, console)
    print_verdicts(verdict_shares(claims, table), console)
    assert "SciFact, CONTRADICT" in console.export_text()


def test_no_claim_is_scored_by_a_fit_that_saw_it(bench: Path) -> None:
    """Labels that no signal explains are not learned by heart."""
    claims = read(bench)
    rng = np.random.default_rng(0)
    noise = rng.random((len(claims) * 20, len(SIGNALS)))
    many = [Claim(c.text, c.paper, int(rng.integers(2)), c.source) for c in claims for _ in range(20)]
    scores = out_of_fold(many, noise, SIGNALS)
    labels = np.array([claim.label for claim in many])
    assert np.corrcoef(scores, labels)[0, 1] < 0.1


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"dev\.jsonl\.gz"):
        read(tmp_path)
