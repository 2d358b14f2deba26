"""Ranking quality on a data set in BEIR layout (Thakur et al., NeurIPS 2021), by the real retriever."""

import gzip
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from tqdm import tqdm

from eval.evaluator import Figure, mean
from eval.intervals import Estimate, estimate
from rag.cleaning import squeeze
from rag.engine import AnswerEngine
from rag.errors import UsageError
from rag.labels import label
from rag.records import Paper

MEASURES = ("nDCG@10", "R@5", "R@20", "R@100", "RR@10")
DEPTH = 100
"""As deep as any of the measures looks."""

Ranking = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collection:
    """Papers, the questions of one split, and how relevant which paper is to them.

    `unreadable` are the ids of documents without any text; they stay in `relevance` and are never found.
    """

    name: str
    split: str
    papers: tuple[Paper, ...]
    unreadable: tuple[str, ...]
    queries: Mapping[str, str]
    relevance: Mapping[str, Mapping[str, int]]


def read_collection(folder: Path, split: str | None = None) -> Collection:
    """The collection in `folder`: corpus.jsonl, queries.jsonl (each possibly .gz) and qrels/SPLIT.tsv.

    Without `split` it is `test`, or the only one there is.

    Raises:
        UsageError: a file is missing or broken, or the split is not there.
    """
    qrels = _split_file(folder, split)
    relevance = _relevance(qrels)
    texts = {str(row["_id"]): str(row["text"]) for row in _rows(folder, "queries.jsonl", ("_id", "text"))}
    if lost := [query for query in relevance if query not in texts]:
        raise UsageError(
            f"{qrels} judges the query {lost[0]!r}, which {folder / 'queries.jsonl'} does not hold."
        )
    documents = list(_rows(folder, "corpus.jsonl", ("_id", "text")))
    papers = tuple(paper for document in documents if (paper := _paper(document)))
    readable = {paper.id for paper in papers}
    return Collection(
        name=folder.resolve().name,
        split=qrels.stem,
        papers=papers,
        unreadable=tuple(
            str(document["_id"]) for document in documents if str(document["_id"]) not in readable
        ),
        queries={query: texts[query] for query in relevance},
        relevance=relevance,
    )


def index_key(folder: Path, *identity: str) -> str:
    """Names the index of a corpus: depends on its place and bytes and on how it is embedded and cut."""
    corpus = _file(folder, "corpus.jsonl")
    digest = hashlib.sha256(str(corpus.resolve()).encode())
    digest.update(corpus.read_bytes())
    digest.update("\0".join(identity).encode())
    return f"{folder.resolve().name}-{digest.hexdigest()[:16]}"


def rank_queries(engine: AnswerEngine, queries: Mapping[str, str]) -> dict[str, Ranking]:
    """The papers that `engine` puts first for each query, with a progress bar on stderr."""
    bar = tqdm(queries.items(), unit="query", file=sys.stderr, disable=None)
    return {query: tuple(hit.paper.id for hit in engine.rank(text, DEPTH)) for query, text in bar}


def query_scores(
    rankings: Mapping[str, Ranking], relevance: Mapping[str, Mapping[str, int]]
) -> dict[str, dict[str, float]]:
    """Every measure of every judged query, by measure and query, in ir_measures' definitions.

    A paper's score in the run is its rank counted from the end: the order is what was ranked, without ties.
    """
    import ir_measures  # on use: it loads a compiled library

    measures = {name: ir_measures.parse_measure(name) for name in MEASURES}
    names = {measure: name for name, measure in measures.items()}
    run = {
        query: {paper: float(score) for paper, score in _scored(ranking)}
        for query, ranking in rankings.items()
    }
    qrels = {query: dict(papers) for query, papers in relevance.items()}
    scores: dict[str, dict[str, float]] = {name: dict.fromkeys(relevance, 0.0) for name in MEASURES}
    for found in ir_measures.iter_calc(list(names), qrels, run):
        scores[names[found.measure]][found.query_id] = float(found.value)
    return scores


