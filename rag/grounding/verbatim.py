"""Whether a quotation stands in a text: letter by letter, but for case, white space and typography."""

import unicodedata

from rag.records import Span

_SAME = {
    **dict.fromkeys('"“”„«»‘’‚`´′″「」『』', "'"),
    **dict.fromkeys("‐‑‒–—−", "-"),
    **dict.fromkeys("[【（", "("),
    **dict.fromkeys("]】）", ")"),
    "‹": "<",
    "›": ">",
}
"""Signs that a model, or our own way of showing it an abstract, puts in place of others."""
_AROUND = "'….,;:!? 。，；：！？"


def find(quote: str, text: str) -> Span | None:
    """Where `quote` stands in `text` first; None where it does not, or says nothing.

    Marks around the quote are no part of it. The span begins and ends at a letter or sign of the quote.
    """
    wanted, _ = _folded(quote)
    wanted = wanted.strip(_AROUND)
    said, places = _folded(text)
    at = said.find(wanted) if wanted else -1
    return Span(places[at], places[at + len(wanted) - 1] + 1) if at >= 0 else None


def _folded(text: str) -> tuple[str, list[int]]:
    """The signs that count, in plain forms, and where in `text` each of them stands."""
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        for plain in unicodedata.normalize("NFKC", _SAME.get(sign, sign)).casefold():
            if not plain.isspace() and unicodedata.category(plain) != "Cf":
                signs.append(_SAME.get(plain, plain))
                places.append(place)
    return "".join(signs), places
