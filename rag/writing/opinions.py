"""What a model says of the papers of a list: the shape it is asked for, and reading whatever it wrote."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag.records import Choice

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "papers": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "quote": {"type": "string"},
                    "decision": {"type": "string", "enum": ["yes", "maybe", "no"]},
                },
                "required": ["number", "quote", "decision"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["papers"],
    "additionalProperties": False,
}
"""JSON schema of a reply. The quote comes before the decision that rests on it."""

_CHOICES: Mapping[str, Choice] = {
    "yes": "yes", "true": "yes", "maybe": "maybe", "partly": "maybe", "unsure": "maybe", "no": "no",
    "false": "no",
    "是": "yes", "也许": "maybe", "可能": "maybe", "否": "no", "不是": "no",
}  # fmt: skip
_LONGEST = 50_000  # characters of a reply that are read
_NUMBERS = ("number", "id", "paper", "abstract")
_DECISIONS = ("decision", "choice", "answer", "match", "meets")


@dataclass(frozen=True, slots=True)
class Opinion:
    """A model's word on one paper; `quote` is what it says to have copied from there, unchecked."""

    choice: Choice
    quote: str = ""


def as_json(opinions: Sequence[tuple[int, Opinion]]) -> str:
    """A reply in the shape of `SCHEMA`."""
    papers = [{"number": n, "quote": given.quote, "decision": given.choice} for n, given in opinions]
    return json.dumps({"papers": papers}, ensure_ascii=False)


def read_opinions(text: str, shown: Sequence[int]) -> dict[int, Opinion]:
    """The opinions of a reply by number, whether or not it is all JSON, or whole.

    Numbers that were not shown are left out, and so are those of which the reply says different things.
    """
    found: dict[int, Opinion] = {}
    contradicted: set[int] = set()
    for entry in _entries(text[:_LONGEST]):
        number, opinion = _number(entry), _opinion(entry)
        if number not in shown or opinion is None:
            continue
        if found.setdefault(number, opinion).choice != opinion.choice:
            contradicted.add(number)
    return {number: opinion for number, opinion in found.items() if number not in contradicted}


def _entries(text: str) -> Iterator[dict[str, Any]]:
    """All JSON objects with a decision, the outermost that can be read: a reply may be cut or have prose."""
    decoder = json.JSONDecoder(strict=False)
    at = 0
    while (at := _next_opening(text, at)) >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield from _objects(value)
        at = end


def _next_opening(text: str, at: int) -> int:
    return min((place for sign in "{[" if (place := text.find(sign, at)) >= 0), default=-1)


def _objects(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if depth > 4:  # an object in a list in an object is as deep as replies are
        return
    if isinstance(value, list):
        for part in value:
            yield from _objects(part, depth + 1)
    elif isinstance(value, dict):
        if any(name in value for name in _DECISIONS):
            yield value
            return
        for name, part in value.items():
            if isinstance(part, dict) and name.isdecimal():
                yield {"number": name, **part}  # {"3": {"decision": ...}}
            elif isinstance(part, str | bool) and name.isdecimal():
                yield {"number": name, "decision": part}  # {"3": "no"}
            else:
                yield from _objects(part, depth + 1)


def _number(entry: Mapping[str, Any]) -> int:
    """The number an entry is about, -1 where it names none."""
    value = next((entry[name] for name in _NUMBERS if name in entry), None)
    digits = str(value).strip(" []#")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 9 else -1


def _opinion(entry: Mapping[str, Any]) -> Opinion | None:
    said = next((entry[name] for name in _DECISIONS if name in entry), None)
    choice = _CHOICES.get(str(said).strip(" .。\"'").casefold())
    quote = entry.get("quote")
    return Opinion(choice, quote if isinstance(quote, str) else "") if choice else None
