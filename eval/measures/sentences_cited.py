"""Share of an answer's sentences that carry a citation."""

import re

from eval.cases import Case
from eval.marks import has_mark, without_leading_marks, without_marks
from eval.observation import Observation
from rag.sentences import split

_PROSE = ("lookup", "explain", "compare", "followup")


def sentences_cited(case: Case, seen: Observation) -> float | None:
    """Cited sentences by sentences: what ALCE's citation recall (Gao et al., EMNLP 2023) needs no judge for.

    Applies to prose answers. Marks behind a full stop belong to the sentence before, unless that has its own.
    """
    if case.kind not in _PROSE or seen.answer.abstained:
        return None
    cited: list[bool] = []
    for span in split(seen.answer.text):
        sentence = span.of(seen.answer.text)
        body = without_leading_marks(sentence)
        if cited and not cited[-1] and body != sentence:
            cited[-1] = True
            sentence = body
        if re.search(r"\w", without_marks(sentence)):
            cited.append(has_mark(sentence))
    return sum(cited) / len(cited) if cited else None
