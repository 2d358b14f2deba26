"""What a question asks for: wordings in English and Chinese, and laws for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.question.filters import Filters, read_filters
from rag.question.parsing import parse

# The wordings are this file's own: none stands in a question set the project is measured with.
LOOKUPS = [
    "What did HexGen-2 improve?",
    "Which noise schedule does UQDM use?",
    "What's the biggest improvement of AGRO?",
    "On how many benchmarks was GritLM tested?",
    "which LLMs did HexGen-2 evaluate?",
    "name the benchmark GRIT leads",
    "HexGen-2 吞吐量提升了多少？",
    "What makes HexGen-2 faster?",
    "What's GRIT's contribution?",
    "What problem does DIOTM solve?",
    "DIOTM 解决了什么问题？",
    "Which is faster, AtSpeed-S or AtSpeed-R?",
    "Is PRISM better than HexGen-2?",
    "哪篇论文用了稀疏自编码器？",
    "How many datasets does GNN-Diff use?",
    "What datasets are used to evaluate PRISM?",
    "Which models does TRON run on?",
    "What does GGSD stand for?",
    "what speedup does AtSpeed-R reach",
    "Which paper introduces ComposableART?",
    "which paper proposes QA-calibration",
    "What is the winning submission in the self-tuning ruleset?",
    "How many teams took part in AlgoPerf?",
    "Does HexGen-2 run on OPT?",
    "PRISM 用了哪些数据集？",
    "AlgoPerf 有多少支队伍参加？",
    "GGSD 的全称是什么？",
]

EXPLANATIONS = [
    "Tell me how PRISM saves communication",
    "What is displacement interpolation?",
    "How come speculative decoding is hard for recommendation?",
    "什么是语义熵？",
    "GGSD 如何生成图？",
    "How exactly does SAE stitching work?",
    "What do the authors mean by stable performance in PRISM?",
    "Can you describe QA-calibration in plain English?",
    "In one sentence, what is AtSpeed?",
    "Explain like I'm five: optimal transport barycenters",
    "Why is hyperparameter tuning costly?",
    "DIOTM 的核心思想是什么？",
    "能解释一下 GRIT 吗？",
    "How does the paper on barycenters deal with outliers?",
    "How is Fugatto trained?",
    "Could you walk me through how AGRO works?",
    "Give me the gist of the SAE paper",
    "tl;dr of the AlgoPerf paper",
    "Sum up PRISM in two sentences",
    "总结一下 GenRM 的主要贡献",
    "TRON 的两个组成部分是什么？",
    "How does AtSpeed speed up generative recommendation?",
    "Explain the idea behind DIOTM",
    "Why does PRISM use binary masks?",
    "Can you explain how meta-SAEs work?",
    "Describe the method of GNN-Diff",
    "Summarize the AlgoPerf paper",
    "what is GenRM?",
    "What is the TRON paper about?",
    "Give me a summary of HexGen-2",
    "Tell me about Fugatto",
    "What's the main idea of GRIT?",
    "How can a VAE help robust optimization?",
    "AGRO 是怎么工作的？",
    "为什么需要半非平衡最优传输？",
    "请解释一下 SAE 缝合",
    "介绍一下 HexGen-2",
    "GenRM 是什么？",
    "Fugatto 这篇论文讲了什么？",
]

COMPARISONS = [
    "Difference between AtSpeed-S and AtSpeed-R",
    "How does GRIT compare with GenRM?",
    "Fugatto 与 UQDM 有哪些相同点？",
    "Compare the datasets of TRON and PRISM",
    "difference between FHS and the original sampler?",
    "How similar are GNN-Diff and GGSD?",
    "AtSpeed-S vs AtSpeed-R",
    "What distinguishes GNN-Diff from GGSD?",
    "GRIT 跟 GenRM 相比有什么优势？",
    "How do PRISM and Fugatto relate to each other?",
    "Compare GNN-Diff and GGSD",
    "What's the difference between TRON and QA-calibration?",
    "How does AtSpeed differ from HexGen-2?",
    "PRISM versus HexGen-2",
    "Contrast the two optimal transport papers",
    "In what ways do DIOTM and the barycenter paper differ?",
    "What do GenRM and GRIT have in common?",
    "Similarities between GNN-Diff and GGSD?",
    "How are TRON and QA-calibration different?",
    "DIOTM 和半非平衡重心方法有什么区别？",
    "对比一下 GNN-Diff 与 GGSD",
    "TRON 和 QA-calibration 有何异同？",
]

SMALL_TALK = [
    "good evening",
    "thanks, that helps",
    "what do you know?",
    "谢啦",
    "yo",
    "hey, how's it going?",
    "much appreciated",
    "that's all, thanks",
    "你好呀",
    "辛苦了，谢谢",
    "hello there!",
    "thx",
    "what is this?",
    "what are you able to do?",
    "can you help me?",
    "ok thanks",
    "great, thank you!",
    "嗨",
    "谢谢你的帮助",
    "你会做什么？",
    "早",
    "hi",
    "Hello!",
    "Hey there",
    "thanks a lot!",
    "thank you very much",
    "good morning",
    "who are you?",
    "What can you do?",
    "how are you?",
    "help",
    "bye",
    "what can I ask you?",
    "How do you work?",
    "你好",
    "谢谢！",
    "你是谁？",
    "你能做什么？",
    "您好，请问你能帮我什么？",
    "再见",
    "多谢",
]


@pytest.mark.parametrize("asked", LOOKUPS)
def test_a_detail_is_asked_for(asked: str) -> None:
    assert parse(asked).kind == "lookup"


@pytest.mark.parametrize("asked", EXPLANATIONS)
def test_an_explanation_is_asked_for(asked: str) -> None:
    assert parse(asked).kind == "explain"


@pytest.mark.parametrize("asked", COMPARISONS)
def test_a_comparison_is_asked_for(asked: str) -> None:
    assert parse(asked).kind == "compare"


@pytest.mark.parametrize("asked", SMALL_TALK)
def test_small_talk_is_no_question_about_papers(asked: str) -> None:
    assert parse(asked).kind == "offtopic"


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("哪些论文使用了 conformal prediction？", "zh"),
        ("Which papers study 知识蒸馏?", "en"),
        ("GNN-Diff 是什么？", "zh"),
        ("What is GNN-Diff?", "en"),
    ],
)
def test_the_language_is_that_of_the_sentence_not_of_its_terms(asked: str, language: str) -> None:
    assert parse(asked).language == language


# --- laws

TEXTS = st.text(
    st.one_of(
        st.sampled_from(list("abcXYZ 019?!.,;:()[]{}<>|\\/*+^$\"'“”哪些论文的是什么\n\t")),
        st.characters(codec="utf-8", exclude_categories=["Cs"]),
    ),
    max_size=120,
)
WORDS = st.lists(
    st.sampled_from(
        "which papers who wrote by Ada Lovelace and or not don't use 2024 oral how many code of them it the"
        " first compare PRISM with is there any about graphs ? 哪些 论文 作者 使用 扩散模型 吗 ？".split()
    ),
    max_size=14,
).map(" ".join)


@given(st.one_of(TEXTS, WORDS))
def test_any_text_is_a_question_and_is_kept(text: str) -> None:
    question = parse(text)
    assert question.asked == " ".join(text.split())
    assert question.query_str or not question.asked
    assert question.kind in ("lookup", "explain", "compare", "enumerate", "metadata", "offtopic")
    assert bool(question.asks) == (question.kind == "metadata")
    assert question.topic or question.kind != "enumerate"


@given(WORDS)
def test_white_space_around_words_says_nothing(text: str) -> None:
    spaced = f"  {text.replace(' ', chr(10) + '  ')} "
    assert parse(spaced) == parse(text)


@given(WORDS)
def test_conditions_read_once_are_gone(text: str) -> None:
    filters, plain = read_filters(text)
    assert isinstance(filters, Filters)
    if not filters:
        assert plain == text
