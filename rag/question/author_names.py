"""Names of authors in a question: "papers by Ada Lovelace", "what did Ada write?", "Ada 写了什么"."""

import re
from dataclasses import dataclass

from rag.patterns import lazy_pattern
from rag.question.glossary import english_words
from rag.question.wordings import PAPER, wording


@dataclass(frozen=True, slots=True)
class Authors:
    """The names a question asks for, and the question without them. `either`: one of them is enough."""

    names: tuple[str, ...]
    either: bool
    text: str


def read_authors(asked: str) -> Authors:
    """Names as they are written; none where "by" is followed by something else ("papers by topic")."""
    for pattern in _CAPITALISED:
        if match := pattern.search(asked):
            end = match.end()
            names = [name for part in _AND.split(match["names"]) if (name := part.strip(" .'’"))]
            if end == match.end("names") and " " not in names[-1] and (more := _uncommon(asked[end:])):
                names[-1] += f" {more}"  # "Yoshua bengio"
                end = asked.index(more, end) + len(more)
            return _cut(asked, match, end, tuple(names), either=bool(_OR.search(match["names"])))
    if (match := _BARE.match(asked)) and not _ordinary(match["names"]):
        return _cut(asked, match, match.end(), (match["names"],), either=False)
    for pattern in _LOWER_CASE:
        if (match := pattern.search(asked)) and (name := _uncommon(match["words"])):
            if match.end() == match.end("words"):
                return _cut(asked, match, match.start("words") + len(name), (name,), either=False)
            if name == match["words"]:
                return _cut(asked, match, match.end(), (name,), either=False)
    return Authors((), False, asked)


def _cut(asked: str, match: re.Match[str], end: int, names: tuple[str, ...], *, either: bool) -> Authors:
    kept = match.groupdict().get("kept") or ""
    return Authors(names, either, f"{asked[: match.start()]}{kept} {asked[end:]}")


def _uncommon(words: str) -> str:
    """The one to four words that `words` begin with, if none of them is ordinary English."""
    name: list[str] = []
    for word in words.split():
        if _AFTER_NAME.fullmatch(word) or not re.fullmatch(r"[\w.'’-]+", word):
            break
        name.append(word)
    return "" if len(name) > 4 or _ordinary(" ".join(name)) else " ".join(name)


def _ordinary(words: str) -> bool:
    """Whether one of the words is ordinary English."""
    known = english_words()
    parts = re.findall(r"[^\W\d_]+", words.lower())
    return any({word, word.removesuffix("s")} & known or _NO_NAME.fullmatch(word) for word in parts)


_AND = lazy_pattern(r"\s*(?:[,，、&和与或及]|\band\b|\bor\b)\s*", re.I)
_OR = lazy_pattern(r"\bor\b|或", re.I)

_WORD = r"(?-i:(?:[dlo]|al|el)['’-])?(?-i:[A-ZÀ-ÖØ-ÞŁŚŞŠŽ])[\w.'’-]*"
_PARTICLE = r"(?-i:de|da|del|della|di|van|von|der|den|la|le|bin|ibn|al|el|ten|ter|dos|du)\s+"
_LINKED = rf"\s+(?:{_PARTICLE})*{_WORD}"
_LIST = r"(?:\s*(?:[,，、&和与或及]|\band\b|\bor\b)\s*(?:{name}))*"
_NAME = rf"{_WORD}(?:{_LINKED}){{0,4}}"
_FULL_NAME = rf"{_WORD}(?:{_LINKED}){{1,4}}"
_NAMES = rf"(?P<names>{_NAME}{_LIST.format(name=_NAME)})"
_FULL_NAMES = rf"(?P<names>{_FULL_NAME}{_LIST.format(name=_FULL_NAME)})"

_WRITE = (
    r"(?:writ(?:e|ten)|wrote|(?:co-?)?author(?:ed)?|contribut(?:e|ed) to"
    r"|publish(?:ed)?(?!\s+(?:\w+\s+){0,2}(?:code|data|datasets?|weights|models?|results)\b))"
)
_BEFORE_BY = (
    rf"(?:{PAPER}|orals?|spotlights?|posters?|here|there|list|anything|something|everything|is|are|was|were|have"
    r"|exist)"
)
_AS_AUTHOR = r"(?:as|among)\s+(?:an?\s+|the\s+|their\s+|its\s+|one of the\s+)?(?:co-?)?authors?\b"

_CAPITALISED = tuple(
    lazy_pattern(pattern, re.I)
    for pattern in (
        rf"\b(?:co-?)?(?:written|authored|published)\s+by\s+(?:author\s+)?{_NAMES}",
        rf"(?P<kept>\b{_BEFORE_BY})\s+by\s+(?:author\s+)?{_NAMES}",
        rf"^by\s+{_NAMES}",
        rf"\b(?:did|do|does|has|have)\s+{_NAMES}\s+(?:also\s+)?{_WRITE}\b",
        rf"{_NAMES}\s+(?:has|have)\s+{_WRITE}\b",
        rf"\b(?:is|was|are|were)\s+{_NAMES}\s+(?:an?\s+|the\s+)?(?:co-?)?authors?\s+(?:of|on)\b",
        rf"\b(?:have|has|having|with|list|lists|include|includes|including)\s+{_NAMES}\s+{_AS_AUTHOR}",
        rf"{_FULL_NAMES}['’]s?\s+(?=(?:other\s+|new\s+)?{PAPER}\b)",
        rf"^who(?:'s| is| are)\s+{_FULL_NAMES}(?=\W*$)",
        rf"作者\s*(?:是|为|包括|包含|有|里有|中有|[:：])\s*{_NAMES}",
        rf"由?\s*{_NAMES}\s*(?:还|都|一共|共|总共)*(?:写|撰写|发表|合著|参与)(?:过|了|的)*",
        rf"{_FULL_NAMES}\s*的(?=(?:所有|其他|全部)?(?:论文|文章|工作|paper))",
    )
)
# "Ming-Yu Liu papers", but not "Optimal Transport papers".
_BARE = lazy_pattern(
    rf"^(?:(?:show|list|find|give)\s+(?:me\s+)?)?(?P<names>{_FULL_NAME})\s+(?=papers\b|论文)"
)
_LOWER = r"(?P<words>[a-zà-ž.'’-]+(?:\s+[a-zà-ž.'’-]+){least})"
_LOWER_CASE = tuple(
    lazy_pattern(pattern)
    for pattern in (
        rf"(?P<kept>\b{PAPER}|\b(?:written|authored))\s+by\s+{_LOWER.replace('{least}', '*')}",
        rf"\b(?:did|has|have)\s+{_LOWER.replace('{least}', '{1,3}?')}\s+{_WRITE}\b",
        rf"^who(?:'s| is)\s+{_LOWER.replace('{least}', '{1,3}')}(?=\W*$)",
    )
)
_AFTER_NAME = wording(
    r"about|on|that|which|who|is|are|was|were|us(?:e|es|ing)|in|from|at|with|and|or|deal(?:s|ing)?"
    r"|stud(?:y|ies)|there|here|please|of|for"
)
_NO_NAME = wording(
    r"the|an?|any|all|some|this|these|those|them|they|he|she|him|her|me|us|you|it|other|my|our|your|whom|what|which|who"
    r"|months?|dates?|tracks?|venues?|default|hand|now|far|how|number|years?|name|someone|anyone|everyone"
    r"|there"
)
