"""Writing results: whole files or none, with one clear error."""

import json
from pathlib import Path
from typing import Any

from rag.errors import StorageError


def write_text(path: Path, text: str) -> None:
    """Writes `path` in one step, making its folder.

    Raises:
        StorageError: the folder cannot be made or the file cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({error.strerror}).") from None


def write_json(path: Path, value: dict[str, Any]) -> None:
    write_text(path, json_text(value))


def json_text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
