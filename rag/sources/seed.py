"""The papers that come with the package."""

import json
from functools import cache
from importlib.resources import files

from rag.records import Paper
from rag.sources.fields import read_records


@cache
def default_papers() -> tuple[Paper, ...]:
    """The 19 papers of the first list, in its order."""
    text = files("rag.data").joinpath("seed19.json").read_text(encoding="utf-8")
    return read_records(("seed19.json", record) for record in json.loads(text)).papers
