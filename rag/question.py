"""Question text → Question: its kind, topic, filters and language. Rules only; no model is asked."""

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from llama_index.core.schema import QueryBundle

from rag.glossary import is_chinese, translate
from rag.records import Kind, Language

Ask = Literal["authors", "author_count", "track", "venue", "year", "paper_count", "code", "link", "prolific", "listing"]
"""What a question about the records wants to know."""

Expectation = Literal["number", "name", "expansion", "reason", "open"]
"""The kind of answer a lookup expects: a figure, a name or list of names, what an acronym stands for, why."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on the record, applied before ranking. Empty tuples and None mean "any"."""

    tracks: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    authors: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tracks or self.years or self.authors)


@dataclass
class Question(QueryBundle):
    """A LlamaIndex query that knows what kind of question it is.

    `query_str` is what retrieval searches for: English, without the question's frame. `asked` is the text
    as typed. `topic` is what a listed paper must be about (enumerate only). `focus` holds ids of papers
    that an earlier turn was about; retrieval keeps them within reach.
    """

    asked: str = ""
    kind: Kind = "lookup"
    language: Language = "en"
    topic: str = ""
    asks: Ask | None = None
    expects: Expectation = "open"
    existential: bool = False
    filters: Filters = field(default_factory=Filters)
    focus: tuple[str, ...] = ()
    considered: int = 0
    """How many papers the index holds; set by the engine."""
    unmatched: tuple[str, ...] = ()
    """Chinese words of the question that the glossary does not know."""


_PAPER = r"(?:papers?|works?|abstracts?|articles?|studies|study|publications?|submissions?|ones?|preprints?)"
_SET_WORDS = r"(?:papers|abstracts|articles|studies|publications|submissions|ones|preprints|orals|spotlights|posters)"
_TRACKS = {
    "oral": r"\borals?\b|口头报告|口头",
    "spotlight": r"\bspotlights?\b|亮点论文|焦点论文",
    "poster": r"\bposters?\b|海报|墙报",
}

_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|thanks?|thank you|good (?:morning|evening|afternoon)|help|who are you|what can you do"
    r"|你好|您好|谢谢|嗨|帮助|你是谁|你能做什么|早上好|晚上好)\b[^\w]*$|^\W*(?:你好|您好|谢谢|你是谁|你能做什么)\W*$",
    re.I,
)

# A list of papers is asked for. Each pattern ends where the topic begins.
_ENUMERATE = [
    re.compile(pattern, re.I)
    for pattern in (
        rf"^(?:please\s+|can you\s+|could you\s+)?(?:which|what)\s+(?:(?:of\s+)?(?:the|these|those|all)\s+)*(?:(?:\w+\s+)??{_SET_WORDS}|works)\b",
        r"^(?:which|what|how many)\s+(?:of\s+(?:the|these|those|them)(?:\s+\d+)?(?:\s+\w+)?)\b",
        rf"^(?:please\s+|can you\s+|could you\s+)?(?:list|show|find|give|name|enumerate|collect)\s+(?:me\s+)?(?:us\s+)?(?:all\s+|every\s+|each\s+|any\s+)*(?:of\s+)?(?:the\s+|these\s+)*{_PAPER}\b",
        rf"^(?:are|were)\s+there\s+(?:any\s+|some\s+|other\s+)*{_PAPER}\b",
        rf"^(?:is|was)\s+there\s+(?:any|an?|some)\s+{_PAPER}\b",
        rf"^(?:(?:do|does|did|have|has|can)\s+)?(?:any|some|anybody|anyone|someone)(?:\s+of\s+(?:the|these|those|them))?(?:\s+(?:other\s+)?{_PAPER})?\b(?=.*)",
        rf"^(?:do you have|have you got|got)\s+(?:something|anything|any\s+{_PAPER}|{_PAPER}|an?\s+{_PAPER})\b",
        rf"^(?:what|how much)\s+(?:{_PAPER}|research)\s+(?:is|are|was|has been)\s+(?:there|done)\b",
        rf"^how many\s+(?:of\s+)?(?:the\s+|these\s+|those\s+)*(?:(?:\w+\s+)??{_SET_WORDS}|works)\b",
        rf"^(?:i(?:'m| am)\s+(?:looking|searching)\s+for|looking for|i (?:want|need)|papers?|works?|all|every)\s*(?:the\s+|all\s+)*(?:{_PAPER}\s+)?(?=on\b|about\b|that\b|which\b|with\b|using\b|of\b|in\b|for\b|from\b)",
        rf"^(?:{_SET_WORDS}|works)\b",
        r"^who\s+(?:else\s+)?(?:mentions?|uses?|studies|works? on|talks? about|considers?|proposes?|deals? with)\b",
    )
]
_SINGULAR_PAPER = re.compile(
    r"^(?:which|what)\s+(?:one\s+)?(?:paper|work|abstract|article|study)\b(?!\s+(?:is|are)\s+there)", re.I
)
_EXISTENTIAL = re.compile(
    r"^(?:is there|are there|any(?:thing|body|one)?\b(?!\s+of)|has any|have any|does any|do you have|got |have you)|有没有|有无|是否有|存在", re.I
)
_ENUMERATE_ZH = re.compile(
    r"哪些|有哪几篇|哪几篇|列出|列举|有没有[^？?]*(?:论文|文章|工作|研究|paper)|(?:多少|几)篇|找(?:一下|出|几篇|找)?[^？?]*(?:论文|文章)|(?:有关|关于)[^？?]*的(?:论文|文章|工作)"
    r"|(?:论文|文章|工作)(?:有哪些|都有|有几)|(?:哪些|多少)(?:口头|海报|墙报|亮点|oral|spotlight|poster)|的(?:论文|文章|工作)(?:吗|都?列出来|呢)?\W*$",
)
# "哪些" about parts of one paper ("用了哪些基准") is a lookup: the word must ask for papers.
_ZH_PAPERS = re.compile(r"论文|文章|工作|研究|paper|摘要|哪几篇|几篇|多少篇|哪些(?:是|做|用|使用|研究|提出|讨论)|口头报告|海报|亮点", re.I)

