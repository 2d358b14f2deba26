"""A readable label for a paper whose list gives no title, made from its abstract alone.

Where the abstract introduces a system by name, the label is "Name: what it is"; otherwise it is what the
authors say they contribute, or else the first words. The rules know English phrasing; an abstract in another
language gets its first words.
"""

import re
from collections.abc import Iterator

from rag.cleaning import squeeze
from rag.patterns import lazy_pattern
from rag.sentences import split

MAX_LABEL = 80
"""Characters of a label at most."""

_READ = 5_000  # characters looked at: longer than any abstract, and a bound on the time a hostile one takes

_LINK = lazy_pattern(r"\[([^\]]*)\]\([^)]*\)")
_MARKUP = lazy_pattern(
    r"""
    \\(?:text|math)?(?:bf|sc|it|tt|rm|sf|cal|bb|emph)\b\s*   # \textbf{...}, \bf
    | </?[a-zA-Z]\w{0,9}(?:\s[^<>]{0,80})?>                  # <sub>
    | [*{}$`~] | (?<!\w)_ | _(?!\w)
    """,
    re.VERBOSE,
)
# What follows "we propose", "this paper then introduces", "our method" is the authors' own.
_AUTHORS = (
    r"\b(?:we|authors?|paper|work|study|article|research|report)"
    r"(?:\s(?:\w+ly|then|also|here|first|thus|further))?\s"
)
_MAKE = (
    r"(?:propos|introduc|present|develop|design|releas|construct|build|describ|contribut|creat|collect|curat"
    r"|devis|provid)"
)
_STUDY = (
    r"(?:stud|investigat|examin|analy[sz]|explor|address|consider|revisit|prov"
    r"|show that|find that|demonstrate that)"
)
_NOUN = r"(?:framework|method|approach|algorithm|model|dataset|benchmark|system|architecture)"
_NAMING_CUES = tuple(
    lazy_pattern(cue, re.IGNORECASE)
    for cue in (
        rf"(?:{_AUTHORS}|\bby\s|\band\s){_MAKE}(?:e|es|s|ed|ing)?\s",
        rf"\b(?:our|the proposed)\s(?=(?:[\w-]+\s){{0,4}}{_NOUN}\b)|\bIn\s(?=\S+, we\s)",
    )
)
_TELLING_CUES = tuple(
    lazy_pattern(rf"{_AUTHORS}{verb}(?:y|e|es|s|ies|ed|ing)?\s", re.IGNORECASE) for verb in (_MAKE, _STUDY)
)

# "GNN-Diff", "HexGen-2", "System 1.5"; which tokens count is said by _is_coined
_QUOTE = r"[\"“”'‘’]?"
_NAME = rf"{_QUOTE}(?P<name>[\w@+.\-/³²]*[\w³²+](?:\s\d(?:\.\d)?(?![\w%]))?){_QUOTE}"
_PROPER = rf"{_QUOTE}(?P<proper>[A-Z]\w+(?![\w-])){_QUOTE}"
_WHAT = r"(?P<what>[^.;:()]{3,160}?)"
_PATTERNS = tuple(
    lazy_pattern(pattern)
    for pattern in (
        # GALA (Geometry-Aware Local Adaptive grids), ...
        rf"(?:the\s|our\s)?{_NAME}\s*\((?P<what>[^()]{{8,120}})\)",
        # GALA, a novel representation ...; the GALA framework for ...
        rf"(?:the\s|our\s|an?\s)?{_NAME}(?=\s*(?:[,.:;–—]|-?-\s|$)"
        rf"|\s(?:an?|that|which|to|by|for|as|and|with|in|where|whose|is|{_NOUN})\b)[\s,:–—-]*(?P<what>.*)",
        # Lotus, a diffusion-based ...
        rf"(?:the\s)?{_PROPER}(?:\s*(?:[,(:–—]|--)\s*|\s(?=an?\s))(?P<what>(?:an?|the)\s.*)",
        # a new decoding method called Permute-and-Flip
        rf"{_WHAT},?\s(?:which we |we )?(?:call|name|dub|term|coin|namely|denote|title|i\.e)(?:ed|d)?[,.:]*\s"
        rf"(?:as\s|the\s|it\s|by\s)?(?:{_PROPER}|{_NAME})",
        # a graph-conditioned latent diffusion framework (GNN-Diff)
        rf"{_WHAT}\s*\((?:or\s|i\.e\.,?\s)?{_NAME}\s*[),;:]",
        # a novel loss function STAR that ...
        rf"{_WHAT}\s{_NAME}(?=\s(?:that|which)\b)",
        rf"{_WHAT}\s(?:{_NOUN}|function)\s{_NAME}(?=\s\w|[,.:;]|$)",
        # a comprehensive framework, MMRole, for ...
        rf"{_WHAT}\s*(?:[,:–—]|--?\s)\s*(?:the\s)?{_NAME}\s*(?=[,.:;(–—]|--|$|that\b|which\b)",
    )
)
_OPENING = lazy_pattern(rf"(?:{_PROPER}|{_NAME})\s(?:is|are|introduces|presents|provides)\s(?P<what>an?\s.+)")
_LEAD = lazy_pattern(
    r"(?:(?:an?|the|our|that|which|is|to|novel|new|simple|yet|and|effective|first|efficient|here)\b,?\s+)+",
    re.IGNORECASE,
)
_HEAD = lazy_pattern(r"(?:(?:framework|method|approach|model|algorithm)\s+)?(?:(?:for|that|which|to)\s+)?")
_POINTS_BACK = lazy_pattern(
    r"(?:it|its|them|their|this|these|those|both|on|in|to|with|by|and)\b", re.IGNORECASE
)
_FUNCTION_WORDS = (
    "an? the of for and or to in on with by that which from as at is are its their using via based into we "
    "this these it both can not between through while where over under up"
)
_KIND_OF_THING = lazy_pattern(  # "LLM-based", "LLMs": a kind, not a name
    r"[A-Z]{2,}s"
    r"|.*-(?:based|aware|driven|free|guided|like|level|style|specific|agnostic|wise|time|shot|modal|\w+ed|\w+ing)"
)
_DANGLING = lazy_pattern(rf"(?:\s+(?:{_FUNCTION_WORDS.replace(' ', '|')})|[\s,;:(–—-]+)+$", re.IGNORECASE)


