"""What the page says, in English and Chinese, and which of the two a browser asked for."""

from dataclasses import dataclass

from rag.records import Choice, Language, Verdict
from rag.suspicion import Reason


@dataclass(frozen=True, slots=True)
class Texts:
    """One language of the page. Fields with `{...}` are filled with `str.format`."""

    language: Language
    tag: str
    """BCP 47 tag, for the `lang` attribute."""

    tab: str
    title: str
    lead: str
    papers: dict[bool, str]
    """Keyed by "exactly one paper"."""
    question_label: str
    placeholder: str
    ask: str
    stop: str
    new_chat: str
    examples: str
    conversation: str

    papers_heading: str
    more_papers: str
    sources_heading: str
    earlier_heading: str
    no_sources: str
    no_abstract: str
    open_paper: str
    more_authors: str
    to_answer: str
    quoted_elsewhere: str
    quotation: str
    suspicious: str
    suspicions: dict[Reason, str]

    reading: str
    stopped: str
    failed: str
    failed_inside: str
    no_answer: str
    abstained: str
    empty_question: str
    long_question: str
    still_answering: str

    verdicts: dict[Verdict, str]
    choices: dict[Choice, str]
    list_label: str
    confidence: tuple[str, str, str, str]
    """Words for a probability of at least 0.85, 0.6, 0.35 and 0."""
    confidence_number: str

    searched_for: str
    extractive: str
    generated: str
    screened: str
    considered: dict[bool, str]
    """Keyed by "exactly one paper"."""
    seconds: str
    tokens: str
    cost: str

    model_switch: str

    examples_of: dict[str, str]
    """Example questions by kind; `{}` is filled from the papers."""


_EN = Texts(
    language="en",
    tag="en",
    tab="Chat",
    title="Ask the papers",
    lead="Ask in your own words. Every statement of an answer carries a number, and the number opens the "
    "sentence of the abstract it rests on.",
    papers={True: "{count} paper", False: "{count} papers"},
    question_label="Your question",
    placeholder="Ask about these papers",
    ask="Ask",
    stop="Stop",
    new_chat="New chat",
    examples="For example",
    conversation="Conversation",
    papers_heading="Papers",
    more_papers="and {count} more",
    sources_heading="Sources",
    earlier_heading="Cited earlier",
    no_sources="This answer cites no paper.",
    no_abstract="The list holds no abstract of this paper.",
    open_paper="Open on {site}",
    more_authors="and {count} more",
    to_answer="Back to the answer",
    quoted_elsewhere="Quoted",
    quotation="“{quote}”",
    suspicious="Read with care: this record {what}.",
    suspicions={
        "orders": "gives orders to whoever answers; they are not followed or quoted",
        "roles": "imitates turns of a conversation; they are not quoted",
        "hidden": "holds text that no reader sees",
        "markup": "holds markup that would run in a browser; it is shown as text",
        "stuffing": "is a heap of repeated keywords and is kept out of lists",
        "lookalikes": "mixes letters of two alphabets that look alike",
        "length": "is far longer than an abstract; only its beginning is read",
    },
    reading="Reading the abstracts",
    stopped="Stopped. What had been written is above.",
    failed="This question could not be answered.",
    failed_inside="Something went wrong inside; the terminal says where. The conversation goes on: your "
    "question is in the box again.",
    no_answer="The engine ended without an answer. Your question is in the box again.",
    abstained="Not answered by these papers",
    empty_question="Write a question first.",
    long_question="The question has {length} characters; {limit} are the most that can be asked at once. "
    "Please shorten it.",
    still_answering="One moment: the last question is still being answered.",
    verdicts={
        "supported": "supported",
        "weak": "weakly supported",
        "unsupported": "not supported by the abstract",
    },
    choices={"yes": "Yes", "maybe": "Maybe", "no": "No"},
    list_label="Papers found",
    confidence=("very likely right", "likely right", "uncertain", "doubtful"),
    confidence_number="Estimated probability that the answer is right: {percent} %",
    searched_for="searched for “{query}”",
    extractive="quoted from the abstracts",
    generated="written by {model}",
    screened="papers read by {model}",
    considered={True: "{count} paper considered", False: "{count} papers considered"},
    seconds="{seconds}\u00a0s",
    tokens="{prompt} + {completion} tokens",
    cost="${cost}",
    model_switch="Let a language model write the answer",
    examples_of={
        "explain": "How does {} work?",
        "enumerate": "Which papers are about {}?",
        "lookup": "What is the main finding of “{}”?",
        "metadata": "How many of the papers are {} papers?",
    },
)

