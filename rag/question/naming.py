"""Names of systems, datasets and people in a question, and whether a text mentions one."""

import re
import unicodedata
from functools import lru_cache

from rag.patterns import lazy_pattern

_NAME = lazy_pattern(
    r"(?<![\w-])(?=[\w-]*[A-Z])[A-Za-z]\w*(?:[-.@]\w+)*|\b(?!\d+(?:x\d+)*(?:x|k|m|b|t|gb|mb|kb|st|nd|rd|th|s)?\b)\d+\w*[A-Za-z]\w*"
)
_STRONG = lazy_pattern(r"[A-Za-z\d]+[A-Z\d]|-\w*[A-Z\d]")
_FIRST_WORD = lazy_pattern(r"(?:^|[.?!:])\W*([\w-]+)")
# A first word that is set beside others or owns something is a name: "Fiddler, QERA", "Fugatto's".
_LISTED_FIRST = lazy_pattern(
    r"\s*(?:,\s*(?:and\s+)?[A-Z]|(?:and|or|vs\.?|versus|&)\s+[A-Z]|['’]s\s)"
    r"|\s*[\u4e00-\u9fff]"
)
_ADDRESS = lazy_pattern(r"https?://\S+|\S+\.(?:com|org|io)\S*", re.I)
_CAPITAL = lazy_pattern(r"[A-Z]")
_WITHIN = lazy_pattern(r"[\w,(]\s\W?$")
_ASKS = frozenset("what who how where when why which that it there here let".split())


def names_in(text: str) -> list[str]:
    """Words of `text` with a capital or digit inside, in order, each once.

    A sentence's first word counts only when it has more than its leading capital ("GRIT", not "What"), or
    stands as names do.
    """
    opening = {
        m.start(1)
        for m in _FIRST_WORD.finditer(text)
        if not _STRONG.search(m.group(1))
        and (m.group(1).lower() in _ASKS or not _LISTED_FIRST.match(text, m.end(1)))
    }
    found = [m.group() for m in _NAME.finditer(text) if m.start() not in opening and m.group() != "I"]
    return list(dict.fromkeys(found))


def mentions(text: str, name: str) -> bool:
    """Whether `text` has `name` as a word of its own, whatever its case, hyphens and plural.

    A name in capitals may be a common word besides: "to include" does not mention INCLUDE, but an address
    that ends in "/include" does.
    """
    found = _pattern(name).finditer(text)
    return any(
        not (name.isupper() and match.group().islower()) or text[match.start() - 1 : match.start()] == "/"
        for match in found
    )


def as_written(word: str, text: str) -> str:
    """`word`, in lower case, as `text` writes it where it is a name there; empty where it is none.

    It is a name when it always has a capital, and not only because a sentence begins with it.
    """
    text = _ADDRESS.sub(" ", text)
    found = list(_pattern(word).finditer(text))
    forms = [match.group() for match in found]
    if not forms or any(not _CAPITAL.search(form) for form in forms):
        return ""
    inside = any(_STRONG.search(form) for form in forms)
    within = any(_WITHIN.search(text[max(0, match.start() - 3) : match.start()]) for match in found)
    return max(forms, key=lambda form: (forms.count(form), form)) if inside or within else ""


@lru_cache(maxsize=10_000)
def _pattern(name: str) -> re.Pattern[str]:
    singular = name[:-1] if name.endswith("s") and name[:-1].isupper() else name
    parts = [_spelt(part) for part in re.findall(r"[^\W\d_]+|\d+", singular)]
    spelt = r"[\W_]?".join(parts)
    return re.compile(rf"(?<![^\W_]){spelt}(?:e?s)?(?![^\W_])", re.I)


def _spelt(part: str) -> str:
    """A pattern for letters that may have lost their accents or wear them as LaTeX: ö, o, \\"o, \\"{o}."""
    spelt = ""
    for letter in part:
        plain = unicodedata.normalize("NFD", letter)[0]
        spelt += letter if plain == letter else rf"(?:{letter}|\\?[\"'`^~=.uvHck]?\{{?{plain}\}}?)"
    return spelt
