"""An embedding model behind an OpenAI-compatible endpoint, its errors as ours.

Only this module of the index knows openai. It is imported when such a model is in use, not before.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import openai
from llama_index.embeddings.openai import OpenAIEmbedding  # type: ignore[import-untyped]
from pydantic import PrivateAttr

from rag.errors import EmbeddingError
from rag.index.tokens import count

OPENAI_URL = "https://api.openai.com/v1"
_RETRIES = 2
_TIMEOUT_SECONDS = 60.0
_BATCH = 128


class RemoteEmbedding(OpenAIEmbedding):  # type: ignore[misc]
    """LlamaIndex's OpenAI embedding for any model name and endpoint. Texts and questions are sent there.

    The key sits in the HTTP client alone: a printed or serialised model does not hold it.
    """

    _sender: openai.OpenAI = PrivateAttr()
    _bill: Callable[[int], None] | None = PrivateAttr()

    def __init__(
        self, model: str, key: str, base_url: str | None, bill: Callable[[int], None] | None = None
    ) -> None:
        """`bill` is told the tokens of every call."""
        url = base_url or OPENAI_URL
        super().__init__(
            model_name=model,
            api_key="kept in the client",
            api_base=url,
            embed_batch_size=_BATCH,
            max_retries=0,
        )
        self._bill = bill
        self._sender = openai.OpenAI(
            api_key=key, base_url=url, timeout=_TIMEOUT_SECONDS, max_retries=_RETRIES
        )

    @property
    def setting(self) -> str:
        """The value of RAG_EMBEDDING that names this model."""
        return f"openai:{self.model_name}"

    @classmethod
    def class_name(cls) -> str:
        return "RemoteEmbedding"

    def _get_client(self) -> openai.OpenAI:
        return self._sender

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embeddings([query])[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        with _embedding_errors(self.model_name):
            found = self._sender.embeddings.create(input=texts, model=self.model_name)
            if self._bill:
                self._bill(_tokens(found, texts))
            rows = sorted(found.data, key=lambda row: row.index)
            if [row.index for row in rows] != list(range(len(texts))):
                raise ValueError("one vector a text expected")
            return [[float(value) for value in row.embedding] for row in rows]


def _tokens(reply: Any, texts: list[str]) -> int:
    """What the endpoint counted; where it does not say, what tiktoken counts."""
    said = getattr(getattr(reply, "usage", None), "prompt_tokens", None)
    return said if isinstance(said, int) and said > 0 else sum(map(count, texts))


@contextmanager
def _embedding_errors(model: str) -> Iterator[None]:
    """Foreign errors become ours. What the server wrote is not repeated: it may hold the key."""
    try:
        yield
    except (openai.OpenAIError, httpx.HTTPError, httpx.InvalidURL) as error:
        raise EmbeddingError(*_as_ours(error, model)) from None
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        raise EmbeddingError(
            f"The embedding endpoint's reply could not be read ({type(error).__name__}).",
            "Check that OPENAI_BASE_URL speaks the OpenAI protocol.",
        ) from None


def _as_ours(error: Exception, model: str) -> tuple[str, str]:
    """Message and hint."""
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return "The embedding endpoint refused the key.", "Check OPENAI_API_KEY."
    if isinstance(error, openai.RateLimitError):
        return "The embedding endpoint asks to slow down.", "Wait, or check plan and billing there."
    if isinstance(error, openai.NotFoundError):
        return f"The embedding endpoint does not know the model {model}.", "Check RAG_EMBEDDING."
    if isinstance(error, openai.APIStatusError):
        return f"The embedding endpoint failed (status {error.status_code}).", "Try again in a moment."
    return (
        "The embedding endpoint cannot be reached.",
        "Check OPENAI_BASE_URL and that the server is running, or set RAG_EMBEDDING=local.",
    )
