"""How complete a list is asked to be: "list at least 95 % of the papers on X"."""

import re

from rag.patterns import lazy_pattern

_PERCENT = r"(?P<{}>[5-9]\d)\s?(?:%|per ?cent\b)"
_AMOUNT = r"(?:(?:with|at|to)\s+)?(?:(?:at least|about|around|roughly|over|more than)\s+)?(?:an?\s+)?"
_LEVEL = lazy_pattern(
    rf"[,;]?\s*\b{_AMOUNT}{_PERCENT.format('of')}\s*of\s+(?:them\b|(?:all\s+)?(?:the\s+)?"
    r"(?:(?:matching|relevant)\s+)?(?=(?:papers?|works?|articles?)\b))"
    rf"|[,;]?\s*(?:\b{_AMOUNT})?{_PERCENT.format('rate')}\s*(?:complete(?:ness)?|recall|coverage)\b"
    rf"|[,，;；]?\s*(?:(?:召回率|完整度|覆盖率)(?:至少|不低于|达到)?\s*{_PERCENT.format('zh')})",
    re.I,
)


def read_level(text: str) -> tuple[float | None, str]:
    """The level in (0, 1) and the text without it; None and the text as it is where it asks for none."""
    match = _LEVEL.search(text)
    if not match:
        return None, text
    percent = match["of"] or match["rate"] or match["zh"]
    return int(percent) / 100, " ".join(_LEVEL.sub(" ", text, count=1).split())
