"""Details of experiments and of publication, which papers give and abstracts seldom: what is asked for.

Each kind of detail knows how a question asks for it and how an abstract would tell it. The table is general
knowledge of how the field reports its work; nothing in it belongs to one paper.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag.question.wordings import wording

_NUMBER = (
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozens?|hundreds?|thousands?|millions?)\b)"
)


@dataclass(frozen=True, slots=True)
class Detail:
    """`english` and `chinese` name it; `asked` finds it in a question, `told` in an abstract that gives"
    " it."""

    english: str
    chinese: str
    asked: re.Pattern[str]
    told: re.Pattern[str]

    def name(self, language: str) -> str:
        return self.chinese if language == "zh" else self.english


def _detail(english: str, chinese: str, asked: str, told: str = "") -> Detail:
    return Detail(english, chinese, wording(asked, chinese), wording(told or asked))


_GPU = r"\b(?:gpus?|tpus?|a100s?|h100s?|v100s?|rtx|graphics cards?|[34]090s?|t4)\b"
_GPU_NAME = r"\b(?:a100|a6000|a40|h100|h200|v100|p100|t4|rtx|gtx|titan|tpu ?v\d|[234]0[6789]0)"

DETAILS = (
    _detail("a learning rate", "学习率", r"\blearning[- ]rates?\b|\bstep[- ]sizes?\b"),
    _detail("a batch size", "批大小", r"\b(?:mini-?)?batch[- ]sizes?\b|批次大小|批量大小"),
    _detail(
        "the optimizer",
        "优化器",
        r"\bwhich optimi[sz]er\b|\bwhat optimi[sz]er\b",
        r"\badamw?\b|\bsgd\b|\bmuon\b",
    ),
    _detail(
        "the number of epochs",
        "训练轮数",
        r"\bepochs?\b|多少轮|几轮|\btraining (?:steps|iterations)\b|训练.{0,4}步",
    ),
    _detail("a weight decay", "权重衰减", r"\bweight[- ]decay\b"),
    _detail("a dropout rate", "丢弃率", r"\bdropout\b"),
    _detail(
        "a temperature",
        "温度",
        r"\b(?:what|which|sampling|softmax|at what) temperature\b|temperature (?:is|was)\b",
        r"\btemperature\b",
    ),
    _detail("a number of seeds", "随机种子", r"\b(?:random )?seeds?\b|种子"),
    _detail(
        "the rank",
        "秩",
        r"\b(?:what|which|how (?:high|large)(?: is)? (?:a|the)) (?:lora )?rank\b(?!.*\b(?:leaderboard"
        r"|among|place)\b)"
        r"|\brank (?:is|was) (?:used|set|chosen)\b|秩(?:是|设|取)",
        r"\brank[- ]?(?:of |= ?)?\d|\brank \$",
    ),
    _detail(
        "a number of layers",
        "层数",
        r"\bhow many (?:\w+ ){0,2}layers\b|\bhow deep\b|\b(?:number of|what) (?:layers|depth)\b"
        r"|几层|多少层|多深",
        rf"{_NUMBER}[- ](?:hidden |transformer )?layers?\b|\bdepth[- ](?:of )?\d|\b\d+[- ]deep",
    ),
    _detail(
        "a number of attention heads",
        "注意力头数",
        r"\bhow many (?:\w+ ){0,2}heads\b|\bnumber of (?:attention )?heads\b"
        r"|注意力头.{0,3}(?:数|多少|几个)|多少个?注意力头",
        rf"{_NUMBER}[- ](?:attention )?heads\b",
    ),
    _detail(
        "a hidden size",
        "隐藏维度",
        r"\b(?:hidden|embedding|latent|model) (?:size|width|dimension(?:ality)?)\b"
        r"|隐藏层?(?:维度|大小)|嵌入维度",
        rf"{_NUMBER}[- ](?:dimension|dim)|\bdimension(?:ality|s)? (?:of )?\d",
    ),
    _detail(
        "the codebook size",
        "码本大小",
        r"\bcodebook (?:size|entries)\b|\bsize of the codebook\b|码本.{0,2}大小",
    ),
    _detail(
        "a window length",
        "窗口长度",
        r"\b(?:look-?back|context|input) (?:window|length)\b|\bwindow size\b|窗口(?:大小|长度)",
    ),
    _detail(
        "the graphics card",
        "显卡型号",
        r"\b(?:which|what|kind of|type of|model of) (?:exact |kind of |type of )?(?:gpus?"
        r"|graphics cards?|hardware|tpus?"
        r"|accelerators?)\b|哪(?:种|款|块|个)(?:GPU|显卡)|什么(?:GPU|显卡|硬件)",
        _GPU_NAME,
    ),
    _detail(
        "the number of GPUs",
        "GPU 数量",
        r"\bhow many (?:\w+ ){0,2}(?:gpus?|tpus?)\b(?![- ]?(?:hours?|days?))"
        r"|(?:多少|几)(?:张|块|个|台)\s*(?:GPU|显卡)",
        rf"{_NUMBER}\W{{0,3}}(?:\w+ ){{0,2}}{_GPU}",
    ),
    _detail(
        "GPU hours",
        "训练时长",
        r"\bgpu[- ](?:hours?|days?)\b|\bhow (?:long|many (?:hours|days|weeks)) (?:does|did|do|is"
        r"|was)?\b.*\b(?:train|pre-?train)"
        r"|\btraining time\b|\btrained for how long\b|训练.{0,8}(?:多久|多长时间|几天|多少(?:天|小时))",
        rf"{_NUMBER}[- ](?:\w+[- ])?(?:hours?|days?|weeks?|minutes?|gpu)\b",
    ),
    _detail(
        "a programming language",
        "编程语言",
        r"\b(?:which|what) language (?:is|was|are|were)\b.*\b(?:written|implemented|coded)\b"
        r"|\b(?:which|what) programming language\b|编程语言",
        r"\bprogramming languages?\b|\bpython\b|\bc\+\+|\bcuda\b|\brust\b|\bjava\b|\bpytorch\b|\bjax\b",
    ),
    _detail(
        "a cost in money",
        "费用",
        r"\bhow (?:much|many dollars)\b.*\b(?:money|dollars?|usd)\b|\bhow much (?:did|does|do) (?:it"
        r"|they) cost\b"
        r"|\bdollars?\b|\bprice (?:of|per)\b|花(?:了)?多少钱|多少(?:美元|钱)",
        r"\$\s?\d|\bdollars?\b|\busd\b|\bprice\b|\bcost",
    ),
    _detail("a licence", "许可证", r"\blicen[cs](?:e|es|ed|ing)\b|开源协议"),
    _detail(
        "who paid for it", "资助", r"\bfund(?:ed|ing|s|er|ers)\b|\bsponsor(?:ed|s)?\b|\bgrants?\b|资金|谁资助"
    ),
    _detail(
        "where the authors work",
        "作者单位",
        r"\b(?:which|what) (?:universit(?:y|ies)|institutions?|compan(?:y|ies)|labs?|affiliations?)\b"
        r"|\baffiliat"
        r"|哪(?:个|所|家)(?:大学|机构|公司|单位|实验室)",
        r"\buniversity of\b|\baffiliat",
    ),
    _detail(
        "the reviewers' scores",
        "评审分数",
        r"\breview(?:er)?s?['’]? (?:scores?|ratings?)\b|\brebuttal\b|审稿(?:分|意见)",
    ),
    _detail(
        "a number of citations",
        "引用次数",
        r"\bhow (?:many times|often)\b.*\bcited\b|\bcitation count\b|被引(?:用)?(?:了)?(?:多少)?次?",
    ),
    _detail(
        "a maker or brand",
        "品牌",
        r"\b(?:which|what) (?:brand|make|manufacturer|vendor)\b|\bmanufactured by\b"
        r"|什么(?:牌子|品牌)|哪个品牌",
        r"\bfranka\b|\bkuka\b|\bur5e?\b|\bnvidia\b|\bintel\b|\bmanufactur",
    ),
    _detail(
        "a number of annotators",
        "标注人数",
        r"\bhow many (?:\w+ ){0,2}(?:annotators?|raters?|labell?ers?|crowd-?workers?|experts?)\b|多少(?:名"
        r"|位|个)?标注",
        rf"{_NUMBER}[- ](?:\w+[- ]){{0,2}}(?:annotators?|raters?|labell?ers?|workers?|experts?)\b",
    ),
    _detail(
        "a number of participants",
        "参与人数",
        r"\bhow many (?:\w+ ){0,2}(?:people|participants?|subjects|listeners?|volunteers?|users"
        r"|patients?|students?|players?|individuals|humans)\b(?:.*\b(?:took part|participated|recruited)\b)?"
        r"|(?:多少|几)(?:名|位|个)?(?:参与者|受试者|志愿者|患者|用户|听众)",
        rf"(?:{_NUMBER}[-\s](?:\w+[- ]){{0,3}}(?:people|participants?|subjects|listeners?|volunteers?"
        rf"|users|patients?|students?"
        r"|individuals?|humans?|children|persons?)\b)|\bN ?= ?\d",
    ),
    _detail(
        "a number of parameters",
        "参数量",
        r"\bhow many (?:\w+ ){0,2}param(?:eter)?s\b|\bparameter counts?\b|\b(?:which|what) (?:model )?sizes\b"
        r"|\bhow (?:big|large) (?:is|are|was|were) (?:the |its |their )?(?:\w+ ){0,2}models?\b"
        r"|多少(?:个)?参数|参数(?:量|规模)",
        r"\d(?:\.\d+)?\s?(?:[MB]\b|million|billion|[KMB] param|\\?%)|parameter",
    ),
)
"""From the ways a model is trained to the ways a paper is published."""

_METRICS = wording(
    r"\b(?:PSNR|SSIM|LPIPS|FID|FVD|KID|BLEU|ROUGE|METEOR|CIDEr|BERTScore|WER|CER|MOS|FAD|PESQ|STOI"
    r"|AUROC|AUC|AUPRC|m?IoU"
    r"|mAP|nDCG(?:@\d+)?|MRR|recall@\d+|pass@\d+|hit@\d+|F1|RMSE|MSE|MAE|perplexity|top-?[15]|EER|CLIP score"
    r"|Elo|win rate|BPC|bits per (?:byte|character|dimension)|NLL|ECE|Dice)(?![\w-])"
)


def asked_for(question: str) -> Iterator[Detail]:
    """The details that `question` asks for."""
    return (detail for detail in DETAILS if detail.asked.search(question))


def metrics_in(text: str) -> list[str]:
    """Measures of quality that `text` names, as they are written there."""
    return list(dict.fromkeys(match.group() for match in _METRICS.finditer(text)))
