"""The LlamaIndex face: query, aquery, streaming, source nodes, and the parts in a pipeline of one's own."""

import asyncio
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from answer_laws import has_keys
from llama_index.core import get_response_synthesizer
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import Response, StreamingResponse
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.tools import QueryEngineTool
from scripted_endpoint import ScriptedEndpoint, Stream, words

from rag.assembly import chat_model, open_engine
from rag.engine import ChatModel, PaperQueryEngine
from rag.errors import UsageError
from rag.index.paper_index import PaperIndex
from rag.records import Answer
from rag.settings import Settings
from rag.writing.spend import SpendLedger
from rag.writing.writer import open_writer

TRON = "9WYMDgxDac"


def settings(endpoint: ScriptedEndpoint) -> Settings:
    return Settings.model_validate({"OPENAI_API_KEY": "sk-local-1", "OPENAI_BASE_URL": endpoint.url})


@pytest.fixture
def written(seed_index: PaperIndex, endpoint: ScriptedEndpoint, tmp_path: Path) -> PaperQueryEngine:
    """A streaming engine whose answers the scripted endpoint writes."""
    writer = open_writer(settings(endpoint), SpendLedger(tmp_path, 1.0))
    return PaperQueryEngine(seed_index, writer, chat_model(settings(endpoint)), streaming=True)


def paper_ids(nodes: list[NodeWithScore]) -> list[str]:
    return [found.node.metadata["paper_id"] for found in nodes]


def test_query_gives_text_answer_and_cited_passages(seed_engine: PaperQueryEngine) -> None:
    assert isinstance(seed_engine, BaseQueryEngine)
    assert isinstance(seed_engine.retriever, BaseRetriever)
    response = seed_engine.query("which papers use conformal prediction?")
    assert isinstance(response, Response)
    assert response.metadata
    has_keys(response.metadata["answer"], "answer")
    assert json.loads(json.dumps(response.metadata["answer"]))["text"] == response.response
    assert str(response) == response.response
    cited = [citation["paper"]["id"] for citation in response.metadata["answer"]["citations"]]
    assert sorted(paper_ids(response.source_nodes)) == sorted(cited)
    assert TRON in cited
    for found in response.source_nodes:
        assert found.node.get_content()
        assert found.node.metadata["title"]


def test_an_answer_without_citations_has_no_nodes(seed_engine: PaperQueryEngine) -> None:
    response = seed_engine.query("hello")
    assert isinstance(response, Response)
    assert response.source_nodes == []


def test_aquery_is_query(seed_engine: PaperQueryEngine) -> None:
    asked = QueryBundle("what is AlgoPerf?")

    async def both() -> list[object]:
        return list(await asyncio.gather(seed_engine.aquery(asked), seed_engine.aquery("who wrote Fugatto?")))

    first, second = asyncio.run(both())
    assert str(first) == str(seed_engine.query(asked))
    assert "Rafael Valle" in str(second)


def test_streaming_from_quotes(seed_index: PaperIndex) -> None:
    engine = PaperQueryEngine(seed_index, streaming=True)
    response = engine.query("what is AlgoPerf?")
    assert isinstance(response, StreamingResponse)
    text = "".join(response.response_gen)
    assert response.metadata
    assert text == response.metadata["answer"]["text"]
    assert paper_ids(response.source_nodes) == ["CtM5xjRSfm"]


def test_streaming_while_a_model_writes(endpoint: ScriptedEndpoint, written: PaperQueryEngine) -> None:
    endpoint.reply("AlgoPerf drew 18 diverse submissions from 10 teams [1].")
    response = written.query("how many teams took part in AlgoPerf?")
    assert isinstance(response, StreamingResponse)
    pieces = response.response_gen
    assert next(pieces)
    assert response.source_nodes == []  # they are there when all is written
    rest = "".join(pieces)
    assert rest.endswith("10 teams [1].")
    assert response.metadata
    assert response.metadata["answer"]["receipt"]["mode"] == "generated"
    assert paper_ids(response.source_nodes) == ["CtM5xjRSfm"]


