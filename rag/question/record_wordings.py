"""How questions about the records are worded: who wrote it, which track, where is the code."""

import re
from typing import Literal

from rag.patterns import lazy_pattern
from rag.question.wordings import PAPER, SET_WORDS, wording

Ask = Literal[
    "authors",
    "author_count",
    "team_size",
    "track",
    "venue",
    "year",
    "paper_count",
    "code",
    "link",
    "title",
    "abstract",
    "prolific",
    "listing",
    "unrecorded",
]
"""What a question about the records wants to know."""
TALLIES: frozenset[Ask | None] = frozenset({"paper_count", "listing", "prolific", "team_size"})
"""What is always asked of many records; code and what no record holds may be asked of one as well."""

# "code" here is a paper's own; in these compounds it is a subject.
_CODE = (
    r"(?:\bcode(?:base)?s?\b(?![- ](?:generat|complet|review|search|model|llm|understand|synthes|edit|repair"
    r"|translat"
    r"|intelligen|summari|benchmark|data))|\bimplementations?\b(?! of))"
)

# The first that is found decides.
ASKS: list[tuple[Ask, re.Pattern[str]]] = [
    (
        "unrecorded",
        wording(
            r"\be-?mails?\b",
            r"\baffiliations?\b",
            r"\b(?:which|what) (?:universit(?:y|ies)|institut(?:e|ion)s?|compan(?:y|ies)|labs?|countr(?:y"
            r"|ies))\b"
            r".*\b(?:authors?|from|behind|wrote|written)\b",
            r"\bhow many (?:pages|citations|references|reviewers)\b",
            r"\bhow (?:often|many times)\b.*\bcited\b",
            r"\b(?:citation|review) (?:counts?|scores?)\b",
            r"\bwho reviewed\b",
            r"\b(?:most|highly|least|best)[- ]cited\b",
            r"\breviewers?\b.*\b(?:said?|score|comment|think|of)\b",
            r"邮箱",
            r"(?:作者|谁)[^？?]*(?:单位|机构|大学|公司)",
            r"引用(?:次数|量|数)",
            r"审稿人|评审意见",
            r"(?:多少|几)页",
        ),
    ),
    (
        "team_size",
        wording(
            r"\b(?:the )?(?:most|fewest|least|largest number of|smallest number of"
            r"|longest list of) (?:co-?)?authors\b",
            r"\b(?:longest|shortest) author list\b",
            r"\b(?:more|fewer|less) than (?:\d+|\w+) (?:co-?)?authors\b",
            r"\b(?:at least|at most|exactly|over|under|only) (?:\d+|\w+) (?:co-?)?authors?\b",
            r"\b(?:papers|works) (?:with|by|that have|having) (?:a single|one|\d+) authors?\b",
            r"\b(?:single|sole)[- ]author(?:ed)?\b",
            r"作者(?:人数)?(?:最多|最少)(?!的作者)",
            r"(?:超过|多于|少于|至少|不到)\s*\d+\s*(?:位|个|名)?作者",
            r"(?:单一|独立|一位)作者的",
        ),
    ),
    (
        "author_count",
        wording(
            r"\bhow many (?:people|authors|co-?authors|researchers)\b(?=.*\b(?:wrote|write|author\w*|on|of"
            r"|have"
            r"|has|behind|paper|there|does|did|worked)\b)",
            r"\b(?:number|count) of (?:co-?)?authors\b",
            r"\bhow (?:big|large) (?:is|was) the (?:team|author list)\b",
            r"几(?:个|位|名)(?:共同)?作者",
            r"多少(?:个|位|名)?作者",
            r"作者(?:一共|总共|共)?有(?:几|多少)",
            r"(?:几|多少)(?:个|位)?人(?:写|参与|合著)",
        ),
    ),
    (
        "prolific",
        wording(
            r"\bwho\b.*\b(?:the )?most (?:papers|works|publications|often)\b",
            r"^who (?:\w+ )?(?:wrote|written|published|authored|appears) (?:the )?most\W*$",
            r"\bmost (?:prolific|frequent|productive) (?:co-?)?authors?\b",
            r"\b(?:which|what) (?:author|person|people|researcher)s?\b.*\b(?:the )?most\b",
            r"\b(?:who|authors?|people|researchers?|anyone|anybody|somebody|someone)\b.*\b(?:more than one"
            r"|several|multiple|at least two|two or more)\b.*\b(?:papers?|works?|ones?)\b",
            r"谁.*论文最多",
            r"谁.*最多(?:的)?论文",
            r"(?:论文|发文)(?:数量)?最多的(?:作者|人)",
            r"(?:哪位|哪个|哪些)作者.*(?:最多|不止一篇|多篇)",
        ),
    ),
    (
        "authors",
        wording(
            r"^(?:and\s+|so\s+)?who\s+(?:\w+ly\s+)?(?:wrote|authored|publish(?:ed)|created|made|developed"
            r"|invented|proposed|introduced|designed|built|came up with|(?:is|are|was|were)\s+(?:behind"
            r"|responsible for|(?:all\s+)?the\s+(?:\w+\s+)?(?:co-?)?(?:authors?|writers?|people (?:behind"
            r"|who)|team))"
            r")\b",
            r"\bauthors? (?:of|list|names?)\b",
            r"^(?:which|what) (?:researchers?|people|persons?|authors?|scientists?) (?:wrote|authored"
            r"|published|made|developed"
            r"|are behind|were behind)\b",
            r"\bwho (?:first|last|co)-?authored\b",
            r"^who (?:all )?(?:contributed to|worked on|co-?wrote|collaborated on)\b",
            r"^who (?:did|carried out|put together|is responsible for)\b.*\b(?:work|paper|study|research"
            r"|analysis)\b",
            r"\b(?:first|last|lead|senior|corresponding) author\b",
            r"\bwho(?:'s|s| is| are| was| were)? (?:all )?(?:wrote|authored|the (?:first |last "
            r"|lead )?authors?)\b",
            r"\b(?:written|authored) by whom\b",
            r"\bby whom\b.*\b(?:written|authored|published)\b",
            r"\bwhose (?:paper|work|idea|method)\b",
            r"\b(?:name|list|give(?: me)?|show(?: me)?|tell me) (?:all )?(?:the |its "
            r"|their )?(?:\w+ )?(?:co-?)?authors\b",
            r"\bauthors?\W*$",
            r"作者(?:都|分别)?(?:是谁|有谁|是哪|有哪些|都有谁|名单|叫什么|呢|是什么)",
            r"作者\W*$",
            r"谁(?:写|提出|发明|开发|发表|做)",
            r"谁是.*作者",
            r"(?:第一|通讯|最后(?:一位)?)作者",
            r"(?:哪些|什么)人(?:写|提出)",
        ),
    ),
    (
        "track",
        wording(
            r"\b(?:which|what)\s+(?:track|presentation|type of presentation)\b",
            r"\bpresentation (?:type|format)\b",
            r"\b(?:which|what) (?:kind|type|sort|form) of (?:presentation|talk)\b",
            r"\b(?:was|is|were|are|did|does|has|have)\b.*\b(?:an? )?(?:oral|spotlight|poster)s?\b",
            r"(?:是|属于|算)(?:一?(?:个|篇))?\s*(?:口头|oral|spotlight|poster|海报|亮点|墙报)",
            r"^(?:and |its |the )*track\W*$",
            r"什么(?:类型的?|形式的?)?(?:报告|展示)",
            r"(?:报告|展示)(?:类型|形式)",
            r"哪(?:个|种)(?:track|赛道|类别|报告|展示)",
        ),
    ),
    (
        "title",
        wording(
            r"\b(?:what(?:'s|s| is| was)|give me|tell me|show me) the (?:full |exact |whole "
            r"|complete )?title\b"
            r"(?!s)",
            r"\bwhat is .* (?:titled|entitled)\b",
            r"(?:标题|题目)(?:是|叫)什么",
            r"的(?:完整)?(?:标题|题目)\W*$",
        ),
    ),
    (
        "abstract",
        wording(
            r"\b(?:give|show|read|print|quote|display|get|fetch|see|tell)(?: me| us"
            r"| out)?\b.*\babstract (?:of|for)\b",
            r"\b(?:give|show|read|print|quote|display|get|fetch|see)(?: me| us| out)?\b.*['’]s abstract\b",
            r"\b(?:give|show|read|print|quote|display|get|fetch|see)(?: me| us| out)? (?:the|its|that|this)"
            r" (?:full |whole |entire |complete )?abstract\b",
            r"\bwhat(?:'s| is) the (?:full |whole |entire |complete )?abstract\b",
            r"\b(?:full|whole|entire|complete) abstract\b",
            r"摘要(?:全文|原文|是什么|内容)",
            r"(?:给出|显示|看看|看一下|贴出)[^？?]*摘要",
        ),
    ),
    (
        "code",
        wording(
            rf"\b(?:releas\w+|open[- ]?sourc\w*|publish\w*|shar\w+|provid\w+|publicly available|available"
            rf"|link\w*"
            rf"|has|have|(?<!deal )(?<!deals )(?<!dealing )(?<!work )(?<!works )(?<!working )with|gives?"
            rf"|offers?|includ\w+|comes?)\b.{{0,30}}(?:{_CODE}|\b(?:github|repositor\w+|repos?)\b)",
            rf"(?:{_CODE}|\b(?:github|repositor\w+|repos?)\b).{{0,60}}\b(?:releas\w+|available|public\w*"
            rf"|link\w*"
            r"|open|github|online|found|download)\b",
            rf"\b(?:is|are) (?:the |its |their |any )?{_CODE} (?:\w+ )?out\b",
            rf"\bwhere\b.*(?:{_CODE}|\b(?:github|repositor\w+|repos?)\b)",
            rf"^(?!.*\b(?:about|on|generat\w*|writ\w+|understand\w*|train\w*|evaluat\w*|tasks?)\b)"
            rf".*(?:{_CODE}|\b(?:github|repository|repo)\b)(?: (?:for|of|to) [^?]*)?\W*$",
            rf"\bis there (?:any |an? )?(?:\w+ )?(?:{_CODE}|\b(?:github|repositor\w+|repos?)\b)",
            r"^(?:did|do|have|has) (?:they|the authors|it|\S+) open[- ]?sourced?\b",
            r"开源",
            r"(?:公开|发布|提供|给出|附)了?[^？?]{0,6}代码",
            r"代码[^？?]{0,8}(?:公开|开源|发布|链接|地址|在哪|哪里|吗|呢)",
            r"有(?:没有)?[^？?]{0,4}代码",
            r"(?:仓库|github)(?:链接|地址|在哪|吗|呢|上|\W*$)",
        ),
    ),
    (
        "year",
        wording(
            r"\b(?:what|which) year\b",
            r"^(?:and |its |the )*(?:publication )?(?:year|date)(?: of [^?]*)?\W*$",
            r"\bwhen (?:was|were|is|did)\b.*\b(?:published|presented|accepted|appear\w*|written|come out"
            r"|released)\b",
            r"\bhow (?:old|recent) is\b.*\b(?:paper|work|study|it)\b",
            r"哪一?年",
            r"(?:什么|啥)时候.*(?:发表|发布|提出)",
            r"何时(?:发表|发布)",
            r"(?:发表|出版)(?:时间|年份)",
        ),
    ),
    (
        "venue",
        wording(
            r"\bwhere (?:and when )?(?:was|were|is|did|has)\b.*\b(?:published|presented|accepted|appear\w*"
            r"|come out)\b",
            r"\b(?:what|which) (?:venue|conference|journal)\b",
            r"^(?:and |its |the )*(?:venue|conference|journal)(?: of [^?]*)?\W*$",
            r"发表(?:在|于)(?:哪|什么)",
            r"(?:哪个|什么|哪)(?:会议|期刊|顶会)",
            r"在哪(?:里|儿)?(?:发表|发布)",
        ),
    ),
    (
        "link",
        wording(
            r"\b(?:link|url|web ?page|pdf|openreview(?: page| link)?|web address)\b.{0,20}\b(?:to|of|for)\b",
            r"\b(?:link|url|pdf)\W*$",
            r"\bwhere (?:can|could|do) (?:i|we|one) (?:find|read|download|get|access) (?:the|this|that|it"
            r"|its|them|a copy"
            r"|the full|(?-i:[A-Z][\w-]+))\b",
            r"链接",
            r"网址",
            r"(?:在哪里?|哪儿|哪里)(?:可以|能)?(?:看|下载|能看|找到|读)",
        ),
    ),
]

