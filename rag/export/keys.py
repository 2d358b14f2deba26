"""Citation keys: author, year and first word of the title, in ASCII letters and digits.

A key depends on its record alone. Only where two papers of one export would share it do both get a suffix,
which is made from their ids: it depends neither on the order nor on the other papers.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence

from anyascii import anyascii

from rag.cleaning import squeeze
from rag.export.names import parse_name
from rag.records import Paper

_MAX_PART = 24  # a title in Chinese is one word once it is in Latin letters
_SUFFIX_DIGITS = 4
_UNTOLD = frozenset(
    """a an and are as at be beyond by can do does for from how in into is it on of or our the their this to
    toward towards via we what when where which who why with without""".split()
)


def citation_keys(papers: Sequence[Paper]) -> dict[str, str]:
    """A key for every paper id, each different from the others also when case is ignored."""
    plain = {paper.id: plain_key(paper) for paper in papers}
    shared = {key for key, count in Counter(plain.values()).items() if count > 1}
    keys = {paper_id: key for paper_id, key in plain.items() if key not in shared}
    for digits in range(_SUFFIX_DIGITS, 65):
        waiting = {paper_id: key for paper_id, key in plain.items() if paper_id not in keys}
        suffixed = {paper_id: f"{key}-{_digest(paper_id)[:digits]}" for paper_id, key in waiting.items()}
        counts = Counter(suffixed.values())
        keys |= {paper_id: key for paper_id, key in suffixed.items() if counts[key] == 1}
    return {paper_id: keys[paper_id] for paper_id in plain}


def plain_key(paper: Paper) -> str:
    """ "lin2025diffusing": small letters and digits, never empty."""
    author = next(filter(None, map(squeeze, paper.authors)), "")
    words = _words(paper.title if paper.titled else paper.abstract)
    telling = [word for word in words if word not in _UNTOLD] or words
    parts = [_letters(parse_name(author).whole_family), str(paper.year or ""), *telling[: 1 if author else 2]]
    return "".join(parts) or "paper"


def _words(text: str) -> list[str]:
    """The words of the start of a text; an apostrophe or accent does not divide one."""
    return [word[:_MAX_PART] for word in re.findall(r"[a-z0-9]+", _latin(squeeze(text)[:200]))]


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", _latin(name))[:_MAX_PART]


def _latin(text: str) -> str:
    return re.sub(r"['’`]", "", anyascii(text).lower())


def _digest(paper_id: str) -> str:
    return hashlib.blake2b(paper_id.encode(errors="surrogatepass"), digest_size=32).hexdigest()
