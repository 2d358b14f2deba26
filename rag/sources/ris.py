"""RIS, as reference managers and publishers write it: lines of a tag and a value, one record a paper.

Read here line by line: files in use lack end tags and wrap long values, which rispy takes for the end of all.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rag.patterns import lazy_pattern
from rag.records import Reading
from rag.sources.document import Document, Format
from rag.sources.fields import read_records
from rag.sources.identity import link_of, linked_id

_TAGGED = lazy_pattern(r"(?P<tag>[A-Z][A-Z0-9]) {1,2}-(?: (?P<value>.*)|$)")
_START = lazy_pattern(r"^[ \t]*TY {1,2}- ?", re.MULTILINE)
_TITLE_OR_ABSTRACT = lazy_pattern(r"^[ \t]*(?:TI|T1|CT|AB|N2) {1,2}- ", re.MULTILINE)
_SUFFIX = lazy_pattern(r"(?:jr|sr)\.?|[IVX]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Record:
    """The values of each tag in the order of the file; `line` is that of the first one."""

    line: int
    values: dict[str, list[str]] = field(default_factory=dict)

    def first(self, *tags: str) -> str:
        return next((value for tag in tags for value in self.values.get(tag, ()) if value), "")

    def all(self, *tags: str) -> list[str]:
        return [value for tag in tags for value in self.values.get(tag, ())]


def _matches(document: Document) -> bool:
    return bool(_START.search(document.text) and _TITLE_OR_ABSTRACT.search(document.text))


def _read(document: Document) -> Reading:
    records = (
        (f"{document.name}: line {record.line}", _fields(record)) for record in _records(document.text)
    )
    return read_records(document.counted(records))


def _records(text: str) -> Iterator[_Record]:
    """Records from each TY to the next ER or TY; a line without a tag goes on the value before it."""
    record, tag = None, ""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        tagged = _TAGGED.fullmatch(line.strip())
        if tagged and tagged["tag"] in {"TY", "ER"}:
            if record:
                yield record
            record = _Record(number) if tagged["tag"] == "TY" else None
        elif record and tagged:
            tag = tagged["tag"]
            record.values.setdefault(tag, []).append((tagged["value"] or "").strip())
        elif record and line.strip() and tag in record.values:
            record.values[tag][-1] += f" {line.strip()}"
    if record:
        yield record


def _fields(record: _Record) -> Mapping[str, Any]:
    doi = record.first("DO")
    url = record.first("UR", "L2") or link_of(doi)
    return {
        "id": linked_id(url, doi),
        "title": record.first("TI", "T1", "CT"),
        "abstract": record.first("AB", "N2"),
        "authors": [_given_first(name) for name in record.all("A1", "AU")],
        "venue": record.first("T2", "JF", "JO", "BT", "C3", "J2", "JA"),
        "year": record.first("PY", "Y1", "DA"),
        "url": url,
        "keywords": [word for value in record.all("KW") for word in value.split(";")],
    }


def _given_first(name: str) -> str:
    """ "King, Martin Luther, Jr." as "Martin Luther King Jr."; other names as they are."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 2 or (len(parts) == 3 and _SUFFIX.fullmatch(parts[2])):
        return " ".join([parts[1], parts[0], *parts[2:]])
    return name


FORMAT = Format("RIS", frozenset({".ris"}), _matches, _read)
