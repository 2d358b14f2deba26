"""Why a paper is not in an answer: the field that asks, the papers it may mean, what became of one. Pure."""

from collections.abc import Iterator, Sequence
from html import escape

from rag.records import Fate, Language, Paper
from ui.answer_texts import AnswerTexts, answer_texts_for
from ui.controls import button, form
from ui.papers import byline, dotted
from ui.scholarly import language, markup
from ui.texts import Texts

CANDIDATES = 6
"""Papers that are offered for what was typed."""
LONGEST = 300
"""Characters that can be typed."""
_AUTHORS = 2


def place(turn: int) -> str:
    """Id of the element that holds what was found for the field of this turn."""
    return f"why-not-{turn}"


def why_not(turn: int, texts: Texts) -> str:
    """A field that looks for any paper of the index, and room for what is found."""
    said = answer_texts_for(texts.language)
    field = form(
        "input", {"turn": turn}, "text", "", said.any_paper, said.look_up, longest=LONGEST, live=True
    )
    return (
        f'<section class="why-not"><h3>{escape(said.why_not)}</h3>{field}'
        f'<div id="{place(turn)}" role="status"></div></section>'
    )


def candidates(papers: Sequence[Paper], turn: int, texts: Texts) -> str:
    """The first papers of those that were found, each to be chosen."""
    said = answer_texts_for(texts.language)
    if not papers:
        return f"<p>{escape(said.no_such_paper)}</p>"
    rows = "".join(f"<li>{_choice(paper, turn, texts)}</li>" for paper in papers[:CANDIDATES])
    more = len(papers) - CANDIDATES
    rest = f"<p>{escape(texts.more_papers.format(count=f'{more:,}'))}</p>" if more > 0 else ""
    return f'<ul aria-label="{escape(said.which_paper)}">{rows}</ul>{rest}'


def outcome(fate: Fate, spoken: Language, texts: Texts) -> str:
    """What became of one paper; its reason is in the language `spoken` by the answer."""
    said = answer_texts_for(texts.language)
    return (
        f'<div class="outcome" tabindex="-1"><p class="title" lang="{language(fate.title)}">'
        f"{markup(fate.title)}</p><p>{dotted(map(escape, _stages(fate, said)))}</p>"
        f'<p class="reason" lang="{spoken}">{markup(fate.reason)}</p></div>'
    )


def _choice(paper: Paper, turn: int, texts: Texts) -> str:
    told = {"turn": turn, "paper": paper.id}
    name = button("select", markup(paper.title), told)
    about = byline(paper, texts, authors=_AUTHORS)
    return f'<span lang="{language(paper.title)}">{name}</span><p class="byline">{about}</p>'


def _stages(fate: Fate, said: AnswerTexts) -> Iterator[str]:
    yield said.fate_stages[fate.stage]
    if fate.rank is not None:
        yield said.rank.format(rank=f"{fate.rank:,}")
    if fate.score is not None:
        yield said.score.format(score=f"{fate.score:.2f}")
