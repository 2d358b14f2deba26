"""Example questions made from the papers at hand, so that every one of them can be answered."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from rag.records import Paper
from ui.scholarly import plain
from ui.texts import Texts

_LOOKED_AT = 500  # papers; more would not change what is typical of a list
_LONGEST_TITLE = 70
_JOINING = re.compile(
    "a|an|and|any|are|as|at|be|beyond|by|can|do|does|for|from|how|in|into|is|it|its|not|of|on|or|over|that|the|their"
    "|to|towards?|under|using|via|we|what|when|where|which|who|why|with|without|your"
)
_NAME = re.compile(r"[A-Z][\w.+-]*[A-Z0-9][\w.+-]*(?: \d+)?")


def examples(papers: Sequence[Paper], texts: Texts) -> tuple[str, ...]:
    """Up to four questions: of a system, a topic, one paper and the list as a whole.

    Titles only are used, so a list without titles gets fewer of them, and an empty one none.
    """
    looked_at = [paper for paper in islice(papers, _LOOKED_AT) if paper.titled]
    fillings = {
        "explain": next(_system_names(looked_at), None),
        "enumerate": _common_topic(looked_at),
        "lookup": next(_short_titles(looked_at), None),
        "metadata": _rare_track(looked_at),
    }
    return tuple(texts.examples_of[kind].format(filling) for kind, filling in fillings.items() if filling)


def _system_names(papers: Sequence[Paper]) -> Iterator[str]:
    """What stands before the colon of a title where it looks like a name: "PRISM: Privacy-Preserving ..."."""
    for paper in papers:
        name, colon, _ = plain(paper.title).partition(":")
        if colon and _NAME.fullmatch(name.strip()):
            yield name.strip()


def _common_topic(papers: Sequence[Paper]) -> str | None:
    """The pair or triple of words that most titles share, leaving out those of more than one in a hundred."""
    counts: Counter[str] = Counter()
    for paper in papers:
        counts.update(set(_phrases(plain(paper.title))))
    most = max(5, len(papers) // 100)
    shared = [(count, len(phrase.split()), phrase) for phrase, count in counts.items() if 1 < count <= most]
    return max(shared, key=lambda item: item[:2])[2] if shared else None


def _phrases(title: str) -> Iterator[str]:
    for part in re.split(r"[^\w\s-]+", title):
        words = [word if word[1:] != word[1:].lower() else word.lower() for word in part.split()]
        for size in (2, 3):
            for start in range(len(words) - size + 1):
                phrase = words[start : start + size]
                if not any(_JOINING.fullmatch(word.lower()) for word in phrase):
                    yield " ".join(phrase)


def _short_titles(papers: Sequence[Paper]) -> Iterator[str]:
    """Titles that fit a question, from the end of the list, where the other examples do not look first."""
    for paper in reversed(papers):
        title = plain(paper.title)
        if len(title) <= _LONGEST_TITLE and ":" not in title:
            yield title


def _rare_track(papers: Sequence[Paper]) -> str | None:
    """The track with the fewest papers, where there is more than one."""
    tracks = Counter(paper.track for paper in papers if paper.track)
    return min(tracks, key=lambda track: (tracks[track], track)) if len(tracks) > 1 else None
