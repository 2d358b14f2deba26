"""Hybrid retrieval over the 19 papers, and its LlamaIndex face."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.schema import QueryBundle

from rag.index.paper_index import PaperIndex
from rag.question.parsing import parse
from rag.question.requests import requested
from rag.retrieval import NAME_BONUS, HybridRetriever
from rag.sources.seed import default_papers

FIRST = {
    "graph neural networks with little hyperparameter tuning": "D756s2YQ6b",
    "calibrated confidence of question answering": "D2hhkU5O48",
    "compressing images with diffusion": "CxXGvKRDnL",
    "training algorithms competition": "CtM5xjRSfm",
    "serving LLMs on heterogeneous GPUs": "Cs6MrbFuMq",
    "displacement interpolation": "CfZPzH7ftt",
    "interpretable networks by concepts": "CexatBp6rx",
    "verifiers trained by next-token prediction": "Ccwp4tFEtE",
    "masked diffusion without time": "CTC7CmirNr",
    "adaptive robust optimization": "CKXul9iX77",
    "barycenters with outliers": "CI5Cj0vktS",
    "teacher guides sampler": "BdmVgLMvaf",
    "one model for embedding and generation": "BC4lIvfSzv",
    "federated learning by masks": "B9kUJuWrYC",
    "audio generation from text": "B2Fqu7Y2cd",
    "speculative decoding for recommendation": "ACSNlt77hq",
    "graphs from Laplacian eigenvectors": "AAXBfJNHDt",
    "sparse autoencoders": "9ca9eHNrdH",
    "conformal prediction sets": "9WYMDgxDac",
}


@pytest.fixture(scope="module")
def retriever(seed_index: PaperIndex) -> HybridRetriever:
    return HybridRetriever(seed_index, top_k=5)


@pytest.mark.parametrize(("asked", "paper"), FIRST.items())
def test_every_paper_is_found_first(retriever: HybridRetriever, asked: str, paper: str) -> None:
    assert retriever.rank(QueryBundle(asked), 3)[0].paper.id == paper


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=60), st.integers(1, 25))
def test_ranking_is_of_different_papers_best_first(seed_index: PaperIndex, asked: str, k: int) -> None:
    hits = HybridRetriever(seed_index).rank(QueryBundle(asked), k)
    assert len(hits) <= min(k, 19)
    assert len({hit.paper.id for hit in hits}) == len(hits)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 + NAME_BONUS + 1e-9 for score in scores)
    for hit in hits:
        assert hit.passage.paper_id == hit.paper.id
        assert hit.paper.abstract[hit.passage.start : hit.passage.end] == hit.passage.text


def test_a_longer_ranking_begins_with_the_shorter(retriever: HybridRetriever) -> None:
    ten = [hit.paper.id for hit in retriever.rank(QueryBundle("diffusion"), 10)]
    three = [hit.paper.id for hit in retriever.rank(QueryBundle("diffusion"), 3)]
    assert ten[:3] == three


def test_restricted_to_papers(retriever: HybridRetriever) -> None:
    ids = {"9WYMDgxDac", "AAXBfJNHDt"}
    assert {hit.paper.id for hit in retriever.rank(QueryBundle("federated learning"), 10, ids)} == ids
    assert retriever.rank(QueryBundle("federated learning"), 10, set()) == []


def test_papers_of_the_conversation_stay_within_reach(retriever: HybridRetriever) -> None:
    question = parse("federated learning")
    question.focus = ("AAXBfJNHDt",)
    hits = retriever.rank(question, 2)
    assert hits[0].paper.id == "B9kUJuWrYC"
    assert hits[-1].paper.id == "AAXBfJNHDt"
    assert len(hits) == 3


def test_a_node_is_the_passage_with_the_record(retriever: HybridRetriever) -> None:
    nodes = retriever.retrieve("conformal prediction")
    assert len(nodes) == 5
    papers = {paper.id: paper for paper in default_papers()}
    for found in nodes:
        paper = papers[found.node.metadata["paper_id"]]
        assert found.node.get_content() in paper.abstract
        assert found.node.metadata["title"] == paper.title
        assert found.node.metadata["authors"] == list(paper.authors)
        assert (found.node.metadata["venue"], found.node.metadata["year"]) == ("ICLR", 2025)
        assert found.node.metadata["url"] == paper.url
        assert found.node.metadata["track"] == paper.track
    assert nodes[0].node.metadata["paper_id"] == "9WYMDgxDac"
    assert nodes[0].node.node_id.startswith("9WYMDgxDac#")


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("Can you recommend a paper that uses an NLI model?", "NLI model?"),
        ("What research has been conducted on coreference resolution?", "coreference resolution?"),
        ("I'm looking for studies that examine sparse attention in vision", "sparse attention in vision"),
        ("What are the effects of dropout?", "What are the effects of dropout?"),
        ("papers on dropout", "papers on dropout"),
        ("Which paper is it?", "Which paper is it?"),
        ("Optimal transport for papers", "Optimal transport for papers"),
        ("", ""),
    ],
)
def test_what_a_request_for_papers_asks_about(asked: str, subject: str) -> None:
    assert requested(asked) == subject
