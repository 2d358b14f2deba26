"""Which conditions on the record a list of papers offers, and how many papers would meet each."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rag.extractive.facts import emptied_by, select
from rag.question.filters import Filters
from rag.records import Paper

Field = Literal["venues", "years", "tracks", "authors", "keywords"]
FIELDS: tuple[Field, ...] = ("venues", "years", "tracks", "authors", "keywords")
_CONTAINED = ("venues", "tracks")  # a condition on these is met by any value that has it within


@dataclass(frozen=True, slots=True)
class Facet:
    """One field: its commonest values with their numbers of papers, and how many values there are in all.

    Years come newest first, other values by their number of papers.
    """

    field: Field
    values: tuple[tuple[str, int], ...]
    distinct: int


def facets(papers: Sequence[Paper], within: Filters, *, most: int = 8) -> tuple[Facet, ...]:
    """The fields that the records fill in, each with at most `most` values.

    A value's number counts the papers that would be left if it were the only condition of its field, the
    conditions of the other fields kept.
    """
    alone = {field: _only(within, field) for field in FIELDS}
    ids = {field: {paper.id for paper in _met(papers, only)} for field, only in alone.items() if only}
    no_values: dict[str, Any] = dict.fromkeys(FIELDS, ())
    rest = replace(within, **no_values)
    found = []
    for field in FIELDS:
        others = [known for other, known in ids.items() if other != field]
        left = [paper for paper in _met(papers, rest) if all(paper.id in known for known in others)]
        counts = _counted(left, field)
        if counts:
            found.append(Facet(field, _commonest(field, counts, most), len(counts)))
    return tuple(found)


def _only(within: Filters, field: Field) -> Filters:
    values: dict[str, Any] = {field: getattr(within, field)}
    return Filters(**values)


def unmet(papers: Sequence[Paper], within: Filters) -> Filters:
    """What leaves no paper: the one condition that nobody meets, else all; empty where papers are left."""
    if not within or _met(papers, within):
        return Filters()
    return emptied_by(papers, within)


def _met(papers: Sequence[Paper], within: Filters) -> Sequence[Paper]:
    return select(papers, within) if within else papers


def _values(paper: Paper, field: Field) -> Iterable[str]:
    """A paper's values of a field, as its condition is written: tracks in lower case."""
    if field == "authors":
        return paper.authors
    if field == "keywords":
        return paper.keywords
    value = {"venues": paper.venue, "years": paper.year, "tracks": paper.track and paper.track.casefold()}[
        field
    ]
    return (str(value),) if value else ()


def _counted(papers: Iterable[Paper], field: Field) -> Counter[str]:
    """Papers by value; keywords that differ in case only are one, written as most papers write it."""
    spellings: dict[str, Counter[str]] = {}
    for paper in papers:
        once = {_folded(value, field): value for value in _values(paper, field)}
        for key, value in once.items():
            spellings.setdefault(key, Counter())[value] += 1
    return Counter({written.most_common(1)[0][0]: written.total() for written in spellings.values()})


def _folded(value: str, field: Field) -> str:
    return value.casefold() if field == "keywords" else value


def _commonest(field: Field, counts: Counter[str], most: int) -> tuple[tuple[str, int], ...]:
    if field == "years":
        return tuple(sorted(counts.items(), key=lambda item: -int(item[0]))[:most])
    first = sorted(counts.items(), key=lambda item: (-item[1], item[0].casefold(), item[0]))[:most]
    if field not in _CONTAINED:
        return tuple(first)
    return tuple((value, _containing(value, counts)) for value, _ in first)


def _containing(value: str, counts: Counter[str]) -> int:
    return sum(count for other, count in counts.items() if value.casefold() in other.casefold())
