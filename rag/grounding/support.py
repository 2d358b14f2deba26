"""Does an abstract support a sentence? Figures and names must be there; shared stems say how well it fits."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rag.grounding.figures import Figure, figures
from rag.grounding.polarity import turned
from rag.index.lexical import terms
from rag.patterns import lazy_pattern
from rag.question.glossary import translate
from rag.records import Paper, Span, Verdict
from rag.suspicion import sound, sound_text

# `python -m eval support` measures both on AttributionBench's dev split (without ExpertQA, whose labels
# follow neither words nor meaning) and on SciFact's train claims; eval/README.md has its table. Shared stems
# alone: of what scores 0.6 and lacks nothing 78 % and 92 % is supported; below 0.3 are 4 % and 3 % of the
# supported claims. With the embedding's cosine, at the same coverage, 77 % and 96 %. Neither can tell SUPPORT
# from CONTRADICT: a negation and swapped subjects share their words with the truth.
SUPPORTED_FROM = 0.6
WEAK_FROM = 0.3
# Log-odds of support from shared stems and cosine, fitted on those sets, and where the verdicts begin.
_BY_STEMS, _BY_NEARNESS, _BIAS = 4.6, 3.5, -4.7
_SUPPORTED_ODDS, _WEAK_ODDS = 0.5, -1.25
# A second sentence joins the quote when it covers this much more of the claim.
_SECOND_SENTENCE_FROM = 0.2
_FIGURES_WEIGH = 0.5

# A word that is a name wherever it stands: GNN, GNN-Diff, GPT-4, LoRA, iTransformer.
_STRONG_NAME = lazy_pattern(r"[A-Za-z]*(?:[A-Z][A-Z\d]|[a-z\d][A-Z]|[A-Z][a-z]*\d)[A-Za-z\d]*")
# Before the first word of a sentence, a list item, a quotation.
_BEGINS = lazy_pattern(r"(?:^|[.!?:。！？：]|[-*•]\s|\d\.\s)[\s\"“‘'(*_]*$")
_WORD = lazy_pattern(r"[^\W_\u3400-\u9fff]+(?:[-'’.][^\W_\u3400-\u9fff]+)*")
_LIST_MARKER = lazy_pattern(r"^\s*(?:[-*•+]|\d{1,2}[.)、])\s+")
_CHINESE = lazy_pattern(r"[\u3400-\u9fff]")
# Words of the frame around a claim; they say nothing that an abstract must say too.
_FRAME = frozenset(
    terms(
        "paper abstract author study work article according propose present introduce describe report show "
        "state mention discuss use approach method"
    )
)


Nearness = Callable[[str, Sequence[str]], Sequence[float]]
"""The cosines of a claim to each of some sentences, by an embedding model."""

SIGNALS = ("score", "lacks", "nearness", "turned")
"""What `signals` measures: shared stems; figures and names that are missing; the cosine to the best sentence;
whether the claim turns the direction of its quote."""
_PLAIN = frozenset(
    terms(
        "yes no not both neither none either all correct right indeed maybe partly however moreover overall "
        "also first second third finally true false short summary conclusion answer therefore thus hence "
        "是的 不是 没有 可以 不可以 对 不对 两者 都是 总之 综上 因此"
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


def support(
    claim: str, paper: Paper, others: Sequence[Paper] = (), nearness: Nearness | None = None
) -> Support:
    """How well the abstract of `paper` supports `claim`, with the one or two sentences that do it best.

    Figures and names may also stand in `others`, the further papers that the same sentence cites. Without
    `nearness` shared stems alone decide.
    """
    claim = _LIST_MARKER.sub("", claim)
    stated = figures(claim, within_names=False)
    missing = _missing(claim, stated, [_source(each) for each in (paper, *others)])
    wanted = _wanted(claim, paper)
    quote, score = _quote(wanted, stated, paper)
    if missing:
        verdict: Verdict = "unsupported"
    elif _CHINESE.search(claim) and not _CHINESE.search(paper.abstract):
        # Chinese over English abstracts shares figures and Latin words: two of them besides the title's say
        # enough, or a figure and a name. Where there are none, the glossary tells whether it speaks of the
        # same things, not whether it is true.
        said = len(wanted - frozenset(terms(paper.title))) + len(stated) + bool(stated and wanted)
        if not said:
            score = _terms_held(claim, _source(paper))
        verdict = "supported" if said >= 2 and score >= SUPPORTED_FROM else "weak"
        if not said and score < WEAK_FROM:
            verdict = "unsupported"
    else:
        verdict = _verdict(score, _nearest(claim, paper, nearness) if nearness else None)
        if verdict == "supported" and turned(claim, quote):
            verdict = "weak"
    return Support(score, quote, missing, verdict)


def decide(measured: Sequence[float], *, with_nearness: bool = True) -> Verdict:
    """The verdict on an English claim with these values of `SIGNALS`."""
    score, lacks, near, turns = measured
    if lacks:
        return "unsupported"
    verdict = _verdict(score, near if with_nearness else None)
    return "weak" if verdict == "supported" and turns else verdict


def _verdict(score: float, near: float | None) -> Verdict:
    value, supported, weak = score, SUPPORTED_FROM, WEAK_FROM
    if near is not None:
        value = _BY_STEMS * score + _BY_NEARNESS * near + _BIAS
        supported, weak = _SUPPORTED_ODDS, _WEAK_ODDS
    return "supported" if value >= supported else "weak" if value >= weak else "unsupported"


def _nearest(claim: str, paper: Paper, nearness: Nearness) -> float | None:
    """The cosine of the claim to the abstract's best sentence, None where there is nothing to compare."""
    sentences = [span.of(paper.abstract) for span in sound(paper.abstract)]
    return max(nearness(claim, sentences), default=None) if sentences else None


