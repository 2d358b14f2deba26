"""Numbers of a conversation, and the marks in an answer's text."""

import itertools

from hypothesis import example, given
from hypothesis import strategies as st

from rag.grounding.marks import marks, neutral, unpaired
from rag.grounding.numbering import Numbering, render
from rag.records import Answer, Citation, Composition, Conversation, Evidence, Paper, Statement
from rag.sentences import split

PAPERS = [Paper(f"p{n}", f"Paper {n}", f"Abstract {n}.") for n in range(4)]


def before(*numbers: int) -> Conversation:
    """A conversation in which the first papers have these numbers."""
    citations = tuple(Citation(number, paper) for number, paper in zip(numbers, PAPERS, strict=False))
    return Conversation().with_turn(Answer("?", "lookup", "en", "", citations=citations))


def test_a_paper_keeps_its_number_and_a_new_one_gets_the_next() -> None:
    numbering = Numbering(before(1, 5))
    assert numbering.sources(PAPERS) == [(1, PAPERS[0]), (5, PAPERS[1]), (6, PAPERS[2]), (7, PAPERS[3])]
    assert numbering.number(PAPERS[2]) == 6
    assert Numbering(Conversation()).number(PAPERS[3]) == 1


@given(st.lists(st.sampled_from(PAPERS), max_size=12))
def test_numbers_are_one_to_one_and_without_gaps(asked: list[Paper]) -> None:
    numbering = Numbering(Conversation())
    given_out = [numbering.number(paper) for paper in asked]
    assert dict(zip(asked, given_out, strict=True)) == {
        paper: number for number, paper in enumerate(dict.fromkeys(asked), 1)
    }


def test_the_mark_stands_before_the_full_stop() -> None:
    statements = (
        Statement("It works.", (Evidence(PAPERS[0], "Abstract 0."),)),
        Statement("It is said", (Evidence(PAPERS[1], "Abstract 1."), Evidence(PAPERS[0], "Abstract"))),
        Statement("很好。", (Evidence(PAPERS[1], "Abstract 1."),)),
        Statement("Nothing is cited."),
        Statement("**One**.", (Evidence(PAPERS[2], "Paper 2"),), lead="\n- "),
    )
    text, citations = render(Composition(statements), Numbering(Conversation()))
    assert text == "It works [1]. It is said [2] [1] 很好 [2]。Nothing is cited.\n- **One** [3]."
    assert [(c.number, c.paper.id) for c in citations] == [(1, "p0"), (2, "p1"), (3, "p2")]


def test_an_empty_composition_is_an_empty_text() -> None:
    assert render(Composition(()), Numbering(Conversation())) == ("", ())


HOSTILE = st.lists(
    st.sampled_from(
        "[2]|[1, 3]|[ 4 ]|[^2]|$x$|$|$5|a$|$$|\\(|\\)|\\[|\\]|**|<b>|word| |. |? |! |。|.|“|”|Fig. |\n|\n- "
        "|[a](b)|see [|1]".split("|")
    ),
    max_size=10,
).map("".join)
STATEMENTS = st.lists(
    st.builds(
        Statement,
        HOSTILE.filter(lambda text: bool(text.strip())),
        st.lists(st.sampled_from(PAPERS), max_size=3).map(
            lambda papers: tuple(Evidence(p, p.title) for p in papers)
        ),
        st.sampled_from([" ", "\n- ", "\n\n"]),
    ),
    max_size=5,
)


@given(STATEMENTS)
@example([Statement("a $x [", (Evidence(PAPERS[0], "x"),)), Statement("b$", (Evidence(PAPERS[1], "x"),))])
@example([Statement(r"a \(", (Evidence(PAPERS[0], "x"),)), Statement(r"b\)", (Evidence(PAPERS[1], "x"),))])
def test_whatever_is_quoted_the_marks_are_the_citations(statements: list[Statement]) -> None:
    text, citations = render(Composition(tuple(statements)), Numbering(Conversation()))
    wanted = list(
        itertools.chain.from_iterable(
            dict.fromkeys(e.paper.id for e in statement.evidence) for statement in statements
        )
    )
    numbers = {citation.paper.id: citation.number for citation in citations}
    assert [mark.number for mark in marks(text)] == [numbers[paper] for paper in wanted]
    sentences = [span.of(text) for span in split(text)]
    for citation in citations:
        for span in citation.spans:
            assert citation.number in [mark.number for mark in marks(sentences[span.sentence])]


@given(HOSTILE)
def test_neutral_text_has_no_mark_and_stays_so(text: str) -> None:
    assert marks(neutral(text)) == []
    assert neutral(neutral(text)) == neutral(text)
    assert len(neutral(text)) == len(text)


@given(HOSTILE)
def test_an_unpaired_text_cannot_join_its_neighbour(text: str) -> None:
    alone = unpaired(neutral(text))
    for opener, closer in (("$a", "b$"), (r"\(a", r"b\)"), ("$$a", "b$$")):
        joined = f"{alone} [1] {unpaired(opener)} [2] {alone} [3] {unpaired(closer)} [4]"
        assert [mark.number for mark in marks(joined)] == [1, 2, 3, 4]
