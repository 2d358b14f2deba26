"""Share of the cited statements that the project's own verifier calls supported. Says nothing about gold."""

from eval.cases import Case
from eval.observation import Observation


def citation_support(case: Case, seen: Observation) -> float | None:
    """Spans with the verdict `supported` by all spans. None where nothing was verified."""
    verdicts = [span.verdict for citation in seen.answer.citations for span in citation.spans]
    return verdicts.count("supported") / len(verdicts) if verdicts else None
