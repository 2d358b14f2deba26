"""BibTeX and BibLaTeX, as Zotero, JabRef and publishers write it: one entry a paper."""

import re

from rag.patterns import lazy_pattern
from rag.records import Reading
from rag.sources.document import Document, Format

_ENTRY = lazy_pattern(
    r"^[ \t]*@[ \t]*(?!comment|preamble|string)[a-z]{1,40}\s{0,9}[{(]", re.IGNORECASE | re.MULTILINE
)


def _matches(document: Document) -> bool:
    return _ENTRY.search(document.text) is not None


def _read(document: Document) -> Reading:
    from rag.sources.bibtex_entries import (
        read_entries,  # its libraries are loaded where there is BibTeX to read
    )

    return read_entries(document)


FORMAT = Format("BibTeX", frozenset({".bib", ".bibtex"}), _matches, _read)
