"""The first Python example of rag/README.md runs as it stands there; the second needs a model."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "rag" / "README.md"


def test_the_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, *_ = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code, str(README), "exec"), {})  # noqa: S102 - our own documentation
    printed = capsys.readouterr().out
    assert "[1]" in printed
    assert "CTC7CmirNr" in printed
    assert "Robust Barycenter Estimation" in printed