_ZH = Texts(
    language="zh",
    tag="zh-CN",
    tab="对话",
    title="与论文对话",
    lead="用自己的话提问。回答中的每句话都带有编号，点击编号即可看到摘要中支持它的原句。",
    papers=dict.fromkeys((True, False), "{count} 篇论文"),
    question_label="你的问题",
    placeholder="就这些论文提问",
    ask="提问",
    stop="停止",
    new_chat="新对话",
    examples="例如",
    conversation="对话",
    papers_heading="论文",
    more_papers="另有 {count} 篇",
    sources_heading="来源",
    earlier_heading="此前引用",
    no_sources="这个回答没有引用论文。",
    no_abstract="列表中没有这篇论文的摘要。",
    open_paper="在 {site} 打开",
    more_authors="及另外 {count} 人",
    to_answer="回到回答",
    quoted_elsewhere="引文",
    quotation="“{quote}”",
    suspicious="请留意：这条记录{what}。",
    suspicions={
        "orders": "向回答者发号施令；这些话不会被执行或引用",
        "roles": "冒充对话中的发言；这些话不会被引用",
        "hidden": "含有读者看不见的文字",
        "markup": "含有会在浏览器中运行的标记；这里只作为文字显示",
        "stuffing": "是一堆重复的关键词，不会列入列表",
        "lookalikes": "混用了两种字母中外形相似的字符",
        "length": "远比一般摘要长；只读取开头部分",
    },
    reading="正在阅读摘要",
    stopped="已停止。上面是已写出的部分。",
    failed="这个问题没能得到回答。",
    failed_inside="内部出错，终端里写明了位置。对话可以继续：你的问题已放回输入框。",
    no_answer="没有得到回答。你的问题已放回输入框。",
    abstained="这些论文没有回答这个问题",
    empty_question="请先写下问题。",
    long_question="问题有 {length} 个字符，一次最多 {limit} 个，请缩短。",
    still_answering="请稍候：上一个问题还在回答中。",
    verdicts={"supported": "有支持", "weak": "支持较弱", "unsupported": "摘要不支持"},
    choices={"yes": "是", "maybe": "可能", "no": "否"},
    list_label="找到的论文",
    confidence=("很可能正确", "大概正确", "不确定", "存疑"),
    confidence_number="估计回答正确的概率：{percent}%",
    searched_for="检索“{query}”",
    extractive="摘自原文",
    generated="由 {model} 撰写",
    screened="论文由 {model} 阅读",
    considered={True: "查看了 {count} 篇论文", False: "查看了 {count} 篇论文"},
    seconds="{seconds} 秒",
    tokens="{prompt} + {completion} 个 token",
    cost="${cost}",
    model_switch="让语言模型撰写回答",
    examples_of={
        "explain": "{} 是怎么做的？",
        "enumerate": "哪些论文研究 {}？",
        "lookup": "《{}》的主要结论是什么？",
        "metadata": "有多少篇 {} 论文？",
    },
)


def texts_for(accept_language: str | None) -> Texts:
    """The texts for an Accept-Language header: of the two languages the preferred one, else English."""
    best, weight = _EN, 0.0
    for item in (accept_language or "").split(","):
        tag, _, parameters = item.strip().partition(";")
        texts = {"en": _EN, "zh": _ZH}.get(tag.strip().lower().partition("-")[0])
        quality = _quality(parameters)
        if texts and quality > weight:
            best, weight = texts, quality
    return best


def _quality(parameters: str) -> float:
    name, _, value = parameters.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
