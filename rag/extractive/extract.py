"""Verbatim sentences that answer a question, in a readable frame, each with the paper it is from."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from rag.extractive.named import asked_about, owners
from rag.extractive.relevance import Sentence, SentenceRanker
from rag.extractive.roles import ROLES, Role, approach, by_role, is_general
from rag.grounding.marks import neutral
from rag.index.paper_index import PaperIndex
from rag.patterns import lazy_pattern
from rag.phrases import join, say
from rag.question.naming import names_in
from rag.question.parsing import Question
from rag.records import Composition, Evidence, Hit, Language, Paper, Statement

WORDS = {"lookup": 90, "explain": 90, "compare": 116}
"""Most words that are quoted, for compare of all papers; the best sentence is quoted at any length."""
MARGIN = {"lookup": 3.0, "explain": 3.0, "compare": 3.5}
"""A further sentence is quoted when its log-odds are at most this much below the best one's."""
WORTH: dict[Role, float] = {"result": 1.0, "problem": 0.8, "detail": 0.7}
"""What it is worth to a summary to tell of these beside the approach."""
WORSE, CHOICES = 0.1, 3
"""What each place further down in its role costs a sentence, and how many of a role are looked at."""
FIGURE_MARGIN = 2.5
"""How far below the best sentence one with a figure may be to come before it."""
SENTENCES = {"lookup": 3, "explain": 4, "compare": 3}
"""Most sentences that are quoted of one paper."""
CLOSE, CLOSEST = 0.2, 4
"""Papers this little below the first one's score may come before it, among so many."""
OWNED = 0.3
"""What it is worth to a paper, in fused score, that the question names the system it introduces."""
SENTENCE_SHARE = 0.1
"""What a point of log-odds of its best sentence is worth to a paper, in fused score."""

_FIGURE = lazy_pattern(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|single)\b", re.I
)
_COLON_NAME = lazy_pattern(r"^([^:]{2,40}):\s")


def best_first(question: Question, hits: Sequence[Hit], ranker: SentenceRanker) -> list[Hit]:
    """`hits` with the paper first that answers best, among those that retrieval could hardly tell apart.

    A paper whose own system the question names may come from further behind.
    """
    if not hits:
        return []
    own = owners(question, hits, ranker.index)
    first = hits[0].score
    lifted = [replace(hit, score=hit.score + OWNED) if hit.paper.id in own else hit for hit in hits]
    close = [
        hit
        for place, hit in enumerate(lifted)
        if hit.paper.id in own or (place < CLOSEST and hit.score >= first - CLOSE)
    ]
    if len(close) > 1:
        best = max(
            close, key=lambda hit: hit.score + SENTENCE_SHARE * _best_score(question, hit.paper, ranker)
        )
        return [best, *(hit for hit in lifted if hit is not best)]
    return lifted


def compose(
    question: Question, hits: Sequence[Hit], index: PaperIndex, ranker: SentenceRanker
) -> Composition:
    """A few quoted sentences: from the best paper, or from each that the question names."""
    about = asked_about(question, hits, index)
    statements: list[Statement] = []
    general = is_general(question, " ".join(paper.title for paper in about.papers))
    if general and len(about.papers) > 1:
        statements = _point_by_point(question, about.papers, ranker)
    else:
        for number, paper in enumerate(about.papers):
            own = _without_others(question, paper, about.papers)
            ranked = ranker.rank(own, paper)
            quoted = _told(question, ranked) if general else _pick(question, ranked, len(about.papers))
            statements += _framed(question, paper, quoted, own_line=number > 0)
    if about.unknown and statements:
        unknown = join(question.language, [neutral(name) for name in about.unknown])
        statements.append(Statement(say(question.language, "name_unknown", what=unknown), lead="\n\n"))
    return Composition(tuple(statements))


def _best_score(question: Question, paper: Paper, ranker: SentenceRanker) -> float:
    return max((sentence.score for sentence in ranker.rank(question, paper)), default=-5.0)


def _without_others(question: Question, paper: Paper, papers: Sequence[Paper]) -> Question:
    """The question as it is put to one of several papers: without the names of the others."""
    if len(papers) < 2:
        return question
    text = f"{paper.title} {paper.abstract}".casefold()
    others = [name for name in names_in(question.query_str) if name.casefold() not in text]
    query = question.query_str
    for name in others:
        query = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", query)
    return replace(question, query_str=" ".join(query.split()) or question.query_str)


