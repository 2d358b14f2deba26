"""Words of a question as the papers write them: "hyperparamters" is mended, "openhands" is OpenHands."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from functools import cache

from rag.index.lexical import terms
from rag.index.paper_index import PaperIndex
from rag.patterns import lazy_pattern
from rag.question.glossary import english_words
from rag.question.naming import as_written

_WORD = lazy_pattern(r"(?<![\w-])[a-z]{6,}(?![\w-])")
_LOWER = lazy_pattern(r"(?<![\w-])[a-z]{5,}(?![\w])")
_BRITISH = tuple(
    (lazy_pattern(british), ending)
    for british, ending in (
        (r"(?<=[a-z]{2})is(?=e[sdr]?$|ing$|ations?$|ers$)", "iz"),
        (r"(?<=[a-z])ys(?=e[sdr]?$|ing$)", "yz"),
        (r"(?<=[a-z]{2})our(?=s?$|al$|ally$|ed$|ing$|able$)", "or"),
        (r"(?<=[a-z]{2}[aeiou])ll(?=ed$|ing$|ers?$)", "l"),
        (r"enc(?=es?$)", "ens"),
        (r"(?<=[a-z]t)re(?=s?$)", "er"),
    )
)
"""Endings that British spelling has, and the American ones."""
_SMALL = lazy_pattern(r"(?<![\w.-])[a-z][a-z\d]{2,}(?:-[a-z\d]+)*(?![\w-])")
_DIGITS = lazy_pattern(r"(?<=[a-z])(?=\d)")
_OWNERS = 5
"""Papers in which a word is looked up as a name."""
_SHORTEST_STEM = 6
_ALIKE = 0.87
"""Least difflib ratio of two words, twice the matching characters over all, for a slip."""


def mend(text: str, vocabulary: Collection[str]) -> str:
    """`text` with each word that is no ordinary one replaced by the one it is a slip of.

    That is an ordinary word whose stem is in `vocabulary`, else a stem of `vocabulary`. Only words in lower
    case are mended: a name may be unknown and right.
    """

    def mended(match: re.Match[str]) -> str:
        word = match.group()
        stem = "".join(terms(word))
        known = _known_words(word[0])
        if stem in vocabulary or stem in _ordinary_stems():
            return word
        near = [w for w, its_stem in known.items() if abs(len(w) - len(word)) <= 2 and its_stem in vocabulary]
        if found := get_close_matches(word, near, n=1, cutoff=_ALIKE):
            return found[0]
        if len(stem) < _SHORTEST_STEM:
            return word
        near = [s for s in vocabulary if s[:1] == stem[:1] and abs(len(s) - len(stem)) <= 2]
        found = get_close_matches(stem, near, n=1, cutoff=_ALIKE)
        return _inflected(found[0], word.removeprefix(stem)) if found else word

    return _WORD.sub(mended, text)


def american(text: str, idf: Callable[[str], float]) -> str:
    """`text` with British spellings changed where the papers write the word rather the American way."""

    def respelt(match: re.Match[str]) -> str:
        word = match.group()
        others = (british.sub(ending, word) for british, ending in _BRITISH if british.search(word))
        return min((word, *others), key=lambda form: idf("".join(terms(form))))

    return _LOWER.sub(respelt, text)


def with_capitals(text: str, index: PaperIndex) -> str:
    """`text` with the names that were typed in lower case as the papers write them, "hexgen2" as "HexGen-2".

    Ordinary English words stay as they are, and so does what any of the nearest papers writes small.
    """

    def written(match: re.Match[str]) -> str:
        word = match.group()
        if all(stem in _ordinary_stems() for stem in terms(word)):
            return word
        asked = f"{word} {_DIGITS.sub(' ', word)}"
        papers = {passage.paper_id for passage, _ in index.lexical(asked, _OWNERS)}
        texts = [f"{paper.title}. {paper.abstract}" for paper in map(index.paper, sorted(papers))]
        return as_written(word, "\n".join(texts)) or word

    return _SMALL.sub(written, text)


def _inflected(stem: str, ending: str) -> str:
    """`stem` with the ending of the misspelt word where that is still a word of the same stem.

    A bare stem may be cut again when it is read: "barycent" becomes "baryc", "barycenters" does not.
    """
    return stem + ending if terms(stem + ending) == [stem] else stem


def _known_words(initial: str) -> Mapping[str, str]:
    """Ordinary words with this first letter, and their stems."""
    return _by_initial().get(initial, {})


@cache
def _by_initial() -> Mapping[str, Mapping[str, str]]:
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for word in sorted(english_words()):
        if _WORD.fullmatch(word):
            found[word[0]][word] = "".join(terms(word))
    return found


@cache
def _ordinary_stems() -> frozenset[str]:
    return frozenset(terms(" ".join(english_words())))
