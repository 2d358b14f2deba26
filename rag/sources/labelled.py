"""Lines of a label and a value: "Title: ...", "摘要：...", one block a paper."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rag.patterns import lazy_pattern
from rag.records import Reading
from rag.sources.document import Document, Format
from rag.sources.fields import MEANINGS, is_field, read_records
from rag.sources.identity import with_linked_id

_LABELLED = lazy_pattern(
    r"[ \t>*#-]{0,8}(?P<label>[^\W_][\w ./-]{0,30}?)[ \t*]{0,4}[:：](?!//)[ \t*]{0,4}(?P<value>.*)"
)
_RULE = lazy_pattern(r"[ \t]*([-=_*#])(?:[ \t]*\1){2,}[ \t]*")


@dataclass(slots=True)
class _Block:
    """The values of one paper by label, and the number of its first line."""

    line: int
    values: dict[str, str] = field(default_factory=dict)


def _matches(document: Document) -> bool:
    """Whether there is a line labelled as a title and one labelled as an abstract."""
    wanted = {"title", "abstract"}
    for line in _lines(document.text):
        if label := _label(line):
            wanted -= {meaning for meaning in wanted if is_field(label[0], meaning)}
            if not wanted:
                return True
    return False


def _read(document: Document) -> Reading:
    records = (
        (f"{document.name}: line {block.line}", with_linked_id(block.values))
        for block in _blocks(document.text)
    )
    return read_records(document.counted(records))


def _blocks(text: str) -> Iterator[_Block]:
    """A block ends at a rule, or where a label of it comes again; other lines go on the value before them."""
    block, name = _Block(0), ""
    for number, line in enumerate(_lines(text), start=1):
        label = _label(line)
        if block.values and (_RULE.fullmatch(line) or (label and label[0] in block.values)):
            yield block
            block, name = _Block(0), ""
        if label:
            name = label[0]
            block.line = block.line or number
            block.values[name] = label[1]
        elif name and not _RULE.fullmatch(line):
            block.values[name] += f"\n{line}"
    if block.values:
        yield block


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text)


def _label(line: str) -> tuple[str, str] | None:
    """A label that names a field of a paper, in small letters, and the value behind it."""
    found = _LABELLED.fullmatch(line)
    if found and any(is_field(found["label"], meaning) for meaning in MEANINGS):
        return found["label"].lower(), found["value"]
    return None


FORMAT = Format("labelled lines", frozenset(), _matches, _read)
