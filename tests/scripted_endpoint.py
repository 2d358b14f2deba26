"""An OpenAI-compatible HTTP server on loopback whose replies a test scripts.

    with ScriptedEndpoint() as endpoint:
        endpoint.reply("Attention is cited [1].")           # replies are used up in order ...
        endpoint.reply(Refusal(429, retry_after=0.1))
        endpoint.answer_with(lambda request: "[1]")         # ... then, or without any, this decides
        ... a client against endpoint.url ...
        assert endpoint.requests[0].prompt.endswith("...")

Real HTTP, real server-sent events, a thread for every connection. All methods may be called from any thread.
"""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

CONTEXT_LENGTH_EXCEEDED = "context_length_exceeded"


@dataclass(frozen=True)
class Request:
    """A request as it came in. `headers` have lower-case names."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """The contents of all messages, one after the other."""
        return "\n".join(str(message["content"]) for message in self.body.get("messages", []))


@dataclass(frozen=True)
class Stream:
    """A streamed reply, or the whole of it in one JSON where the request does not ask for a stream.

    `delay` seconds pass before each piece. `stop_after` pieces the connection is closed without a word; with
    `finish_reason=None` the stream ends in good order but says no reason. `usage` is sent when asked for.
    """

    pieces: Sequence[str]
    delay: float = 0.0
    stop_after: int | None = None
    finish_reason: str | None = "stop"
    usage: tuple[int, int] | None = (100, 20)


@dataclass(frozen=True)
class Refusal:
    """An error reply in OpenAI's shape. `retry_after` in seconds becomes the header of that name."""

    status: int
    message: str = "scripted"
    code: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True)
class Raw:
    """These bytes as they are, for what no well-behaved server sends."""

    body: bytes
    content_type: str = "text/event-stream"
    status: int = 200


@dataclass(frozen=True)
class Silence:
    """Nothing for so many seconds, then the connection is closed. `headers` sends a status line first."""

    seconds: float
    headers: bool = False


Reply = Stream | Refusal | Raw | Silence


def words(text: str) -> list[str]:
    """A text in pieces as models send them: a word with the blank before it."""
    head, *rest = text.split(" ")
    return [head, *(f" {word}" for word in rest)]


@dataclass
class ScriptedEndpoint:
    """The server; a context manager that serves while it is open. `url` is the base URL for a client."""

    requests: list[Request] = field(default_factory=list)
    _queue: deque[Reply] = field(default_factory=deque)
    _decide: Callable[[Request], Reply | str] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closing: threading.Event = field(default_factory=threading.Event)

    def reply(self, *replies: Reply | str) -> None:
        """Queue replies; a string is streamed word by word."""
        with self._lock:
            self._queue.extend(_as_reply(reply) for reply in replies)

    def answer_with(self, decide: Callable[[Request], Reply | str]) -> None:
        """What to reply when the queue is empty."""
        with self._lock:
            self._decide = decide

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def next_reply(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            if self._queue:
                return self._queue.popleft()
            decide = self._decide
        if decide is None:
            return Refusal(500, "the script has no reply left")
        return _as_reply(decide(request))

    def wait(self, seconds: float) -> None:
        """Sleep, but not beyond the end of the test."""
        self._closing.wait(seconds)

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.script = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _as_reply(reply: Reply | str) -> Reply:
    return Stream(words(reply)) if isinstance(reply, str) else reply


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    script: ScriptedEndpoint

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of the script."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        request = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        match self.server.script.next_reply(request):
            case Stream() as stream if body.get("stream"):
                self._stream(stream, with_usage=bool((body.get("stream_options") or {}).get("include_usage")))
            case Stream() as stream:
                self._json(200, _completion(stream))
            case Refusal() as refusal:
                self._refuse(refusal)
            case Raw() as raw:
                self._whole(raw.status, raw.body, raw.content_type)
            case Silence() as silence:
                if silence.headers:
                    self._start_events()
                self.server.script.wait(silence.seconds)
                self.close_connection = True

    def _stream(self, stream: Stream, *, with_usage: bool) -> None:
        self._start_events()
        for sent, piece in enumerate(stream.pieces):
            if sent == stream.stop_after:
                self.close_connection = True
                return
            self.server.script.wait(stream.delay)
            self._event(_chunk({"content": piece}, None))
        if stream.finish_reason:
            self._event(_chunk({}, stream.finish_reason))
        if stream.usage and with_usage:
            self._event({**_chunk({}, None), "choices": [], "usage": _usage(stream.usage)})
        self._send(b"data: [DONE]\n\n")
        self._send(b"")

    def _start_events(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def _event(self, data: Mapping[str, Any]) -> None:
        self._send(b"data: " + json.dumps(data).encode() + b"\n\n")

    def _send(self, block: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(block), block))
        self.wfile.flush()

    def _refuse(self, refusal: Refusal) -> None:
        error = {"message": refusal.message, "type": "scripted", "param": None, "code": refusal.code}
        retry = {} if refusal.retry_after is None else {"retry-after": str(refusal.retry_after)}
        self._json(refusal.status, {"error": error}, retry)

    def _json(self, status: int, data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._whole(status, json.dumps(data).encode(), "application/json", headers)

    def _whole(
        self, status: int, body: bytes, content_type: str, headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {
            **(headers or {}),
            "content-type": content_type,
            "content-length": str(len(body)),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are in the record; nothing goes to stderr."""


def _chunk(delta: Mapping[str, Any], finish_reason: str | None) -> dict[str, Any]:
    return {
        "id": "scripted",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


def _completion(stream: Stream) -> dict[str, Any]:
    message = {"role": "assistant", "content": "".join(stream.pieces)}
    return {
        **_chunk({}, None),
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": stream.finish_reason}],
        "usage": _usage(stream.usage or (0, 0)),
    }


def _usage(counts: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)}