_COMPARE = re.compile(
    r"\bcompar(?:e|es|ed|ing|ison)\b(?!\s+to\b)|(?-i:[A-Z]\S*)\)?\s+(?:vs\.?|versus)\s|\s(?:vs\.?|versus)\s+(?-i:\S*[A-Z])|\btwo\b.*\bdiffer\b|\bdiffer(?:s|ence|ences)?\b.*\b(?:and|from|between)\b"
    r"|\b(?:and|or)\b.*\b(?:each|both|respectively|in the two|of the two|the two)\b|\b(?:how|what|where)\s+(?:do|does|are)\s+\S+(?:\s\S+){0,3}\s+and\s+.*\b(?:differ|each)\b"
    r"|\bone paper\b.*\banother\b|\beach (?:one|of|case)\b|\bin each\b|比较|对比|区别|有什么不同|有何不同|分别.*(?:和|与)|(?:和|与).*(?:分别|不同|异同)",
    re.I,
)
_EXPLAIN = re.compile(
    r"^(?:so\s+|and\s+|but\s+)?(?:why|explain|describe|summari[sz]e|tell me (?:about|how|why)|how (?:do|does|did|can|could|is|are|was)\b(?!\s+\w+\s+(?:much|many))"
    r"|what(?:'s| is| are|s)\s+(?!the\s+(?:name|size|number|accuracy|score|rate|speed)).*\b(?:about|idea|mean(?:t|s)?|different|difference|reveal)\b|what(?:'s| is|s)\s+[\w-]+(?:\?|$|\s+and\s+how)|.*\bsummary\b|.*\bwhat(?:'s|s| is) the idea\b|i(?:'m| am) reading about"
    r"|according to\b.*\bwhen\b|what exactly)|为什么|怎么|如何|解释|是什么意思|什么原理|起什么作用|做什么|讲的是什么|是做什么|有什么好处",
    re.I,
)
_EXPANSION = re.compile(r"\b(?:short for|stands? for|abbreviat\w*|acronym|full name|spell(?:ed)? out)\b|全称|缩写|代表什么", re.I)
_NUMBER = re.compile(
    r"\bhow (?:many|much|often|long|large|big|small|fast|far|deep|few|high|low|quick|badly|well)\b|\bwhat (?:share|fraction|percentage|proportion|size|percent|number)\b|\b(?:number|size|count|amount) of\b"
    r"|\bspeed-?up|\b(?:accuracy|score|rate|improvement|gain|m?ap|f1|bleu|psnr|fid|perplexity|pass@\d+|overhead|faster|quicker|cheaper|smaller|lower)\b"
    r"|\bby how\b|\bnumbers?\b|多少|几(?:个|种|类|倍|篇|条|项)|加速比|提升了|准确率|倍|百分之",
    re.I,
)
_NAME = re.compile(
    r"\b(?:which|what)\s+(?:\w+\s+){0,3}?(?:datasets?|benchmarks?|models?|tasks?|methods?|algorithms?|metrics?|game|index|circuits?|image sets?|verifier|divergence|noise|kind|type|types|kinds|name|called|platform|languages?|experiment|norm|principles|modes?|technique)\b"
    r"|\b(?:datasets?|benchmarks?|models|tasks|metrics|image sets)\b.*\b(?:used|tested|tried|evaluated|run on)\b|\bwhat\b.*\b(?:test|evaluate|benchmark|measure)\w*\b|\bcalled\b|\bwhat won\b|\bwhich\b|哪(?:个|些|种|类|几)|什么(?:数据集|模型|方法|算法|基准|任务)|叫什么",
    re.I,
)

