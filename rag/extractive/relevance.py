"""How well a sentence of an abstract answers a question: readable features and a fitted logistic ranking."""

import json
import math
import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rag.extractive.kinship import closeness
from rag.index.embedding import Vectors, query_vector, vectors
from rag.index.lexical import terms
from rag.index.paper_index import PaperIndex
from rag.patterns import lazy_pattern
from rag.question.asked import asked_noun
from rag.question.cues import ideas
from rag.question.parsing import Question
from rag.records import Paper, Span
from rag.suspicion import sound

FEATURES = (
    "similarity",  # cosine of question and sentence
    "similarity_gap",  # the same, below the paper's best sentence
    "rest_similarity_gap",  # likewise for the question without the words of the paper's title
    "coverage",  # idf share of the question's terms that the sentence has
    "rest_coverage",  # the same without the title's terms
    "rarity",  # question terms, each counted by how few of the paper's sentences have it
    "rarity_gap",
    "number_asked_and_there",
    "number_asked_and_missing",
    "name_asked",  # capitalised names where a name is asked for
    "name_asked_in_evaluation",  # "evaluated on ..." where a dataset, model or task is asked for
    "first",
    "last",
    "log_words",
    "late_in_explanation",
    "previous_similarity",
    "ideas",  # share of the question's ideas (rag.question.cues) that the sentence speaks of
    "idea_rarity",
    "idea_rarity_gap",
    "counted",  # "how many X": a number stands right before X
    "expansion",  # "what does X stand for": the sentence has "... (X)"
    "own_work",  # we, our, this paper
    "unit",  # the unit asked for: a factor, a share, a time, a size
    "kin_coverage",  # idf share of the question's terms, each as near as the sentence comes in meaning
    "kin_coverage_gap",  # the same, below the paper's best sentence
    "asked_kin",  # the noun that is asked for, as near as the sentence comes in meaning
)

_WORD_NUMBERS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty"
    "|hundreds?|thousands?|millions?|billions?|dozens?|one|single"
)
_HAS_NUMBER = lazy_pattern(rf"\d|\b(?:{_WORD_NUMBERS})\b", re.I)
_COUNT = lazy_pattern(rf"(?:\d[\d,.]*|\b(?:{_WORD_NUMBERS})\b)[KkMB]?\W+((?:[\w-]+\W+){{0,4}})", re.I)
_COUNTED_NOUN = lazy_pattern(
    r"\bhow many\s+((?:[\w-]+\s+){0,3}?[\w-]+?)\s+(?:are|is|was|were|did|do|does|in|went|can|have|has"
    r"|of|made|on|,|\?)"
    r"|\bnumber of\s+((?:[\w-]+\s+){0,2}[\w-]+)",
    re.I,
)
_EVALUATION = lazy_pattern(
    r"\b(?:experiment|evaluat|benchmark|dataset|validat|tested|empirical|demonstrate)", re.I
)
_EVALUATED = lazy_pattern(r"dataset|benchmark|test|evaluat|tried|image sets|models|tasks", re.I)
_NAME = lazy_pattern(r"(?<=\s)(?:[A-Z][A-Za-z0-9-]*[A-Z0-9]\w*|[A-Z][a-z]+)\b")
_ACRONYM = lazy_pattern(r"\b([A-Z][\w-]*[A-Z][\w-]*)\b")
_OWN = lazy_pattern(r"\b(?:we|our|this (?:paper|work))\b", re.I)
_UNITS = (
    (
        lazy_pattern(r"speed-?up|faster|quicker|how quick|加速|倍", re.I),
        lazy_pattern(r"×|\\times|\dx\b|\bx\b|faster|speed-?up|fold", re.I),
    ),
    (
        lazy_pattern(
            r"percent|share|fraction|proportion|how often|rate|accuracy|improvement|overhead|百分|准确率",
            re.I,
        ),
        lazy_pattern(r"%|percent", re.I),
    ),
    (
        lazy_pattern(r"seconds?|minutes?|hours?|how long|years|小时|秒|多久", re.I),
        lazy_pattern(r"\b(?:seconds?|minutes?|hours?|days?|ms|years?|months?)\b", re.I),
    ),
    (
        lazy_pattern(r"how (?:small|large|big)|size|disk|overhead|parameters|参数量", re.I),
        lazy_pattern(r"\b(?:[MG]B|parameters?|params)\b", re.I),
    ),
)


KEPT_PAPERS = 2_000
"""Papers whose sentence vectors are kept, about 12 kB each."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a paper's abstract and the log-odds that it answers the question."""

    paper: Paper
    span: Span
    score: float

    @property
    def text(self) -> str:
        return self.span.of(self.paper.abstract)

    @property
    def words(self) -> int:
        return len(self.text.split())


