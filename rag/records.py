"""The frozen values that travel between the stages. No behaviour beyond derived properties."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Kind = Literal["lookup", "explain", "compare", "enumerate", "metadata", "offtopic"]
Language = Literal["en", "zh"]
Verdict = Literal["supported", "weak", "unsupported"]
Choice = Literal["yes", "maybe", "no"]
Mode = Literal["extractive", "generated", "screened"]
"""Who made an answer: quotes and records alone; a model wrote it; a model decided which papers it lists."""
Stage = Literal["filter", "retrieve", "screen", "compose", "write", "answer"]
"""Where a paper can leave the way to an answer: it fails a condition; is ranked too low; is read for a list
and left out; is not quoted; is shown to a model that does not cite it; or stands in the answer."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One record of a paper list. `abstract` is kept as in the list, white space squeezed."""

    id: str
    title: str
    abstract: str
    authors: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    track: str | None = None
    url: str | None = None
    keywords: tuple[str, ...] = ()
    titled: bool = True
    """False: the list gave no title and `title` is a label made from the abstract."""

    @property
    def published(self) -> str:
        """Venue and year in one phrase ("ICLR 2025"), empty when neither is known."""
        return " ".join(str(part) for part in (self.venue, self.year) if part)


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of whole sentences of one abstract: `abstract[start:end]`, at most the chunker's tokens long."""

    paper_id: str
    ordinal: int
    start: int
    end: int
    text: str

    @property
    def id(self) -> str:
        return f"{self.paper_id}#{self.ordinal}"


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (exclusive) of a text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper as retrieval ranked it; best first in a list of hits.

    `score` is the fused score, in [0, 1] but for a bonus where the paper has a rare name of the question;
    `dense` the cosine similarity of its best passage (None when the dense ranking did not return it),
    `lexical` its BM25 score (None likewise).
    """

    paper: Paper
    score: float
    dense: float | None
    lexical: float | None
    passage: Passage


@dataclass(frozen=True, slots=True)
class Decision:
    """What screening says of one paper: does it match, and the shortest verbatim quote that shows it.

    `quote` is a substring of the paper's title or abstract, or the record's value for questions about
    records; `reason` says in words which evidence decided.
    """

    paper: Paper
    choice: Choice
    quote: str
    score: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A paper and the verbatim words of it (or of its record) that a statement rests on."""

    paper: Paper
    quote: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer, without citation marks, and the evidence it cites.

    `lead` is set before the sentence as it is (a blank, a line break, a list bullet).
    """

    text: str
    evidence: tuple[Evidence, ...] = ()
    lead: str = " "


@dataclass(frozen=True, slots=True)
class Completeness:
    """What a list rests on: `checked` papers were decided.

    `expected` is the share of all matching papers that are expected among those listed as yes or maybe, in
    (0, 1]; None where the labelled topics do not support a statement ("not calibrated").
    """

    checked: int
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Composition:
    """An answer before its papers have numbers. `passed_over` are the nearest papers that a list left out."""

    statements: tuple[Statement, ...]
    abstained: bool = False
    decisions: tuple[Decision, ...] = ()
    count: int | None = None
    passed_over: tuple[Decision, ...] = ()
    completeness: Completeness | None = None


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """Sentence `sentence` (0-based) of the answer cites these words of the abstract."""

    sentence: int
    quote: str
    verdict: Verdict = "supported"


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited paper under the number it keeps for the whole conversation."""

    number: int
    paper: Paper
    spans: tuple[CitedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Tokens:
    prompt: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one paper on the way to an answer, for whoever asks why it is there or not.

    `stage` is the last one it reached. `rank` is its 1-based place in the ranking of the question and `score`
    what it has there (of a list: how sure the decision is, in [0, 1]), None where nothing ranked it. `reason`
    says in the answer's language why it went no further.
    """

    paper_id: str
    title: str
    stage: Stage
    rank: int | None
    score: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """One sentence as a model wrote it, and what checking made of it.

    `action`: "kept" as it is; "recited": with other citation numbers; "marked" in the text as not found;
    "struck" from it. `missing` are its figures, names and addresses that stand in no abstract it cites.
    """

    sentence: str
    verdict: Verdict
    action: Literal["kept", "recited", "marked", "struck"]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """How an answer came about.

    `seconds` maps stage names to wall time. `cost_usd` is None when the model's price is not known; it counts
    calls that failed half-way too. `notice` is a message for the user about something that went wrong on the
    way (a model that could not be reached), empty otherwise. `retrieved` are the papers ranked for the
    question, best first, and of a list the nearest of those left out; `checked` the sentences of a model.
    `suspicious` says of papers in the answer, by id, why they look made to steer a reader (rag/suspicion.py).
    """

    mode: Mode = "extractive"
    model: str | None = None
    searched_for: str = ""
    considered: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    tokens: Tokens = Tokens()
    cost_usd: float | None = 0.0
    notice: str = ""
    retrieved: tuple[Fate, ...] = ()
    checked: tuple[Checked, ...] = ()
    suspicious: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the page, the command line and the eval show. `text` is Markdown with citations as `[n]`."""

    question: str
    kind: Kind
    language: Language
    text: str
    abstained: bool = False
    confidence: float | None = None
    citations: tuple[Citation, ...] = ()
    papers: tuple[Decision, ...] = ()
    count: int | None = None
    completeness: Completeness | None = None
    receipt: Receipt = Receipt()

    def as_json(self) -> dict[str, Any]:
        """The answer in the shape the README documents, ready for `json.dumps`."""
        return {
            "question": self.question,
            "kind": self.kind,
            "language": self.language,
            "text": self.text,
            "abstained": self.abstained,
            "confidence": self.confidence,
            "citations": [
                {
                    "number": citation.number,
                    "paper": {
                        "id": citation.paper.id,
                        "title": citation.paper.title,
                        "authors": list(citation.paper.authors),
                        "venue": citation.paper.venue,
                        "year": citation.paper.year,
                        "track": citation.paper.track,
                        "url": citation.paper.url,
                    },
                    "spans": [asdict(span) for span in citation.spans],
                }
                for citation in self.citations
            ],
            "papers": [
                {
                    "id": decision.paper.id,
                    "title": decision.paper.title,
                    "decision": decision.choice,
                    "quote": decision.quote,
                    "reason": decision.reason,
                }
                for decision in self.papers
            ],
            "count": self.count,
            "completeness": asdict(self.completeness) if self.completeness else None,
            "receipt": _as_json(asdict(self.receipt)),
        }


def _as_json(value: Any) -> Any:
    """A value as JSON gives it back: tuples are lists."""
    if isinstance(value, Mapping):
        return {key: _as_json(part) for key, part in value.items()}
    return [_as_json(part) for part in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True, slots=True)
class Turn:
    question: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Conversation:
    """The earlier turns of one chat, oldest first. A value: `with_turn` returns a longer one."""

    turns: tuple[Turn, ...] = ()

    @property
    def numbers(self) -> dict[str, int]:
        """Citation number of every paper cited so far, by paper id."""
        return {c.paper.id: c.number for turn in self.turns for c in turn.answer.citations}

    def with_turn(self, answer: Answer) -> "Conversation":
        return Conversation((*self.turns, Turn(answer.question, answer)))


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of an answer's text while it is still being written."""

    text: str


@dataclass(frozen=True, slots=True)
class ScreeningPlan:
    """The papers that a model would read for a list, each under a number, in batches of one call each.

    `tokens` and `cost_usd` are the most that it may take, dollars None where nobody knows the price; reading
    ends before it takes more. `unread` papers of the list found no room in a limit.
    """

    model: str
    criterion: str
    batches: tuple[tuple[tuple[int, Paper], ...], ...]
    tokens: Tokens
    cost_usd: float | None
    unread: int = 0

    @property
    def papers(self) -> int:
        return sum(map(len, self.batches))


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """How many of the papers of a plan have been read."""

    papers: int
    of: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was not taken in: where it stands and why."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file held: papers in its order, and what was passed over."""

    papers: tuple[Paper, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did, in numbers of papers. `read` counts all that were offered."""

    read: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexDescription:
    """What an index says of itself. `fingerprint` changes when any paper's record changes."""

    papers: int
    passages: int
    model: str
    dimensions: int
    chunker: str
    fingerprint: str
    format_version: int
    bytes_on_disk: int
    lists: tuple[str, ...] = ()
