"""What stands under an answer, in English and Chinese: what can be done with it, and how it came about."""

from dataclasses import dataclass

from rag.records import Choice, Language, Stage


@dataclass(frozen=True, slots=True)
class AnswerTexts:
    """One language. Fields with `{...}` are filled with `str.format`."""

    copy: str
    copied: str
    not_copied: str
    retry: str
    edit: str
    editing: str
    keep: str

    search_label: str
    search_again: str
    onward: str

    how: str
    confidence: str
    searched: str
    written: str
    looked_at: str
    time: str
    stages: dict[str, str]
    """Keyed by the names in `Receipt.seconds`."""
    tokens: str
    cost: str
    unpriced: str
    sentences: str
    checks: dict[str, str]
    """Keyed by `Checked.action`."""
    fates: str
    fate_stages: dict[Stage, str]

    why_not: str
    any_paper: str
    look_up: str
    which_paper: str
    no_such_paper: str
    rank: str
    score: str
    why_failed: str

    read_offer: str
    read_unpriced: str
    read_so_far: str

    model: str
    totals: dict[bool, str]
    """Keyed by "exactly one answer"."""
    total_tokens: str
    total_cost: str
    save_conversation: str
    save_cited: str
    saved: str

    checked: dict[bool, str]
    """Keyed by "exactly one paper"."""
    expected: str
    uncalibrated: str
    filter: str
    shown: str
    save: str
    save_shown: str
    save_selected: str
    select: str
    select_all: str
    groups: dict[Choice, dict[bool, str]]
    """Keyed by "exactly one paper"."""
    paper: str
    published: str
    why: str
    abstract: str


_EN = AnswerTexts(
    copy="Copy",
    copied="Copied as Markdown, with references.",
    not_copied="The browser did not allow copying.",
    retry="Try again",
    edit="Edit the question",
    editing="Your last question is in the box. Asking it again replaces its answer.",
    keep="Keep the answer",
    search_label="Search for",
    search_again="Ask again with this",
    onward="Ask next",
    how="How this came about",
    confidence="Confidence",
    searched="Searched for",
    written="Answer",
    looked_at="Looked at",
    time="Time",
    stages={
        "retrieve": "searching",
        "screen": "deciding on each paper",
        "compose": "choosing sentences",
        "write": "writing",
        "verify": "checking the text",
        "translate": "putting the question in English",
        "vote": "asking the model again",
        "read": "reading papers",
    },
    tokens="{prompt} read + {completion} written",
    cost="Cost",
    unpriced="not known for this model",
    sentences="Sentences of the model",
    checks={
        "kept": "kept",
        "recited": "cited anew",
        "marked": "marked as not found",
        "struck": "taken out",
    },
    fates="Papers on the way",
    fate_stages={
        "filter": "outside the filters",
        "retrieve": "ranked too low",
        "screen": "left out of the list",
        "compose": "not quoted",
        "write": "not cited by the model",
        "answer": "in the answer",
    },
    why_not="Why not this paper?",
    any_paper="Title, author or id of any paper",
    look_up="Look up",
    which_paper="Papers to choose from",
    no_such_paper="No paper has these words.",
    rank="rank {rank}",
    score="score {score}",
    why_failed="This could not be found out; the terminal says where it went wrong.",
    read_offer="Let {model} read {count} papers (at most {tokens} tokens, {cost})",
    read_unpriced="price not known",
    read_so_far="{model} has read {papers} of {of} papers",
    model="Model",
    totals={True: "{count} answer", False: "{count} answers"},
    total_tokens="{prompt} + {completion} tokens",
    total_cost="${cost} in all",
    save_conversation="Save this conversation",
    save_cited="Save the cited papers as",
    saved="Saved: {name}",
    checked={True: "The one paper was checked.", False: "All {count} papers were checked."},
    expected="About {percent} % of all that match are expected to be listed here.",
    uncalibrated="How complete the list is cannot be said: not calibrated.",
    filter="Only papers with these words",
    shown="{shown} of {count} shown",
    save="Save as",
    save_shown="Save {count} shown as",
    save_selected="Save {count} selected as",
    select="Select",
    select_all="Select all shown",
    paper="Paper",
    published="Published",
    groups={
        "yes": {True: "{count} matches", False: "{count} match"},
        "maybe": dict.fromkeys((True, False), "{count} may match"),
        "no": {True: "{count} does not match", False: "{count} do not match"},
    },
    why="Quote and reason",
    abstract="Abstract",
)

_ZH = AnswerTexts(
    copy="复制",
    copied="已复制为 Markdown，附参考文献。",
    not_copied="浏览器不允许复制。",
    retry="重试",
    edit="修改问题",
    editing="上一个问题已放回输入框，再次提问会替换它的回答。",
    keep="保留原回答",
    search_label="检索词",
    search_again="用它重新提问",
    onward="接着问",
    how="这个回答的由来",
    confidence="把握",
    searched="检索词",
    written="回答",
    looked_at="范围",
    time="用时",
    stages={
        "retrieve": "检索",
        "screen": "逐篇判断",
        "compose": "选取原句",
        "write": "撰写",
        "verify": "核对",
        "translate": "把问题译成英文",
        "vote": "请模型复核",
        "read": "阅读论文",
    },
    tokens="读入 {prompt}，写出 {completion}",
    cost="费用",
    unpriced="该模型价格未知",
    sentences="模型写的句子",
    checks={"kept": "保留", "recited": "改正了引用", "marked": "标为未找到", "struck": "删去"},
    fates="途中的论文",
    fate_stages={
        "filter": "不符合筛选条件",
        "retrieve": "排名太低",
        "screen": "未列入",
        "compose": "未被引用",
        "write": "模型未引用",
        "answer": "在回答中",
    },
    why_not="为什么没有这篇论文？",
    any_paper="任意论文的标题、作者或编号",
    look_up="查找",
    which_paper="可选的论文",
    no_such_paper="没有论文含有这些词。",
    rank="第 {rank} 名",
    score="得分 {score}",
    why_failed="无法查明原因；终端里写明了出错的位置。",
    read_offer="请 {model} 阅读 {count} 篇论文（最多 {tokens} 个 token，{cost}）",
    read_unpriced="价格未知",
    read_so_far="{model} 已读 {papers}/{of} 篇论文",
    model="模型",
    totals={True: "{count} 个回答", False: "{count} 个回答"},
    total_tokens="{prompt} + {completion} 个 token",
    total_cost="共 ${cost}",
    save_conversation="保存本次对话",
    save_cited="保存引用的论文：",
    saved="已保存：{name}",
    checked={True: "已检查这 1 篇论文。", False: "已检查全部 {count} 篇论文。"},
    expected="预计所有符合的论文中约 {percent}% 列在这里。",
    uncalibrated="无法估计列表的完整程度：未经校准。",
    filter="只看含有这些词的论文",
    shown="显示 {shown} / {count} 篇",
    save="保存为：",
    save_shown="保存显示的 {count} 篇：",
    save_selected="保存选中的 {count} 篇：",
    select="选择",
    select_all="选择全部显示的论文",
    paper="论文",
    published="发表",
    groups={
        "yes": dict.fromkeys((True, False), "{count} 篇符合"),
        "maybe": dict.fromkeys((True, False), "{count} 篇可能符合"),
        "no": dict.fromkeys((True, False), "{count} 篇不符合"),
    },
    why="引文与理由",
    abstract="摘要",
)


def answer_texts_for(language: Language) -> AnswerTexts:
    """The texts in this language of the page."""
    return _ZH if language == "zh" else _EN
