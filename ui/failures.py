"""What a reader is told of a failure, and what the terminal gets."""

import logging
import traceback

from rag.errors import RagError

_log = logging.getLogger(__name__)


def told(error: Exception, otherwise: str) -> str:
    """The message of an error of ours; `otherwise` for any other, whose place is logged."""
    if isinstance(error, RagError):
        return str(error)
    _log.error("Something failed inside: %s", _place(error))
    return otherwise


def _place(error: Exception) -> str:
    """Kind of error and where it was raised. Its text is left out: it may quote a question or a key."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"
