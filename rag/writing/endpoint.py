"""The edge to the chat model: one streamed reply, its retries, its errors as ours, its price.

Only this module knows openai and httpx. It is imported when a model is in use, not before.
"""

import re
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import genai_prices
import httpx
import openai
from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.llms import LLM
from llama_index.llms.openai.utils import O1_MODELS
from llama_index.llms.openai_like import OpenAILike

from rag.errors import (
    ModelBroken,
    ModelError,
    ModelKeyRejected,
    ModelOverflow,
    ModelRateLimited,
    ModelTimeout,
    ModelUnreachable,
)
from rag.patterns import lazy_pattern
from rag.records import Tokens
from rag.settings import Settings

OPENAI_URL = "https://api.openai.com/v1"

# Models that think before they write spend most of their tokens on that.
_TOKENS_WITH_THOUGHTS = 4_000
_RETRIES = 2
# A user waits for the answer: after this many seconds of waiting the extractive answer is the better one.
_PATIENCE_SECONDS = 20.0
# What some servers refuse; the request is repeated without it.
_OPTIONAL = ("stream_options", "max_completion_tokens", "max_tokens", "temperature", "response_format")
# Other names by which servers speak of what they refuse.
_SPOKEN_OF = {"response_format": ("json_schema", "structured output", "grammar", "guided", "schema")}
_OVERFLOW = lazy_pattern(
    r"context[_ ](?:length|window|size)|maximum context|too many tokens|(?:prompt|input) (?:is|are) too long"
    r"|exceeds? the (?:available |model'?s? )?(?:context|limit)|reduce the length",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a reply ended. `tokens` as the endpoint counted them, None where it did not say."""

    cut: bool
    tokens: Tokens | None


def open_llm(settings: Settings, answer_tokens: int) -> LLM:
    """The LLM of the settings, whose replies are at most `answer_tokens` long.

    The key sits in the HTTP client alone: a printed or serialised LLM does not hold it. Nothing is read from
    the environment and no retry is left to the client, which would wait minutes where a server asks for it.
    """
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    base_url = settings.openai_base_url or OPENAI_URL
    thinks = settings.chat_model in O1_MODELS
    with model_errors():
        llm: LLM = OpenAILike(
            model=settings.chat_model,
            api_key="kept in the client",
            api_base=base_url,
            context_window=settings.chat_window,
            is_chat_model=True,
            temperature=0.0,
            max_tokens=max(answer_tokens, _TOKENS_WITH_THOUGHTS) if thinks else answer_tokens,
            timeout=settings.chat_timeout,
            max_retries=0,
            openai_client=openai.OpenAI(
                api_key=key, base_url=base_url, timeout=settings.chat_timeout, max_retries=0
            ),
            additional_kwargs={"stream_options": {"include_usage": True}},
        )
    return llm


def prepared(
    llm: LLM, answer_tokens: int, *, temperature: float = 0.0, schema: Mapping[str, Any] | None = None
) -> tuple[LLM, int]:
    """The same LLM for replies of another length, and the tokens that one of them may take.

    With `schema` it is asked for JSON of that shape; a server that refuses such a request is asked again
    without. An LLM that does not speak the OpenAI protocol stays as it is.
    """
    if not isinstance(llm, OpenAILike):
        return llm, answer_tokens
    room = max(answer_tokens, _TOKENS_WITH_THOUGHTS) if llm.model in O1_MODELS else answer_tokens
    told = dict(llm.additional_kwargs)
    if told.get("max_completion_tokens"):  # a server that refused `max_tokens` was told it by this name
        told["max_completion_tokens"] = room
    if schema:
        named = {"name": "reply", "strict": True, "schema": schema}
        told["response_format"] = {"type": "json_schema", "json_schema": named}
    changed = {"max_tokens": room, "temperature": temperature, "additional_kwargs": told}
    return llm.model_copy(update=changed), room


def reply(llm: LLM, messages: Sequence[ChatMessage]) -> Generator[str | Ending, None, None]:
    """The pieces of one reply as they come, then one Ending.

    A request that failed before the first piece is repeated, within bounds, where a repetition can help.

    Raises:
        ModelError: one of its kinds for whatever went wrong.
    """
    started, waited = False, 0.0
    retries = iter(range(_RETRIES))
    with model_errors():
        while True:
            sent = _options(llm)
            try:
                for piece in _pieces(llm, messages):
                    started = True
                    yield piece
                return
            except openai.APIError as error:
                if started:
                    raise ModelBroken(*_HALF_WAY) from None
                if _drop_refused_option(llm, error, sent):
                    continue
                pause = _pause(error, next(retries, None))
                if pause is None or waited + pause > _PATIENCE_SECONDS:
                    raise
                waited += pause
                time.sleep(pause)
            except httpx.HTTPError:
                if started:
                    raise ModelBroken(*_HALF_WAY) from None
                raise


_HALF_WAY = ("The model's answer stopped half-way.", "Ask again; if it keeps happening, check the endpoint.")


def _pieces(llm: LLM, messages: Sequence[ChatMessage]) -> Iterator[str | Ending]:
    tokens: Tokens | None = None
    finish: str | None = None
    chunks = 0
    stream = llm.stream_chat(messages)
    with closing(stream):
        for response in stream:
            chunks += 1
            tokens = _tokens(response) or tokens
            finish = _finish_reason(response) or finish
            if response.delta:
                yield response.delta
    if not chunks:  # the server answered in one piece although it was asked to stream
        response = llm.chat(messages)
        tokens, finish = _tokens(response), _finish_reason(response)
        yield response.message.content or ""
    if finish is None:
        raise ModelBroken(*_HALF_WAY)
    if finish == "content_filter":
        raise ModelError("The endpoint's content filter stopped the answer.")
    yield Ending(cut=finish == "length", tokens=tokens)


def _finish_reason(response: ChatResponse) -> str | None:
    """Why the model stopped; "stop" for LLMs that do not speak the OpenAI protocol and end when they end."""
    choices = _field(response.raw, "choices")
    if choices is None:
        return "stop"
    return _field(choices[0], "finish_reason") if choices else None


def _tokens(response: ChatResponse) -> Tokens | None:
    usage = _field(response.raw, "usage")
    prompt, completion = _field(usage, "prompt_tokens"), _field(usage, "completion_tokens")
    return Tokens(prompt, completion) if isinstance(prompt, int) and isinstance(completion, int) else None


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _options(llm: LLM) -> dict[str, Any]:
    """What the next request is sent with beside its messages."""
    if not isinstance(llm, OpenAILike):
        return {}
    return {"temperature": llm.temperature, "max_tokens": llm.max_tokens, **llm.additional_kwargs}


def _drop_refused_option(llm: LLM, error: openai.APIError, sent: Mapping[str, Any]) -> bool:
    """Leave out what this server refuses of `sent`, from now on. False when it refused something else."""
    if not isinstance(llm, OpenAILike) or _status(error) not in (400, 422, 500, 501):
        return False
    told = f"{error.param or ''} {error}"
    for option in _OPTIONAL:
        spoken_of = option in told or any(name in told for name in _SPOKEN_OF.get(option, ()))
        if not spoken_of or sent.get(option, openai.omit) is openai.omit:
            continue
        if _options(llm).get(option) is not openai.omit:  # else another thread was told the same
            changed = {option: openai.omit}
            if option == "max_tokens" and "max_completion_tokens" in told:
                changed["max_completion_tokens"] = sent[option]
            # A new dict: another thread may be reading the old one.
            llm.additional_kwargs = llm.additional_kwargs | changed
        return True
    return False


def _pause(error: openai.APIError, attempt: int | None) -> float | None:
    """Seconds until the next try, as asked or growing; None when none is left or none would help."""
    temporary = (
        _status(error) in (408, 409, 429) or (_status(error) or 0) >= 500 or _refused_connection(error)
    )
    if attempt is None or not temporary or error.code == "insufficient_quota":
        return None
    asked = _retry_after(error)
    return 0.5 * 2.0**attempt if asked is None else asked


def _refused_connection(error: openai.APIError) -> bool:
    return isinstance(error, openai.APIConnectionError) and not isinstance(error, openai.APITimeoutError)


def _status(error: Exception) -> int | None:
    return error.status_code if isinstance(error, openai.APIStatusError) else None


def _retry_after(error: openai.APIError) -> float | None:
    """Seconds that the response's Retry-After asks for (RFC 9110: seconds or a date)."""
    if not isinstance(error, openai.APIStatusError):
        return None
    header = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


_FOREIGN = (openai.OpenAIError, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, httpx.CookieConflict)


@contextmanager
def model_errors() -> Iterator[None]:
    """Foreign errors become ours. What the server wrote is not repeated: it may hold the key."""
    try:
        yield
    except _FOREIGN as error:
        raise _as_ours(error) from None
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        # LlamaIndex and the client read replies without checking their shape.
        raise ModelBroken(
            f"The model's answer could not be read ({type(error).__name__}).",
            "Check that OPENAI_BASE_URL speaks the OpenAI protocol.",
        ) from None


def _as_ours(error: Exception) -> ModelError:
    if isinstance(error, openai.APITimeoutError | httpx.TimeoutException) or _status(error) == 408:
        return ModelTimeout("The model did not answer in time.", "Ask again, or raise RAG_CHAT_TIMEOUT.")
    if isinstance(
        error, openai.APIConnectionError | httpx.ConnectError | httpx.UnsupportedProtocol | httpx.InvalidURL
    ):
        return ModelUnreachable(
            "The model's endpoint cannot be reached.", "Check OPENAI_BASE_URL and that the server is running."
        )
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return ModelKeyRejected("The endpoint refused the key.", "Check OPENAI_API_KEY.")
    if isinstance(error, openai.RateLimitError):
        return _rate_limited(error)
    if isinstance(error, openai.APIError) and _overflows(error):
        return ModelOverflow(
            "The question and the abstracts do not fit the model's window.",
            "Set RAG_CHAT_WINDOW to the window the server was started with.",
        )
    if isinstance(error, openai.NotFoundError) or getattr(error, "code", None) == "model_not_found":
        return ModelError(
            "The endpoint does not know this model or address.", "Check RAG_CHAT_MODEL and OPENAI_BASE_URL."
        )
    status = _status(error)
    if status is not None and status < 500:
        return ModelError(f"The endpoint refused the request (status {status}).", "Check RAG_CHAT_MODEL.")
    if status is not None:
        return ModelBroken(f"The endpoint failed (status {status}).", "Ask again in a moment.")
    if isinstance(error, openai.APIError | httpx.HTTPError | httpx.StreamError):
        return ModelBroken("The endpoint broke off its answer.", "Ask again in a moment.")
    return ModelError("The model gave no usable answer.", "Check RAG_CHAT_MODEL and OPENAI_API_KEY.")


def _rate_limited(error: openai.RateLimitError) -> ModelRateLimited:
    if error.code == "insufficient_quota":
        return ModelRateLimited(
            "The account's quota at the endpoint is used up.", "Check plan and billing there."
        )
    asked = _retry_after(error)
    wait = f"Ask again in {asked:.0f} seconds." if asked and asked >= 1 else "Ask again in a minute."
    return ModelRateLimited("The endpoint asks to slow down.", wait)


def _overflows(error: openai.APIError) -> bool:
    return (
        _status(error) == 413
        or error.code in ("context_length_exceeded", "exceed_context_size_error")
        or bool(_OVERFLOW.search(str(error)))
    )


def price_usd(model: str, base_url: str, tokens: Tokens) -> float | None:
    """What these tokens cost, by genai-prices' tables; None for a model whose price is not known.

    An endpoint the tables do not name may be a proxy: OpenAI's own model names are priced as theirs, so that
    the daily cap holds. Anything else there, such as a local model, has no known price.
    """
    usage = genai_prices.Usage(input_tokens=tokens.prompt, output_tokens=tokens.completion)
    try:
        return float(genai_prices.calc_price(usage, model, provider_api_url=base_url).total_price)
    except LookupError:
        pass
    try:
        return float(genai_prices.calc_price(usage, model, provider_id="openai").total_price)
    except LookupError:
        return None
