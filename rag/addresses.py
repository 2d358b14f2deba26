"""What tells a paper in an address of the web: arXiv's ids and DOIs."""

from rag.patterns import lazy_pattern

ARXIV = lazy_pattern(
    r"https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/"
    r"(?P<id>(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5}))(?P<version>v\d+)?(?:\.pdf)?/?"
)
"""An address of a paper on arXiv, of one version of it where `version` says so."""

DOI = r"(?P<doi>10\.\d{4,9}/\S+)"
"""A DOI in a pattern."""
