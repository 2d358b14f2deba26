"""Mend misspelt words of a question: "hyperparamters" is looked for as what the papers call it."""

import re
from collections.abc import Collection
from difflib import get_close_matches
from functools import cache

from rag.glossary import english_words
from rag.lexical import terms

_WORD = re.compile(r"(?<![\w-])[a-z]{6,}(?![\w-])")
_SHORTEST_STEM = 6
_ALIKE = 0.87
"""Least difflib ratio of two stems, twice the matching characters over all, for a slip."""


def mend(text: str, vocabulary: Collection[str]) -> str:
    """`text` with each word that is no ordinary one replaced by the stem of `vocabulary` it is a slip of.

    Only words in lower case are mended: a name may be unknown and right.
    """

    def mended(match: re.Match[str]) -> str:
        stem = "".join(terms(match.group()))
        if len(stem) < _SHORTEST_STEM or stem in vocabulary or stem in _ordinary_stems():
            return match.group()
        near = [s for s in vocabulary if s[:1] == stem[:1] and abs(len(s) - len(stem)) <= 2]
        return next(iter(get_close_matches(stem, near, n=1, cutoff=_ALIKE)), match.group())

    return _WORD.sub(mended, text)


@cache
def _ordinary_stems() -> frozenset[str]:
    return frozenset(terms(" ".join(english_words())))
