"""The notebook that the docs show: `make readme` runs it and writes what it prints today.

A cell says what it does by printing, so that it can be run here without the Jupyter stack.
"""

import ast
import io
import json
import os
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "docs" / "ask_the_papers.ipynb"


def load() -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return notebook


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def shown(cell: dict[str, Any]) -> str:
    """What the notebook shows under a cell."""
    return "".join(line for output in cell["outputs"] for line in output["text"])


def play(notebook: dict[str, Any], folder: Path) -> list[str]:
    """What each code cell prints when they are run in order, in `folder`."""
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    with chdir(folder):
        for number, cell in enumerate(code_cells(notebook), start=1):
            with redirect_stdout(io.StringIO()) as output:
                code = compile(source(cell), f"{NOTEBOOK.name}, cell {number}", "exec")
                exec(code, names)  # noqa: S102 - our own documentation
            printed.append(output.getvalue())
    return printed


def silent_values(cell: dict[str, Any]) -> list[str]:
    """Expressions whose value only Jupyter would show: all but calls, which may print."""
    last = ast.parse(source(cell)).body[-1]
    return [ast.unparse(last)] if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Call) else []


def main() -> None:
    notebook = load()
    with TemporaryDirectory() as folder:
        outputs = play(notebook, Path(folder))
    for number, (cell, text) in enumerate(zip(code_cells(notebook), outputs, strict=True), start=1):
        lines = text.splitlines(keepends=True)
        cell["execution_count"] = number
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
    NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + os.linesep, encoding="utf-8")


if __name__ == "__main__":
    main()
