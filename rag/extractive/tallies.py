"""Counts and lists over the paper table: how many papers, which orals, who wrote most, who releases code."""

import re
from collections import Counter
from collections.abc import Sequence

from rag.extractive import facts
from rag.extractive.team_size import by_team_size
from rag.phrases import join, say
from rag.question.filters import Filters
from rag.question.parsing import Question
from rag.question.wordings import wording
from rag.records import Composition, Decision, Language, Paper, Statement

_FEW = 3
"""Alternative names said one by one."""
_MANY = 10
"""Names said in one sentence; further ones are counted."""

_SEVERAL = wording(
    r"\bmore than one\b",
    r"\bseveral\b",
    r"\bmultiple\b",
    r"\btwo or more\b",
    r"\bat least two\b",
    "不止一篇",
    "多篇",
)
_NEGATED = wording(r"n['’]t\b", r"\bnot\b", r"\bwithout\b", r"\bno\b", r"\blacks?\b", "(?<!有)没", "未")


def tally(question: Question, papers: Sequence[Paper]) -> Composition:
    """The answer to a question about many records, of which `papers` meet its conditions and topic."""
    match question.asks:
        case "paper_count":
            return _paper_count(question, papers)
        case "prolific":
            return _prolific(question, papers)
        case "team_size":
            return by_team_size(question, papers)
        case "code":
            return _with_code(question, papers)
        case "unrecorded":
            return Composition((Statement(say(question.language, "records_lack")),), abstained=True)
        case _:
            return _listing(question, papers)


def none_meets(question: Question, papers: Sequence[Paper]) -> Composition:
    """Says which condition of the question left nothing of all `papers`."""
    condition = facts.emptied_by(papers, question.filters)
    text = say(question.language, "filter_empty", n=len(papers), what=predicate(condition, question.language))
    return Composition((Statement(text),), abstained=True, count=0)


def predicate(filters: Filters, language: Language, *, several: bool = False) -> str:
    """The conditions as said of papers: "is an oral by Ada Lovelace", "are posters from 2024"."""
    return _predicate_zh(filters) if language == "zh" else _predicate_en(filters, several=several)


def _predicate_en(filters: Filters, *, several: bool) -> str:
    nouns = [
        f"{track}s" if several else f"{'an' if track[0] in 'aeiou' else 'a'} {track}"
        for track in filters.tracks
    ]
    names = [join("en", list(filters.authors)), " or ".join(filters.any_author)]
    if len(filters.any_author) > _FEW:
        names[1] = f"one of these {len(filters.any_author)} authors"
    years = " or ".join(map(str, filters.years))
    if filters.since and filters.until:
        years = f"{filters.since} to {filters.until}"
    elif filters.since or filters.until:
        years = f"{filters.since} or later" if filters.since else f"{filters.until} or earlier"
    parts = [
        "are" if several else "is",
        " or ".join(nouns),
        *(f"by {name}" for name in names if name),
        f"at {' or '.join(filters.venues)}" if filters.venues else "",
        f"from {years}" if years else "",
        f"with the keyword {' or '.join(filters.keywords)}" if filters.keywords else "",
    ]
    return " ".join(part for part in parts if part)


def _predicate_zh(filters: Filters) -> str:
    years = "或 ".join(f"{year} 年" for year in filters.years)
    if filters.since or filters.until:
        until = f"至 {filters.until} 年" if filters.until else "至今"
        years = f"{filters.since} 年{until}" if filters.since else f"{filters.until} 年及以前"
    names = [join("zh", list(filters.authors)), "或 ".join(filters.any_author)]
    if len(filters.any_author) > _FEW:
        names[1] = f"这 {len(filters.any_author)} 位作者之一"
    keywords = f"关键词为 {'或 '.join(filters.keywords)} " if filters.keywords else ""
    owner = " ".join(part for part in (years, "或 ".join(filters.venues), *names, keywords.strip()) if part)
    kind = "或 ".join(filters.tracks)
    owner = f"{owner}{'' if owner.endswith('年') else ' '}的" if owner else ""
    return f"{owner}{' ' if owner and kind else ''}{f'{kind} ' if kind else ''}论文"


