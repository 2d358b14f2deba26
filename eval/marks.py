"""Citation marks in an answer's text.

Read apart from `rag.grounding.marks` on purpose: the harness judges engines and should not share their
mistakes.
"""

import re

# [4]  [1, 4]  [1-3]  【2】 and (P4). A zero is never a citation number: "[0, 1]" is an interval.
_MARK = re.compile(
    r"\[\s*([1-9]\d{0,3}(?:\s*[,;，；–-]\s*[1-9]\d{0,3})*)\s*\]|【\s*([1-9]\d{0,3})\s*】|\(P\d{1,3}\)"
)
_NUMBER = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")


def cited_numbers(text: str) -> list[int]:
    """The numbers of all marks in reading order, repeated as often as they stand there."""
    numbers: list[int] = []
    for mark in _MARK.finditer(text):
        for first, last in _NUMBER.findall(mark.group(1) or mark.group(2) or ""):
            numbers.extend(range(int(first), int(last or first) + 1))
    return numbers


def without_marks(text: str) -> str:
    """`text` with every mark, and the blank before it, taken out."""
    return re.sub(rf"[ \t]*(?:{_MARK.pattern})", "", text)


def has_mark(text: str) -> bool:
    return _MARK.search(text) is not None


def without_leading_marks(text: str) -> str:
    """`text` from behind the marks that it begins with, if any."""
    return re.sub(rf"^(?:(?:{_MARK.pattern})\s*)+", "", text)
