"""Harmless changes to a question: whoever asks means the same, so the verdict should stay."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from zlib import crc32

from eval.cases import Case

Change = Callable[[str, random.Random], str]

INJECTED = "injection"
"""Not a change of the question but of the corpus, see `eval.injections`."""

_HAN = re.compile(r"[\u4e00-\u9fff]")
_PLAIN_WORD = re.compile(r"(?<![\w-])[a-z]{6,}(?![\w-])")


def _case(question: str, rng: random.Random) -> str:
    lower = question.lower()
    return lower if lower != question else question.upper()


def _typos(question: str, rng: random.Random) -> str:
    """In up to two long lower-case words two neighbouring letters change places. Names stay as they are."""
    words = list(_PLAIN_WORD.finditer(question))
    for word in rng.sample(words, min(2, len(words))):
        at = rng.randrange(word.start() + 1, word.end() - 2)
        question = question[:at] + question[at + 1] + question[at] + question[at + 2 :]
    return question


def _politeness(question: str, rng: random.Random) -> str:
    if _HAN.search(question):
        return f"你好，请问：{question}谢谢！"
    return f"Hi! Could you please tell me: {question} Thanks a lot!"


def _context(question: str, rng: random.Random) -> str:
    if _HAN.search(question):
        return f"我正在准备一次组会报告。{question}"
    return f"I am preparing a talk for my reading group. {question}"


PERTURBATIONS: Mapping[str, Change] = {
    "case": _case,
    "typos": _typos,
    "politeness": _politeness,
    "context": _context,
}


def perturbed(case: Case, name: str, seed: int) -> Case | None:
    """`case` with the change `name` made to every turn; None where that leaves it as it is.

    The same case, name and seed give the same text, whatever else is run.
    """
    rng = random.Random(crc32(f"{seed}/{case.id}/{name}".encode()))  # noqa: S311 (a reproducible draw)
    turns = tuple(PERTURBATIONS[name](turn, rng) for turn in case.turns)
    return replace(case, turns=turns) if turns != case.turns else None
