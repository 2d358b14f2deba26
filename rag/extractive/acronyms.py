"""Acronyms that a set of texts defines: "sparse autoencoders (SAEs)" pairs the two forms."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from rag.index.lexical import terms
from rag.patterns import lazy_pattern

_IN_BRACKETS = lazy_pattern(r"\(\s*\**([A-Za-z][\w-]{1,9})\**\s*\)")
_LONGEST = 90
"""Characters before the bracket in which the long form is looked for."""

Form = tuple[str, ...]
"""A long form as stemmed terms."""
Definition = tuple[str, Form]
"""An acronym and its long form."""


class Acronyms:
    """What `definitions` found in a set of texts, counted."""

    def __init__(self, defined: Iterable[Definition]) -> None:
        self._meanings: defaultdict[str, Counter[Form]] = defaultdict(Counter)
        self._shorts: defaultdict[Form, Counter[str]] = defaultdict(Counter)
        self._by_head: defaultdict[str, set[Form]] = defaultdict(set)
        for short, form in defined:
            self._meanings[short][form] += 1
            self._shorts[form][short] += 1
            self._by_head[form[-1]].add(form)

    def short_forms(self, phrase: str, dominance: float = 0.5) -> list[str]:
        """Acronyms that mean `phrase` or a kind of it in at least the share `dominance` of their definitions.

        A form that ends with the phrase is a kind of it: a "large language model" is a language model. Of a
        single word ("network") too many things are kinds.
        """
        form = tuple(terms(phrase))
        kinds = self._by_head.get(form[-1], set()) if len(form) > 1 else {form} if form else set()
        forms = sorted(kind for kind in kinds if kind[-len(form) :] == form)
        return [s for kind in forms for s in self._shorts.get(kind, ()) if self._share(s, kind) >= dominance]

    def long_forms(self, short: str, share: float = 0.2) -> list[Form]:
        """What an acronym stands for, each meaning with at least `share` of its definitions."""
        key = _singular(short)
        return [form for form in self._meanings.get(key, ()) if self._share(key, form) >= share]

    def _share(self, short: str, form: Form) -> float:
        meanings = self._meanings[short]
        return meanings[form] / meanings.total()


def definitions(text: str) -> list[Definition]:
    """What `text` defines; plural "s" of the acronym is dropped.

    Found by the alignment of Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation
    definitions in biomedical text".
    """
    found = []
    for match in _IN_BRACKETS.finditer(text):
        short = match.group(1)
        if sum(char.isupper() for char in short) < 2:
            continue
        before = text[max(0, match.start() - _LONGEST) : match.start()].rstrip()
        if form := tuple(terms(_aligned(_singular(short), before) or "")):
            found.append((_singular(short), form))
    return found


def _singular(short: str) -> str:
    return short[:-1] if short.endswith("s") and short[:-1].isupper() else short


def is_acronym(word: str) -> bool:
    """ "LLM", "LLMs", "GNN-RL"; not "A", not "Attention"."""
    return len(word) > 1 and _singular(word).isupper()


def _aligned(short: str, words: str) -> str | None:
    """The shortest tail of `words` whose letters spell `short`, its first letter at a word's start.

    None when it has more than twice as many words as `short` has letters: then the letters fit by chance.
    """
    letters = [char.lower() for char in short if char.isalnum()]
    position = len(words)
    for number, letter in enumerate(reversed(letters)):
        position -= 1
        at_start = number == len(letters) - 1
        while position >= 0 and not (
            words[position].lower() == letter
            and (not at_start or position == 0 or not words[position - 1].isalnum())
        ):
            position -= 1
        if position < 0:
            return None
    long = words[position:]
    fits = len(short) < len(long) and len(long.split()) <= 2 * len(letters)
    return long if fits else None
