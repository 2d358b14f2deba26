"""Files of papers in, Papers out. One module a format; a new one is added to `FORMATS` and nowhere else."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from rag.cleaning import distinct
from rag.errors import SourceError
from rag.records import Paper, Reading, Skipped
from rag.sources import (
    bibtex,
    database,
    front_matter,
    json_document,
    json_lines,
    labelled,
    markup,
    plain_text,
    ris,
    spreadsheet,
    table,
)
from rag.sources.document import Document, Format

# Asked in this order. Formats of binary files stand first: the others raise when the bytes are not text.
FORMATS: tuple[Format, ...] = (
    spreadsheet.FORMAT,
    database.FORMAT,
    json_lines.FORMAT,
    json_document.FORMAT,
    markup.FORMAT,
    front_matter.FORMAT,
    bibtex.FORMAT,
    ris.FORMAT,
    table.FORMAT,
    labelled.FORMAT,
    plain_text.FORMAT,
)


def read_papers(*paths: Path, progress: bool = False) -> Reading:
    """Papers of files and folders, in the order given; a paper that comes twice is taken the first time.

    A folder stands for the files in it and below it, sorted by path, hidden ones left out. Files of a
    folder that cannot be read are listed in `skipped`.

    Raises:
        SourceError: a file cannot be read or holds no paper; a folder holds no file with papers.
    """
    readings = [(path.name, _read(path, progress)) for path in paths]
    return readings[0][1] if len(readings) == 1 else _joined(readings)


def _read(path: Path, progress: bool) -> Reading:
    return _read_folder(path, progress) if _is_folder(path) else _read_file(path, path.name, progress)


def _is_folder(path: Path) -> bool:
    """Whether `path` is a folder; raises SourceError where it is neither that nor a file."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise SourceError(f"There is no file or folder {path}.") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        raise SourceError(f"{path} is neither a file nor a folder.")
    return stat.S_ISDIR(mode)


def _read_file(path: Path, name: str, progress: bool) -> Reading:
    document = Document.open(path, name, progress=progress)
    reading = _format_of(document).read(document)
    if not reading.papers:
        detail = "".join(f" ({first.where} {first.reason})" for first in reading.skipped[:1])
        raise SourceError(f"{document.name} holds no paper with a title or an abstract{detail}.")
    return reading


def _format_of(document: Document) -> Format:
    by_content = (format for format in FORMATS if format.matches(document))
    by_name = (format for format in FORMATS if document.suffix in format.suffixes)
    found = next(by_content, None) or next(by_name, None)
    if found is None:
        formats = ", ".join(format.name for format in FORMATS)
        raise SourceError(
            f"{document.name} holds no abstracts in a format that is read.", f"Formats: {formats}."
        )
    return found


def _read_folder(folder: Path, progress: bool) -> Reading:
    readings: list[tuple[str, Reading]] = []
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            _is_folder(path)
            readings.append((name, _read_file(path, name, progress)))
        except SourceError as error:
            reason = error.message.removeprefix(f"{name} ")
            readings.append((name, Reading((), (Skipped(name, reason),))))
    joined = _joined(readings)
    if not joined.papers:
        hint = "".join(f"{first.where} {first.reason}" for first in joined.skipped[:1])
        raise SourceError(f"The folder {folder} holds no file with papers.", hint)
    return joined


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(parent, name) for name in sorted(names) if not name.startswith("."))


def _joined(readings: Iterable[tuple[str, Reading]]) -> Reading:
    papers: list[tuple[str, Paper]] = []
    skipped: list[Skipped] = []
    for name, reading in readings:
        papers += ((f"{name}: {paper.id}", paper) for paper in reading.papers)
        skipped += reading.skipped
    joined = distinct(papers)
    return Reading(joined.papers, (*skipped, *joined.skipped))
