"""Word terms and BM25 ranking over them."""

import sys
import threading
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import Stemmer

from rag.patterns import lazy_pattern

if "scipy.sparse" in sys.modules:
    import bm25s
else:
    # bm25s imports scipy.sparse where it finds it, a twelfth of the time to a first answer, and would use it
    # only while building, which numpy does as well.
    sys.modules["scipy.sparse"] = None  # type: ignore[assignment]
    import bm25s

    del sys.modules["scipy.sparse"]

_STOPWORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being between both
    but by can cannot could did do does doing don done during each either else etc few for from
    further had has have having he her here hers him his how however i if in into is it its itself
    just let may me might more most must my no nor not of off on one only onto or other our ours out
    over own per same shall she should since so some such than that the their theirs them then there
    these they this those through thus to too toward towards under until up upon us very via was we
    were what when where whether which while who whom whose why will with within without would you
    your yours""".split()
)

_URL = lazy_pattern(r"https?://[^\s{}()\[\]<>\"]+")
# Commands that only say how their argument looks; any other (\alpha, \ell) is read as a word.
_LATEX_LOOKS = lazy_pattern(
    r"\\(?:text(?:bf|it|sc|tt|rm|sf|normal)?|math(?:bf|bb|cal|frak|it|rm|sf|scr|tt)|emph|underline|boldsymbol|bm|"
    r"operatorname|href|url|cite[pt]?|ref|left|right|big|Big|frac|sqrt|hat|bar|tilde|widehat|widetilde|overline|"
    r"mbox|ensuremath|quad|qquad)(?![A-Za-z])"
)
# What is written in one word, with a hyphen or apart: "pretraining", "pre-training", "pre training". Only
# prefixes that are hardly ever words of their own count where they stand apart.
_PREFIX = lazy_pattern(
    r"(?<![\w-])(?:(multi|pre|non|sub|semi|anti|spatio|neuro|hyper|pseudo|quasi)[-\u2010\u2011 ]"
    r"|(auto|re|bi|inter|intra|uni|poly)[-\u2010\u2011]|(fine)[-\u2010\u2011 ](?=tun))(?=[a-z])"
)
# The stemmer takes the plural of an acronym for a word of its own: "LLMs", and "llms" where it has no vowel.
_ACRONYMS = lazy_pattern(r"\b([A-Z][A-Z0-9]+)s\b")
_VOWELLESS = lazy_pattern(r"\b([b-df-hj-np-tv-xz]{2,}[b-df-hj-np-rtv-xz])s\b")
_POSSESSIVE = lazy_pattern(r"['’]s\b")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
# A word may hold a decimal point or a thousands comma (GPT-3.5, v1.5, 10,000); any other mark ends it.
_TOKEN = lazy_pattern(
    rf"(?P<cjk>[{_CJK}]+)|[^\W_{_CJK}]+(?:(?:(?<=\d)\.(?=\d)|(?<=\d),(?=\d{{3}}(?!\d)))[^\W_{_CJK}]+)*"
)
_GREEK = {
    code: f" {name.split()[-1].lower()} "
    for code in range(0x3B1, 0x3CA)
    if "FINAL" not in (name := unicodedata.name(chr(code)))
}

_stemmer = Stemmer.Stemmer("english")
_stemmer_lock = threading.Lock()


def terms(text: str) -> list[str]:
    """Stemmed lower-case words of `text` in order, without stopwords and LaTeX or Markdown marks.

    Hyphens part words, so "next-token" and "next token" are the same and "GNN-Diff" keeps both parts; a
    prefix joins its word, so "pre-trained" and "pretrained" are the same, and so are "LLMs" and "LLM".
    A run of Chinese, Japanese or Korean signs becomes its character bigrams. Stems are Snowball English.
    """
    return [stem(word) for word in words(text)]


def words(text: str) -> list[str]:
    """What `terms` makes stems of."""
    found: list[str] = []
    for match in _TOKEN.finditer(_plain(text)):
        token = match.group()
        if match.group("cjk"):
            found.extend(token[i : i + 2] for i in range(max(1, len(token) - 1)))
        elif token not in _STOPWORDS:
            found.append(token.replace(",", ""))
    return found


def singular(word: str) -> str:
    """A word of `words` without the ending of a plural: the stem of "tokenizers" would be "token"."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "siu" else word


