"""The noun that a question asks for ("how many *datasets*"), and the words that only ask."""

import re

from rag.index.lexical import terms
from rag.patterns import lazy_pattern

_NOUN = lazy_pattern(
    r"\b(?:how many|how much|what|which|number of"
    r"|whose)\s+(?P<noun>(?:[\w@-]+\s+){0,5}?[\w@-]+)\s+(?:are|is|was|were"
    r"|did|do|does|in|on|go|goes|went|can|could|have|has|had|of|for|to|get|gets|reach|reaches|at|with"
    r"|from|should|must"
    r"|will|used|make|take|takes|took)\b",
    re.I,
)
ASKING = frozenset(
    terms(
        "get gets use uses used using take took taken go goes went gone make made need needs look looked"
        " try tried come"
        " came tell told happen reach reaches report reported call called say said mean give gave find"
        " found show shown"
        " do paper papers study work method methods approach approaches author authors abstract"
        " according exactly many"
        " much good well really actually people thing things kind type sort involve involved set chosen"
        " choose perform"
        " run ran"
    )
)
"""Stems of words that ask, and need not stand in an abstract that answers."""


def asked_noun(text: str) -> list[str]:
    """Stems of the noun that the English question `text` asks for, at most four; empty where it names"
    " none."""
    match = _NOUN.search(f"{text.rstrip(' ?')} is")
    return [stem for stem in terms(match["noun"]) if stem not in ASKING][-4:] if match else []
