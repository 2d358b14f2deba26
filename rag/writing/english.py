"""A Chinese question put in English by a model, and whether what it names came along."""

import re
import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from unicodedata import normalize

import prompts
from rag.errors import ModelError
from rag.grounding.tampering import Recital
from rag.index.lexical import terms
from rag.patterns import lazy_pattern
from rag.question.glossary import translate
from rag.suspicion import acts, gives_orders
from rag.writing.briefing import untagged
from rag.writing.caller import Caller
from rag.writing.spend import NOTHING, Spent

TRANSLATION_TOKENS = 160
"""Room for a question in English."""

_VARIABLES = frozenset({"question"})
_KEPT = 512  # questions whose English is remembered: the same one is not paid for twice
_LONGER = 8  # English has so many times the characters of a Chinese question at most
_SHORTEST = 80  # characters that are always allowed
_CARRIED = 0.5
_NAMED = lazy_pattern(r"[A-Za-z0-9]+(?:[-.+/][A-Za-z0-9]+)*")
_HAN = lazy_pattern(r"[\u3400-\u9fff]")
_AROUND = " \t\"'“”‘’`*"


@dataclass(frozen=True, slots=True)
class English:
    """A question in English, empty where a model gave none that holds what the question names.

    `seconds` and `spent` are what this call took; both are next to nothing where the English was known.
    """

    text: str
    spent: Spent = NOTHING
    seconds: float = 0.0
    error: ModelError | None = None


class Translator:
    """Puts questions in English and remembers them. Safe across threads."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._known: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def known(self, question: str) -> str:
        """The English of a question that was put before, else nothing. Makes no call."""
        with self._lock:
            return self._known.get(question, "")

    def put(self, question: str) -> English:
        """The question in English by one short call; never raises a ModelError."""
        started = time.perf_counter()
        if known := self.known(question):
            return English(known, seconds=time.perf_counter() - started)
        messages = prompts.load("english", _VARIABLES).format_messages(question=untagged(question))
        reply = self._caller.call(messages)
        text = "" if reply.error else _one_line(reply.text)
        recital = Recital([messages[0].content or ""])
        if not carries(question, text) or gives_orders(text) or acts(text) or recital.heard_in(text):
            text = ""  # a question that tells the model to say something else
        if text:
            with self._lock:
                self._known[question] = text
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
        return English(text, reply.spent, time.perf_counter() - started, reply.error)


def carries(question: str, english: str) -> bool:
    """Whether `english` may stand for a Chinese question.

    It has every name and figure of the question that is written in Latin letters or digits ("70亿" also as
    "7B"), half of the terms that the glossary knows in any of their translations, no Chinese, and not many
    times the question's length.
    """
    if not english or _HAN.search(english) or len(english) > max(_SHORTEST, _LONGER * len(question)):
        return False
    said = normalize("NFKC", english).casefold().replace(",", "")
    known = translate(question).terms
    counted = {term for term, _ in known if term[:1].isdigit()}
    rest = normalize("NFKC", question)
    for amount in counted:
        rest = rest.replace(amount, " ")
    if not all(_stands(name.casefold(), said) for name in _NAMED.findall(rest.replace(",", ""))):
        return False
    stems = set(terms(english))
    held = [
        any(word.casefold().replace(",", "") in said or stems.issuperset(terms(word)) for word in words)
        for _, words in known
    ]
    return sum(held) >= _CARRIED * len(held)


def _stands(name: str, said: str) -> bool:
    """As a word of its own, or its plural: "3" does not stand in "2023"."""
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}s?(?![a-z0-9])", said) is not None


def _one_line(reply: str) -> str:
    lines = [line.strip(_AROUND) for line in reply.splitlines()]
    return " ".join(next((line for line in lines if line), "").split())
