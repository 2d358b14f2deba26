"""Questions that go on from an answer, each of which its papers can answer. No model is asked."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from rag.extractive.facts import code_sentence
from rag.patterns import lazy_pattern
from rag.phrases import say
from rag.question.conversation import papers_before
from rag.question.filters import read_filters
from rag.records import Answer, Conversation, Paper

MOST = 3
"""Suggestions made at once."""

_READ = 50  # papers of a long list that are read for what sets them apart
_LONGEST_TITLE = 100  # characters of a title that is said in full
_NAME = lazy_pattern(r"[A-Z][\w.+-]*[A-Z0-9][\w.+-]*(?: \d+)?")
_PLAIN = lazy_pattern(r"[^\\$“”]+")


def follow_ups(answer: Answer, asked: Collection[str] = ()) -> tuple[str, ...]:
    """At most `MOST` questions that may follow `answer`, in its language, none of them among those `asked`.

    Only the records and abstracts of the answer's papers decide: a track is asked for where some of the
    papers are in it and some are not, code where some abstracts give it, and so on.
    """
    about = papers_before(Conversation().with_turn(answer))
    if answer.kind == "offtopic" or not about:
        return ()
    if answer.abstained:
        candidates = _of_the_nearest(answer, about)
    elif len(about) == 1:
        candidates = _of_one(answer, about[0])
    else:
        candidates = _of_several(answer, about)
    known = {question.casefold() for question in (*asked, answer.question)}
    new: list[str] = []
    for text in candidates:
        if len(new) == MOST:
            break
        if text.casefold() not in known:
            known.add(text.casefold())
            new.append(text)
    return tuple(new)


def asked_again(answer: Answer, search: str) -> str:
    """The question of `answer` for another search: `search` takes the place of what was searched for.

    Where the question does not say what was searched for (it leant on an earlier one, or was translated), a
    list is asked for anew and any other search is a question by itself.
    """
    before = answer.receipt.searched_for
    at = answer.question.casefold().find(before.casefold()) if before else -1
    if at >= 0:
        return f"{answer.question[:at]}{search}{answer.question[at + len(before) :]}"
    return say(answer.language, "next_list", topic=search) if answer.kind == "enumerate" else search


def _of_the_nearest(answer: Answer, papers: Sequence[Paper]) -> Iterator[str]:
    """What the papers are about that a refusal names as the nearest."""
    for name in filter(None, map(_called, filter(_told, papers))):
        yield say(answer.language, "next_about", name=name)


def _of_one(answer: Answer, paper: Paper) -> Iterator[str]:
    language = answer.language
    if _told(paper) and (called := _called(paper)):
        if answer.kind != "explain" and (name := _name(paper)):
            yield say(language, "next_method", name=name)
        yield say(language, "next_finding", name=called)
        yield say(language, "next_about", name=called)
    if paper.authors:
        yield say(language, "next_authors")


def _of_several(answer: Answer, papers: Sequence[Paper]) -> Iterator[str]:
    language = answer.language
    if answer.papers:
        yield from _narrower(answer, papers)
    if answer.kind != "compare" and all(map(_told, papers[:2])):
        a, b = map(_name, papers[:2])
        if a and b:
            yield say(language, "next_compare", a=a, b=b)
        elif answer.papers:
            yield say(language, "next_compare_first")
    for name in filter(None, map(_called, filter(_told, papers[:_READ]))):
        yield say(language, "next_finding", name=name)


def _narrower(answer: Answer, papers: Sequence[Paper]) -> Iterator[str]:
    """Those in the rarest track, and those with code, where that leaves some of the papers and not all."""
    tracks = Counter(paper.track for paper in papers if paper.track)
    for track in sorted(tracks, key=lambda track: (tracks[track], track)):
        question = say(answer.language, f"next_{track}") if track in _TRACKS else ""
        if tracks[track] < len(papers) and read_filters(question)[0].tracks == (track,):
            yield question
            break
    if len(set(islice(map(_gives_code, papers), _READ))) > 1:
        yield say(answer.language, "next_code")


def _gives_code(paper: Paper) -> bool:
    return bool(code_sentence(paper, repository_only=False))


def _told(paper: Paper) -> bool:
    return bool(paper.abstract) and paper.titled


def _called(paper: Paper) -> str | None:
    """The name of what a title is about, else a short title in quotes, else None."""
    short = len(paper.title) <= _LONGEST_TITLE and _PLAIN.fullmatch(paper.title)
    return _name(paper) or (f"“{paper.title}”" if short else None)


def _name(paper: Paper) -> str | None:
    """What stands before the colon of a title where it looks like a name."""
    name, colon, _ = paper.title.partition(":")
    return name.strip() if colon and _NAME.fullmatch(name.strip()) else None


_TRACKS = ("oral", "spotlight", "poster")
