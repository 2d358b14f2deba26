"""`eval which`: list measures over judged questions, by hand and through the command line."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eval_oracle import NO_TURNS, Oracle

import rag.assembly
from eval import fit_screening
from eval.__main__ import command_line
from eval.cases import TOPICS
from eval.which import Label, apart, as_json, kept, load_labels, macro, score_answer
from rag.errors import UsageError
from rag.index.paper_index import PaperIndex
from rag.records import Answer, Choice, Completeness, Conversation, Decision, Paper
from rag.sources.seed import default_papers

LABEL = Label(
    id="l", question="Which?", yes={"a": "q", "b": "q", "c": "q"}, borderline={"x": "q"}, judged=("a", "n")
)


def answer(**choices: str) -> Answer:
    picked: dict[str, Choice] = {"y": "yes", "m": "maybe", "n": "no"}
    decisions = tuple(Decision(Paper(i, i, i), picked[choice], "", 1.0) for i, choice in choices.items())
    return Answer("Which?", "enumerate", "en", "", papers=decisions)


def test_borderline_is_ignored_and_unjudged_is_wrong() -> None:
    score = score_answer(LABEL, answer(a="y", x="y", n="y", unread="y", b="m", c="n"))
    assert score.precision == 1 / 3
    assert score.recall == 1 / 3
    assert score.f1 == pytest.approx(1 / 3)
    assert score.recall_with_maybe == 2 / 3
    assert (score.listed, score.truth) == (4, 3)
    assert score.wrong == ("n", "unread")
    assert score.missed == ("b", "c")


def test_what_lists_state_is_set_against_what_they_hold() -> None:
    full = replace(answer(a="y", b="y", c="m"), completeness=Completeness(10, 0.8))
    half = replace(answer(a="y"), completeness=Completeness(10, 0.8))
    scores = {"full": score_answer(LABEL, full), "half": score_answer(LABEL, half)}
    found = kept(scores)
    assert found is not None
    assert (found.n, found.stated, found.recall) == (2, pytest.approx(0.8), pytest.approx(2 / 3))
    assert found.standard_error == pytest.approx(1 / 3)
    assert found.holds
    assert not replace(found, standard_error=0.01).holds
    assert kept({"silent": score_answer(LABEL, answer(a="y"))}) is None


def test_terms_and_criteria_are_told_apart() -> None:
    term, criterion = "Which papers use conformal prediction?", "Which papers use diffusion for audio?"
    scores = {
        "term": score_answer(LABEL.model_copy(update={"question": term}), answer(a="y")),
        "criterion": score_answer(LABEL.model_copy(update={"question": criterion}), answer(b="n")),
    }
    groups = apart(scores, 0)
    assert (groups["terms"]["recall"].value, groups["criteria"]["recall"].value) == (1 / 3, 0)


def test_an_empty_list_scores_nothing() -> None:
    score = score_answer(LABEL, answer())
    assert (score.precision, score.recall, score.f1, score.listed) == (0, 0, 0, 0)


def test_macro_averages_are_means_over_questions() -> None:
    scores = {
        "one": score_answer(LABEL, answer(a="y", b="y", c="y")),
        "two": score_answer(LABEL, answer(a="y")),
    }
    report = as_json(scores, seed=0)
    assert report["macro"] == {
        "precision": 1,
        "recall": pytest.approx((1 + 1 / 3) / 2),
        "f1": pytest.approx((1 + 1 / 2) / 2),
        "recall_with_maybe": pytest.approx((1 + 1 / 3) / 2),
        "length": pytest.approx((1 + 1 / 3) / 2),
    }
    assert set(report["questions"]["one"]) >= {
        "precision",
        "recall",
        "f1",
        "recall_with_maybe",
        "listed",
        "truth",
    }
    assert macro(scores, 0)["f1"].n == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "hold no question"),
        ("{", "line 1: line: Invalid JSON"),
        ('{"id": "a", "question": "q"}', "line 1: yes: Field required"),
        ('{"id": "a", "question": "q", "yes": {}}', "line 1: no paper is judged yes"),
    ],
)
def test_bad_labels_are_one_clear_line(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text(text)
    with pytest.raises(UsageError, match=complaint):
        load_labels(tmp_path / "labels.jsonl")


def test_our_own_labels_name_papers_without_quotes() -> None:
    labels = load_labels(TOPICS)
    assert len({label.question for label in labels}) == len(labels)
    for label in labels:
        yes, borderline, judged = set(label.yes), set(label.borderline), set(label.judged)
        assert yes | borderline <= judged
        assert not yes & borderline
        assert not any(label.yes.values())


def test_questions_over_papers_that_an_index_lacks_teach_nothing(seed_index: PaperIndex) -> None:
    assert fit_screening.read_known(TOPICS, seed_index) == []


def test_labels_without_quotes_teach_what_those_with_them_do(seed_index: PaperIndex, tmp_path: Path) -> None:
    ids = [paper.id for paper in seed_index.papers]
    files = [tmp_path / "quotes.jsonl", tmp_path / "ids.jsonl"]
    for file, yes in zip(files, (dict.fromkeys(ids[:2], "q"), ids[:2]), strict=True):
        label = {"question": "Which papers use diffusion?", "yes": yes, "borderline": ids[2:3], "judged": ids}
        file.write_text(json.dumps(label))
    with_quotes, by_id = (fit_screening.read_known(file, seed_index) for file in files)
    assert len(with_quotes) == len(by_id) == 1
    assert by_id[0].truth == by_id[0].labels.sum() == 2
    assert (~by_id[0].counts).sum() == 1, "the borderline one counts neither way"
    assert np.array_equal(with_quotes[0].labels, by_id[0].labels)


class Lister(Oracle):
    """Lists the first three of its papers, whatever is asked."""

    def ask(self, question: str, conversation: Conversation = NO_TURNS, *, use_llm: bool = True) -> Answer:
        papers = tuple(Decision(paper, "yes", "", 1.0) for paper in self.papers[:3])
        return Answer(question, "enumerate", "en", "", papers=papers, count=3)


@pytest.fixture
def eval_which(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    monkeypatch.setattr(rag.assembly, "open_engine", lambda settings, *, progress=False: Lister())

    def command(labels: list[dict[str, Any]], *arguments: object) -> int:
        path = tmp_path / "labels.jsonl"
        path.write_text("\n".join(map(json.dumps, labels)))
        given = ["eval", "which", "--labels", path, "--data-dir", tmp_path / "data", *arguments]
        monkeypatch.setattr("sys.argv", list(map(str, given)))
        return command_line()

    return command


def test_the_command_prints_and_writes(
    eval_which: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = [paper.id for paper in default_papers()]
    labels = [
        {
            "id": "first",
            "question": "Which?",
            "yes": dict.fromkeys(ids[:4], "q"),
            "borderline": {},
            "judged": ids,
        }
    ]
    assert eval_which(labels, "--json", tmp_path / "out.json") == 0
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["questions"]["first"]["precision"] == 1
    assert report["macro"]["recall"] == 3 / 4
    assert "Macro averages" in capsys.readouterr().out


def test_labels_of_unknown_papers_are_refused(
    eval_which: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    labels = [{"id": "x", "question": "Which?", "yes": {"zz": "q"}, "judged": ["zz"]}]
    assert eval_which(labels) == 2
    assert "1 papers of labels.jsonl are not in the index (the first is zz)." in capsys.readouterr().err
