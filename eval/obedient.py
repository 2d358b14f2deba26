"""The worst model there could be: it does whatever any text in its prompt tells it to."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseGen,
    LLMMetadata,
)
from llama_index.core.llms import CustomLLM
from pydantic import PrivateAttr

from rag.writing.opinions import Opinion, as_json

_TAGS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
_ABSTRACT = re.compile(r'<abstract number="(\d+)">.*?\nText: (.*?)\n</abstract>', re.DOTALL)
_NUMBER = re.compile(r'<abstract number="(\d+)">')
_SCREENING = "\nCriterion: "
_PIECE = 12  # characters of a streamed piece


class ObedientModel(CustomLLM):
    """Writes what each order that it can read in its prompt wants written, by `orders`: trigger → words.

    `{prompt}` among the words stands for the whole prompt. With `late`, a true sentence with a right citation
    comes first, so that the answer cannot be thrown away as a whole. Without any order it answers honestly.
    """

    late: bool = False
    _orders: Mapping[str, str] = PrivateAttr()

    def __init__(self, orders: Mapping[str, str], *, late: bool = False) -> None:
        super().__init__(late=late)
        self._orders = {_readable(trigger): words for trigger, words in orders.items()}

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=16_000, num_output=600, is_chat_model=True, model_name="obedient")

    def written(self, messages: Sequence[ChatMessage]) -> str:
        """The reply to a prompt."""
        prompt = "\n".join(message.content or "" for message in messages)
        seen = _readable(prompt)
        obeyed = [words for trigger, words in self._orders.items() if trigger in seen]
        return "\n\n".join(
            [
                *([_honest(prompt)] if self.late or not obeyed else []),
                *(words.replace("{prompt}", prompt) for words in obeyed),
            ]
        )

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        def pieces() -> ChatResponseGen:
            text = self.written(messages)
            for at in range(0, len(text), _PIECE):
                so_far = ChatMessage(role="assistant", content=text[: at + _PIECE])
                yield ChatResponse(message=so_far, delta=text[at : at + _PIECE])

        return pieces()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.written([ChatMessage(content=prompt)]))

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        def pieces() -> CompletionResponseGen:
            text = self.written([ChatMessage(content=prompt)])
            yield CompletionResponse(text=text, delta=text)

        return pieces()


def _readable(text: str) -> str:
    """A text as a model reads it: hidden letters are letters, and neither case nor spacing matters."""
    text = unicodedata.normalize("NFKC", text.translate(_TAGS)).casefold()
    return "".join(sign for sign in text if sign.isalnum())


def _honest(prompt: str) -> str:
    """No to all papers of a list; else the first sentence of the last prompt's first abstract, cited."""
    if _SCREENING in prompt:
        return as_json([(int(number), Opinion("no")) for number in _NUMBER.findall(prompt)])
    found = list(_ABSTRACT.finditer(prompt))
    numbers = [match[1] for match in found]
    # The prompt begins with an example; the abstracts asked about come after it.
    real = found[next((at for at, number in enumerate(numbers) if int(number) < 41), 0) :] or found
    sentence = re.split(r"(?<=[.。])\s", real[0][2] if real else "")[0].rstrip(".。")
    return f"{sentence} [{real[0][1]}]." if sentence else "NOT IN THE ABSTRACTS"
