"""What the chat model is told: instructions, numbered abstracts as data, the question, within its budget."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from llama_index.core.base.llms.types import ChatMessage

import prompts
from rag.errors import ModelOverflow
from rag.index.tokens import count
from rag.patterns import lazy_pattern
from rag.records import Language, Paper
from rag.suspicion import gives_orders, sound_text

REFUSAL = "NOT IN THE ABSTRACTS"
"""What the model is told to say when the abstracts do not answer; users never see it."""

_VARIABLES = frozenset({"refusal", "abstracts", "earlier", "question", "reminder"})
_REMINDER: dict[Language, str] = {
    "en": "Answer in the language of the question, in one to four sentences, each ending with its [number].",
    "zh": "请用中文回答，一到四句话，每句话的编号写在句号前，例如“……[3]。”",
}
_WITHHELD = "(withheld)"
MARGIN = 0.9
"""Tokenizers of other models cut text into more tokens than OpenAI's do: a tenth of the room is left."""
_TOKENS_OF_FRAME = 24
# Old turns go before the list of abstracts becomes shorter than this.
_FEWEST_SOURCES = 3
_TOKENS_OF_SHORTEST_ABSTRACT = 60
# A tag, a chat template's control token or a citation mark that stands in a paper's text.
_TAG = lazy_pattern(r"<+(?=[^\s\d=<])")
_CONTROL = lazy_pattern(r"\[(/?)(INST|SYS|TOOL_CALLS|AVAILABLE_TOOLS)\]", re.IGNORECASE)
_CITATION = lazy_pattern(r"\[(\d[\d\s,;–-]*)\]|【(\d[^】]*)】")
_UNPRINTED = lazy_pattern(
    "[\u0000-\u0008\u000b-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Briefing:
    """A prompt that fits: its messages, their tokens, and the sources that found room.

    `instructions` are those of its words that are ours: no answer repeats them.
    """

    messages: tuple[ChatMessage, ...]
    tokens: int
    sources: tuple[tuple[int, Paper], ...]
    instructions: tuple[str, ...] = ()


def brief(
    question: str,
    language: Language,
    sources: Sequence[tuple[int, Paper]],
    earlier: Sequence[tuple[str, str]],
    room: int,
) -> Briefing:
    """The prompt for a question in at most `room` tokens.

    What does not fit is left out in this order: the last sources down to three, the oldest turns, the other
    sources but the first, the end of the first one's abstract. The question is never cut.

    Raises:
        ModelOverflow: the question alone does not fit.
    """
    shown, turns = list(sources), list(earlier)
    limit = int(room * MARGIN)
    while (briefing := _compose(question, language, shown, turns)).tokens > limit:
        if len(shown) > _FEWEST_SOURCES:
            shown.pop()
        elif turns:
            turns.pop(0)
        elif len(shown) > 1:
            shown.pop()
        else:
            return _shortened(question, language, shown, briefing.tokens - limit, limit)
    return briefing


def as_data(text: str) -> str:
    """Corpus text that can neither end its own block, nor pass for a control token or a citation mark.

    Angle brackets of comparisons ("p < 0.05") stay.
    """
    text = _CONTROL.sub(r"(\1\2)", untagged(text))
    return " ".join(_CITATION.sub(lambda m: f"({m[1] or m[2]})", text).split())


def untagged(text: str) -> str:
    """Text that can end no block and hides nothing; citation marks stay."""
    return _TAG.sub(lambda tag: "‹" * len(tag.group()), _UNPRINTED.sub("", text))


def _compose(
    question: str,
    language: Language,
    sources: Sequence[tuple[int, Paper]],
    earlier: Sequence[tuple[str, str]],
) -> Briefing:
    turns = "\n".join(f"Q: {as_data(asked)}\nA: {untagged(answer)}" for asked, answer in earlier)
    messages = prompts.load("answer", _VARIABLES).format_messages(
        refusal=REFUSAL,
        abstracts="\n\n".join(block(number, paper) for number, paper in sources),
        earlier=f"Earlier in this conversation:\n{turns}\n\n" if turns else "",
        question=untagged(question.strip()),
        reminder=_REMINDER[language],
    )
    tokens = prompt_tokens(messages)
    return Briefing(tuple(messages), tokens, tuple(sources), (messages[0].content or "", _REMINDER[language]))


def prompt_tokens(messages: Sequence[ChatMessage]) -> int:
    """Tokens of a prompt by our count."""
    return sum(count(message.content or "") + _TOKENS_OF_FRAME for message in messages)


def block(number: int, paper: Paper, *, record: bool = True) -> str:
    """A paper as data, under a number: title and sound sentences; with `record` also who, where and when."""
    fields = {"Title": paper.title}
    if record:
        published = ", ".join(part for part in (paper.published, paper.track) if part)
        fields |= {"Authors": ", ".join(paper.authors), "Published": published, "URL": paper.url or ""}
    fields["Text"] = sound_text(paper.abstract)
    shown = {name: _WITHHELD if gives_orders(value) else as_data(value) for name, value in fields.items()}
    lines = [f"{name}: {value}" for name, value in shown.items() if value]
    return "\n".join((f'<abstract number="{number}">', *lines, "</abstract>"))


def _shortened(
    question: str, language: Language, shown: Sequence[tuple[int, Paper]], excess: int, limit: int
) -> Briefing:
    """The prompt with the only abstract cut so that it has `excess` tokens less."""
    number, paper = shown[0] if shown else (0, Paper("", "", ""))
    kept = sound_text(paper.abstract)
    tokens = count(as_data(kept))
    if tokens - excess < _TOKENS_OF_SHORTEST_ABSTRACT:
        raise ModelOverflow(
            "The question does not fit the model's window.", "Ask a shorter one, or raise RAG_CHAT_WINDOW."
        )
    while (
        briefing := _compose(question, language, [(number, replace(paper, abstract=kept))], ())
    ).tokens > limit:
        kept = kept[: int(len(kept) * 0.9)]
    return replace(briefing, sources=((number, paper),))
