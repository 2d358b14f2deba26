"""What tests of the index on disk share: building one, and programs in processes of their own."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from short_papers import local_embedding

from rag.index.embedding import LocalEmbedding
from rag.index.paper_index import PaperIndex
from rag.records import IngestReport, Paper, Passage, Reading

ROOT = Path(__file__).parents[1]
QUESTION = "which papers use conformal prediction?"
CONFORMAL = "9WYMDgxDac"


class CountingEmbedding(LocalEmbedding):
    """The shipped model, and how many texts it was given."""

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        self._count += len(texts)
        return super()._get_text_embeddings(texts)

    _count: int = 0

    @property
    def count(self) -> int:
        return self._count


def build(folder: Path, *papers: Paper, list_name: str = "") -> IngestReport:
    with PaperIndex.open(folder, local_embedding()) as index:
        return index.ingest(Reading(papers), list_name=list_name)


def run(program: str, *arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":
    """A Python program in a process of its own, run from the project's root."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )


def best(found: list[tuple[Passage, float]]) -> str:
    return found[0][0].paper_id
