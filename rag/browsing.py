"""Looking papers up without a question: by words of title and authors, and by likeness to another paper."""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from rag.index.paper_index import PaperIndex
from rag.records import Hit, Paper

_DEPTH = 10  # passages looked at for each paper wanted


@dataclass(frozen=True, slots=True)
class Found:
    """Papers for a text: `named` hold its words in title or authors, `near` are others close in content."""

    named: tuple[Paper, ...]
    near: tuple[Paper, ...]


def found(papers: Sequence[Paper], text: str, ranked: Sequence[Hit]) -> Found:
    """Papers for a text that is being typed.

    It names a paper when each of its words is part of the title or of an author's name; case and accents do
    not count. Named papers keep the order of `papers`; near ones are those of `ranked` in `papers`, in
    its order. An empty text names every paper.
    """
    words = _plain(text).split()
    named = {paper.id: paper for paper in papers if _stands_in(words, paper)}
    known = {paper.id for paper in papers} - named.keys() if ranked else set()
    return Found(tuple(named.values()), tuple(hit.paper for hit in ranked if hit.paper.id in known))


def alike(index: PaperIndex, paper_id: str, k: int, ids: Collection[str] | None = None) -> list[Hit]:
    """The `k` papers nearest to a paper, best first, itself left out; `ids` restricts them to these papers.

    Likeness is the cosine of the paper's mean passage vector and another's nearest passage. Raises
    UnknownPaper.
    """
    passages = index.vectors([index.paper(paper_id).id])
    if not passages.size:
        return []
    middle = passages.mean(axis=0)
    norm = float(np.linalg.norm(middle))
    if not norm:
        return []
    best: dict[str, Hit] = {}
    near = index.nearest((middle / norm).astype(np.float32), _DEPTH * (k + 1), ids)
    for passage, cosine in near:
        if passage.paper_id != paper_id and passage.paper_id not in best:
            paper = index.paper(passage.paper_id)
            best[paper.id] = Hit(paper, max(0.0, min(1.0, cosine)), cosine, None, passage)
    return list(islice(best.values(), k))


def _stands_in(words: Sequence[str], paper: Paper) -> bool:
    held = _plain(" ".join((paper.title, *paper.authors)))
    return all(word in held for word in words)


def _plain(text: str) -> str:
    if text.isascii():
        return text.casefold()
    taken_apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in taken_apart if not unicodedata.combining(sign))