def signals(claim: str, paper: Paper, others: Sequence[Paper] = (), *, nearness: Nearness) -> list[float]:
    """The values of `SIGNALS` for a claim and the paper it cites."""
    held = support(claim, paper, others)
    near = _nearest(claim, paper, nearness) or 0.0
    return [held.score, min(len(held.missing), 3), near, turned(claim, held.quote)]


def has_content(claim: str) -> bool:
    """Whether a sentence claims something: a lead-in ("In short:") or a bare number of a list does not."""
    if claim.rstrip().endswith((":", "：")):
        return False
    return len(set(terms(claim)) - _FRAME) >= 2 or len(_CHINESE.findall(claim)) >= 4


def unknown_words(fragment: str, papers: Iterable[Paper]) -> list[str]:
    """The stems of a fragment that no paper has and that are no plain answer ("yes", "both")."""
    known = _PLAIN.union(*(_source(paper).stems for paper in papers))
    return [stem for stem in terms(fragment) if stem not in known and not stem.isdigit()]


@dataclass(frozen=True, slots=True)
class _Sentence:
    span: Span
    stems: frozenset[str]
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """What is read of a paper once and used for every sentence that may cite it."""

    sentences: tuple[_Sentence, ...]
    record_stems: frozenset[str]
    figures: tuple[Figure, ...]
    words: frozenset[str]
    text: str

    @property
    def stems(self) -> frozenset[str]:
        return self.record_stems.union(*(sentence.stems for sentence in self.sentences))


@lru_cache(maxsize=4096)
def _source(paper: Paper) -> _Source:
    record = " ".join((paper.title, *paper.authors, paper.published, paper.track or "", *paper.keywords))
    text = f"{record} {sound_text(paper.abstract)}"  # what an order says is no evidence
    words = _WORD.findall(text)
    return _Source(
        tuple(_sentence(span, paper.abstract) for span in sound(paper.abstract)),
        frozenset(terms(record)),
        (*figures(text), Figure(len(paper.authors), "", str(len(paper.authors)))),
        frozenset(_folded(word) for word in (*words, *(part for word in words for part in _parts(word)))),
        text,
    )


def _sentence(span: Span, abstract: str) -> _Sentence:
    text = span.of(abstract)
    return _Sentence(span, frozenset(terms(text)), tuple(figures(text)))


def _folded(word: str) -> str:
    """Lower case, letters and digits only, without a plural s."""
    plain = re.sub(r"[^\w]", "", word).lower()
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") else plain


