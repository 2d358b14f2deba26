"""Abstracts cut into passages of whole sentences."""

from functools import cache
from typing import TYPE_CHECKING

from rag.index import tokens
from rag.records import Paper, Passage
from rag.sentences import split

if TYPE_CHECKING:  # a second to import, and whoever only reads papers cuts none
    from llama_index.core.node_parser import SentenceSplitter

CHUNK_TOKENS = 200
"""With a title before it, this many tiktoken tokens fit the 256 word pieces all-MiniLM-L6-v2 reads."""
CHUNKER = f"sentences-{CHUNK_TOKENS}-{tokens.ENCODING}-1"
"""Names how passages are cut; an index keeps it, and one cut otherwise is refused."""

# Only a sentence longer than a chunk is cut here: after a comma, colon or semicolon, never inside a number.
_CLAUSES = r"(?s).+?(?:[,;:](?=\s)|[，；：、]|\Z)"


def passages(paper: Paper) -> tuple[Passage, ...]:
    """The passages of a paper's abstract in order: whole sentences, no overlap, `abstract[start:end]`.

    Every paper has at least one: an empty abstract gives one empty passage, which stands for the title.
    """
    found: list[Passage] = []
    position = 0
    for chunk in _splitter().split_text(paper.abstract):
        start = paper.abstract.index(chunk, position)
        position = start + len(chunk)
        found.append(Passage(paper.id, len(found), start, position, chunk))
    return tuple(found) or (Passage(paper.id, 0, 0, 0, ""),)


def searchable(title: str, titled: bool, text: str) -> str:
    """What is embedded and ranked for a passage: the title, where the list gave one, and the passage."""
    return f"{title}\n{text}".strip() if titled or not text else text


@cache
def _splitter() -> "SentenceSplitter":
    from llama_index.core.node_parser import SentenceSplitter

    return SentenceSplitter(
        chunk_size=CHUNK_TOKENS,
        chunk_overlap=0,
        tokenizer=tokens.encode,
        chunking_tokenizer_fn=_sentences,
        secondary_chunking_regex=_CLAUSES,
    )


def _sentences(text: str) -> list[str]:
    """Sentences with the white space after each, so that joined they are `text` again."""
    starts = [0, *(span.start for span in split(text)[1:])]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