def _paper_count(question: Question, papers: Sequence[Paper]) -> Composition:
    tracks = Counter(facts.neutral(paper.track) for paper in papers if paper.track)
    lists = Counter(facts.neutral(paper.published) for paper in papers if paper.published)
    parts = [f"{count:,} {value}" for value, count in [*lists.most_common(3), *tracks.most_common(4)]]
    said = ", ".join(parts)
    detail = "" if not parts else f"（{said}）" if question.language == "zh" else f" ({said})"
    text = say(question.language, "paper_count", n=len(papers), detail=detail)
    return Composition((Statement(text),), count=len(papers))


def _listing(question: Question, papers: Sequence[Paper]) -> Composition:
    language, filters = question.language, question.filters
    several = len(papers) != 1
    if filters:
        what = predicate(filters, language, several=several)
        text = say(language, "listing", yes=len(papers), n=question.considered, what=what)
    else:
        text = say(language, "listing_all", n=len(papers))
    conditions = facts.describe(filters, language)
    decisions = tuple(
        Decision(paper, "yes", facts.record_value(paper, filters), 1.0, conditions) for paper in papers
    )
    # Names are shown as the record has them, whatever the question's spelling.
    return _list(language, text, decisions, quoted=bool(filters.authors or filters.any_author))


def _list(
    language: Language, text: str, decisions: tuple[Decision, ...], *, quoted: bool = True
) -> Composition:
    bullets = facts.listed(language, decisions, quoted=quoted)
    return Composition((Statement(text), *bullets), decisions=decisions, count=len(decisions))


def _prolific(question: Question, papers: Sequence[Paper]) -> Composition:
    language = question.language
    counts = Counter(author for paper in papers for author in paper.authors)
    if not counts:
        return Composition((Statement(say(language, "records_lack")),), abstained=True)
    most = max(counts.values())
    least = 2 if _SEVERAL.search(question.asked) else most
    authors = [author for author, count in counts.most_common() if count >= least]
    if not authors or most == 1:
        return Composition((Statement(say(language, "prolific_none")),), count=len(authors) and most)
    named = join(language, authors[:_MANY]) + (f" (+{len(authors) - _MANY})" if len(authors) > _MANY else "")
    key = "prolific_several" if least < most else "prolific" if len(authors) == 1 else "prolific_tie"
    decisions = tuple(
        Decision(paper, "yes", facts.authors_quote(paper, set(authors)), 1.0)
        for paper in papers
        if set(paper.authors) & set(authors)
    )
    head = Statement(say(language, key, authors=named, count=most, n=len(authors)))
    count = len(authors) if least < most else most
    return Composition((head, *facts.listed(language, decisions)), decisions=decisions, count=count)


def _with_code(question: Question, papers: Sequence[Paper]) -> Composition:
    language = question.language
    on_github = bool(re.search(r"\bgithub\b|\brepositor|\brepos?\b|仓库", question.asked, re.I))
    found = [(paper, facts.code_sentence(paper, repository_only=on_github)) for paper in papers]
    without = bool(_NEGATED.search(question.asked))
    decisions = tuple(
        Decision(paper, "yes", quote or paper.title, 1.0) for paper, quote in found if bool(quote) != without
    )
    lacking = without and bool(decisions)
    english = f"{'no' if lacking else 'a'} repository link" if on_github else "no code" if lacking else "code"
    chinese = "代码仓库链接" if on_github else "代码"
    text = say(
        language,
        "code_all" if without and not decisions else "code_some",
        yes=len(decisions),
        n=len(papers),
        what=english if language == "en" else chinese,
        neg="没有" if without else "",
        among=say(language, "among", topic=facts.neutral(question.topic)) if question.topic else "",
    )
    return _list(language, text, decisions, quoted=not without)
