"""Papers as references in Markdown. What comes from a record is escaped: it is text, whatever reads it."""

from collections.abc import Sequence

from rag.cleaning import squeeze
from rag.export.entries import distinct, web_address
from rag.patterns import lazy_pattern
from rag.records import Paper

_MAX_OPENING = 80
# Signs that may begin emphasis, code, a link, HTML, an entity, a table cell or a formula inside a line.
_SIGNS = lazy_pattern(r"([\\`*_\[\]<>&~$|^])")
_STOPS = (".", "?", "!", "。", "？", "！")


def markdown(papers: Sequence[Paper]) -> str:
    """A bullet a paper, in order; each id once."""
    return "".join(f"- {reference(paper)}\n" for paper in distinct(papers))


def reference(paper: Paper) -> str:
    """One line: title, authors, venue with year and track, link. What the record lacks is left out.

    A paper without a title is shown by the first words of its abstract, in quotation marks.
    """
    name = squeeze(paper.title) if paper.titled else ""
    title = f"**{escaped(name)}**" if name else f"“{escaped(_opening(paper.abstract))}”"
    names = [name for name in map(escaped, paper.authors) if name]
    authors = ("; " if any("," in name for name in names) else ", ").join(names)
    track = f"({escaped(paper.track)})" if paper.track else ""
    where = " ".join(filter(None, (escaped(paper.published), track)))
    parts = [_stopped(part) for part in (title, authors, where) if part]
    if url := web_address(paper.url):
        parts.append("<" + url.replace("<", "%3C").replace(">", "%3E") + ">")
    return " ".join(parts)


def escaped(text: str) -> str:
    """A text of a record as one line of Markdown that shows it as it is."""
    return _SIGNS.sub(r"\\\1", squeeze(text))


def _stopped(part: str) -> str:
    return part if part.rstrip("*”").endswith(_STOPS) else f"{part}."


def _opening(abstract: str) -> str:
    words = squeeze(abstract)
    if len(words) <= _MAX_OPENING:
        return words
    return words[:_MAX_OPENING].rsplit(" ", 1)[0] + " …"
