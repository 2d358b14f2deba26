"""What an answer costs, as its receipt tells. Counted for the scored turn."""

from eval.cases import Case
from eval.observation import Observation


def tokens_prompt(case: Case, seen: Observation) -> float | None:
    """Tokens sent to the model."""
    return float(seen.answer.receipt.tokens.prompt)


def tokens_completion(case: Case, seen: Observation) -> float | None:
    """Tokens the model wrote."""
    return float(seen.answer.receipt.tokens.completion)


def cost_usd(case: Case, seen: Observation) -> float | None:
    """Price of the model calls, where the model's price is known."""
    return seen.answer.receipt.cost_usd
