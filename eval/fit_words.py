"""What is known of words beforehand: in how many papers each stem stands, and which are near in meaning."""

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding

from eval.fitting import DATA
from rag.index.embedding import vectors
from rag.index.lexical import terms
from rag.index.paper_index import PaperIndex
from rag.records import Paper

FEWEST = 3
"""A stem in fewer papers is left out: it may be a name or a slip, and weighs as unknown."""


def write_counts(index: PaperIndex) -> str:
    """Write `rag/data/word_counts.tsv`; the empty word's line says how many papers there are."""
    counts = {stem: index.document_frequency(stem) for stem in index.vocabulary if stem}
    kept = sorted(stem for stem, count in counts.items() if count >= FEWEST and "\t" not in stem)
    lines = [f"\t{len(index.papers)}", *(f"{stem}\t{counts[stem]}" for stem in kept)]
    (DATA / "word_counts.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"word_counts: {len(kept)} stems"


USUAL = 10
"""A stem in fewer abstracts has no vector."""
DIMENSIONS = 48
"""Of the vectors, which are principal components of the embedding's."""


def write_kinship(papers: Iterable[Paper], embedding: BaseEmbedding) -> str:
    """Write `rag/data/word_kinship.npz`: of each usual stem the reduced embedding of its commonest word."""
    words: Counter[str] = Counter()
    for paper in papers:
        words.update(set(re.findall(r"[a-z]{3,20}", f"{paper.title} {paper.abstract}".lower())))
    abstracts: Counter[str] = Counter()
    spelt: dict[str, str] = {}
    for word, count in words.most_common():
        if stem := next(iter(terms(word)), ""):
            abstracts[stem] += count
            spelt.setdefault(stem, word)
    stems = sorted(stem for stem, count in abstracts.items() if count >= USUAL)
    rows = vectors(embedding, [spelt[stem] for stem in stems])
    np.savez_compressed(
        DATA / "word_kinship.npz",
        stems=np.array(stems),
        vectors=np.round(127 * _reduced(rows)).astype(np.int8),
        abstracts=np.array([abstracts[stem] for stem in stems], dtype=np.int32),
    )
    return f"word_kinship: {len(stems)} stems"


def _reduced(rows: np.ndarray) -> np.ndarray:
    """Principal components of `rows` about their mean, (n, DIMENSIONS), of length 1."""
    centred = rows - rows.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    _, _, components = np.linalg.svd(centred, full_matrices=False)
    reduced = centred @ components[:DIMENSIONS].T
    return np.asarray(reduced / np.linalg.norm(reduced, axis=1, keepdims=True))