def _plain(text: str) -> str:
    """`text` in lower case without accents, links and the commands that only dress their argument."""
    text = _ACRONYMS.sub(r"\1", _LATEX_LOOKS.sub(" ", _URL.sub(" ", text)))
    text = unicodedata.normalize("NFKD", text).casefold()
    if not text.isascii():
        text = "".join(sign for sign in text if not unicodedata.combining(sign)).translate(_GREEK)
        text = unicodedata.normalize("NFC", text)
    text = _VOWELLESS.sub(r"\1", _POSSESSIVE.sub("", text))
    return _PREFIX.sub(lambda match: match[match.lastindex or 0], text)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The Snowball English stem of a lower-case word."""
    with _stemmer_lock:  # a Snowball stemmer keeps its word in a buffer of its own
        stemmed: str = _stemmer.stemWord(word)
    return stemmed


class LexicalIndex:
    """BM25 (Lucene's variant, Kamphuis et al. 2020) over texts numbered from 0. Safe to use from threads."""

    def __init__(self, ranker: bm25s.BM25 | None, size: int) -> None:
        self._ranker = ranker
        self._size = size

    @classmethod
    def build(cls, texts: Iterable[str]) -> "LexicalIndex":
        rows = [terms(text) for text in texts]
        if not any(rows):
            return cls(None, len(rows))
        ranker = bm25s.BM25()
        ranker.index(rows, show_progress=False)
        return cls(ranker, len(rows))

    def __len__(self) -> int:
        return self._size

    def rank(self, query: str, k: int, mask: npt.NDArray[np.bool_] | None = None) -> list[tuple[int, float]]:
        """Numbers and BM25 scores of the `k` best texts that share a term with `query`, best first.

        `mask` has shape (len(self),); only texts where it is True are ranked. Equal scores go by number.
        """
        if self._ranker is None or k <= 0:
            return []
        ids = self._ranker.get_tokens_ids(terms(query))
        if not ids:
            return []
        scores = self._ranker.get_scores_from_ids(ids)
        if mask is not None:
            scores = np.where(mask, scores, 0.0)
        found = np.flatnonzero(scores > 0)
        if len(found) > k:
            cut = np.partition(scores[found], -k)[-k]
            found = found[scores[found] >= cut]
        best = found[np.argsort(-scores[found], kind="stable")][:k]
        return [(int(row), float(scores[row])) for row in best]

    @property
    def vocabulary(self) -> Collection[str]:
        """Every stem of the texts."""
        return self._ranker.vocab_dict.keys() if self._ranker else ()

    def document_frequency(self, term: str) -> int:
        """How many texts have `term`, a stem as `terms` gives it."""
        if self._ranker is None or not term:  # bm25s keeps a number for the empty word, without a column
            return 0
        column = self._ranker.vocab_dict.get(term)
        if column is None:
            return 0
        starts = self._ranker.scores["indptr"]
        return int(starts[column + 1] - starts[column])

    def save(self, folder: Path) -> None:
        """Write to `folder`, which is made. Raises OSError."""
        folder.mkdir(parents=True)
        if self._ranker is not None:
            self._ranker.save(folder, show_progress=False)
        (folder / "size").write_text(str(self._size))

    @classmethod
    def load(cls, folder: Path, mmap: bool = True) -> "LexicalIndex":
        """Read what `save` wrote; with `mmap` scores stay on disk until used. Raises OSError, ValueError."""
        size = int((folder / "size").read_text())
        if not (folder / "params.index.json").exists():
            return cls(None, size)
        return cls(bm25s.BM25.load(folder, mmap=mmap), size)
