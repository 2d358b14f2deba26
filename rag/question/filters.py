"""Conditions on the record in a question: track, year, venue, authors. Read, and cut out of the question."""

import re
from dataclasses import dataclass, replace

from rag.patterns import lazy_pattern
from rag.question.author_names import read_authors
from rag.question.wordings import PAPER


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a paper's record must meet, all of them. Empty tuples and None mean "any".

    `tracks`, `years`, `venues`, `keywords` and `any_author` list alternatives; of `authors` everyone must be
    there.
    `since` and `until` are years, both inclusive.
    """

    tracks: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    since: int | None = None
    until: int | None = None
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    any_author: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != Filters()

    def apart(self) -> list["Filters"]:
        """Each condition by itself."""
        each = (
            Filters(tracks=self.tracks),
            Filters(years=self.years, since=self.since, until=self.until),
            Filters(venues=self.venues),
            *(Filters(authors=(author,)) for author in self.authors),
            Filters(any_author=self.any_author),
            Filters(keywords=self.keywords),
        )
        return [condition for condition in each if condition]


def read_filters(asked: str) -> tuple[Filters, str]:
    """The conditions in a question, and the question without them: "which oral papers" → "which papers"."""
    found = read_authors(asked)
    filters = Filters(
        authors=() if found.either else found.names, any_author=found.names if found.either else ()
    )
    text = found.text
    for read in (_venues, _bounds, _years, _tracks):
        filters, text = read(filters, text)
    return (filters, " ".join(text.split())) if filters else (filters, asked)


def _venues(filters: Filters, text: str) -> tuple[Filters, str]:
    matches = list(_VENUE.finditer(text))
    venues = tuple(dict.fromkeys(m["at"] or m["its"] or m["zh"] for m in matches))
    years = tuple(int(year) for m in matches if (year := m["at_year"] or m["its_year"] or m["zh_year"]))
    return replace(filters, venues=venues, years=years), _VENUE.sub(" ", text)


def _bounds(filters: Filters, text: str) -> tuple[Filters, str]:
    for pattern, first, last in _BOUNDS:
        if match := pattern.search(text):
            years = [int(year) for year in match.groups()]
            since = filters.since if first is None else years[0] + first
            until = filters.until if last is None else years[-1] + last
            filters, text = replace(filters, since=since, until=until), pattern.sub(" ", text, count=1)
    return filters, text


def _years(filters: Filters, text: str) -> tuple[Filters, str]:
    named = [int(year) for match in _YEARS.finditer(text) for year in _YEAR.findall(match.group())]
    return replace(filters, years=tuple(sorted({*filters.years, *named}))), _YEARS.sub(" ", text)


def _tracks(filters: Filters, text: str) -> tuple[Filters, str]:
    tracks = tuple(track for track, pattern in _TRACKS.items() if pattern.search(text))
    for pattern in _TRACKS.values():
        text = pattern.sub(_papers_meant, text)
    return replace(filters, tracks=tracks), text


def _papers_meant(track: re.Match[str]) -> str:
    """What is left of a track: "which orals" asks for papers, and so does 有哪些口头报告."""
    if track["several"]:
        return " papers "
    return " " if track.group().isascii() or "论文" in track.string else "论文"


_AFTER_TRACK = (
    r"(?=\s*(?:$|[^\w\s-]|(?:or|and|at|in|track|by|from|about|on|of|that|which|who|with|deals?|uses?"
    r"|stud(?:y|ies)|are|is|was|were|here|there|this|papers?|works?|ones?)\b|[\u4e00-\u9fff]))"
)


def _track(english: str, chinese: str) -> re.Pattern[str]:
    """ "an oral", "orals", "oral papers"; `several` matches where the word stands for papers. A word of
    another subject ("oral history") does not count."""
    return lazy_pattern(
        rf"(?:\b(?:as\s+)?(?:an?\s+|the\s+)?(?<![\w-]){english}"
        rf"(?:(?P<several>s\b(?:\s+{PAPER}\b)?|\s+(?:{PAPER}|presentations?|talks?)\b)|{_AFTER_TRACK})"
        rf"|(?:{chinese})(?:论文|文章)?)",
        re.I,
    )


_TRACKS = {
    "oral": _track("oral", "口头报告|口头"),
    "spotlight": _track("spotlight", "亮点论文|焦点论文|亮点报告"),
    "poster": _track("poster", "海报(?!生成|设计)|墙报"),
}

_YEAR = lazy_pattern(r"(?:19|20)\d\d")
_Y = r"((?:19|20)\d\d)"
_OUT = r"(?:\b(?:published|presented|written|accepted|released|appear(?:ed|ing)?|out)\s+)?"
# A pattern, what is added to its first year for `since` and to its last for `until`; None leaves that open.
_BOUNDS: tuple[tuple[re.Pattern[str], int | None, int | None], ...] = tuple(
    (lazy_pattern(_OUT + pattern, re.I), first, last)
    for pattern, first, last in (
        (rf"\b(?:between|from|in)\s+{_Y}\s*(?:and|to|until|through|-|–)\s*{_Y}\b", 0, 0),
        (rf"{_Y}\s*年?\s*(?:到|至|-|–|~)\s*{_Y}\s*年?(?:之间|间)?", 0, 0),
        (rf"\b(?:since|starting (?:in|from))\s+{_Y}\b", 0, None),
        (rf"\b(?:from|in)\s+{_Y}\s+(?:on(?=\W*$)|onwards?\b|or later\b|and later\b)", 0, None),
        (rf"\b(?:after|later than|newer than)\s+{_Y}\b", 1, None),
        (rf"\b(?:before|earlier than|older than|prior to)\s+{_Y}\b", None, -1),
        (rf"\b(?:until|up to|till|no later than)\s+{_Y}\b", None, 0),
        (rf"{_Y}\s*年?\s*(?:以来|起|及?以后)", 0, None),
        (rf"{_Y}\s*年?\s*(?:之后|后)", 1, None),
        (rf"{_Y}\s*年?\s*(?:之前|以前|前)", None, -1),
    )
)
_YEARS = lazy_pattern(
    rf"{_OUT}\b(?:in|from|of|dated)\s+(?:the year\s+)?{_Y}\b(?:\s*(?:,|or|and)\s*{_Y}\b)*"
    rf"|\b{_Y}(?=\s+{PAPER}\b)"
    rf"|(?<!\d){_Y}\s*年",
    re.I,
)

# ACL, WWW and CHI are words of other subjects too in lower case.
_VENUES = (
    r"(?:iclr|neurips|nips|icml|(?-i:ACL|WWW|CHI)|emnlp|naacl|eacl|coling|cvpr|iccv|eccv|aaai|ijcai|kdd|sigir"
    r"|recsys|cikm|wsdm|aistats|uai|colt|corl|icra|interspeech|icassp|tmlr|jmlr|tacl|siggraph|miccai)"
)
_VENUE = lazy_pattern(
    rf"{_OUT}\b(?:at|in|from|to|of|by)\s+(?:the\s+)?(?P<at>{_VENUES})(?:[\s'’]*(?P<at_year>20\d\d))?(?![\w-])"
    rf"|\b(?P<its>{_VENUES})(?:[\s'’]*(?P<its_year>20\d\d))?(?=\s+(?:{PAPER}|orals?|spotlights?|posters?)\b)"
    rf"|(?:发表在|发表于|在)?\s*(?P<zh>{_VENUES})\s*(?P<zh_year>20\d\d)?\s*年?(?=上|的|中|发表|收录|接收|论文)",
    re.I,
)