def _told(question: Question, ranked: Sequence[Sentence]) -> list[Sentence]:
    """The approach, and of problem, result and detail as much as the word budget allows."""
    roles = by_role(question, ranked)
    does = roles.get("approach", [])
    left = WORDS["explain"] - sum(sentence.words for sentence in does)
    choices = [[*enumerate(roles.get(role, [])[:CHOICES]), (0, None)] for role in WORTH]

    def worth(chosen: Sequence[tuple[int, Sentence | None]]) -> float:
        told = [sentence for _, sentence in chosen if sentence]
        if sum(sentence.words for sentence in told) > left or len(set(told)) < len(told):
            return -1.0
        shares = zip(WORTH.values(), chosen, strict=True)
        return sum(value - WORSE * place for value, (place, sentence) in shares if sentence)

    best = max(product(*choices), key=worth, default=())
    chosen = [*does, *(sentence for _, sentence in best if sentence)]
    return sorted(chosen, key=lambda sentence: sentence.span.start)


def _point_by_point(question: Question, papers: Sequence[Paper], ranker: SentenceRanker) -> list[Statement]:
    """The papers side by side: what each does, what comes out, what it is up against, within the budget."""
    told = [
        by_role(_without_others(question, paper, papers), ranker.rank(question, paper)) for paper in papers
    ]
    budget = WORDS["compare"] // len(papers)
    rows = {"approach": [next(iter(roles.get("approach", ())), None) for roles in told]}
    spent = [sentence.words if sentence else 0 for sentence in rows["approach"]]
    for role in ("result", "problem"):
        row = [
            next((s for s in roles.get(role, ()) if used + s.words <= budget), None)
            for roles, used in zip(told, spent, strict=True)
        ]
        if all(row):
            rows[role] = row
            spent = [used + (s.words if s else 0) for used, s in zip(spent, row, strict=True)]
    return [
        statement for role in ROLES for statement in _row(question.language, role, papers, rows.get(role, ()))
    ]


def _row(
    language: Language, role: Role, papers: Sequence[Paper], sentences: Sequence[Sentence | None]
) -> list[Statement]:
    """One point, as each of the papers puts it."""
    statements = []
    for number, (paper, sentence) in enumerate(zip(papers, sentences, strict=False)):
        if sentence is None:
            continue
        quote = neutral(sentence.text).rstrip(".。 ")
        text = say(language, "quote", title=neutral(short_name(paper)), quote=quote)
        if not number:
            text = f"{say(language, f'point_{role}')} {text}"
        statements.append(Statement(text, (Evidence(paper, sentence.text),), " " if number else "\n\n"))
    return statements


def _pick(question: Question, ranked: Sequence[Sentence], papers: int = 1) -> list[Sentence]:
    """The best sentences, of one of `papers`, within the word budget, in the order of the abstract.

    Where a figure is asked for, sentences without one stand back behind those that have one, if any is close.
    """
    if question.expects == "number" and ranked:
        with_figure = [
            s for s in ranked if _FIGURE.search(s.text) and s.score > ranked[0].score - FIGURE_MARGIN
        ]
        ranked = with_figure or ranked
    kind = "compare" if papers > 1 else question.kind if question.kind in WORDS else "lookup"
    budget = WORDS[kind] // papers
    best = ranked[: SENTENCES[kind]]
    if papers > 1 and ranked:
        does = approach(question, ranked)
        best = [does, *(sentence for sentence in best if sentence is not does)]
    chosen: list[Sentence] = []
    for sentence in best:
        close = sentence.score >= ranked[0].score - MARGIN[kind]
        if not chosen or (close and sum(s.words for s in chosen) + sentence.words <= budget):
            chosen.append(sentence)
    return sorted(chosen, key=lambda sentence: sentence.span.start)


def _framed(
    question: Question, paper: Paper, quoted: Sequence[Sentence], *, own_line: bool
) -> list[Statement]:
    language = question.language
    statements = []
    for number, sentence in enumerate(quoted):
        quote = neutral(sentence.text).rstrip(".。 ")
        text = (
            say(language, "quote_more", quote=quote)
            if number
            else say(language, "quote", title=neutral(short_name(paper)), quote=quote)
        )
        lead = "\n\n" if own_line and not number else " "
        statements.append(Statement(text, (Evidence(paper, sentence.text),), lead))
    return statements


def short_name(paper: Paper) -> str:
    """The system's name where the title begins with one ("HexGen-2: ..."), else the title."""
    match = _COLON_NAME.match(paper.title)
    return match.group(1) if match and len(match.group(1).split()) <= 4 else paper.title
