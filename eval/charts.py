"""The pictures of a report, as SVG to be put into a page.

Drawn by matplotlib at the width of a phone, with real text. Lines and text take the colours of the page, so
one picture serves light and dark.
"""

import io
import re
from collections.abc import Callable, Sequence
from html import escape
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from eval.calibration import Calibration

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 5.0, 3.4
"""Inches of 72 points: 360 by 245."""

# matplotlib wants numbers; the page wants its own colours. Each number stands for what replaces it.
TEXT, ACCENT, SOFT = "#010203", "#020304", "#030405"
_COLOURS = {TEXT: "currentColor", ACCENT: "var(--accent, #2563eb)", SOFT: "var(--line, #9ca3af)"}
_STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 11,
    "text.color": TEXT,
    "axes.labelcolor": TEXT,
    "axes.edgecolor": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "legend.frameon": False,
}
_DRAWING = Lock()  # matplotlib keeps the style of all threads in one place


def reliability(calibration: Calibration) -> str:
    """Pass rate against confidence, bin by bin with exact 95 % intervals; the diagonal is perfect."""

    def paint(axes: "Axes") -> None:
        confidence = [one.confidence for one in calibration.bins]
        rate = [one.rate for one in calibration.bins]
        reach = [
            [one.rate - one.low for one in calibration.bins],
            [one.high - one.rate for one in calibration.bins],
        ]
        axes.plot([0, 1], [0, 1], color=SOFT, linestyle="--", linewidth=1)
        axes.errorbar(confidence, rate, yerr=reach, fmt="o", color=ACCENT, markersize=5, linewidth=1.2)
        axes.set(xlabel="confidence", ylabel="pass rate", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))

    count = sum(one.n for one in calibration.bins)
    return _drawn(paint, f"Reliability diagram: pass rate against confidence, {count} cases")


def risk_coverage(points: Sequence[tuple[float, float]]) -> str:
    """Share of wrong answers among the surest, against the share of answers given."""

    def paint(axes: "Axes") -> None:
        coverage, risk = zip(*points, strict=True)
        axes.plot(coverage, risk, color=ACCENT, linewidth=1.8)
        axes.axhline(risk[-1], color=SOFT, linestyle="--", linewidth=1)
        axes.set(xlabel="coverage", ylabel="risk", xlim=(0, 1.02), ylim=(-0.02, max(0.1, *risk) * 1.1))

    return _drawn(paint, f"Risk-coverage curve: risk {points[-1][1]:.2f} when all are answered")


def latency(seconds: Sequence[float]) -> str:
    """How many answers took how long."""

    def paint(axes: "Axes") -> None:
        axes.hist(seconds, bins=min(20, max(5, len(seconds) // 3)), color=ACCENT)
        for percent in (50, 95):
            at = float(np.percentile(seconds, percent))
            axes.axvline(at, color=TEXT, linestyle="--", linewidth=1)
            axes.text(
                at,
                axes.get_ylim()[1],
                f"p{percent}",
                horizontalalignment="center",
                verticalalignment="bottom",
            )
        axes.set(xlabel="seconds", ylabel="answers")
        axes.set_xlim(left=0)

    return _drawn(paint, f"Latency histogram of {len(seconds)} answers")


def growth(sizes: Sequence[int], costs: Sequence[float], unit: str, title: str) -> str:
    """A cost against the number of papers, both logarithmic: a straight line of slope 1 is linear growth."""

    def paint(axes: "Axes") -> None:
        axes.plot(sizes, costs, color=ACCENT, marker="o", linewidth=1.8)
        axes.plot(
            sizes, [costs[0] * size / sizes[0] for size in sizes], color=SOFT, linestyle="--", linewidth=1
        )
        axes.set(xlabel="papers", ylabel=unit, xscale="log", yscale="log")
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.minorticks_off()
        axes.set_yticks(costs, [f"{cost:.3g}" for cost in costs])

    return _drawn(paint, f"{title}: {unit} against papers, from {costs[0]:.3g} to {costs[-1]:.3g}")


def _drawn(paint: "Callable[[Axes], None]", label: str) -> str:
    import matplotlib as mpl  # on use: it takes a second
    from matplotlib.figure import Figure

    with _DRAWING, mpl.rc_context({**_STYLE, "svg.hashsalt": label}):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        paint(figure.subplots())
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", transparent=True, metadata={"Date": None})
    return _for_page(drawn.getvalue(), label)


def _for_page(svg: str, label: str) -> str:
    """The bare `svg` element, named for screen readers, in the font and the colours of its page."""
    svg = svg[svg.index("<svg ") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:width|height)="[\d.]+pt"', "", svg, count=2)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    svg = re.sub(r"font-family: [^;\"]*;?", "", svg)
    for number, colour in _COLOURS.items():
        svg = svg.replace(number, colour)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
