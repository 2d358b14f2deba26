"""`eval beir`: the real index and retriever on small collections, checked by ir_measures on the run file."""

import csv
import gzip
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import RR, R, nDCG

from eval.beir import MEASURES, index_key, query_scores, read_collection, trec_run
from eval.single_rankings import gains
from rag.errors import UsageError
from rag.index.embedding import LocalEmbedding

Command = Callable[..., int]

DOCUMENTS = [
    {
        "_id": "d1",
        "title": "Wings",
        "text": "The lift of a wing in a slipstream was measured in a wind tunnel.",
    },
    {
        "_id": "d2",
        "title": "",
        "text": "Heat transfer in a boundary layer over a cooled flat plate at high speed.",
    },
    {"_id": "d3", "title": "Libraries", "text": "How readers find books in a catalogue of a large library."},
    {"_id": "d4", "title": "Sound", "text": ""},
    {"_id": "d5", "title": "", "text": "  "},
    {"_id": "d6", "title": "Buckling", "text": "Thin cylindrical shells buckle under axial compression."},
]
QUERIES = {"q1": "lift of wings in a slipstream", "q2": "when do shells buckle?", "q3": "nobody judged this"}
QRELS = [("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d6", 1), ("q2", "d5", 1), ("q2", "gone", 1)]


def write_collection(folder: Path, split: str = "test", packed: bool = False, **files: str) -> Path:
    """A collection in BEIR layout; `files` replace the content of corpus, queries or qrels."""
    (folder / "qrels").mkdir(parents=True)
    corpus = files.get("corpus") or "\n".join(map(json.dumps, DOCUMENTS))
    if packed:
        (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(corpus.encode()))
    else:
        (folder / "corpus.jsonl").write_text(corpus)
    queries = files.get("queries") or "\n".join(json.dumps({"_id": q, "text": t}) for q, t in QUERIES.items())
    (folder / "queries.jsonl").write_text(queries)
    rows = files.get("qrels") or "\n".join("\t".join(map(str, row)) for row in QRELS)
    (folder / "qrels" / f"{split}.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}\n")
    return folder


def official(qrels_file: Path, run_file: Path) -> dict[str, float]:
    """What ir_measures says of a run file, read apart from our code."""
    qrels: dict[str, dict[str, int]] = {}
    with qrels_file.open() as lines:
        for query, paper, score in list(csv.reader(lines, delimiter="\t"))[1:]:
            qrels.setdefault(query, {})[paper] = int(score)
    measures = [nDCG @ 10, R @ 5, R @ 20, R @ 100, RR @ 10]
    found = ir_measures.calc_aggregate(measures, qrels, ir_measures.read_trec_run(str(run_file)))
    return {str(measure): value for measure, value in found.items()}


def test_a_collection_is_read_as_it_lies_there(tmp_path: Path) -> None:
    found = read_collection(write_collection(tmp_path / "tiny", packed=True))
    assert (found.name, found.split) == ("tiny", "test")
    assert [paper.id for paper in found.papers] == ["d1", "d2", "d3", "d4", "d6"]
    assert found.unreadable == ("d5",)
    assert [paper.titled for paper in found.papers] == [True, False, True, True, True]
    assert list(found.queries) == ["q1", "q2"], "a query that nobody judged is not asked"
    assert found.relevance["q2"] == {"d6": 1, "d5": 1, "gone": 1}


def test_the_only_split_is_taken_and_another_must_be_named(tmp_path: Path) -> None:
    folder = write_collection(tmp_path / "tiny", split="train")
    assert read_collection(folder).split == "train"
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    with pytest.raises(UsageError, match=r"does not hold a split test.*--split: dev, train"):
        read_collection(folder)
    assert read_collection(folder, "dev").split == "dev"
    with pytest.raises(UsageError, match="does not hold the split 'tset'"):
        read_collection(folder, "tset")


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"corpus": "{"}, "corpus.jsonl cannot be read after line 1"),
        ({"corpus": '{"_id": "d1"}'}, "line 1: needs the keys _id, text"),
        ({"corpus": "[]"}, "line 1: needs the keys"),
        ({"qrels": "q1\td1"}, "test.tsv, line 2: not a query, a paper and a whole number"),
        ({"qrels": "q1\td1\thigh"}, "test.tsv, line 2"),
        ({"qrels": "q9\td1\t1"}, "judges the query 'q9'"),
    ],
)
def test_a_broken_collection_is_one_clear_line(files: dict[str, str], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=complaint) as error:
        read_collection(write_collection(tmp_path / "tiny", **files))
    assert "\n" not in str(error.value)


