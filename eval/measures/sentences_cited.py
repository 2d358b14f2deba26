"""Share of an answer's sentences that carry a citation."""

import re

from eval.cases import Case
from eval.marks import has_mark, starts_with_mark, without_marks
from eval.observation import Observation
from rag.sentences import split

_PROSE = ("lookup", "explain", "compare", "followup")


def sentences_cited(case: Case, seen: Observation) -> float | None:
    """Cited sentences by sentences: what ALCE's citation recall (Gao et al., EMNLP 2023) needs no judge for.

    Applies to prose answers. A mark behind the full stop counts for the sentence before it too.
    """
    if case.kind not in _PROSE or seen.answer.abstained:
        return None
    sentences = [span.of(seen.answer.text) for span in split(seen.answer.text)]
    cited = [
        has_mark(sentence) or starts_with_mark(following)
        for sentence, following in zip(sentences, [*sentences[1:], ""], strict=True)
        if re.search(r"\w", without_marks(sentence))
    ]
    return sum(cited) / len(cited) if cited else None
