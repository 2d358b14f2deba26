"""How well "which papers ...?" is answered, over a file of judged questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError, field_validator

from eval.cases import Case
from eval.evaluator import Figure, mean
from eval.intervals import Estimate, estimate
from eval.measures.list_f1 import list_f1
from eval.measures.list_precision import list_precision
from eval.measures.list_recall import list_recall, list_recall_with_maybe
from eval.observation import Observation
from rag.engine import AnswerEngine
from rag.errors import UsageError
from rag.question.parsing import parse
from rag.question.topic import parse_topic
from rag.records import Answer

MACRO = ("precision", "recall", "f1", "recall_with_maybe", "length")


class Label(BaseModel, frozen=True):
    """A judged question: papers that match, papers that may (some with a quote), and all that were read."""

    id: str
    question: str
    criterion: str = ""
    yes: dict[str, str]
    borderline: dict[str, str] = {}
    judged: tuple[str, ...] = ()

    @field_validator("yes", "borderline", mode="before")
    @classmethod
    def _without_quotes(cls, papers: object) -> object:
        return dict.fromkeys(papers, "") if isinstance(papers, list) else papers

    @property
    def papers(self) -> set[str]:
        return {*self.yes, *self.borderline, *self.judged}

    def as_case(self) -> Case:
        """The papers judged yes are to be listed; borderline ones count neither way."""
        return Case(
            self.id, "enumerate", (self.question,), gold=tuple(self.yes), ok_extra=tuple(self.borderline)
        )


@dataclass(frozen=True, slots=True)
class ListScore:
    """The measures of one list over `decision == "yes"`; `recall_with_maybe` over yes and maybe.

    `listed` and `truth` are numbers of papers, `length` that of the list with maybes over `truth`; `wrong`
    and `missed` are the ids behind precision and recall. `stated` is the completeness that the list claims,
    None where it claims none; `term` says that the topic is one phrase, not a criterion of several parts.
    """

    precision: float
    recall: float
    f1: float
    recall_with_maybe: float
    listed: int
    truth: int
    wrong: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    length: float = 0.0
    stated: float | None = None
    term: bool = True


def load_labels(path: Path) -> tuple[Label, ...]:
    """The questions of a JSON Lines file.

    Raises:
        UsageError: the file cannot be read, holds none, or a line has no question or no paper judged yes.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The labels {path} cannot be read ({error.__class__.__name__}).") from None
    labels = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                labels.append(Label.model_validate_json(line))
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                where = ".".join(map(str, first["loc"])) or "line"
                raise UsageError(f"{path}, line {number}: {where}: {first['msg']}.") from None
            if not labels[-1].yes:
                raise UsageError(f"{path}, line {number}: no paper is judged yes, so there is no recall.")
    if not labels:
        raise UsageError(f"The labels {path} hold no question.")
    return tuple(labels)


def require_known(labels: Sequence[Label], known: set[str], source: str, data_dir: str) -> None:
    """Raises UsageError when a paper of the labels is not in the index."""
    missing = sorted(set().union(*(label.papers for label in labels)) - known)
    if missing:
        raise UsageError(
            f"{len(missing)} papers of {source} are not in the index (the first is {missing[0]}).",
            f"Bring them in with: python -m rag ingest PAPERS --data-dir {data_dir}",
        )


def score_answer(label: Label, answer: Answer) -> ListScore:
    """The measures of `answer` against `label`."""
    case, seen = label.as_case(), Observation(answer)
    listed = set(seen.listed) - (set(label.borderline) - set(label.yes))
    return ListScore(
        precision=list_precision(case, seen) or 0.0,
        recall=list_recall(case, seen) or 0.0,
        f1=list_f1(case, seen) or 0.0,
        recall_with_maybe=list_recall_with_maybe(case, seen) or 0.0,
        listed=len(seen.listed),
        truth=len(label.yes),
        wrong=tuple(sorted(listed - set(label.yes))),
        missed=tuple(sorted(set(label.yes) - listed)),
        length=len({d.paper.id for d in answer.papers} - set(label.borderline)) / len(label.yes),
        stated=answer.completeness.expected if answer.completeness else None,
        term=_is_term(label.question),
    )


def _is_term(question: str) -> bool:
    return len(parse_topic(parse(question).topic or question).parts) == 1


def score_labels(
    engine: AnswerEngine, labels: Sequence[Label], use_llm: bool = True
) -> Iterator[tuple[str, ListScore]]:
    """Asks each question in a conversation of its own; yields its id and score as soon as it is there."""
    for label in labels:
        yield label.id, score_answer(label, engine.ask(label.question, use_llm=use_llm))


def macro(scores: Mapping[str, ListScore], seed: int) -> dict[str, Estimate]:
    """Means over questions with their 95 % intervals."""
    return {
        name: estimate(
            Figure(name, (), mean), [np.array([getattr(score, name) for score in scores.values()])], seed
        )
        for name in MACRO
    }


def apart(scores: Mapping[str, ListScore], seed: int) -> dict[str, dict[str, Estimate]]:
    """The macro figures of topics that are one term and of those that are criteria."""
    groups = {
        "terms": {name: score for name, score in scores.items() if score.term},
        "criteria": {name: score for name, score in scores.items() if not score.term},
    }
    return {group: macro(members, seed) for group, members in groups.items() if members}


@dataclass(frozen=True, slots=True)
class Kept:
    """Whether lists are as complete as they say, over the `n` that say it: means, and the recall's error."""

    n: int
    stated: float
    recall: float
    standard_error: float

    @property
    def holds(self) -> bool:
        return self.recall >= self.stated - 2 * self.standard_error


def kept(scores: Mapping[str, ListScore]) -> Kept | None:
    """None where no list states its completeness."""
    claims = [(score.stated, score.recall_with_maybe) for score in scores.values() if score.stated]
    if not claims:
        return None
    stated, recall = np.array(claims).T
    error = float(recall.std(ddof=1) / len(claims) ** 0.5) if len(claims) > 1 else 0.0
    return Kept(len(claims), float(stated.mean()), float(recall.mean()), error)


def as_json(scores: Mapping[str, ListScore], seed: int) -> dict[str, Any]:
    """The JSON of `eval which --json`, documented in eval/README.md."""
    estimates = macro(scores, seed)
    return {
        "questions": {name: asdict(score) for name, score in scores.items()},
        "macro": {name: estimate.value for name, estimate in estimates.items()},
        "intervals": {name: asdict(estimate) for name, estimate in estimates.items()},
        "apart": {
            group: {name: estimate.value for name, estimate in figures.items()}
            for group, figures in apart(scores, seed).items()
        },
        "completeness": asdict(claim) if (claim := kept(scores)) else None,
    }
