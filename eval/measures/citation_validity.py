"""Whether citations point at something: the number exists and the quotes stand in that paper."""

from collections.abc import Mapping

from eval.cases import Case
from eval.marks import cited_numbers
from eval.observation import Observation
from rag.records import Citation, Paper


def citation_validity(case: Case, seen: Observation) -> float | None:
    """Valid citations by all citation numbers, those in the text and those in the answer's list.

    A number is valid when the answer holds exactly one citation for it, the index knows its paper, and every
    quote stands word for word in that paper's abstract or record, white space apart. None without citations.
    """
    by_number: dict[int, list[Citation]] = {number: [] for number in cited_numbers(seen.answer.text)}
    for citation in seen.answer.citations:
        by_number.setdefault(citation.number, []).append(citation)
    if not by_number:
        return None
    valid = [len(found) == 1 and quotes_stand(found[0], seen.sources) for found in by_number.values()]
    return sum(valid) / len(valid)


def quotes_stand(citation: Citation, sources: Mapping[str, Paper]) -> bool:
    """Whether every quote of a citation stands in its paper; `sources` are papers by id."""
    paper = sources.get(citation.paper.id)
    if paper is None:
        return False
    places = [_squeezed(place) for place in _places(paper)]
    quotes = [_squeezed(span.quote) for span in citation.spans]
    return all(quote and any(quote in place for place in places) for quote in quotes)


def _places(paper: Paper) -> list[str]:
    record = [paper.title, ", ".join(paper.authors), paper.published, paper.track or "", paper.url or ""]
    return [paper.abstract, *record]


def _squeezed(text: str) -> str:
    return " ".join(text.split())
