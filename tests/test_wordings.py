"""Questions of each kind in many words, English and Chinese: the kind must not hang on one wording."""

import pytest

from rag.question.parsing import parse

WORDINGS = {
    "explain": """
how does PRISM work?
How does GNN-Diff do it?
could you walk me through HexGen-2?
what's the intuition behind TRON?
give me the gist of GRIT
What is the idea of Fugatto?
why does AtSpeed need relaxed verification?
In what way does GGSD generate graphs?
by what mechanism does PRISM share parameters?
what is meant by QA-calibration?
can you explain SAE stitching to a beginner
help me understand the barycenter paper
for what reason is prefill split from decode?
Tell me more about DIOTM
what's GenRM all about?
summarize the AlgoPerf paper in two lines
elaborate on how meta-SAEs work
what happens inside HexGen-2's scheduler?
how come speculative decoding is harder for recommendation?
describe the training of Fugatto
what role does the teacher play in adaptive teachers?
PRISM 是怎么工作的？
介绍一下 Fugatto
TRON 的原理是什么？
为什么 AtSpeed 要放宽验证？
请解释 GRIT 的做法
GGSD 是如何生成图的？
能讲讲 HexGen-2 吗？
GenRM 的核心想法是什么？
DIOTM 有什么用？
""",
    "compare": """
How do GNN-Diff and GGSD differ?
compare TRON with QA-calibration
what sets PRISM apart from HexGen-2?
GNN-Diff versus GGSD
differences between GenRM and GRIT?
is DIOTM similar to the barycenter paper or do they differ?
contrast SAE stitching with meta-SAEs
What do PRISM and HexGen-2 have in common?
how is TRON different from QA-calibration?
Put GRIT and GenRM side by side
how does GenRM stack up against GRIT?
do PRISM and HexGen-2 tackle the same problem?
GNN-Diff 和 GGSD 有什么不同？
比较一下 PRISM 与 HexGen-2
TRON 跟 QA-calibration 的区别在哪里？
GenRM 与 GRIT 的异同？
""",
    "lookup": """
how many datasets did GNN-Diff use?
On which benchmarks was TRON tested?
what speedup does AtSpeed reach?
which solver does AGRO use?
name the datasets in the PRISM experiments
what accuracy does GenRM get on GSM8K?
does PRISM need pruning afterwards?
is the first-hitting sampler exact?
what does DIOTM stand for?
at how many bits is the model quantised?
on how many tasks was Fugatto evaluated?
whose data did they use in AlgoPerf?
by what factor is GRIT faster?
What's the price budget reduction of HexGen-2?
which paper uses eigenvectors?
AtSpeed 最多能加速多少？
TRON 用了哪些数据集？
PRISM 需要剪枝吗？
GenRM 在 GSM8K 上的准确率是多少？
DIOTM 是什么的缩写？
""",
    "enumerate": """
which study graphs?
which papers study graphs?
what work is there on diffusion?
show me everything on optimal transport
any papers about audio?
do you have papers on federated learning?
who works on sparse autoencoders?
list the abstracts that mention GPUs
I need papers about calibration
papers using reinforcement learning
how many papers are about language models?
is there anything on speculative decoding?
what has been written about interpretability?
哪些论文研究图神经网络？
有没有关于扩散模型的论文？
列出所有关于校准的论文
有多少篇论文研究强化学习？
""",
    "offtopic": """
hello there
hi, what can you do?
thanks, bye
tell me a joke
what's 3*7?
你好
谢谢
""",
    "metadata": """
who wrote PRISM?
who are the people behind Fugatto?
in which year was TRON published?
how many authors does GRIT have?
what's the link to the AtSpeed paper?
Fugatto 的作者是谁？
""",
}


@pytest.mark.parametrize(
    ("kind", "asked"),
    [(kind, asked) for kind, lines in WORDINGS.items() for asked in lines.strip().splitlines()],
)
def test_a_kind_of_question_is_known_in_many_words(kind: str, asked: str) -> None:
    assert parse(asked).kind == kind
