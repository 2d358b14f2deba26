"""Count how many passages of a large list have each stem: the background of inverse document frequencies."""

from eval.fitting import DATA
from rag.index.paper_index import PaperIndex

FEWEST = 3
"""A stem in fewer passages is left out: it may be a name or a slip, and weighs as unknown."""


def write_counts(index: PaperIndex) -> str:
    """Write `rag/data/word_counts.tsv`; the empty word's line says how many passages there are."""
    counts = {stem: index.document_frequency(stem) for stem in index.vocabulary if stem}
    kept = sorted(stem for stem, count in counts.items() if count >= FEWEST and "\t" not in stem)
    lines = [f"\t{index.describe().passages}", *(f"{stem}\t{counts[stem]}" for stem in kept)]
    (DATA / "word_counts.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"word_counts: {len(kept)} stems"
