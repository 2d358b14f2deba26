"""What a paper's words say for a topic, part by part, in figures that can be explained to a reader."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from rag.extractive.acronyms import Acronyms, is_acronym
from rag.index.lexical import terms
from rag.records import Paper
from rag.suspicion import sound

_OWN = re.compile(
    (
        r"\b(?:we|our|ours|this (?:paper|work|study|article)|in this|propos\w+|introduc\w+|present\w*"
        r"|novel|new)\b|^\*?\w+\*? comprises"
    ),
    re.I,
)
_WORD = re.compile(r"[A-Za-z][\w-]*")


class PaperText:
    """A paper's title and sound sentences with their stems, cut once and kept. Unit 0 is the title."""

    __slots__ = ("bags", "everywhere", "own", "paper", "raw", "runs", "words")

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        spans = sound(paper.abstract)
        self.raw = [paper.title, *(span.of(paper.abstract) for span in spans)]
        stems = [terms(text) for text in self.raw]
        self.runs = [f" {' '.join(unit)} " for unit in stems]
        self.bags = [frozenset(unit) for unit in stems]
        self.everywhere = frozenset().union(*self.bags)
        self.own = [bool(_OWN.search(text)) for text in self.raw]
        self.words = frozenset(_WORD.findall(" ".join(self.raw)))


@dataclass(frozen=True, slots=True)
class PartEvidence:
    """What was found of one part of a topic (the best of its alternatives).

    `phrases` counts the whole phrase in the abstract, `in_title` says that it stands in the title, `own` that
    a sentence about the paper's own work has it, `acronyms` counts its acronym; `core_in_title` and
    `core_units` (a number of sentences) say where the phrase's rarest term stands; `together` is the idf
    share of its terms in the best single unit, `anywhere` in title and abstract. `unit` is the number of the
    unit of PaperText that shows it best.
    """

    phrase: str
    core_in_title: bool
    core_units: int
    in_title: bool
    phrases: int
    own: bool
    acronyms: int
    together: float
    anywhere: float
    unit: int

    @property
    def strength(self) -> float:
        """For choosing among alternatives: whole phrases before scattered words."""
        whole = 2.0 * self.in_title + min(self.phrases + self.acronyms, 3) + self.own
        return whole + self.together + 0.5 * self.anywhere


def part_evidence(
    text: PaperText, alternatives: Sequence[str], acronyms: Acronyms, idf: Callable[[str], float]
) -> PartEvidence:
    """The strongest evidence among the alternatives of one part."""
    found = [_phrase_evidence(text, phrase, acronyms, idf) for phrase in alternatives]
    return max(found, key=lambda evidence: evidence.strength)


def _phrase_evidence(
    text: PaperText, phrase: str, acronyms: Acronyms, idf: Callable[[str], float]
) -> PartEvidence:
    wanted = terms(phrase)
    spelled = _spelled_out(phrase, acronyms)
    forms = [f" {' '.join(form)} " for form in (wanted, *spelled) if form]
    shorts = [s for s in acronyms.short_forms(phrase) if s in text.words or f"{s}s" in text.words]
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, shorts))})s?(?!\w)") if shorts else None
    counts = [max((run.count(form) for form in forms), default=0) for run in text.runs]
    short_counts = [len(pattern.findall(unit)) if pattern else 0 for unit in text.raw]
    weights = {term: idf(term) for term in wanted}
    readings = [weights, *({term: idf(term) for term in form} for form in spelled)]
    shares = [max(share(reading, bag) for reading in readings) for bag in text.bags]
    seen = [counts[i] + short_counts[i] for i in range(len(counts))]
    core = max(weights, key=lambda term: weights[term], default="")

    def telling(i: int) -> tuple[float, int, float, int]:
        """Best in a sentence on the paper's own work, even with only its rarest word ("conformal score")."""
        own_core = i > 0 and text.own[i] and core in text.bags[i]
        return max(2.5 * own_core, bool(seen[i]) * (1 + (i > 0) + text.own[i])), seen[i], shares[i], -i

    best = max(range(len(seen)), key=telling)
    return PartEvidence(
        phrase=phrase,
        core_in_title=core in text.bags[0] or seen[0] > 0,
        core_units=sum(core in bag or count > 0 for bag, count in zip(text.bags[1:], seen[1:], strict=True)),
        in_title=seen[0] > 0,
        phrases=sum(counts[1:]),
        own=any(own and count for own, count in zip(text.own[1:], seen[1:], strict=True)),
        acronyms=sum(short_counts[1:]),
        together=max(shares),
        anywhere=max(share(reading, text.everywhere) for reading in readings),
        unit=best,
    )


def _spelled_out(phrase: str, acronyms: Acronyms) -> list[list[str]]:
    """The phrase with each acronym in it replaced by what it stands for: "LLM agents" → large language ..."""
    words = phrase.split()
    return [
        [term for i, other in enumerate(words) for term in (form if i == at else terms(other))]
        for at, word in enumerate(words)
        if is_acronym(word)
        for form in acronyms.long_forms(word)
    ]


def share(weights: Mapping[str, float], bag: Collection[str]) -> float:
    """The part of the terms' total weight that `bag` holds, in [0, 1]."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in bag) / total if total else 0.0
