"""How questions are worded, in English and Chinese: the patterns `rag.question.parsing` reads them by."""

import re
from typing import Literal

from rag.patterns import lazy_pattern


def wording(*alternatives: str) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives, whatever their case."""
    return lazy_pattern("|".join(alternatives), re.I)


PAPER = r"(?:papers?|works?|abstracts?|articles?|studies|study|publications?|submissions?|ones?|preprints?)"
SET_WORDS = (
    r"(?:papers|abstracts|articles|studies|publications|submissions|ones|preprints|orals|spotlights"
    r"|posters)"
)

_GREETING = wording(
    r"^\W*(?:(?:and|so) )?(?:(?:who|what) are you|what(?:'s| is) this"
    r"(?: (?:site|page|chat|bot|tool|thing|for))*)\W*$",
    r"^\W*(?:what are you able to do|(?:can|could|will) you (?:please )?help(?: me| us)?(?: out)?)\W*$",
    r"^\W*(?:how (?:are|do)|what do) you(?: doing| work| know| do)?(?: today)?\W*$",
    r"^\W*(?:(?:please )?help(?: me)?|what (?:can|could|should) (?:you (?:do|answer|help(?: me)? with)"
    r"|i ask(?: you)?)(?: for me| here| about)?)\W*$",
    r"^\W*(?:你好|您好|嗨|哈喽|早|早安|早上好|下午好|晚上好|大家好)(?:呀|啊)?\W*$",
    r"^\W*(?:(?:你好|您好)\W*)?(?:请问)?你(?:是谁|叫什么(?:名字)?|是什么|能做什么|会什么|会做什么"
    r"|能(?:帮我)?(?:做|干)(?:些|点)?什么|能帮我什么|有什么功能|怎么用)\W*$",
    r"^\W*(?:帮助|我(?:可以|能)问(?:你)?(?:什么|哪些)(?:问题)?)\W*$",
)
_SALUTATION = lazy_pattern(r"^\W*(?:hi|hello|hey|你好|您好)(?: there| again)?\W+(?=\w)", re.I)
_THANKS = wording(
    r"^\W*(?:(?:好的?|嗯|行|辛苦了?|太好了|非常|明白了?|知道了?|没有了?)\W*)*(?:感谢|谢谢|多谢|谢了|谢啦)"
    r"(?:你们?|您|啦|了)*(?:的(?:帮助|回答|解答))?\W*$",
    r"^\W*(?:再见|拜拜|回头见|晚安|辛苦了)\W*$",
)
_HELLO_WORDS = frozenset("hi hello hey yo hiya howdy greetings morning evening afternoon".split())
_THANK_WORDS = frozenset("thanks thank thx ty cheers appreciated appreciate bye goodbye byebye".split())
_FILLER_WORDS = frozenset(
    """a all again and are bunch cool day do everyone everything for helped helpful helps folks good great
    guys have help how i in is it it's later lot lots many much nice night no now of ok okay on
    perfect please see so soon sup team that that's the there this today very wonderful awesome
    what's how's up going you your""".split()
)


def small_talk(text: str) -> Literal["greeting", "thanks"] | None:
    """Whether the text only greets or asks what this is, or only thanks or takes leave."""
    words = set(re.findall(r"[a-z']+", text.lower().replace("’", "'"))) if text.isascii() else set()
    if words and words <= _HELLO_WORDS | _THANK_WORDS | _FILLER_WORDS:
        if words & _THANK_WORDS:
            return "thanks"
        if words & _HELLO_WORDS:
            return "greeting"
    if _THANKS.search(text):
        return "thanks"
    return "greeting" if _GREETING.search(text) or _GREETING.search(_SALUTATION.sub("", text)) else None


COMPARE = wording(
    r"^how (?:similar|different|alike|related|close)\b.*\b(?:and|to|from)\b",
    r"^what\b.*\b(?:distinguish(?:es)?|separates?|sets?)\b.*\b(?:from|apart)\b",
    r"^how (?:do|does|are|is)\b.*\band\b.*\brelate[sd]?\b",
    r"\bcompar(?:e|es|ed|ing|ison)\b(?!\s+to\b)",
    r"^contrast\b",
    r"\bin common\b",
    r"\bside by side\b",
    r"^how (?:is|are|was|were) (?!(?:it|this|that|they)\b)\S.*\b(?:different|distinct) from (?-i:\S*[A-Z])",
    r"\bstack up against\b|^between\b.*\bdiffers?\b|\band\b.*\b(?:alike|the same (?:problem|goal|idea"
    r"|task|thing))\b",
    r"^(?:is|are) (?-i:\S*[A-Z]).*\b(?:similar|related|identical|equivalent) to\b",
    r"\b(?:similarities|parallels?)\b.*\b(?:between|of|among)\b",
    r"\bsimilarity between\b",
    r"^(?:how|in what (?:way|ways|respect|respects)|where|what)\b.*\band\b.*\b(?:differ|different|similar"
    r"|alike|related)\W*$",
    r"(?:共同点|相同点|相同之处|不同之处|不同点|异同|相比(?!.*(?:多少|几))|差异|差别)",
    r"(?-i:[A-Z]\S*)\)?\s+(?:vs\.?|versus)\s",
    r"\s(?:vs\.?|versus)\s+(?-i:\S*[A-Z])",
    r"\btwo\b.*\bdiffer\b",
    r"\bdiffer(?:s|ence|ences)?\b.*\b(?:and|from|between)\b",
    r"\b(?:and|or)\b.*\b(?:each|both|respectively|in the two|of the two|the two)\b",
    r"\b(?:how|what|where)\s+(?:do|does|are)\s+\S+(?:\s\S+){0,3}\s+and\s+.*\b(?:differ|each)\b",
    r"\bone paper\b.*\banother\b",
    r"\beach (?:one|of|case)\b",
    r"\bin each\b",
    r"比较",
    r"对比",
    r"区别",
    r"有什么不同",
    r"有何不同|有啥不一样|有什么不一样|比起来|优缺点|(?:和|与|跟|同).*(?:哪个更|之间.*关系)",
    r"分别.*(?:和|与)",
    r"(?<!在)(?:和|与|跟)(?![^？?]*上(?:分别|各)).*(?:分别|各自|各有|不同|异同)",
)
EXPLAIN = wording(
    r"^how (?:exactly|precisely|actually|really|basically|essentially) (?:do|does|did|can|could|is|are"
    r"|was)\b",
    r"^what (?:do|does|did)\b.*\bmeans? (?:by|when|with)\b",
    r"^(?:please\s+)?(?:walk|talk|guide|take) (?:me|us) through\b",
    r"^(?:sum|break|boil)\b.*\b(?:up|down)\b",
    r"^(?:outline|clarify|elaborate|illustrate|introduce|detail)\b",
    r"^help (?:me|us) understand\b",
    r"^how come\b",
    r"\b(?:intuition|rationale|motivation|mechanism|principle"
    r"|logic|reasoning|concept)s? (?:behind|of|underlying)\b",
    r"^(?:in|by|through|for) (?:what|which) (?:ways?|mechanisms?|means|reasons?|manner)\b",
    r"^what (?:causes|happens|goes on|drives|enables|motivates)\b"
    r"|^what (?:role|part) (?:do|does|did)\b",
    r"\btell (?:me|us) (?:something |some more |a bit |a little |more )+about\b"
    r"|\belaborate on\b|\bwalk (?:me|us) through\b",
    r"(?:讲讲|说说|谈谈|聊聊)",
    r"咋|为啥|是啥|干嘛|大概意思|理解一下|\bwhat(?:'s| is) the point\b",
    r"为何|思路|做了(?:些)?什么|是(?:一)?(?:个|种)什么(?:系统|方法|模型|东西)",
    r"\bgoing on\b|\bshed light\b|\bwhat (?:do|does) .*\bactually do\b|^(?:how would|how should)\b"
    r"|\bthe story (?:of|with)\b",
    r"有(?:什么|何)(?:用|作用|意义)",
    r"^what(?:'s| is|s| are)\s+(?!the\b)(?:an?\s+)?[\w-]+(?:\s+[\w-]+){0,2}\W*$",
    r"什么是",
    r"\b(?:tl;?dr|eli5|gist|in a nutshell|in simple (?:terms|words)|in plain (?:words|english))\b",
    r"\b(?:overview|introduction|intro|outline|description|explanation|rundown) (?:of|to)\b",
    (
        r"^(?:so\s+|and\s+|but\s+)?(?:why|explain|describe|summari[sz]e|tell me (?:about|how|why)"
        r"|how (?:do|does|did|can|could|is|are|was)\b(?!\s+\w+\s+(?:much|many))|what(?:'s| is| are"
        r"|s)\s+(?!the\s+(?:name|size|number|accuracy|score|rate|speed)).*\b(?:about|idea|mean(?:t|s)?"
        r"|different|difference|reveal)\b|what(?:'s| is|s)\s+[\w-]+(?:\?|$|\s+and\s+how)|.*\bsummary\b"
        r"|.*\bwhat(?:'s|s| is) the idea\b|i(?:'m| am) reading about|according to\b.*\bwhen\b|what exactly)"
    ),
    r"介绍",
    r"概括|总结|概述",
    r"(?:讲|说)(?:了|的)(?:是)?(?:些)?什么",
    r"(?:主要|核心)(?:思想|内容|贡献|想法)",
    r"是什么\W*$",
    r"为什么",
    r"怎么",
    r"如何",
    r"解释",
    r"是什么意思",
    r"原理",
    r"起什么作用",
    r"做什么",
    r"讲的是什么",
    r"是做什么",
    r"有什么好处",
)
EXPANSION = wording(
    r"\b(?:short for|stands? for|abbreviat\w*|acronym|full name|spell(?:ed)? out)\b",
    r"全称",
    r"缩写",
    r"代表什么",
)
NUMBER = wording(
    r"\bhow (?:many|much|often|long|large|big|small|fast|far|deep|few|high|low|quick|badly|well)\b",
    r"\bwhat (?:share|fraction|percentage|proportion|size|percent|number)\b",
    r"\b(?:number|size|count|amount) of\b",
    r"\bspeed-?up",
    (
        r"\b(?:accuracy|score|rate|improvement|gain|m?ap|f1|bleu|psnr|fid|perplexity|pass@\d+|overhead"
        r"|faster|quicker|cheaper|smaller|lower)\b"
    ),
    r"\bby how\b",
    r"\bhow (?:did|does|do|has|have) \S+ (?:do|done|perform(?:ed)?|fare[ds]?|scored?)\b",
    r"\bnumbers?\b",
    r"多少",
    r"(?<![的这那好])几(?:个|种|类|倍|篇|条|项)(?!.{0,10}(?:各自|分别))",
    r"加速比",
    r"提升了",
    r"准确率",
    r"倍",
    r"百分之",
)
NAME = wording(
    (
        r"\b(?:which|what)\s+(?:\w+\s+){0,3}?(?:datasets?|benchmarks?|models?|tasks?|methods?|algorithms?"
        r"|metrics?|game|index|circuits?|image sets?|verifier|divergence|noise|kind|type|types|kinds|name"
        r"|called|platform|languages?|experiment|norm|principles|modes?|technique)\b"
    ),
    (
        r"\b(?:datasets?|benchmarks?|models|tasks|metrics|image sets)\b.*\b(?:used|tested|tried|evaluated"
        r"|run on)\b"
    ),
    r"\bwhat\b.*\b(?:test|evaluate|benchmark|measure)\w*\b",
    r"\bcalled\b",
    r"\bwhat won\b",
    r"\bwhich\b",
    r"哪(?:个|些|种|类|几)",
    r"什么(?:数据集|模型|方法|算法|基准|任务)",
    r"叫什么",
)

# Words that ask, and say nothing about the subject.
FRAME = wording(
    r"^(?:(?:hi|hello|hey|please|pls|ok(?:ay)?|so|and|but|well|nice|great|thanks|also|then|now)[\s,.:;!]+)+",
    r"\b(?:please|pls|plz)\b",
    r"^(?:can|could|would|will) (?:you|u) (?:kindly |maybe |perhaps )?",
    r"^(?:do you know|i (?:want|would like|'d like) to know|i'd like to know|i wonder|tell (?:me|us))"
    r"\s*(?:about|if|whether)?\s*(?!the authors)",
    r"^(?:you know|by the way|one more thing|quick question|a question)[,:;.\s]+",
    r"^help (?:me|us)\s+(?:to\s+)?(?=find|list|see|understand|compare|get)",
    r"^(?:say|show (?:me|us)|give (?:me|us))\s+(?=about\b|how\b|why\b|what\b|which\b|who\b|whether\b)",
    r"^(?:out of|among|amongst|from|of|in|within) (?:all )?(?:of )?(?:the|these|those|this|your)(?: \d+"
    r"| nineteen)?"
    r" (?:papers|abstracts|works|list|collection|corpus),?\s+(?=which\b|what\b|how many\b|are\b|is\b)",
    r"^(?:in (?:one|two|three|a few|simple|short|plain|your own) (?:sentences?|words?|lines?|terms|english)"
    r"|briefly"
    r"|in short|quickly|quick question)[,:]?\s+",
    r"^(?:according to|based on|from) (?:the|these) (?:papers?|abstracts?|list),?\s*",
)
