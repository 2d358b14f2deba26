"""Which field of a foreign record means what, and how its value becomes part of a Paper."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from rag.cleaning import distinct, squeeze, stable_id
from rag.labels import label
from rag.patterns import lazy_pattern
from rag.records import Paper, Reading, Skipped

# Field names without case, blanks and punctuation; the first one that holds something wins.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "forumid", "paperid", "forum", "openreviewid"),
    "title": ("title", "papertitle", "标题", "题目", "论文标题", "论文题目", "题名"),
    "abstract": ("abstract", "abstractseed", "summary", "abstracttext", "摘要", "中文摘要"),
    "authors": ("authors", "author", "authornames", "authorfullnames", "作者"),
    "venue": (
        *("venue", "conference", "journal", "booktitle", "containertitle", "sourcetitle", "publicationtitle"),
        *("会议", "期刊", "来源"),
    ),
    "year": ("year", "publicationyear", "issued", "published", "年份", "年", "发表年份", "出版年"),
    "track": ("decision", "status", "track"),
    "url": ("url", "link", "site", "openreviewurl", "venueurl", "pdfurl", "pdf", "链接", "网址"),
    "keywords": ("keywords", "keyword", "authorkeywords", "关键词", "关键字"),
}
MEANINGS = tuple(_NAMES)
"""The fields of a Paper that foreign fields are read into."""
_MISSING = frozenset({"", "-", "n/a", "na", "none", "null", "nan", "[no abstract available]"})
# "ICLR 2025 Poster", "Submitted to ICLR 2026", "ICLR 2026 Conference Withdrawn Submission"
_OPENREVIEW_VENUE = lazy_pattern(
    r"(?:(?P<sent>Submitted) to )?(?P<venue>[^\W\d_]\S*) (?P<year>(?:19|20)\d\d)"
    r"(?: Conference)?(?: (?P<track>\D+))?"
)
_VENUE_THEN_YEAR = lazy_pattern(r"(?P<venue>\D.*?)[\s,'’-]*(?P<year>(?:19|20)\d\d)")
_YEAR = lazy_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@lru_cache(maxsize=1024)
def folded(name: str) -> str:
    """A field name as it is compared: "Paper-ID" and "paper_id" are the same."""
    return re.sub(r"[\W_]", "", name).lower()


def is_field(name: str, meaning: str) -> bool:
    """Whether a foreign field called `name` holds the Paper field `meaning`."""
    return folded(name) in _NAMES[meaning]


def is_record(value: object) -> bool:
    """Whether a value is an object with a title or an abstract."""
    return isinstance(value, dict) and any(
        is_field(key, meaning) for key in unwrapped(value) for meaning in ("title", "abstract")
    )


def unwrapped(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record of a note of OpenReview's API, whose fields stand in `content`; any other as it is."""
    content = record.get("content")
    if not isinstance(content, Mapping):
        return record
    fields = {
        name: v["value"] if isinstance(v, Mapping) and "value" in v else v for name, v in content.items()
    }
    forum = record.get("forum") or record.get("id")
    link = {"id": forum, "url": f"https://openreview.net/forum?id={forum}"} if isinstance(forum, str) else {}
    if stated := _OPENREVIEW_VENUE.fullmatch(text_of(fields.get("venue"))):
        fields |= {
            "venue": stated["venue"],
            "year": stated["year"],
            "track": stated["track"] or stated["sent"],
        }
    return {**link, **fields}


def read_records(
    located: Iterable[tuple[str, object]], *, venue: str | None = None, year: int | None = None
) -> Reading:
    """Papers of foreign records, each with where it stands; `venue` and `year` fill what a record lacks."""
    papers: list[tuple[str, Paper]] = []
    skipped: list[Skipped] = []
    for where, record in located:
        if not isinstance(record, Mapping):
            skipped.append(Skipped(where, f"is {_json_kind(record)}, not an object with fields"))
        elif paper := paper_of(record, venue=venue, year=year):
            papers.append((where, paper))
        else:
            skipped.append(Skipped(where, "has neither a title nor an abstract"))
    reading = distinct(papers)
    return Reading(reading.papers, (*skipped, *reading.skipped))


