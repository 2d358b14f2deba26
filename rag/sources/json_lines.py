"""JSON Lines: one record a line. A line that is broken is passed over, the others are read."""

import json
from collections.abc import Iterator

from rag.errors import SourceError
from rag.records import Reading, Skipped
from rag.sources.document import Document, Format
from rag.sources.fields import read_records

_SUFFIXES = frozenset({".jsonl", ".ndjson"})


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines that hold something. Only line feeds end a line: JSON strings may hold other breaks."""
    start, number = 0, 1
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if line := text[start:end].strip():
            yield number, line
        start, number = end + 1, number + 1


def _matches(document: Document) -> bool:
    """Whether several lines follow, the first an object by itself, or a broken one in a file of this name."""
    lines = _lines(document.text)
    _, first = next(lines, (0, ""))
    if not first.startswith("{") or next(lines, None) is None:
        return False
    return _is_json(first) or (document.suffix in _SUFFIXES and len(first) > 1)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _read(document: Document) -> Reading:
    records: list[tuple[str, object]] = []
    broken: list[Skipped] = []
    for number, line in _lines(document.text):
        where = f"{document.name}: line {number}"
        try:
            records.append((where, json.loads(line)))
        except (ValueError, RecursionError) as error:
            broken.append(Skipped(where, f"is not valid JSON ({error})"))
    if not records:
        raise SourceError(f"{document.name} is not valid JSON Lines: {broken[0].where} {broken[0].reason}.")
    reading = read_records(document.counted(records))
    return Reading(reading.papers, (*broken, *reading.skipped))


FORMAT = Format("JSON Lines", _SUFFIXES, _matches, _read)
