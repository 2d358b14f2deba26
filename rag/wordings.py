"""How questions are worded, in English and Chinese: the patterns that `rag.question` reads them by."""

import re
from typing import Literal

Ask = Literal[
    "authors", "author_count", "track", "venue", "year", "paper_count", "code", "link", "prolific", "listing"
]
"""What a question about the records wants to know."""


def wording(*alternatives: str) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives, whatever their case."""
    return re.compile("|".join(alternatives), re.I)


_PAPER = r"(?:papers?|works?|abstracts?|articles?|studies|study|publications?|submissions?|ones?|preprints?)"
_SET_WORDS = (
    r"(?:papers|abstracts|articles|studies|publications|submissions|ones|preprints|orals|spotlights"
    r"|posters)"
)
TRACKS = {
    "oral": r"\borals?\b|口头报告|口头",
    "spotlight": r"\bspotlights?\b|亮点论文|焦点论文",
    "poster": r"\bposters?\b|海报|墙报",
}

GREETING = wording(
    (
        r"^\W*(?:hi|hello|hey|thanks?|thank you|good (?:morning|evening|afternoon)|help|who are you"
        r"|what can you do|你好|您好|谢谢|嗨|帮助|你是谁|你能做什么|早上好|晚上好)\b[^\w]*$"
    ),
    r"^\W*(?:你好|您好|谢谢|你是谁|你能做什么)\W*$",
)

# A list of papers is asked for. Each pattern ends where the topic begins.
ENUMERATE = [
    re.compile(pattern, re.I)
    for pattern in (
        (
            rf"^(?:please\s+|can you\s+|could you\s+)?(?:which|what)\s+(?:(?:of\s+)?(?:the|these|those"
            rf"|all)\s+)*(?:(?:\w+\s+)??{_SET_WORDS}|works)\b"
        ),
        r"^(?:which|what|how many)\s+(?:of\s+(?:the|these|those|them)(?:\s+\d+)?(?:\s+\w+)?)\b",
        (
            rf"^(?:please\s+|can you\s+|could you\s+)?(?:list|show|find|give|name|enumerate"
            rf"|collect)\s+(?:me\s+)?(?:us\s+)?(?:all\s+|every\s+|each\s+|any\s+)*(?:of\s+)?(?:the\s+"
            rf"|these\s+)*{_PAPER}\b"
        ),
        rf"^(?:are|were)\s+there\s+(?:any\s+|some\s+|other\s+)*{_PAPER}\b",
        rf"^(?:is|was)\s+there\s+(?:any|an?|some)\s+{_PAPER}\b",
        (
            rf"^(?:(?:do|does|did|have|has|can)\s+)?(?:any|some|anybody|anyone|someone)(?:\s+of\s+(?:the"
            rf"|these|those|them))?(?:\s+(?:other\s+)?{_PAPER})?\b(?=.*)"
        ),
        (
            rf"^(?:do you have|have you got|got)\s+(?:something|anything|any\s+{_PAPER}|{_PAPER}"
            rf"|an?\s+{_PAPER})\b"
        ),
        rf"^(?:what|how much)\s+(?:{_PAPER}|research)\s+(?:is|are|was|has been)\s+(?:there|done)\b",
        rf"^how many\s+(?:of\s+)?(?:the\s+|these\s+|those\s+)*(?:(?:\w+\s+)??{_SET_WORDS}|works)\b",
        (
            rf"^(?:i(?:'m| am)\s+(?:looking|searching)\s+for|looking for|i (?:want|need)|papers?|works?"
            rf"|all|every)\s*(?:the\s+|all\s+)*(?:{_PAPER}\s+)?(?=on\b|about\b|that\b|which\b|with\b"
            rf"|using\b|of\b|in\b|for\b|from\b)"
        ),
        rf"^(?:{_SET_WORDS}|works)\b",
        (
            r"^who\s+(?:else\s+)?(?:mentions?|uses?|studies|works? on|talks? about|considers?|proposes?"
            r"|deals? with)\b"
        ),
    )
]
SINGULAR_PAPER = re.compile(
    r"^(?:which|what)\s+(?:one\s+)?(?:paper|work|abstract|article|study)\b(?!\s+(?:is|are)\s+there)", re.I
)
EXISTENTIAL = wording(
    (
        r"^(?:is there|are there|any(?:thing|body|one)?\b(?!\s+of)|has any|have any|does any|do you have"
        r"|got |have you)"
    ),
    r"有没有",
    r"有无",
    r"是否有",
    r"存在",
)
ENUMERATE_ZH = wording(
    r"哪些",
    r"有?哪几篇",
    r"列出|列举",
    r"有没有[^？?]*(?:论文|文章|工作|研究|paper)",
    r"(?:多少|几)篇",
    r"找(?:一下|出|几篇|找)?[^？?]*(?:论文|文章)",
    r"(?:有关|关于)[^？?]*的(?:论文|文章|工作)",
    r"(?:论文|文章|工作)(?:有哪些|都有|有几)",
    r"(?:哪些|多少)(?:口头|海报|墙报|亮点|oral|spotlight|poster)",
    r"的(?:论文|文章|工作)(?:吗|都?列出来|呢)?\W*$",
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
    r"几篇",
    r"多少篇",
    r"哪些(?:是|做|用|使用|研究|提出|讨论)",
    r"口头报告",
    r"海报",
    r"亮点",
)

COMPARE = wording(
    r"\bcompar(?:e|es|ed|ing|ison)\b(?!\s+to\b)",
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
    (
        r"^(?:so\s+|and\s+|but\s+)?(?:why|explain|describe|summari[sz]e|tell me (?:about|how|why)"
        r"|how (?:do|does|did|can|could|is|are|was)\b(?!\s+\w+\s+(?:much|many))|what(?:'s| is| are"
        r"|s)\s+(?!the\s+(?:name|size|number|accuracy|score|rate|speed)).*\b(?:about|idea|mean(?:t|s)?"
        r"|different|difference|reveal)\b|what(?:'s| is|s)\s+[\w-]+(?:\?|$|\s+and\s+how)|.*\bsummary\b"
        r"|.*\bwhat(?:'s|s| is) the idea\b|i(?:'m| am) reading about|according to\b.*\bwhen\b|what exactly)"
    ),
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

ASKS: list[tuple[Ask, re.Pattern[str]]] = [
    (
        "author_count",
        wording(
            (
                r"\bhow many (?:people|authors|researchers)\b.*\b(?:wrote|write|author\w*|on|of|have|has"
                r"|behind|paper)\b"
            ),
            r"几(?:个|位)作者",
            r"多少(?:个|位|名)?作者",
            r"作者有(?:几|多少)",
        ),
    ),
    (
        "prolific",
        wording(
            r"\bwho\b.*\bmost (?:papers|works|publications)\b",
            r"\bmost (?:prolific|frequent) authors?\b",
            r"\bwhich authors? .*\bmost\b",
            r"谁.*论文最多",
            r"论文最多的作者",
            r"哪位作者.*最多",
        ),
    ),
    (
        "authors",
        wording(
            (
                r"^(?:and\s+|so\s+)?who\s+(?:wrote|authored|are the authors|is the (?:first |last )?author"
                r"|were the authors|published|created|made)\b"
            ),
            r"\bauthors? of\b",
            r"\b(?:first|last|lead|senior|corresponding) author\b",
            r"\bwho (?:wrote|authored)\b",
            r"\bwritten by whom\b",
            r"\bname the (?:\w+ )?authors\b",
            r"\bauthors?\?$",
            r"作者(?:是谁|有谁|有哪些|都有谁|名单|叫什么|是哪)",
            r"谁写",
            r"谁是.*作者",
            r"第一作者",
            r"通讯作者",
        ),
    ),
    (
        "track",
        wording(
            r"\b(?:which|what)\s+(?:track|presentation|type of presentation)\b",
            r"\bpresentation (?:type|format)\b",
            r"\b(?:was|is|were|are|did)\b.*\b(?:an? )?(?:oral|spotlight|poster)s?\b.*\?*$",
            r"(?:是|属于)(?:口头|oral|spotlight|poster|海报)",
            r"什么(?:类型的)?(?:报告|展示)",
            r"哪个(?:track|赛道|类别)",
        ),
    ),
    (
        "code",
        wording(
            (
                r"\b(?:releas\w+|open[- ]?sourc\w*|publish\w*|shar\w+|provid\w+|publicly available|available"
                r"|link\w*|has|have|with)\b.{0,30}\b(?:code|github|repositor\w+|implementation)\b"
            ),
            (
                r"\b(?:code|github|implementation|repositor\w+)\b.{0,30}\b(?:releas\w+|available"
                r"|public\w*|link\w*"
                r"|open|github|online)\b"
            ),
            r"开源",
            r"(?:公开|发布|提供)[^？?]{0,6}代码",
            r"代码[^？?]{0,6}(?:公开|开源|发布|链接|地址)",
            r"github",
        ),
    ),
    (
        "year",
        wording(
            r"\b(?:what|which) year\b",
            r"\bwhen (?:was|were|is)\b.*\b(?:published|presented|accepted|appear\w*|written)\b",
            r"哪一?年",
            r"什么时候.*(?:发表|发布)",
            r"何时发表",
        ),
    ),
    (
        "venue",
        wording(
            r"\bwhere (?:and when )?(?:was|were|is|did)\b.*\b(?:published|presented|accepted|appear\w*)\b",
            r"\b(?:what|which) (?:venue|conference|journal)\b",
            r"发表在(?:哪|什么)",
            r"哪个会议",
            r"什么会议",
        ),
    ),
    (
        "link",
        wording(
            r"\b(?:link|url|web ?page|pdf|openreview page|address)\b.{0,20}\b(?:to|of|for)\b",
            r"\bwhere can i (?:find|read|download)\b",
            r"链接",
            r"网址",
            r"在哪里(?:看|下载|能看)",
        ),
    ),
]
PAPER_COUNT = wording(
    (
        r"^(?:and\s+)?how many (?:papers?|abstracts?|articles?|works?)\s*(?:(?:are|is|do|does|have|there"
        r"|in|here|you|the|this|these|list|index|collection|total|corpus|hold|know|contain|we|it"
        r"|altogether|all)\W*)*$"
    ),
    r"^(?:[^？?]{0,12}(?:里|中|内|库|列表))?(?:一共|总共|共)?(?:有|收录了?)?(?:多少|几)篇(?:论文|文章|摘要)?[？?。]?$",
    r"(?:列表|库|这里)[^？?]{0,6}(?:多少|几)篇(?:论文|文章)?[？?]?$",
    r"^有?(?:多少|几)篇(?:论文|文章)[？?]?$",
)

YEAR = wording(
    r"\b(?:in|from|of|since|published in)\s+((?:19|20)\d\d)\b",
    r"((?:19|20)\d\d)\s*年",
)
BY_AUTHOR = wording(
    (
        r"\b(?:papers?|works?|articles?|one|ones)\s+(?:in here\s+|here\s+)?(?:is\s+|are\s+|was\s+"
        r"|were\s+)?(?:written\s+|authored\s+|co-?authored\s+)?by\s+(?P<names>[^?]+?)(?=\s+(?:is|are|about"
        r"|on|that|which|deals?)\b|[?.]|$)"
    ),
    r"\bdid\s+(?P<did>[A-Z][^?]*?)\s+(?:write|author|publish)",
)

# Words that ask, and say nothing about the subject.
FRAME = wording(
    r"^(?:(?:hi|hello|hey|please|pls|ok(?:ay)?|so|and|but|well|nice|great|thanks|also|then|now)[\s,.:;!]+)+",
    r"\b(?:please|pls|plz)\b",
    r"^(?:can|could|would) you (?:please )?(?:tell me|explain|say|show|give me)\s*(?:about\s+)?",
    r"^(?:do you know|i (?:want|would like|'d like) to know|i wonder|tell me)\s*(?:about|if|whether)?\s*",
    r"^(?:according to|based on) (?:the|these) (?:papers?|abstracts?|list),?\s*",
)
# Verbs that say a paper is about something, in the forms they take after "papers that ...".
_ABOUT_VERBS = "|".join(
    (
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
    r"(?:here|there|in here|in (?:this|the) (?:list|corpus|collection)|else|all|also|other|only|every|that"
    r"|which|who|is|are|was|were|do|does|did|has|have|been|any(?:thing|one)?|something|someone|actually"
    r"|really|explicitly|please|pls|works?|papers?|ones?|currently|mainly|we|me|us|you|i|the)"
)
_SECOND_VERB = r"(?:stud(?:y|ies)|us(?:e|es)|extends?|analy[sz]es?|exploits?|propos(?:e|es)|evaluat(?:e|es))"
_AFTER_VERB = r"(?:about|on|with|of|in|for|to|into|whether|is|are|there|from|at|by|done)"
TOPIC_LEAD = re.compile(
    rf"^[\s,:;-]*(?:{_BEFORE_VERB}\b[\s,]*)*"
    rf"(?:(?:{_ABOUT_VERBS})\b(?:\s+or\s+{_SECOND_VERB}\b)?[\s,]*)?"
    rf"(?:{_AFTER_VERB}\b[\s,]*)*"
    r"(?:(?:the|an?|some|any)\s+(?:topic|subject|area|field|use)\s+of\s+|(?:the|an?)\b\s*)?",
    re.I,
)
TOPIC_TAIL = re.compile(
    (
        r"[\s,]*(?:\b(?:please|pls|plz|here|in (?:this|the|your) (?:list|corpus|collection|index)"
        r"|in these (?:papers|abstracts)|among (?:these|them|the papers)|are there|is there|do you have"
        r"|even if[^?]*|thanks|thank you|if any)\b[\s,.!]*)+\s*$"
    ),
    re.I,
)