_ASKS: list[tuple[Ask, re.Pattern[str]]] = [
    (
        "author_count",
        re.compile(r"\bhow many (?:people|authors|researchers)\b.*\b(?:wrote|write|author\w*|on|of|have|has|behind|paper)\b|几(?:个|位)作者|多少(?:个|位|名)?作者|作者有(?:几|多少)", re.I),
    ),
    (
        "prolific",
        re.compile(r"\bwho\b.*\bmost (?:papers|works|publications)\b|\bmost (?:prolific|frequent) authors?\b|\bwhich authors? .*\bmost\b|谁.*论文最多|论文最多的作者|哪位作者.*最多", re.I),
    ),
    (
        "authors",
        re.compile(
            r"^(?:and\s+|so\s+)?who\s+(?:wrote|authored|are the authors|is the (?:first |last )?author|were the authors|published|created|made)\b"
            r"|\bauthors? of\b|\b(?:first|last|lead|senior|corresponding) author\b|\bwho (?:wrote|authored)\b|\bwritten by whom\b|\bname the (?:\w+ )?authors\b|\bauthors?\?$"
            r"|作者(?:是谁|有谁|有哪些|都有谁|名单|叫什么|是哪)|谁写|谁是.*作者|第一作者|通讯作者",
            re.I,
        ),
    ),
    (
        "track",
        re.compile(
            r"\b(?:which|what)\s+(?:track|presentation|type of presentation)\b|\bpresentation (?:type|format)\b|\b(?:was|is|were|are|did)\b.*\b(?:an? )?(?:oral|spotlight|poster)s?\b.*\?*$"
            r"|(?:是|属于)(?:口头|oral|spotlight|poster|海报)|什么(?:类型的)?(?:报告|展示)|哪个(?:track|赛道|类别)",
            re.I,
        ),
    ),
    (
        "code",
        re.compile(
            r"\b(?:releas\w+|open[- ]?sourc\w*|publish\w*|shar\w+|provid\w+|publicly available|available|link\w*|has|have|with)\b.{0,30}\b(?:code|github|repositor\w+|implementation)\b"
            r"|\b(?:code|github|implementation|repositor\w+)\b.{0,30}\b(?:releas\w+|available|public\w*|link\w*|open|github|online)\b|开源|(?:公开|发布|提供)[^？?]{0,6}代码|代码[^？?]{0,6}(?:公开|开源|发布|链接|地址)|github",
            re.I,
        ),
    ),
    (
        "year",
        re.compile(r"\b(?:what|which) year\b|\bwhen (?:was|were|is)\b.*\b(?:published|presented|accepted|appear\w*|written)\b|哪一?年|什么时候.*(?:发表|发布)|何时发表", re.I),
    ),
    (
        "venue",
        re.compile(
            r"\bwhere (?:and when )?(?:was|were|is|did)\b.*\b(?:published|presented|accepted|appear\w*)\b|\b(?:what|which) (?:venue|conference|journal)\b|发表在(?:哪|什么)|哪个会议|什么会议",
            re.I,
        ),
    ),
    ("link", re.compile(r"\b(?:link|url|web ?page|pdf|openreview page|address)\b.{0,20}\b(?:to|of|for)\b|\bwhere can i (?:find|read|download)\b|链接|网址|在哪里(?:看|下载|能看)", re.I)),
]
_PAPER_COUNT = re.compile(
    r"^(?:and\s+)?how many (?:papers?|abstracts?|articles?|works?)\s*(?:(?:are|is|do|does|have|there|in|here|you|the|this|these|list|index|collection|total|corpus|hold|know|contain|we|it|altogether|all)\W*)*$"
    r"|^(?:[^？?]{0,12}(?:里|中|内|库|列表))?(?:一共|总共|共)?(?:有|收录了?)?(?:多少|几)篇(?:论文|文章|摘要)?[？?。]?$|(?:列表|库|这里)[^？?]{0,6}(?:多少|几)篇(?:论文|文章)?[？?]?$|^有?(?:多少|几)篇(?:论文|文章)[？?]?$",
    re.I,
)

