"""The topic of a list question → parts that must all be evidenced, each with alternatives, and exclusions."""

import re
from dataclasses import dataclass
from itertools import product

from rag.patterns import lazy_pattern

MOST_ALTERNATIVES = 12


@dataclass(frozen=True, slots=True)
class Topic:
    """`parts` is a conjunction of disjunctions of phrases; `excluded` must not be the paper's subject.

    "federated or split learning with differential privacy, but not vision" has the parts
    ("federated learning", "split learning") and ("differential privacy",) and excludes ("vision",).
    `text` is the topic without the exclusions, for similarity.
    """

    text: str
    parts: tuple[tuple[str, ...], ...]
    excluded: tuple[str, ...] = ()


_VERB = (
    r"(?:us(?:e|es|ing)|involv(?:e|es|ing)|mention(?:s|ing)?|rel(?:y|ies|ying) on|deal(?:s|ing)? with"
    r"|stud(?:y|ies|ying)|address(?:es|ing)?|need(?:s|ing)?|requir(?:e|es|ing)|appl(?:y|ies|ying)"
    r"|concern(?:s|ing)?|discuss(?:es|ing)?|explor(?:e|es|ing)|investigat(?:e|es|ing)|examin(?:e|es|ing)"
    r"|propos(?:e|es|ing)|work(?:s|ing)? on|about|on|with|for)"
)
_EXCLUDED_FIRST = lazy_pattern(
    (
        rf"^(?:besides|except(?: for)?|apart from|other than|excluding|aside from)\s+(?P<not>.+?)(?:,\s*"
        rf"|\s+(?=(?:(?:that|which|who)\s+)?{_VERB}\b))(?:(?:that|which|who)\s+)?(?:{_VERB}\s+)?(?P<rest>.+)$"
    ),
    re.I,
)
_EXCLUDED_LAST = lazy_pattern(
    (
        rf"[\s,]*\b(?:but|and|though|yet)?\s*\b(?:(?:(?:do|does|did|are|is)\s+not|don't|doesn't|aren't"
        rf"|isn't|not|without|never|excluding|except(?:\s+for)?|other\s+than|besides|apart\s+from"
        rf"|rather\s+than|instead\s+of))\s+(?:{_VERB}\s+)*(?P<not>[^,;]+)"
    ),
    re.I,
)
_NEGATION = lazy_pattern(
    rf"^(?:(?:(?:do|does|did|are|is)\s+not|don['’]?t|doesn['’]?t|aren['’]?t|isn['’]?t|not|without|never|excluding|no|besides"
    rf"|except(?:\s+for)?|other\s+than|apart\s+from)\s+)(?:{_VERB}\s+)*(?:(?:any|the|an?)\s+)?"
    r"(?!.*\b(?:but|yet|though)\b)(?!.*,\s*\w+ing\b)",
    re.I,
)
_PRONOUN = lazy_pattern(r"(?:the\s+|any\s+)?(?:those|these|that|ones?|papers?|works?)", re.I)
_LINK = lazy_pattern(
    (
        r"\s*(?<![\w-])(?:for|in|with|under|of|by|from|on|through|to|against|at|using|via|over|into|within"
        r"|inside|across|towards?|between|that|which|who|whose|when|while|where|based on|during|as|their|its"
        r"|combined with|together with|and also|as well as)(?![\w-])\s*"
    ),
    re.I,
)
_EXAMPLES = lazy_pattern(
    r",?\s*\b(?:such as|like|e\.g\.|including|for example|for instance|especially)\s*,?\s*", re.I
)
_OR = lazy_pattern(r"\s*(?:,\s*(?:or|and/or)\s+|\s+(?:or|and/or)\s+|/(?=[A-Za-z]{3}))\s*", re.I)
_AND = lazy_pattern(r"\s*(?:,\s*and\s+|\s+and\s+|\s+&\s+)\s*", re.I)
# "X or to automate Y" joins two of a kind; the "to" alone would part them.
_JOINED_TO = lazy_pattern(r"\b(or|and)\s+to\s+", re.I)
_FILLER = lazy_pattern(
    r"^(?:(?:the|a|an|any|some|other|their|its|new|novel|different|various|general|specific|certain|several"
    r"|many|more|one|ones|both|either|how|what|whether|variants?|kinds?|types?|use|it|them|also|really"
    # verbs that say what papers do, not what they are about; "state spaces" and "test time" are nouns
    r"|build|measure|prove|improve|explain|release|create|make|design|develop|run|perform|show|achieve"
    r"|do|evaluate|evaluating|establish|contribute|obtain|report(?!\s+generat)"
    r"|analy[sz]e|compare|combine|find|quantify|teach|extend|reduce|learn"
    r"|state(?!\s+(?:spaces?|machines?|estimat\w+|track\w+|representations?|abstractions?|of)\b)"
    r"|test(?!\s+(?:times?|cases?|sets?|suites?|data|distributions?|generation)\b))\b\s+)+"
    r"|\s+(?:variants?|ones|it|etc\.?)$",
    re.I,
)

# What is done to things, which are named after it: "prune vision or language models" prunes both.
_DONE = lazy_pattern(
    r"^(?:prun|compress|quanti[sz]|edit|detect|generat|predict|forecast|estimat|segment|classif|decod|train|align"
    r"|accelerat|optimi[sz]|synthesi[sz]|reconstruct|defend|attack|protect|extract|infer|merg|select|filter"
    r"|personali[sz]|interpret|explain|simulat|control|plan|translat|summari[sz]|retriev|rank|match|track)"
    r"(?:e|y|s|es|ing)?$",
    re.I,
)