def test_a_stream_that_breaks_goes_on_with_the_quoted_answer(
    endpoint: ScriptedEndpoint, written: PaperQueryEngine
) -> None:
    endpoint.reply(Stream(words("AlgoPerf drew a million submissions"), stop_after=4))
    response = written.query("how many teams took part in AlgoPerf?")
    assert isinstance(response, StreamingResponse)
    text = "".join(response.response_gen)
    assert response.metadata
    answer = response.metadata["answer"]
    assert answer["receipt"]["notice"]
    assert text.endswith(f"\n\n{answer['text']}")


def test_the_retriever_under_a_synthesis_of_ones_own(seed_engine: PaperQueryEngine) -> None:
    yours = RetrieverQueryEngine.from_args(seed_engine.retriever, llm=MockLLM())
    response = yours.query("conformal prediction")
    assert paper_ids(response.source_nodes)[0] == TRON
    assert "conformal" in str(response).lower()
    compact = RetrieverQueryEngine(
        retriever=seed_engine.retriever,
        response_synthesizer=get_response_synthesizer(llm=MockLLM(), response_mode="tree_summarize"),
    )
    assert len(compact.query("optimal transport").source_nodes) == 10


def test_the_engine_as_a_tool_of_an_agent(seed_engine: PaperQueryEngine) -> None:
    tool = QueryEngineTool.from_defaults(seed_engine, name="papers", description="ICLR papers")
    output = tool("who wrote Fugatto?")
    assert "Rafael Valle" in str(output.content)
    assert seed_engine.get_prompts() == {}


def test_asking_streaming_and_querying_agree(seed_engine: PaperQueryEngine) -> None:
    asked = "Which papers are about optimal transport?"
    *deltas, streamed = seed_engine.stream(asked)
    assert deltas == []
    assert isinstance(streamed, Answer)
    assert streamed.text == seed_engine.ask(asked).text == str(seed_engine.query(asked))


def test_ranking_mends_slips_and_knows_chinese(seed_engine: PaperQueryEngine) -> None:
    for asked in ("conformal prediction", "conformal predicton sets", "哪篇论文用了共形预测？"):
        hits = seed_engine.rank(asked, k=3)
        assert len(hits) == 3
        assert hits[0].paper.id == TRON, asked


def test_what_it_says_of_itself(seed_engine: PaperQueryEngine, written: PaperQueryEngine) -> None:
    assert (len(seed_engine.papers), seed_engine.describe().papers) == (19, 19)
    assert seed_engine.chat_model is None
    assert isinstance(written.chat_model, ChatModel)
    assert written.chat_model.endpoint.startswith("http://127.0.0.1")


def test_assembly_fills_an_empty_folder_and_reuses_it(tmp_path: Path) -> None:
    for _ in range(2):
        engine = open_engine(Settings.load(data_dir=tmp_path))
        assert len(engine.papers) == 19
        assert engine.chat_model is None
        engine.close()


def test_another_model_of_the_endpoint_can_be_used(endpoint: ScriptedEndpoint, tmp_path: Path) -> None:
    """The models of RAG_CHAT_MODELS share the index; each question goes to the one that was chosen."""
    both = settings(endpoint).model_copy(
        update={"data_dir": tmp_path, "chat_model": "first", "more_chat_models": "second, first,, "}
    )
    endpoint.answer_with(lambda request: "It is a distributed system [1].")
    with closing(open_engine(both)) as engine:
        first, second = engine.chat_models
        assert (first.name, second.name, engine.chat_model) == ("first", "second", first)
        other = engine.using(second)
        assert other.papers == engine.papers
        for asked in (other, engine):
            asked.ask("How does HexGen-2 work?")
        with pytest.raises(UsageError, match="no model third"):
            engine.using(replace(first, name="third"))
    assert [request.body["model"] for request in endpoint.requests] == ["second", "first"]
