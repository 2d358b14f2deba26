"""The chat model's path with the real openai client, through LlamaIndex, against a real HTTP server."""

import inspect
import json
import logging
import pickle
import socket
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import openai
import pytest
from llama_index.core.llms.mock import MockLLM
from scripted_endpoint import Raw, Refusal, Request, ScriptedEndpoint, Silence, Stream, words

import rag.writing.endpoint
from rag.errors import (
    ModelBroken,
    ModelError,
    ModelKeyRejected,
    ModelOverflow,
    ModelRateLimited,
    ModelTimeout,
    ModelUnreachable,
    SpendCapReached,
)
from rag.grounding.citations import settle
from rag.records import Paper, TextDelta, Tokens
from rag.settings import Settings
from rag.writing.endpoint import model_errors, price_usd
from rag.writing.spend import SpendLedger, Spent
from rag.writing.writer import Draft, Writer, open_writer

KEY = "sk-local-0123456789abcdef"
SOURCES = [
    (1, Paper("a", "Alpha", "Alpha trains on 12 orchards. It lowers the error by 30%.")),
    (2, Paper("b", "Beta", "Beta compares five tide tables.", url="https://openreview.net/forum?id=b")),
    (3, Paper("c", "Gamma", "Gamma proves a bound.")),
]


def settings(url: str, **overrides: object) -> Settings:
    values = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url, "RAG_CHAT_TIMEOUT": 5.0} | overrides
    return Settings.model_validate(values)


def writer(url: str, ledger: SpendLedger, **overrides: object) -> Writer:
    opened = open_writer(settings(url, **overrides), ledger)
    assert opened
    return opened


@pytest.fixture
def scribe(endpoint: ScriptedEndpoint, ledger: SpendLedger) -> Writer:
    return writer(endpoint.url, ledger)


def write(scribe: Writer, question: str = "What does Alpha do?") -> tuple[str, Draft]:
    """What was streamed and the draft that came last."""
    streamed, _, draft = write_and_pay(scribe, question)
    return streamed, draft


def write_and_pay(scribe: Writer, question: str = "What does Alpha do?") -> tuple[str, Spent, Draft]:
    """What was streamed, what it cost, and the draft that came last."""
    *deltas, spent, draft = scribe.write(question, "en", SOURCES)
    assert isinstance(spent, Spent)
    assert isinstance(draft, Draft)
    assert all(isinstance(delta, TextDelta) and delta.text for delta in deltas)
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)), spent, draft


# --- answers


def test_a_streamed_answer(endpoint: ScriptedEndpoint, scribe: Writer, ledger: SpendLedger) -> None:
    endpoint.reply(Stream(words("Alpha trains on 12 orchards [1]. It is good."), usage=(1000, 100)))
    streamed, spent, draft = write_and_pay(scribe)
    assert streamed == draft.text == "Alpha trains on 12 orchards [1]. It is good."
    assert not draft.refused
    assert draft.shown == (1, 2, 3)
    assert spent.tokens == Tokens(1000, 100)
    assert spent.cost_usd == pytest.approx(1000 * 0.4e-6 + 100 * 1.6e-6)  # gpt-4.1-mini's list price
    assert ledger.today() == pytest.approx(spent.cost_usd)
    [request] = endpoint.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    sent = {name: request.body[name] for name in ("model", "temperature", "stream", "stream_options")}
    assert sent == {
        "model": "gpt-4.1-mini",
        "temperature": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert "Alpha trains on 12 orchards" in request.prompt


def test_pieces_come_while_the_server_is_still_writing(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Stream([*words("Alpha trains on orchards [1]."), "never sent"], stop_after=5))
    pieces = scribe.write("?", "en", SOURCES)
    assert next(pieces) == TextDelta("Alpha")
    assert next(pieces) == TextDelta(" trains")


def test_a_number_that_was_not_shown_never_reaches_the_user(
    endpoint: ScriptedEndpoint, scribe: Writer
) -> None:
    endpoint.reply(Stream(list("Alpha trains on 12 orchards [9]. It lowers the error by 30% [1, 9].")))
    streamed, draft = write(scribe)
    assert streamed == draft.text == "Alpha trains on 12 orchards. It lowers the error by 30% [1]."
    settled = settle(draft.text, SOURCES)
    assert settled.text == "Alpha trains on 12 orchards [1]. It lowers the error by 30% [1]."


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("NOT IN THE ABSTRACTS", ""),
        ("**Not in the abstracts.**", ""),
        ('"NOT IN THE ABSTRACTS" [1].', ""),
        ("NOT IN THE ABSTRACTS. Alpha is about orchards [1].", "Alpha is about orchards [1]."),
    ],
)
def test_the_refusal_phrase_is_never_shown(
    endpoint: ScriptedEndpoint, scribe: Writer, written: str, text: str
) -> None:
    endpoint.reply(Stream(list(written)))
    streamed, draft = write(scribe)
    assert streamed == ""
    assert draft.refused
    assert draft.text.strip(" 1[].") == text.strip(" 1[].")