TRACK = next(pattern for ask, pattern in ASKS if ask == "track")

_HOW_MANY = r"(?:how many|(?:what(?:'s| is) )?(?:the )?(?:total )?number of|count (?:all )?(?:of )?(?:the )?)"
PAPER_COUNT = wording(
    rf"^(?:and\s+)?{_HOW_MANY}\s*(?:{SET_WORDS}|works|entries|documents|items|records)\s*(?:(?:are|is|do"
    rf"|does|have|there|in|here|you|the|this"
    r"|these|list|index|collection|total|corpus|hold|know|contain|we|it|altogether|all|database|set|indexed"
    r"|listed|stored|loaded|included|available)\W*)*$",
    r"^how (?:big|large|long) is (?:the|this|your) (?:list|index|collection|corpus|database|paper list"
    r"|set)\W*$",
    r"^(?:[^？?]{0,12}(?:里|中|内|库|列表))?(?:一共|总共|共)?(?:有|收录了?|包含)?(?:多少|几)篇(?:论文|文章|摘要)?[？?。]?$",
    r"(?:里|中|库|列表)(?:一共|总共|共)?有?(?:多少|几)(?:篇)?(?:论文|文章|摘要)[？?。]?$",
    r"^[^？?]{0,6}(?:收录|包含|存)了?(?:多少|几)(?:篇)?(?:论文|文章|摘要)[？?。]?$",
    r"(?:列表|库|这里)[^？?]{0,6}(?:多少|几)篇(?:论文|文章)?[？?]?$",
    r"^(?:论文|文章)(?:一共|总共|共)?有?(?:多少|几)篇[？?]?$",
    r"^(?:论文|文章)?(?:的)?(?:总数|数量)(?:是多少)?[？?]?$",
)
COUNTING = wording(r"\bhow many\b", r"\bnumber of\b", r"\bcount\b", r"多少", r"几篇")

