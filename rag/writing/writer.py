"""Compose an answer with a chat model: prompt, stream, citation gate, what it cost."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from llama_index.core.llms import LLM
from pydantic import SecretStr

from rag.errors import ModelBroken, ModelError
from rag.grounding.gate import Gate
from rag.grounding.tampering import Recital
from rag.index.tokens import count
from rag.records import Language, Paper, TextDelta, Tokens
from rag.sentences import split
from rag.settings import Settings
from rag.writing.briefing import REFUSAL, Briefing, brief
from rag.writing.caller import Account, Caller
from rag.writing.english import TRANSLATION_TOKENS, Translator
from rag.writing.opinions import SCHEMA
from rag.writing.screening import Screener, reply_tokens
from rag.writing.spend import SpendLedger, Spent, ledger_errors
from rag.writing.votes import VOTE_TOKENS, VOTING_TEMPERATURE, Verifier

if TYPE_CHECKING:  # the endpoint's libraries take long to import
    from rag.writing.endpoint import Ending

# Room for a comparison of several papers; of a small window the answer gets a quarter.
_ANSWER_TOKENS = 600
_THINKING, _THOUGHT = "<think>", "</think>"
# How models dress up the phrase they were told to say.
_CONTEXT = 200  # characters before new text in which a recital may have begun
_BEGUN = 4  # characters of a key that are its beginning, not just a word that starts like it
_SHORTEST_KEY = 8  # local servers take any word for a key ("none"), which answers may hold
_AROUND_REFUSAL = " \t\n*_`\"'“”‘’.。!！[]()"


@dataclass(frozen=True, slots=True)
class Draft:
    """A model's finished answer. `refused`: it found no answer; `text` is then what it said besides.

    `recited`: it repeated what it was told instead of answering; `text` is what came before that.
    `shown` are the numbers of the sources that found room in the prompt.
    """

    text: str
    refused: bool
    shown: tuple[int, ...] = ()
    recited: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """Most `papers` a model reads for one list, calls `at_once`, `votes` on a sentence; see Settings."""

    papers: int = 100
    at_once: int = 4
    votes: int = 0


_USUAL = Limits()


class Writer:
    """Writes answers with any LlamaIndex LLM whose prompt and answer share a window of `window` tokens.

    `price` gives the dollars that tokens cost, None where nobody knows. `key` never reaches a reader, not
    even from an endpoint that writes it. What else the model does for an answer it does by its `screener`,
    its `translator` and its `verifier`.
    """

    def __init__(
        self,
        llm: LLM,
        model: str,
        window: int,
        ledger: SpendLedger,
        price: Callable[[Tokens], float | None] = lambda tokens: None,
        key: SecretStr | None = None,
        limits: Limits = _USUAL,
    ) -> None:
        self.llm = llm
        self.model = model
        self._window = window
        self._ledger = ledger
        self._price = price
        self._key = key
        self._account = Account(ledger, price, key)
        self.limits = limits

    @cached_property
    def screener(self) -> Screener:
        """Reads papers for lists."""
        caller = Caller(self.llm, self._account, reply_tokens(self._window), schema=SCHEMA)
        return Screener(self.model, caller, self._window, self.limits.at_once)

    @cached_property
    def translator(self) -> Translator:
        """Puts questions in English."""
        return Translator(Caller(self.llm, self._account, TRANSLATION_TOKENS))

    @cached_property
    def verifier(self) -> Verifier | None:
        """Votes on sentences; None where nobody asked for votes."""
        if not self.limits.votes:
            return None
        caller = Caller(self.llm, self._account, VOTE_TOKENS, temperature=VOTING_TEMPERATURE)
        return Verifier(caller, self.limits.votes, self.limits.at_once)

    def write(
        self,
        question: str,
        language: Language,
        sources: Sequence[tuple[int, Paper]],
        earlier: Sequence[tuple[str, str]] = (),
    ) -> Iterator[TextDelta | Spent | Draft]:
        """Pieces of the answer as they come, what the call cost, then one Draft, whose text replaces them.

        `sources` are papers under the numbers they are cited by, best first; the last ones are left out when
        they do not fit the window. `earlier` are questions and answers of the conversation, oldest first.

        Raises:
            ModelError: one of its kinds; also when the daily cap is reached or the ledger cannot be used.
        """
        from rag.writing.endpoint import Ending, reply

        answer_room = _answer_tokens(self._window)
        briefing = brief(question, language, sources, earlier, self._window - answer_room)
        with ledger_errors():
            self._ledger.check(self._price(Tokens(briefing.tokens, answer_room)) or 0.0)
        text = _Incoming(briefing, self._key.get_secret_value() if self._key else "")
        ending = Ending(cut=False, tokens=None)
        spent: Spent | None = None
        try:
            with closing(reply(self.llm, briefing.messages)) as pieces:
                for piece in pieces:
                    if isinstance(piece, Ending):
                        ending = piece
                    elif shown := text.feed(piece):
                        yield TextDelta(shown)
        except ModelError:
            if spent := self._spent(briefing, text, ending):
                yield spent
            raise
        finally:
            # Also when the reader went away or the stream broke: what was read and written is paid for.
            if spent := spent or self._spent(briefing, text, ending):
                with ledger_errors():
                    self._ledger.add(spent.cost_usd or 0.0)
        if rest := text.close():
            yield TextDelta(rest)
        if spent:
            yield spent
        if not text.refused and not text.recited and not text.shown.strip():
            reason = "was empty" if not ending.cut else "was not begun when its tokens were used up"
            raise ModelBroken(f"The model's answer {reason}.", "Ask again, or choose another RAG_CHAT_MODEL.")
        numbers = tuple(number for number, _ in briefing.sources)
        yield Draft(_whole_sentences(text.shown, ending.cut), text.refused, numbers, text.recited)

    def _spent(self, briefing: Briefing, text: "_Incoming", ending: "Ending") -> Spent | None:
        """What was read and written so far; None where the call failed before anything came."""
        if not text.written and not ending.tokens:
            return None
        tokens = ending.tokens or Tokens(briefing.tokens, count(text.written))
        return Spent(tokens, self._price(tokens))


def open_writer(settings: Settings, ledger: SpendLedger) -> Writer | None:
    """The writer of the settings; None without a key or with the model turned off.

    Raises:
        ModelError: the settings name no usable endpoint.
    """
    if not settings.llm_enabled:
        return None
    # openai takes long to import; offline use must not wait for it.
    from rag.writing.endpoint import OPENAI_URL, open_llm, price_usd

    model, base_url = settings.chat_model, settings.openai_base_url or OPENAI_URL
    llm = open_llm(settings, _answer_tokens(settings.chat_window))

    def price(tokens: Tokens) -> float | None:
        return price_usd(model, base_url, tokens)

    limits = Limits(settings.screen_papers, settings.calls_at_once, settings.verify_votes)
    return Writer(llm, model, settings.chat_window, ledger, price, settings.openai_api_key, limits)


class _Incoming:
    """The text of a reply on its way to the reader: without thoughts and refusal phrase, through the gate.

    It ends where the model begins to repeat its instructions, or the key.
    """

    def __init__(self, briefing: Briefing, key: str) -> None:
        sources = briefing.sources
        self.written = ""
        self.shown = ""
        self.refused = False
        self.recited = False
        self._recital = Recital(briefing.instructions)
        self._key = key
        self._gate = Gate([number for number, _ in sources], [paper.url for _, paper in sources if paper.url])
        self._passed = 0

    def feed(self, piece: str) -> str:
        self.written += piece
        return self._advance(final=False)

    def close(self) -> str:
        return self._advance(final=True)

    def _advance(self, *, final: bool) -> str:
        spoken = _spoken(self.written, final=final)
        if self.recited or self._unfit(spoken[max(0, self._passed - _CONTEXT) :]):
            self.recited = True
            return ""
        opening = spoken.lstrip(_AROUND_REFUSAL).upper()
        if opening.startswith(REFUSAL):
            self.refused = True
            spoken = spoken[spoken.upper().index(REFUSAL) + len(REFUSAL) :].lstrip(_AROUND_REFUSAL)
        elif not final and REFUSAL.startswith(opening):
            return ""  # nothing yet, or the beginning of the phrase
        plain = spoken.replace(REFUSAL, "")
        if not final:
            begun = _overlap(plain, self._key)
            held = max(_overlap(plain, REFUSAL), begun if begun >= _BEGUN else 0)
            plain = plain[: len(plain) - held]
        passed = self._gate.feed(plain[self._passed :]) + (self._gate.close() if final else "")
        self._passed = len(plain)
        self.shown += passed
        return "" if self.refused else passed

    def _unfit(self, spoken: str) -> bool:
        return self._recital.heard_in(spoken) or (len(self._key) >= _SHORTEST_KEY and self._key in spoken)


def _spoken(written: str, *, final: bool) -> str:
    """What a reply says after the thoughts that some models write first."""
    opening = written.lstrip()
    if opening.startswith(_THINKING):
        return opening.partition(_THOUGHT)[2].lstrip()
    return "" if not final and _THINKING.startswith(opening) else opening


def _overlap(text: str, phrase: str) -> int:
    """How many characters at the end of `text` may be the beginning of `phrase`."""
    return next((n for n in range(len(phrase) - 1, 0, -1) if text.endswith(phrase[:n])), 0)


def _whole_sentences(text: str, cut: bool) -> str:
    """The text without the sentence in which the model ran out of tokens, if any is left then."""
    spans = split(text)
    return text[: spans[-2].end] if cut and len(spans) > 1 else text.strip()


def _answer_tokens(window: int) -> int:
    return min(_ANSWER_TOKENS, window // 4)
