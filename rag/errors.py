"""Every error a user can meet, drawn as one tree.

RagError
├── UsageError            the caller's input is at fault (exit code 2)
│   ├── SettingsError       a setting is missing or makes no sense
│   ├── SourceError         a file holds no papers that can be read
│   ├── ModelMismatch       the index was built with another embedding model or chunker
│   └── UnknownPaper        no paper has this id
└── WorkError             the work itself failed (exit code 1)
    ├── IndexLocked         another process is writing to the data folder
    ├── IndexBroken         the data folder cannot be opened as an index
    ├── StorageError        disk full, folder not writable
    ├── PortInUse           the page's address is taken
    ├── EmbeddingError      the embedding model is missing or its file is damaged
    └── ModelError          the language model gave no usable answer
        ├── ModelUnreachable   endpoint down or name not resolved
        ├── ModelTimeout       no answer in time
        ├── ModelRateLimited   429 after retries
        ├── ModelKeyRejected   401 / 403
        ├── ModelOverflow      the prompt does not fit the model's window
        ├── ModelBroken        server error, or a stream that cannot be read or stopped half-way
        └── SpendCapReached    the daily cap of settings would be passed
"""

from typing import ClassVar


class RagError(Exception):
    """A failure with one clear `message`, a `hint` what to do next, and whether a retry may help.

    Holds strings only, so that it can cross processes and logs without carrying keys or handles.
    """

    exit_code: ClassVar[int] = 1
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(RagError):
    """The caller's input is at fault."""

    exit_code = 2


class SettingsError(UsageError):
    """A setting is missing or makes no sense."""


class SourceError(UsageError):
    """A file holds no papers that can be read."""


class ModelMismatch(UsageError):
    """The index was built with another embedding model or chunker than the one asked for."""


class UnknownPaper(UsageError):
    """No paper of the index has this id."""


class WorkError(RagError):
    """The work itself failed."""


class IndexLocked(WorkError):
    """Another process is writing to the data folder."""

    retryable = True


class IndexBroken(WorkError):
    """The data folder cannot be opened as an index."""


class StorageError(WorkError):
    """The disk is full or the folder cannot be written."""


class PortInUse(WorkError):
    """The page's address is taken."""


class EmbeddingError(WorkError):
    """The embedding model is missing, damaged or unreachable."""


class ModelError(WorkError):
    """The language model gave no usable answer; the extractive answer takes its place."""


class ModelUnreachable(ModelError):
    """The endpoint is down or its name cannot be resolved."""

    retryable = True


class ModelTimeout(ModelError):
    """No answer in time."""

    retryable = True


class ModelRateLimited(ModelError):
    """The endpoint asked to slow down, also after retries."""

    retryable = True


class ModelKeyRejected(ModelError):
    """The endpoint refused the key."""


class ModelOverflow(ModelError):
    """The prompt does not fit the model's window."""


class ModelBroken(ModelError):
    """A server error, or a stream that cannot be read or stopped half-way."""

    retryable = True


class SpendCapReached(ModelError):
    """The daily cap of settings would be passed."""
