"""The notebook of the docs does what it shows, with the real engine and without a key."""

import socket
from pathlib import Path

import docs_notebook
import pytest


def test_every_cell_prints_what_the_notebook_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("the notebook went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    notebook = docs_notebook.load()
    shown = [docs_notebook.shown(cell) for cell in docs_notebook.code_cells(notebook)]
    assert docs_notebook.play(notebook, tmp_path) == shown, "run `make readme` and read what changed"
    assert len(shown) > 5
    assert all(shown)


def test_the_notebook_is_one_that_jupyter_opens_and_prints_all_it_shows() -> None:
    notebook = docs_notebook.load()
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    for number, cell in enumerate(docs_notebook.code_cells(notebook), start=1):
        assert cell["execution_count"] == number
        assert [output["output_type"] for output in cell["outputs"]] == ["stream"]
        assert not docs_notebook.silent_values(cell)
