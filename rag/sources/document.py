"""A file as the formats see it: unpacked bytes, and their text where they are text."""

import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from rag.errors import SourceError
from rag.patterns import lazy_pattern
from rag.records import Reading

Record = TypeVar("Record")

MAX_BYTES = 1 << 30
"""Unpacked size beyond which a file is refused: a small archive can unpack to more than the memory holds."""

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_NOT_TEXT = lazy_pattern(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")
_MAX_NOT_TEXT_SHARE = 0.01
_MIN_ASCII_SHARE = 0.1  # blanks and line ends alone make more of any UTF-16 text than chance does


@dataclass(frozen=True)
class Document:
    """One file, unpacked. `name` is shown to the user; `suffix` (".json") is free of `.gz` and `.xz`."""

    name: str
    suffix: str
    data: bytes
    progress: bool = False
    """Whether `counted` shows a progress bar on stderr."""

    @classmethod
    def open(cls, path: Path, name: str | None = None, *, progress: bool = False) -> "Document":
        """Read and unpack `path`; whether it is packed is seen from its first bytes.

        Raises:
            SourceError: the file cannot be read, is damaged, empty, or larger than `MAX_BYTES`.
        """
        name = name or path.name
        try:
            data = path.read_bytes()
        except OSError as error:
            raise SourceError(f"{name} cannot be read ({error.strerror or error}).") from None
        data = _unpacked(data, name)
        if len(data) > MAX_BYTES:
            raise SourceError(f"{name} holds more than {MAX_BYTES >> 20} MiB.", "Split it.")
        if not data.strip(b"\x00 \t\r\n"):
            raise SourceError(f"{name} is empty.")
        suffixes = [s.lower() for s in path.suffixes if s.lower() not in {".gz", ".xz"}]
        return cls(name, suffixes[-1] if suffixes else "", data, progress)

    def counted(self, records: Iterable[Record]) -> Iterable[Record]:
        """The same records, counted on a progress bar that appears where they take over a second."""
        bar: Iterable[Record] = tqdm(
            records, desc=f"Reading {self.name}", unit=" papers", delay=1, disable=not self.progress
        )
        return bar

    @cached_property
    def text(self) -> str:
        """The decoded text, without byte order mark.

        Raises:
            SourceError: the bytes are not text.
        """
        text = _decoded(self.data)
        if len(_NOT_TEXT.findall(text)) > _MAX_NOT_TEXT_SHARE * len(text):
            raise SourceError(f"{self.name} is a binary file of a kind that cannot be read.")
        return text


@dataclass(frozen=True)
class Format:
    """One kind of file. `matches` looks at the content; `suffixes` decide only where no content matches."""

    name: str
    suffixes: frozenset[str]
    matches: Callable[[Document], bool]
    read: Callable[[Document], Reading]


def _unpacked(data: bytes, name: str) -> bytes:
    """`data` itself unless its first bytes are those of a `.gz` or `.xz` file."""
    if data.startswith(_GZIP):
        kind = ".gz"
    elif data.startswith(_XZ):
        kind = ".xz"
    else:
        return data
    packed = io.BytesIO(data)
    try:
        with gzip.open(packed) if kind == ".gz" else lzma.open(packed) as stream:
            return stream.read(MAX_BYTES + 1)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        reason = "it ends too early" if isinstance(error, EOFError) else error
        raise SourceError(f"{name} is a damaged {kind} file ({reason}).", "Fetch it again.") from None


def _decoded(data: bytes) -> str:
    """Text of unknown encoding: byte order mark, then UTF-8, UTF-16, GB18030, and Windows-1252 at last."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    for encoding, high, low in (("utf-16-le", data[1::2], data[::2]), ("utf-16-be", data[::2], data[1::2])):
        if high.count(0) > len(high) * _MIN_ASCII_SHARE and low.count(0) < high.count(0) / 20:
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if _looks_chinese(data):
        return data.decode("gb18030", errors="replace")
    return data.decode("cp1252", errors="replace")


def _looks_chinese(data: bytes) -> bool:
    """Whether bytes above ASCII come mostly in runs, as in GB18030; accented Latin letters stand alone."""
    runs = [len(run) for run in re.findall(rb"[\x80-\xff]+", data)]
    return sum(n for n in runs if n > 1) > sum(n for n in runs if n == 1)