def label(abstract: str) -> str:
    """At most `MAX_LABEL` characters that say which paper this is; empty only for an empty abstract."""
    start = squeeze(abstract[:_READ])
    text = " ".join(_MARKUP.sub("", _LINK.sub(r"\1", start)).split())
    return _named(text) or _contribution(text) or _cut(text) or start[:MAX_LABEL]


def _named(text: str) -> str:
    """ "Name: what it is" of the first system the authors introduce by name, else an empty text."""
    if opening := _OPENING.match(text):
        name = opening["name"] or opening["proper"]
        if _is_coined(name, "") or _recurs(name, text[opening.end("what") - len(opening["what"]) :]):
            return _titled(name, opening["what"], "")
    for cue in _NAMING_CUES:
        for start, clause in _clauses(text, cue):
            found = [m for pattern in _PATTERNS if (m := pattern.match(clause)) and _fits(m, text[:start])]
            if found:
                best = min(found, key=lambda match: match.start(_group(match)))
                return _titled(best[_group(best)], best["what"], clause[best.end() :])
    return ""


def _contribution(text: str) -> str:
    """What the authors say they made or studied, where it is long enough to tell something."""
    for cue in _TELLING_CUES:
        for _, clause in _clauses(text, cue):
            if _POINTS_BACK.match(clause):
                continue
            phrase = _cut(_without(_LEAD, clause))
            if len(phrase.split()) >= 4 and "://" not in phrase:
                return phrase[0].upper() + phrase[1:]
    return ""


def _clauses(text: str, cue: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """For each sentence that holds the cue: where the cue ends, and the rest of the sentence."""
    for span in split(text):
        if found := cue.search(text, span.start, span.end):
            yield found.end(), text[found.end() : span.end]


def _group(match: re.Match[str]) -> str:
    return "name" if "name" in match.re.groupindex and match["name"] else "proper"


def _fits(match: re.Match[str], before: str) -> bool:
    return _group(match) == "proper" or _is_coined(match["name"], before)


def _is_coined(token: str, before: str) -> bool:
    """Whether a token looks like a name given here: capitals or digits inside, and not met `before`."""
    marks = sum(char.isupper() or char.isdigit() for char in token)
    letters = sum(char.isalpha() for char in token)
    if marks < 2 or letters < 2 or token.islower() or "//" in token or token.startswith(("www.", "/")):
        return False
    if _KIND_OF_THING.fullmatch(token):
        return False
    return not re.search(rf"(?<!\w){re.escape(token.rstrip('s'))}s?(?!\w)", before)


def _recurs(word: str, text: str) -> bool:
    """Whether a word comes again and keeps its capital, as names do ("Fugatto", not "Risk")."""
    word = re.escape(word)
    return bool(re.search(rf"\b{word}\b", text)) and not re.search(rf"\s{word.lower()}\b", text)


def _titled(name: str, what: str, following: str) -> str:
    if len(what.split()) <= 3:  # "a framework" tells little: what follows the name tells more
        what = f"{what} {following.lstrip(' )')}".replace(" ,", ",", 1)
    what = _without(_HEAD, _without(_LEAD, what))
    what = re.split(r"[.;:]\s|\s\(|\s--|\s[–—-]\s|,\s(?:which|that|where|to)\b|[.;]$", what, maxsplit=1)[0]
    return _cut(f"{name}: {what}" if what.strip() else name)


def _without(lead: re.Pattern[str], text: str) -> str:
    found = lead.match(text)
    return text[found.end() :] if found else text


def _cut(text: str) -> str:
    """The text up to a word boundary within `MAX_LABEL`, without what would dangle at its end."""
    if len(text) > MAX_LABEL:
        head = text[: MAX_LABEL + 1]
        blank = head.rfind(" ")
        text = head[:blank] if blank > MAX_LABEL // 2 else text[:MAX_LABEL]
        if text.count("(") > text.count(")"):
            text = text[: text.rindex("(")]
    return _DANGLING.sub("", text).rstrip(" .,;:!?。，；：、！？-–—")
