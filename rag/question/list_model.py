"""Does a question ask for papers, in words that no pattern of `list_wordings` knows? A fitted model says.

Words of the subject are masked, so that only the wording counts: "who here cares about _". A logistic
regression over runs of one to three of what is left; `python -m eval fit` writes its weights and says from
which questions.
"""

import json
import math
from functools import cache
from importlib import resources
from typing import Any

from rag.patterns import lazy_pattern

LONGEST = 3
"""Words, signs and Chinese characters in a run."""
MASK = "_"
_TOKEN = lazy_pattern(r"[a-z']+|\d+|[\u4e00-\u9fff]|[?!.,:;+&]")
_WORD = lazy_pattern(r"\S+")
_ASIDES = frozenset(
    """a about abstract abstracts after all also am among an and any anybody anyone anything are area
    around articles as asked at authors be been before bibliography bring but by can cares collect
    collection compile concern concerning concerns could count cover covered covers database deal
    dealing deals did dig do does doing done each else enumerate ever every everything exist exists
    fetch field find folks for from further gather get gimme give got groups had handful has have he
    hear here how hunting i i'd i'm i've if in include includes interest interested into is it its
    know known labs let like list listed literature local look looked looking looks love many
    material may me mention mentions more much must my name need new number of on one ones or other
    out over paper papers people pick please pls pointers prior published pull put read reading
    recent references related relates relating relevant request research researchers search
    searching see send show so some somebody someone something sort studied studies study studying
    stuff submissions such survey tackle tackles take takes talk talks teams tell than that the
    their them there these they things this those to together topic touched touches tried up us use
    used uses using w want was we we're were what what's whatever where where's which whichever who
    who's whoever whose will with work worked working works would write writing wrote you you've
    your""".split()
)
"""Words around the subject of a request for papers."""


def tokens(text: str) -> list[str]:
    """Words, signs and Chinese characters of `text`, in lower case."""
    return _TOKEN.findall(text.lower().replace("’", "'"))


def runs(text: str, vocabulary: frozenset[str]) -> frozenset[str]:
    """Runs of up to `LONGEST` tokens; neighbours that are not in the vocabulary are masked as one."""
    seen = ["^"]
    for token in tokens(text):
        shown = token if token in vocabulary else MASK
        if shown != MASK or seen[-1] != MASK:
            seen.append(shown)
    seen.append("$")
    sizes = range(1, LONGEST + 1)
    return frozenset(" ".join(seen[i : i + n]) for n in sizes for i in range(len(seen) - n + 1))


def likely_list(text: str) -> float:
    """The probability that `text`, in which no pattern found a kind, asks for a list of papers."""
    model = _model()
    odds = model["bias"] + sum(model["weights"].get(run, 0.0) for run in runs(text, model["vocabulary"]))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def asks_for_list(text: str) -> bool:
    """Whether that is likely enough to look for papers instead of a fact."""
    return likely_list(text) >= float(_model()["from"])


def subject(text: str) -> str:
    """What the papers are to be about: the English `text` without the words of the request around it."""
    words = _WORD.findall(text.split("; ")[0].strip(" ?!.,"))
    told = [place for place, word in enumerate(words) if word.lower().strip(",.:;?!()") not in _ASIDES]
    return " ".join(words[told[0] : told[-1] + 1]).strip(" ,;:?!.") if told else ""


@cache
def _model() -> dict[str, Any]:
    fitted: dict[str, Any] = json.loads(
        resources.files("rag.data").joinpath("list_wordings.json").read_text("utf-8")
    )
    return {**fitted, "vocabulary": frozenset(fitted["vocabulary"])}
