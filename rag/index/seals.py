"""Whether files are still what they were: a damaged HNSW file would end the process, not raise an error."""

import json
import os
import zlib
from pathlib import Path

_NAME = "seal.json"
_BLOCK = 1 << 20


def seal(folder: Path) -> None:
    """Bring the files below `folder` to the disk and note their checksums. Raises OSError.

    SQLite files are left out: they have a journal of their own and change when they are read by Chroma.
    """
    (folder / _NAME).write_text(json.dumps(_checksums(folder)), encoding="utf-8")
    for file in folder.rglob("*"):
        if os.name == "posix" or file.is_file():
            descriptor = os.open(file, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def intact(folder: Path) -> bool:
    """Whether `folder` was sealed and its files are the same."""
    try:
        return bool(json.loads((folder / _NAME).read_text(encoding="utf-8")) == _checksums(folder))
    except (OSError, ValueError):
        return False


def _checksums(folder: Path) -> dict[str, int]:
    """CRC-32 of every file by its path in `folder`; enough against damage, and as fast as the disk."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {
        file.relative_to(folder).as_posix(): _crc32(file)
        for file in files
        if file.name != _NAME and ".sqlite3" not in file.name
    }


def _crc32(file: Path) -> int:
    checksum = 0
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum
