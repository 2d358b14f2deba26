"""Text repair, stable ids, and records that are the same paper."""

import hashlib
import unicodedata
from collections.abc import Iterable

from rag.patterns import lazy_pattern
from rag.records import Paper, Reading, Skipped

_UNSEEN = lazy_pattern(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200b\u2060\ufeff]")
_LONE_SURROGATE = lazy_pattern(r"[\ud800-\udfff]")


def squeeze(text: str) -> str:
    """The text on one line with single blanks; control characters and zero-width blanks are dropped."""
    if not text.isascii() or not text.isprintable():
        text = _LONE_SURROGATE.sub("\ufffd", _UNSEEN.sub("", text))
    return " ".join(text.split())


def _comparable(text: str) -> str:
    """What two copies of a text share: no white space or invisible characters, one Unicode form, no case.

    White space goes altogether, since a list may break its lines inside Chinese text.
    """
    # Unicode's compatibility caseless match (chapter 3.13, D146), with white space removed before and after:
    # decomposing turns some spacing accents into a blank and a mark.
    bare = "".join(squeeze(text).split())
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFD", bare).casefold()).casefold()
    seen = "".join(char for char in folded if not char.isspace() and unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKD", seen)


def stable_id(abstract: str) -> str:
    """16 hexadecimal digits that depend on the text, but not on its white space, case and Unicode form."""
    return hashlib.blake2b(_comparable(abstract).encode(), digest_size=8).hexdigest()


def adopt(papers: Iterable[Paper], known: Iterable[Paper]) -> list[Paper]:
    """`papers` in their order, each one without a title replaced by the known record with its abstract.

    The first known record with a title wins where several share an abstract.
    """
    records: dict[str, Paper] = {}
    for paper in known:
        if paper.titled and paper.abstract:
            records.setdefault(_comparable(paper.abstract), paper)
    return [paper if paper.titled else records.get(_comparable(paper.abstract), paper) for paper in papers]


def distinct(located: Iterable[tuple[str, Paper]]) -> Reading:
    """Papers with each id once: the first one stays, every later one is listed as skipped with its place."""
    first: dict[str, Paper] = {}
    skipped: list[Skipped] = []
    for where, paper in located:
        if (kept := first.get(paper.id)) is None:
            first[paper.id] = paper
        else:
            how = "the same record" if kept == paper else "a different record"
            skipped.append(Skipped(where, f"repeats the id {paper.id} with {how}; the first one is kept"))
    return Reading(tuple(first.values()), tuple(skipped))


def recognise(reading: Reading, known: Iterable[Paper]) -> Reading:
    """`reading` with `adopt` applied; a paper that thereby comes twice is listed as skipped."""
    adopted = adopt(reading.papers, known)
    unique = distinct((paper.title, paper) for paper in adopted)
    return Reading(unique.papers, (*reading.skipped, *unique.skipped))
