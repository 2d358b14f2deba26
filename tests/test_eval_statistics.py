"""Figures over a run and their intervals: by hand, against plain second implementations, and as laws."""

import random
from statistics import fmean

import numpy as np
import pytest
from eval_oracle import CASES
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from eval.calibration import calibration, consistency_test
from eval.cases import KINDS, Case
from eval.evaluator import Figure, mean, rate
from eval.intervals import RESAMPLES, estimate, exact_interval, paired_difference
from eval.measures import FIGURES
from eval.measures.brier_skill import brier_skill
from eval.measures.calibration_error import BINS, ece, ece_within_kinds
from eval.measures.quantiles import percentile
from eval.measures.risk_coverage import aurc, risk_coverage_curve
from eval.run import Outcome

Rows = list[tuple[float, float, float]]
CONFIDENCES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5, 0.9, 1.0]) | st.floats(0, 1)
ROWS = st.lists(
    st.tuples(CONFIDENCES, st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0, 2.0])),
    min_size=1,
    max_size=40,
)


def arrays(rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    confidence, passed, kind = np.array(rows, dtype=np.float64).T
    return confidence, passed, kind


def plain_ece(pairs: list[tuple[float, float]]) -> float:
    """Bins of equal mass over confidences in order; equal confidences share their pass rate."""
    pairs = sorted(pairs)
    shared = [(c, fmean(p for d, p in pairs if d == c)) for c, _ in pairs]
    n = len(shared)
    bins: dict[int, list[float]] = {}
    for place, (confidence, passed) in enumerate(shared):
        bins.setdefault(place * min(BINS, n) // n, []).append(confidence - passed)
    return sum(abs(sum(gaps)) for gaps in bins.values()) / n


def plain_aurc(pairs: list[tuple[float, float]]) -> float:
    """Mean over coverages of the risk, equal confidences sharing their risk."""
    pairs = sorted(pairs, reverse=True)
    wrong = [1 - fmean(p for d, p in pairs if d == c) for c, _ in pairs]
    return fmean(fmean(wrong[: k + 1]) for k in range(len(wrong)))


# --- by hand ---


def test_ece_by_hand() -> None:
    confidence, passed = np.array([0.9, 0.9, 0.6, 0.6]), np.array([1.0, 0.0, 1.0, 1.0])
    assert ece(confidence, passed) == pytest.approx((0.4 + 0.4 + 0.4 + 0.4) / 4)
    kind = np.array([0.0, 1.0, 0.0, 1.0])
    assert ece_within_kinds(confidence, passed, kind) == pytest.approx((0.1 + 0.9 + 0.4 + 0.4) / 4)


def test_average_calibration_hides_a_kind_that_is_off() -> None:
    confidence, kind = np.full(20, 0.5), np.repeat([0.0, 1.0], 10)
    passed = np.where(kind == 0, 1.0, 0.0)
    assert ece(confidence, passed) == 0
    assert ece_within_kinds(confidence, passed, kind) == 0.5


def test_risk_coverage_by_hand() -> None:
    confidence, passed = np.array([0.9, 0.8, 0.7, 0.6]), np.array([1.0, 0.0, 1.0, 0.0])
    coverage, risk = risk_coverage_curve(confidence, passed)
    assert coverage.tolist() == [1 / 4, 2 / 4, 3 / 4, 1]
    assert risk.tolist() == pytest.approx([0, 1 / 2, 1 / 3, 2 / 4])
    assert aurc(confidence, passed) == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)


def test_brier_skill_by_hand() -> None:
    confidence, passed, kind = arrays([(1.0, 1, 0), (0.5, 0, 0), (0.0, 0, 1), (0.5, 1, 1)])
    score, base = (0 + 1 / 4 + 0 + 1 / 4) / 4, 1 / 4
    assert brier_skill(confidence, passed, kind) == pytest.approx(1 - score / base)
    assert brier_skill(passed, passed, passed) == 0
    assert brier_skill(1 - passed, passed, passed) == -1


def test_percentiles_by_hand() -> None:
    assert percentile(50)(np.array([4.0, 1.0, 3.0, 2.0])) == 2.5
    assert percentile(95)(np.arange(21.0)) == 19


# --- second implementations and laws ---


@given(ROWS)
def test_calibration_error_equals_the_plain_one(rows: Rows) -> None:
    confidence, passed, kind = arrays(rows)
    assert ece(confidence, passed) == pytest.approx(plain_ece([(c, p) for c, p, _ in rows]), abs=1e-9)
    groups = [[(c, p) for c, p, k in rows if k == one] for one in {k for _, _, k in rows}]
    within = sum(len(group) * plain_ece(group) for group in groups) / len(rows)
    assert ece_within_kinds(confidence, passed, kind) == pytest.approx(within, abs=1e-9)


@given(ROWS)
def test_aurc_equals_the_plain_one(rows: Rows) -> None:
    confidence, passed, _ = arrays(rows)
    assert aurc(confidence, passed) == pytest.approx(plain_aurc([(c, p) for c, p, _ in rows]), abs=1e-9)


@given(ROWS, st.randoms(use_true_random=False))
def test_figures_are_bounded_and_the_order_of_cases_does_not_matter(rows: Rows, rng: random.Random) -> None:
    mixed = rng.sample(rows, len(rows))
    for statistic, columns in ((ece, 2), (ece_within_kinds, 3), (aurc, 2), (brier_skill, 3)):
        value = float(statistic(*arrays(rows)[:columns]))
        assert value <= 1 + 1e-9
        assert value >= 0 or statistic is brier_skill
        assert float(statistic(*arrays(mixed)[:columns])) == pytest.approx(value, abs=1e-9)


@given(ROWS)
def test_rows_at_once_equal_rows_one_by_one(rows: Rows) -> None:
    columns = arrays(rows)
    turned = [np.stack([column, column[::-1], np.roll(column, 1)]) for column in columns]
    for statistic, width in (
        (ece, 2),
        (ece_within_kinds, 3),
        (aurc, 2),
        (brier_skill, 3),
        (percentile(95), 1),
    ):
        together = statistic(*turned[:width], axis=-1)
        singly = [float(statistic(*(column[i] for column in turned[:width]))) for i in range(3)]
        assert together.tolist() == pytest.approx(singly, abs=1e-9)


@given(ROWS, st.integers(0, 39))
def test_a_pass_more_never_raises_the_risk(rows: Rows, place: int) -> None:
    place %= len(rows)
    better = [(c, 1.0 if i == place else p, k) for i, (c, p, k) in enumerate(rows)]
    assert aurc(*arrays(better)[:2]) <= aurc(*arrays(rows)[:2]) + 1e-12


# --- intervals ---


def test_exact_interval_is_clopper_pearson() -> None:
    low, high = exact_interval(7, 7)
    assert (low, high) == (pytest.approx(0.025 ** (1 / 7)), 1)
    low, high = exact_interval(3, 10)
    assert low == pytest.approx(beta.ppf(0.025, 3, 8))
    assert high == pytest.approx(beta.ppf(0.975, 4, 7))


def test_where_all_cases_agree_the_interval_still_has_a_width() -> None:
    assert estimate(Figure("x", (), rate), [np.ones(7)], 0).low == pytest.approx(0.5904, abs=1e-4)
    assert estimate(Figure("x", (), rate), [np.zeros(7)], 0).high == pytest.approx(0.4096, abs=1e-4)


def test_bootstrap_agrees_with_a_plain_one() -> None:
    values = np.array([0.0, 0.2, 0.9, 1.0, 0.4, 0.6, 0.1, 0.8])
    found = estimate(Figure("x", (), mean), [values], 3)
    draws = np.random.default_rng(99).choice(values, (20_000, len(values))).mean(axis=1)
    assert found.value == values.mean()
    assert found.low == pytest.approx(np.quantile(draws, 0.025), abs=0.02)
    assert found.high == pytest.approx(np.quantile(draws, 0.975), abs=0.02)
    assert found.n == 8


def test_intervals_repeat_with_the_seed_and_each_figure_draws_for_itself() -> None:
    values = np.random.default_rng(0).random(30)
    one, two = Figure("one", (), mean), Figure("two", (), mean)
    assert estimate(one, [values], 5) == estimate(one, [values], 5)
    assert estimate(one, [values], 5) != estimate(one, [values], 6)
    assert estimate(one, [values], 5) != estimate(two, [values], 5)


@pytest.mark.parametrize(("n", "value", "low"), [(0, None, None), (1, 0.5, None)])
def test_too_few_cases_have_no_interval(n: int, value: float | None, low: float | None) -> None:
    found = estimate(Figure("x", (), mean), [np.full(n, 0.5)], 0)
    assert (found.value, found.low, found.n) == (value, low, n)


def test_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    samples = rng.random((200, 60)) < 0.7
    found = [estimate(Figure("x", (), rate), [sample.astype(float)], 0) for sample in samples]
    covered = np.mean([e.low <= 0.7 <= e.high for e in found if e.low is not None and e.high is not None])
    assert 0.9 <= covered <= 0.98


def test_a_paired_difference_is_surer_than_two_separate_figures() -> None:
    old = np.random.default_rng(1).random(50)
    new = old - 0.05
    difference = paired_difference(Figure("x", (), mean), [new], [old], 0)
    assert difference.value == pytest.approx(-0.05)
    assert difference.high is not None
    assert difference.high < 0
    apart = estimate(Figure("x", (), mean), [old], 0)
    assert apart.low is not None
    assert apart.low < new.mean()


def test_the_interval_of_a_biased_figure_holds_its_value() -> None:
    rng = np.random.default_rng(1)
    confidence = rng.uniform(0.5, 1, 43)
    passed = (rng.random(43) < confidence).astype(float)
    found = estimate(Figure("ece", (), ece, "lower", biased=True), [confidence, passed], 0)
    raw = estimate(Figure("ece", (), ece, "lower"), [confidence, passed], 0)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert raw.low is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < raw.low


# --- the calibration test ---


def test_calibration_is_rejected_for_the_overconfident_and_seldom_for_the_honest() -> None:
    rng = np.random.default_rng(8)
    confidence = rng.uniform(0.3, 0.9, 80)
    rejected = 0
    for _ in range(100):
        honest = (rng.random(80) < confidence).astype(float)
        rejected += consistency_test(ece, (confidence, honest), 0) < 0.05
    assert rejected <= 12, "about 5 of 100 are expected"
    bragging = (rng.random(80) < confidence - 0.3).astype(float)
    assert consistency_test(ece, (confidence, bragging), 0) < 0.01


def test_a_perfect_forecaster_has_a_large_error_at_small_n() -> None:
    confidence = np.linspace(0.05, 0.95, 20)
    passed = (np.random.default_rng(2).random(20) < confidence).astype(float)
    assert ece(confidence, passed) > 0.15
    assert consistency_test(ece, (confidence, passed), 0) > 0.05


def outcome(confidence: float | None, passed: float, number: int) -> Outcome:
    scores = {"strict_pass": passed} | ({"confidence": confidence} if confidence is not None else {})
    return Outcome(Case(str(number), KINDS[number % 3], ("q",)), scores)


def test_calibration_bins_hold_all_cases_in_order() -> None:
    found = calibration([outcome(i / 40, float(i % 2), i) for i in range(25)] + [outcome(None, 1.0, 99)], 0)
    assert found is not None
    assert sum(b.n for b in found.bins) == 25
    assert [b.confidence for b in found.bins] == sorted(b.confidence for b in found.bins)
    assert all(b.low <= b.rate <= b.high for b in found.bins)
    assert calibration([outcome(None, 1.0, 1)], 0) is None


def test_every_figure_has_a_name_of_its_own() -> None:
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
    assert RESAMPLES >= 1000
    assert {case.kind for case in CASES} == set(KINDS)
