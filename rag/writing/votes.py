"""A model votes on what it wrote: does the abstract support the sentence? The majority decides.

In the manner of generative verifiers (Zhang et al. 2024): a sentence of comparison, then yes or no, sampled
several times. It is asked only where words and meaning cannot tell: where they are unsure, and where the
sentence or its evidence denies or compares. What they found unsupported it cannot raise.
"""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from llama_index.core.base.llms.types import ChatMessage

import prompts
from rag.errors import ModelError
from rag.grounding.citations import Settled, judged_anew
from rag.grounding.marks import marks
from rag.grounding.polarity import two_sided
from rag.patterns import lazy_pattern
from rag.records import CitedSpan, Paper, Verdict
from rag.sentences import split
from rag.writing.briefing import block, prompt_tokens, untagged
from rag.writing.caller import Caller
from rag.writing.spend import NOTHING, Spent

VOTE_TOKENS = 120
"""Room for one vote."""
VOTING_TEMPERATURE = 0.7

_VARIABLES = frozenset({"abstracts", "sentence"})
_VOTE = lazy_pattern(r"SUPPORTED\W{0,6}(yes|no)\b", re.IGNORECASE)
_PLAIN_VOTE = lazy_pattern(r"\W*(yes|no)\b\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Voted:
    """The answer after the votes on `asked` of its sentences. `error`: why one did not count."""

    settled: Settled
    asked: int = 0
    spent: Spent = NOTHING
    error: ModelError | None = None


class Verifier:
    """Asks `votes` times for each sentence, a few calls at the same time."""

    def __init__(self, caller: Caller, votes: int, at_once: int) -> None:
        self._caller = caller
        self._votes = votes
        self._at_once = at_once

    def vote(self, settled: Settled, papers: Mapping[int, Paper]) -> Voted:
        """The answer with the verdicts that the votes lower or settle; `papers` by citation number."""
        asked = {number: spans for number, spans in _by_sentence(settled).items() if _unsure(settled, spans)}
        sentences = split(settled.text)
        prompts_of = {
            number: _messages(sentences[number].of(settled.text), [papers[n] for n, _ in spans])
            for number, spans in asked.items()
        }
        calls = [(number, messages) for number, messages in prompts_of.items() for _ in range(self._votes)]
        if not calls:
            return Voted(settled)
        costs = [self._caller.at_most(prompt_tokens(messages)).cost_usd or 0.0 for _, messages in calls]
        with ThreadPoolExecutor(self._at_once, thread_name_prefix="vote") as pool:
            replies = list(
                pool.map(lambda n: self._caller.call(calls[n][1], sum(costs[n + 1 :])), range(len(calls)))
            )
        votes: dict[int, list[bool]] = {number: [] for number in asked}
        for (number, _), reply in zip(calls, replies, strict=True):
            vote = None if reply.error else read_vote(reply.text)
            if vote is not None:
                votes[number].append(vote)
        verdicts = {
            number: verdict
            for number, cast in votes.items()
            if (verdict := majority(cast, [span.verdict for _, span in asked[number]]))
        }
        error = next((reply.error for reply in replies if reply.error), None)
        spent = sum((reply.spent for reply in replies), NOTHING)
        return Voted(judged_anew(settled, verdicts), len(asked), spent, error)


def read_vote(reply: str) -> bool | None:
    """The last verdict of a reply, None where it has none."""
    said = _VOTE.findall(reply) or ([plain[1]] if (plain := _PLAIN_VOTE.fullmatch(reply)) else [])
    return said[-1].lower() == "yes" if said else None


def majority(votes: Sequence[bool], before: Sequence[Verdict]) -> Verdict | None:
    """The verdict of a sentence whose citations had the verdicts `before`; None where it stays as it was.

    More yes than no settles what was weak; more no than yes takes the support away; a tie leaves it weak.
    """
    if not votes or "unsupported" in before:
        return None
    balance = 2 * sum(votes) - len(votes)
    return "supported" if balance > 0 else "weak" if balance == 0 else "unsupported"


def _by_sentence(settled: Settled) -> dict[int, list[tuple[int, CitedSpan]]]:
    """Number of each cited sentence → the citations it has, by citation number."""
    found: dict[int, list[tuple[int, CitedSpan]]] = {}
    for citation in settled.citations:
        for span in citation.spans:
            found.setdefault(span.sentence, []).append((citation.number, span))
    return dict(sorted(found.items()))


def _unsure(settled: Settled, spans: Sequence[tuple[int, CitedSpan]]) -> bool:
    verdicts = {span.verdict for _, span in spans}
    if "unsupported" in verdicts:
        return False
    sentence = split(settled.text)[spans[0][1].sentence].of(settled.text)
    return "weak" in verdicts or any(two_sided(sentence, span.quote) for _, span in spans)


def _messages(sentence: str, papers: Sequence[Paper]) -> list[ChatMessage]:
    for mark in reversed(marks(sentence)):
        sentence = sentence[: mark.start].rstrip() + sentence[mark.end :]
    return prompts.load("verify", _VARIABLES).format_messages(
        abstracts="\n\n".join(block(n, paper) for n, paper in enumerate(papers, start=1)),
        sentence=untagged(" ".join(sentence.split())),
    )
