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
    found = []
    for field in FIELDS:
        others: dict[str, Any] = {field: ()}
        left = _met(papers, replace(within, **others))
        counts = Counter(value for paper in left for value in dict.fromkeys(_values(paper, field)))
        if counts:
            found.append(Facet(field, _commonest(field, counts, most), len(counts)))
    return tuple(found)


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


def _commonest(field: Field, counts: Counter[str], most: int) -> tuple[tuple[str, int], ...]:
    if field == "years":
        return tuple(sorted(counts.items(), key=lambda item: -int(item[0]))[:most])
    first = sorted(counts.items(), key=lambda item: (-item[1], item[0].casefold(), item[0]))[:most]
    if field not in _CONTAINED:
        return tuple(first)
    return tuple((value, _containing(value, counts)) for value, _ in first)


def _containing(value: str, counts: Counter[str]) -> int:
    return sum(count for other, count in counts.items() if value.casefold() in other.casefold())
