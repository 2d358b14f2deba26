"""Verbatim sentences that answer a question, in a readable frame, each with the paper it is from."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rag.extractive.named import asked_about
from rag.extractive.relevance import Sentence, SentenceRanker
from rag.extractive.roles import ROLES, approach, by_role, is_general
from rag.grounding.marks import neutral
from rag.index.paper_index import PaperIndex
from rag.patterns import lazy_pattern
from rag.phrases import join, say
from rag.question.naming import names_in
from rag.question.parsing import Question
from rag.records import Composition, Evidence, Hit, Paper, Statement

WORDS = {"lookup": 90, "explain": 90, "compare": 85}
"""Most words that are quoted, for compare from each paper; the best sentence is quoted at any length."""
MARGIN = {"lookup": 3.0, "explain": 3.0, "compare": 3.5}
"""A further sentence is quoted when its log-odds are at most this much below the best one's."""
FIGURE_MARGIN = 2.5
"""How far below the best sentence one with a figure may be to come before it."""
SENTENCES = 3
"""Most sentences that are quoted of one paper."""
CLOSE, CLOSEST = 0.2, 4
"""Papers this little below the first one's score may come before it, among so many."""
SENTENCE_SHARE = 0.1
"""What a point of log-odds of its best sentence is worth to a paper, in fused score."""

_FIGURE = lazy_pattern(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|single)\b", re.I
)
_COLON_NAME = lazy_pattern(r"^([^:]{2,40}):\s")


def best_first(question: Question, hits: Sequence[Hit], ranker: SentenceRanker) -> list[Hit]:
    """`hits` with the paper first that answers best, among those that retrieval could hardly tell apart."""
    if not hits:
        return []
    close = [hit for hit in hits[:CLOSEST] if hit.score >= hits[0].score - CLOSE]
    if len(close) > 1:
        best = max(
            close, key=lambda hit: hit.score + SENTENCE_SHARE * _best_score(question, hit.paper, ranker)
        )
        return [best, *(hit for hit in hits if hit is not best)]
    return list(hits)


def compose(
    question: Question, hits: Sequence[Hit], index: PaperIndex, ranker: SentenceRanker
) -> Composition:
    """A few quoted sentences: from the best paper, or from each that the question names."""
    about = asked_about(question, hits, index)
    statements: list[Statement] = []
    general = is_general(question)
    if general and len(about.papers) > 1:
        statements = _point_by_point(question, about.papers, ranker)
    else:
        for number, paper in enumerate(about.papers):
            own = _without_others(question, paper, about.papers)
            ranked = ranker.rank(own, paper)
            quoted = (
                _told(question, ranked) if general else _pick(question, ranked, several=len(about.papers) > 1)
            )
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
    """Problem, approach and result, within the word budget; the approach is always there."""
    roles = by_role(question, ranked)
    chosen = [roles["approach"]] if roles else []
    for role in ("result", "problem"):
        sentence = roles.get(role)
        if sentence and sum(s.words for s in chosen) + sentence.words <= WORDS["explain"]:
            chosen.append(sentence)
    return sorted(chosen, key=lambda sentence: sentence.span.start)


def _point_by_point(question: Question, papers: Sequence[Paper], ranker: SentenceRanker) -> list[Statement]:
    """The papers side by side: what each is up against, what it does, what comes out."""
    language = question.language
    told = [
        by_role(_without_others(question, paper, papers), ranker.rank(question, paper)) for paper in papers
    ]
    budget = WORDS["compare"]
    statements: list[Statement] = []
    spent = [roles["approach"].words if roles else 0 for roles in told]
    kept: dict[str, list[Sentence | None]] = {"approach": [roles.get("approach") for roles in told]}
    for role in ("result", "problem"):
        row = [roles.get(role) for roles in told]
        fits = all(s is not None and spent[i] + s.words <= budget for i, s in enumerate(row))
        if fits:
            kept[role] = row
            spent = [words + (s.words if s else 0) for words, s in zip(spent, row, strict=True)]
    for role in ROLES:
        for number, (paper, sentence) in enumerate(zip(papers, kept.get(role, []), strict=False)):
            if sentence is None:
                continue
            quote = neutral(sentence.text).rstrip(".。 ")
            text = say(language, "quote", title=neutral(short_name(paper)), quote=quote)
            if not number:
                text = f"{say(language, f'point_{role}')} {text}"
            statements.append(
                Statement(text, (Evidence(paper, sentence.text),), "\n\n" if not number else " ")
            )
    return statements


def _pick(question: Question, ranked: Sequence[Sentence], *, several: bool = False) -> list[Sentence]:
    """The best sentences within the word budget, in the order of the abstract.

    Where a figure is asked for, sentences without one stand back behind those that have one, if any is close.
    """
    if question.expects == "number" and ranked:
        with_figure = [
            s for s in ranked if _FIGURE.search(s.text) and s.score > ranked[0].score - FIGURE_MARGIN
        ]
        ranked = with_figure or ranked
    kind = "compare" if several else question.kind if question.kind in WORDS else "lookup"
    chosen: list[Sentence] = [approach(question, ranked)] if several and ranked else []
    for sentence in [sentence for sentence in ranked if sentence not in chosen][: SENTENCES - len(chosen)]:
        close = sentence.score >= ranked[0].score - MARGIN[kind]
        if not chosen or (close and sum(s.words for s in chosen) + sentence.words <= WORDS[kind]):
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
