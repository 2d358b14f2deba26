"""Markdown notes with YAML before the text, as Obsidian and static sites keep them: one paper a file."""

import re
from typing import Any

from rag.errors import SourceError
from rag.patterns import lazy_pattern
from rag.records import Reading
from rag.sources.document import Document, Format
from rag.sources.fields import is_field, read_records

_NOTE = lazy_pattern(
    r"\ufeff?---[ \t]*\r?\n(?P<head>.{0,200000}?)^---[ \t]*\r?$(?P<body>.*)", re.DOTALL | re.MULTILINE
)
_HEADING = lazy_pattern(r"^#{1,6}[ \t]+(?P<title>.*?)[ \t#]*$", re.MULTILINE)


def _matches(document: Document) -> bool:
    return document.text.lstrip("\ufeff").startswith("---") and _NOTE.match(document.text) is not None


def _read(document: Document) -> Reading:
    import yaml

    note = _NOTE.match(document.text)
    if note is None:
        return Reading(())
    try:
        head: Any = yaml.load(note["head"], Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts and lists only
    except (yaml.YAMLError, RecursionError) as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        place = f" in line {mark.line + 2}" if mark else ""
        raise SourceError(f"{document.name} has a head that is not valid YAML{place}.") from None
    record = dict(head) if isinstance(head, dict) else {}
    if not any(is_field(str(name), "abstract") for name in record):
        record["abstract"] = _abstract(note["body"])
    return read_records([(document.name, {str(name): value for name, value in record.items()})])


def _abstract(body: str) -> str:
    """What stands under the heading "Abstract"; the text under the first heading where there is none."""
    headings = list(_HEADING.finditer(body))
    if not headings:
        return body
    ends = [heading.start() for heading in headings[1:]] + [len(body)]
    parts = [(h["title"], body[h.end() : end]) for h, end in zip(headings, ends, strict=True)]
    return next((text for title, text in parts if is_field(title, "abstract")), parts[0][1])


FORMAT = Format("Markdown with YAML front matter", frozenset(), _matches, _read)
