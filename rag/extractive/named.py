"""Which papers a question is about: those it names, or else the best that retrieval found."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.extractive.roles import is_general
from rag.index.paper_index import PaperIndex
from rag.question.naming import mentions, names_in
from rag.question.parsing import Question
from rag.question.wordings import wording
from rag.records import Hit, Paper

OWNERS = 3
"""A name that more papers mention (GPU, LLM) names none of them, unless a title or an introduction has it."""
LOOKED_AT = 10
"""Papers in which a name is looked for."""

_JOINT = wording(
    r"^\s*[,/&]\s*(?:and\s+)?$",
    r"\b(?:and|or|vs\.?|versus|against"
    r"|than)\s+(?:the\s+)?$",
    r"(?:和|与|跟|同|及|还是|比|、)\s*$",
)
_EACH = wording(r"\b(?:each|both|respectively|two|them|all three|all of)\b", "分别|各自|两(?:者|篇|个)|都")


@dataclass(frozen=True, slots=True)
class About:
    """The papers a question is about, in its order, and names to be compared that no paper is about."""

    papers: tuple[Paper, ...]
    unknown: tuple[str, ...] = ()


def asked_about(question: Question, hits: Sequence[Hit], index: PaperIndex) -> About:
    """The papers that the question sets side by side or asks of one by one; else the best one.

    Where it compares one paper that it names with another that it only describes, the second is the best of
    the hits; with a name that no paper is about, there is no second.
    """
    pool = [hit.paper for hit in hits]
    several = (
        question.kind == "compare"
        or _EACH.search(question.asked)
        or is_general(question)
        or _joined(question.asked)
    )
    if not pool or not several:
        return About(tuple(pool[:1]))
    owned = {name: _owner(name, pool, index, question.focus) for name in names_in(question.asked)}
    named = list(dict.fromkeys(paper for paper in owned.values() if paper))
    if question.kind != "compare":
        return About(tuple(named) if len(named) > 1 else tuple(pool[:1]))
    strangers = tuple(name for name, paper in owned.items() if paper is None)
    if len(named) == 1 and strangers and is_general(question):
        return About(tuple(named), strangers)
    rest = [paper for paper in pool if paper not in named]
    return About(tuple((named + rest[: max(0, 2 - len(named))])[: max(2, len(named))]))


def owners(question: Question, hits: Sequence[Hit], index: PaperIndex) -> set[str]:
    """Ids of the hits whose own system the question names: the title leads with it, or they introduce it.

    What more than a few papers mention (OOD, RLHF) is no paper's own, whoever spells it out.
    """
    papers = [hit.paper for hit in hits]
    found: set[str] = set()
    for name in names_in(question.asked):
        looked = [index.paper(passage.paper_id) for passage, _ in index.lexical(name, LOOKED_AT)]
        said = [p for p in dict.fromkeys([*papers, *looked]) if mentions(f"{p.title} {p.abstract}", name)]
        few = len(said) <= OWNERS
        found |= {p.id for p in said if p in papers and (_leads(p, name) or (few and _introduces(p, name)))}
    return found


def _joined(asked: str) -> bool:
    """Whether two names stand beside each other as things that are compared or asked of alike."""
    names = names_in(asked)
    return any(_JOINT.search(_between(asked, one, other)) for one, other in pairwise(names))


def _between(text: str, one: str, other: str) -> str:
    start = text.find(one) + len(one)
    return text[start : max(start, text.find(other, start))]


def _owner(name: str, pool: Sequence[Paper], index: PaperIndex, focus: Sequence[str]) -> Paper | None:
    """The paper that `name` stands for: one whose title leads with it, or among the few that mention it.

    Among these one that introduces it, else the first of the hits.
    """
    found = [index.paper(passage.paper_id) for passage, _ in index.lexical(name, LOOKED_AT)]
    candidates = [paper for paper in dict.fromkeys([*pool, *found]) if not focus or paper.id in focus]
    owners = [paper for paper in candidates if mentions(f"{paper.title} {paper.abstract}", name)]
    if leading := [paper for paper in owners if _leads(paper, name)]:
        return leading[0]
    if len(owners) > OWNERS:
        return None
    return next((paper for paper in owners if _introduces(paper, name)), owners[0] if owners else None)


def _leads(paper: Paper, name: str) -> bool:
    """Whether the title begins with the name: "HexGen-2: ..."."""
    head, colon, _ = paper.title.partition(":")
    return bool(colon) and _letters(head).startswith(_letters(name)) and len(head.split()) <= 4


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _introduces(paper: Paper, name: str) -> bool:
    """Whether the abstract coins the name; one in capitals as it stands, for it may be a word besides."""
    spelt = re.escape(name) if name.isupper() else f"(?i:{re.escape(name)})"
    coined = re.compile(
        r"\b(?i:propose|introduce|present|develop|dubbed|termed|called|named)\w*\b"
        rf"[^.]{{0,160}}?(?<!\w){spelt}(?!\w)"
    )
    return bool(coined.search(paper.abstract))
