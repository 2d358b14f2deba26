"""What a question takes for granted or asks for, and the abstracts it is asked of do not have."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rag.extractive.kinship import closeness, usual
from rag.index.lexical import terms
from rag.patterns import lazy_pattern
from rag.question.asked import ASKING, asked_noun
from rag.question.cues import ideas
from rag.question.details import Detail, asked_for, metrics_in
from rag.question.naming import mentions, names_in
from rag.question.opposites import contradicts, contradicts_plainly, denied_words, is_open, sides
from rag.question.parsing import Question
from rag.records import Paper
from rag.sentences import split

KIN = 0.55
"""Cosine of word vectors from which one word stands for another."""
RARE = 0.5
"""What is asked for and denied must weigh so much of the greatest idf: that a paper denies"
" "models" says little."""
DENIED = 0.5
"""Share of what is taken to be needed from which a sentence that denies it is put against the question."""
_AMOUNTS = frozenset(terms("large huge much many lot amount number extra additional more new some any"))
FEATURES = (
    "names_missing",  # share of the question's names that the papers lack, written out or abbreviated
    "names_some",  # they have some of the names and lack another
    "detail_missing",  # a detail of experiments or publication is asked for that they do not give
    "metric_missing",  # a measure of quality that they do not name
    "figure_missing",  # a figure of something is asked for, and no figure stands near its like
    "asked_far",  # how far the noun that is asked for is from their words
    "mean_far",  # the mean distance of the question's words from theirs, weighed by rarity
    "denied",  # idf share of the question's words that the papers have only where they deny them
    "denied_object",  # the same share of what the question takes to be needed or used
    "opposite",  # the sentence nearest to the question has the opposite of one of its words
    "swapped",  # the question compares the other way round
    "together",  # idf share of the question's words, or their like, in the sentence that has most
    "unusual",  # share of the question's words that are next to unknown in the field and in the papers
)

