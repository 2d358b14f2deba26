"""Question sets for the Eval tab, and an engine's lines that pass some of them and fail others."""

import json
from typing import Any

from scripted_engine import Line

from rag.records import Answer, Citation, CitedSpan, Decision, Paper, Receipt

HOSTILE = "<img src=http://evil.example/x onerror=alert(1)> ${alert(2)} {{value}} <script>alert(3)</script>"
MASKS = Paper("masks", f"Masks for {HOSTILE}", "We study masks. The error falls by half.", track="oral")
GROWTH = Paper("growth", "Growth in $x^2$ steps", "Growth is fast. It ends.")
CITED = Citation(
    1, MASKS, (CitedSpan(0, "The error falls by half."), CitedSpan(1, "We study masks.", "weak"))
)
FAST = Citation(1, GROWTH, (CitedSpan(0, "Growth is fast."),))


def saying(question: str, text: str, *citations: Citation, **changes: Any) -> Line:
    fields = {
        "kind": "lookup",
        "language": "en",
        "confidence": 0.8,
        "receipt": Receipt(seconds={"total": 0.1}),
    }
    answer = Answer(question, text=text, citations=citations, **(fields | changes))
    return Line([text[:5], text[5:]], answer)


ONE = Decision(MASKS, "yes", "We study masks.", 0.0)
LINES = {
    "masks?": saying("masks?", "The error falls by half [1]. Masks are studied [1].", CITED),
    "growth?": saying("growth?", f"It grows [1]. {HOSTILE}", FAST),
    "weather?": saying("weather?", "The papers do not say.", abstained=True),
    "which?": saying("which?", "1 of 2 [1].", CITED, kind="enumerate", papers=(ONE,), count=1),
    "breaks?": Line(["Half"], RuntimeError("what broke")),
}


def a_case(case_id: str, question: str, kind: str = "lookup", **changes: Any) -> dict[str, Any]:
    asked = {"turns": question.split("|")} if "|" in question else {"question": question}
    return {"id": case_id, "kind": kind, "answerable": True, "gold": [], "nuggets": []} | asked | changes


SET = [
    a_case("passes", "masks?", gold=["masks"], nuggets=[["half"]]),
    a_case("lacks", "growth?", gold=["growth"], nuggets=[["forty-<b>two</b>", "42"]]),
    a_case("refuses", "weather?", "unanswerable", answerable=False),
    a_case("lists", "which?", "enumerate", gold=["masks", "growth"]),
    a_case("follows", "masks?|growth?", "followup", gold=["growth"]),
    a_case("crashes", "breaks?", gold=["masks"]),
]


def as_file(lines: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(line) for line in lines)


def upload(content: str | bytes, name: str = "mine.jsonl") -> dict[str, Any]:
    content = content.encode() if isinstance(content, str) else content
    return {"name": name, "mimeType": "application/jsonl", "buffer": content}