def test_a_refusal_after_an_answer_is_no_refusal(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Stream(list("Not much is known [1]. NOT IN THE ABSTRACTS")))
    streamed, draft = write(scribe)
    assert streamed.strip() == draft.text == "Not much is known [1]."
    assert not draft.refused


def test_thoughts_are_not_shown(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Stream(list("<think>[2] or\n\n[1]?</think>\n\nAlpha proves it [3].")))
    streamed, draft = write(scribe)
    assert streamed == draft.text == "Alpha proves it [3]."


def test_an_answer_that_ran_out_of_tokens_ends_with_a_whole_sentence(
    endpoint: ScriptedEndpoint, scribe: Writer
) -> None:
    endpoint.reply(Stream(words("Alpha trains [1]. Beta compares the five"), finish_reason="length"))
    assert write(scribe)[1].text == "Alpha trains [1]."


def test_tokens_are_counted_where_the_server_does_not(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Stream(["Alpha trains on orchards [1]."], usage=None))
    tokens = write_and_pay(scribe)[1].tokens
    assert tokens.prompt > 300
    assert 5 <= tokens.completion <= 12


def test_a_server_that_does_not_stream(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    message = {"role": "assistant", "content": "Alpha trains on orchards [1]."}
    whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    whole |= {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    endpoint.answer_with(lambda request: Raw(json.dumps(whole).encode(), "application/json"))
    streamed, draft = write(scribe)
    assert streamed == draft.text == "Alpha trains on orchards [1]."


@pytest.mark.parametrize("option", ["stream_options", "temperature", "max_tokens"])
def test_a_server_that_refuses_an_option_is_asked_without_it(
    endpoint: ScriptedEndpoint, scribe: Writer, option: str
) -> None:
    def decide(request: Request) -> Refusal | str:
        if option in request.body:
            return Refusal(400, f"Unsupported parameter: '{option}'", "unsupported_parameter")
        return "Alpha trains [1]."

    endpoint.answer_with(decide)
    assert write(scribe)[1].text == "Alpha trains [1]."
    assert write(scribe)[1].text == "Alpha trains [1]."
    assert len(endpoint.requests) == 3  # the second question knows


def test_a_model_that_wants_the_other_name_for_its_limit(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    told = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    endpoint.reply(Refusal(400, told), "Alpha trains [1].")
    assert write(scribe)[1].text == "Alpha trains [1]."
    assert endpoint.requests[1].body["max_completion_tokens"] == endpoint.requests[0].body["max_tokens"]
    assert "max_tokens" not in endpoint.requests[1].body


def test_a_model_that_thinks_has_tokens_for_it(endpoint: ScriptedEndpoint, ledger: SpendLedger) -> None:
    endpoint.reply("Alpha trains [1].")
    assert write(writer(endpoint.url, ledger, RAG_CHAT_MODEL="gpt-5-mini"))[1].text == "Alpha trains [1]."
    body = endpoint.requests[0].body
    assert (body["max_completion_tokens"], body["temperature"]) == (4_000, 1.0)
    assert "max_tokens" not in body


def test_earlier_turns_are_part_of_the_prompt(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply("Yes [1].")
    list(scribe.write("And on pears?", "en", SOURCES, [("Does it work on apples?", "It does [1].")]))
    prompt = endpoint.requests[0].prompt
    assert prompt.index("Q: Does it work on apples?\nA: It does [1].") < prompt.index(
        "Question: And on pears?"
    )


def test_any_llm_of_llama_index_will_do(ledger: SpendLedger) -> None:
    _, spent, draft = write_and_pay(Writer(MockLLM(max_tokens=4), "mock", 4_000, ledger))
    assert draft.text == "text text text text"
    assert spent.cost_usd is None
    assert ledger.today() == 0


def test_thirty_users_get_their_own_answers(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    def decide(request: Request) -> Stream:
        question = request.prompt.rpartition("Question: ")[2].split("?")[0]
        return Stream(words(f"The answer to {question} is here [1]."), delay=0.01)

    endpoint.answer_with(decide)
    with ThreadPoolExecutor(30) as pool:
        drafts = list(pool.map(lambda n: write(scribe, f"question number {n}?")[1], range(30)))
    assert [draft.text for draft in drafts] == [
        f"The answer to question number {n} is here [1]." for n in range(30)
    ]


# --- what goes wrong


def fails(scribe: Writer, kind: type[ModelError]) -> ModelError:
    with pytest.raises(ModelError) as caught:
        write(scribe)
    assert type(caught.value) is kind
    assert KEY not in f"{caught.value!r} {caught.value}"
    assert caught.value.__cause__ is None
    assert caught.value.hint
    return caught.value


def test_a_stream_dropped_half_way_is_broken_and_paid(
    endpoint: ScriptedEndpoint, scribe: Writer, ledger: SpendLedger
) -> None:
    endpoint.reply(Stream(words("Alpha trains on many orchards [1]."), stop_after=4))
    pieces = scribe.write("?", "en", SOURCES)
    shown = [next(pieces), next(pieces)]
    assert shown == [TextDelta("Alpha"), TextDelta(" trains")]
    last: deque[object] = deque(maxlen=1)
    with pytest.raises(ModelBroken, match="half-way"):
        last.extend(pieces)
    spent = last[0]
    assert isinstance(spent, Spent)
    assert spent.cost_usd
    assert ledger.today() == pytest.approx(spent.cost_usd)
    assert len(endpoint.requests) == 1


def test_a_stream_without_an_end_is_broken(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Stream(words("Alpha trains on many"), finish_reason=None))
    fails(scribe, ModelBroken)


def test_a_reader_who_goes_away_pays_for_what_was_written(
    endpoint: ScriptedEndpoint, scribe: Writer, ledger: SpendLedger
) -> None:
    endpoint.reply(Stream(words("Alpha trains on many orchards [1]."), delay=0.02))
    pieces = scribe.write("?", "en", SOURCES)
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert ledger.today() > 0


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key(endpoint: ScriptedEndpoint, scribe: Writer, ledger: SpendLedger, status: int) -> None:
    endpoint.reply(Refusal(status, f"Incorrect API key provided: {KEY}", "invalid_api_key"))
    fails(scribe, ModelKeyRejected)
    assert len(endpoint.requests) == 1
    assert ledger.today() == 0


def test_a_rate_limit_that_passes(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Refusal(429, retry_after=0.05), Refusal(429, retry_after=0.05), "Alpha trains [1].")
    assert write(scribe)[1].text == "Alpha trains [1]."


def test_a_rate_limit_for_ever(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.answer_with(lambda request: Refusal(429, retry_after=0.05))
    assert fails(scribe, ModelRateLimited).retryable
    assert len(endpoint.requests) == 3


def test_a_rate_limit_longer_than_anyone_waits(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.answer_with(lambda request: Refusal(429, retry_after=3_600))
    assert "3600 seconds" in fails(scribe, ModelRateLimited).hint
    assert len(endpoint.requests) == 1


def test_a_used_up_quota_is_not_tried_again(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.answer_with(lambda request: Refusal(429, "quota", "insufficient_quota"))
    assert "quota" in fails(scribe, ModelRateLimited).message
    assert len(endpoint.requests) == 1


def test_a_server_error_is_tried_again(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Refusal(500, retry_after=0.01), "Alpha trains [1].")
    assert write(scribe)[1].text == "Alpha trains [1]."
    endpoint.answer_with(lambda request: Refusal(503, retry_after=0.01))
    fails(scribe, ModelBroken)


@pytest.mark.parametrize("silence", [Silence(5), Silence(5, headers=True)])
def test_a_server_that_says_nothing(
    endpoint: ScriptedEndpoint, ledger: SpendLedger, silence: Silence
) -> None:
    endpoint.reply(silence)
    fails(writer(endpoint.url, ledger, RAG_CHAT_TIMEOUT=0.2), ModelTimeout)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    "raw",
    [
        Raw(b"data: {not json\n\n"),
        Raw(b'data: {"choices": 5}\n\n'),
        Raw(b'data: ["a"]\n\n'),
        Raw(b'data: {"choices": [{"delta": {"content": {"a": 1}}}]}\n\n'),
        Raw(b"data: \xff\xfe\n\n"),
        Raw(b'data: {"error": {"message": "the GPU is gone"}}\n\n'),
        Raw(b"<html>a login page</html>", "text/html"),
        Raw(b'{"detail": "hello"}', "application/json"),
        Raw(b"", "application/json"),
    ],
)
def test_what_is_no_stream_of_answers(endpoint: ScriptedEndpoint, scribe: Writer, raw: Raw) -> None:
    endpoint.answer_with(lambda request: raw)
    fails(scribe, ModelBroken)


@pytest.mark.parametrize("text", ["", "  \n", "[9]", "<think>forever"])
def test_an_empty_answer(endpoint: ScriptedEndpoint, scribe: Writer, text: str) -> None:
    endpoint.answer_with(lambda request: Stream([text]))
    fails(scribe, ModelBroken)


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(400, "This model's maximum context length is 4096 tokens.", "context_length_exceeded"),
        Refusal(400, "the request exceeds the available context size"),
        Refusal(413, "too large"),
    ],
)
def test_a_prompt_too_long_for_the_model(
    endpoint: ScriptedEndpoint, scribe: Writer, refusal: Refusal
) -> None:
    endpoint.reply(refusal)
    assert "RAG_CHAT_WINDOW" in fails(scribe, ModelOverflow).hint


def test_a_prompt_too_long_for_the_settings_is_not_sent(
    endpoint: ScriptedEndpoint, ledger: SpendLedger
) -> None:
    with pytest.raises(ModelOverflow):
        write(writer(endpoint.url, ledger, RAG_CHAT_WINDOW=1_000), "why? " * 2_000)
    assert not endpoint.requests


def test_an_unknown_model(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Refusal(404, "no such model", "model_not_found"))
    assert "RAG_CHAT_MODEL" in fails(scribe, ModelError).hint


def test_a_request_that_the_server_refuses(endpoint: ScriptedEndpoint, scribe: Writer) -> None:
    endpoint.reply(Refusal(422, f"messages: {KEY} is bad"))
    assert "422" in fails(scribe, ModelError).message


@pytest.fixture
def closed_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield listener.getsockname()[1]  # bound, not listening: connections are refused


def test_a_server_that_is_down(
    closed_port: int, ledger: SpendLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(rag.writing.endpoint.time, "sleep", pauses.append)
    fails(writer(f"http://127.0.0.1:{closed_port}/v1", ledger), ModelUnreachable)
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/v1", "http://", "127.0.0.1:80", "http://[::1/v1"])
def test_an_address_that_is_none(url: str, ledger: SpendLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rag.writing.endpoint.time, "sleep", lambda seconds: None)
    with pytest.raises(ModelError) as caught:
        write(writer(url, ledger))
    assert isinstance(caught.value, ModelUnreachable | ModelBroken)


# --- money


def test_no_call_is_made_once_the_cap_is_reached(
    endpoint: ScriptedEndpoint, scribe: Writer, ledger: SpendLedger
) -> None:
    ledger.add(1.0)
    fails(scribe, SpendCapReached)
    assert not endpoint.requests


def test_a_ledger_that_cannot_be_used_stops_the_model_only(
    endpoint: ScriptedEndpoint, scribe: Writer, tmp_path: Path
) -> None:
    (tmp_path / "spend.sqlite3").write_bytes(b"no database" * 100)
    fails(scribe, ModelError)
    assert not endpoint.requests


def test_prices() -> None:
    tokens = Tokens(1_000_000, 1_000_000)
    assert price_usd("gpt-4.1-mini", "https://api.openai.com/v1", tokens) == pytest.approx(2.0)
    assert price_usd("gpt-4.1-mini", "http://127.0.0.1:4000/v1", tokens) == pytest.approx(2.0)  # a proxy
    assert price_usd("deepseek-chat", "https://api.deepseek.com", tokens)
    assert price_usd("qwen2.5-coder-1.5b", "http://127.0.0.1:8081/v1", tokens) is None
    assert price_usd("gpt-unheard-of", "https://api.openai.com/v1", tokens) is None


# --- keys and errors


def test_no_writer_without_a_key_or_with_the_switch_off(ledger: SpendLedger) -> None:
    assert open_writer(Settings.model_validate({}), ledger) is None
    assert open_writer(Settings.model_validate({"OPENAI_API_KEY": KEY, "RAG_USE_LLM": False}), ledger) is None


def test_the_key_is_in_no_log_and_in_no_printed_object(
    endpoint: ScriptedEndpoint, scribe: Writer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint.reply(Refusal(500, KEY, retry_after=0.01), "Alpha trains [1].")
    write(scribe)
    endpoint.reply(Refusal(401, KEY))
    fails(scribe, ModelKeyRejected)
    assert any(record.name.startswith("openai") for record in caplog.records)
    assert KEY not in caplog.text
    for shown in (repr(scribe.llm), str(scribe.llm.to_dict()), scribe.llm.to_json(), str(vars(scribe.llm))):
        assert KEY not in shown


def exceptions_of(module: object) -> list[type[Exception]]:
    found = {
        value for _, value in inspect.getmembers(module, inspect.isclass) if issubclass(value, Exception)
    }
    return sorted(found, key=lambda kind: kind.__name__)


def made(kind: type[Exception]) -> Exception:
    """An instance with the key wherever the class lets a server put something."""
    request = httpx.Request("POST", f"https://user:{KEY}@example.org/v1?key={KEY}")
    response = httpx.Response(400, request=request, json={"error": {"message": KEY, "code": KEY}})
    known = {"message": KEY, "request": request, "response": response, "body": {"message": KEY, "code": KEY}}
    known |= {"completion": None, "unsent_messages": [KEY], "reason": KEY, "provider": KEY}
    error = kind.__new__(kind)
    parameters = inspect.signature(kind.__init__).parameters
    if "completion" in parameters:
        Exception.__init__(error, KEY)
        return error
    named = {name: value for name, value in known.items() if name in parameters}
    try:
        return kind(**named)
    except TypeError:
        return kind(KEY)


@pytest.mark.parametrize(
    "kind", [*exceptions_of(openai), *exceptions_of(httpx)], ids=lambda kind: kind.__name__
)
def test_every_foreign_error_is_mapped(kind: type[Exception]) -> None:
    with pytest.raises(ModelError) as caught, model_errors():
        raise made(kind)
    assert KEY not in f"{caught.value!r} {caught.value}"
    assert caught.value.__suppress_context__
    assert pickle.loads(pickle.dumps(caught.value)).message == caught.value.message  # noqa: S301
