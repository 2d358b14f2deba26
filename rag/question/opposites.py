"""What a question takes for granted in words that have an opposite, and words of abstracts that deny."""

import re

from rag.patterns import lazy_pattern
from rag.question.wordings import wording

_PLAIN = """
over-?confiden overestimat | under-?confiden underestimat
converg | diverg
nearly.linear linear.in linearly | exponential quadratic
convex | non-?convex
black-?box | white-?box
"""
"""Pairs of which one excludes the other wherever the abstract has it."""
_OPPOSITES = """
outperform beat surpass exceed better superior win wins improv gain boost | worse inferior degrad
outperform beat surpass exceed better superior win wins improv gain boost | fall.short hurt harm lose drop
faster quicker speed accelerat | slow
increas grow rise larger more.data | decreas shrink reduc fewer less
lightweight light-weight small compact tiny cheap | heavy heavyweight bulky expensive costly
less.memory low.memory memory-efficien | more.memory
necessary essential required indispensable | unnecessary not.essential optional dispensable redundant
robust resilien | fragile brittle vulnerab sensitive
consisten | inconsisten
always | never rarely
supervised | unsupervised self-supervised
lossless preserv maintain | lossy lost degrad
poorly struggle fail | well succeed
forget forgotten remov eras | restor recover retain
"""


def _side(words: str) -> re.Pattern[str]:
    return wording(*(rf"(?<![\w-]){word.replace('.', ' ')}" for word in words.split()))


def _pairs(table: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    sides = [line.split("|") for line in table.strip().splitlines()]
    return [(_side(one), _side(other)) for one, other in sides]


_PAIRS, _PLAIN_PAIRS = _pairs(_OPPOSITES), _pairs(_PLAIN)

DENIALS = lazy_pattern(
    r"\b(?:without|no longer|no|not|cannot|never|neither|nor|instead of|rather than|unlike|absence of"
    r"|(?:unlike|compared (?:to|with)|in contrast to|contrary to) (?:\w+ ){0,2}(?:previous|prior"
    r"|existing|earlier|other)"
    r" (?:\w+ ){0,2}(?:using|relying on|based on|requiring|that (?:use|rely on|require))|free (?:of|from)"
    r"|devoid of|independent(?:ly)? of|(?:eliminat|remov|avoid|bypass|circumvent|obviat"
    r"|without)\w*(?: the)? (?:need|necessity|use|usage|requirement|reliance)"
    r"s? (?:for|of|to|on)|does not|do not|did not)\b|n't\b",
    re.I,
)
"""What makes the words that follow it denied."""
_DENIED_BEFORE = lazy_pattern(
    r"([^.;:]{3,120}?)\s(?:is|are)\s+(?:unnecessary|redundant|not (?:needed|required|necessary"
    r"|an? essential))",
    re.I,
)
_DENIED_IN_WORD = lazy_pattern(r"\b([a-z]+(?:-[a-z]+)?)-free\b|\bnon-?([a-z]{5,})", re.I)
_SCOPE = lazy_pattern(r"[.;:()—]|\b(?:but|while|yet|however|which|whereas|although)\b", re.I)
_EITHER_WAY = lazy_pattern(r"\s*(?:and|or|/)\s+(?:with|only)\b|\s+only\b", re.I)
"""After "without" or "not" this denies nothing: "without and with a teacher", "not only"."""
_OR_WITH = lazy_pattern(r"\bwith(?:\s+and|\s+or|/)\s*$", re.I)
_LONGEST = 90
"""Characters after a denial that it may still cover."""
_OPEN = wording(
    r"^(?:and |but |so |ok[, ]+)?(?:does|do|did|is|are|was|were|can|could|must|should|would|will|has"
    r"|have|need)\b",
    r"\bwhether\b",
    "吗",
    "是否",
    "是不是",
    "要不要",
    "需不需要",
    "能不能",
)
_NEGATED = wording(
    r"\b(?:without|no|not|never|free of|instead of|rather than|avoid\w*)\b|n['’]t\b|\b(?:do|does|did|is"
    r"|are|was|ca|wo)nt\b",
    "不",
    "没",
    "无需",
    "免",
)
_COMPARES = lazy_pattern(
    r"\b(?:beats?|outperforms?|outperformed|surpass(?:es)?|exceeds?|wins? (?:over|against)"
    r"|is (?:\w+ ){0,2}(?:better|faster|superior"
    r"|stronger|cheaper|smaller) (?:than|to)|do(?:es)? better than)\b",
    re.I,
)


def is_open(question: str) -> bool:
    """Whether the question may be answered with no, or says no itself: then it takes nothing for granted."""
    return bool(_OPEN.search(question) or _NEGATED.search(question))


def denied_words(sentence: str) -> str:
    """The words of `sentence` that it denies: "without reward design" denies reward design."""
    found = [match.group(1) for match in _DENIED_BEFORE.finditer(sentence)]
    found += [match.group(1) or match.group(2) for match in _DENIED_IN_WORD.finditer(sentence)]
    for match in DENIALS.finditer(sentence):
        rest = sentence[match.end() : match.end() + _LONGEST]
        if _EITHER_WAY.match(rest) or _OR_WITH.search(sentence[: match.start()]):
            continue
        end = _SCOPE.search(rest)
        found.append(rest[: end.start()] if end else rest)
    return " ".join(found)


def _without_denied(sentence: str) -> str:
    for match in DENIALS.finditer(sentence):
        rest = sentence[match.end() : match.end() + _LONGEST]
        if _EITHER_WAY.match(rest) or _OR_WITH.search(sentence[: match.start()]):
            continue
        end = _SCOPE.search(rest)
        denied = rest[: end.start()] if end else rest
        sentence = sentence.replace(match.group() + denied, " " * len(match.group() + denied), 1)
    return sentence


def contradicts(question: str, sentence: str) -> bool:
    """Whether the question uses a word whose opposite the sentence has, and the sentence not the word"
    " itself."""
    told = _without_denied(sentence)
    for one, other in _PAIRS:
        for mine, theirs in ((one, other), (other, one)):
            if (
                mine.search(question)
                and not theirs.search(question)
                and theirs.search(told)
                and not mine.search(sentence)
            ):
                return True
    return False


def contradicts_plainly(question: str, sentence: str, abstract: str) -> bool:
    """Whether the sentence has a word that excludes one of the question, which the whole abstract lacks."""
    told = _without_denied(sentence)
    for one, other in _PLAIN_PAIRS:
        for mine, theirs in ((one, other), (other, one)):
            if (
                mine.search(question)
                and not theirs.search(question)
                and theirs.search(told)
                and not mine.search(abstract)
            ):
                return True
    return False


def sides(text: str) -> tuple[str, str] | None:
    """What stands before and after "outperforms" and its like; None where nothing is compared so."""
    match = _COMPARES.search(text)
    return (text[: match.start()], text[match.end() :]) if match else None
