"""Regular expressions of a module, compiled when they are first used: a question needs few of hundreds."""

import re
from typing import Any, cast


class _LazyPattern:
    """Stands for `re.compile(source, flags)` and becomes it at first use; its methods are then as fast."""

    def __init__(self, source: str, flags: int) -> None:
        self._said = source, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(*self._said), name)
        self.__dict__[name] = value
        return value


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern `source`, for its methods (`x.sub(...)`, not `re.sub(x, ...)`); re.error at first use."""
    return cast("re.Pattern[str]", _LazyPattern(source, flags))
