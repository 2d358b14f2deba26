"""A scripted engine that answers the shipped question set as well as can be, and ways to break it."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from eval.cases import DEFAULT_QUESTIONS, Case, load_cases
from rag.engine import ChatModel
from rag.records import (
    Answer,
    Citation,
    CitedSpan,
    Conversation,
    Decision,
    Hit,
    IndexDescription,
    Paper,
    Passage,
    Receipt,
    TextDelta,
)
from rag.sources.seed import default_papers

NO_TURNS = Conversation()
CASES = load_cases(DEFAULT_QUESTIONS)
_LINES = [json.loads(line) for line in DEFAULT_QUESTIONS.read_text(encoding="utf-8").splitlines()]
EVIDENCE: dict[str, list[dict[str, Any]]] = {line["id"]: line["evidence"] for line in _LINES}


class Oracle:
    """Answers each case from its gold papers and evidence; tests override `answer` to break it."""

    chat_model: ChatModel | None = None

    def __init__(self, cases: Sequence[Case] = CASES, papers: Sequence[Paper] | None = None) -> None:
        self.papers: Sequence[Paper] = tuple(papers or default_papers())
        self.asked: list[str] = []
        self._by_id = {paper.id: paper for paper in self.papers}
        self._cases = {case.question: case for case in cases}
        self._openings = {turn: case for case in cases for turn in case.turns[:-1]}

    def describe(self) -> IndexDescription:
        return IndexDescription(len(self.papers), len(self.papers), "scripted", 0, "none", "oracle", 1, 0)

    def ask(self, question: str, conversation: Conversation = NO_TURNS, *, use_llm: bool = True) -> Answer:
        self.asked.append(question)
        case = self._cases.get(question)
        if case is None:
            return self.opening(question, self._openings[question])
        return self.answer(case, conversation)

    def stream(
        self, question: str, conversation: Conversation = NO_TURNS, *, use_llm: bool = True
    ) -> Iterator[TextDelta | Answer]:
        answer = self.ask(question, conversation, use_llm=use_llm)
        half = len(answer.text) // 2
        yield TextDelta(answer.text[:half])
        yield TextDelta(answer.text[half:])
        yield answer

    def rank(self, question: str, k: int = 20) -> list[Hit]:
        gold = self._cases[question].gold
        ranked = sorted(self.papers, key=lambda paper: paper.id not in gold)[:k]
        return [Hit(paper, 1.0, None, None, Passage(paper.id, 0, 0, 0, "")) for paper in ranked]

    def opening(self, question: str, case: Case) -> Answer:
        """The answer to an earlier turn of a conversation: what the paper is called."""
        paper = self._by_id[case.gold[0]]
        citation = Citation(1, paper, (CitedSpan(0, paper.title),))
        return Answer(
            question, "lookup", case.language, f"It is called {paper.title} [1].", citations=(citation,)
        )

    def answer(self, case: Case, conversation: Conversation) -> Answer:
        if not case.answerable:
            return Answer(
                case.question,
                "lookup",
                case.language,
                "The papers do not say.",
                abstained=True,
                confidence=0.9,
            )
        if case.kind == "enumerate":
            return self._list(case)
        return self._prose(case, conversation)

    def _list(self, case: Case) -> Answer:
        papers = [self._by_id[paper_id] for paper_id in case.gold]
        citations = tuple(
            Citation(n, paper, (CitedSpan(n, paper.title),)) for n, paper in enumerate(papers, start=1)
        )
        lines = [f"{len(papers)} papers do.", *(f"{c.paper.title} [{c.number}]." for c in citations)]
        return Answer(
            case.question,
            "enumerate",
            case.language,
            " ".join(lines),
            confidence=0.9,
            citations=citations,
            papers=tuple(Decision(paper, "yes", paper.title, 1.0) for paper in papers),
            count=len(papers),
            receipt=Receipt(seconds={"retrieve": 0.01, "total": 0.02}),
        )

    def _prose(self, case: Case, conversation: Conversation) -> Answer:
        numbers = dict(conversation.numbers)
        for paper_id in case.gold:
            numbers.setdefault(paper_id, len(numbers) + 1)
        spans: dict[str, list[CitedSpan]] = {paper_id: [] for paper_id in case.gold}
        sentences = []
        for place, item in enumerate(EVIDENCE[case.id]):
            spans[item["paper"]].append(CitedSpan(place, item["sentence"]))
            sentences.append(f"{item['sentence']} [{numbers[item['paper']]}]")
        sentences += [
            self._record(self._by_id[paper], numbers[paper]) for paper in case.gold if not spans[paper]
        ]
        if not case.gold:
            sentences.append(f"There are {len(self.papers)} papers.")
        return Answer(
            case.question,
            "metadata" if case.kind == "metadata" else "lookup",
            case.language,
            " ".join(sentences),
            confidence=0.9,
            citations=tuple(Citation(numbers[p], self._by_id[p], tuple(spans[p])) for p in case.gold),
            papers=tuple(Decision(self._by_id[p], "yes", "", 1.0) for p in case.gold)
            if case.asks_for_list
            else (),
            receipt=Receipt(seconds={"retrieve": 0.01, "total": 0.02}),
        )

    def _record(self, paper: Paper, number: int) -> str:
        return f"{paper.title}, {', '.join(paper.authors)}, {paper.published}, {paper.track} [{number}]."
