"""What kind of publication a record speaks of, told by its venue and its track."""

import re
from typing import Literal

from rag.patterns import lazy_pattern

Kind = Literal["conference", "journal", "preprint", "unpublished", "other"]

_UNPUBLISHED = lazy_pattern(
    r"\b(?:reject\w*|withdr\w+|submi\w+|under review)\b|拒稿|撤稿|在审|投稿", re.IGNORECASE
)
_PREPRINT = lazy_pattern(r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|ssrn|preprints?)\b|预印本", re.IGNORECASE)
_JOURNAL_ALL_THE_SAME = lazy_pattern(
    r"proceedings of the (?:national academy|ieee\b|vldb|acm on\b|royal society)|^journal\b", re.IGNORECASE
)
_CONFERENCE = lazy_pattern(
    r"\b(?:conference|proceedings|proc|workshops?|symposium|meeting|congress|colloquium)\b"
    r"|\badvances in neural information processing systems\b|^interspeech\b|会议|大会|研讨会",
    re.IGNORECASE,
)
_JOURNAL = lazy_pattern(
    r"\b(?:journal|transactions|trans|letters|reviews?|surveys|magazine|annals|annual|archives|bulletin|acta|"
    r"communications|quarterly|frontiers|trends|plos|nature|elife)\b|学报|期刊|杂志",
    re.IGNORECASE,
)
# Journals whose name or acronym does not say so.
_JOURNALS = frozenset(
    """aij bioinformatics cell csur cviu dmlr distill ftml ijcv ijrr jair jmlr joss mlj mloss neco
    neurocomputing neuroimage pami patterns pnas ra-l ral science t-ro tacl taslp tcsvt tip tkde tmlr tmm
    tnnls tog tois tpami tro tsp tvcg""".split()
) | {
    "artificial intelligence",
    "expert systems with applications",
    "ieee access",
    "information sciences",
    "knowledge-based systems",
    "machine learning",
    "medical image analysis",
    "neural computation",
    "neural networks",
    "pattern recognition",
}


def is_unpublished(track: str) -> bool:
    """Whether the list says that the paper was turned down, withdrawn or only submitted."""
    return _UNPUBLISHED.search(track) is not None


def kind_of(venue: str, track: str, *, on_arxiv: bool) -> Kind:
    """A venue that is neither named nor worded like a kind is "other": the formats have a type for that."""
    name = " ".join(venue.split())
    if is_unpublished(track):
        return "unpublished"
    if _PREPRINT.search(name) or (not name and on_arxiv):
        return "preprint"
    if name.lower() in _JOURNALS or _JOURNAL_ALL_THE_SAME.search(name):
        return "journal"
    if _CONFERENCE.search(name):
        return "conference"
    if _JOURNAL.search(name):
        return "journal"
    return "conference" if _is_acronym(name) else "other"


def _is_acronym(name: str) -> bool:
    """Whether the name begins with one, as conferences of the field are called: NeurIPS, ICLR, 3DV."""
    return sum(char.isupper() for char in name.split(" ")[0]) > 1
