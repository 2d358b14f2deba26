"""What the Eval tab says, in English and Chinese."""

from dataclasses import dataclass

from rag.records import Language
from ui.eval_names import CHINESE, ENGLISH, EvalNames


@dataclass(frozen=True, slots=True)
class EvalTexts:
    """One language of the tab. Fields with `{...}` are filled with `str.format`."""

    names: EvalNames
    tab: str
    title: str
    lead: str

    questions: str
    chosen: dict[bool, str]
    """Name and number of questions of a file. Keyed, as all that counts, by "exactly one"."""
    choose: str
    shipped: str
    too_large: str
    unusable: str
    model_switch: str
    sends: str
    run: str
    stop: str
    still_running: str

    progress: str
    """Of the bar, for those who do not see it."""
    asked: str
    seconds_left: str
    minutes_left: str
    summarising: str
    stopped: str
    stopped_at_once: str
    failed: str
    failed_inside: str

    passed: str
    interval: str
    sure: str
    calibrated: dict[bool, str]
    """Keyed by "calibration is rejected"."""
    crashed: dict[bool, str]
    unwritten: dict[bool, str]
    save_report: str
    save_json: str

    figures: str
    more_figures: dict[bool, str]
    figure: str
    value: str
    number: str
    lower_is_better: str
    kinds: str
    charts: str

    cases: str
    failing: dict[bool, str]
    passing: dict[bool, str]
    why: str
    answer: str
    asked_before: str
    abstained: str
    named: str
    right: str
    tolerated: str
    expected: str
    expected_refusal: str
    expected_none: str
    fact: str
    any_of: str
    scores: str


_EN = EvalTexts(
    names=ENGLISH,
    tab="Eval",
    title="How good are the answers?",
    lead="Asks questions whose right answers are known and counts what comes back: facts, citations, lists, "
    "refusals, confidence, time. Every figure says how sure it is.",
    questions="Questions",
    chosen={True: "{name}: {count} question", False: "{name}: {count} questions"},
    choose="Use a file of yours",
    shipped="Use the shipped set",
    too_large="{name} has {size:,} bytes; {limit:,} are the most.",
    unusable="This file cannot be used. {reason}",
    model_switch="Let a language model write the answers",
    sends="While this is on, {count} questions are sent to {endpoint}, each with the earlier turns of its "
    "conversation and the abstracts found for it. The calls to {model} cost what its provider asks, up to "
    "the day’s limit. While it is off, {otherwise}",
    run="Run",
    stop="Stop",
    still_running="One moment: a run is still going on.",
    progress="Questions asked",
    asked="{done} of {total} asked, {passed} pass",
    seconds_left="about {count} s left",
    minutes_left="about {count} min left",
    summarising="Computing the intervals and drawing the pictures",
    stopped="Stopped after {done} of {total} questions. What follows is about these {done}.",
    stopped_at_once="Stopped before the first question was answered.",
    failed="The run could not be finished. {reason}",
    failed_inside="Something went wrong inside; the terminal says where.",
    passed="{passed} of {total} questions pass",
    interval="{low} to {high}",
    sure="95 % interval {interval}",
    calibrated={
        False: "The stated confidence fits what came out (p\u00a0=\u00a0{p}).",
        True: "The stated confidence does not fit what came out (p\u00a0=\u00a0{p}).",
    },
    crashed={
        True: "{count} question crashed; it says why below.",
        False: "{count} questions crashed; each says why below.",
    },
    unwritten={
        True: "{count} answer was not written by the model. {notice}",
        False: "{count} answers were not written by the model. {notice}",
    },
    save_report="Save the report",
    save_json="Save as JSON",
    figures="Figures",
    more_figures={True: "{count} more figure", False: "{count} more figures"},
    figure="figure",
    value="value and 95\u00a0%\u00a0interval",
    number="n",
    lower_is_better="lower is better",
    kinds="By kind of question",
    charts="Pictures",
    cases="Every question",
    failing={True: "{count} fails", False: "{count} fail"},
    passing={True: "{count} passes", False: "{count} pass"},
    why="Why it fails",
    answer="Answer",
    asked_before="Asked before: {turn}",
    abstained="Refused",
    named="Papers it names",
    right="right",
    tolerated="tolerated",
    expected="What was expected",
    expected_refusal="A refusal: no paper answers this.",
    expected_none="None of the papers.",
    fact="Fact",
    any_of="or",
    scores="Scores of {id}",
)

_ZH = EvalTexts(
    names=CHINESE,
    tab="评测",
    title="回答有多好？",
    lead="提出已知正确答案的问题，统计得到的结果：事实、引用、列表、拒答、把握、用时。每个数字都说明它有多可靠。",
    questions="问题集",
    chosen=dict.fromkeys((True, False), "{name}：{count} 个问题"),
    choose="使用自己的文件",
    shipped="使用自带的问题集",
    too_large="{name} 有 {size:,} 字节，最多 {limit:,} 字节。",
    unusable="无法使用这个文件。{reason}",
    model_switch="让语言模型撰写回答",
    sends="开启时，{count} 个问题连同各自对话的先前内容以及为其找到的摘要会发送到 {endpoint}。"
    "调用 {model} 按其提供方的价格计费，不超过每日上限。关闭时，{otherwise}",
    run="运行",
    stop="停止",
    still_running="请稍候：评测还在进行。",
    progress="已提出的问题",
    asked="已问 {done} / {total}，通过 {passed}",
    seconds_left="约剩 {count} 秒",
    minutes_left="约剩 {count} 分钟",
    summarising="正在计算区间、绘制图表",
    stopped="已停止：问了 {total} 个问题中的 {done} 个，以下只关于这 {done} 个。",
    stopped_at_once="已停止，还没有问题得到回答。",
    failed="评测没能完成。{reason}",
    failed_inside="内部出错，终端里写明了位置。",
    passed="{total} 个问题中 {passed} 个通过",
    interval="{low} 至 {high}",
    sure="95 % 区间 {interval}",
    calibrated={
        False: "所述的把握与结果相符（p\u00a0=\u00a0{p}）。",
        True: "所述的把握与结果不符（p\u00a0=\u00a0{p}）。",
    },
    crashed=dict.fromkeys((True, False), "{count} 个问题出错，原因见下。"),
    unwritten=dict.fromkeys((True, False), "{count} 个回答不是模型写的。{notice}"),
    save_report="保存报告",
    save_json="保存为 JSON",
    figures="指标",
    more_figures=dict.fromkeys((True, False), "另外 {count} 个指标"),
    figure="指标",
    value="数值与 95 % 区间",
    number="n",
    lower_is_better="越低越好",
    kinds="按问题类型",
    charts="图",
    cases="每个问题",
    failing=dict.fromkeys((True, False), "{count} 个未通过"),
    passing=dict.fromkeys((True, False), "{count} 个通过"),
    why="为何未通过",
    answer="回答",
    asked_before="此前问：{turn}",
    abstained="已拒答",
    named="提到的论文",
    right="正确",
    tolerated="可容忍",
    expected="期望的回答",
    expected_refusal="拒答：没有论文回答它。",
    expected_none="没有这样的论文。",
    fact="事实",
    any_of="或",
    scores="{id} 的得分",
)


def eval_texts_for(language: Language) -> EvalTexts:
    return {"en": _EN, "zh": _ZH}[language]
