"""Bare abstracts separated by blank lines, with or without a heading such as "ICLR 2025 论文列表"."""

import re
from dataclasses import dataclass

from rag.cleaning import distinct, squeeze, stable_id
from rag.labels import label
from rag.patterns import lazy_pattern
from rag.records import Paper, Reading, Skipped
from rag.sources.document import Document, Format
from rag.sources.fields import year_of
from rag.sources.table import column_delimiter

_MIN_WORDS = 10
_MIN_LETTER_SHARE = 0.6  # of real abstracts, mathematics included, the lowest seen is 0.76
_LONG_LINE = 400
_MAX_HEADING = 100
_HAN = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_BREAK_IN_HAN = lazy_pattern(rf"(?<=[{_HAN}，。；：、])\s*\n\s*(?=[{_HAN}，。；：、])")
_WORD = lazy_pattern(rf"[{_HAN}]|[^\W\d_]{{2,}}")
_HEADING_FILLERS = lazy_pattern(
    r"论文|列表|清单|会议|年|\b(?:accepted|papers?|abstracts?|lists?|proceedings|of|the|at|from|in|for)\b|[:：(),-]",
    re.IGNORECASE,
)
_TITLE_LABEL = lazy_pattern(r"^\s*(?:title|TI|T1)\s*(?:[:=]|\s-\s)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Block:
    """A run of lines without a blank one between them; `line` is the number of its first line."""

    line: int
    text: str


def _matches(document: Document) -> bool:
    """Whether most of the text is prose, without the labels, tags or columns of another format."""
    text = document.text
    if text.lstrip().startswith(("<", "{", "@", "---\n", "%")) or _TITLE_LABEL.search(text):
        return False
    if column_delimiter(text):
        return False
    blocks = _blocks(text)
    return sum(len(b.text) for b in blocks if _is_prose(b.text)) * 2 > sum(len(b.text) for b in blocks)


def _read(document: Document) -> Reading:
    venue, year, blocks = _heading(_blocks(document.text))
    papers: list[tuple[str, Paper]] = []
    skipped: list[Skipped] = []
    for block in document.counted(blocks):
        where = f"{document.name}: line {block.line}"
        abstract = squeeze(_BREAK_IN_HAN.sub("", block.text))
        if _is_prose(abstract):
            papers.append(
                (
                    where,
                    Paper(
                        stable_id(abstract), label(abstract), abstract, venue=venue, year=year, titled=False
                    ),
                )
            )
        else:
            skipped.append(Skipped(where, "is too short or has too few words for an abstract"))
    reading = distinct(papers)
    return Reading(reading.papers, (*skipped, *reading.skipped))


def _blocks(text: str) -> list[_Block]:
    """Runs of non-blank lines; a text without any blank line between long lines has an abstract a line."""
    lines = [(number, line) for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1)]
    runs: list[list[tuple[int, str]]] = [[]]
    for number, line in lines:
        if line.strip():
            runs[-1].append((number, line))
        elif runs[-1]:
            runs.append([])
    runs = [run for run in runs if run]
    if len(runs) <= 2 and runs and len(runs[-1]) > 1 and all(len(line) >= _LONG_LINE for _, line in runs[-1]):
        runs[-1:] = [[numbered] for numbered in runs[-1]]
    return [_Block(run[0][0], "\n".join(line for _, line in run)) for run in runs]


def _heading(blocks: list[_Block]) -> tuple[str | None, int | None, list[_Block]]:
    """Venue, year and the other blocks, where the first block is a short line that no abstract could be."""
    first, rest = blocks[0], blocks[1:]
    if not rest or len(first.text) > _MAX_HEADING or _is_prose(first.text):
        return None, None, blocks
    year = year_of(first.text)
    if year is None:
        return None, None, rest
    venue = squeeze(_HEADING_FILLERS.sub(" ", first.text.replace(str(year), " ")))
    return venue or None, year, rest


def _is_prose(text: str) -> bool:
    letters = sum(char.isalpha() or char.isspace() for char in text)
    return len(_WORD.findall(text)) >= _MIN_WORDS and letters >= _MIN_LETTER_SHARE * len(text)


FORMAT = Format("abstracts separated by blank lines", frozenset(), _matches, _read)
