"""Suggested questions: the papers of the answer decide them, and the real engine answers every one."""

import pytest

from rag.engine import PaperQueryEngine
from rag.records import Answer, Citation, Conversation, Decision, Language, Paper, Receipt
from rag.suggestions import MOST, asked_again, follow_ups
from ui.examples import examples
from ui.texts import texts_for

BEGINNINGS = (
    "Which papers are about language models?",
    "哪些论文研究语言模型？",
    "Which papers are spotlights?",
    "哪些论文是海报论文？",
    "Compare HexGen-2 and PRISM",
    "Who wrote HexGen-2?",
    "HexGen-2 的作者是谁？",
    "What is the capital of France according to HexGen-2?",
    "Which papers use quantum annealing on a trapped-ion chip?",
)


def beginnings(seed_engine: PaperQueryEngine) -> list[str]:
    shown = [question for tag in ("en", "zh") for question in examples(seed_engine.papers, texts_for(tag))]
    return [*shown, *BEGINNINGS]


def test_the_engine_answers_every_suggestion_and_those_that_follow_from_it(
    seed_engine: PaperQueryEngine,
) -> None:
    """Two steps deep from the questions of the page and others of every kind."""
    suggested = 0
    for question in beginnings(seed_engine):
        first = seed_engine.ask(question)
        for second in follow_ups(first):
            conversation = Conversation().with_turn(first)
            answer = seed_engine.ask(second, conversation)
            assert not answer.abstained, (question, second, answer.text)
            assert answer.citations or answer.papers, (question, second)
            for third in follow_ups(answer, [question, second]):
                last = seed_engine.ask(third, conversation.with_turn(answer))
                assert not last.abstained, (question, second, third, last.text)
                suggested += 1
    assert suggested > 30


@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_every_paper_something_can_be_asked_and_is_answered(
    seed_engine: PaperQueryEngine, language: Language
) -> None:
    for paper in seed_engine.papers:
        first = Answer("?", "lookup", language, "[1]", citations=(Citation(1, paper),))
        questions = follow_ups(first)
        assert 0 < len(questions) <= MOST
        for question in questions:
            answer = seed_engine.ask(question, Conversation().with_turn(first))
            assert not answer.abstained, (paper.title, question)
            assert paper.id in {citation.paper.id for citation in answer.citations}
            assert answer.language == language


def paper(number: int, **changes: object) -> Paper:
    fields = {"title": f"NAME-{number}: A title", "abstract": "We do this. It works.", "authors": ("A. B.",)}
    return Paper(f"p{number}", **(fields | changes))  # type: ignore[arg-type]


def listing(*papers: Paper, **changes: object) -> Answer:
    decisions = tuple(Decision(each, "yes", "", 1.0) for each in papers)
    fields = {"kind": "enumerate", "language": "en", "text": "", "papers": decisions}
    return Answer("Which?", **(fields | changes))  # type: ignore[arg-type]


def test_a_track_is_asked_for_only_where_it_divides_the_papers() -> None:
    some = listing(paper(1, track="oral"), paper(2, track="poster"), paper(3, track="poster"))
    assert follow_ups(some)[0] == "Which of them are orals?"
    for tracks in (("oral", "oral"), (None, None), ("best paper", "best paper award")):
        alike = listing(*(paper(number, track=track) for number, track in enumerate(tracks)))
        assert not any("of them are" in question for question in follow_ups(alike)), tracks


def test_code_is_asked_for_only_where_some_abstracts_give_it() -> None:
    with_code = "We do this. Code is available at https://github.com/a/b."
    assert "Which of them release code?" in follow_ups(listing(paper(1, abstract=with_code), paper(2)))
    for abstracts in (("We do this.",) * 2, (with_code,) * 2):
        alike = listing(*(paper(number, abstract=text) for number, text in enumerate(abstracts)))
        assert "Which of them release code?" not in follow_ups(alike)


def test_papers_without_title_abstract_or_authors_are_asked_for_nothing_they_lack() -> None:
    bare = paper(1, abstract="", authors=())
    assert follow_ups(listing(bare)) == ()
    assert follow_ups(listing(paper(1, titled=False), paper(2, titled=False))) == ()
    assert follow_ups(listing(paper(1, abstract=""))) == ("Who wrote it?",)
    assert follow_ups(Answer("Hi", "offtopic", "en", "Hello!")) == ()


def test_what_was_asked_before_is_not_suggested_again() -> None:
    first = follow_ups(listing(paper(1)))
    assert len(first) == MOST
    rest = follow_ups(listing(paper(1)), [question.upper() for question in first])
    assert rest
    assert not set(first) & set(rest)


@pytest.mark.parametrize(
    ("question", "searched_for", "kind", "language", "again"),
    [
        ("Which papers use Masks?", "masks", "enumerate", "en", "Which papers use flows?"),
        ("Any more like that?", "masks", "enumerate", "en", "Which papers are about flows?"),
        ("哪些论文研究掩码？", "mask", "enumerate", "zh", "哪些论文研究 flows？"),
        ("How does it work?", "How does it work? PRISM", "explain", "en", "flows"),
        ("How many papers are about masks?", "masks", "metadata", "en", "How many papers are about flows?"),
    ],
)
def test_another_search_asks_the_same_question(
    question: str, searched_for: str, kind: str, language: Language, again: str
) -> None:
    receipt = Receipt(searched_for=searched_for)
    answer = Answer(question, kind, language, "", receipt=receipt)  # type: ignore[arg-type]
    assert asked_again(answer, "flows") == again
