"""What an answer costs: time, tokens, dollars. Counted for the scored turn."""

from eval.cases import Case
from eval.observation import Observation


def seconds(case: Case, seen: Observation) -> float | None:
    """Wall time until the whole answer was there."""
    return seen.seconds


def first_text_seconds(case: Case, seen: Observation) -> float | None:
    """Wall time to the first piece of a streamed text."""
    return seen.first_text_seconds


def tokens_prompt(case: Case, seen: Observation) -> float | None:
    """Tokens sent to the model."""
    return float(seen.answer.receipt.tokens.prompt)


def tokens_completion(case: Case, seen: Observation) -> float | None:
    """Tokens the model wrote."""
    return float(seen.answer.receipt.tokens.completion)


def cost_usd(case: Case, seen: Observation) -> float | None:
    """Price of the model calls, where the model's price is known."""
    return seen.answer.receipt.cost_usd