def _missing(claim: str, stated: Sequence[Figure], sources: Sequence[_Source]) -> tuple[str, ...]:
    known = [figure for source in sources for figure in source.figures]
    lost = [figure.written for figure in stated if not any(figure.stated_by(other) for other in known)]
    lost += [name for name in _names(claim) if not any(_knows(source, name) for source in sources)]
    return tuple(dict.fromkeys(lost))


def _names(claim: str) -> list[str]:
    """The names of a claim, a compound one in its capitalised parts.

    A plain capitalised word counts where it does not begin the sentence, and anywhere in Chinese.
    Abbreviations that the claim itself spells out ("extracellular vesicles (EVs)") need no witness.
    """
    found: list[str] = []
    for word in _WORD.finditer(claim):
        parts = [part for part in _parts(word.group()) if part[0].isupper() or _STRONG_NAME.fullmatch(part)]
        begins = _BEGINS.search(claim, 0, word.start()) and not _CHINESE.search(claim)
        if any(_STRONG_NAME.fullmatch(part) for part in parts) or not begins:
            found += [part for part in parts if len(part) > 1 and not _spelt_out(part, claim)]
    return found


def _parts(word: str) -> list[str]:
    return [part for part in re.split(r"[-'’.]", word) if part]


def _knows(source: _Source, name: str) -> bool:
    return _folded(name) in source.words or _spelt_out(name, source.text)


def _spelt_out(name: str, text: str) -> bool:
    """Whether words in a row begin like the parts of the name: GFlowNet, "generative flow networks"."""
    name = name.removesuffix("s")
    parts = re.findall(r"[A-Z][a-z]*", name)
    if "".join(parts) != name or (len(parts) == 1 and len(name) < 4):
        return False
    row = r"\w*\W+".join(parts) if len(parts) > 1 else rf"{name}\w"
    return re.search(rf"\b{row}", text, re.IGNORECASE) is not None


def _wanted(claim: str, paper: Paper) -> frozenset[str]:
    """The stems that the paper should hold; of a Chinese claim over an English abstract the Latin words."""
    stems = frozenset(terms(claim)) - _FRAME
    if not _CHINESE.search(claim) or _CHINESE.search(paper.abstract):
        return stems
    # Figures are left out: such a claim has few words, and "8" is "eight" there.
    return frozenset(stem for stem in stems if not _CHINESE.search(stem) and not stem[0].isdigit())


def _terms_held(claim: str, source: _Source) -> float:
    """How much of the claim's Chinese terms the paper has, each by the best of its translations."""

    def share(words: str) -> float:
        wanted = set(terms(words))
        return len(wanted & source.stems) / len(wanted) if wanted else 0.0

    known = [translations for _, translations in translate(claim).terms if translations]
    held = [max(map(share, words)) for words in known if not set(terms(words[0])) <= _FRAME]
    return sum(held) / len(held) if held else 0.0


def _quote(wanted: frozenset[str], stated: Sequence[Figure], paper: Paper) -> tuple[str, float]:
    """The quote that fits the claim best, and the mean of the shares of its stems in quote and abstract.

    The title and the rest of the record count as said in every sentence: "GNN-Diff generates ..." is what
    "We generate ..." says. Of two quotes, one with the claim's figures fits better.
    """
    source = _source(paper)
    if not source.sentences:
        return "", 0.0

    def fit(first: int, last: int) -> tuple[float, float]:
        stems = source.record_stems.union(
            *(sentence.stems for sentence in source.sentences[first : last + 1])
        )
        share = len(wanted & stems) / len(wanted) if wanted else 0.0
        near = [figure for sentence in source.sentences[first : last + 1] for figure in sentence.figures]
        held = sum(any(figure.stated_by(other) for other in near) for figure in stated)
        return share + (_FIGURES_WEIGH * held / len(stated) if stated else 0.0), share

    count = len(source.sentences)
    best = max(((at, at) for at in range(count)), key=lambda place: fit(*place))
    pair = max(pairwise(range(count)), key=lambda place: fit(*place), default=best)
    if fit(*pair)[0] >= fit(*best)[0] + _SECOND_SENTENCE_FROM:
        best = pair
    start, end = source.sentences[best[0]].span.start, source.sentences[best[1]].span.end
    return paper.abstract[start:end], (fit(*best)[1] + fit(0, count - 1)[1]) / 2
