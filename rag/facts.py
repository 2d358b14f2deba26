"""Counts and facts about the records, computed from the paper table, never generated."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from rag.phrases import join, say
from rag.question import Filters, Question
from rag.records import Composition, Decision, Evidence, Hit, Language, Paper, Statement
from rag.sentences import split

SHOWN = 20
"""A list's text names at most this many papers; `Composition.decisions` holds all."""

_URL = re.compile(r"https?://[^\s{}<>]+", re.I)
_REPOSITORY = re.compile(r"(?:https?://)?(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)/\S+", re.I)
_CODE_SAID = re.compile(
    r"\b(?:code|implementation|source)s?\b.{0,60}\b(?:available|released?|public\w*|open|found|provided?)\b",
    re.I,
)


def select(papers: Sequence[Paper], filters: Filters) -> list[Paper]:
    """The papers that meet every condition of `filters`, in their order."""
    return [paper for paper in papers if _meets(paper, filters)]


def describe(filters: Filters, language: Language) -> str:
    """The conditions in words: "oral, 2024, by Ada Lovelace"."""
    by = "作者 {}" if language == "zh" else "by {}"
    return ", ".join(
        [*filters.tracks, *map(str, filters.years), *(by.format(name) for name in filters.authors)]
    )


def answer(question: Question, papers: Sequence[Paper], hits: Sequence[Hit]) -> Composition | None:
    """The answer to a question about records.

    `papers` are those that meet the question's filters and topic; `hits` the ranking for questions about
    one paper. None when the question cannot be answered from records, and the abstracts should be asked.
    """
    match question.asks:
        case "paper_count":
            return _paper_count(question, papers)
        case "listing":
            return _listing(question, papers)
        case "prolific":
            return _prolific(question, papers)
        case "code" if asks_for_list(question):
            return _papers_with_code(question, papers)
        case "track" if question.filters.tracks and not _one_paper(question, hits):
            return _listing(question, papers)
    return _about_one(question, hits[0].paper) if hits else None


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


def neutral(text: str) -> str:
    """Corpus text that cannot pass for a citation mark: "[3]" becomes "［3］"."""
    return re.sub(r"\[(\s*\d+(?:\s*[,;–-]\s*\d+)*\s*)\]", r"［\1］", text)


def name_key(name: str) -> frozenset[str]:
    """The words of a name without case and accents, in no order: "Müller, Jörg" = "Jorg Muller"."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or name
    return frozenset(re.findall(r"\w+", plain.casefold()))


def _meets(paper: Paper, filters: Filters) -> bool:
    if filters.tracks and (paper.track or "").casefold() not in filters.tracks:
        return False
    if filters.years and paper.year not in filters.years:
        return False
    keys = [name_key(author) for author in paper.authors]
    return all(any(name_key(wanted) <= key for key in keys) for wanted in filters.authors)


def asks_for_list(question: Question) -> bool:
    """Whether a question about records wants papers listed or counted, not one paper's record."""
    return bool(
        re.search(
            r"\b(?:papers|works|abstracts|ones|studies|how many|list|all|any)\b|哪些|多少|几篇|有没有",
            question.asked,
            re.I,
        )
    )


def _one_paper(question: Question, hits: Sequence[Hit]) -> bool:
    """Whether the question names one paper ("was Fugatto an oral?") rather than asking for all of a track."""
    names = {
        word for word in re.findall(r"[\w-]+", question.asked) if not word[1:].islower() and len(word) > 2
    }
    names |= set(re.findall(r"\b[A-Z][\w-]+", question.asked[1:]))
    return bool(hits) and any(
        re.search(rf"\b{re.escape(n)}\b", f"{hits[0].paper.title} {hits[0].paper.abstract}") for n in names
    )


def _paper_count(question: Question, papers: Sequence[Paper]) -> Composition:
    tracks = Counter(paper.track for paper in papers if paper.track)
    lists = Counter(paper.published for paper in papers if paper.published)
    parts = [f"{count} {value}" for value, count in [*lists.most_common(3), *tracks.most_common(4)]]
    detail = f" ({', '.join(parts)})" if parts else ""
    return Composition(
        (Statement(say(question.language, "paper_count", n=len(papers), detail=detail)),), count=len(papers)
    )