_YEAR = re.compile(r"\b(?:in|from|of|since|published in)\s+((?:19|20)\d\d)\b|((?:19|20)\d\d)\s*年", re.I)
_BY_AUTHOR = re.compile(
    r"\b(?:papers?|works?|articles?|one|ones)\s+(?:in here\s+|here\s+)?(?:is\s+|are\s+|was\s+|were\s+)?(?:written\s+|authored\s+|co-?authored\s+)?by\s+(?P<names>[^?]+?)(?=\s+(?:is|are|about|on|that|which|deals?)\b|[?.]|$)"
    r"|\bdid\s+(?P<did>[A-Z][^?]*?)\s+(?:write|author|publish)",
    re.I,
)

# Words that ask, and say nothing about the subject.
_FRAME = re.compile(
    r"^(?:(?:hi|hello|hey|please|pls|ok(?:ay)?|so|and|but|well|nice|great|thanks|also|then|now)[\s,.:;!]+)+"
    r"|\b(?:please|pls|plz)\b"
    r"|^(?:can|could|would) you (?:please )?(?:tell me|explain|say|show|give me)\s*(?:about\s+)?"
    r"|^(?:do you know|i (?:want|would like|'d like) to know|i wonder|tell me)\s*(?:about|if|whether)?\s*"
    r"|^(?:according to|based on) (?:the|these) (?:papers?|abstracts?|list),?\s*",
    re.I,
)
_TOPIC_LEAD = re.compile(
    r"^[\s,:;-]*(?:(?:here|there|in here|in (?:this|the) (?:list|corpus|collection)|else|all|also|other|only|every|that|which|who|is|are|was|were|do|does|did|has|have|been|any(?:thing|one)?|something|someone"
    r"|looked|looking|look|actually|really|explicitly|please|pls|work|works|paper|papers|there|one|ones|currently|mainly|we|me|us|you|i|the)\b[\s,]*)*"
    r"(?:(?:stud(?:y|ies|ied|ying)|us(?:e|es|ed|ing)|deal(?:s|ing)?\s+with|work(?:s|ing)?\s+(?:with|on)|concern(?:s|ed|ing)?(?:\s+with)?|address(?:es|ed|ing)?|touch(?:es|ing)?(?:\s+on)?|mention(?:s|ed|ing)?|bring(?:s)?\s+up|talk(?:s|ing)?\s+about|cover(?:s|ed|ing)?"
    r"|discuss(?:es|ed|ing)?|consider(?:s|ed|ing)?|focus(?:es|ed|ing)?\s+on|explor(?:e|es|ed|ing)|investigat(?:e|es|ed|ing)|tackl(?:e|es|ed|ing)|target(?:s|ed|ing)?|relate(?:s|d)?\s+to|related\s+to|involv(?:e|es|ed|ing)|employ(?:s|ed|ing)?|rely\s+on|relies\s+on"
    r"|appl(?:y|ies|ied|ying)|propos(?:e|es|ed|ing)|present(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|develop(?:s|ed|ing)?|contain(?:s|ed|ing)?|give(?:s)?|offer(?:s)?|provid(?:e|es|ed|ing)|claim(?:s|ed|ing)?|look(?:s|ed|ing)?\s+(?:at|into)|exploit(?:s|ed|ing)?|handl(?:e|es|ed|ing)|do(?:es|ing)?)\b"
    r"(?:\s+or\s+(?:stud(?:y|ies)|us(?:e|es)|extend(?:s)?|analy[sz]e(?:s)?|exploit(?:s)?|propos(?:e|es)|evaluat(?:e|es)))?[\s,]*)?"
    r"(?:(?:about|on|with|of|in|for|to|into|whether|is|are|there|from|at|by|done)\b[\s,]*)*(?:(?:the|an?|some|any)\s+(?:topic|subject|area|field|use)\s+of\s+|(?:the|an?)\b\s*)?",
    re.I,
)
_TOPIC_TAIL = re.compile(
    r"[\s,]*(?:\b(?:please|pls|plz|here|in (?:this|the|your) (?:list|corpus|collection|index)|in these (?:papers|abstracts)|among (?:these|them|the papers)|are there|is there|do you have|even if[^?]*|thanks|thank you|if any)\b[\s,.!]*)+\s*$",
    re.I,
)


