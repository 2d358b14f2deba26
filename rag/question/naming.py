"""Names of systems, datasets and people in a question, and whether a text mentions one."""

import re
from functools import lru_cache

_NAME = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])[A-Za-z]\w*(?:[-.@]\w+)*|\b\d+\w*[A-Za-z]\w*")
_STRONG = re.compile(r"[A-Za-z\d]+[A-Z\d]|-\w*[A-Z\d]")
_FIRST_WORD = re.compile(r"(?:^|[.?!:])\W*([\w-]+)")


def names_in(text: str) -> list[str]:
    """Words of `text` with a capital or digit inside, in order, each once.

    A sentence's first word counts only when it has more than its leading capital ("GRIT", not "What").
    """
    opening = {m.start(1) for m in _FIRST_WORD.finditer(text) if not _STRONG.search(m.group(1))}
    found = [m.group() for m in _NAME.finditer(text) if m.start() not in opening and m.group() != "I"]
    return list(dict.fromkeys(found))


def mentions(text: str, name: str) -> bool:
    """Whether `text` has `name` as a word of its own, whatever its case, hyphens and plural."""
    return bool(_pattern(name).search(text))


@lru_cache(maxsize=10_000)
def _pattern(name: str) -> re.Pattern[str]:
    singular = name[:-1] if name.endswith("s") and name[:-1].isupper() else name
    parts = [re.escape(part) for part in re.findall(r"[A-Za-z]+|\d+", singular)]
    spelt = r"[\W_]?".join(parts)
    return re.compile(rf"(?<![A-Za-z\d]){spelt}(?:e?s)?(?![A-Za-z\d])", re.I)
