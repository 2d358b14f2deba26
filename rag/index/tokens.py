"""Token counts with tiktoken, also without a network."""

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import tiktoken

ENCODING = "cl100k_base"


def count(text: str) -> int:
    """Tokens of `text`. Marks such as <|endoftext|> count as the plain text they are in a paper."""
    return len(encode(text))


def encode(text: str) -> list[int]:
    return _encoding().encode_ordinary(text)


@cache
def _encoding() -> tiktoken.Encoding:
    # tiktoken downloads its tables at first use; LlamaIndex ships a copy. A folder the user chose wins.
    core = find_spec("llama_index.core")
    if core is not None and core.submodule_search_locations:
        shipped = Path(next(iter(core.submodule_search_locations))) / "_static" / "tiktoken_cache"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(shipped))
    return tiktoken.get_encoding(ENCODING)