class SentenceRanker:
    """Ranks the sentences of abstracts for questions over one `index`. Safe to use from many threads.

    Keeps the sentence vectors of recently seen papers: embedding them is nearly all of the work.
    """

    def __init__(self, index: PaperIndex) -> None:
        self.index = index
        self._vectors: OrderedDict[tuple[str, str], Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def rank(self, question: Question, paper: Paper) -> list[Sentence]:
        """The sentences of `paper`'s abstract, best first, without those that give orders."""
        spans = sound(paper.abstract)
        if not spans:
            return []
        weights, bias = _weights()
        scores = self.features(question, paper, spans) @ weights + bias
        ranked = [Sentence(paper, span, float(score)) for span, score in zip(spans, scores, strict=True)]
        return sorted(ranked, key=lambda sentence: (-sentence.score, sentence.span.start))

    def features(self, question: Question, paper: Paper, spans: Sequence[Span]) -> npt.NDArray[np.float64]:
        """Array (sentences, len(FEATURES))."""
        texts = [span.of(paper.abstract) for span in spans]
        embed = partial(query_vector, self.index.embedding)
        matrix = self._kept_vectors(paper, texts)
        rest = _without(question.query_str, set(terms(paper.title)))
        return _features(
            question, paper, texts, matrix @ embed(question.query_str), matrix @ embed(rest), self.index.idf
        )

    def _kept_vectors(self, paper: Paper, texts: Sequence[str]) -> Vectors:
        key = paper.id, paper.abstract
        with self._lock:
            if key in self._vectors:
                self._vectors.move_to_end(key)
                return self._vectors[key]
        matrix = vectors(self.index.embedding, texts)
        with self._lock:
            self._vectors[key] = matrix
            while len(self._vectors) > KEPT_PAPERS:
                self._vectors.popitem(last=False)
        return matrix


def _features(
    question: Question,
    paper: Paper,
    texts: Sequence[str],
    similarity: npt.NDArray[np.float32],
    rest_similarity: npt.NDArray[np.float32],
    idf: Callable[[str], float],
) -> npt.NDArray[np.float64]:
    asked = f"{question.asked} {question.query_str}"
    title_terms = set(terms(paper.title))
    query = list(dict.fromkeys(terms(question.query_str)))
    rest = [term for term in query if term not in title_terms] or query
    bags = [set(terms(text)) for text in texts]
    rarity = _rarity(rest, bags)
    asked_ideas = ideas(asked)
    spoken = [ideas(text) for text in texts]
    idea_rarity = _rarity(list(asked_ideas), spoken)
    noun = _counted_noun(asked)
    acronym = _ACRONYM.search(question.asked) if question.expects == "expansion" else None
    number, name = question.expects == "number", question.expects == "name"
    evaluated = name and bool(_EVALUATED.search(asked))
    units = [in_sentence for in_question, in_sentence in _UNITS if in_question.search(asked)]
    weights = np.array([idf(term) for term in rest])
    kin = [float(closeness(rest, list(bag)) @ weights / (weights.sum() or 1.0)) for bag in bags]
    wanted = asked_noun(question.query_str)
    rows = []
    for i, text in enumerate(texts):
        has_number = bool(_HAS_NUMBER.search(text))
        rows.append(
            [
                similarity[i],
                similarity[i] - similarity.max(),
                rest_similarity[i] - rest_similarity.max(),
                _share(query, bags[i], idf),
                _share(rest, bags[i], idf),
                rarity[i],
                rarity[i] - max(rarity),
                float(number and has_number),
                float(number and not has_number),
                name * min(len(_NAME.findall(text)), 4) / 4,
                float(evaluated and bool(_EVALUATION.search(text))),
                float(i == 0),
                float(i == len(texts) - 1),
                math.log1p(len(text.split())),
                (question.kind == "explain") * i / len(texts),
                similarity[i - 1] if i else 0.0,
                len(asked_ideas & spoken[i]) / (len(asked_ideas) + 0.5),
                idea_rarity[i],
                idea_rarity[i] - max(idea_rarity),
                float(bool(noun) and any(noun & set(terms(m.group(1))) for m in _COUNT.finditer(text))),
                float(
                    acronym is not None
                    and bool(re.search(rf"\(\W*{re.escape(acronym.group(1))}s?\W*\)", text))
                ),
                float(bool(_OWN.search(text))),
                float(any(unit.search(text) for unit in units)),
                kin[i],
                kin[i] - max(kin),
                float(closeness(wanted, list(bags[i])).max(initial=0.0)),
            ]
        )
    return np.array(rows)


def _without(text: str, excluded: set[str]) -> str:
    kept = [word for word in re.findall(r"[\w'-]+", text) if not set(terms(word)) & excluded]
    return " ".join(kept) or text


def _rarity(wanted: Collection[T], bags: Sequence[Collection[T]]) -> list[float]:
    """For each bag the sum over wanted members of 1 / (number of bags that have it)."""
    counts = Counter(member for bag in bags for member in bag)
    return [float(sum(1 / counts[item] for item in wanted if item in bag)) for bag in bags]


def _share(wanted: Sequence[str], bag: set[str], idf: Callable[[str], float]) -> float:
    total = sum(map(idf, wanted))
    return sum(idf(term) for term in wanted if term in bag) / total if total else 0.0


def _counted_noun(asked: str) -> set[str]:
    match = _COUNTED_NOUN.search(f"{asked} ?")
    return set(terms(match.group(1) or match.group(2))) if match else set()


@cache
def _weights() -> tuple[npt.NDArray[np.float64], float]:
    """Weights (len(FEATURES),) and bias; `python -m eval fit` writes the file and says from which data."""
    fitted = json.loads(resources.files("rag.data").joinpath("sentence_ranking.json").read_text("utf-8"))
    return np.array([fitted["weights"][name] for name in FEATURES]), float(fitted["bias"])
