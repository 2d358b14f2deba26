"""How lists of papers are asked for, and which words lead to what the papers must be about."""

import re

from rag.patterns import lazy_pattern
from rag.question.wordings import PAPER, SET_WORDS, wording

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
    lazy_pattern(pattern, re.I)
    for pattern in (
        rf"^(?:(?:in|on|at|for)\s+)?(?:which|what|how many)\s+{_THE}{_SEVERAL}(?!\w)",
        rf"^(?:which|how many)\s+(?={PLURAL_VERBS}\b)",
        r"^(?:which|what|how many)\s+(?:of\s+(?:the|these|those|them)(?:\s+\d+)?(?:\s+\w+)?)\b",
        rf"^(?:what|which)\s+(?:are|were)\s+{_THE}{_SEVERAL}(?!\w)(?!['’])",
        rf"^{_SEARCH}\s+(?:(?:me|us)\s+)?(?:to(?:wards?)?\s+)?{_THE}(?:{_ABOUT}(?:{PAPER}|orals|spotlights"
        rf"|posters)"
        rf"|research|literature)(?!\w)(?!['’])",
        rf"^{_SEARCH}\s+(?:(?:me|us)\s+)?(?:anything|something|everything|material|stuff)\b(?=\s+\w)",
        r"^what (?:has been|was|is being|has anyone) (?:written|published|done|said)\s+(?:here\s+)?"
        r"(?=on\b|about\b)",
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
        rf"(?:(?:{PAPER}|research|literature|material|anything|something)\s+)?(?=on\b|about\b|that\b|which\b|with\b|using\b|of\b|in\b|for\b|from\b)",
        rf"^(?:{SET_WORDS}|works)\b",
        rf"^(?!compare|contrast|summari[sz]e|explain|describe|read|cite|both\b)"
        rf"(?P<about>(?:(?!{_NO_ADJECTIVE}\b)[\w-]+\s+){{1,6}}?)(?:papers|works|articles|literature)\W*$",
        r"^(?:who(?:\s+else)?|which (?:groups|teams|people|authors|researchers))(?:\s+(?:is|are))?"
        r"\s+(?:working on|studying|using|looking (?:at|into))\b",
        r"^is (?:anyone|anybody|someone|somebody|any group)\s+(?:here\s+)?(?:working on|studying"
        r"|using|looking (?:at|into)|doing)\b",
        r"^who\s+(?:else\s+)?(?:mentions?|uses?|studies|works? on|talks? about|considers?|proposes?"
        r"|deals? with)\b",
    )
]
LIST_ANYWHERE = lazy_pattern(
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
SINGULAR_PAPER = lazy_pattern(
    r"^(?:which|what)\s+(?:one\s+)?(?:paper|work|abstract|article"
    r"|study(?=\s+(?:is|was|has|does|did|on|about|that|by|from|in|which|first|also|\w*(?:ows|oses|uces|ents|iders|inds|orts"
    r"|eals|ooks|uses|lies|sses|ibes|ures|ines|ates|ores|rains|aims|vers|ons|kes|ves|ies))\b))\b(?!\s+(?:is|are)\s+there"
    r"|\s+(?:has|have)\s+been\s+done|\s+(?:is|was)\s+(?:being\s+)?done|\s+(?:or|and/or)\s+papers|\(s\)"
    r"|\s+exists?)",
    re.I,
)
THIS_PAPER_ZH = lazy_pattern(r"(?:这|那|该|本)一?篇(?!.*(?:哪些|几篇|多少篇))")
SINGULAR_PAPER_ZH = lazy_pattern(r"哪一?[篇个]")
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
    r"(?:有谁|谁|哪些人|有人|有没有人)(?:也|都)?在?(?:做|研究|搞|关注)",
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
    r"(?:谁|哪些人|有人|有没有人)(?:也|都)?在?(?:做|研究|搞|关注)",
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
TOPIC_LEAD = lazy_pattern(
    rf"^[\s,:;-]*{_SHOULD_I}(?:{_BEFORE_VERB}\b[\s,]*)*"
    rf"(?:(?:{_ABOUT_VERBS})\b(?:\s+or\s+{_SECOND_VERB}\b)?[\s,]*)?"
    rf"(?:{_AFTER_VERB}\b[\s,]*)*"
    r"(?:(?:the|an?|some|any)\s+(?:topic|subject|area|field|use)\s+of\s+|(?:the|an?)\b\s*)?",
    re.I,
)
TOPIC_TAIL = lazy_pattern(
    (
        r"(?:\s+(?:(?:is|are|was|were|been|being)\s+)?(?:used|mentioned|discussed|studied|addressed"
        r"|considered|applied"
        r"|covered|employed|investigated|explored|evaluated|tested)(?:\s+(?:in|by|for|at all))?\W*$)"
        r"|[\s,]*(?:\b(?:please|pls|plz|here|in (?:this|the|your) (?:list|corpus|collection|index)"
        r"|in these (?:papers|abstracts)|among (?:these|them|the papers)|are there|is there|do you have"
        r"|what (?:is|are) there|what (?:do|have) you (?:have|got)|what(?:'s| is) available"
        r"|even if[^?]*|thanks|thank you|if any)\b[\s,.!]*)+\s*$"
    ),
    re.I,
)
