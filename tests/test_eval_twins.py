"""`eval twins`: Chinese list questions against the same in English, over the real default papers."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from eval.twins import TWINS, Agreement, load_twins, mean_f1
from rag.errors import UsageError

Command = Callable[..., int]

PAIRS = [
    {"id": "same", "en": "Which papers study diffusion models?", "zh": "哪些论文研究扩散模型？"},
    {"id": "other", "en": "Which papers study diffusion models?", "zh": "哪些论文研究联邦学习？"},
]


def test_pairs_that_agree_and_that_do_not(
    eval_command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.json"
    pairs.write_text("\n".join(json.dumps(pair, ensure_ascii=False) for pair in PAIRS), encoding="utf-8")
    asked = ("twins", "--pairs", pairs, "--no-llm", "--data-dir", tmp_path / "data", "--json", out)
    assert eval_command(*asked) == 0
    report = json.loads(out.read_text("utf-8"))
    same, other = report["pairs"]["same"], report["pairs"]["other"]
    assert same["english"] == other["english"] > 0
    assert same["f1"] > other["f1"]
    assert report["f1"]["value"] == pytest.approx((same["f1"] + other["f1"]) / 2)
    assert "Chinese lists against English ones" in capsys.readouterr().out


def test_the_shipped_pairs_are_read() -> None:
    assert len(load_twins(TWINS)) >= 24


@pytest.mark.parametrize("content", ["", '{"id": "a", "en": "b"}', "no json", "\xff"])
def test_a_broken_file_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(UsageError, match="pairs"):
        load_twins(file)


def test_the_mean_is_over_pairs() -> None:
    assert mean_f1({"a": Agreement(1, 1, 1.0), "b": Agreement(9, 9, 0.0)}, 0).value == 0.5
