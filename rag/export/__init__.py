"""Papers and conversations for elsewhere: one module a format, pure functions from values to text."""

from collections.abc import Callable, Mapping, Sequence

from rag.export.bibtex import bibtex
from rag.export.csl import csl
from rag.export.markdown import markdown
from rag.export.ris import ris
from rag.records import Paper

PAPER_FORMATS: Mapping[str, Callable[[Sequence[Paper]], str]] = {
    "bibtex": bibtex,
    "ris": ris,
    "csl": csl,
    "markdown": markdown,
}
"""Name of a format → papers to text that ends with a line break; no papers give an empty document."""
