"""The engine as it stands against the committed run: what fell is named, with the questions that flipped."""

from pathlib import Path

import pytest

from eval.__main__ import command_line

BASELINE = Path(__file__).parents[1] / "eval" / "baseline.json"


@pytest.mark.timeout(600)
def test_the_engine_is_no_worse_than_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    arguments = ["--no-llm", "--data-dir", str(tmp_path / "data"), "--baseline", str(BASELINE)]
    monkeypatch.setattr("sys.argv", ["eval", "run", *arguments])
    code = command_line()
    printed = capsys.readouterr().out
    assert code == 0, printed[printed.index("Against the baseline") :]