def summarise(scores: Mapping[str, Mapping[str, float]], seed: int) -> dict[str, Estimate]:
    """Means over the judged queries with their 95 % intervals."""
    return {
        name: estimate(Figure(name, (), mean), [np.array(list(values.values()))], seed)
        for name, values in scores.items()
    }


def as_json(
    collection: Collection,
    scores: Mapping[str, Mapping[str, float]],
    estimates: Mapping[str, Estimate],
    gained: Mapping[str, Mapping[str, Estimate]],
) -> dict[str, Any]:
    """The JSON of `eval beir --json`, documented in eval/README.md."""
    return {
        "metrics": {name: estimate.value for name, estimate in estimates.items()},
        "intervals": {name: asdict(estimate) for name, estimate in estimates.items()},
        "gains": {
            name: {measure: asdict(estimate) for measure, estimate in differences.items()}
            for name, differences in gained.items()
        },
        "queries": {query: {name: scores[name][query] for name in MEASURES} for query in collection.queries},
        "settings": {
            "collection": collection.name,
            "split": collection.split,
            "papers": len(collection.papers),
            "unreadable": list(collection.unreadable),
        },
    }


def trec_run(rankings: Mapping[str, Ranking], tag: str) -> str:
    """The rankings as a TREC run file: query, Q0, paper, rank, score, tag.

    Raises:
        UsageError: an id holds white space, which the format cannot carry.
    """
    lines = []
    for query, ranking in rankings.items():
        for place, (paper, score) in enumerate(_scored(ranking), start=1):
            if len(query.split()) != 1 or len(paper.split()) != 1:
                raise UsageError(f"A TREC run file cannot hold the ids {query!r} and {paper!r}: white space.")
            lines.append(f"{query} Q0 {paper} {place} {score} {tag}\n")
    return "".join(lines)


def _scored(ranking: Ranking) -> Iterator[tuple[str, int]]:
    yield from zip(ranking, range(len(ranking), 0, -1), strict=True)


def _paper(document: Mapping[str, Any]) -> Paper | None:
    title, text = squeeze(str(document.get("title") or "")), squeeze(str(document["text"] or ""))
    if not (title or text):
        return None
    return Paper(str(document["_id"]), title or label(text), text, titled=bool(title))


def _file(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise UsageError(f"{folder} holds no {name} or {name}.gz.", "A data set in BEIR layout is needed.")


def _rows(folder: Path, name: str, wanted: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    path = _file(folder, name)
    number = 0
    try:
        with path.open("rb") as file, _unpacked(file, path) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict) or any(key not in row for key in wanted):
                        raise UsageError(f"{path}, line {number}: needs the keys {', '.join(wanted)}.")
                    yield row
    except (OSError, EOFError, ValueError) as error:
        raise UsageError(f"{path} cannot be read after line {number} ({error.__class__.__name__}).") from None


def _unpacked(file: BinaryIO, path: Path) -> AbstractContextManager[Iterable[bytes]]:
    return gzip.open(file) if path.suffix == ".gz" else file


def _split_file(folder: Path, split: str | None) -> Path:
    there = {path.stem: path for path in sorted((folder / "qrels").glob("*.tsv"))}
    if not there:
        raise UsageError(f"{folder} holds no qrels/*.tsv.", "A data set in BEIR layout is needed.")
    chosen = split or ("test" if "test" in there else next(iter(there)) if len(there) == 1 else None)
    if chosen not in there:
        wish = f"the split {split!r}" if split else "a split test"
        raise UsageError(f"{folder} does not hold {wish}.", f"Choose one with --split: {', '.join(there)}.")
    return there[chosen]


def _relevance(path: Path) -> dict[str, dict[str, int]]:
    """Tab-separated query, paper, score; the first line is a header."""
    relevance: dict[str, dict[str, int]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[1:], start=2):
        try:
            query, paper, score = line.split("\t")
            relevance.setdefault(query, {})[paper] = int(score)
        except ValueError:
            raise UsageError(
                f"{path}, line {number}: not a query, a paper and a whole number, tab by tab."
            ) from None
    if not relevance:
        raise UsageError(f"{path} judges no query.")
    return relevance
