"""Whether a claim and the words it rests on point the same way: negations, opposites, directions.

Shared words cannot tell "raises" from "lowers" or "does" from "does not". This cue counts both on the two
sides; it knows no syntax, so that swapped subjects ("A beats B", "B beats A") pass it.
"""

import re
from functools import cache

from rag.index.lexical import terms

_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|lacks?|lacking|lacked|fails?|failed|unable|absence|absent"
    r"|hardly|rarely|independent(?:ly)? of|unrelated|un(?:changed|affected)|non)\b|n['’]t\b"
    "|不|没有|未|无法|并非",
    re.IGNORECASE,
)
# Pairs of opposites; a row lists words of one side, a bar, words of the other.
_OPPOSITES = """\
increase raise higher rise elevate grow more gain upregulate enhance augment boost up |\
 decrease reduce lower fall drop decline less loss downregulate suppress diminish cut down shrink
improve better outperform surpass exceed beat | worsen worse underperform degrade deteriorate lag
promote activate induce stimulate facilitate enable accelerate trigger |\
 inhibit block prevent repress impair hinder suppress slow attenuate abolish
faster quick speedup | slower slow slowdown
positive | negative
large big greater major | small little minor smaller
high | low
strong | weak
early | late
cheap cheaper | expensive costly
easy simple | hard difficult
common frequent | rare infrequent
safe | harmful dangerous toxic
benefit protect | harm risk
gain | loss
present | absent
dependent | independent
always | never
upper | lower
maximum maximise maximize | minimum minimise minimize
"""


def opposed(claim: str, evidence: str) -> float:
    """How much the two point in opposite directions, in [0, 1].

    The share of the claim's direction words whose opposite stands in `evidence` while they do not, or 1 where
    one side negates and the other does not and no direction differs.
    """
    said, held = _directions(claim), _directions(evidence)
    turned = {axis for axis, side in said if (axis, side) not in held and (axis, 1 - side) in held}
    flipped = bool(_NEGATION.search(claim)) != bool(_NEGATION.search(evidence))
    share = len(turned) / len({axis for axis, _ in said}) if said else 0.0
    return abs(share - 1.0) if flipped and turned else 0.5 if flipped else share


def _directions(text: str) -> set[tuple[int, int]]:
    """The axes of `_OPPOSITES` that the text speaks of, each with its side."""
    return {place for stem in terms(text) for place in _sides().get(stem, ())}


@cache
def _sides() -> dict[str, tuple[tuple[int, int], ...]]:
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for axis, row in enumerate(_OPPOSITES.strip().splitlines()):
        for side, words in enumerate(row.split("|")):
            for stem in terms(words):
                found[stem] = (*found.get(stem, ()), (axis, side))
    return found
