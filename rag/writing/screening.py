"""Papers of a list read by a model: in batches, a few at the same time, for no more than was said before."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from llama_index.core.base.llms.types import ChatMessage

import prompts
from rag.errors import ModelBroken, ModelError, ModelKeyRejected, ModelRateLimited, SpendCapReached
from rag.index.tokens import count
from rag.records import Paper, ScreeningPlan, Tokens
from rag.writing.briefing import MARGIN, block, prompt_tokens, untagged
from rag.writing.caller import Caller
from rag.writing.opinions import Opinion, as_json, read_opinions
from rag.writing.spend import NOTHING, Spent

PAPERS_A_CALL = 10
"""Abstracts shown in one call, fewer where the window is small."""

_VARIABLES = frozenset({"criterion", "example", "abstracts"})
_EXAMPLE = (
    (901, Opinion("yes", "a convolutional network that forecasts orchard yields")),
    (902, Opinion("no")),
)
_TOKENS_A_PAPER = 330  # of prompt, in the mean, and a few more
_TOKENS_OF_DECISION = 70
_FRAME_OF_REPLY = 40
_HOPELESS = (SpendCapReached, ModelKeyRejected, ModelRateLimited)
_MOST_FAILURES = 2
Numbered = tuple[int, Paper]


@dataclass(frozen=True, slots=True)
class BatchRead:
    """What one call brought: opinions by paper id, none where it failed."""

    opinions: Mapping[str, Opinion] = field(default_factory=dict)
    spent: Spent = NOTHING
    error: ModelError | None = None


def reply_tokens(window: int) -> int:
    """Room for the reply to one call."""
    return _papers_a_call(window) * _TOKENS_OF_DECISION + _FRAME_OF_REPLY


class Screener:
    """Has a model read papers for a criterion. `at_once` calls are under way at the same time."""

    def __init__(self, model: str, caller: Caller, window: int, at_once: int) -> None:
        self.model = model
        self._caller = caller
        self._room = int((window - caller.room) * MARGIN)
        self._papers_a_call = _papers_a_call(window)
        self._at_once = at_once

    def plan(self, criterion: str, papers: Sequence[Paper], most_usd: float | None = None) -> ScreeningPlan:
        """Calls that read `papers` in their order, the last ones left out where `most_usd` would be passed.

        A paper that does not fit the model's window by itself is left out too. With `most_usd` and a price
        that nobody knows the plan is empty.
        """
        batches: list[tuple[Numbered, ...]] = []
        most = NOTHING
        for batch in self._batches(criterion, list(enumerate(papers, start=1))):
            more = most + self._caller.at_most(_tokens(criterion, batch))
            if most_usd is not None and (more.cost_usd is None or more.cost_usd > most_usd):
                break
            batches.append(batch)
            most = more
        unread = len(papers) - sum(map(len, batches))
        cost = most.cost_usd if self._caller.at_most(0).cost_usd is not None else None
        return ScreeningPlan(self.model, criterion, tuple(batches), most.tokens, cost, unread)

    def read(self, plan: ScreeningPlan, stop: Callable[[], bool]) -> Iterator[BatchRead]:
        """The batches of a plan as they come in; those after `stop()` holds are not sent.

        No batch is sent that could pass what the plan says, or after failures that others would share.
        """
        spent, failures = NOTHING, 0
        waiting = list(plan.batches)
        running: dict[Future[BatchRead], Spent] = {}
        with ThreadPoolExecutor(self._at_once, thread_name_prefix="screen") as pool:
            while waiting or running:
                while waiting and len(running) < self._at_once:
                    most = self._caller.at_most(_tokens(plan.criterion, waiting[0]))
                    pending = sum(running.values(), NOTHING)
                    if stop() or failures >= _MOST_FAILURES or not _within(plan, spent + pending + most):
                        waiting.clear()
                        break
                    batch = waiting.pop(0)
                    running[pool.submit(self._batch, plan.criterion, batch, pending)] = most
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    del running[future]
                    result = future.result()
                    spent += result.spent
                    if result.error:
                        failures += _MOST_FAILURES if isinstance(result.error, _HOPELESS) else 1
                    yield result

    def _batch(self, criterion: str, batch: Sequence[Numbered], pending: Spent) -> BatchRead:
        reply = self._caller.call(_messages(criterion, batch), pending.cost_usd or 0.0)
        if reply.error:
            return BatchRead({}, reply.spent, reply.error)
        said = read_opinions(reply.text, [number for number, _ in batch])
        opinions = {paper.id: said[number] for number, paper in batch if number in said}
        error = None if opinions else ModelBroken("The model's decisions could not be read.")
        return BatchRead(opinions, reply.spent, error)

    def _batches(self, criterion: str, papers: Sequence[Numbered]) -> Iterator[tuple[Numbered, ...]]:
        frame = _tokens(criterion, ())
        batch: list[Numbered] = []
        used = frame
        for numbered in papers:
            tokens = _tokens_of(numbered)
            if batch and (used + tokens > self._room or len(batch) == self._papers_a_call):
                yield tuple(batch)
                batch, used = [], frame
            if used + tokens <= self._room:
                batch.append(numbered)
                used += tokens
        if batch:
            yield tuple(batch)


def _papers_a_call(window: int) -> int:
    """As many as fit, of usual length, beside the instructions."""
    fit = (window * MARGIN - _tokens("", ())) / (_TOKENS_A_PAPER + _TOKENS_OF_DECISION)
    return max(1, min(PAPERS_A_CALL, int(fit)))


def _messages(criterion: str, batch: Sequence[Numbered]) -> list[ChatMessage]:
    """The prompt of a batch: the same up to its abstracts for all batches, so that prompt caches hit."""
    abstracts = "\n\n".join(block(number, paper, record=False) for number, paper in batch)
    return prompts.load("screen", _VARIABLES).format_messages(
        criterion=untagged(" ".join(criterion.split())), example=as_json(_EXAMPLE), abstracts=abstracts
    )


def _tokens(criterion: str, batch: Sequence[Numbered]) -> int:
    return prompt_tokens(_messages(criterion, ())) + sum(map(_tokens_of, batch))


def _tokens_of(numbered: Numbered) -> int:
    return count(block(*numbered, record=False)) + 2


def _within(plan: ScreeningPlan, most: Spent) -> bool:
    if plan.cost_usd is not None and most.cost_usd is not None:
        return most.cost_usd <= plan.cost_usd * (1 + 1e-9)
    return _all(most.tokens) <= _all(plan.tokens)


def _all(tokens: Tokens) -> int:
    return tokens.prompt + tokens.completion
