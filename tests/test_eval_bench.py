"""`eval bench`: what is measured, on few papers and without the model; the whole of it is a stress test."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from eval.__main__ import command_line
from eval.bench import Bench, Ratio, ingest_ratio, process_ratios, search_ratios
from eval.growth import Growth, grow, made_of_sentences
from eval.hash_embedding import DIMENSIONS, HashEmbedding
from eval.memory import peak_megabytes
from eval.pages import bench_page
from rag.errors import WorkError
from rag.index.embedding import vectors
from rag.sources.seed import default_papers

GROWN = (Growth(100, 1.0, 0.1, 4.0, 200.0, 1.0), Growth(400, 4.2, 0.1, 5.0, 210.0, 4.0))


def test_the_hash_embedding_is_the_same_everywhere() -> None:
    rows = vectors(HashEmbedding(), ["optimal transport", "optimal transport", "graph"])
    assert rows.shape == (3, DIMENSIONS)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert np.array_equal(rows[0], rows[1])
    assert rows[0] @ rows[2] == 0
    assert np.isfinite(vectors(HashEmbedding(), [""])).all()


def test_papers_are_made_when_there_are_too_few() -> None:
    made = list(made_of_sentences(default_papers(), 30))
    assert len({paper.id for paper in made}) == 30
    assert made == list(made_of_sentences(default_papers(), 30))
    assert made != list(made_of_sentences(default_papers(), 30, seed=1))
    assert list(made_of_sentences(default_papers(), -5)) == []


def test_memory_is_that_of_this_process_and_not_of_its_parent() -> None:
    ballast = np.ones(60_000_000 // 8)
    here = peak_megabytes()
    if here is None:
        pytest.skip("this system does not tell the peak memory")
    code = "from eval.memory import peak_megabytes; print(peak_megabytes())"
    child = float(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    )
    assert ballast.nbytes / 2**20 < here
    assert 5 < child < 40 < here


def test_ratios_compare_the_same_work(tmp_path: Path) -> None:
    papers = default_papers()
    ingest = ingest_ratio(papers, HashEmbedding(), tmp_path, 1)
    assert ingest.ours > 0
    assert ingest.ratio == ingest.ours / ingest.bare
    found = search_ratios(papers, HashEmbedding(), tmp_path, 1)
    assert set(found) == {"retrieval", "list"}
    retrieval = found["retrieval"]
    assert retrieval.unit == "milliseconds a query"
    assert 0.2 < retrieval.ratio < 20


def test_growth_measures_each_size_in_a_process_of_its_own() -> None:
    small, large = grow(default_papers(), (19, 60))
    assert (small.papers, large.papers) == (19, 60)
    assert large.disk_mb > small.disk_mb
    assert min(small.ingest_seconds, small.open_seconds, small.retrieval_ms) > 0


def test_a_process_that_fails_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("eval.bench._FIRST_ANSWER", "raise SystemError('no {folder}')")
    with pytest.raises(WorkError, match=r"A process under measurement failed \(SystemError: no"):
        process_ratios(tmp_path, 1)


def test_the_page_and_the_json_hold_what_was_measured() -> None:
    bench = Bench({"ingest": Ratio(3.0, 2.0, "seconds")}, GROWN, {"cores": 2})
    report = bench.as_json()
    assert report["ratios"]["ingest"] == {"ours": 3.0, "bare": 2.0, "unit": "seconds", "ratio": 1.5}
    assert report["growth"][1]["papers"] == 400
    page = bench_page(bench)
    assert page.count("<svg ") == 5
    assert "1.50" in page
    unknown = tuple(Growth(g.papers, 1, 1, 1, None, 1) for g in GROWN)
    assert bench_page(Bench({}, unknown, {})).count("<svg ") == 4


@pytest.mark.stress
@pytest.mark.timeout(1200)
def test_the_whole_bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "bench.json"
    arguments = [
        "--size",
        "100",
        "--size",
        "400",
        "--rounds",
        "2",
        "--json",
        str(out),
        "--report",
        str(tmp_path),
    ]
    monkeypatch.setattr("sys.argv", ["eval", "bench", *arguments])
    assert command_line() == 0
    report = json.loads(out.read_text())
    assert set(report["ratios"]) >= {"import", "first_answer", "ingest", "retrieval", "list"}
    assert [size["papers"] for size in report["growth"]] == [100, 400]
    assert (tmp_path / "bench.html").exists()
