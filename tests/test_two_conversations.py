"""Conversations at the same time never see each other's text, numbers or papers."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from answer_laws import check
from scripted_endpoint import Request, ScriptedEndpoint, Stream, words

from rag.engine import PaperQueryEngine
from rag.index.paper_index import PaperIndex
from rag.records import Answer, Conversation, TextDelta
from rag.settings import Settings
from rag.writing.spend import SpendLedger
from rag.writing.writer import open_writer

ALICE = (
    "how many experiments did GNN-Diff run?",
    "and how many datasets?",
    "who wrote it?",
    "which papers are orals?",
)
BOB = ("which datasets were used for PRISM?", "does it need pruning?", "who wrote it?", "它的链接是什么？")
OF_ALICE, OF_BOB = "GNN-Diff ran 166 experiments", "PRISM is tested on MNIST and CelebA"


def talk(
    engine: PaperQueryEngine, questions: tuple[str, ...], gate: threading.Barrier
) -> tuple[list[str], Conversation]:
    """What was shown while it was written, and the conversation; speakers start each question together."""
    shown: list[str] = []
    conversation = Conversation()
    for asked in questions:
        gate.wait(30)
        for event in engine.stream(asked, conversation):
            if isinstance(event, TextDelta):
                shown.append(event.text)
            else:
                conversation = conversation.with_turn(check(event, engine.papers, conversation))
    return shown, conversation


def both(engine: PaperQueryEngine) -> list[tuple[list[str], Conversation]]:
    gate = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(talk, engine, questions, gate) for questions in (ALICE, BOB)]
        return [each.result(120) for each in running]


def alone(engine: PaperQueryEngine, questions: tuple[str, ...]) -> Conversation:
    return talk(engine, questions, threading.Barrier(1))[1]


def plain(conversation: Conversation) -> list[tuple[str, str, object, object]]:
    return [
        (turn.answer.question, turn.answer.text, turn.answer.citations, turn.answer.papers)
        for turn in conversation.turns
    ]


def test_quoted_answers_are_those_of_a_conversation_alone(seed_engine: PaperQueryEngine) -> None:
    (_, alice), (_, bob) = both(seed_engine)
    assert plain(alice) == plain(alone(seed_engine, ALICE))
    assert plain(bob) == plain(alone(seed_engine, BOB))
    assert alice.numbers != bob.numbers


def reply(request: Request) -> Stream:
    """A slow answer to whoever asks, in words that only this speaker should ever see."""
    asked = request.prompt.rsplit("Question:", 1)[-1]
    ours = "experiments" in asked or "how many datasets" in asked
    text = f"{OF_ALICE} [1]. It covers 20 publicly available datasets [1]." if ours else f"{OF_BOB} [1]."
    return Stream(words(text), delay=0.02)


@pytest.fixture
def written(seed_index: PaperIndex, endpoint: ScriptedEndpoint, tmp_path: Path) -> PaperQueryEngine:
    settings = Settings.model_validate({"OPENAI_API_KEY": "sk-local-1", "OPENAI_BASE_URL": endpoint.url})
    endpoint.answer_with(reply)
    return PaperQueryEngine(seed_index, open_writer(settings, SpendLedger(tmp_path, 1.0)))


def test_streams_at_the_same_time_stay_apart(endpoint: ScriptedEndpoint, written: PaperQueryEngine) -> None:
    (alice_saw, alice), (bob_saw, bob) = both(written)
    saw = {"alice": "".join(alice_saw), "bob": "".join(bob_saw)}
    assert OF_ALICE in saw["alice"]
    assert OF_BOB in saw["bob"]
    assert "GNN" not in saw["bob"] + str(plain(bob))
    assert "MNIST" not in saw["alice"] + "".join(turn.answer.text for turn in alice.turns)
    assert {turn.answer.receipt.mode for turn in alice.turns[:2]} == {"generated"}
    # No prompt holds a question or an answer of the other conversation.
    for request in endpoint.requests:
        told = request.prompt.rsplit("Earlier in this conversation:", 1)[-1]
        assert not ("experiments did GNN-Diff" in told and "datasets were used for PRISM" in told)
        assert not (OF_ALICE in told and OF_BOB in told)


def test_many_at_once(endpoint: ScriptedEndpoint, written: PaperQueryEngine) -> None:
    asked = [ALICE[0], BOB[0]] * 6
    with ThreadPoolExecutor(len(asked)) as pool:
        answers: list[Answer] = list(pool.map(written.ask, asked))
    for question, answer in zip(asked, answers, strict=True):
        assert answer.question == question
        assert (OF_ALICE if question == ALICE[0] else OF_BOB) in answer.text
        assert answer.citations[0].number == 1
    assert len(endpoint.requests) == len(asked)
