"""What the eval's figures, kinds, pictures and reasons are called on the page, in English and Chinese."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EvalNames:
    """One language: eval's own word → what the page says for it."""

    groups: dict[str, str]
    labels: dict[str, str]
    """Figures by their name in a report."""
    kind_columns: dict[str, str]
    """Headings of the table of kinds, by figure."""
    kind: dict[str, str]
    """Keyed by the kind of a case."""
    chart: dict[str, tuple[str, str]]
    """Title and caption by the title in a report."""
    reasons: dict[str, str]
    """What keeps a case from passing, by eval's words before the colon."""


ENGLISH = EvalNames(
    groups={
        "answers": "Answers",
        "citations": "Citations",
        "lists": "Lists",
        "refusals": "Refusals",
        "search": "Search",
        "confidence": "Confidence",
        "speed": "Time and cost",
        "other": "Other",
    },
    labels={
        "strict_pass": "Nothing wrong at all",
        "nugget_recall": "Required facts that are stated",
        "numbers_grounded": "Numbers that stand in the cited papers",
        "count_exact": "Counts that are exact",
        "followup_pass": "Follow-up questions that pass",
        "followup_fresh": "Sentences a follow-up does not repeat",
        "answer_words_p50": "Words, half of the answers",
        "answer_words_max": "Words of the longest answer",
        "paper_recall_at_1": "The right paper is cited first",
        "citation_validity": "Citations that exist, word for word",
        "citation_precision": "Cited papers that are right",
        "citation_recall": "Right papers that are cited",
        "sentences_cited": "Sentences with a citation",
        "citation_support": "Statements the verifier calls supported",
        "list_precision": "Listed papers that are right",
        "list_recall": "Right papers that are listed",
        "list_f1": "Both together, F1",
        "list_recall_with_maybe": "Right papers listed, maybes included",
        "list_length": "Papers a list names",
        "refusal_rate_unanswerable": "Refused where no paper answers",
        "refusal_rate_missing_detail": "Refused where a detail is missing",
        "refusal_rate_false_premise": "Refused where the question assumes wrongly",
        "refusal_rate_not_covered": "Refused where no paper is on the subject",
        "refusal_rate_off_topic": "Refused where the question is off topic",
        "false_refusal_rate": "Refused where one does",
        "retrieval_recall_at_1": "Right papers ranked first",
        "retrieval_recall_at_5": "Right papers among the first 5",
        "retrieval_recall_at_20": "Right papers among the first 20",
        "retrieval_ndcg_at_10": "nDCG@10",
        "retrieval_mrr_at_10": "MRR@10",
        "brier": "Brier score",
        "brier_skill": "Brier skill against knowing only the kinds",
        "ece": "Calibration error",
        "ece_within_kinds": "Calibration error within kinds",
        "aurc": "Area under risk and coverage",
        "seconds_p50": "Seconds, half of the answers",
        "seconds_p95": "Seconds, 95 % of the answers",
        "first_text_seconds_p50": "Seconds to the first words, half",
        "first_text_seconds_p95": "Seconds to the first words, 95 %",
        "tokens_prompt": "Tokens read for an answer",
        "tokens_completion": "Tokens written for an answer",
        "cost_usd": "Dollars an answer",
    },
    kind_columns={
        "strict_pass": "pass",
        "nugget_recall": "facts",
        "paper_recall_at_1": "first paper",
        "citation_precision": "cit. precision",
        "citation_recall": "cit. recall",
        "list_f1": "list F1",
        "seconds_p50": "seconds",
    },
    kind={
        "lookup": "One fact",
        "explain": "Explain",
        "enumerate": "Which papers",
        "compare": "Compare",
        "metadata": "Records",
        "unanswerable": "Not answered",
        "followup": "Follow-up",
    },
    chart={
        "Reliability": (
            "Confidence against truth",
            "How often answers of a stated confidence pass. On the dashed line they pass as often as stated; "
            "bars are exact 95 % intervals.",
        ),
        "Risk and coverage": (
            "What caution buys",
            "Share of wrong answers when only the surest are given; dashed: when all are.",
        ),
        "Latency": ("Time", "How many answers took how long; dashed: half, and 95 % of them."),
    },
    reasons={
        "answered although the papers do not answer it": "It was answered, although no paper answers it",
        "abstained although the papers answer it": "It was refused, although the papers answer it",
        "missing fact": "A fact is missing",
        "paper not cited": "A right paper is not cited",
        "paper not listed": "A right paper is not listed",
        "wrong paper cited": "A wrong paper is cited",
        "wrong paper listed": "A wrong paper is listed",
        "wrong count": "The count is wrong",
        "crashed in the engine": "The engine crashed",
        "the verdict crashed": "The verdict crashed",
    },
)