def _listing(question: Question, papers: Sequence[Paper]) -> Composition:
    language, conditions = question.language, describe(question.filters, question.language)
    decisions = tuple(
        Decision(paper, "yes", _record_value(paper, question.filters), 1.0, conditions) for paper in papers
    )
    total = question.considered
    if not decisions:
        return Composition(
            (Statement(say(language, "filter_empty", filters=conditions)),), abstained=True, count=0
        )
    head = Statement(say(language, "listing", yes=len(decisions), n=total, filters=conditions))
    return Composition(
        (head, *listed(language, decisions, quoted=False)), decisions=decisions, count=len(decisions)
    )


def _record_value(paper: Paper, filters: Filters) -> str:
    if filters.tracks and paper.track:
        return paper.track
    if filters.authors:
        wanted = [name_key(name) for name in filters.authors]
        return ", ".join(author for author in paper.authors if any(key <= name_key(author) for key in wanted))
    return str(paper.year or "")


def _prolific(question: Question, papers: Sequence[Paper]) -> Composition:
    counts = Counter(author for paper in papers for author in paper.authors)
    if not counts:
        return Composition((Statement(say(question.language, "not_found", n=len(papers))),), abstained=True)
    most = max(counts.values())
    authors = [author for author, count in counts.items() if count == most]
    named = join(question.language, authors[:10]) + (f" (+{len(authors) - 10})" if len(authors) > 10 else "")
    key = "prolific" if len(authors) == 1 else "prolific_tie"
    decisions = tuple(
        Decision(paper, "yes", ", ".join(a for a in paper.authors if a in authors), 1.0)
        for paper in papers
        if set(paper.authors) & set(authors)
    )
    head = Statement(say(question.language, key, author=named, authors=named, count=most))
    return Composition((head, *listed(question.language, decisions)), decisions=decisions, count=most)


def _papers_with_code(question: Question, papers: Sequence[Paper]) -> Composition:
    on_github = "github" in question.asked.lower()
    found = [(paper, code_sentence(paper, repository_only=on_github)) for paper in papers]
    decisions = tuple(Decision(paper, "yes", quote, 1.0) for paper, quote in found if quote)
    what = {
        "en": "a repository link" if on_github else "code",
        "zh": "代码仓库链接" if on_github else "代码",
    }[question.language]
    text = say(
        question.language,
        "code_some",
        yes=len(decisions),
        n=question.considered,
        what=what,
        s="s" if len(decisions) == 1 else "",
    )
    return Composition(
        (Statement(text), *listed(question.language, decisions)), decisions=decisions, count=len(decisions)
    )


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


def _about_one(question: Question, paper: Paper) -> Composition:
    language, title = question.language, neutral(paper.title)
    unknown = Composition(
        (Statement(say(language, "record_unknown", title=title), (Evidence(paper, paper.title),)),),
        abstained=True,
    )
    text, quote = _fact(question, paper, title)
    if not text:
        return unknown
    count = len(paper.authors) if question.asks == "author_count" else None
    decisions = (Decision(paper, "yes", quote, 1.0),) if question.asks in ("track", "listing") else ()
    return Composition((Statement(text, (Evidence(paper, quote),)),), decisions=decisions, count=count)


def _fact(question: Question, paper: Paper, title: str) -> tuple[str, str]:
    """The sentence that states the fact and the record's words it rests on; both empty when not recorded."""
    language, authors = question.language, list(paper.authors)
    match question.asks:
        case "authors" if authors:
            if re.search(r"\bfirst author|\blead author|第一作者|一作", question.asked, re.I):
                return say(language, "first_author", title=title, author=authors[0]), authors[0]
            if re.search(r"\b(?:last|senior) author|最后一位作者", question.asked, re.I):
                return say(language, "last_author", title=title, author=authors[-1]), authors[-1]
            return say(language, "authors", title=title, authors=join(language, authors)), ", ".join(authors)
        case "author_count" if authors:
            many = "" if len(authors) == 1 else "s"
            named = join(language, authors)
            return say(
                language, "author_count", title=title, count=len(authors), s=many, authors=named
            ), ", ".join(authors)
        case "track" if paper.track:
            venue = paper.published or ("the venue" if language == "en" else "会议")
            return say(language, "track", title=title, track=paper.track, venue=venue), paper.track
        case "year" | "venue" if paper.published:
            return say(language, "published", title=title, venue=paper.published), paper.published
        case "link" if paper.url:
            return say(language, "link", title=title, url=paper.url), paper.url
        case "code":
            if sentence := code_sentence(paper, repository_only=False):
                return say(language, "quote", title=title, quote=neutral(sentence).rstrip(".。 ")), sentence
            return say(language, "code_none", title=title), paper.title
    return "", ""
