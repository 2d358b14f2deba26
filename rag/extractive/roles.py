"""What a sentence of an abstract does there: states the problem, says what is done, tells what came out."""

import re
from collections.abc import Sequence
from typing import Literal

from rag.extractive.relevance import Sentence
from rag.index.lexical import terms
from rag.patterns import lazy_pattern
from rag.question.asked import ASKING
from rag.question.naming import mentions, names_in
from rag.question.parsing import Question

Role = Literal["problem", "approach", "result"]
ROLES: tuple[Role, ...] = ("problem", "approach", "result")

_PROBLEM = lazy_pattern(
    r"\bhowever\b|\bchalleng|\blimit(?:ation|ed|s)\b|\bproblem|\bsuffer|\bdifficult|\bstruggl"
    r"|\bfail(?:s|ed|ure)?\b"
    r"|\bissue|\bbottleneck|\black(?:s|ing)?\b|\bexpensive\b|\bremain(?:s|ed)? (?:un|an? (?:open"
    r"|challeng))|\bunder-?explored"
    r"|\bcostly\b|\bdespite\b|\bdrawback|\bhinder",
    re.I,
)
_APPROACH = lazy_pattern(
    r"\b(?:we|this (?:paper|work|study)|here,? we)\b.{0,60}?\b(?:propose|introduce|present|develop"
    r"|design|describe|study|studies"
    r"|investigate|explore|analy[sz]e|address|formulate|build|provide|establish|prove|tackle|extend"
    r"|examine|show how|devise"
    r"|consider|reveal|argue)|\b(?:dubbed|termed|is proposed|is introduced)\b",
    re.I,
)
_RESULT = lazy_pattern(
    r"\b(?:results?|experiment|empirical|evaluation|outperform|achiev|surpass|demonstrat|improve[sd]?"
    r"|state-of-the-art|sota|validate"
    r"|we (?:also )?(?:find|show|observe|prove))|\d\s?(?:\\?%|×|\\times|x\b)",
    re.I,
)
_DEFINES = lazy_pattern(
    r"\b(?:is|are)\s+(?:an?|the)\b|\bpropose|\bintroduc|\bpresent|\bdubbed|\btermed|\bcalled|\bnamed"
    r"|\bdevelop",
    re.I,
)
_SUMMARY = frozenset(
    terms(
        "explain describe summarise summarize summary overview introduction idea main core key gist"
        " outline brief short simple"
        " words sentence please about tell each both compare comparison contrast difference different"
        " differ versus vs similar"
        " similarity common two one reading paper method approach work model system concept does do deal"
        " contribution problem"
        " solve purpose goal nutshell terms details detail know understand learn interested describe give"
    )
)


def is_general(question: Question) -> bool:
    """Whether the question asks for no point in particular: it holds names and words of asking only."""
    named = {term for name in names_in(question.asked) for term in terms(name)}
    return not [term for term in terms(question.query_str) if term not in named | _SUMMARY | ASKING]


def by_role(question: Question, ranked: Sequence[Sentence]) -> dict[Role, Sentence]:
    """The sentence of each role, where the abstract has one; the approach is the sentence that defines"
    " the name."""
    inorder = sorted(ranked, key=lambda sentence: sentence.span.start)
    if not inorder:
        return {}
    does = approach(question, inorder)
    place = inorder.index(does)
    found: dict[Role, Sentence] = {"approach": does}
    before = [sentence for sentence in inorder[:place] if _PROBLEM.search(sentence.text)]
    if before:
        found["problem"] = before[-1]
    after = [sentence for sentence in inorder[place + 1 :] if _RESULT.search(sentence.text)]
    if after:
        found["result"] = max(after, key=lambda s: (bool(re.search(r"\d", s.text)), s.span.start))
    return found


def approach(question: Question, sentences: Sequence[Sentence]) -> Sentence:
    """The sentence that tells what the paper does, best where it defines a name of the question."""
    names = names_in(question.asked)

    def points(sentence: Sentence) -> tuple[float, int]:
        named = any(mentions(sentence.text, name) for name in names)
        defines = bool(_DEFINES.search(sentence.text))
        own = bool(_APPROACH.search(sentence.text))
        return 2.0 * (named and defines) + 1.5 * own + 0.5 * named, -sentence.span.start

    return max(sentences, key=points)
