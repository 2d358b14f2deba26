"""Sentences of a model that no reader should see: someone else's words put into its mouth."""

import re
from collections.abc import Collection, Sequence

from rag.grounding.support import unknown_words
from rag.patterns import lazy_pattern
from rag.records import Paper
from rag.suspicion import acts, gives_orders, sound_text

_ADDRESS = lazy_pattern(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w.@/-])(?:[a-z0-9-]+\.)+"
    r"(?:com|org|net|io|ai|edu|gov|cn|dev|app|xyz|info|me|co|uk|de|ru|example|onion)\b(?:/[^\s<>\"')\]]*)?",
    re.IGNORECASE,
)
_LONGEST_RUN = 8
_LETTERS = lazy_pattern(r"[a-z0-9]+")


def tampers(claim: str, papers: Collection[Paper]) -> bool:
    """Whether a sentence gives orders, holds markup that acts, or an address that no shown record has."""
    if gives_orders(claim) or acts(claim):
        return True
    found = [address.rstrip(".,;:").lower() for address in _ADDRESS.findall(claim)]
    if not found:
        return False
    known = " ".join(f"{paper.url or ''} {sound_text(paper.abstract)}" for paper in papers).lower()
    return any(address not in known for address in found)


def harmless(fragment: str, papers: Collection[Paper]) -> bool:
    """Whether words that claim nothing ("Yes.", "In short:", "1.") are such words, or words of the papers."""
    return fragment.rstrip().endswith((":", "：")) or not unknown_words(fragment, papers)


class Recital:
    """Notices text that repeats what the model was told: `_LONGEST_RUN` of its words in a row."""

    def __init__(self, told: Sequence[str]) -> None:
        self._runs = {run for text in told for run in _runs(text)}

    def heard_in(self, text: str) -> bool:
        return any(run in self._runs for run in _runs(text))


def _runs(text: str) -> list[tuple[str, ...]]:
    words = _LETTERS.findall(text.lower())
    return [tuple(words[at : at + _LONGEST_RUN]) for at in range(len(words) - _LONGEST_RUN + 1)]