_FIGURE = lazy_pattern(
    r"\bhow (?:many|much|often|long|large|big|deep|high|wide|fast|far|old|badly|well)\b|\bnumber of\b"
    r"|\bhow \w+er\b"
    r"|\bwhat (?:share|percentage|fraction|proportion|rank|size|score|accuracy|rate|temperature|depth"
    r"|number|value)\b|多少|(?<![的这那好])几(?!.{0,12}(?:各自|分别))",
    re.I,
)
_NUMBER = lazy_pattern(
    r"(?<![A-Za-z-])\d[\d,.]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?"
    r"|hundreds?|thousands?"
    r"|millions?|billions?|half|single|one)\b",
    re.I,
)
_BEFORE, _AFTER = 30, 60
"""Characters before and after a number in which the thing it counts is named."""
_COUNTS = ideas("number amount")
"""Ideas that every figure is about."""
_OBJECT = lazy_pattern(
    r"\b(?:needs?|requires?|requiring|uses?|using|rel(?:y|ies|ying) (?:so much |heavily )?on|depends? on"
    r"|involves?|employs?|sticks? to|keeps?|sends?|trains?)\s+(?P<what>.+?)"
    r"(?=\s+(?:for|in|to|at|when|during|on|from|by|before|after|as|if|while|every|each)\b|[,?.;]|$)",
    re.I,
)
_WORDS = lazy_pattern(r"[^\W\d_]+")
_PIECES = lazy_pattern(r"[A-Z][a-z]*|[a-z]+")
_SELF = lazy_pattern(r"\b(?:it|we|our|this)\b", re.I)
_OWN = lazy_pattern(
    r"\b(?:we|our|ours|us|this (?:paper|work|study)|propose[sd]?|introduce[sd]?|present(?:s|ed)?)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Premises:
    """What the papers lack of a question, and what they say against it.

    `names`, `details` and `metrics` are asked for and not there; `against` is a sentence of the papers that
    contradicts what the question takes for granted, with its paper; `row` are the numbers of `FEATURES`.
    """

    names: tuple[str, ...]
    details: tuple[Detail, ...]
    metrics: tuple[str, ...]
    word: str
    against: tuple[Paper, str] | None
    row: tuple[float, ...]


def examine(question: Question, papers: Sequence[Paper], idf: Callable[[str], float]) -> Premises:
    """What `papers`, the ones an answer would cite, have of what `question` says and asks."""
    text = " ".join(
        f"{p.title}. {p.abstract} {' '.join(p.authors)} {p.published} {' '.join(p.keywords)}" for p in papers
    )
    asked = f"{question.asked} {question.query_str}" if question.language == "zh" else question.asked
    said = list(dict.fromkeys(terms(text)))
    names = names_in(question.asked)
    named = {term for name in names for term in terms(name)}
    missing = tuple(name for name in names if not (mentions(text, name) or abbreviates(text, name)))
    words = [
        term
        for term in dict.fromkeys(terms(question.query_str))
        if term not in named and term not in ASKING and len(term) > 1
    ]
    near = closeness(words, said)
    weights = np.array([idf(word) for word in words])
    far = weights * (1 - near) / (idf("") or 1.0)
    details = tuple(detail for detail in asked_for(asked) if not detail.told.search(text))
    metrics = tuple(m for m in metrics_in(asked) if not mentions(text, m))
    noun = asked_noun(question.query_str)
    against, denied, opposite, swapped, together = _against(
        question, words, weights, papers, set(names), noun, idf
    )
    denied_object, denial = _denied_object(question, papers, named, idf)
    if denied_object >= DENIED and denial:
        against = denial
    row = (
        len(missing) / len(names) if names else 0.0,
        float(0 < len(missing) < len(names)),
        float(bool(details)),
        float(bool(metrics)),
        float(_figure_missing(question, noun, papers)),
        float(1 - closeness(noun, said).min()) if noun else 0.0,
        float((weights * (1 - near)).sum() / (weights.sum() or 1.0)),
        denied,
        denied_object,
        opposite,
        swapped,
        together,
        sum(usual(word) < 30 and closeness([word], said)[0] < KIN for word in words) / (len(words) or 1),
    )
    lacking = words[int(far.argmax())] if len(words) and far.max() > 0 else ""
    return Premises(missing, details, metrics, _as_written(question, lacking), against, row)


def abbreviates(text: str, name: str) -> bool:
    """Whether the parts of `name` begin neighbouring words of `text`: "SAE" and "sparse autoencoders"."""
    pieces = [piece.lower() for piece in _PIECES.findall(name[:-1] if name[:-1].isupper() else name)]
    if name[:-1].isupper() and not name.endswith("s"):
        pieces = [piece.lower() for piece in _PIECES.findall(name)]
    found = [word.lower() for word in _WORDS.findall(text)]
    return len(pieces) > 1 and any(
        word.startswith(pieces[0]) and _spells(pieces, found[start : start + len(pieces)])
        for start, word in enumerate(found)
    )


def _spells(pieces: Sequence[str], words: Sequence[str]) -> bool:
    """Whether two or more `words` spell `pieces`: each begins with the next and may hold further ones."""

    def follows(piece: int, word: int) -> bool:
        if piece == len(pieces):
            return word > 1
        if word == len(words) or not words[word].startswith(pieces[piece]):
            return False
        rest, piece = words[word][len(pieces[piece]) :], piece + 1
        while True:
            if follows(piece, word + 1):
                return True
            if piece == len(pieces) or (place := rest.find(pieces[piece])) < 0:
                return False
            rest, piece = rest[place + len(pieces[piece]) :], piece + 1

    return follows(0, 0)


def _figure_missing(question: Question, noun: Sequence[str], papers: Sequence[Paper]) -> bool:
    """Whether a figure is asked for, and nowhere a number stands near a word kin to what it is of."""
    if not _FIGURE.search(question.asked):
        return False
    wanted = list(noun) or [term for term in terms(question.query_str) if term not in ASKING]
    meant = ideas(" ".join(noun)) - _COUNTS
    for paper in papers:
        for match in _NUMBER.finditer(paper.abstract):
            around = paper.abstract[max(0, match.start() - _BEFORE) : match.end() + _AFTER]
            if meant & ideas(around) or closeness(wanted, terms(around)).max(initial=0.0) >= KIN:
                return False
    return True


def _denied_object(
    question: Question, papers: Sequence[Paper], named: set[str], idf: Callable[[str], float]
) -> tuple[float, tuple[Paper, str] | None]:
    """How much of what the question takes to be needed or used a sentence of the papers denies, and that one.

    Nothing, where another sentence of theirs speaks of all of it without denying it.
    """
    asked = _OBJECT.search(question.query_str)
    if not asked or is_open(question.asked) or (question.kind == "compare" and len(papers) > 1):
        return 0.0, None
    wanted = [term for term in dict.fromkeys(terms(asked["what"])) if term not in named | ASKING | _AMOUNTS]
    weights = np.array([idf(term) for term in wanted])
    if not weights.sum():
        return 0.0, None
    best, found = 0.0, None
    for paper in papers:
        for span in split(paper.abstract):
            sentence = span.of(paper.abstract)
            denial = set(terms(denied_words(sentence)))
            if not denial:
                continue
            share = float((closeness(wanted, list(denial)) >= KIN) @ weights / weights.sum())
            if share > best:
                best, found = share, (paper, sentence)
    return best, found


def _against(
    question: Question,
    words: Sequence[str],
    weights: np.ndarray,
    papers: Sequence[Paper],
    names: set[str],
    noun: Sequence[str],
    idf: Callable[[str], float],
) -> tuple[tuple[Paper, str] | None, float, float, float, float]:
    """The sentence that says the contrary, the share denied, whether an opposite stands there, a swap.

    Last the greatest share of the words that one sentence has.
    """
    total = weights.sum() or 1.0
    found = [(paper, span.of(paper.abstract)) for paper in papers for span in split(paper.abstract)]
    if not found:
        return None, 0.0, 0.0, 0.0, 0.0
    overlap = [float(closeness(list(words), terms(sentence)) @ weights / total) for _, sentence in found]
    together = max(overlap)
    if is_open(question.asked) or (question.kind == "compare" and len(papers) > 1):
        return None, 0.0, 0.0, 0.0, together
    nearest = int(np.argmax(overlap))
    own = [bool(_OWN.search(sentence)) or any(name in sentence for name in names) for _, sentence in found]
    denials = [set(terms(denied_words(sentence))) for _, sentence in found]
    plain = [set(terms(sentence)) - denial for (_, sentence), denial in zip(found, denials, strict=True)]
    stated = set().union(*(said for said, ours in zip(plain, own, strict=True) if ours))
    stated |= {term for paper in papers for term in terms(paper.title)}
    shares = [
        sum(
            weight
            for word, weight in zip(words, weights, strict=True)
            if word in denial and word not in stated
        )
        / total
        for denial in denials
    ]
    asked = question.asked if question.language == "en" else question.query_str
    whole = " ".join(f"{paper.title} {paper.abstract}" for paper in papers)
    opposite = overlap[nearest] if contradicts(asked, found[nearest][1]) else 0.0
    if plain_opposite := next(
        (n for n, (_, sentence) in enumerate(found) if contradicts_plainly(asked, sentence, whole)), None
    ):
        nearest, opposite = plain_opposite, 1.0
    swapped = max((float(_swapped(asked, sentence, paper.title)) for paper, sentence in found), default=0.0)
    denied = max(shares)
    if noun:
        asked_of = [
            sum(idf(stem) for stem in set(noun) & denial) if ours else 0.0
            for denial, ours in zip(denials, own, strict=True)
        ]
        rare = max(asked_of) >= RARE * idf("")
        if rare and max(asked_of) / sum(map(idf, noun)) > denied:
            shares, denied = asked_of, max(asked_of) / sum(map(idf, noun))
    if swapped:
        against = next(pair for pair in found if _swapped(asked, pair[1], pair[0].title))
    elif denied:
        against = found[int(np.argmax(shares))]
    elif opposite:
        against = found[nearest]
    else:
        against = None
    return against, denied, opposite, swapped, together


def _swapped(question: str, sentence: str, title: str) -> bool:
    """Whether the question says that A beats B, and the sentence that B beats A; "we" is the title's."""
    asked, told = sides(question), sides(sentence)
    if not asked or not told:
        return False
    (a, b), (c, d) = (tuple(set(terms(side)) for side in pair) for pair in (asked, told))
    if _SELF.search(told[0]):
        c = c | set(terms(title))
    return len(a & d) + len(b & c) > len(a & c) + len(b & d) and bool(a & d) and bool(b & c)


def _as_written(question: Question, stem: str) -> str:
    return next(
        (word for word in re.findall(r"[\w'-]+", question.query_str) if stem and stem in terms(word)), ""
    )