_ITS_VARIANTS = lazy_pattern(
    r"[\s,]+(?:or|and)\s+(?:(?:its|their)\s+)?(?:variants?|versions?|extensions?|derivatives?)"
    r"(?:\s+(?:of\s+(?:it|them|these|those)|thereof))?\W*$",
    re.I,
)
# "the impact of X", "a kind of X": the paper is about X.
_GENERIC_HEAD = lazy_pattern(
    r"\b(?:(?:the|an?|any|some|new|novel|different|various|broader?|potential)\s+)*(?:use|usage|kind|type|sort|form"
    r"|way|variant|version|idea|concept|notion|issue|problem|task|topic|area|field|subject|application|example|case"
    r"|role|impact|effect|influence|importance|benefit|variety|range|set|lot|number|development)s?\s+of\s+",
    re.I,
)

# A word that stands for itself before "or": "diffusion or flow matching" has no "diffusion matching".
_NOUN = lazy_pattern(
    r"(?:ions?|ing|ity|ments?|ness|isms?|ysis|ers?|ors?|[a-rt-z]Ms?|[a-z]{3}[b-hj-rtv-z]s)$", re.I
)


def parse_topic(text: str) -> Topic:
    """The structure of a topic in English. Anything that cannot be taken apart stays one phrase."""
    text = _ITS_VARIANTS.sub("", text)
    text = _JOINED_TO.sub(r"\1 ", re.sub(r"\s*\([^)]*\)", " ", text))
    kept, excluded = _without_exclusions(_GENERIC_HEAD.sub("", text))
    parts: list[tuple[str, ...]] = []
    body, *examples = _EXAMPLES.split(kept, maxsplit=1)
    for chunk in _LINK.split(body):
        parts += [alternatives for piece in _AND.split(chunk) if (alternatives := _alternatives(piece))]
    if examples and parts:
        listed = [_clean(piece) for example in examples for piece in re.split(r",|\bor\b|\band\b", example)]
        parts[-1] += tuple(piece for piece in listed if piece)
    return Topic(" ".join(kept.split()) or text, tuple(parts) or ((text,),), excluded)


def negation(text: str) -> str:
    """The topic that is excluded where `text` says nothing else: "don't use diffusion" → "diffusion"."""
    if _besides(text):
        return ""  # "besides LoRA variants study fine-tuning" says what is wanted, too
    without = _NEGATION.match(text)
    return text[without.end() :].strip(" ,.;:?!") if without else ""


def _besides(text: str) -> re.Match[str] | None:
    """What is excluded at the beginning, and the rest; "those about graphs" has no rest."""
    first = _EXCLUDED_FIRST.match(text)
    return None if first and _PRONOUN.fullmatch(first["not"].strip()) else first


def _without_exclusions(text: str) -> tuple[str, tuple[str, ...]]:
    if first := _besides(text):
        return first.group("rest"), tuple(filter(None, map(_clean, _OR.split(first.group("not")))))
    excluded: list[str] = []
    for match in _EXCLUDED_LAST.finditer(text):
        excluded += [piece for piece in map(_clean, _OR.split(match.group("not"))) if piece]
    kept = _EXCLUDED_LAST.sub(" ", text)
    return (kept, tuple(excluded)) if kept.strip() else (text, ())


def _alternatives(chunk: str) -> tuple[str, ...]:
    """ "continual or lifelong learning" → "continual learning", "lifelong learning"."""
    if "," not in chunk and len(_OR.findall(chunk)) > 1:
        return _product(chunk)
    pieces = [piece for piece in map(_clean, re.split(rf",|{_OR.pattern}", chunk, flags=re.I)) if piece]
    if len(pieces) < 2:
        return tuple(pieces)
    done, *said = pieces[0].split()
    if len(said) > 1 and _DONE.match(done) and any(" " in piece for piece in pieces[1:]):
        return tuple(piece if _DONE.match(piece.split()[0]) else f"{done} {piece}" for piece in pieces)
    *first, last = pieces
    tail = last.split()[1:]
    head = first[0].split()[:-1]
    if len(pieces) > 2 or not (tail or head) or (tail and not head and _NOUN.search(first[0])):
        return tuple(dict.fromkeys(pieces))
    shared = f"{first[0]} {' '.join(tail)}" if tail and not head else first[0]
    ends = f"{' '.join(head)} {last}" if head and not tail else last
    # "Mamba or other state space models": a name needs no head of its own.
    named = [first[0]] if first[0][:1].isupper() else []
    return tuple(dict.fromkeys([*named, shared, ends]))


def _product(chunk: str) -> tuple[str, ...]:
    """ "medical or clinical dataset or benchmark" → each of two words with each of two."""
    slots: list[list[str]] = []
    words = _OR.sub(" | ", _clean(chunk)).split()
    for position, word in enumerate(words):
        if word == "|":
            continue
        if position and words[position - 1] == "|":
            slots[-1].append(word)
        else:
            slots.append([word])
    return tuple(" ".join(choice) for choice in product(*slots))[:MOST_ALTERNATIVES]


def _clean(piece: str) -> str:
    """The piece without words that say nothing of the subject; empty where it has no others."""
    return _FILLER.sub("", f"{piece.strip(' ,.;:?!')} ").strip(" ,.;:?!")