# The words of "release their code on GitHub", which are no topic.
CODE_PHRASE = lazy_pattern(
    r"\b(?:and\s+)?(?:that\s+|which\s+)?(?:also\s+)?(?:(?:do|does|did|has|have|is|are)\s?n(?:['’]t"
    r"|ot)\s+)?(?:releas\w+|shar\w+|provid\w+|publish\w*|have|has|with|give|gives"
    r"|giving|offer\w*|includ\w+|come with|open[- ]?sourc\w*|make|made)?\s*(?:any\s+|their\s+|its\s+|the\s+"
    r"|a\s+|public\s+"
    r"|open[- ]?source\s+|source\s+|official\s+|links? to\s+|publicly available\s+)*"
    r"(?:code(?:base)?|implementations?|github(?:\s+(?:repositor(?:y|ies)|links?|repos?))?|repositor(?:y"
    r"|ies)|repos?)\b"
    r"(?:\s+(?:is|are|on|at|in|via|to|the|github|publicly|public|available|online|open|free|freely|released"
    r"|links?))*"
    r"|(?:code )?(?:available|open-source)(?: code)?",
    re.I,
)

RECORD_WORDS = frozenset(
    """paper papers work works abstract abstracts article articles study studies publication publications
    submission submissions preprint preprints one ones list lists listed collection corpus index
    database author authors coauthor coauthors co-author co-authors write writes wrote written
    publish published present presented presentation presentations appear appears appeared accept
    accepted release released include includes included contain contains hold holds know see show
    find give get got received tell name enumerate count recommend available total altogether overall
    everything anything something anyone please oral orals spotlight spotlights poster posters venue venues
    conference conferences year years title titles all up else currently currently here there come
    out kind sort exist exists has have also any""".split()
)
"""Words that speak of lists and records: a topic made of nothing else is none."""

ASKING_WORDS = RECORD_WORDS | frozenset(
    """came made make developed invented proposed introduced created designed built behind first last lead
    senior corresponding main many number how track type code codebase implementation github
    repository repo link links url pdf openreview page where when read download access public
    publicly open source open-source available full whole entire complete original exact thing names
    team people person email emails e-mail affiliation affiliations institution institutions
    university universities institute company lab country pages citations references reviewers
    reviewer reviewed score scores second third former latter accepted format whose called published
    official officially me us my do does did is are was were has have had can could be been""".split()
)
"""Words that say what is asked of a record; the others of such a question describe the paper."""

ONE_PAPER = lazy_pattern(
    rf"\b(?:it|this|that|its)\b|\b(?:the|this|that)\s+(?:[\w-]+\s+){{0,6}}?(?:paper|work|study|article)\b"
    rf"|^(?:was|is|did|has|does)\b(?!.*\b(?:any|there|{PAPER[3:-1]})\b)|它|这篇|那篇|该(?:论文|文)",
    re.I,
)
