"""An author's name, taken apart as bibliographies need it."""

import re
from dataclasses import dataclass

from rag.cleaning import squeeze
from rag.patterns import lazy_pattern

# Scripts whose names stand family first, mostly without a blank: none of the formats gains from a cut.
_EAST_ASIAN = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_SUFFIX = lazy_pattern(r"(?:jr|sr)\.?|II|III|IV", re.IGNORECASE)
_NO_PERSON = lazy_pattern(
    r"\b(?:team|consortium|collaboration|committee|initiative|foundation|universit\w+|institute?|"
    r"laborator\w+|inc)\b|团队|课题组",
    re.IGNORECASE,
)
# "van der", "De la": words that open a family name. Those that are as often given names (Bin, Do)
# are only taken in small letters.
_PARTICLES = frozenset(
    """abu af al av ben da das de del della den der des di dos du el la las le lo los st. ten ter van
    von""".split()
)
_SMALL_PARTICLES = _PARTICLES | frozenset("bin dit do im ibn 't ul ur v. vom zu zum zur".split())
_JOINERS = frozenset("e i y".split())
"""Words that join the two halves of one family name: "Agüera y Arcas"."""


@dataclass(frozen=True, slots=True)
class Name:
    """One author. Where a name cannot be taken apart, `family` is all of it and `given` is empty."""

    family: str
    given: str = ""
    particle: str = ""
    """What stands before the family name in small letters: "van den"."""
    suffix: str = ""

    @property
    def whole_family(self) -> str:
        return " ".join(filter(None, (self.particle, self.family)))

    @property
    def inverted(self) -> str:
        """ "van Beethoven, Ludwig", "King, Martin Luther, Jr."; the whole name where there is one part."""
        return ", ".join(filter(None, (self.whole_family, self.given, self.suffix)))


def parse_name(text: str) -> Name:
    """The parts of "Given Family", "Family, Given" or "Family, Jr., Given"; every word is in one of them."""
    text = squeeze(text)
    if _EAST_ASIAN.search(text) or _NO_PERSON.search(text):
        return Name(text)
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 3 or not all(parts):
        return Name(text)
    if len(parts) == 1:
        return _western(text.split(" "))
    if len(parts) == 2 and _SUFFIX.fullmatch(parts[1]):
        return _western([*parts[0].split(" "), parts[1]])
    if len(parts) == 2:
        return _inverted(parts[0], parts[1])
    if _SUFFIX.fullmatch(parts[1]) or _SUFFIX.fullmatch(parts[2]):
        suffix, given = parts[1:] if _SUFFIX.fullmatch(parts[1]) else parts[:0:-1]
        return _inverted(parts[0], given, suffix)
    return Name(text)


def _inverted(family: str, given: str, suffix: str = "") -> Name:
    words = family.split(" ")
    start = _small_particles(words)
    return Name(" ".join(words[start:]), given, " ".join(words[:start]), suffix)


def _western(words: list[str]) -> Name:
    """The family name is the last word with the particles before it; a catalogue's number stays with it."""
    suffix = ""
    if len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        *words, suffix = words
    last = len(words) - 1
    while last > 0 and not any(char.isalpha() for char in words[last]):
        last -= 1
    start = _family_start(words, last)
    if not start or not words[last][0].isalpha() or _SUFFIX.fullmatch(words[last]):
        return Name(" ".join(filter(None, (*words, suffix))))
    family = words[start:]
    small = _small_particles(family)
    return Name(" ".join(family[small:]), " ".join(words[:start]), " ".join(family[:small]), suffix)


def _family_start(words: list[str], last: int) -> int:
    """Index of the first word of the family name; the first word of a name is given."""
    start = last
    while start > 1 and (words[start - 1].lower() in _PARTICLES or words[start - 1] in _SMALL_PARTICLES):
        start -= 1
    if start > 2 and words[start - 1] in _JOINERS:
        start -= 2
    return start


def _small_particles(words: list[str]) -> int:
    """How many words at the start are particles in small letters; the last word never is."""
    count = 0
    while count < len(words) - 1 and words[count] in _SMALL_PARTICLES:
        count += 1
    return count
