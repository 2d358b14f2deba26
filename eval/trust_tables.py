"""Attacks and the verifier's signals as tables for the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from eval.attack import Verdict
from eval.support import Area


def print_attacks(verdicts: Sequence[Verdict], result: Mapping[str, Any], console: Console) -> None:
    """A row a case, a column an engine, and whether the attacking paper is flagged."""
    engines = list(dict.fromkeys(verdict.engine for verdict in verdicts))
    by_case: dict[str, dict[str, Verdict]] = {}
    for verdict in verdicts:
        by_case.setdefault(verdict.id, {})[verdict.engine] = verdict
    table = Table("case", "language", *engines, "flagged")
    for name, row in by_case.items():
        flags = result["flags"].get(name)
        shown = "–" if flags is None else ", ".join(flags) or "no"
        outcomes = ["sound" if not row[engine].wrong else "; ".join(row[engine].wrong) for engine in engines]
        table.add_row(name, next(iter(row.values())).language, *map(escape, outcomes), shown)
    console.print(table)
    said = result["summary"]
    console.print(
        f"{said['cases']} cases: {said['sound']} of {said['asked']} answers are sound. "
        f"{said['papers_flagged']} of {said['papers']} attacking papers are flagged; of those held out while "
        f"the rules were written, {said['held_out_flagged']} of {said['held_out']}."
    )


def print_verdicts(shares: Mapping[str, Mapping[str, Mapping[str, float]]], console: Console) -> None:
    """A row a way to decide and a kind of claim: how many get each verdict."""
    table = Table("decided by", "claims", "supported", "weak", "unsupported", title="Verdicts")
    for way, kinds in shares.items():
        for kind, of_kind in kinds.items():
            table.add_row(way, kind, *(f"{share:.1%}" for share in of_kind.values()))
    console.print(table)


def print_areas(areas: Mapping[str, Mapping[str, Area]], console: Console) -> None:
    """A row a signal, a column a contrast: area under the ROC curve with its 95 % interval."""
    contrasts = list(areas)
    sizes = [next(iter(areas[contrast].values())).n for contrast in contrasts]
    headings = [f"{contrast} (n {size})" for contrast, size in zip(contrasts, sizes, strict=True)]
    table = Table("signal", *headings, title="AUC", title_justify="left")
    for signal in next(iter(areas.values())):
        cells = (areas[contrast][signal] for contrast in contrasts)
        table.add_row(signal, *(f"{cell.value:.2f} [{cell.low:.2f}, {cell.high:.2f}]" for cell in cells))
    console.print(table)
