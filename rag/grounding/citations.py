"""Number, verify, repair: what each sentence of an answer cites, and whether the abstract says so."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rag.grounding.gate import through
from rag.grounding.marks import Mark, marks
from rag.grounding.support import WEAK_FROM, Nearness, Support, has_content, support
from rag.grounding.tampering import harmless, tampers
from rag.patterns import lazy_pattern
from rag.records import Checked, Citation, CitedSpan, Paper, Verdict
from rag.sentences import split

_UNSUPPORTED_NOTE = {"en": "⚠ (not found in the cited abstract)", "zh": "⚠（所引摘要中未找到）"}
_NOTE = lazy_pattern(r"\s*(?:" + "|".join(map(re.escape, _UNSUPPORTED_NOTE.values())) + ")")
_MOST_PASSES = 4
# "X holds. [1]" and "X holds.[1]": the mark belongs before the full stop, where the sentence still is.
_MARKS_AFTER_STOP = lazy_pattern(
    r"(?P<stop>[.!?。！？]+)(?:[ \t]+[.!?。！？]+)*(?P<marks>(?:[ \t]*\[\d{1,9}\](?:[ \t]*[.!?。！？]+)*)+)"
)
_LIST_NUMBER = lazy_pattern(r"(?:^|\n)\s*\d{1,2}$")
_STOP = lazy_pattern(r"[.!?。！？]+[\"'”’」』)）*_]*\s*$")
_WORD_AHEAD = lazy_pattern(r"[A-Za-z0-9]")
_CHINESE = lazy_pattern(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Settled:
    """A text whose every mark names a shown paper, its citations by first appearance, what was checked."""

    text: str
    citations: tuple[Citation, ...]
    checked: tuple[Checked, ...] = field(default=(), compare=False)


class _Shown:
    """The papers a model was shown, by number, and what each holds for a claim, found out once."""

    def __init__(self, sources: Sequence[tuple[int, Paper]], nearness: Nearness | None) -> None:
        self.papers = dict(sources)
        self._nearness = nearness
        self._known: dict[tuple[str, int, tuple[int, ...]], Support] = {}

    def support(self, claim: str, number: int, beside: Sequence[int] = ()) -> Support:
        """Figures and names may also stand in the papers `beside` it."""
        key = claim, number, tuple(beside)
        if key not in self._known:
            others = [self.papers[other] for other in beside]
            self._known[key] = support(claim, self.papers[number], others, self._nearness)
        return self._known[key]


def settle(
    text: str, sources: Sequence[tuple[int, Paper]], *, own: bool = False, nearness: Nearness | None = None
) -> Settled:
    """Verify a finished answer against the papers that were shown under these numbers.

    Marks of other numbers are removed. For each sentence the cited abstracts are checked: a citation that
    adds nothing is dropped, and a sentence that only another shown paper supports cites that one instead. One
    that shares most of its words with what it cites, but has a figure or name that is not there, stays and is
    marked in words. Struck are sentences that no shown paper supports, that give an address no record has, or
    that tell the reader what to do.

    `own` is for text that the project composed itself, from verbatim sentences and counted figures: its marks
    are checked and located, its wording is left alone. `nearness` adds meaning to shared words.
    """
    shown = _Shown(sources, nearness)
    urls = [paper.url for paper in shown.papers.values() if paper.url]
    text = through(_NOTE.sub("", text), shown.papers, urls)
    text = _stops_after_marks(text)
    checked: list[_Trail] = []
    # A mended sentence can be cut differently, or carry a citation that its neighbour goes by: none is struck
    # for want of a citation before its neighbours have theirs.
    for turn in range(0 if own else _MOST_PASSES):
        mended, found = _mended(text, shown, patient=turn == 0)
        checked = _followed(checked, found) if turn else found
        if mended == text and turn:
            break
        text = mended
    return Settled(text, _citations(text, shown), tuple(each.checked for each in checked))


def judged_anew(settled: Settled, verdicts: Mapping[int, Verdict]) -> Settled:
    """The answer where these sentences, by number, have these verdicts; one without support is marked."""
    pieces: list[str] = []
    anew: dict[str, Verdict] = {}
    position = 0
    for number, span in enumerate(split(settled.text)):
        sentence = span.of(settled.text)
        pieces.append(settled.text[position : span.start])
        position = span.end
        if number in verdicts:
            anew[_claim(sentence)] = verdicts[number]
        lost = verdicts.get(number) == "unsupported" and not _NOTE.search(sentence)
        pieces.append(_noted(sentence) if lost else sentence)
    citations = tuple(
        replace(
            citation,
            spans=tuple(
                replace(span, verdict=verdicts.get(span.sentence, span.verdict)) for span in citation.spans
            ),
        )
        for citation in settled.citations
    )
    checked = tuple(_checked_anew(check, anew.get(_claim(check.sentence))) for check in settled.checked)
    return Settled("".join(pieces) + settled.text[position:], citations, checked)


def _checked_anew(check: Checked, verdict: Verdict | None) -> Checked:
    if verdict is None or check.action == "struck":
        return check
    return replace(check, verdict=verdict, action="marked" if verdict == "unsupported" else check.action)


def _claim(sentence: str) -> str:
    return _without_marks(_NOTE.sub("", sentence)).strip()


def _noted(sentence: str) -> str:
    note = _UNSUPPORTED_NOTE["zh" if _CHINESE.search(_without_marks(sentence)) else "en"]
    return _before_stop(sentence, f" {note}")


@dataclass(frozen=True, slots=True)
class _Trail:
    """What was made of a sentence, and how it reads now, without notes."""

    checked: Checked
    now: str


def _mended(text: str, shown: _Shown, *, patient: bool) -> tuple[str, list[_Trail]]:
    plain = _NOTE.sub("", text)
    pieces: list[str] = []
    checked: list[_Trail] = []
    position = 0
    for span in split(plain):
        sentence = span.of(plain)
        mended = _mend(sentence, shown, _nearby(plain, span.start), patient=patient)
        before = plain[position : span.start]
        pieces += [before, mended] if mended else [_joint(before)]
        position = span.end
        if _numbers(marks(sentence)) or has_content(sentence) or not mended:
            checked.append(_Trail(_account(sentence, mended, shown), _NOTE.sub("", mended)))
    return ("".join(pieces) + plain[position:]).strip() if checked else text, checked


def _followed(before: Sequence[_Trail], after: Sequence[_Trail]) -> list[_Trail]:
    """What became of the sentences of the first pass in a later one; their first wording is kept."""
    later = {trail.checked.sentence: trail for trail in after}
    found = []
    for trail in before:
        next_ = later.get(trail.now)
        if next_ and next_.checked.action != "kept":
            kept = replace(next_.checked, sentence=trail.checked.sentence)
            trail = _Trail(kept, next_.now)
        elif next_:
            trail = _Trail(replace(trail.checked, verdict=next_.checked.verdict), next_.now)
        found.append(trail)
    return found


def _joint(before: str) -> str:
    """What stays of the white space before a sentence that is struck: the end of a paragraph."""
    return "\n\n" if "\n\n" in before else ""


def _account(written: str, mended: str, shown: _Shown) -> Checked:
    held = _held(mended or written, _numbers(marks(mended or written)), shown)
    best = max(held.values(), key=_rank, default=None)
    plain = _NOTE.sub("", mended)
    action: Literal["kept", "recited", "marked", "struck"] = (
        "struck"
        if not mended
        else "marked"
        if plain != mended
        else "kept"
        if mended == written
        else "recited"
    )
    missing = best.missing if best else ()
    return Checked(written, best.verdict if best and mended else "unsupported", action, missing)


def _citations(text: str, shown: _Shown) -> tuple[Citation, ...]:
    spans: dict[int, list[CitedSpan]] = {}
    for index, span in enumerate(split(text)):
        sentence = _NOTE.sub("", span.of(text))
        for number, held in _held(sentence, _numbers(marks(sentence)), shown).items():
            spans.setdefault(number, []).append(CitedSpan(index, held.quote, held.verdict))
    return tuple(Citation(number, shown.papers[number], tuple(cited)) for number, cited in spans.items())


def _nearby(text: str, at: int) -> list[int]:
    """The numbers cited after this place in its paragraph, else those cited before it there."""
    start = text.rfind("\n\n", 0, at) + 1
    end = text.find("\n\n", at)
    return _numbers(marks(text[at : end if end >= 0 else len(text)])) or _numbers(marks(text[start:at]))


def _mend(sentence: str, shown: _Shown, nearby: Sequence[int], *, patient: bool) -> str:
    """The sentence with the citations it should have, empty where it is struck.

    `nearby` are numbers cited close to it. `patient` leaves one without a citation for the next pass.
    """
    cited = _numbers(marks(sentence))
    claim = _without_marks(sentence)
    if tampers(claim, shown.papers.values()):
        return ""
    if not cited and not has_content(claim):
        return sentence if harmless(claim, shown.papers.values()) else ""
    if carrying := _carrying(sentence, cited, shown):
        return sentence if carrying == cited else _cite_only(sentence, carrying)
    if found := _best_source(claim, [n for n in shown.papers if n not in cited], shown, "supported"):
        return _cite(claim, found)
    if not cited and (found := _best_source(claim, nearby, shown, "weak")):
        return _cite(claim, found)
    if patient and not cited:
        return sentence
    held = _held(sentence, cited, shown)
    if any(each.missing for each in held.values()) and (
        found := _best_source(claim, [n for n in shown.papers if n not in cited], shown, "weak")
    ):
        return _cite(claim, found)  # its figures and names stand in another abstract
    if all(not each.missing or each.score < WEAK_FROM for each in held.values()):
        return ""
    return _noted(sentence)


def _carrying(sentence: str, cited: Sequence[int], shown: _Shown) -> list[int]:
    """The cited numbers that add something; empty when they do not carry the sentence alone."""
    held = _held(sentence, cited, shown)
    kept = [number for number in cited if held[number].verdict != "unsupported"]
    if kept and kept != list(cited):
        held = _held(_cite_only(sentence, kept), kept, shown)
    return kept if all(held[number].verdict != "unsupported" for number in kept) else []


def _held(sentence: str, cited: Sequence[int], shown: _Shown) -> dict[int, Support]:
    """What each cited paper holds for the sentence, or for the part of it that ends at its mark.

    "GNN-Diff runs 166 experiments [1], DEQ two [2]." cites each paper for its own half. A figure or name that
    none of the cited papers has counts against all of them.
    """
    held: dict[int, Support] = {}
    claim = _without_marks(sentence)
    for number in cited:
        beside = [other for other in cited if other != number]
        best = shown.support(claim, number, beside)
        if beside and not best.missing:
            parts = (shown.support(part, number) for part in _parts_of(sentence, number))
            best = max([best, *parts], key=_rank)
        held[number] = best
    return held


def _parts_of(sentence: str, number: int) -> list[str]:
    """The parts of the sentence that end at a mark of this number and begin after the mark before."""
    parts: list[str] = []
    start = end = 0
    for mark in marks(sentence):
        if sentence[end : mark.start].strip():
            start = end
        if mark.number == number:
            parts.append(_without_marks(sentence[start : mark.start]))
        end = mark.end
    return [part for part in parts if has_content(part)]


def _rank(held: Support) -> tuple[int, float]:
    return ("unsupported", "weak", "supported").index(held.verdict), held.score


def _best_source(claim: str, candidates: Iterable[int], shown: _Shown, least: Verdict) -> int | None:
    """The candidate that supports the claim best, if it does so at least this well."""
    held = {number: shown.support(claim, number) for number in candidates}
    enough = [number for number in held if held[number].verdict in ("supported", least)]
    return max(enough, key=lambda number: _rank(held[number]), default=None)


def _numbers(found: Iterable[Mark]) -> list[int]:
    return list(dict.fromkeys(mark.number for mark in found))


def _without_marks(sentence: str) -> str:
    return _cite_only(sentence, ())


def _cite_only(sentence: str, kept: Sequence[int]) -> str:
    """The sentence with only the marks of these numbers, and no blank left where another stood."""
    pieces: list[str] = []
    position, blank = 0, ""
    for mark in marks(sentence):
        before = sentence[position : mark.start]
        text = before.rstrip(" \t")
        blank = before[len(text) :] or ("" if text else blank)
        pieces.append(text)
        position = mark.end
        if mark.number in kept:
            pieces += [blank, sentence[mark.start : mark.end]]
            blank = ""
        elif _WORD_AHEAD.match(sentence, position):
            pieces.append(blank or " ")
    return "".join(pieces) + sentence[position:]


def _cite(claim: str, number: int) -> str:
    return _before_stop(claim, f"{'' if _CHINESE.search(claim) else ' '}[{number}]")


def _before_stop(sentence: str, addition: str) -> str:
    end = _STOP.search(sentence)
    at = end.start() if end else len(sentence)
    return sentence[:at].rstrip() + addition + sentence[at:]


def _stops_after_marks(text: str) -> str:
    return _MARKS_AFTER_STOP.sub(_swap, text)


def _swap(match: re.Match[str]) -> str:
    if _LIST_NUMBER.search(match.string, 0, match.start()):
        return match.group()
    cited = "".join(re.findall(r"\[\d+\]", match["marks"]))
    return f"{' ' if match['stop'][0] in '.!?' else ''}{cited}{match['stop']}"
