"""What holds for every answer, whoever wrote it and whatever stands in the papers."""

import json
from collections.abc import Collection

from rag.grounding.marks import marks
from rag.records import Answer, Conversation, Paper
from rag.sentences import split

KEYS = {
    "answer": "question kind language text abstained confidence citations papers count completeness receipt",
    "citation": "number paper spans",
    "paper": "id title authors venue year track url",
    "span": "sentence quote verdict",
    "decision": "id title decision quote reason",
    "receipt": "mode model searched_for considered seconds tokens cost_usd notice"
    " retrieved checked suspicious",
}


def check(answer: Answer, papers: Collection[Paper], conversation: Conversation | None = None) -> Answer:
    """Fails where the answer breaks a law; `conversation` is what came before it."""
    cited_marks_are_citations(answer)
    spans_point_at_their_sentences(answer)
    quotes_are_verbatim(answer, papers)
    json_has_the_documented_shape(answer)
    if conversation:
        numbers_are_kept(answer, conversation)
    return answer


def cited_marks_are_citations(answer: Answer) -> None:
    in_text = {mark.number for mark in marks(answer.text)}
    numbers = [citation.number for citation in answer.citations]
    assert in_text == set(numbers), (answer.text, numbers)
    assert len(numbers) == len(set(numbers)), "a number stands for one paper"
    assert len(numbers) == len({citation.paper.id for citation in answer.citations}), "one entry a paper"


def spans_point_at_their_sentences(answer: Answer) -> None:
    sentences = [span.of(answer.text) for span in split(answer.text)]
    for citation in answer.citations:
        assert citation.spans
        for span in citation.spans:
            found = [mark.number for mark in marks(sentences[span.sentence])]
            assert citation.number in found, (sentences, citation.number, span)


def quotes_are_verbatim(answer: Answer, papers: Collection[Paper]) -> None:
    known = {paper.id: paper for paper in papers}
    quotes = [(c.paper, span.quote) for c in answer.citations for span in c.spans]
    quotes += [(decision.paper, decision.quote) for decision in answer.papers]
    for paper, quote in quotes:
        assert known[paper.id] == paper
        assert quote, paper.title
        assert any(quote in place for place in places(paper)), (paper.title, quote)


def places(paper: Paper) -> list[str]:
    record = [paper.title, ", ".join(paper.authors), paper.published, paper.track or "", paper.url or ""]
    return [paper.abstract, *record]


def json_has_the_documented_shape(answer: Answer) -> None:
    data = json.loads(json.dumps(answer.as_json(), ensure_ascii=False))
    has_keys(data, "answer")
    has_keys(data["receipt"], "receipt")
    assert set(data["receipt"]["tokens"]) == {"prompt", "completion"}
    assert "total" in data["receipt"]["seconds"]
    for citation in data["citations"]:
        has_keys(citation, "citation")
        has_keys(citation["paper"], "paper")
        for span in citation["spans"]:
            has_keys(span, "span")
            assert span["verdict"] in ("supported", "weak", "unsupported")
    choices = [decision["decision"] for decision in data["papers"]]
    for decision in data["papers"]:
        has_keys(decision, "decision")
    assert choices == sorted(choices, key=["yes", "maybe"].index), "yes comes first"
    if data["kind"] == "enumerate":
        assert data["count"] == choices.count("yes")
    assert data["confidence"] is None or 0 <= data["confidence"] <= 1


def has_keys(data: dict[str, object], what: str) -> None:
    assert set(data) == set(KEYS[what].split())


def numbers_are_kept(answer: Answer, conversation: Conversation) -> None:
    before = conversation.numbers
    for citation in answer.citations:
        assert before.get(citation.paper.id, citation.number) == citation.number
        if citation.paper.id not in before:
            assert citation.number not in before.values()
