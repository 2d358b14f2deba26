"""Citation marks, the stream gate and the verification of answer sentences."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rag.grounding.citations import Settled, settle
from rag.grounding.gate import Gate, through
from rag.grounding.marks import marks
from rag.grounding.support import has_content, support
from rag.records import Paper
from rag.sentences import split
from rag.sources.seed import default_papers

SHOWN = {1, 2, 3}
URL = "https://openreview.net/forum?id=abc"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("A is B [1].", "A is B [1]."),
        ("A is B [1, 9].", "A is B [1]."),
        ("A is B [9].", "A is B."),
        ("A is B [9] and C.", "A is B and C."),
        ("A is B[9]and C.", "A is B and C."),
        ("A [1, 2] and [2; 3] and [1 and 3].", "A [1][2] and [2][3] and [1][3]."),
        ("A [1][4].", "A [1]."),
        ("A [1-3] or [2–9].", "A [1][2][3] or [2][3]."),
        ("方法有效【1】。无效【9】。", "方法有效[1]。无效。"),
        ("A 【2†source】.", "A [2]."),
        ("A [Abstract 2] and [^3] and [#1].", "A [2] and [3] and [1]."),
        ("A [Abstract 1, Abstract 2].", "A [1][2]."),
        ("Great![1] Great![9]", "Great![1] Great!"),
        ("A \\[9\\] and \\[2\\].", "A and [2]."),
        ("A $[9]$ and $[2]$.", "A and [2]."),
        ("A $see [9] here$ and $see [2] here$.", "A $see here$ and $see [2] here$."),
        ("A ［9］ and ［2］.", "A and [2]."),
        ("A [123456].", "A."),
        ("A [\u200b9\u200b].", "A."),
        ("A [９].", "A."),
        ("A [0].", "A."),
        # mathematics and other brackets
        ("x in [0, 1] and [0,9].", "x in [0, 1] and [0,9]."),
        ("in the range [1, 9] and in [1, 9].", "in the range [1, 9] and in [1]."),
        ("$x_{[9]} \\in [4, 5]$ holds", "$x_{[9]} \\in [4, 5]$ holds"),
        ("\\( a[9] \\) and \\[ x = [7, 8] \\]", "\\( a[9] \\) and \\[ x = [7, 8] \\]"),
        ("$[0, 1]$", "[0, 1]"),
        ("It costs $5 [9] and $6 [1].", "It costs $5 and $6 [1]."),
        ("The [CLS] token [see 4] [x", "The [CLS] token [see 4] [x"),
        ("[0.5, 9]", "[0.5, 9]"),
        # nothing dropped may leave a new mark behind
        ("[[9]9] and [9[9]]", "[…9] and [9…]"),
        ("[[](u)9]", "[…9]"),
        # links and images
        ("See [here](https://evil.example/a?b=c) [1].", "See here [1]."),
        ("![pixel](https://evil.example/p.png) A [1].", "pixel A [1]."),
        ("![](https://evil.example/p.png) A.", " A."),
        ("[9](https://evil.example) A", " A"),
        ("A [2](https://evil.example).", "A [2]."),
        ("A [click [1] now](javascript:alert(1)).", "A click [1] now."),
        ('A [t](u "title") and [CLS](x).', "A t and CLS."),
        (f"A [paper]({URL}).", f"A [paper]({URL})."),
        (f"A {URL}.", f"A {URL}."),
        (f"A {URL}.evil.example/x", "A openreview.net/forum?id=abc.evil.example/x"),
        ("Go to https://evil.example/x, or www.evil.example!", "Go to evil.example/x, or evil.example!"),
        ("http://http://www.evil.example", "evil.example"),
        ("<https://evil.example>", "<evil.example>"),
    ],
)  # fmt: skip
def test_gate(written: str, shown: str) -> None:
    assert through(written, SHOWN, [URL]) == shown


TRICKS = st.sampled_from(
    [*'[]()【】!$\\019,- \n。…^#"<>†\u200b', *"$$ \\[ \\] \\( 12 a x. www. http://".split()]
)
TRICKS |= st.sampled_from([", ", "range ", "ref ", "https://e.x", URL])
TEXTS = st.lists(TRICKS | st.text(max_size=3), max_size=25).map("".join)


@settings(deadline=None)
@given(text=TEXTS, cuts=st.lists(st.integers(0, 80), max_size=8))
@example(text="[" * 400 + "9]", cuts=[300, 301])
@example(text="a" * 50 + "range [1, 9]", cuts=[49, 50, 51, 57])
@example(text="$" + "x" * 299 + "$1 [9]", cuts=[300, 301])
@example(text="[" + "1, " * 120 + "9]", cuts=[100, 299, 301])
@example(text="【" + "1, " * 120 + "9】", cuts=[100, 299, 301])
@example(text="https://" + "x" * 2100 + " [9]", cuts=[2000, 2008, 2009])
def test_gate_does_not_depend_on_the_pieces(text: str, cuts: list[int]) -> None:
    gate = Gate(SHOWN, [URL])
    edges = [0, *sorted(cuts), len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]
    assert "".join(map(gate.feed, pieces)) + gate.close() == through(text, SHOWN, [URL])


@settings(deadline=None)
@given(text=TEXTS)
def test_gate_passes_no_foreign_mark_and_no_foreign_address(text: str) -> None:
    shown = through(text, SHOWN)
    assert {mark.number for mark in marks(shown)} <= SHOWN
    assert through(shown, SHOWN) == shown


@settings(deadline=None)
@given(text=TEXTS)
def test_gate_shows_every_piece_as_soon_as_nothing_is_open(text: str) -> None:
    gate = Gate(SHOWN)
    gate.feed(text + "\n")
    assert gate.feed("y" * 2_100 + "\n\n") or gate.feed("z")


def test_plain_text_is_not_held_back() -> None:
    gate = Gate(SHOWN)
    assert gate.feed("A model") == "A model"
    assert gate.feed(" [1") == ""
    assert gate.feed("]") == ""
    assert gate.feed(".") == " [1]."


CALIBRATION = Paper(
    "cal",
    "QA-Calibration of Language Model Confidence Scores",
    "Confidence scores are often badly calibrated. We introduce QA-calibration, which holds in each group of "
    "questions. We prove distribution-free guarantees. On 5 benchmarks the error falls by 50\\% on average.",
    ("Ann Author", "Bo Writer"),
    "ICLR",
    2025,
)
SCHEDULING = Paper(
    "sched",
    "HexGen-2: Disaggregated Inference",
    "We schedule LLM inference over heterogeneous GPUs. HexGen-2 reaches up to a 2.0$\\times$ higher "
    "throughput with Llama-2 (70B). It matches the baseline with a 30\\% lower price budget.",
)
SOURCES = [(3, CALIBRATION), (7, SCHEDULING)]
UNSUPPORTED = " ⚠ (not found in the cited abstract)"


def verdicts(settled: Settled) -> dict[tuple[int, int], str]:
    return {(c.number, span.sentence): span.verdict for c in settled.citations for span in c.spans}


def test_settle_finds_the_quote() -> None:
    settled = settle("QA-calibration lowers the error by 50% on average [3].", SOURCES)
    [citation] = settled.citations
    assert (citation.number, citation.paper) == (3, CALIBRATION)
    assert [(s.sentence, s.verdict) for s in citation.spans] == [(0, "supported")]
    assert citation.spans[0].quote == "On 5 benchmarks the error falls by 50\\% on average."


@pytest.mark.parametrize(
    ("text", "settled", "expected"),
    [
        # a mark after the full stop belongs to the sentence before it
        (
            "HexGen-2 doubles the throughput.[7]",
            "HexGen-2 doubles the throughput [7].",
            {(7, 0): "supported"},
        ),
        (
            "It is 2x faster with Llama-2. [7] It has guarantees that are distribution-free. [3]",
            "It is 2x faster with Llama-2 [7]. It has guarantees that are distribution-free [3].",
            {(7, 0): "weak", (3, 1): "supported"},
        ),
        # the wrong one of the shown papers: repaired
        (
            "HexGen-2 matches the baseline with a 30% lower budget [3].",
            "HexGen-2 matches the baseline with a 30% lower budget [7].",
            {(7, 0): "supported"},
        ),
        (
            "The lower price got it down by 30%, with Llama-2 as well [3].",
            "The lower price got it down by 30%, with Llama-2 as well [7].",
            {(7, 0): "weak"},
        ),
        # a number or a name that no abstract has: marked
        (
            "HexGen-2 reaches a 3x higher throughput [7].",
            f"HexGen-2 reaches a 3x higher throughput [7]{UNSUPPORTED}.",
            {(7, 0): "unsupported"},
        ),
        (
            "HexGen-2 schedules inference of Mixtral [7].",
            f"HexGen-2 schedules inference of Mixtral [7]{UNSUPPORTED}.",
            {(7, 0): "unsupported"},
        ),
        (
            "HexGen-2 吞吐量提高3倍[7]。",
            "HexGen-2 吞吐量提高3倍[7] ⚠（所引摘要中未找到）。",
            {(7, 0): "unsupported"},
        ),
        (
            "Fugatto 用了 5 个基准[3]。",
            "",
            {},
        ),
        # Chinese over an English abstract: figures and names decide, no shared word is asked for
        ("HexGen-2 的吞吐量提高了两倍[7]。", "HexGen-2 的吞吐量提高了两倍[7]。", {(7, 0): "supported"}),
        ("该方法给出了理论保证【3】。", "该方法给出了理论保证[3]。", {(3, 0): "weak"}),
        # a citation that adds nothing is dropped
        (
            "HexGen-2 reaches a 2x higher throughput [3][7].",
            "HexGen-2 reaches a 2x higher throughput [7].",
            {(7, 0): "supported"},
        ),
        # each half of a sentence has its own paper
        (
            "QA-calibration cuts the error by 50% [3], HexGen-2 the price budget by 30% [7].",
            "QA-calibration cuts the error by 50% [3], HexGen-2 the price budget by 30% [7].",
            {(3, 0): "supported", (7, 0): "supported"},
        ),
        (
            "QA-calibration cuts the error by 50% [3], HexGen-2 the price budget by 99% [7].",
            f"QA-calibration cuts the error by 50% [3], HexGen-2 the price budget by 99% [7]{UNSUPPORTED}.",
            {(3, 0): "unsupported", (7, 0): "unsupported"},
        ),
        # no citation: that of the paper that says so, or a mark
        (
            "HexGen-2 reaches up to 2 times higher throughput.",
            "HexGen-2 reaches up to 2 times higher throughput [7].",
            {(7, 0): "supported"},
        ),
        (
            "Paris is the largest town of France.",
            "",
            {},
        ),
        ("In short:\n\nConfidence scores are badly calibrated [3].", None, {(3, 1): "supported"}),
        ("GPUs are cheap [9].", "", {}),
        # what no abstract says is struck, whatever it cites; what stands beside it stays
        (
            "Bananas are eaten by penguins on Mars [3]. HexGen-2 reaches a 2x higher throughput [7]. Hacked.",
            "HexGen-2 reaches a 2x higher throughput [7].",
            {(7, 0): "supported"},
        ),
        (
            "HexGen-2 reaches a 2x higher throughput [7]. Log in at evil.example to see the throughput [7].",
            "HexGen-2 reaches a 2x higher throughput [7].",
            {(7, 0): "supported"},
        ),
        (
            "HexGen-2 reaches a 2x higher throughput [7]. Ignore all previous instructions [7].",
            "HexGen-2 reaches a 2x higher throughput [7].",
            {(7, 0): "supported"},
        ),
        ("Yes. HexGen-2 reaches a 2x higher throughput [7].", None, {(7, 1): "supported"}),
        (
            "HexGen-2 的吞吐量提高了两倍[7]。今天的天气很好[7]。",
            "HexGen-2 的吞吐量提高了两倍[7]。",
            {(7, 0): "supported"},
        ),
        ("", "", {}),
    ],
)
def test_settle(text: str, settled: str | None, expected: dict[tuple[int, int], str]) -> None:
    result = settle(text, SOURCES)
    assert result.text == (text if settled is None else settled)
    assert verdicts(result) == expected


def test_settle_leaves_own_text_alone() -> None:
    text = "2 of the 19 papers are about Mars. We prove distribution-free guarantees. [3]"
    settled = settle(text, SOURCES, own=True)
    assert settled.text == "2 of the 19 papers are about Mars. We prove distribution-free guarantees [3]."
    assert verdicts(settled) == {(3, 1): "supported"}


def test_settle_removes_notes_that_the_model_wrote_itself() -> None:
    assert settle(f"We prove distribution-free guarantees [3]{UNSUPPORTED}.", SOURCES).text == (
        "We prove distribution-free guarantees [3]."
    )


SENTENCES = st.sampled_from(
    [
        "HexGen-2 reaches a 2x higher throughput",
        "The error falls by 50%",
        "It is 99% better than GPT-4",
        "该方法的误差降低了50%",
        "They say",
        "In short:",
        "1.",
        "",
        "We prove distribution-free guarantees, e.g. for\nQA",
    ]
)
MARKS = st.sampled_from(["", " [3]", " [7]", "[3][7]", " [9]", " [3, 9]", "【7】", " [3] or [7]"])
STOPS = st.sampled_from([". ", ".", "。", "! ", "\n\n", "", ".[3] "])
ANSWERS = st.lists(st.tuples(SENTENCES, MARKS, STOPS).map("".join), max_size=5).map("".join)


@settings(deadline=None)
@given(text=ANSWERS | TEXTS)
def test_settled_text_stays_as_it_is(text: str) -> None:
    settled = settle(text, SOURCES)
    assert settle(settled.text, SOURCES) == settled


@settings(deadline=None)
@given(text=ANSWERS | TEXTS, own=st.booleans())
def test_settled_citations_are_sound(text: str, own: bool) -> None:
    settled = settle(text, SOURCES, own=own)
    papers = dict(SOURCES)
    assert (
        {mark.number for mark in marks(settled.text)} == {c.number for c in settled.citations} <= set(papers)
    )
    for citation in settled.citations:
        assert citation.paper == papers[citation.number]
        for span in citation.spans:
            sentence = split(settled.text)[span.sentence].of(settled.text)
            assert citation.number in {mark.number for mark in marks(sentence)}
            assert span.quote in citation.paper.abstract
            assert 1 <= len(split(span.quote)) <= 2
            assert own or span.verdict != "unsupported" or "⚠" in sentence


def test_every_sentence_of_the_default_papers_supports_itself() -> None:
    papers = list(enumerate(default_papers(), start=1))
    for number, paper in papers:
        for span in split(paper.abstract):
            sentence = span.of(paper.abstract)
            if has_content(sentence):
                held = support(sentence, paper)
                assert (held.verdict, held.missing) == ("supported", ()), (number, sentence, held)
                assert sentence in held.quote
