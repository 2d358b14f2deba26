"""The entries of a BibTeX file as papers."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names
from bibtexparser.model import Entry, ParsingFailedBlock

from rag.cleaning import squeeze
from rag.records import Reading, Skipped
from rag.sources.document import Document
from rag.sources.fields import read_records
from rag.sources.identity import link_of, linked_id
from rag.sources.latex_text import plain_text

# The first that an entry has; `howpublished` also holds links, which are no venue.
_VENUES = ("booktitle", "journal", "journaltitle", "eventtitle", "howpublished")
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())  # what is broken is reported in `skipped`


def read_entries(document: Document) -> Reading:
    """Papers of the entries of a document, in its order; what is broken costs only itself."""
    library = parse_string(document.text)
    entries = list(library.entries)
    broken: list[Skipped] = []
    for block in library.failed_blocks:
        if isinstance(block.ignore_error_block, Entry):  # a key or field that comes twice
            entries.append(_unenclosed(block.ignore_error_block))
        else:
            broken.append(Skipped(_place(document, block), "is not valid BibTeX"))
    entries.sort(key=lambda entry: entry.start_line or 0)
    reading = read_records(document.counted(_records(document, entries)))
    return Reading(reading.papers, (*broken, *reading.skipped))


def _place(document: Document, block: ParsingFailedBlock | Entry) -> str:
    return f"{document.name}: line {(block.start_line or 0) + 1}"


def _records(document: Document, entries: list[Entry]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    by_key = {entry.key.lower(): _fields(entry) for entry in entries}
    for entry in entries:
        fields = _fields(entry)
        parent = by_key.get(fields.get("crossref", "").lower(), {})
        inherited = {
            "booktitle": parent.get("title", ""),
            **{name: parent.get(name, "") for name in ("year", "url")},
        }
        yield _place(document, entry), _record({**inherited, **fields})


def _unenclosed(entry: Entry) -> Entry:
    """An entry that the library set aside before it took the braces or quotes around the values away."""
    for field in entry.fields:
        value = str(field.value)
        if value[:1] + value[-1:] in {"{}", '""'}:
            field.value = value[1:-1]
    return entry


def _fields(entry: Entry) -> dict[str, str]:
    """The fields as written; of one that comes twice the longer value is kept."""
    fields: dict[str, str] = {}
    for field in entry.fields:
        name, value = field.key.lower(), squeeze(str(field.value))
        fields[name] = max(fields.get(name, ""), value, key=len)
    return fields


def _record(fields: Mapping[str, str]) -> dict[str, Any]:
    doi = plain_text(fields.get("doi", ""))
    url = plain_text(fields.get("url", "")) or _eprint(fields) or link_of(doi)
    venues = (plain_text(fields.get(name, "")) for name in _VENUES)
    return {
        "id": linked_id(url, doi),
        "title": plain_text(fields.get("title", "")),
        "abstract": plain_text(fields.get("abstract", "")),
        "authors": _authors(fields.get("author", "")),
        "venue": next((venue for venue in venues if venue and "://" not in venue), None),
        "year": fields.get("year") or fields.get("date"),
        "url": url,
        "keywords": plain_text(fields.get("keywords", "")),
    }


def _eprint(fields: Mapping[str, str]) -> str:
    kind = fields.get("archiveprefix", fields.get("eprinttype", ""))
    return (
        f"https://arxiv.org/abs/{fields['eprint']}" if kind.lower() == "arxiv" and "eprint" in fields else ""
    )


def _authors(field: str) -> list[str]:
    """Names in order, given names first, as BibTeX takes them apart; "and others" is nobody."""
    names = [name for name in split_multiple_persons_names(field) if name.lower() != "others"]
    return [plain_text(_given_first(name)) for name in names]


def _given_first(name: str) -> str:
    parts = parse_single_name_into_parts(name, strict=False)
    return " ".join([*parts.first, *parts.von, *parts.last, *parts.jr])
