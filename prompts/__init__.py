"""Prompts as text files, one a prompt, loaded as LlamaIndex chat prompt templates.

A file holds messages, each under a line `=== system`, `=== user` or `=== assistant`; variables are `{name}`.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from importlib.resources import files

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.prompts import ChatPromptTemplate

_HEADING = re.compile(r"^=== (system|user|assistant)[ \t]*\n", re.MULTILINE)
_VARIABLE = re.compile(r"\{([^{}]*)\}")


class PromptError(ValueError):
    """A prompt file is missing, has no messages, or does not have the variables its caller fills."""


@lru_cache
def load(name: str, variables: frozenset[str]) -> ChatPromptTemplate:
    """The prompt of `<name>.txt`, which must use exactly these variables.

    Raises:
        PromptError: no such file, text outside a message, a variable missing or unknown.
    """
    file = files(__name__) / f"{name}.txt"
    if not file.is_file():
        raise PromptError(f"There is no prompt {name}.txt.")
    return parse(file.read_text("utf-8"), variables, name)


def parse(text: str, variables: Collection[str], name: str = "prompt") -> ChatPromptTemplate:
    """The messages of a prompt's text. Raises PromptError as `load` does."""
    before, *parts = _HEADING.split(text)
    if before.strip() or not parts:
        raise PromptError(
            f"{name}: every message needs a line '=== system', '=== user' or '=== assistant' first."
        )
    found = set(_VARIABLE.findall(text))
    if missing := sorted(set(variables) - found):
        raise PromptError(f"{name}: lacks {', '.join(missing)}.")
    if unknown := sorted(found - set(variables)):
        raise PromptError(f"{name}: unknown {', '.join(unknown)}.")
    roles, bodies = parts[::2], parts[1::2]
    return ChatPromptTemplate(
        [
            ChatMessage(role=MessageRole(role), content=body.strip())
            for role, body in zip(roles, bodies, strict=True)
        ]
    )
