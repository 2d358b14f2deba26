"""What a paper's words say for a topic, part by part, in figures that can be explained to a reader."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.acronyms import Acronyms
from rag.lexical import terms
from rag.records import Paper, Span
from rag.sentences import split

_OWN = re.compile(
    r"\b(?:we|our|ours|this (?:paper|work|study|article)|in this|propos\w+|introduc\w+|present\w*|novel|new)\b|^\*?\w+\*? comprises", re.I
)
_WORD = re.compile(r"[A-Za-z][\w-]*")


class PaperText:
    """A paper's title and sentences with their stems, cut once and kept."""

    __slots__ = ("bag", "own", "paper", "sentences", "spans", "title", "words")

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.spans: list[Span] = split(paper.abstract)
        self.title = terms(paper.title)
        self.sentences = [terms(span.of(paper.abstract)) for span in self.spans]
        self.own = [bool(_OWN.search(span.of(paper.abstract))) for span in self.spans]
        self.bag = {term for sentence in self.sentences for term in sentence} | set(self.title)
        self.words = set(_WORD.findall(f"{paper.title} {paper.abstract}"))


@dataclass(frozen=True, slots=True)
class PartEvidence:
    """What was found of one part of a topic (the best of its alternatives).

    `phrases` counts the whole phrase in the abstract, `in_title` says that it stands in the title, `own` that
    a sentence about the paper's own work has it, `acronyms` counts its acronym; `together` is the idf share
    of its terms in the best single sentence, `anywhere` in title and abstract. `sentence` is the best one's
    number, -1 for the title.
    """

    phrase: str
    in_title: bool
    phrases: int
    own: bool
    acronyms: int
    together: float
    anywhere: float
    sentence: int

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


def _phrase_evidence(text: PaperText, phrase: str, acronyms: Acronyms, idf: Callable[[str], float]) -> PartEvidence:
    wanted = terms(phrase)
    forms = [wanted, *(list(form) for word in _WORD.findall(phrase) if word.isupper() for form in acronyms.long_forms(word))]
    counts = [max(_count(sentence, form) for form in forms) for sentence in text.sentences]
    shorts = [short for short in acronyms.short_forms(phrase) if short in text.words or f"{short}s" in text.words]
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, shorts))})s?(?!\w)") if shorts else None
    abstract = text.paper.abstract
    short_counts = [len(pattern.findall(span.of(abstract))) if pattern else 0 for span in text.spans]
    in_title = any(_count(text.title, form) for form in forms) or bool(pattern and pattern.search(text.paper.title))
    shares = [_share(wanted, set(sentence), idf) for sentence in text.sentences]
    title_share = _share(wanted, set(text.title), idf)
    best = max(
        range(len(text.spans)),
        key=lambda i: (bool(counts[i] or short_counts[i]) * (1 + text.own[i]), counts[i] + short_counts[i], shares[i], -i),
        default=-1,
    )
    return PartEvidence(
        phrase=phrase,
        in_title=in_title,
        phrases=sum(counts),
        own=any(text.own[i] and (counts[i] or short_counts[i]) for i in range(len(text.spans))),
        acronyms=sum(short_counts),
        together=max([title_share, *shares]),
        anywhere=_share(wanted, text.bag, idf),
        sentence=best if best >= 0 and shares[best] >= title_share or counts[best:] and counts[best] else -1,
    )


def _count(sentence: Sequence[str], phrase: Sequence[str]) -> int:
    """How often the terms of `phrase` stand one after another in `sentence`."""
    width = len(phrase)
    if not width:
        return 0
    return sum(list(sentence[i : i + width]) == list(phrase) for i in range(len(sentence) - width + 1))


def _share(wanted: Sequence[str], bag: set[str], idf: Callable[[str], float]) -> float:
    total = sum(map(idf, wanted))
    return sum(idf(term) for term in wanted if term in bag) / total if total else 0.0
