"""How near in meaning claims are to sentences, by the index's embedding model."""

from collections.abc import Sequence
from functools import lru_cache

from llama_index.core.base.embeddings.base import BaseEmbedding

from rag.errors import RagError
from rag.grounding.support import Nearness
from rag.index.embedding import Vectors, vectors

_KEPT = 64
"""Abstracts and claims whose vectors one answer's checking keeps."""


def nearness_by(embedding: BaseEmbedding) -> Nearness:
    """Cosines by this model; empty where it cannot be reached, so that shared words alone decide."""

    @lru_cache(maxsize=_KEPT)
    def embedded(texts: tuple[str, ...]) -> Vectors:
        return vectors(embedding, texts)

    def nearness(claim: str, sentences: Sequence[str]) -> list[float]:
        try:
            return [float(x) for x in embedded(tuple(sentences)) @ embedded((claim,))[0]]
        except RagError:
            return []

    return nearness
