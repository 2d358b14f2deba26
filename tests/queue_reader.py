"""A reader of the page without a browser: speaks the HTTP API that the page itself speaks, and measures."""

import json
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx


@dataclass(frozen=True)
class Exchange:
    """A question and all that came back for it, until the page said it was done. `seconds` is wall time."""

    question: str
    messages: str
    succeeded: bool
    seconds: float

    def said(self, words: str) -> bool:
        """Whether these words came back, in HTML or not."""
        return words in self.messages


@dataclass
class QueueReader:
    """One session of the page at `url`; its conversation lives in the memory of the server."""

    url: str
    session: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    exchanges: list[Exchange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._client = httpx.Client(base_url=self.url, trust_env=False, timeout=120)
        config = self._client.get("/config").json()
        box = next(c["id"] for c in config["components"] if c["props"].get("elem_id") == "question")
        switch = next(c["id"] for c in config["components"] if c["props"].get("elem_id") == "model-switch")
        asks = next(d for d in config["dependencies"] if [box, "submit"] in d["targets"])
        self._function, self._inputs, self._given = asks["id"], asks["inputs"], {box: "", switch: True}
        self._box = box

    def ask(self, question: str) -> Exchange:
        """Ask in this conversation and read to the end of the answer."""
        given = self._given | {self._box: question}
        began = time.perf_counter()
        joined = self._client.post(
            "/gradio_api/queue/join",
            json={
                "data": [given.get(component) for component in self._inputs],
                "fn_index": self._function,
                "session_hash": self.session,
                "event_data": None,
                "trigger_id": self._box,
            },
        ).raise_for_status()
        messages = self._until_done(joined.json()["event_id"])
        last = messages[-1]
        told = json.dumps(messages, ensure_ascii=False)
        exchange = Exchange(question, told, bool(last.get("success")), time.perf_counter() - began)
        self.exchanges.append(exchange)
        return exchange

    def close(self) -> None:
        self._client.close()

    def _until_done(self, event: str) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = []
        with self._client.stream(
            "GET", "/gradio_api/queue/data", params={"session_hash": self.session}
        ) as lines:
            for line in lines.iter_lines():
                if not line.startswith("data:"):
                    continue
                message = json.loads(line[5:])
                if message.get("event_id") not in (event, None):
                    continue
                messages.append(message)
                if message["msg"] in ("process_completed", "close_stream", "unexpected_error"):
                    if message["msg"] == "process_completed":
                        break
                    if messages[-2:-1] and messages[-2]["msg"] == "process_completed":
                        break
        return [m for m in messages if m["msg"].startswith("process")] or messages
