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
from rag.question.wordings import wording

Role = Literal["problem", "approach", "detail", "result"]
ROLES: tuple[Role, ...] = ("problem", "approach", "detail", "result")

TELLS = 10
"""Words from which a sentence tells more than that something follows: "It has two parts."."""
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
_MEASURED = lazy_pattern(r"\d\s?(?:\\?%|×|\$?\\times|x\b)|\d\.\d|\b(?:from|by|to) \d", re.I)
_STRONG = lazy_pattern(
    r"\boutperform|\bsurpass|\bexceed|state-of-the-art|\bsota\b|\bsuperior|\bsignificant|\boverall\b"
    r"|\bresults? (?:show|indicate|demonstrate|suggest|reveal)|\bwe (?:find|show|prove|demonstrate)\b"
    r"|\bexperiments?\b.{0,60}\b(?:show|demonstrate|confirm|indicate)",
    re.I,
)
_ASIDE = lazy_pattern(
    r"https?:|\b(?:code|data|models?|datasets?)\b.{0,40}\bavailable\b|\bfuture\b|\bhope\b|^lastly\b"
    r"|^finally, we also\b|\bpaves? the way\b|\bproject page\b",
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
        " motivation background aim takeaway message finding way and principle"
    )
)
_SUMS_UP = wording(
    r"\bsummar|\boverview\b|\bgist\b|\btl;?dr\b|\bintroduc(?:e|tion)\b|\btell (?:me|us) about\b|\bexplain\b"
    r"|\bdescribe\b|\b(?:main|core|key) (?:idea|message|point|contribution)s?\b|\babout\W*$|\bnutshell\b",
    "概括|总结|概述|介绍|讲讲|说说|讲(?:的是)?什么|主要(?:内容|思想|贡献)",
)


def is_general(question: Question, title: str = "") -> bool:
    """Whether the question asks for no point in particular: it holds names and words of asking only.

    Where it asks for a summary in so many words, those of the paper's title name the paper too.
    """
    named = {term for name in names_in(question.asked) for term in terms(name)}
    if _SUMS_UP.search(question.asked):
        named |= set(terms(title))
    return not [term for term in terms(question.query_str) if term not in named | _SUMMARY | ASKING]


def by_role(question: Question, ranked: Sequence[Sentence]) -> dict[Role, list[Sentence]]:
    """The sentences that may stand for each role, best first; empty where the abstract has none.

    The first approach is the sentence that defines the name; problems come before it, nearest first; details
    are what follows it.
    """
    inorder = sorted(ranked, key=lambda sentence: sentence.span.start)
    if not inorder:
        return {}
    does = approach(question, inorder)
    place = inorder.index(does)
    before, after = inorder[:place], inorder[place + 1 :]
    results = [sentence for sentence in after if _RESULT.search(sentence.text)]
    return {
        "problem": [sentence for sentence in reversed(before) if _PROBLEM.search(sentence.text)],
        "approach": [does],
        "detail": [s for s in after if s.words >= TELLS and not _ASIDE.search(s.text)],
        "result": sorted(results, key=_tells_most),
    }


def _tells_most(sentence: Sentence) -> tuple[bool, bool, bool, int]:
    """Results with figures first, then those that claim something, asides last; later ones before others."""
    figure, strong = _MEASURED.search(sentence.text), _STRONG.search(sentence.text)
    return bool(_ASIDE.search(sentence.text)), not figure, not strong, -sentence.span.start


def approach(question: Question, sentences: Sequence[Sentence]) -> Sentence:
    """The sentence that tells what the paper does, best where it defines a name of the question."""
    names = names_in(question.asked)

    def points(sentence: Sentence) -> tuple[float, int]:
        named = any(mentions(sentence.text, name) for name in names)
        defines = bool(_DEFINES.search(sentence.text))
        own = bool(_APPROACH.search(sentence.text))
        return 2.0 * (named and defines) + 1.5 * own + 0.5 * named, -sentence.span.start

    return max(sentences, key=points)
