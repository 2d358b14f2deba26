"""Short calls to the chat model: the whole reply is read at once, priced, and within the day's cap."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import LLM
from pydantic import SecretStr

from rag.errors import ModelBroken, ModelError
from rag.index.tokens import count
from rag.records import Tokens
from rag.writing.briefing import MARGIN, prompt_tokens
from rag.writing.spend import NOTHING, SpendLedger, Spent, ledger_errors

_SHORTEST_KEY = 8
_THINKING, _THOUGHT = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call brought: the reply without thoughts, what it cost, and what went wrong, if anything did.

    A call that failed half-way has cost something too; its text is what had come until then.
    """

    text: str
    spent: Spent = NOTHING
    error: ModelError | None = None


@dataclass(frozen=True)
class Account:
    """On whose account calls are: what tokens cost, the day's ledger, and the key that no reply may hold."""

    ledger: SpendLedger
    price: Callable[[Tokens], float | None]
    key: SecretStr | None = None

    def has_key(self, text: str) -> bool:
        """Whether the text holds the key; local servers take any word for one, which texts may hold."""
        key = self.key.get_secret_value() if self.key else ""
        return len(key) >= _SHORTEST_KEY and key in text


class Caller:
    """Calls one LLM with replies of at most `answer_tokens`. Safe across threads."""

    def __init__(
        self,
        llm: LLM,
        account: Account,
        answer_tokens: int,
        *,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        """With `schema`, a JSON schema, the reply is asked for in that shape; it may still have another."""
        from rag.writing.endpoint import prepared

        self._llm, self.room = prepared(llm, answer_tokens, temperature=temperature, schema=schema)
        self._account = account

    def at_most(self, prompt_tokens: int) -> Spent:
        """What a call with a prompt of so many tokens, by our count, may take and cost."""
        tokens = Tokens(round(prompt_tokens / MARGIN), self.room)
        return Spent(tokens, self._account.price(tokens))

    def call(self, messages: Sequence[ChatMessage], pending_usd: float = 0.0) -> Reply:
        """One reply. Never raises a ModelError: the reply holds it.

        `pending_usd` is what calls under way may still cost: no call is made that could pass the day's cap
        together with them.
        """
        from rag.writing.endpoint import Ending, reply

        prompt = prompt_tokens(messages)
        text, ending, error = "", Ending(cut=False, tokens=None), None
        try:
            with ledger_errors():
                self._account.ledger.check(pending_usd + (self.at_most(prompt).cost_usd or 0.0))
            with closing(reply(self._llm, messages)) as pieces:
                for piece in pieces:
                    if isinstance(piece, Ending):
                        ending = piece
                    else:
                        text += piece
        except ModelError as failed:
            error = failed
        spent = NOTHING
        if text or ending.tokens:
            tokens = ending.tokens or Tokens(prompt, count(text))
            spent = Spent(tokens, self._account.price(tokens))
            error = self._entered(spent) or error
        if self._account.has_key(text):
            return Reply("", spent, error or ModelBroken("The model's answer holds what is secret."))
        return Reply(_spoken(text), spent, error)

    def _entered(self, spent: Spent) -> ModelError | None:
        try:
            with ledger_errors():
                self._account.ledger.add(spent.cost_usd or 0.0)
        except ModelError as error:
            return error
        return None


def _spoken(text: str) -> str:
    """A reply without the thoughts that some models write first; empty where it is nothing else."""
    opening = text.lstrip()
    return opening.partition(_THOUGHT)[2].strip() if opening.startswith(_THINKING) else opening.strip()
