"""What the records say of papers, and the plain forms in which answers list papers. Nothing is generated."""

import re
import unicodedata
from collections.abc import Collection, Sequence

from rag.grounding.marks import neutral as neutral
from rag.patterns import lazy_pattern
from rag.phrases import say
from rag.question.filters import Filters
from rag.records import Decision, Evidence, Language, Paper, Statement
from rag.sentences import split

SHOWN = 20
"""A list's text names at most this many papers; `Composition.decisions` holds all."""

_URL = lazy_pattern(r"https?://[^\s{}<>]+", re.I)
_REPOSITORY = lazy_pattern(r"(?:https?://)?(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)/\S+", re.I)
_CODE_SAID = lazy_pattern(
    r"\b(?:code|implementation|source)s?\b.{0,60}\b(?:available|released?|public\w*|open|found|provided?)\b"
    r"|\b(?:release|publish|provide|open-?source)\b.{0,40}\bcodes?\b",
    re.I,
)


def select(papers: Sequence[Paper], filters: Filters) -> list[Paper]:
    """The papers that meet every condition of `filters`, in their order."""
    return [paper for paper in papers if _meets(paper, filters)]


def emptied_by(papers: Sequence[Paper], filters: Filters) -> Filters:
    """The condition that no paper meets; all of them where each is met, but never by one paper together."""
    return next((one for one in filters.apart() if not select(papers, one)), filters)


def describe(filters: Filters, language: Language) -> str:
    """The conditions in a few words: "oral, 2024, by Ada Lovelace"."""
    words = (
        ("作者 {}", "{} 年起", "截至 {} 年", "或", "关键词 {}")
        if language == "zh"
        else ("by {}", "since {}", "until {}", " or ", "keyword {}")
    )
    by, since, until, either, keyword = words
    return ", ".join(
        [
            *filters.tracks,
            *filters.venues,
            *map(str, filters.years),
            *([since.format(filters.since)] if filters.since else []),
            *([until.format(filters.until)] if filters.until else []),
            *(by.format(name) for name in filters.authors),
            *([by.format(either.join(filters.any_author))] if filters.any_author else []),
            *([keyword.format(either.join(filters.keywords))] if filters.keywords else []),
        ]
    )


def listed(language: Language, decisions: Sequence[Decision], *, quoted: bool = True) -> list[Statement]:
    """One bulleted statement a paper, the first `SHOWN` of them."""
    statements = []
    for decision in decisions[:SHOWN]:
        quote = neutral(decision.quote).rstrip(".。 ")
        text = (
            say(language, "bullet", title=neutral(decision.paper.title), quote=quote)
            if quoted and decision.quote
            else say(language, "bullet_plain", title=neutral(decision.paper.title))
        )
        statements.append(Statement(text, (Evidence(decision.paper, decision.quote),), lead="\n- "))
    if len(decisions) > SHOWN:
        statements.append(Statement(say(language, "list_rest", rest=len(decisions) - SHOWN), lead="\n\n"))
    return statements


def record_value(paper: Paper, filters: Filters) -> str:
    """The words of the record that meet the conditions."""
    if filters.tracks and paper.track:
        return paper.track
    if wanted := [name_key(name) for name in (*filters.authors, *filters.any_author)]:
        return authors_quote(paper, {a for a in paper.authors if any(key <= name_key(a) for key in wanted)})
    if filters.venues:
        return paper.venue or ""
    return str(paper.year or "") if filters else paper.title


def authors_quote(paper: Paper, named: Collection[str]) -> str:
    """The one author of `paper` who is `named`, else all its authors: always words of the record as it is."""
    found = [author for author in paper.authors if author in named]
    return found[0] if len(found) == 1 else ", ".join(paper.authors)


def code_sentence(paper: Paper, *, repository_only: bool) -> str:
    """The sentence of the abstract that gives the code's place, empty when there is none.

    A repository is an address on a code host; a project page on `github.io` is none.
    """
    for span in split(paper.abstract):
        sentence = span.of(paper.abstract)
        if _REPOSITORY.search(sentence):
            return sentence
        if (
            not repository_only
            and _CODE_SAID.search(sentence)
            and (_URL.search(sentence) or "code" in sentence.lower())
        ):
            return sentence
    return ""


def name_key(name: str) -> frozenset[str]:
    """The words of a name without case and accents, in no order: "Müller, Jörg" = "Jorg Muller"."""
    marked = unicodedata.normalize("NFKD", name.casefold()).translate(_LETTERS)
    return frozenset(re.findall(r"\w+", "".join(sign for sign in marked if not unicodedata.combining(sign))))


# Letters that Unicode does not take apart into a plain letter and an accent.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})


def _meets(paper: Paper, filters: Filters) -> bool:
    if filters.tracks and not any(track in (paper.track or "").casefold() for track in filters.tracks):
        return False
    if filters.venues and not any(v.casefold() in (paper.venue or "").casefold() for v in filters.venues):
        return False
    if filters.years and paper.year not in filters.years:
        return False
    if filters.since and (paper.year or 0) < filters.since:
        return False
    if filters.until and (paper.year is None or paper.year > filters.until):
        return False
    if filters.keywords:
        held = {keyword.casefold() for keyword in paper.keywords}
        if not any(keyword.casefold() in held for keyword in filters.keywords):
            return False
    keys = [name_key(author) for author in paper.authors]

    def wrote(name: str) -> bool:
        wanted = name_key(name)
        return bool(wanted) and any(wanted <= key for key in keys)

    any_author = not filters.any_author or any(map(wrote, filters.any_author))
    return any_author and all(map(wrote, filters.authors))