def paper_of(record: Mapping[str, Any], *, venue: str | None = None, year: int | None = None) -> Paper | None:
    """The Paper a record describes, None when it has neither a title nor an abstract."""
    record = unwrapped(record)
    named: dict[str, Any] = {folded(key): value for key, value in record.items() if not _is_missing(value)}

    def value(meaning: str) -> Any:
        return next((named[name] for name in _NAMES[meaning] if name in named), None)

    title, abstract = text_of(value("title")), text_of(value("abstract"))
    if not (title or abstract):
        return None
    own_venue, venue_year = venue_and_year(text_of(value("venue")))
    return Paper(
        id=text_of(value("id")) or stable_id(abstract or title),
        title=title or label(abstract),
        abstract=abstract,
        authors=authors_of(value("authors")),
        venue=own_venue or venue,
        year=year_of(value("year")) or venue_year or year,
        track=text_of(value("track")) or None,
        url=url_of(named[name] for name in _NAMES["url"] if name in named),
        keywords=words_of(value("keywords")),
        titled=bool(title),
    )


def text_of(value: object) -> str:
    """A value as one line of text; a list's texts are joined, an object has none."""
    if isinstance(value, list):
        return squeeze(" ".join(item for item in value if isinstance(item, str)))
    return squeeze(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def year_of(value: object) -> int | None:
    """The first four-digit year of 2025, "2025", "2025-04-24" or `{"date-parts": [[2025, 4, 24]]}`."""
    found = _YEAR.search(str(value) if isinstance(value, Mapping) else text_of(value))
    return int(found[0]) if found else None


def venue_and_year(text: str) -> tuple[str | None, int | None]:
    """The parts of "ICLR 2025"; a year elsewhere ("ICLR 2025 Poster") is read and stays in the venue."""
    if found := _VENUE_THEN_YEAR.fullmatch(text):
        return found["venue"], int(found["year"])
    return text or None, year_of(text)


def url_of(values: Iterable[object]) -> str | None:
    """The first web address; other schemes are not links that may be shown."""
    addresses = (text_of(value) for value in values)
    return next((a for a in addresses if re.match(r"https?://\S+$", a, re.IGNORECASE)), None)


def words_of(value: object) -> tuple[str, ...]:
    """Keywords from a list, or from a text with `;` or `,` between them."""
    items = (
        value
        if isinstance(value, list)
        else re.split(r";" if ";" in text_of(value) else r",", text_of(value))
    )
    return tuple(word for word in map(text_of, items) if word)


def authors_of(value: object) -> tuple[str, ...]:
    """Names in order from a list of names or objects, or from one text that joins them."""
    names = map(_person, value) if isinstance(value, list) else map(squeeze, _split_authors(text_of(value)))
    return tuple(name for name in names if name)


def _split_authors(text: str) -> list[str]:
    """Names of "A B; C D", "A B, C D and E F" or BibTeX's "B, A and D, C"."""
    if ";" in text:
        return text.split(";")
    names = re.split(r",?\s+(?:and|&)\s+", text)
    if len(names) > 1 and all(name.count(",") == 1 for name in names):
        return [" ".join(reversed(name.split(","))) for name in names]
    return [part for name in names for part in name.split(",")]


def _person(author: object) -> str:
    """One author of a list: a name, or an object with `name`, `literal`, or the parts of a name."""
    if not isinstance(author, dict):
        return text_of(author)
    if name := text_of(author.get("name")) or text_of(author.get("literal")):
        return name
    parts = (next((author[k] for k in keys if author.get(k)), "") for keys in _NAME_PARTS)
    return squeeze(" ".join(map(text_of, parts)))


_NAME_PARTS = (
    ("given", "first", "firstname", "first_name"),
    ("dropping-particle",),
    ("non-dropping-particle",),
    ("family", "last", "lastname", "last_name"),
    ("suffix",),
)


def _is_missing(value: object) -> bool:
    return value is None or value == [] or (isinstance(value, str) and value.strip().lower() in _MISSING)


def _json_kind(value: object) -> str:
    if isinstance(value, list):
        return "an array"
    return "a text" if isinstance(value, str) else "null" if value is None else "a single value"
