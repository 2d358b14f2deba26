"""A case: a question, or a conversation, and what a right answer to its last turn holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

import regex
from pydantic import AfterValidator, BaseModel, ValidationError, model_validator

from rag.errors import UsageError
from rag.records import Language

CaseKind = Literal["lookup", "explain", "enumerate", "compare", "metadata", "unanswerable", "followup"]
KINDS: tuple[CaseKind, ...] = get_args(CaseKind)
DEFAULT_QUESTIONS = Path(__file__).parent / "questions" / "dev.jsonl"
TOPICS = DEFAULT_QUESTIONS.parent / "topics.jsonl"
"""List questions of our own over the bench's ICLR 2025 papers: which papers match, by id."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a question file; `questions/README.md` gives the schema.

    `turns` are asked in one conversation and the last is scored. `nuggets` are the required facts, each a
    tuple of alternative regular expressions. `gold` are the ids of the right papers, `ok_extra` those that
    may be cited or listed without being counted as wrong.
    """

    id: str
    kind: CaseKind
    turns: tuple[str, ...]
    language: Language = "en"
    answerable: bool = True
    gold: tuple[str, ...] = ()
    nuggets: tuple[tuple[str, ...], ...] = ()
    ok_extra: tuple[str, ...] = ()
    note: str = ""

    @property
    def question(self) -> str:
        """The turn that is scored."""
        return self.turns[-1]

    @property
    def asks_for_list(self) -> bool:
        """Whether `gold` is a complete set to be listed; a metadata case without facts asks for one too."""
        return self.kind == "enumerate" or (self.kind == "metadata" and bool(self.gold) and not self.nuggets)

    @property
    def counts_corpus(self) -> bool:
        """Whether the answer is a property of the whole corpus, so that one more paper changes it."""
        return self.kind == "metadata" and self.answerable and not self.gold


def _a_pattern(value: str) -> str:
    try:
        regex.compile(value)
    except regex.error as error:
        raise ValueError(f"{value!r} is no regular expression: {error}") from None
    return value


class _Line(BaseModel):
    """A line as it stands in the file."""

    id: str
    kind: CaseKind
    question: str = ""
    turns: tuple[str, ...] = ()
    lang: Language = "en"
    answerable: bool
    gold: tuple[str, ...]
    nuggets: tuple[tuple[Annotated[str, AfterValidator(_a_pattern)], ...], ...] = ()
    ok_extra: tuple[str, ...] = ()
    note: str = ""

    @model_validator(mode="after")
    def _asks_something(self) -> "_Line":
        if not all(turn.strip() for turn in self.turns or (self.question,)):
            raise ValueError("a case needs a question or turns, and none may be empty")
        return self

    def as_case(self) -> Case:
        return Case(
            id=self.id,
            kind=self.kind,
            turns=self.turns or (self.question,),
            language=self.lang,
            answerable=self.answerable,
            gold=self.gold,
            nuggets=self.nuggets,
            ok_extra=self.ok_extra,
            note=self.note,
        )


def load_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a JSON Lines file, in its order.

    Raises:
        UsageError: the file cannot be read, holds no case, names an id twice, or a line breaks the schema.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The question file {path} cannot be read ({error.__class__.__name__}).") from None
    return parse_cases(text, str(path))


def parse_cases(text: str, source: str) -> tuple[Case, ...]:
    """The cases of a question file's text, in its order; `source` names it in messages.

    Raises:
        UsageError: it holds no case, names an id twice, or a line breaks the schema.
    """
    lines = enumerate(text.splitlines(), start=1)
    cases = [_case(line, f"{source}, line {n}") for n, line in lines if line.strip()]
    if not cases:
        raise UsageError(f"The question file {source} holds no case.")
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise UsageError(f"The question file {source} names the id {case.id!r} twice.")
        seen.add(case.id)
    return tuple(cases)


def _case(line: str, where: str) -> Case:
    try:
        return _Line.model_validate_json(line).as_case()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"{where}: {field + ': ' if field else ''}{first['msg']}.",
            "eval/questions/README.md gives the schema.",
        ) from None


def require_papers(
    cases: Sequence[Case], known: Sequence[str], source: str, data_dir: str | None = None
) -> None:
    """Refuses a question set whose right papers are not in the index: its figures would mean nothing.

    Raises:
        UsageError: names how many are missing, one of them, and the command that brings them in.
    """
    missing = sorted({paper for case in cases for paper in case.gold} - set(known))
    if missing:
        raise UsageError(
            f"{len(missing)} right papers of {source} are not in the index (the first is {missing[0]}).",
            "Bring them in with: python -m rag ingest PAPERS"
            + (f" --data-dir {data_dir}" if data_dir is not None else ""),
        )
