"""Papers by the number of their authors: "which paper has the most?", "more than ten authors"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.extractive import facts
from rag.patterns import lazy_pattern
from rag.phrases import say
from rag.question.parsing import Question
from rag.records import Composition, Decision, Evidence, Language, Paper, Statement


@dataclass(frozen=True, slots=True)
class _Bounds:
    """At least and at most so many authors."""

    least: int
    most: int | None


_WORD_NUMBERS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(), 1
    )
} | {"a": 1, "single": 1, "twenty": 20}
_NUMBER = rf"(?P<n>\d+|{'|'.join(_WORD_NUMBERS)})"
# A pattern, what is added to its number for the least and for the most; None leaves that open.
_TEAM_SIZES: tuple[tuple[re.Pattern[str], int | None, int | None], ...] = tuple(
    (lazy_pattern(pattern, re.I), least, most)
    for pattern, least, most in (
        (rf"(?:more than|over)\s+{_NUMBER}\b|(?:超过|多于)\s*(?P<zh>\d+)", 1, None),
        (rf"(?:fewer|less) than\s+{_NUMBER}\b|\bunder\s+(?P<n2>\d+)|(?:少于|不到)\s*(?P<zh>\d+)", None, -1),
        (rf"at least\s+{_NUMBER}\b|至少\s*(?P<zh>\d+)", 0, None),
        (rf"at most\s+{_NUMBER}\b|至多\s*(?P<zh>\d+)", None, 0),
        (
            rf"(?:exactly\s+|only\s+|with\s+|hav(?:e|ing)\s+|by\s+)(?:an?\s+)?{_NUMBER}\s+(?:co-?)?author",
            0,
            0,
        ),
    )
)


def by_team_size(question: Question, papers: Sequence[Paper]) -> Composition:
    language = question.language
    known = [paper for paper in papers if paper.authors]
    if not known:
        return Composition((Statement(say(language, "records_lack")),), abstained=True)
    if bounds := _bounds(question.asked):
        chosen = [
            paper
            for paper in known
            if bounds.least <= len(paper.authors) <= (bounds.most or len(paper.authors))
        ]
        what = _said(bounds, language)
        text = say(language, "team_bounds", yes=len(chosen), n=len(papers), what=what)
    else:
        fewest = bool(re.search(r"fewest|least|smallest|shortest|最少", question.asked, re.I))
        size = (min if fewest else max)(len(paper.authors) for paper in known)
        chosen = [paper for paper in known if len(paper.authors) == size]
        text = say(language, "team_fewest" if fewest else "team_most", count=size)
    decisions = tuple(Decision(paper, "yes", ", ".join(paper.authors), 1.0) for paper in chosen)
    bullets = [
        Statement(
            say(language, "bullet_team", title=facts.neutral(d.paper.title), count=len(d.paper.authors)),
            (Evidence(d.paper, d.quote),),
            lead="\n- ",
        )
        for d in decisions[: facts.SHOWN]
    ]
    return Composition((Statement(text), *bullets), decisions=decisions, count=len(decisions))


def _bounds(asked: str) -> _Bounds | None:
    if re.search(r"\b(?:single|sole)[- ]author|(?:单一|独立|一位)作者", asked, re.I):
        return _Bounds(1, 1)
    for pattern, least, most in _TEAM_SIZES:
        if match := pattern.search(asked):
            found = next(value for value in match.groups() if value)
            number = _WORD_NUMBERS.get(found.lower()) or int(found)
            return _Bounds(
                0 if least is None else number + least, None if most is None else max(number + most, 0)
            )
    return None


def _said(bounds: _Bounds, language: Language) -> str:
    if bounds.least == bounds.most:
        return say(language, "team_exactly", count=bounds.least)
    if bounds.most is None:
        return say(language, "team_at_least", count=bounds.least)
    return say(language, "team_at_most", count=bounds.most)
