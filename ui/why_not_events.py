"""What happens when a reader asks why a paper is not in an answer: a paper is looked for, then explained."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import gradio as gr

from rag.browsing import found
from rag.errors import RagError
from rag.records import Paper
from ui.answer_texts import answer_texts_for
from ui.chat import Chat
from ui.controls import told_by
from ui.failures import told as failed
from ui.placing import answered, placed
from ui.texts import Texts
from ui.view import texts_of
from ui.why_not import CANDIDATES, LONGEST, candidates, outcome, place

if TYPE_CHECKING:
    from rag.engine import AnswerEngine


class WhyNotHandlers:
    """What happens at each event; the HTML goes to its place beside the field by `handOver` of answers.js."""

    def __init__(self, engine: "AnswerEngine") -> None:
        self._engine = engine

    def look_up(self, told: gr.EventData, chat: Chat, request: gr.Request) -> str:
        """Papers for what is being typed; at once what became of it where it names just one."""
        data, texts = told_by(told), texts_of(request)
        turn = answered(data, chat)
        if turn is None:
            return ""
        text = " ".join(str(data.get("text") or "").split())[:LONGEST]
        papers = self._matching(text) if text else ()
        html = candidates(papers, turn, texts) if text else ""
        return placed(html, place(turn))

    def explain(self, told: gr.EventData, chat: Chat, request: gr.Request) -> str:
        """What became of the chosen paper on the way to the answer."""
        data, texts = told_by(told), texts_of(request)
        turn = answered(data, chat)
        if turn is None:
            return ""
        return placed(self._outcome(str(data.get("paper")), turn, chat, texts), place(turn))

    def _matching(self, text: str) -> Sequence[Paper]:
        """The paper with this id, else those with these words in title or authors, else the nearest ones."""
        papers = self._engine.papers
        if by_id := [paper for paper in papers if paper.id == text]:
            return by_id
        if named := found(papers, text, ()).named:
            return sorted(named, key=lambda paper: len(paper.title))  # a whole title before longer ones
        try:
            return [hit.paper for hit in self._engine.rank(text, CANDIDATES)]
        except RagError:
            return ()  # an embedding that cannot be used

    def _outcome(self, paper_id: str, turn: int, chat: Chat, texts: Texts) -> str:
        entry, before = chat.entries[turn], Chat(chat.entries[:turn]).conversation
        if not entry.answer:
            return ""
        try:
            fate = self._engine.why_not(paper_id, entry.answer, before, within=entry.within)
        except Exception as error:
            message = failed(error, answer_texts_for(texts.language).why_failed)
            return f"<p>{escape(message)}</p>"
        return outcome(fate, entry.answer.language, texts)
