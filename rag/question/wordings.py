"""How questions are worded, in English and Chinese: the patterns `rag.question.parsing` reads them by."""

import re
from typing import Literal


def wording(*alternatives: str) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives, whatever their case."""
    return re.compile("|".join(alternatives), re.I)


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
    return "greeting" if _GREETING.search(text) else None


# A list of papers is asked for. Each pattern ends where the topic begins; `about` is a part of it that comes
# before ("which diffusion papers use ...").
_NO_ADJECTIVE = (
    r"(?:an?|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|the|these|those|this|that"
    r"|of|in|on|at"
    r"|to|for|from|with|by|and|or|kinds?|types?|sorts?|how|which|what|me|us|than)"
)
_ABOUT = rf"(?P<about>(?:(?!{_NO_ADJECTIVE}\b)[\w-]+\s+){{0,3}}?)"
_THE = (
    r"(?:(?:(?:an?|the|some)\s+)?(?:\w+\s+)?(?:overview|list|listing|selection|collection|summary|rundown|set"
    r"|couple|handful|bunch|number)\s+of\s+)?"
    r"(?:(?:an?|the|these|those|all|your|of|its|\d+|nineteen|every|each|any|some|other|more|further|a few"
    r"|several)\s+)*"
)
_SEVERAL = (
    rf"(?:{_ABOUT}{SET_WORDS}|(?:(?:prior|previous|recent|existing|related|other|earlier)\s+)?works|research"
    r"|literature|papers?\s+(?:or|and/or)\s+papers|paper\(s\))"
)
_SEARCH = (
    r"(?:list|show|find|give|name|enumerate|collect|recommend|suggest|get|fetch|retrieve|display|identify"
    r"|count|look up"
    r"|look for|search for|pull up|bring up|point|direct|refer|tell)"
)
PLURAL_VERBS = (
    r"(?:use|study|address|mention|discuss|involve|cover|employ|apply|propose|consider|explore|tackle"
    r"|introduce|present"
    r"|(?:deal|work) with|(?:focus|rely|work) on|talk about|are (?:about|on)|have to do with)"
)
"""Verbs of several papers: "which use transformers?" asks for papers."""
ENUMERATE = [
    re.compile(pattern, re.I)
    for pattern in (
        rf"^(?:(?:in|on|at|for)\s+)?(?:which|what|how many)\s+{_THE}{_SEVERAL}(?!\w)",
        rf"^(?:which|how many)\s+(?={PLURAL_VERBS}\b)",
        r"^(?:which|what|how many)\s+(?:of\s+(?:the|these|those|them)(?:\s+\d+)?(?:\s+\w+)?)\b",
        rf"^(?:what|which)\s+(?:are|were)\s+{_THE}{_SEVERAL}(?!\w)(?!['’])",
        rf"^{_SEARCH}\s+(?:(?:me|us)\s+)?(?:to(?:wards?)?\s+)?{_THE}(?:{_ABOUT}(?:{PAPER}|orals|spotlights"
        rf"|posters)"
        rf"|research|literature)(?!\w)(?!['’])",
        rf"^{_SEARCH}\s+(?:(?:me|us)\s+)?(?:anything|something|everything|material|stuff)\b(?=\s+\w)",
        r"^what (?:do (?:we|you) have|(?:is|are|else is|exists)(?: there| available| in here"
        r"| in (?:the|this|your) (?:list|index|corpus|collection))*|is known)"
        r"\s+(?=on\b|about\b|dealing\b|related to\b|regarding\b)",
        r"^what(?:'s|s) (?:there|in here|here|available|in (?:the|this) list)\s+(?=on\b|about\b|regarding\b)",
        rf"^where (?:can|could|might|do) (?:i|we|one) (?:find|read about"
        rf"|look for)\s+{_THE}(?:{_ABOUT}{PAPER}|research"
        rf"|literature)\s+(?=on\b|about\b|that\b|which\b|discuss|dealing|covering)",
        rf"^(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?:total\s+)?number\s+of\s+{_THE}{_SEVERAL}(?!\w)",
        rf"^(?:are|were)\s+there\s+(?:any\s+|some\s+|other\s+)*{_ABOUT}{PAPER}(?!\w)",
        rf"^(?:is|was)\s+there\s+(?:any|an?|some|one|another)\s+(?:{_ABOUT}{PAPER}|research"
        rf"|literature)(?!\w)",
        r"^(?:(?:is|are|was|were)\s+(?:there\s+)?)?(?:anything|something)\b",
        rf"^(?:is|are|was|were)\s+(?:any|some)(?:\s+of\s+(?:the|these|those|them))?\s+(?:other\s+)?{PAPER}\b",
        r"^(?:is|are|was|were)\s+any(?:\s+one)?\s+of\s+(?:the|these|those|them)\b(?:\s+(?:papers|works"
        r"|ones)\b)?",
        rf"^(?:(?:do|does|did|have|has|can)\s+)?(?:any|some|anybody|anyone|someone)(?:\s+of\s+(?:the"
        rf"|these|those|them))?(?:\s+(?:other\s+)?{PAPER})?\b",
        r"^(?:do (?:you|we) have|does (?:the|this|your) (?:list|index|collection|corpus|database)"
        r" (?:have|contain|include|hold)|have you got|got|(?:do )?you have)"
        rf"\s+(?:something|anything|any\s+{_ABOUT}{PAPER}|{PAPER}|an?\s+{PAPER})\b",
        rf"^(?:what|how much)\s+(?:{PAPER}|research)\s+(?:is|are|was|has been|have been|exists?)\s*(?:there"
        rf"|done)?\b",
        rf"^how many\s+{_THE}{_SEVERAL}(?!\w)",
        rf"^(?:(?:i(?:'m| am)|we(?:'re| are))\s+(?:looking|searching)\s+for|looking for|(?:i|we) (?:want"
        rf"|need)"
        rf"|(?:i(?:'m| am)\s+)?interested in|papers?|works?|all|every)\s*(?:an?\s+|the\s+|all\s+|some\s+"
        rf"|any\s+)*"
        rf"(?:{PAPER}\s+)?(?=on\b|about\b|that\b|which\b|with\b|using\b|of\b|in\b|for\b|from\b)",
        rf"^(?:{SET_WORDS}|works)\b",
        r"^(?:who(?:\s+else)?|which (?:groups|teams|people|authors|researchers))(?:\s+(?:is|are))?"
        r"\s+(?:working on|studying|using|looking (?:at|into))\b",
        r"^is (?:anyone|anybody|someone|somebody|any group)\s+(?:here\s+)?(?:working on|studying"
        r"|using|looking (?:at|into)|doing)\b",
        r"^who\s+(?:else\s+)?(?:mentions?|uses?|studies|works? on|talks? about|considers?|proposes?"
        r"|deals? with)\b",
    )
]
LIST_ANYWHERE = re.compile(
    r"\b(?:papers|works|articles|studies|publications|(?:an?|any|some|another) (?:\w+ )?(?:paper|study"
    r"|article)|anything"
    r"|something|everything)\s+(?=(?:on|about|that|which|using|with|dealing|related|concerning|regarding"
    r"|covering"
    r"|mentioning|discussing|addressing|studying|tackling)\b(?!['’]))",
    re.I,
)
"""A question that is neither a comparison nor asks how or why, and speaks of papers so, asks for them."""
NO_TOPIC = wording(
    r"\b(?:research|scholarly|scientific|academic|notable|prominent|key|major|seminal|foundational"
    r"|significant|other|more|further|recent|newest|new|latest|interesting|relevant|related|good|best"
    r"|important|great|such"
    r"|accepted|published|many|few|several|different|main|all|similar|specific|single|actual|current|nice"
    r"|first|last"
    r"|two|three|four|five|top|available|remaining|listed|included|existing|only|next|same|above|following"
    r"|\d+)\b"
)
"""Words before "papers" that say nothing of what these are about."""
SINGULAR_PAPER = re.compile(
    r"^(?:which|what)\s+(?:one\s+)?(?:paper|work|abstract|article|study)\b(?!\s+(?:is|are)\s+there"
    r"|\s+(?:has|have)\s+been\s+done|\s+(?:is|was)\s+(?:being\s+)?done|\s+(?:or|and/or)\s+papers|\(s\)"
    r"|\s+exists?)",
    re.I,
)
EXISTENTIAL = wording(
    r"^(?:is there|are there|(?:(?:is|are|was|were|do|does|did|has|have|can)\s+)?any(?:thing|body|one)?\b"
    r"(?!\s+of)|something\b|(?:do )?you have|do we have|got |have you|does (?:the|this|your) (?:list|index"
    r"|collection"
    r"|corpus) (?:have|contain|include))",
    r"有没有",
    r"有无",
    r"是否有|是不是有",
    r"存在",
    r"有[^哪几多][^？?]*(?:论文|文章)吗",
    r"有(?:论文|文章|工作|人)[^？?]*吗",
)
ENUMERATE_ZH = wording(
    r"哪些",
    r"(?:什么|啥|哪类|哪种)(?:论文|文章|工作)",
    r"(?:其中|这些|那些|它们)(?:论文|文章)?(?:中|里)?有",
    r"有?哪几篇",
    r"列出|列举",
    r"(?:有没有|有无|是否有|是不是有)[^？?]*(?:论文|文章|工作|研究|paper)",
    r"(?:多少|几)篇",
    r"(?:找|推荐|给|介绍)(?:一下|出|几篇|找|我|些|一些|给我)*[^？?]*(?:论文|文章)",
    r"(?:有关|关于)[^？?]*的(?:论文|文章|工作)",
    r"(?:论文|文章|工作)(?:有哪些|都有|有几|有吗|有没有)",
    r"(?:哪些|多少)(?:口头|海报|墙报|亮点|oral|spotlight|poster)",
    r"的(?:论文|文章|工作)(?:吗|都?列出来|呢)?\W*$",
    r"有[^哪几多][^？?]*(?:论文|文章)吗",
    r"有(?:论文|文章|工作|人)[^？?]*吗",
)
# "哪些" about parts of one paper ("用了哪些基准") is a lookup: the word must ask for papers.
ZH_PAPERS = wording(
    r"论文",
    r"文章",
    r"工作",
    r"研究",
    r"paper",
    r"摘要",
    r"哪几篇",
    r"其中",
    r"(?:这些|那些|它们)(?:中|里|有哪些)",
    r"几篇",
    r"多少篇",
    r"哪些(?:是|做|用|使用|研究|提出|讨论)",
    r"口头报告",
    r"海报",
    r"亮点",
)

COMPARE = wording(
    r"^how (?:similar|different|alike|related|close)\b.*\b(?:and|to|from)\b",
    r"^what\b.*\b(?:distinguish(?:es)?|separates?|sets?)\b.*\b(?:from|apart)\b",
    r"^how (?:do|does|are|is)\b.*\band\b.*\brelate[sd]?\b",
    r"\bcompar(?:e|es|ed|ing|ison)\b(?!\s+to\b)",
    r"^contrast\b",
    r"\bin common\b",
    r"\b(?:similarities|parallels?)\b.*\b(?:between|of|among)\b",
    r"\bsimilarity between\b",
    r"^(?:how|in what (?:way|ways|respect|respects)|where|what)\b.*\band\b.*\b(?:differ|different|similar"
    r"|alike|related)\W*$",
    r"(?:共同点|相同点|相同之处|不同之处|不同点|异同|相比|差异|差别)",
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
    r"有何不同",
    r"分别.*(?:和|与)",
    r"(?:和|与).*(?:分别|不同|异同)",
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
    r"什么原理",
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
    r"\bnumbers?\b",
    r"多少",
    r"几(?:个|种|类|倍|篇|条|项)",
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
# Verbs that say a paper is about something, in the forms they take after "papers that ...".
_ABOUT_VERBS = "|".join(
    (
        r"(?:(?:run|do|perform|conduct|report|show|give|present)s?\s+)?(?:\w+\s+)?(?:experiments?|results?"
        r"|evaluations?)"
        r"\s+(?:on|with|for)",
        r"(?:evaluat(?:e|es|ed|ing)|test(?:s|ed|ing)?|benchmark(?:s|ed)?|train(?:s|ed)?|validat(?:e|es|ed))"
        r"\s+(?:(?:their|its)\s+\w+\s+)?on",
        r"stud(?:y|ies|ied|ying)",
        r"us(?:e|es|ed|ing)",
        r"deal(?:s|ing)?\s+with",
        r"work(?:s|ing)?\s+(?:with|on)",
        r"concern(?:s|ed|ing)?(?:\s+with)?",
        r"address(?:es|ed|ing)?",
        r"touch(?:es|ing)?(?:\s+on)?",
        r"mention(?:s|ed|ing)?",
        r"bring(?:s)?\s+up",
        r"talk(?:s|ing)?\s+about",
        r"cover(?:s|ed|ing)?",
        r"discuss(?:es|ed|ing)?",
        r"consider(?:s|ed|ing)?",
        r"focus(?:es|ed|ing)?\s+on",
        r"explor(?:e|es|ed|ing)",
        r"investigat(?:e|es|ed|ing)",
        r"tackl(?:e|es|ed|ing)",
        r"target(?:s|ed|ing)?",
        r"relate(?:s|d)?\s+to",
        r"involv(?:e|es|ed|ing)",
        r"employ(?:s|ed|ing)?",
        r"rel(?:y|ies)\s+on",
        r"appl(?:y|ies|ied|ying)",
        r"propos(?:e|es|ed|ing)",
        r"present(?:s|ed|ing)?",
        r"introduc(?:e|es|ed|ing)",
        r"develop(?:s|ed|ing)?",
        r"contain(?:s|ed|ing)?",
        r"gives?",
        r"offer(?:s|ed)?",
        r"provid(?:e|es|ed|ing)",
        r"claim(?:s|ed|ing)?",
        r"look(?:s|ed|ing)?\s+(?:at|into)",
        r"exploit(?:s|ed|ing)?",
        r"handl(?:e|es|ed|ing)",
        r"do(?:es|ing)?",
    )
)
_BEFORE_VERB = (
    r"(?:if any|if there are any|here|there|in here|in (?:this|the|your) (?:list|corpus|collection|index)"
    r"|else|all|also"
    r"|other|only|every|that|which|who|is|are|was|were|do|does|did|has|have|been|any(?:thing|one)?|something"
    r"|someone"
    r"|actually|really|explicitly|please|pls|works?|papers?|ones?|currently|mainly|we|me|us|you|i"
    r"|the authors?|the)"
)
_SECOND_VERB = r"(?:stud(?:y|ies)|us(?:e|es)|extends?|analy[sz]es?|exploits?|propos(?:e|es)|evaluat(?:e|es))"
_AFTER_VERB = r"(?:about|regarding|concerning|on|with|of|in|for|to|into|whether|is|are|there|from|at|by|done)"
_SHOULD_I = (
    r"(?:should (?:i|we|one) (?:read|look (?:at|into)|refer to|explore|check(?: out)?|cite|see)\b\s*"
    r"(?:(?:if|when) i (?:want|need|wish|am interested in|'m interested in)\b\s*(?:to \w+\s*)?"
    r"|(?:for|to) (?:learn|understand|know|study)(?:ing)?\b\s*)?(?:more\s+)?)?"
)
TOPIC_LEAD = re.compile(
    rf"^[\s,:;-]*{_SHOULD_I}(?:{_BEFORE_VERB}\b[\s,]*)*"
    rf"(?:(?:{_ABOUT_VERBS})\b(?:\s+or\s+{_SECOND_VERB}\b)?[\s,]*)?"
    rf"(?:{_AFTER_VERB}\b[\s,]*)*"
    r"(?:(?:the|an?|some|any)\s+(?:topic|subject|area|field|use)\s+of\s+|(?:the|an?)\b\s*)?",
    re.I,
)
TOPIC_TAIL = re.compile(
    (
        r"(?:\s+(?:(?:is|are|was|were|been|being)\s+)?(?:used|mentioned|discussed|studied|addressed"
        r"|considered|applied"
        r"|covered|employed|investigated|explored|evaluated|tested)(?:\s+(?:in|by|for|at all))?\W*$)"
        r"|[\s,]*(?:\b(?:please|pls|plz|here|in (?:this|the|your) (?:list|corpus|collection|index)"
        r"|in these (?:papers|abstracts)|among (?:these|them|the papers)|are there|is there|do you have"
        r"|even if[^?]*|thanks|thank you|if any)\b[\s,.!]*)+\s*$"
    ),
    re.I,
)
