"""The optional judge: a real client against a scripted endpoint, agreement by hand, never a gate."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from eval_oracle import CASES, Oracle
from scripted_endpoint import Refusal, Request, ScriptedEndpoint

import rag.assembly
from eval.__main__ import command_line
from eval.comparison import require_figures
from eval.judge import Judgement, agreement, kappa, read_reply, summarise
from eval.pages import as_html
from eval.report import summarise as summarise_run
from eval.run import Run
from eval.runner import Runner
from rag.errors import UsageError

YES, NO = True, False


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("FAITHFUL: yes\nRELEVANT: no", Judgement(True, False)),
        ("**Faithful:** No.\n**Relevant:** Yes.", Judgement(False, True)),
        ("faithful = yes? Let me see ... FAITHFUL: no\nRELEVANT: yes", Judgement(False, True)),
        ("FAITHFUL: yes", None),
        ("It is a fine answer.", None),
        ("", None),
    ],
)
def test_replies_are_read(text: str, found: Judgement | None) -> None:
    assert read_reply(text) == found


def test_agreement_by_hand() -> None:
    assert agreement([[YES, YES, YES], [YES, NO, NO]]) == (1 + 1 / 3) / 2
    assert agreement([[YES]]) is None
    assert agreement([]) is None


def test_kappa_by_hand() -> None:
    rows = [[YES, YES, YES], [YES, NO, NO]]
    yes = 4 / 6
    chance = yes**2 + (1 - yes) ** 2
    assert kappa(rows) == pytest.approx((2 / 3 - chance) / (1 - chance))
    assert kappa([[YES, YES], [NO, NO]]) == 1
    assert kappa([[YES, YES], [YES, YES]]) is None


def test_the_majority_decides_and_a_tie_is_a_no() -> None:
    replies = {
        "a": (Judgement(YES, YES), Judgement(YES, NO), Judgement(NO, NO)),
        "b": (Judgement(YES, NO), Judgement(NO, NO)),
    }
    found = summarise(replies, "m", 3, 0)
    assert found.verdicts["faithful"].value == 1 / 2
    assert found.verdicts["relevant"].value == 0
    assert summarise({}, "m", 3, 0).verdicts["faithful"].n == 0


def test_no_gate_takes_the_judges_word() -> None:
    for name in ("judge_faithful", "faithful", "relevant"):
        with pytest.raises(UsageError, match="no figure that can be gated"):
            require_figures([name])


def scripted(request: Request) -> str:
    """Unsure about one answer, sure about the others."""
    if "166 experiments" in request.prompt and request.body["temperature"] > 0 and len(request.prompt) % 2:
        return "FAITHFUL: no\nRELEVANT: yes"
    return "FAITHFUL: yes\nRELEVANT: yes"


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where a judged run writes its JSON; `sys.argv` is set for it, without an endpoint."""
    out = tmp_path / "out.json"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(rag.assembly, "open_engine", lambda settings, *, progress=False: Oracle())
    arguments = [
        "--judge",
        "--judge-model",
        "judge-1",
        "--json",
        str(out),
        "--data-dir",
        str(tmp_path / "data"),
    ]
    monkeypatch.setattr("sys.argv", ["eval", "run", *arguments])
    return out


def test_a_run_is_judged_three_times_each(
    judged: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedEndpoint() as endpoint:
        endpoint.answer_with(scripted)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        assert command_line() == 0
        cited = [case for case in CASES if case.answerable and case.gold]
        assert len(endpoint.requests) == 3 * len(cited)
        first = endpoint.requests[0]
    assert first.body["model"] == "judge-1"
    assert "how many experiments did the GNN-Diff people run" in first.prompt
    report = json.loads(judged.read_text())
    assert report["judge"]["verdicts"]["relevant"]["value"] == 1
    assert report["judge"]["agreement"]["relevant"] == 1
    assert len(report["judge"]["cases"]["dev-lookup-02"]) == 3
    assert "Judged by judge-1" in capsys.readouterr().out


def test_an_endpoint_that_fails_ends_the_judging_and_not_the_run(
    judged: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedEndpoint() as endpoint:
        endpoint.reply(
            "FAITHFUL: yes\nRELEVANT: yes", "Who knows?", "FAITHFUL: no\nRELEVANT: yes", Refusal(401)
        )
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-secret")
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        assert command_line() == 0
    found = json.loads(judged.read_text())["judge"]
    assert found["unreadable"] == 1
    assert "refused the key" in found["stopped"]
    assert len(found["cases"]) == 1
    assert found["verdicts"]["faithful"]["value"] == 0, "a tie"
    shown = capsys.readouterr()
    assert "The judging stopped after 1 answers" in " ".join(shown.out.split())
    assert "sk-test-secret" not in shown.out + shown.err


def test_a_judge_needs_an_endpoint(judged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line() == 2
    assert "--judge needs a model. Set OPENAI_API_KEY" in capsys.readouterr().err


def test_the_page_shows_the_opinion() -> None:
    report = summarise_run(Run(tuple(Runner(Oracle()).run(CASES[:3])), {"questions": "dev.jsonl"}), 0)
    assert "It gates nothing" not in as_html(report)
    judge = summarise({"dev-lookup-01": (Judgement(YES, NO),) * 3}, "<judge>", 3, 0)
    page = as_html(replace(report, judge=judge))
    assert "Judged by &lt;judge&gt;" in page
    assert "It gates nothing" in page
