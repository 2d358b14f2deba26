"""What a paper's words say for a topic, part by part, in figures that can be explained to a reader."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.extractive.acronyms import Acronyms, Definition, definitions, is_acronym
from rag.index.lexical import singular, stem, terms, words
from rag.patterns import lazy_pattern
from rag.records import Paper
from rag.suspicion import sound, stuffed

_OWN = lazy_pattern(
    (
        r"\b(?:we|our|ours|this (?:paper|work|study|article)|in this|propos\w+|introduc\w+|present\w*"
        r"|novel|new)\b|^\*?\w+\*? comprises"
    ),
    re.I,
)
_WORD = lazy_pattern(r"[A-Za-z][\w-]*")


class PaperText:
    """A paper's title and sound sentences with their stems, cut once and kept. Unit 0 is the title."""

    __slots__ = (
        *("bags", "definitions", "everywhere", "forms", "own", "paper", "raw", "runs", "stuffed"),
        *("title_forms", "words"),
    )

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        spans = sound(paper.abstract)
        self.raw = [paper.title, *(span.of(paper.abstract) for span in spans)]
        said = [words(text) for text in self.raw]
        stems = [[stem(word) for word in unit] for unit in said]
        self.title_forms = frozenset(map(singular, said[0]))
        self.forms = frozenset(singular(word) for unit in said for word in unit)
        self.runs = [f" {' '.join(unit)} " for unit in stems]
        self.bags = [frozenset(unit) for unit in stems]
        self.everywhere = frozenset().union(*self.bags)
        self.own = [bool(_OWN.search(text)) for text in self.raw]
        self.words = frozenset(_WORD.findall(" ".join(self.raw)))
        self.stuffed = stuffed(paper.abstract)
        self.definitions: list[Definition] = definitions(f"{paper.title}. {paper.abstract}")


@lru_cache(maxsize=20_000)
def paper_text(paper: Paper) -> PaperText:
    return PaperText(paper)


@dataclass(frozen=True, slots=True)
class PartEvidence:
    """What was found of one part of a topic (the best of its alternatives).

    `phrases` counts the whole phrase in the abstract, `in_title` says that it stands in the title, `own` that
    a sentence about the paper's own work has it, `acronyms` counts its acronym, `loose` its two words close
    together in either order; `core_in_title` and `core_units` (a number of sentences) say where the phrase's
    rarest term stands; `together` is the idf share of its terms in the best single unit, `anywhere` in title
    and abstract; `literal` and `literal_in_title` are shares of its words that are said in the same form, all
    where its acronym is. `unit` is the number of the unit of PaperText that shows it best.
    """

    phrase: str
    core_in_title: bool = False
    core_units: int = 0
    in_title: bool = False
    phrases: int = 0
    own: bool = False
    acronyms: int = 0
    loose: int = 0
    together: float = 0.0
    anywhere: float = 0.0
    literal: float = 0.0
    literal_in_title: float = 0.0
    unit: int = 0

    @property
    def strength(self) -> float:
        """For choosing among alternatives: whole phrases before scattered words."""
        whole = 2.0 * self.in_title + min(self.phrases + self.acronyms, 3) + self.own
        return whole + self.together + 0.5 * self.anywhere


class Phrase:
    """A phrase made ready to be looked for in many papers: its stems, readings, acronyms and weights."""

    def __init__(self, phrase: str, acronyms: Acronyms, idf: Callable[[str], float]) -> None:
        self.phrase = phrase
        wanted = terms(phrase)
        readings = [reading for reading in (wanted, *_spelled_out(phrase, acronyms)) if reading]
        self._forms = [f" {' '.join(reading)} " for reading in readings]
        self._weights = [{term: idf(term) for term in reading} for reading in readings]
        self._said: dict[str, float] = {}  # each word's form and weight
        for word in words(phrase):
            self._said[singular(word)] = idf(stem(word))
        self._every = frozenset(term for reading in readings for term in reading)
        self._shorts = acronyms.short_forms(phrase)
        self._core = max(wanted, key=idf, default="")
        self._loose = _close_together(wanted)

    def evidence(self, text: PaperText) -> PartEvidence:
        shorts = [s for s in self._shorts if s in text.words or f"{s}s" in text.words]
        if not shorts and self._every.isdisjoint(text.everywhere):
            return PartEvidence(self.phrase)
        counts = [max((run.count(form) for form in self._forms), default=0) for run in text.runs]
        short_counts = _counted(shorts, text.raw) if shorts else [0] * len(counts)
        shares = [self._share(bag) for bag in text.bags]
        seen = [count + short for count, short in zip(counts, short_counts, strict=True)]
        core = self._core

        def telling(i: int) -> tuple[float, int, float, int]:
            """Best in a sentence on the paper's own work, even if it has only its rarest word."""
            own_core = i > 0 and text.own[i] and core in text.bags[i]
            return max(2.5 * own_core, bool(seen[i]) * (1 + (i > 0) + text.own[i])), seen[i], shares[i], -i

        best = max((i for i in range(len(seen)) if seen[i] or shares[i]), key=telling, default=0)
        return PartEvidence(
            phrase=self.phrase,
            core_in_title=core in text.bags[0] or seen[0] > 0,
            core_units=sum(
                core in bag or count > 0 for bag, count in zip(text.bags[1:], seen[1:], strict=True)
            ),
            in_title=seen[0] > 0,
            phrases=sum(counts[1:]),
            own=any(own and count for own, count in zip(text.own[1:], seen[1:], strict=True)),
            acronyms=sum(short_counts[1:]),
            loose=sum(len(self._loose.findall(run)) for run in text.runs) if self._loose else 0,
            together=max(shares),
            anywhere=self._share(text.everywhere),
            literal=1.0 if any(short_counts) else share(self._said, text.forms),
            literal_in_title=1.0 if short_counts[0] else shares[0] and share(self._said, text.title_forms),
            unit=best,
        )

    def _share(self, bag: Collection[str]) -> float:
        if self._every.isdisjoint(bag):
            return 0.0
        return max(share(weights, bag) for weights in self._weights)


def strongest(text: PaperText, alternatives: Sequence[Phrase]) -> PartEvidence:
    """The strongest evidence among the alternatives of one part."""
    return max((phrase.evidence(text) for phrase in alternatives), key=lambda evidence: evidence.strength)


def share(weights: Mapping[str, float], bag: Collection[str]) -> float:
    """The part of the terms' total weight that `bag` holds, in [0, 1]."""
    found = [weight for term, weight in weights.items() if term in bag]
    return sum(found) / sum(weights.values()) if found else 0.0


def _counted(shorts: Sequence[str], units: Sequence[str]) -> list[int]:
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, shorts))})s?(?!\w)")
    return [len(pattern.findall(unit)) for unit in units]


def _spelled_out(phrase: str, acronyms: Acronyms) -> list[list[str]]:
    """The phrase with each acronym in it replaced by what it stands for: "LLM agents" → large language ..."""
    words = phrase.split()
    return [
        [term for i, other in enumerate(words) for term in (form if i == at else terms(other))]
        for at, word in enumerate(words)
        if is_acronym(word)
        for form in acronyms.long_forms(word)
    ]


def _close_together(wanted: Sequence[str]) -> re.Pattern[str] | None:
    """Two terms with at most one between, in either order: "generate videos" is "video generation"."""
    if len(wanted) != 2 or wanted[0] == wanted[1]:
        return None
    one, other = map(re.escape, wanted)
    return re.compile(rf"(?<= )(?:{one} (?:\S+ )?{other}|{other} (?:\S+ )?{one})(?= )")
