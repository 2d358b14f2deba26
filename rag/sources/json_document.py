"""JSON: an array of records, an object that holds such arrays, an object keyed by id, or one record."""

import json
import re
from collections.abc import Iterator
from typing import Any

from rag.errors import SourceError
from rag.records import Reading
from rag.sources.document import Document, Format
from rag.sources.fields import is_field, is_record, read_records, text_of, venue_and_year, year_of


def _matches(document: Document) -> bool:
    return re.match(r'\s*(?:\[\s*["\[{\]]|\{\s*["}])', document.text) is not None


def _read(document: Document) -> Reading:
    try:
        content = json.loads(document.text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise SourceError(f"{document.name} is not valid JSON: {error.msg} at {place}.") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{document.name} is not usable JSON: {error}.") from None
    venue, year = _shared(content)
    return read_records(document.counted(_records(content, document.name)), venue=venue, year=year)


def _records(content: object, where: str) -> Iterator[tuple[str, object]]:
    """Every record with its place; what surrounds the arrays of an object is not a record."""
    if isinstance(content, list):
        yield from ((f"{where}: record {n}", record) for n, record in enumerate(content, start=1))
    elif isinstance(content, dict) and is_record(content):
        yield where, content
    elif isinstance(content, dict):
        if any(is_record(value) for value in content.values()):
            yield from ((f"{where}: {key}", _keyed(key, value)) for key, value in content.items())
            return
        for key, value in content.items():
            if isinstance(value, dict) or (
                isinstance(value, list) and any(isinstance(v, dict) for v in value)
            ):
                yield from _records(value, f"{where}: {key}")


def _keyed(key: str, record: object) -> object:
    """The record of an object keyed by id, with the key as its id where it carries none."""
    if not isinstance(record, dict) or any(is_field(name, "id") for name in record):
        return record
    return {"id": key, **record}


def _shared(content: object) -> tuple[str | None, int | None]:
    """Venue and year that the object around the records states for all of them."""
    if not isinstance(content, dict) or is_record(content):
        return None, None
    stated: dict[str, Any] = {
        meaning: content[key] for key in content for meaning in ("venue", "year") if is_field(key, meaning)
    }
    venue, year = venue_and_year(text_of(stated.get("venue")))
    return venue, year_of(stated.get("year")) or year


FORMAT = Format("JSON", frozenset({".json"}), _matches, _read)
