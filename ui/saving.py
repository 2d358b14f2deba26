"""What a reader takes away: an answer for the clipboard, papers and the conversation as files. Pure.

Nothing is written on the server: the text goes to the browser, which copies or saves it.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rag.export import PAPER_FORMATS
from rag.export.conversation import answer_markdown, conversation_markdown
from rag.records import Paper
from ui.answer_texts import answer_texts_for
from ui.chat import Chat
from ui.texts import Texts

_FILES = {
    "bibtex": ("papers.bib", "application/x-bibtex"),
    "ris": ("papers.ris", "application/x-research-info-systems"),
    "csl": ("papers.json", "application/vnd.citationstyles.csl+json"),
    "markdown": ("papers.md", "text/markdown"),
    "conversation": ("conversation.md", "text/markdown"),
}


@dataclass(frozen=True, slots=True)
class Parcel:
    """A text on its way to the browser: into a file called `name`, without one onto the clipboard."""

    text: str
    name: str = ""
    type: str = ""

    def packed(self, texts: Texts) -> str:
        """As JSON for `handOver` of answers.js, with what the reader is then told."""
        said = answer_texts_for(texts.language)
        done = said.saved.format(name=self.name) if self.name else said.copied
        content = {"text": self.text, "name": self.name, "type": self.type}
        return json.dumps({**content, "done": done, "failed": said.not_copied, "lang": texts.tag})


def copied(chat: Chat, turn: int) -> Parcel | None:
    """The answer of turn `turn` as Markdown with its references; None where there is no such answer."""
    if not 0 <= turn < len(chat.entries) or not (answer := chat.entries[turn].answer):
        return None
    return Parcel(answer_markdown(answer))


def saved(chat: Chat, name: str, turn: int | None, ids: Collection[str] | None) -> Parcel | None:
    """The file that `name` stands for: "conversation", or a format of papers.

    Those are the papers listed in turn `turn`, of them those with `ids`, in that order, where ids are given;
    without a turn all that the conversation cites, by number. None for an unknown name or turn.
    """
    if name not in _FILES:
        return None
    file, kind = _FILES[name]
    if name == "conversation":
        return Parcel(conversation_markdown(chat.conversation), file, kind)
    papers = _cited(chat) if turn is None else _listed(chat, turn, ids)
    return Parcel(PAPER_FORMATS[name](papers), file, kind) if papers else None


def _cited(chat: Chat) -> Sequence[Paper]:
    cited = {citation.number: citation.paper for answer in chat.answers for citation in answer.citations}
    return [cited[number] for number in sorted(cited)]


def _listed(chat: Chat, turn: int, ids: Collection[str] | None) -> Sequence[Paper]:
    answer = chat.entries[turn].answer if 0 <= turn < len(chat.entries) else None
    listed = {decision.paper.id: decision.paper for decision in answer.papers} if answer else {}
    return list(listed.values()) if ids is None else [listed[id_] for id_ in ids if id_ in listed]
