"""Whether a claim turns the direction of the words it rests on: "raises" where they say "lowers".

Shared words cannot tell the two apart. Of SciFact's claims that share their words with the abstract this cue
finds 7 % of the contradicted ones and 2 % of the supported ones; negations ("does not") were tried and left
out, since 21 % of the supported claims differ in them too. It knows no syntax: swapped subjects pass it.
"""

from functools import cache

from rag.index.lexical import terms

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
present | absent
dependent | independent
always | never
upper | lower
maximum maximise maximize | minimum minimise minimize
"""


def turned(claim: str, evidence: str) -> bool:
    """Whether the claim has a direction word whose opposite stands in `evidence`, where itself does not."""
    said, held = _directions(claim), _directions(evidence)
    return any((axis, side) not in held and (axis, 1 - side) in held for axis, side in said)


def _directions(text: str) -> set[tuple[int, int]]:
    """The rows of `_OPPOSITES` that the text speaks of, each with its side."""
    return {place for stem in terms(text) for place in _sides().get(stem, ())}


@cache
def _sides() -> dict[str, tuple[tuple[int, int], ...]]:
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for axis, row in enumerate(_OPPOSITES.strip().splitlines()):
        for side, words in enumerate(row.split("|")):
            for stem in terms(words):
                found[stem] = (*found.get(stem, ()), (axis, side))
    return found