def parse(text: str) -> Question:
    """The question behind `text`. Chinese is carried over to English by the glossary for searching."""
    asked = " ".join(text.split())
    language: Language = "zh" if is_chinese(asked) else "en"
    translation = translate(asked) if language == "zh" else None
    english = translation.text if translation else asked
    search = _strip(english, _FRAME)
    question = Question(
        query_str=search or asked,
        asked=asked,
        language=language,
        filters=_filters(asked),
        expects=_expectation(asked),
        existential=bool(_EXISTENTIAL.search(_strip(asked, _FRAME))),
        unmatched=translation.unmatched if translation else (),
    )
    return _with_kind(question, search)


def _with_kind(question: Question, search: str) -> Question:
    asked = _strip(question.asked, _FRAME) or question.asked
    if _GREETING.search(question.asked):
        return replace(question, kind="offtopic")
    if _PAPER_COUNT.search(asked) and not question.filters:
        return replace(question, kind="metadata", asks="paper_count")
    topic = _topic(asked, search, question.language)
    if ask := _ask(asked):
        bare = _bare(topic or "", question.filters)
        if not (ask == "track" and bare):
            return replace(question, kind="metadata", asks=ask, topic=bare)
    if topic is not None:
        bare = _bare(topic, question.filters)
        if question.filters and not bare:
            return replace(question, kind="metadata", asks="listing")
        return replace(question, kind="enumerate", topic=bare or topic)
    if question.filters.authors and not _bare(_SINGULAR_PAPER.sub("", asked), question.filters):
        return replace(question, kind="metadata", asks="listing")
    if _COMPARE.search(asked):
        return replace(question, kind="compare")
    if question.expects != "expansion" and (_EXPLAIN.search(asked) or _EXPLAIN.search(question.asked)):
        return replace(question, kind="explain")
    return question


def _strip(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(" ", text).strip()


def _ask(asked: str) -> Ask | None:
    return next((ask for ask, pattern in _ASKS if pattern.search(asked)), None)


def _expectation(asked: str) -> Expectation:
    if _EXPANSION.search(asked):
        return "expansion"
    if _NUMBER.search(asked):
        return "number"
    if _NAME.search(asked):
        return "name"
    return "open"


def _topic(asked: str, search: str, language: Language) -> str | None:
    """What the listed papers must be about; None when no list of papers is asked for."""
    if language == "zh":
        return search if _ENUMERATE_ZH.search(asked) and _ZH_PAPERS.search(asked) else None
    if _SINGULAR_PAPER.search(asked):
        return None
    for pattern in _ENUMERATE:
        if match := pattern.search(search):
            topic = _TOPIC_LEAD.sub("", search[match.end() :], count=1)
            return _TOPIC_TAIL.sub("", topic.rstrip(" ?!.")).strip(" ,?!.")
    return None


def _filters(asked: str) -> Filters:
    tracks = tuple(track for track, pattern in _TRACKS.items() if re.search(pattern, asked, re.I))
    years = tuple(sorted({int(a or b) for a, b in _YEAR.findall(asked)}))
    return Filters(tracks=tracks, years=years, authors=_author_names(asked))


def _author_names(asked: str) -> tuple[str, ...]:
    """Names after "papers by": each must look like a name, so that "papers by topic" is none."""
    match = _BY_AUTHOR.search(asked)
    if not match:
        return ()
    names = re.split(r"\s*,\s*|\s+and\s+|\s*&\s*", match.group("names") or match.group("did"))
    return tuple(name.strip() for name in names if re.fullmatch(r"[A-ZÀ-Ž][\w.'’-]*(?:\s+[\w.'’-]+){0,4}", name.strip()))


def _bare(topic: str, filters: Filters) -> str:
    """The topic without the words that became filters."""
    for track in filters.tracks:
        topic = re.sub(_TRACKS[track], " ", topic, flags=re.I)
    for year in filters.years:
        topic = re.sub(rf"\b(?:(?:published\s+)?(?:in|from|of|since)\s+)?{year}\b(?:\s*年)?", " ", topic)
    for author in filters.authors:
        topic = re.sub(rf"\b(?:written\s+|authored\s+)?(?:by\s+|and\s+)?{re.escape(author)}\b", " ", topic)
    topic = re.sub(r"\b(?:presentations?|papers?)\b", " ", topic, flags=re.I) if filters.tracks else topic
    return _TOPIC_LEAD.sub("", " ".join(topic.split()), count=1).strip(" ,?!.")
