"""Atoms: how the characters of a text look, each piece knowing where in the text it stands."""

import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rag.records import Span


@dataclass(frozen=True, slots=True)
class Atom:
    """Characters `start` to `end` of a text: `markup` is safe HTML, `plain` the same as characters.

    `styles` are the elements around it, outermost first. A `literal` atom stands for itself, character by
    character, and can be cut; any other (a formula, an accent) is shown whole or not at all.
    """

    start: int
    end: int
    markup: str
    plain: str
    styles: tuple[str, ...] = ()
    literal: bool = False


def literal(text: str, start: int, styles: tuple[str, ...] = ()) -> Atom:
    """Characters that stand for themselves."""
    return Atom(start, start + len(text), html.escape(text), text, styles, literal=True)


def as_markup(atoms: Iterable[Atom]) -> str:
    """Safe inline HTML."""
    return "".join(map(_styled, atoms))


def as_plain(atoms: Iterable[Atom]) -> str:
    """The text as it reads, for tooltips and labels."""
    return "".join(atom.plain for atom in atoms)


def as_highlighted(atoms: Iterable[Atom], marks: Mapping[Span, str]) -> str:
    """HTML with `<mark ATTRIBUTES>` around each span of `marks`, whose values are the attributes.

    The spans must not overlap. A formula that a span touches is marked whole.
    """
    edges = sorted({edge for span in marks for edge in (span.start, span.end)})
    pieces: list[str] = []
    current: Span | None = None
    for atom in _cut(atoms, edges):
        span = next((s for s in marks if s.start < atom.end and atom.start < s.end), None)
        if span != current:
            pieces.append("</mark>" if current else "")
            pieces.append(f"<mark {marks[span]}>" if span else "")
            current = span
        pieces.append(_styled(atom))
    pieces.append("</mark>" if current else "")
    return "".join(pieces)


def _styled(atom: Atom) -> str:
    if not atom.markup:
        return ""
    before = "".join(f"<{style}>" for style in atom.styles)
    after = "".join(f"</{style}>" for style in reversed(atom.styles))
    return f"{before}{atom.markup}{after}"


def _cut(atoms: Iterable[Atom], edges: list[int]) -> Iterator[Atom]:
    for atom in atoms:
        cuts = [edge for edge in edges if atom.start < edge < atom.end] if atom.literal else []
        if not cuts:
            yield atom
            continue
        for start, end in zip([atom.start, *cuts], [*cuts, atom.end], strict=True):
            yield literal(atom.plain[start - atom.start : end - atom.start], start, atom.styles)
