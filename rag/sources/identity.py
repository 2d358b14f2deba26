"""An id for records whose list gives none but links to the paper: the same paper has it in every list."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from rag.addresses import ARXIV, DOI
from rag.patterns import lazy_pattern
from rag.sources.fields import folded, is_field, text_of

_OPENREVIEW = lazy_pattern(
    r"https?://(?:www\.)?openreview\.net/(?:forum|pdf|attachment)\?(?:.*&)?id=(?P<id>[\w-]+)"
)
_COUNTER = lazy_pattern(r"\d{1,6}")
_DOI = lazy_pattern(rf"(?:https?://[^/\s]+/(?:doi/(?:abs/|e?pdf/|full/)?)?|doi:\s*)?{DOI}", re.IGNORECASE)


def with_linked_id(record: Mapping[str, str]) -> dict[str, str]:
    """The record of a row or block with the paper's id, where its own is none or only counts the rows."""
    named = {folded(name): text_of(value) for name, value in record.items()}
    own = next((value for name, value in named.items() if is_field(name, "id")), "")
    if own and not _COUNTER.fullmatch(own):
        return dict(record)
    links = [value for name, value in named.items() if is_field(name, "url")]
    linked = next(filter(None, (linked_id(link, named.get("doi", "")) for link in links or [""])), None)
    kept = {name: value for name, value in record.items() if not is_field(name, "id")}
    link = {} if links or "doi" not in named else {"url": link_of(named["doi"])}
    return {**kept, **link, "id": linked or ""}


def linked_id(url: str, doi: str = "") -> str | None:
    """OpenReview's id, arXiv's id or the DOI, whichever comes first; None without any."""
    if found := _OPENREVIEW.match(url):
        return found["id"]
    if found := ARXIV.match(url):
        return f"arXiv:{found['id']}"
    return next((name for name in map(doi_of, (doi, url)) if name), None)


def doi_of(text: str) -> str | None:
    """The DOI that a text is or links to, in small letters: case does not tell DOIs apart."""
    found = _DOI.fullmatch(unquote(text.strip()))
    return found["doi"].lower() if found else None


def link_of(doi: str) -> str:
    """The address of a DOI, empty where the text is none."""
    found = _DOI.fullmatch(doi.strip())
    return f"https://doi.org/{found['doi']}" if found else ""
