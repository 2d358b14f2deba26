"""Verbatim sentences that answer a question, in a readable frame, each with the paper it is from."""

import re
from collections.abc import Sequence

from rag.extractive.relevance import Sentence, SentenceRanker
from rag.grounding.marks import neutral
from rag.index.paper_index import PaperIndex
from rag.phrases import say
from rag.question.naming import mentions, names_in
from rag.question.parsing import Question
from rag.records import Composition, Evidence, Hit, Paper, Statement

WORDS = {"lookup": 75, "explain": 80, "compare": 58}
"""Most words that are quoted, for compare from each paper; the best sentence is quoted at any length."""
MARGIN = {"lookup": 1.5, "explain": 2.0, "compare": 2.5}
"""A further sentence is quoted when its log-odds are at most this much below the best one's."""
FIGURE_MARGIN = 2.5
"""How far below the best sentence one with a figure may be to come before it."""
SENTENCES = {"lookup": 2, "explain": 3, "compare": 2}

_FIGURE = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|single)\b", re.I
)
_COLON_NAME = re.compile(r"^([^:]{2,40}):\s")


def compose(
    question: Question, hits: Sequence[Hit], index: PaperIndex, ranker: SentenceRanker
) -> Composition:
    """One to four quoted sentences: from the best paper, or from each compared one."""
    papers = (
        compared(question, hits, index) if question.kind == "compare" else [hit.paper for hit in hits[:1]]
    )
    statements: list[Statement] = []
    for number, paper in enumerate(papers):
        quoted = _pick(question, ranker.rank(question, paper))
        statements += _framed(question, paper, quoted, own_line=len(papers) > 1 and number > 0)
    return Composition(tuple(statements))


def compared(question: Question, hits: Sequence[Hit], index: PaperIndex) -> list[Paper]:
    """The papers that the question sets side by side: those it names, in its order, else the best two."""
    named: list[Paper] = []
    pool = [hit.paper for hit in hits]
    for name in names_in(question.asked):
        found = [index.paper(passage.paper_id) for passage, _ in index.lexical(name, 5)]
        owners = [paper for paper in [*found, *pool] if mentions(f"{paper.title} {paper.abstract}", name)]
        # A name that many papers mention (GPU, LLM) names none of them.
        if owners and len({paper.id for paper in owners}) <= 3:
            named += [owners[0]] if owners[0] not in named else []
    best = [paper for paper in pool if paper not in named]
    return (named + best[: max(0, 2 - len(named))])[: max(2, len(named))]


def _pick(question: Question, ranked: Sequence[Sentence]) -> list[Sentence]:
    """The best sentences within the word budget, in the order of the abstract.

    Where a figure is asked for, sentences without one stand back behind those that have one, if any is close.
    """
    if question.expects == "number" and ranked:
        with_figure = [
            s for s in ranked if _FIGURE.search(s.text) and s.score > ranked[0].score - FIGURE_MARGIN
        ]
        ranked = with_figure or ranked
    kind = question.kind if question.kind in WORDS else "lookup"
    chosen: list[Sentence] = []
    for sentence in ranked[: SENTENCES[kind]]:
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