def test_a_folder_without_a_collection(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no qrels"):
        read_collection(tmp_path)
    folder = write_collection(tmp_path / "tiny")
    (folder / "corpus.jsonl").unlink()
    with pytest.raises(UsageError, match=r"holds no corpus.jsonl or corpus.jsonl.gz"):
        read_collection(folder)
    (folder / "corpus.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(UsageError, match="cannot be read after line 0"):
        read_collection(folder)


def test_the_index_belongs_to_the_corpus_and_the_embedding(tmp_path: Path) -> None:
    folder = write_collection(tmp_path / "tiny")
    key = index_key(folder, "model", "chunker")
    assert key.startswith("tiny-")
    assert key == index_key(folder, "model", "chunker")
    assert key != index_key(folder, "other", "chunker")
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write('\n{"_id": "d7", "text": "new"}')
    assert key != index_key(folder, "model", "chunker")


def test_scores_by_hand() -> None:
    relevance = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    scores = query_scores({"q1": ("x", "a", "b")}, relevance)
    dcg = 1 / math.log2(3) + 1 / math.log2(4)
    assert scores["nDCG@10"] == {"q1": pytest.approx(dcg / (1 + 1 / math.log2(3))), "q2": 0}
    assert scores["RR@10"] == {"q1": 1 / 2, "q2": 0}
    assert scores["R@5"] == {"q1": 1, "q2": 0}


def test_a_run_file_cannot_hold_ids_with_blanks() -> None:
    assert trec_run({"q": ("a", "b")}, "x") == "q Q0 a 1 2 x\nq Q0 b 2 1 x\n"
    with pytest.raises(UsageError, match="white space"):
        trec_run({"q": ("a b",)}, "x")


def test_a_collection_is_indexed_once_and_measured(
    eval_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_collection(tmp_path / "tiny", packed=True)
    out, run = tmp_path / "out.json", tmp_path / "out.run"
    assert eval_command("beir", folder, "--json", out, "--run-file", run) == 0
    report = json.loads(out.read_text())
    assert set(report["metrics"]) == set(MEASURES)
    assert report["metrics"] == pytest.approx(official(folder / "qrels" / "test.tsv", run), abs=1e-9)
    assert report["queries"]["q1"]["RR@10"] == 1
    assert report["settings"]["unreadable"] == ["d5"]
    assert set(report["gains"]) == {"dense", "BM25"}
    for differences in report["gains"].values():
        assert set(differences) == set(MEASURES)
        assert all(one["low"] <= one["value"] <= one["high"] for one in differences.values())
    assert "nDCG@10" in capsys.readouterr().out

    def no_embedding(*_: Any) -> None:
        raise AssertionError("indexed again")

    monkeypatch.setattr(LocalEmbedding, "_get_text_embeddings", no_embedding)
    again = tmp_path / "again.json"
    assert eval_command("beir", folder, "--json", again) == 0
    assert again.read_text() == out.read_text()


def test_a_sample_of_cranfield_agrees_with_ir_measures(
    eval_command: Command, tmp_path: Path, bench_data: Path
) -> None:
    whole = read_collection(bench_data / "bench" / "cranfield")
    judged = list(whole.relevance)[:4]
    wanted = {paper for query in judged for paper in whole.relevance[query]}
    papers = [paper for paper in whole.papers if paper.id in wanted]
    folder = write_collection(
        tmp_path / "cranfield",
        corpus="\n".join(json.dumps({"_id": p.id, "title": p.title, "text": p.abstract}) for p in papers),
        queries="\n".join(json.dumps({"_id": q, "text": whole.queries[q]}) for q in judged),
        qrels="\n".join(f"{q}\t{p}\t{s}" for q in judged for p, s in whole.relevance[q].items()),
    )
    out, run = tmp_path / "out.json", tmp_path / "out.run"
    assert eval_command("beir", folder, "--json", out, "--run-file", run) == 0
    measured = json.loads(out.read_text())["metrics"]
    assert measured == pytest.approx(official(folder / "qrels" / "test.tsv", run), abs=1e-9)
    assert measured["nDCG@10"] > 0.5


def test_what_a_ranking_gains_is_the_difference_of_the_means() -> None:
    relevance = {"q1": {"a": 1}, "q2": {"b": 1}}
    fused = query_scores({"q1": ("a", "b"), "q2": ("b",)}, relevance)
    gained = gains(fused, {"dense": {"q1": ("b", "a"), "q2": ("b",)}}, relevance, 0)
    assert gained["dense"]["RR@10"].value == pytest.approx(0.25)
    assert gained["dense"]["R@5"].value == 0


@pytest.mark.stress
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("name", "least"), [("cranfield", 0.42), ("cisi", 0.45)])
def test_whole_collections_agree_with_ir_measures(
    name: str, least: float, eval_command: Command, tmp_path: Path, bench_data: Path
) -> None:
    folder, out, run = bench_data / "bench" / name, tmp_path / "out.json", tmp_path / "out.run"
    assert eval_command("beir", folder, "--json", out, "--run-file", run) == 0
    report = json.loads(out.read_text())
    measured = report["metrics"]
    assert measured == pytest.approx(official(folder / "qrels" / "test.tsv", run), abs=1e-9)
    assert measured["nDCG@10"] > least
    # The fused ranking beats each of those it fuses by a paired test.
    assert all(differences["nDCG@10"]["low"] > 0 for differences in report["gains"].values())
