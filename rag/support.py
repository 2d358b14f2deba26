"""Does an abstract support a sentence? Figures and names must be there; shared stems say how well it fits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.figures import Figure, figures
from rag.lexical import terms
from rag.records import Paper, Span, Verdict
from rag.sentences import split

SUPPORTED_FROM = 0.5
WEAK_FROM = 0.25
# A second sentence joins the quote when it covers this much more of the claim.
_SECOND_SENTENCE_FROM = 0.2

# A word that is a name wherever it stands: GNN, GNN-Diff, GPT-4, LoRA, iTransformer.
_STRONG_NAME = re.compile(r"[A-Za-z]*(?:[A-Z][A-Z\d]|[a-z\d][A-Z]|[A-Z][a-z]*\d)[A-Za-z\d]*")
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
# Words of the frame around a claim; they say nothing that an abstract must say too.
_FRAME = frozenset(
    terms(
        "paper abstract author study work article according propose present introduce describe report show "
        "state mention discuss use approach method"
    )
)


@dataclass(frozen=True, slots=True)
class Support:
    """What one abstract, or several together, hold for a claim.

    `score` in [0, 1] is the share of the claim's stems found in `quote` (or in the record); `missing` are the
    figures and names of the claim that stand nowhere in the papers.
    """

    score: float
    quote: str
    missing: tuple[str, ...]
    verdict: Verdict


def support(claim: str, paper: Paper, others: Sequence[Paper] = ()) -> Support:
    """How well the abstract of `paper` supports `claim`, with the one or two sentences that do it best.

    Figures and names may also stand in `others`, the further papers that the same sentence cites.
    """
    missing = _missing(claim, (paper, *others))
    wanted = _wanted(claim, paper)
    quote, score = _best_quote(wanted, paper)
    if missing:
        verdict: Verdict = "unsupported"
    elif _CHINESE.search(claim):
        # Chinese over English abstracts shares figures and Latin names only; their absence proves nothing.
        verdict = "supported" if score >= SUPPORTED_FROM else "weak"
    else:
        verdict = "supported" if score >= SUPPORTED_FROM else "weak" if score >= WEAK_FROM else "unsupported"
    return Support(score, quote, missing, verdict)


def has_content(claim: str) -> bool:
    """Whether a sentence claims something: a lead-in ("In short:") or a bare number of a list does not."""
    if claim.rstrip().endswith((":", "：")):
        return False
    return len(set(terms(claim)) - _FRAME) >= 2 or len(_CHINESE.findall(claim)) >= 4


@dataclass(frozen=True, slots=True)
class _Source:
    """What is read of a paper once and used for every sentence that may cite it."""

    spans: tuple[Span, ...]
    stems: tuple[frozenset[str], ...]
    record_stems: frozenset[str]
    figures: tuple[Figure, ...]
    words: frozenset[str]
    initials: str


@lru_cache(maxsize=4096)
def _source(paper: Paper) -> _Source:
    record = " ".join((paper.title, *paper.authors, paper.published, paper.track or "", *paper.keywords))
    spans = tuple(split(paper.abstract))
    text = f"{record} {paper.abstract}"
    tokens = [part for word in _WORD.findall(text) for part in re.split(r"[-'’.]", word)]
    return _Source(
        spans,
        tuple(frozenset(terms(span.of(paper.abstract))) for span in spans),
        frozenset(terms(record)),
        (*figures(text), Figure(len(paper.authors), "", str(len(paper.authors)))),
        frozenset(_folded(token) for token in tokens)
        | frozenset(_folded(word) for word in _WORD.findall(text)),
        "".join(token[0].lower() for token in tokens if token),
    )


def _folded(word: str) -> str:
    """Lower case, letters and digits only, without a plural s."""
    plain = re.sub(r"[^\w]", "", word).lower()
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") else plain


def _missing(claim: str, papers: Sequence[Paper]) -> tuple[str, ...]:
    sources = [_source(paper) for paper in papers]
    lost_figures = [
        figure.written
        for figure in figures(claim, within_names=False)
        if not any(figure.stated_by(known) for source in sources for known in source.figures)
    ]
    lost_names = [name for name in _names(claim) if not any(_knows(source, name) for source in sources)]
    return tuple(dict.fromkeys(lost_figures + lost_names))


def _names(claim: str) -> list[str]:
    return [word for word in _WORD.findall(claim) if _STRONG_NAME.search(word)]


def _knows(source: _Source, name: str) -> bool:
    """The name stands in the text, whole, part by part or as initials of words in a row."""
    if _folded(name) in source.words:
        return True
    parts = [_folded(part) for part in re.split(r"[-'’.]", name) if part]
    if len(parts) > 1 and all(part in source.words for part in parts):
        return True
    acronym = _folded(name)
    return name[:2].isupper() and acronym.isalpha() and len(acronym) >= 2 and acronym in source.initials


def _wanted(claim: str, paper: Paper) -> frozenset[str]:
    stems = frozenset(terms(claim)) - _FRAME
    if not _CHINESE.search(paper.abstract):
        stems = frozenset(stem for stem in stems if not _CHINESE.search(stem))
    return stems - _source(paper).record_stems or stems


def _best_quote(wanted: frozenset[str], paper: Paper) -> tuple[str, float]:
    source = _source(paper)
    if not source.spans:
        return "", 0.0
    if not wanted:
        return source.spans[0].of(paper.abstract), 0.0
    shares = [len(wanted & stems) / len(wanted) for stems in source.stems]
    best = max(range(len(shares)), key=shares.__getitem__)
    start, end, score = source.spans[best].start, source.spans[best].end, shares[best]
    for at in range(len(shares) - 1):
        share = len(wanted & (source.stems[at] | source.stems[at + 1])) / len(wanted)
        if share >= shares[best] + _SECOND_SENTENCE_FROM and share > score:
            start, end, score = source.spans[at].start, source.spans[at + 1].end, share
    return paper.abstract[start:end], score
