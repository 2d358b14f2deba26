"""CSL-JSON, for Zotero, Pandoc and every processor of the Citation Style Language (schema version 1.0)."""

import json
from collections.abc import Sequence
from typing import Any

from rag.export.entries import Entry, entries
from rag.export.kinds import Kind
from rag.export.names import Name
from rag.records import Paper

_TYPES: dict[Kind, str] = {
    "conference": "paper-conference",
    "journal": "article-journal",
    "preprint": "article",
    "unpublished": "manuscript",
    "other": "article",
}


def csl(papers: Sequence[Paper]) -> str:
    """A JSON array with one item a paper, in order; each id once."""
    return json.dumps([_item(entry) for entry in entries(papers)], ensure_ascii=False, indent=2) + "\n"


def _item(entry: Entry) -> dict[str, Any]:
    item = {
        "title": entry.title,
        "author": [_name(name) for name in entry.authors],
        "container-title": "" if entry.note else entry.venue,
        "issued": {"date-parts": [[entry.year]]} if entry.year else None,
        "note": entry.note,
        "number": f"arXiv:{entry.arxiv}" if entry.arxiv else "",
        "DOI": entry.doi,
        "URL": entry.url,
        "keyword": ", ".join(entry.keywords),
        "abstract": entry.abstract,
    }
    return {
        "id": entry.key,
        "type": _TYPES[entry.kind],
        **{name: value for name, value in item.items() if value},
    }


def _name(name: Name) -> dict[str, str]:
    if not name.given:
        return {"literal": name.family}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {part: value for part, value in parts.items() if value}