CHINESE = EvalNames(
    groups={
        "answers": "回答",
        "citations": "引用",
        "lists": "列表",
        "refusals": "拒答",
        "search": "检索",
        "confidence": "把握",
        "speed": "用时与费用",
        "other": "其他",
    },
    labels={
        "strict_pass": "完全无误",
        "nugget_recall": "说出的必要事实",
        "numbers_grounded": "出自所引论文的数字",
        "count_exact": "数目准确",
        "followup_pass": "追问通过",
        "followup_fresh": "追问中不重复的句子",
        "answer_words_p50": "字数，半数回答",
        "answer_words_max": "最长回答的字数",
        "paper_recall_at_1": "首先引用的论文正确",
        "citation_validity": "引用存在且逐字无误",
        "citation_precision": "所引论文中正确的",
        "citation_recall": "正确论文中被引用的",
        "sentences_cited": "带引用的句子",
        "citation_support": "核对器认为有支持的陈述",
        "list_precision": "所列论文中正确的",
        "list_recall": "正确论文中被列出的",
        "list_f1": "两者合并，F1",
        "list_recall_with_maybe": "连“可能”在内列出的正确论文",
        "list_length": "列表中的论文数",
        "refusal_rate_unanswerable": "无论文能答时拒答",
        "refusal_rate_missing_detail": "论文缺少所问细节时拒答",
        "refusal_rate_false_premise": "问题前提有误时拒答",
        "refusal_rate_not_covered": "没有论文涉及主题时拒答",
        "refusal_rate_off_topic": "问题与论文无关时拒答",
        "false_refusal_rate": "有论文能答却拒答",
        "retrieval_recall_at_1": "排在第 1 的正确论文",
        "retrieval_recall_at_5": "前 5 篇中的正确论文",
        "retrieval_recall_at_20": "前 20 篇中的正确论文",
        "retrieval_ndcg_at_10": "nDCG@10",
        "retrieval_mrr_at_10": "MRR@10",
        "brier": "Brier 分数",
        "brier_skill": "相对只知问题类型的 Brier 技巧",
        "ece": "校准误差",
        "ece_within_kinds": "各类问题内的校准误差",
        "aurc": "风险与覆盖曲线下面积",
        "seconds_p50": "秒，半数回答",
        "seconds_p95": "秒，95 % 的回答",
        "first_text_seconds_p50": "首个字出现的秒数，半数",
        "first_text_seconds_p95": "首个字出现的秒数，95 %",
        "tokens_prompt": "每个回答读入的 token",
        "tokens_completion": "每个回答写出的 token",
        "cost_usd": "每个回答的美元数",
    },
    kind_columns={
        "strict_pass": "通过",
        "nugget_recall": "事实",
        "paper_recall_at_1": "首篇",
        "citation_precision": "引用准确",
        "citation_recall": "引用完整",
        "list_f1": "列表 F1",
        "seconds_p50": "秒",
    },
    kind={
        "lookup": "单个事实",
        "explain": "解释",
        "enumerate": "哪些论文",
        "compare": "比较",
        "metadata": "记录",
        "unanswerable": "无答案",
        "followup": "追问",
    },
    chart={
        "Reliability": (
            "把握与事实",
            "各档把握的回答有多少通过。在虚线上，通过率与所述把握一致；竖线为精确的 95 % 区间。",
        ),
        "Risk and coverage": ("谨慎的收益", "只给出最有把握的回答时错误所占比例；虚线：全部给出时。"),
        "Latency": ("用时", "各用时的回答数；虚线：半数和 95 % 的回答。"),
    },
    reasons={
        "answered although the papers do not answer it": "没有论文回答它，却作了回答",
        "abstained although the papers answer it": "论文回答了它，却拒答了",
        "missing fact": "缺少事实",
        "paper not cited": "没有引用正确的论文",
        "paper not listed": "没有列出正确的论文",
        "wrong paper cited": "引用了错误的论文",
        "wrong paper listed": "列出了错误的论文",
        "wrong count": "数目错误",
        "crashed in the engine": "引擎出错",
        "the verdict crashed": "判定出错",
    },
)
