"""Every measure of the harness, one small file each; this one says which are taken and under which names."""

from eval.evaluator import Better, Evaluator, Figure, mean
from eval.measures.answer_words import answer_words, longest
from eval.measures.brier import brier
from eval.measures.brier_skill import brier_skill
from eval.measures.calibration_error import ece, ece_within_kinds
from eval.measures.citation_precision import citation_precision
from eval.measures.citation_recall import citation_recall
from eval.measures.citation_support import citation_support
from eval.measures.citation_validity import citation_validity
from eval.measures.confidence import answered_confidence, confidence
from eval.measures.cost import cost_usd, tokens_completion, tokens_prompt
from eval.measures.count_exact import count_exact
from eval.measures.false_refusal_rate import false_refusal_rate
from eval.measures.followup_fresh import followup_fresh
from eval.measures.followup_pass import followup_pass
from eval.measures.list_f1 import list_f1
from eval.measures.list_length import list_length
from eval.measures.list_precision import list_precision
from eval.measures.list_recall import list_recall, list_recall_with_maybe
from eval.measures.nugget_recall import nugget_recall
from eval.measures.numbers_grounded import numbers_grounded
from eval.measures.paper_recall import paper_recall_at_1
from eval.measures.quantiles import percentile
from eval.measures.refusal_rate_unanswerable import REASONS, refusal_rate_of, refusal_rate_unanswerable
from eval.measures.retrieval import ranking_measure
from eval.measures.risk_coverage import aurc
from eval.measures.robustness import robustness, verdict_kept
from eval.measures.seconds import first_text_seconds, seconds
from eval.measures.sentences_cited import sentences_cited
from eval.measures.strict_pass import strict_pass
from eval.perturbations import INJECTED, PERTURBATIONS

MEANS: tuple[Evaluator, ...] = (
    Evaluator("strict_pass", strict_pass),
    Evaluator("nugget_recall", nugget_recall),
    Evaluator("paper_recall_at_1", paper_recall_at_1),
    Evaluator("citation_validity", citation_validity),
    Evaluator("citation_precision", citation_precision),
    Evaluator("citation_recall", citation_recall),
    Evaluator("sentences_cited", sentences_cited),
    Evaluator("citation_support", citation_support),
    Evaluator("numbers_grounded", numbers_grounded),
    Evaluator("list_precision", list_precision),
    Evaluator("list_recall", list_recall),
    Evaluator("list_f1", list_f1),
    Evaluator("list_recall_with_maybe", list_recall_with_maybe),
    Evaluator("list_length", list_length, "neither", mean),
    Evaluator("count_exact", count_exact),
    Evaluator("refusal_rate_unanswerable", refusal_rate_unanswerable),
    *(Evaluator(f"refusal_rate_{reason.replace('-', '_')}", refusal_rate_of(reason)) for reason in REASONS),
    Evaluator("false_refusal_rate", false_refusal_rate, "lower"),
    Evaluator("followup_pass", followup_pass),
    Evaluator("followup_fresh", followup_fresh),
    Evaluator("retrieval_recall_at_1", ranking_measure("R@1")),
    Evaluator("retrieval_recall_at_5", ranking_measure("R@5")),
    Evaluator("retrieval_recall_at_20", ranking_measure("R@20")),
    Evaluator("retrieval_ndcg_at_10", ranking_measure("nDCG@10")),
    Evaluator("retrieval_mrr_at_10", ranking_measure("RR@10")),
    Evaluator("brier", brier, "lower", mean),
    Evaluator("tokens_prompt", tokens_prompt, "lower", mean),
    Evaluator("tokens_completion", tokens_completion, "lower", mean),
    Evaluator("cost_usd", cost_usd, "lower", mean),
    Evaluator("robustness", robustness),
    *(Evaluator(f"robustness_{change}", verdict_kept(change)) for change in (*PERTURBATIONS, INJECTED)),
)
RECORDED: tuple[Evaluator, ...] = (
    Evaluator("confidence", confidence),
    Evaluator("answered_confidence", answered_confidence),
    Evaluator("answer_words", answer_words),
    Evaluator("seconds", seconds),
    Evaluator("first_text_seconds", first_text_seconds),
)
"""Scores that are no figure by themselves but the input of one."""

EVALUATORS = (*MEANS, *RECORDED)
FIGURES: tuple[Figure, ...] = (
    *(
        Figure(evaluator.name, (evaluator.name,), evaluator.statistic, evaluator.better)
        for evaluator in MEANS
    ),
    Figure("brier_skill", ("confidence", "strict_pass", "kind"), brier_skill),
    Figure("ece", ("confidence", "strict_pass"), ece, "lower", biased=True),
    Figure("ece_within_kinds", ("confidence", "strict_pass", "kind"), ece_within_kinds, "lower", biased=True),
    Figure("aurc", ("answered_confidence", "strict_pass"), aurc, "lower"),
    Figure("answer_words_p50", ("answer_words",), percentile(50), "neither"),
    Figure("answer_words_max", ("answer_words",), longest, "neither"),
    Figure("seconds_p50", ("seconds",), percentile(50), "lower"),
    Figure("seconds_p95", ("seconds",), percentile(95), "lower"),
    Figure("first_text_seconds_p50", ("first_text_seconds",), percentile(50), "lower"),
    Figure("first_text_seconds_p95", ("first_text_seconds",), percentile(95), "lower"),
)
BETTER: dict[str, Better] = {figure.name: figure.better for figure in FIGURES}
