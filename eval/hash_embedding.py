"""An embedding without a model: cheap and the same everywhere, for measuring what stands around it."""

from zlib import crc32

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding

DIMENSIONS = 384


class HashEmbedding(BaseEmbedding):
    """Each word adds 1 or -1 to one of 384 places (feature hashing, Weinberger et al., ICML 2009)."""

    model_name: str = "feature-hashing-384"

    @classmethod
    def class_name(cls) -> str:
        return "HashEmbedding"

    def _get_text_embedding(self, text: str) -> list[float]:
        vector = np.zeros(DIMENSIONS)
        for word in text.lower().split():
            number = crc32(word.encode())
            vector[number % DIMENSIONS] += 1 if number & 0x10000 else -1
        length = float(np.linalg.norm(vector))
        return [float(value) for value in vector / (length or 1)]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)
