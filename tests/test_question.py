"""What a question asks for: many natural wordings in English and Chinese, and laws for any text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.question.filters import Filters, read_filters
from rag.question.parsing import Question, parse

# The wordings are this file's own: none stands in a question set the project is measured with.
LISTS = [
    ("Which papers run experiments on molecules?", "molecules"),
    ("Which papers are evaluated on ImageNet?", "ImageNet"),
    ("papers that report results on WMT", "WMT"),
    ("Which papers would interest someone doing drug discovery?", "drug discovery"),
    ("Point out the papers with theory on generalization", "generalization"),
    ("Does the collection contain work on LLM agents?", "agents"),
    ("Which papers introduce new datasets?", "datasets"),
    ("What papers evaluate on GSM8K", "GSM8K"),
    ("Is there a single paper on tokenization?", "tokenization"),
    ("Any research on watermarks?", "watermarks"),
    ("How many papers are there about audio?", "audio"),
    ("Which of the papers could be called theoretical?", "theoretical"),
    ("哪些论文和 LLM 推理有关", "LLM"),
    ("有关图的论文都有哪些？", "graph"),
    ("麻烦列一下用到 VAE 的论文", "VAE"),
    ("最近有论文研究奖励模型吗？", "reward"),
    ("any of these about robots", "robots"),
    ("need everything related to diffusion", "diffusion"),
    ("Which ones use transformers?", "transformers"),
    ("Among the 19 papers, which ones are about audio?", "audio"),
    ("From this list, which papers address fairness?", "fairness"),
    ("I'd like to see papers about sampling", "sampling"),
    ("show papers with experiments on protein data", "protein data"),
    ("Do you know of a paper about quantization?", "quantization"),
    ("Has any paper tackled data heterogeneity?", "heterogeneity"),
    ("what are some papers on interpretability", "interpretability"),
    ("which other papers deal with LLM efficiency?", "LLM efficiency"),
    ("count papers mentioning Adam", "Adam"),
    ("How many deal with images?", "images"),
    ("how many papers out of the 19 use GPUs", "GPUs"),
    ("哪些工作和图像压缩有关？", "compression"),
    ("请列出跟大语言模型相关的全部论文", "large language model"),
    ("有几篇讲扩散模型的？", "diffusion"),
    ("找一下联邦学习方面的论文", "federated"),
    ("这些论文里哪些用到了 GAN？", "GAN"),
    ("Out of these papers, which use graphs?", "graphs"),
    ("Anything in here that looks into hallucination?", "hallucination"),
    ("Are any of the papers concerned with energy use?", "energy"),
    ("could u list papers that evaluate on MATH", "MATH"),
    ("Which of these deal with multimodal models?", "multimodal models"),
    ("Papers that prove a convergence bound", "convergence bound"),
    ("give me an overview of the papers on LLM inference", "LLM inference"),
    ("What do we have on graph learning?", "graph learning"),
    ("whats in here about audio", "audio"),
    ("Is anyone working on causal inference?", "causal inference"),
    ("Who is working on diffusion models here?", "diffusion models"),
    ("Do we have papers dealing with uncertainty quantification?", "uncertainty quantification"),
    ("Which papers report results on CelebA?", "CelebA"),
    ("how many of these involve human evaluation?", "human evaluation"),
    ("In how many papers is a VAE used?", "VAE"),
    ("Tell me all the papers using lottery tickets", "lottery tickets"),
    ("Which papers take a theoretical approach?", "theoretical"),
    ("Which papers are not about language models?", "language models"),
    ("papers w/o experiments on images", "images"),
    ("Which works could help me reduce inference cost?", "inference cost"),
    ("Find me something on sampling from unnormalized densities", "unnormalized densities"),
    ("Which papers compare several optimizers?", "optimizers"),
    ("Which papers have to do with recommender systems?", "recommender systems"),
    ("Which papers explain how SAEs work?", "SAEs"),
    ("什么论文涉及隐私保护？", "privacy"),
    ("有没有人研究音频生成？", "audio"),
    ("想看看和校准相关的论文", "calibration"),
    ("请问哪些工作用到了变分自编码器？", "variational autoencoder"),
    ("这里有关于强化学习的文章吗？", "reinforcement learning"),
    ("一共有多少篇论文涉及图神经网络？", "graph neural network"),
    ("所有关于优化的论文", "optimization"),
    ("帮我列一下讨论大模型推理加速的论文", "inference"),
    ("papers that mention carbon capture", "carbon capture"),
    ("Which federated learning papers are there?", "federated learning"),
    ("List all optimal transport papers", "optimal transport"),
    ("How many reinforcement learning papers do you have?", "reinforcement learning"),
    ("Where can I find papers about watermarking?", "watermarking"),
    ("Could you recommend research that examines prompt sensitivity?", "prompt sensitivity"),
    ("Can you point me to studies on tokenization?", "tokenization"),
    ("I am looking for a paper that discusses curriculum learning", "curriculum learning"),
    ("What prior works study catastrophic forgetting?", "catastrophic forgetting"),
    ("Which papers are about tracking?", "tracking"),
    ("Which papers deal with code generation?", "code generation"),
    ("papers on oral history", "oral history"),
    ("Which papers study poster generation?", "poster generation"),
    ("What papers should I read to learn about state space models?", "state space models"),
    ("有没有论文研究视频生成？", "video"),
    ("介绍几篇关于图神经网络的论文", "graph neural network"),
    ("有关于水印的论文吗？", "watermark"),
    ("Which papers study graph generation?", "graph generation"),
    ("what papers use variational autoencoders", "variational autoencoders"),
    ("Show me all papers about audio", "audio"),
    ("List the papers that rely on speculative decoding.", "speculative decoding"),
    ("Give me every abstract mentioning reward models", "reward models"),
    ("Find papers on mechanistic interpretability", "mechanistic interpretability"),
    ("Which of these papers propose a new benchmark?", "benchmark"),
    ("Which of the 19 papers deal with calibration?", "calibration"),
    ("papers about LLM serving", "LLM serving"),
    ("works on optimal transport", "optimal transport"),
    ("I'm looking for papers on federated learning", "federated learning"),
    ("Could you list the papers dealing with privacy?", "privacy"),
    ("Can you show me papers on robust optimization?", "robust optimization"),
    ("Which articles evaluate on CIFAR10?", "CIFAR10"),
    ("What studies look at confidence scores?", "confidence scores"),
    ("Which ones concern sampling?", "sampling"),
    ("who works on diffusion models?", "diffusion models"),
    ("Which papers in this list talk about token prediction?", "token prediction"),
    ("Name all papers that involve large language models", "large language models"),
    ("all papers on generative models please", "generative models"),
    ("Which publications are about recommendation?", "recommendation"),
    ("Tell me which papers use graph neural networks", "graph neural networks"),
    ("Tell me about papers on calibration", "calibration"),
    ("I want to know which papers discuss uncertainty", "uncertainty"),
    ("Do you know which papers are about music?", "music"),
    ("Which submissions tackle image-to-image translation?", "image-to-image translation"),
    ("What work has been done on sparse networks?", "sparse networks"),
    ("What research is there on instruction tuning?", "instruction tuning"),
    ("I need papers about hyperparameter tuning", "hyperparameter tuning"),
    ("In which papers is reinforcement learning used?", "reinforcement learning"),
    ("In which of these papers do the authors use GPUs?", "GPUs"),
    ("Are there papers which combine LLMs and recommendation?", "recommendation"),
    ("Recommend some papers on text embeddings", "text embeddings"),
    ("Suggest papers about image compression", "image compression"),
    ("Could you point me to papers on video question answering?", "video question answering"),
    ("Please list all works concerning graph Laplacians", "graph Laplacians"),
    ("which papers don't use diffusion?", "diffusion"),
    ("Which papers are about LLMs but not about recommendation?", "recommendation"),
    ("Which papers, if any, use Gaussian processes?", "Gaussian processes"),
    ("Which oral papers are about compression?", "compression"),
    ("Which spotlight papers deal with LLMs?", "LLMs"),
    ("Which papers from 2025 study diffusion?", "diffusion"),
    ("Which papers by Jaemoo Choi use optimal transport?", "optimal transport"),
    ("Get me the papers that train on synthetic data", "synthetic data"),
    ("Which paper or papers use max-flow?", "max-flow"),
    ("What are the papers on diffusion models?", "diffusion models"),
    ("What are the papers that use variational autoencoders?", "variational autoencoders"),
    ("which of them mention LLaMA", "LLaMA"),
    ("How many papers use diffusion models?", "diffusion models"),
    ("How many of the papers are on LLMs?", "LLMs"),
    ("how many abstracts mention GPUs", "GPUs"),
    ("What is the number of papers about optimal transport?", "optimal transport"),
    ("Count the papers that deal with graphs", "graphs"),
    ("How many works here propose a dataset?", "dataset"),
    ("Is there a paper on quantum computing?", "quantum computing"),
    ("Are there any papers about robotics?", "robotics"),
    ("Any papers on protein folding?", "protein folding"),
    ("Do you have anything on time series?", "time series"),
    ("Does any paper use knowledge distillation?", "knowledge distillation"),
    ("Do any papers mention carbon emissions?", "carbon emissions"),
    ("Has anyone looked at audio generation?", "audio generation"),
    ("Is anything here about medical imaging?", "medical imaging"),
    ("Is there anything on jailbreaks?", "jailbreaks"),
    ("Is there any work on speech recognition?", "speech recognition"),
    ("anything about tabular data?", "tabular data"),
    ("Got something on reward hacking?", "reward hacking"),
    ("哪些论文研究图生成？", "graph"),
    ("有哪些关于联邦学习的论文？", "federated"),
    ("列出所有与扩散模型有关的论文", "diffusion"),
    ("有没有讲机器人的文章？", "robot"),
    ("有没有关于量子计算的论文？", "quantum"),
    ("多少篇论文用到了强化学习？", "reinforcement"),
    ("帮我找几篇关于大语言模型的论文", "large language model"),
    ("哪几篇文章涉及校准？", "calibration"),
    ("推荐几篇关于音频生成的论文", "audio"),
    ("关于推荐系统的论文有哪些？", "recommend"),
    ("是否有论文讨论隐私？", "privacy"),
    ("哪些文章提到了 GPU？", "GPU"),
    ("研究最优传输的论文有几篇？", "optimal transport"),
]

RECORDS = [
    ("Authors of the AlgoPerf paper please", "authors"),
    ("Who all contributed to Fugatto?", "authors"),
    ("Has Philipp Hennig written anything here?", "listing"),
    ("give me all of Jaewoong Choi's papers", "listing"),
    ("papers from ICLR 2024", "listing"),
    ("which ones are spotlights?", "listing"),
    ("total number of orals", "listing"),
    ("what kind of presentation was PRISM?", "track"),
    ("year of GGSD?", "year"),
    ("conference of the PRISM paper?", "venue"),
    ("where is the DIOTM code hosted?", "code"),
    ("URL for UQDM?", "link"),
    ("how many papers altogether?", "paper_count"),
    ("TRON 有多少个作者？", "author_count"),
    ("Jaemoo Choi 的论文", "listing"),
    ("是哪个会议的论文？", "venue"),
    ("Who authored GRIT?", "authors"),
    ("who did the SAE work?", "authors"),
    ("names of the Fugatto authors", "authors"),
    ("first author of GRIT", "authors"),
    ("how many co-authors are on the AlgoPerf paper?", "author_count"),
    ("Have you got papers by Ming-Yu Liu?", "listing"),
    ("Ming-Yu Liu papers", "listing"),
    ("Which papers list Andrea Torsello as author?", "listing"),
    ("what did Douwe Kiela publish?", "listing"),
    ("show only the orals", "listing"),
    ("Which paper got the oral?", "listing"),
    ("are any of the papers spotlights?", "listing"),
    ("What's the presentation type of DIOTM?", "track"),
    ("when did GGSD get published?", "year"),
    ("at what venue was DIOTM presented?", "venue"),
    ("is there a repo for HexGen-2?", "code"),
    ("did they open source AtSpeed?", "code"),
    ("which of the papers have public code?", "code"),
    ("give me the pdf of TRON", "link"),
    ("Is there a link for Fugatto?", "link"),
    ("how many papers total", "paper_count"),
    ("你们收录了多少论文？", "paper_count"),
    ("TRON 是谁写的？", "authors"),
    ("哪些论文有代码？", "code"),
    ("who are the people behind Fugatto?", "authors"),
    ("Fugatto authors?", "authors"),
    ("Can you tell me who wrote the TRON paper?", "authors"),
    ("Which researchers wrote DIOTM?", "authors"),
    ("Who is the corresponding author of PRISM?", "authors"),
    ("what's the author list of GRIT", "authors"),
    ("Who first-authored the AlgoPerf paper?", "authors"),
    ("Did Yoshua Bengio write any of these?", "listing"),
    ("anything by Aditya Grover?", "listing"),
    ("Any papers by Stephan Mandt?", "listing"),
    ("which of the papers has Rishabh Agarwal as an author?", "listing"),
    ("list papers authored by Furu Wei", "listing"),
    ("What papers has Stephan Mandt published?", "listing"),
    ("Are there orals?", "listing"),
    ("any spotlights?", "listing"),
    ("give me the spotlight papers", "listing"),
    ("How many oral presentations does the list contain?", "listing"),
    ("which papers got a spotlight?", "listing"),
    ("which papers were accepted as orals?", "listing"),
    ("Was the UQDM paper accepted as an oral?", "track"),
    ("in which year did Fugatto come out?", "year"),
    ("which venue published GRIT?", "venue"),
    ("Where did TRON appear?", "venue"),
    ("does AtSpeed have an implementation online?", "code"),
    ("where's the github of GNN-Diff?", "code"),
    ("which ones come with code?", "code"),
    ("got a link for the barycenter paper?", "link"),
    ("openreview page of TRON please", "link"),
    ("who published the most?", "prolific"),
    ("Who appears most often as an author?", "prolific"),
    ("how many entries does the list have?", "paper_count"),
    ("how many documents are indexed?", "paper_count"),
    ("TRON 的作者", "authors"),
    ("请问 Fugatto 是谁做的？", "authors"),
    ("Neel Nanda 参与了哪些论文？", "listing"),
    ("有口头报告的论文吗？", "listing"),
    ("哪篇论文是 spotlight？", "listing"),
    ("GNN-Diff 有没有开源代码？", "code"),
    ("这篇论文在哪里发表？", "venue"),
    ("Fugatto 的 OpenReview 链接", "link"),
    ("谁发表的论文最多？", "prolific"),
    ("数据库里有多少论文？", "paper_count"),
    ("Who wrote Fugatto?", "authors"),
    ("Who are the authors of the HexGen-2 paper?", "authors"),
    ("who is behind GritLM?", "authors"),
    ("Who is the first author of the AlgoPerf analysis?", "authors"),
    ("Who's the last author of PRISM?", "authors"),
    ("By whom was the SAE paper written?", "authors"),
    ("List the authors of TRON", "authors"),
    ("Name the authors of DIOTM", "authors"),
    ("authors of GNN-Diff?", "authors"),
    ("Who came up with GenRM?", "authors"),
    ("How many authors does Fugatto have?", "author_count"),
    ("How many people wrote the HexGen-2 paper?", "author_count"),
    ("number of authors of the AlgoPerf paper", "author_count"),
    ("What track was TRON in?", "track"),
    ("Was Fugatto an oral or a poster?", "track"),
    ("Is the UQDM paper an oral?", "track"),
    ("Which papers are orals?", "listing"),
    ("list all spotlights", "listing"),
    ("How many posters are there?", "listing"),
    ("how many spotlight papers does the list have", "listing"),
    ("Which papers did Jaewoong Choi write?", "listing"),
    ("papers by Yongxin Chen", "listing"),
    ("What has Yoshua Bengio written?", "listing"),
    ("Which papers were written by Douwe Kiela?", "listing"),
    ("Does the list have papers by Geoffrey Hinton?", "listing"),
    ("Which papers is Jaemoo Choi an author of?", "listing"),
    ("papers co-authored by Wei Ping", "listing"),
    ("Show me Jaemoo Choi's papers", "listing"),
    ("Where was GRIT published?", "venue"),
    ("At which conference did PRISM appear?", "venue"),
    ("When was GGSD published?", "year"),
    ("what year is the TRON paper from?", "year"),
    ("Which papers were published in 2025?", "listing"),
    ("Which papers are from 2019?", "listing"),
    ("Which papers release their code?", "code"),
    ("How many papers share code?", "code"),
    ("Is the code of AtSpeed public?", "code"),
    ("Where can I find the code of PRISM?", "code"),
    ("Does GNN-Diff have a GitHub repository?", "code"),
    ("Which papers have open-source code?", "code"),
    ("Link to the GenRM paper?", "link"),
    ("Where can I read the SAE paper?", "link"),
    ("Give me the OpenReview link for DIOTM", "link"),
    ("What's the URL of the QA-calibration paper?", "link"),
    ("Who has the most papers?", "prolific"),
    ("Which author has the most papers here?", "prolific"),
    ("Which authors appear on more than one paper?", "prolific"),
    ("How many papers are in the list?", "paper_count"),
    ("how many papers do you know?", "paper_count"),
    ("What's the total number of papers?", "paper_count"),
    ("How big is this collection?", "paper_count"),
    ("Fugatto 的作者有哪些？", "authors"),
    ("谁写了 HexGen-2？", "authors"),
    ("TRON 的第一作者是谁？", "authors"),
    ("Fugatto 有几位作者？", "author_count"),
    ("AlgoPerf 那篇论文有多少位作者？", "author_count"),
    ("TRON 是口头报告还是海报？", "track"),
    ("哪些论文是口头报告？", "listing"),
    ("有多少篇海报论文？", "listing"),
    ("Jaemoo Choi 写了哪些论文？", "listing"),
    ("作者包括 Yongxin Chen 的论文有哪些？", "listing"),
    ("PRISM 发表在哪个会议？", "venue"),
    ("GGSD 是哪一年发表的？", "year"),
    ("哪些论文开源了代码？", "code"),
    ("AtSpeed 的代码在哪里？", "code"),
    ("GenRM 论文的链接是什么？", "link"),
    ("谁的论文最多？", "prolific"),
    ("一共有几篇论文？", "paper_count"),
    ("总共收录了多少篇论文？", "paper_count"),
    ("2025 年发表的论文有哪些？", "listing"),
]

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


@pytest.mark.parametrize(("asked", "topic"), LISTS)
def test_a_list_of_papers_is_asked_for(asked: str, topic: str) -> None:
    question = parse(asked)
    assert question.kind == "enumerate", question
    assert topic.lower() in question.topic.lower()
    assert not re.match(r"(?:on|about|of|that|papers?|which|the|use|study)\b", question.topic, re.I)


@pytest.mark.parametrize(("asked", "asks"), RECORDS)
def test_the_records_are_asked(asked: str, asks: str) -> None:
    question = parse(asked)
    assert (question.kind, question.asks) == ("metadata", asks), question


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
    ("asked", "existential"),
    [
        ("Is there a paper on drones?", True),
        ("Are there any works about drones?", True),
        ("Does any paper mention drones?", True),
        ("Is there anything on drones?", True),
        ("Do you have something about drones?", True),
        ("有没有关于无人机的论文？", True),
        ("Which papers mention drones?", False),
        ("How many papers mention drones?", False),
        ("Do any of these mention drones?", False),
        ("哪些论文提到了无人机？", False),
    ],
)
def test_whether_it_asks_if_there_is_one(asked: str, existential: bool) -> None:
    question = parse(asked)
    assert (question.kind, question.existential) == ("enumerate", existential)


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


# --- conditions


@pytest.mark.parametrize(
    ("asked", "filters", "rest"),
    [
        ("Which oral papers are about graphs?", Filters(tracks=("oral",)), "Which papers are about graphs?"),
        ("list all spotlights", Filters(tracks=("spotlight",)), "list all papers"),
        (
            "Which orals or posters use RL?",
            Filters(tracks=("oral", "poster")),
            "Which papers or papers use RL?",
        ),
        ("有多少篇口头报告？", Filters(tracks=("oral",)), "有多少篇论文？"),
        ("papers on oral history", Filters(), "papers on oral history"),
        ("papers about poster design", Filters(), "papers about poster design"),
        ("papers from 2024 on graphs", Filters(years=(2024,)), "papers on graphs"),
        ("papers from 2023 or 2024", Filters(years=(2023, 2024)), "papers"),
        ("works since 2020", Filters(since=2020), "works"),
        ("papers after 2019 about graphs", Filters(since=2020), "papers about graphs"),
        ("papers before 2021", Filters(until=2020), "papers"),
        ("papers between 2019 and 2021", Filters(since=2019, until=2021), "papers"),
        ("2020年以来的论文", Filters(since=2020), "的论文"),
        ("2020 年之前的论文", Filters(until=2019), "的论文"),
        ("2024 年发表的论文", Filters(years=(2024,)), "发表的论文"),
        ("Which NeurIPS papers use RL?", Filters(venues=("NeurIPS",)), "Which papers use RL?"),
        ("papers at ICML 2023", Filters(venues=("ICML",), years=(2023,)), "papers"),
        ("papers on ACL injuries", Filters(), "papers on ACL injuries"),
        ("papers by Ada Lovelace", Filters(authors=("Ada Lovelace",)), "papers"),
        ("papers by ada lovelace", Filters(authors=("ada lovelace",)), "papers"),
        ("papers by Lovelace on engines", Filters(authors=("Lovelace",)), "papers on engines"),
        ("works by Ada Lovelace and Alan Turing", Filters(authors=("Ada Lovelace", "Alan Turing")), "works"),
        (
            "works by Ada Lovelace or Alan Turing",
            Filters(any_author=("Ada Lovelace", "Alan Turing")),
            "works",
        ),
        ("papers by Florence d'Alché-Buc", Filters(authors=("Florence d'Alché-Buc",)), "papers"),
        (
            "papers by Edward Z. Yang about training",
            Filters(authors=("Edward Z. Yang",)),
            "papers about training",
        ),
        ("What has Ada Lovelace written?", Filters(authors=("Ada Lovelace",)), "What ?"),
        ("Show me Ada Lovelace's papers", Filters(authors=("Ada Lovelace",)), "Show me papers"),
        ("Which papers is Ada Lovelace an author of?", Filters(authors=("Ada Lovelace",)), "Which papers ?"),
        ("Ada Lovelace 写了哪些论文？", Filters(authors=("Ada Lovelace",)), "哪些论文？"),
        ("papers by topic", Filters(), "papers by topic"),
        ("papers by year", Filters(), "papers by year"),
        ("Did GNN-Diff publish its code?", Filters(), "Did GNN-Diff publish its code?"),
        (
            "How is a mask learned by gradient descent?",
            Filters(),
            "How is a mask learned by gradient descent?",
        ),
    ],
)
def test_conditions_are_read_and_cut_out(asked: str, filters: Filters, rest: str) -> None:
    found, plain = read_filters(asked)
    assert found == filters
    assert " ".join(plain.split()) == rest


@pytest.mark.parametrize(
    ("asked", "asks", "filters"),
    [
        ("Which one was a poster?", "listing", Filters(tracks=("poster",))),
        ("Was Fugatto a poster?", "track", Filters(tracks=("poster",))),
        ("Is the paper about graphs an oral?", "track", Filters(tracks=("oral",))),
        ("Is it an oral?", "track", Filters(tracks=("oral",))),
        (
            "Which papers did Ada Lovelace write in 2024?",
            "listing",
            Filters(years=(2024,), authors=("Ada Lovelace",)),
        ),
        ("list every paper", "listing", Filters()),
        ("How many papers do you have by Ada Lovelace?", "listing", Filters(authors=("Ada Lovelace",))),
    ],
)
def test_a_condition_without_a_topic_asks_the_records(asked: str, asks: str, filters: Filters) -> None:
    question = parse(asked)
    assert (question.kind, question.asks, question.filters) == ("metadata", asks, filters)


def test_what_a_code_list_is_about() -> None:
    question = parse("Which diffusion papers release code on GitHub?")
    assert (question.kind, question.asks, question.topic) == ("metadata", "code", "diffusion")
    assert parse("Which papers release code?").topic == ""


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


@pytest.mark.parametrize("asked", [asked for asked, _ in LISTS if asked.isascii()][::3])
@pytest.mark.parametrize(
    "around", ["{}", "please {}", "Hi, {}", "Could you tell me {}", "{} please", "so {}"]
)
def test_politeness_changes_neither_kind_nor_topic(asked: str, around: str) -> None:
    plain: Question = parse(asked)
    lower = asked[0].lower() + asked[1:] if around != "{}" else asked
    polite = parse(around.format(lower))
    assert (polite.kind, polite.topic) == (plain.kind, plain.topic)
