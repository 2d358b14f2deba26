"""What all bibliographic formats share: one paper as a reference, its values copied from the record."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from rag.addresses import ARXIV, DOI
from rag.cleaning import squeeze
from rag.export.keys import citation_keys
from rag.export.kinds import Kind, is_unpublished, kind_of
from rag.export.names import Name, parse_name
from rag.patterns import lazy_pattern
from rag.records import Paper

_WEB_ADDRESS = lazy_pattern(r"https?://\S+", re.IGNORECASE)
_DOI = lazy_pattern(rf"https?://(?:dx\.)?doi\.org/{DOI}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper as a reference. Texts are one line, free of control characters, empty where there is none."""

    key: str
    kind: Kind
    title: str
    authors: tuple[Name, ...]
    venue: str
    year: int | None
    status: str
    """What the list says of a paper that was not published there: "Reject"."""
    url: str
    doi: str
    arxiv: str
    keywords: tuple[str, ...]
    abstract: str

    @property
    def note(self) -> str:
        """Where a paper was submitted that did not appear there: "ICLR 2018 (Reject)"."""
        if not self.status:
            return ""
        return " ".join(filter(None, (self.venue, str(self.year or ""), f"({self.status})")))


def distinct(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Each id once, where it came first."""
    first: dict[str, Paper] = {}
    for paper in papers:
        first.setdefault(paper.id, paper)
    return tuple(first.values())


def entries(papers: Sequence[Paper]) -> tuple[Entry, ...]:
    """The references of these papers in their order, each id once, under keys that differ."""
    unique = distinct(papers)
    keys = citation_keys(unique)
    return tuple(_entry(paper, keys[paper.id]) for paper in unique)


def _entry(paper: Paper, key: str) -> Entry:
    url = web_address(paper.url)
    arxiv, doi = ARXIV.fullmatch(url), _DOI.fullmatch(url)
    return Entry(
        key=key,
        kind=kind_of(paper.venue or "", paper.track or "", on_arxiv=bool(arxiv)),
        title=squeeze(paper.title) if paper.titled else "",
        authors=tuple(parse_name(author) for author in paper.authors if squeeze(author)),
        venue=squeeze(paper.venue or ""),
        year=paper.year,
        status=squeeze(paper.track or "") if is_unpublished(paper.track or "") else "",
        url=url,
        doi=squeeze(unquote(doi["doi"])) if doi else "",
        arxiv=arxiv["id"] + (arxiv["version"] or "") if arxiv else "",
        keywords=tuple(filter(None, map(squeeze, paper.keywords))),
        abstract=squeeze(paper.abstract),
    )


def web_address(url: str | None) -> str:
    """The address where it is one of the web, else nothing: other schemes are no links."""
    address = squeeze(url or "")
    return address if _WEB_ADDRESS.fullmatch(address) else ""
