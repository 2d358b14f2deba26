"""Chinese questions put in English by a model: what is searched for, the cost, when the glossary does it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from answer_laws import check
from hypothesis import given
from hypothesis import strategies as st
from scripted_endpoint import Refusal, Reply, Request, ScriptedEndpoint, Stream

from rag.engine import PaperQueryEngine
from rag.index.paper_index import PaperIndex
from rag.question.parsing import parse
from rag.question.put_in_english import put_in_english
from rag.records import Conversation
from rag.settings import Settings
from rag.writing.english import carries
from rag.writing.spend import SpendLedger
from rag.writing.writer import open_writer

KEY = "sk-local-0123456789abcdef"
LIST = "哪些论文使用了扩散模型？"
LOOKUP = "GNN-Diff 一共做了多少个实验？"
Maker = Callable[..., PaperQueryEngine]


@pytest.fixture
def engine(seed_index: PaperIndex, endpoint: ScriptedEndpoint, ledger: SpendLedger) -> PaperQueryEngine:
    values = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": endpoint.url, "RAG_CHAT_TIMEOUT": 5.0}
    return PaperQueryEngine(seed_index, open_writer(Settings.model_validate(values), ledger))


def translates(endpoint: ScriptedEndpoint, english: Reply | str, answer: Reply | str = "见 [1]。") -> None:
    """The endpoint puts questions in `english` and writes `answer` otherwise."""

    def decide(request: Request) -> Reply | str:
        return english if asked_for_english(request) else answer

    endpoint.answer_with(decide)


def asked_for_english(request: Request) -> bool:
    return "You put questions about research papers into English" in request.prompt


def test_a_list_is_found_by_the_models_english(
    endpoint: ScriptedEndpoint, engine: PaperQueryEngine, ledger: SpendLedger
) -> None:
    translates(endpoint, Stream(["Which papers use masked diffusion models?"], usage=(200, 10)))
    answer = check(engine.ask(LIST), engine.papers)
    assert (answer.language, answer.kind) == ("zh", "enumerate")
    assert answer.receipt.searched_for == "masked diffusion models"
    assert "篇论文中有" in answer.text
    assert "masked diffusion models" in answer.text
    receipt = answer.receipt
    assert (receipt.mode, receipt.tokens.prompt, receipt.tokens.completion) == ("extractive", 200, 10)
    assert receipt.cost_usd == pytest.approx(ledger.today())
    assert receipt.cost_usd > 0
    assert receipt.seconds["total"] >= receipt.seconds["translate"] > 0
    assert receipt.notice == ""
    [request] = endpoint.requests
    assert f"<question>{LIST}</question>" in request.prompt
    assert KEY not in str(answer)


def test_a_lookup_is_searched_with_both_and_answered_in_chinese(
    endpoint: ScriptedEndpoint, engine: PaperQueryEngine
) -> None:
    translates(endpoint, "How many experiments did GNN-Diff run in total?", "GNN-Diff 做了 166 个实验 [1]。")
    answer = check(engine.ask(LOOKUP), engine.papers)
    assert answer.receipt.mode == "generated"
    assert answer.text == "GNN-Diff 做了 166 个实验 [1]。"
    assert answer.citations[0].paper.title.startswith("Diffusing to the Top")
    assert "GNN-Diff" in answer.receipt.searched_for
    english, written = endpoint.requests
    assert asked_for_english(english)
    assert LOOKUP in written.prompt  # the question that is answered is the reader's own


def test_the_same_question_is_paid_for_once(endpoint: ScriptedEndpoint, engine: PaperQueryEngine) -> None:
    translates(endpoint, "Which papers use diffusion models?")
    first, second = engine.ask(LIST), engine.ask(LIST)
    assert len(endpoint.requests) == 1
    assert second.receipt.tokens.prompt == 0
    assert second.papers == first.papers
    assert engine.why_not(first.papers[0].paper.id, first).stage == "answer"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    "english",
    [
        Refusal(400, "no"),
        "",
        "我不知道。",
        "I cannot help with that.",
        "Which papers use large language models?",  # other words than the glossary knows
        "Which papers use diffusion models? " * 30,
        f"Which papers use diffusion models? {KEY}",
    ],
)
def test_where_the_english_will_not_do_the_glossary_does_it(
    endpoint: ScriptedEndpoint, engine: PaperQueryEngine, english: Reply | str
) -> None:
    translates(endpoint, english)
    by_glossary = engine.ask(LIST, use_llm=False)
    answer = check(engine.ask(LIST), engine.papers)
    assert (answer.text, answer.papers) == (by_glossary.text, by_glossary.papers)
    assert answer.receipt.searched_for == by_glossary.receipt.searched_for
    assert bool(answer.receipt.notice) == isinstance(english, Refusal) or KEY in str(english)
    assert KEY not in str(answer)


def test_an_endpoint_that_has_just_failed_is_not_waited_for_again(
    endpoint: ScriptedEndpoint, engine: PaperQueryEngine
) -> None:
    endpoint.answer_with(lambda request: Refusal(401))
    answer = check(engine.ask(LOOKUP), engine.papers)
    assert answer.receipt.mode == "extractive"
    assert "refused the key" in answer.receipt.notice
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    "asked", ["你好", "一共有多少篇论文？", "which papers use 扩散模型?", "今天天气怎么样？"]
)
def test_what_needs_no_english(endpoint: ScriptedEndpoint, engine: PaperQueryEngine, asked: str) -> None:
    translates(endpoint, "unused")
    engine.ask(asked)
    assert not any(map(asked_for_english, endpoint.requests))


def test_without_the_model_nothing_is_sent(endpoint: ScriptedEndpoint, engine: PaperQueryEngine) -> None:
    assert "translate" not in engine.ask(LIST, use_llm=False).receipt.seconds
    assert not endpoint.requests


def test_a_follow_up_leans_on_its_conversation(endpoint: ScriptedEndpoint, engine: PaperQueryEngine) -> None:
    translates(endpoint, "Which graph tasks does it cover?", "它涵盖四种图任务 [1]。")
    first = engine.ask("What is GNN-Diff?", use_llm=False)
    conversation = Conversation().with_turn(first)
    answer = check(engine.ask("它涵盖哪些图任务？", conversation), engine.papers, conversation)
    assert {citation.paper.id for citation in answer.citations} == {first.citations[0].paper.id}


def test_the_daily_cap_holds(seed_index: PaperIndex, endpoint: ScriptedEndpoint, tmp_path: Path) -> None:
    values = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": endpoint.url}
    writer = open_writer(Settings.model_validate(values), SpendLedger(tmp_path, 0.0))
    answer = PaperQueryEngine(seed_index, writer).ask(LIST)
    assert "daily cap" in answer.receipt.notice
    assert answer.papers
    assert not endpoint.requests


# --- the rules by themselves


@pytest.mark.parametrize(
    ("question", "english", "holds"),
    [
        ("哪些论文用 LoRA 微调大语言模型？", "Which papers fine-tune large language models with LoRA?", True),
        ("哪些论文用 LoRA 微调大语言模型？", "Which papers fine-tune large language models?", False),
        ("哪些论文用 LoRA 微调 LLM？", "Which papers fine-tune LLMs with LoRA?", True),
        ("它在 12 个数据集上提高了 3.5% 吗？", "Does it improve by 3.5% on 12 datasets?", True),
        ("它在 12 个数据集上提高了 3.5% 吗？", "Does it improve by 35% on 12 datasets?", False),
        ("它在 12 个数据集上提高了多少？", "By how much does it improve on 2012 datasets?", False),
        ("哪些论文训练了 70亿 参数的模型？", "Which papers train models with 7 billion parameters?", True),
        ("哪些论文训练了 70亿 参数的模型？", "Which papers train 7B models?", True),
        ("哪些论文研究联邦学习中的差分隐私？", "Which papers study differential privacy?", True),
        ("哪些论文研究联邦学习中的差分隐私？", "Which papers study graph coloring?", False),
        ("哪些论文使用扩散模型？", "哪些论文 use diffusion models?", False),
        ("哪些论文使用扩散模型？", "", False),
    ],
)
def test_names_figures_and_known_terms_must_come_along(question: str, english: str, holds: bool) -> None:
    assert carries(question, english) is holds


@given(st.text(alphabet="哪些论文用扩散模型GNN-Diff 0123?？", max_size=40), st.text(max_size=60))
def test_whatever_is_said_carrying_never_fails(question: str, english: str) -> None:
    assert carries(question, english) in (True, False)


def test_the_original_decides_kind_conditions_and_language() -> None:
    question = parse("哪些口头报告研究了扩散模型？")
    both = put_in_english(question, "Which orals study diffusion models for images?")
    assert (both.kind, both.language, both.filters) == (question.kind, "zh", question.filters)
    assert both.filters.tracks == ("oral",)
    assert both.topic == "diffusion models for images"
    assert both.asked == question.asked


def test_words_of_the_glossary_stay_in_the_search() -> None:
    question = parse("知识蒸馏怎么做？")
    both = put_in_english(question, "How is teacher-student compression done?")
    assert "distillation" in both.query_str
    assert "teacher-student compression" in both.query_str


def test_a_translation_that_is_no_list_leaves_the_topic() -> None:
    question = parse(LIST)
    assert put_in_english(question, "Diffusion models").topic == question.topic
