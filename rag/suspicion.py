"""Records that look made to steer a reader or a model: why, and which of their sentences are left alone.

A flag changes no ranking: it is shown on the paper's card. A sentence that gives orders is never quoted as an
answer, counts as no evidence and is not put before a model; the record itself stays as it is.

The patterns follow the kinds of Greshake et al., "Not what you've signed up for" (AISec 2023). They are of
the language of orders to a model, not of a topic: papers about attacks speak of orders without giving any.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from rag.patterns import lazy_pattern
from rag.records import Paper, Span
from rag.sentences import split

Reason = Literal["orders", "roles", "hidden", "markup", "stuffing", "lookalikes", "length"]

LONGEST = 10_000
"""Characters; the longest of 24,000 real abstracts has 4,300."""
LONGEST_SENTENCE = 2_000
"""Characters; the longest sentence of 24,000 real abstracts has 1,600. Longer ones are not quoted."""
MOST_SENTENCES = 100
"""Sentences of one abstract that are read."""
_FEWEST_WORDS = 25  # below this a list of keywords is no stuffing
_REPEATED = 4  # the same two words so often in a row
_ITEM_SHARE = 0.3  # commas for each word
_FEWEST_INVISIBLE = 3

_MODEL = (
    r"(?:ai|artificial intelligence|assistants?|chat ?bots?|(?:large )?language models?|llms?|reviewers?)"
)
_TOLD = r"(?:instructions?|rules?|prompts?|guidelines?|orders?|told|tasks?|abstracts?|records?|papers?)"
_ORDERS = lazy_pattern(
    rf"""
      \b (?: ignore|disregard|forget|override|bypass ) \b [^.]{{0,40}}
         \b (?: all|any|every|everything|previous|prior|above|earlier|preceding|other|your|the\ rules ) \b
         [^.]{{0,30}} \b {_TOLD} \b
    | \b (?: note|message|notice|memo|reminder ) \W{{1,3}} (?: to|for ) \W{{1,3}}
         (?: the|all|any|every|an? )? \W? {_MODEL} \b
    | \b (?: as|if\ you\ are|you\ are(?:\ now)?|since\ you\ are|being ) \ (?: an?|the )\ {_MODEL} \b
         [^.]{{0,60}} \b (?: you|your|answer|reply|must|end|begin|say|print|do\ not|instead|output ) \b
    | \b you\ are\ now\b | \b from\ now\ on,?\ (?: you|answer|every|each|all|begin|reply|always )
    | \b (?: answer|reply|respond|output|say|write|return|finish|begin|start|end ) \b [^.]{{0,25}}
         (?: \b only\ with \b | \b every\ (?: reply|answer ) \b | \b each\ (?: reply|answer ) \b
           | \b (?: with\ )? (?: the\ )? (?: word|words|sentence|phrase ) \ ["“]?(?-i:[A-Z]) )
    | \b (?: begin|start|end|finish|preface|prefix )\ (?: each|every|your|all|the )\ (?:of\ your\ )?
         (?: answers?|repl(?:y|ies)|responses?|messages? ) \b
    | \b (?: reveal|print|repeat|show|display|echo|disclose|output|leak|send|share|tell\ me ) \b [^.]{{0,40}}
         \b (?: your|the|hidden|full|api|all ) \b [^.]{{0,20}}
         \b (?: system\ prompt|instructions|api\ keys?|passwords?|hidden\ (?: configuration|rules )
             | settings|conversation|messages\ of\ this|environment\ variables ) \b
    | \b (?: summari[sz]e|recite|translate|repeat ) \ your \ (?: hidden\ )? (?: rules|instructions|prompt )
    | \b (?: tell|persuade|convince|ask|instruct ) \ (?: the|your|every|all|any ) \ (?: user|reader )s?
         \ (?: that|to ) \b
    | \b (?: include|list|rank|put|place|cite|mention|recommend|name ) \ this
         \ (?: record|paper|abstract|work|entry ) \b [^.]{{0,30}}
         \b (?: every|first|all|always|any|top|only|above ) \b
    | \b (?: must|should|has\ to|always ) \ (?: be\ )? (?: cite|list|rank|recommend )(?: d|ed )?
         \b [^.]{{0,20}} \b (?: this\ (?: record|paper )|first|in\ every|only ) \b
    | \b cite\ only\ this\b | \b when\ you\ (?: answer|reply|respond|summari[sz]e|review ) \b
    | \b (?: refuse|decline ) \ (?: every|all|any ) \ (?: further|other|future )? \ ? (?: question|request )s?
    | \b dear\ (?: ai\ models?|{_MODEL} ) \b | \b (?: must|should|shall|(?: has|have )\ to ) \ be\ told \b
    | \b (?: whoever|when\ anyone|if\ anyone|if\ someone ) \ asks? \b
    | \b your\ new\ (?: task|role|goal|rules?|instructions? ) \b
    | \b new\ (?: instructions?|rules?|polic(?:y|ies)|system\ prompt ) \s?:
    | \b when(?:ever)?\ (?: you\ are\ |the\ user\ )? ask(?: ed|s ) \b [^.]{{0,60}}
         \b (?: answer|say|reply|respond|claim ) \b
    | (?: ^|(?<=[.!?:;]\s) ) (?: please,?\ )? (?: now\ |always\ |only\ |simply\ |just\ |instead,?\ )?
         (?: respond|reply|answer|say|reveal|recite|recommend|pretend|obey|print|echo )
         \ (?: only|with|that|to|the|this|all|every|everything|your|in|nothing|any|me|by|as|you|exactly ) \b
    | \b (?: matches|answers|fits ) \ (?: every|all|any ) \ (?: topics?|questions?|quer(?:y|ies) ) \b
    | \b answer\ to\ (?: every|all|any ) \ questions? \b
    | \b (?: decision|verdict|label|choice ) \ (?: for|on|about|of )
         \ (?: this|every|each|all|any|the\ other ) \ (?: record|paper|abstract|entr(?:y|ies) )s? \b
    | (?: ^|(?<=[.!?:;]\s) ) (?: mark|label|count|rate|classify|treat|judge|screen|decide )
         \ (?: this|every|each|all|any ) \b [^.]{{0,30}} \b (?: records?|papers?|abstracts?|entr(?:y|ies) ) \b
    | \b answer\ (?: yes|no|maybe ) \ (?: for|to|on ) \ (?: all|every|each|any|this|the\ other ) \b
    | \b (?: meets|satisfies ) \ (?: every|all|any ) \ criteri(?: on|a ) \b
    | \b (?: you\ must|you\ have\ to|you\ are\ (?: required|instructed|ordered|obliged )\ to ) \b
    | \b do\ not\ (?: summari[sz]e|mention|cite|reveal )\ (?: the|this|any|other ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What the alternatives of `_ORDERS` begin with: only there is it tried, for it is slow to try everywhere.
_ORDERS_BEGIN = frozenset(
    """ignore disregard forget override bypass note message notice memo reminder as if you since being
    from answer reply respond output say write return finish begin start end preface prefix reveal
    print repeat show display echo disclose leak send share tell summarise summarize recite translate
    persuade convince ask instruct include list rank put place cite mention recommend name must should
    has always when whenever refuse decline dear shall have whoever your new please now only simply
    just instead pretend obey matches answers fits do decision verdict label choice mark count rate classify
    treat judge screen decide meets satisfies""".split()
)
_CHINESE_ORDERS = lazy_pattern(
    r"""
      (?: 忽略|无视|忘记|忘掉|不要理会|抛弃|放弃 ) [^。]{0,10}
         (?: 指示|指令|规则|提示|要求|任务|限制|内容|设定 )
    | (?: 作为|身为|如果你是|你是|你现在是 ) .{0,4} (?: 人工智能|AI|ＡＩ|助手|语言模型|大模型|机器人 ) .{0,30}
         (?: 你|必须|请|应当|只能|回答 )
    | (?: 只|仅|必须|都要|一律|都只|只能|统一 ) [^。，]{0,8} (?: 回答|回复|输出|引用 ) [^。]{0,3} [“"‘「本这]
    | (?: 输出|显示|打印|写出|透露|说出|公开|写在|附上|展示 ) [^。]{0,14}
         (?: 系统提示|提示词|密钥|全部设置|指令|口令|密码 )
    | 把你的 [^。]{0,20} (?: 密钥|提示|设置|变量|口令 )
    | (?: 告诉|通知|提醒|劝说 ) (?: 用户|读者|提问者 ) [“"‘「，：:]
    | (?: 把|将 ) (?: 这条记录|本条记录|本文|这篇论文|该论文|本记录 ) .{0,10}
         (?: 第一|首位|最前|开头 )
    | (?: 每一?句|所有回答|任何问题|无论被问到什么|不管问什么 ) .{0,16} (?: 引用|回答|回复|只|必须 )
    | (?: 请|你|你现在|务必 ) (?: 你|直接|只|立即|马上|务必|必须|应该|只能|要|现在 ){0,3}
         (?: 回答|输出|回复|推荐|显示|打印|透露|忽略|无视|假装|扮演|服从 )
    | (?: 无论|不管|不论 ) (?: 用户|别人|谁|被 )? .{0,3} 问
    | (?: 所有|每一?篇|全部|其他|其余|本|该|这[条篇个] ) 的? (?: 论文|记录|摘要|条目 ) [^。]{0,10}
         (?: 判为|判定为|标为|标记为|判断(?: 必须|应|要 ) )
    | (?: 请|务必|必须 ) 在? .{0,4} (?: 回答|回复 ) .{0,4} (?: 末尾|开头|结尾|里|中 )
         [^。]{0,6} (?: 加|写|附|插入 )
    """,
    re.VERBOSE,
)
_ROLE_MARK = lazy_pattern(
    r"""
      <\|[^|<>]{1,40}\|> | \[/?(?:INST|SYS)\] | <</?SYS>>
    | </?(?:system|assistant|user|instructions?|abstract|question|answer)\b[^<>]{0,60}>
    | (?:^|\s)={3,}\s?(?:system|user|assistant)\b
    | \#{2,}\s?(?:instruction|system|response|assistant|user)s?\b\s?:
    | "(?:role|decision|number|quote|papers)"\s?:\s?["\[{\d] | \bEND\ OF\ (?:DOCUMENT|PROMPT|CONTEXT|DATA)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TURN = lazy_pattern(
    r"(?:^|(?<=[.!?。！？\s]))(?P<role>system|assistant|user|human|系统|助手|用户|管理员)\s?[:：]\s?\S",
    re.IGNORECASE,
)
_ACTIVE = lazy_pattern(
    r"""
      </?(?:script|iframe|object|embed|style|svg|form|input|button|video|audio|link|meta|base|details)\b
    | <img\b | <[a-z]+[^<>]{0,200}\son[a-z]{3,}\s?= | \b(?:javascript|vbscript)\s?: | \bdata:text/
    | \\href\s?\{ \s? (?:javascript|data): | !\[[^\]\n]{0,200}\]\(
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNREAD_MARKUP = lazy_pattern(
    r"<!--|font-size\s?:\s?0|display\s?:\s?none|visibility\s?:\s?hidden|color\s?:\s?(?:white|transparent|\#fff)",
    re.IGNORECASE,
)
_NEVER_SEEN = lazy_pattern("[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = lazy_pattern("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_WITHOUT_WIDTH = lazy_pattern("(?<=\\w)[\u00ad\u200b-\u200d\u2060-\u2064\ufeff](?=\\w)")
_CYRILLIC_IN_LATIN = lazy_pattern(r"[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")
_WORD = lazy_pattern(r"[^\W_]+")
_ANY_WORD = lazy_pattern(r"\w+")
# Without one of these there is nothing for the patterns of marks and markup to find, and a look is quick.
_MARKS = ("<", "[/", "[inst", "[sys", "===", "##", '":', '" :', "end of", "script", "data:", "data :", "![")
_STYLES = ("<!--", "font-size", "display", "visibility", "color")


@lru_cache(maxsize=8192)
def reasons(paper: Paper) -> tuple[Reason, ...]:
    """Why the record looks made to steer whoever reads it; empty for nearly all papers."""
    text = f"{paper.title}\n{paper.abstract}"
    names = "\n".join((paper.title, *paper.authors))
    found: dict[Reason, bool] = {
        "orders": gives_orders(text) and any(map(gives_orders, (paper.title, *_texts(paper.abstract)))),
        "roles": _forged_turn(text) is not None,
        "hidden": bool(_NEVER_SEEN.search(text) or _UNREAD_MARKUP.search(text))
        or len(_WITHOUT_WIDTH.findall(text)) >= _FEWEST_INVISIBLE,
        "markup": bool(_ACTIVE.search(f"{text}\n{names}")),
        "stuffing": stuffed(paper.abstract),
        "lookalikes": bool(_CYRILLIC_IN_LATIN.search(f"{text}\n{names}")),
        "length": len(paper.abstract) > LONGEST,
    }
    return tuple(reason for reason, holds in found.items() if holds)


def gives_orders(text: str) -> bool:
    """Whether a sentence tells a model, or its reader, what to answer."""
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
        if _CHINESE_ORDERS.search(text):
            return True
    return any(
        word.group().lower() in _ORDERS_BEGIN and _ORDERS.match(text, word.start())
        for word in _ANY_WORD.finditer(text)
    )


def acts(text: str) -> bool:
    """Whether a text holds markup that would run or load something in a browser."""
    return bool(_ACTIVE.search(text))


@lru_cache(maxsize=8192)
def sound(abstract: str) -> tuple[Span, ...]:
    """The sentences of an abstract that may be quoted, counted as evidence and shown to a model.

    Left out are orders, markup that acts or hides, whatever follows a forged turn of a conversation, and what
    is too long to be an abstract.
    """
    spans = [s for s in split(abstract[:LONGEST]) if s.end - s.start <= LONGEST_SENTENCE][:MOST_SENTENCES]
    turn = _forged_turn(abstract)
    if turn is not None:
        spans = [span for span in spans if span.end <= turn]
    if not _steers(abstract):  # what no part of the whole does, no sentence does
        return tuple(spans)
    return tuple(span for span in spans if not _steers(span.of(abstract)))


def sound_text(abstract: str) -> str:
    """The sentences of `sound` in a row; the abstract as it is where nothing is left out."""
    spans = sound(abstract)
    if len(spans) == len(split(abstract)):
        return abstract
    return " ".join(span.of(abstract) for span in spans)


def stuffed(abstract: str) -> bool:
    """Whether an abstract is a heap of keywords: one list of them, or the same words over and over."""
    words = [word.lower() for word in _WORD.findall(abstract)]
    if len(words) < _FEWEST_WORDS:
        return False
    stops = len(re.findall(r"[.!?。！？](?=\s|$|[”\"])", abstract))
    commas = len(re.findall(r"[,，、;；]", abstract))
    if commas / len(words) >= _ITEM_SHARE and stops <= len(words) / 60:
        return True
    return _repeats(words)


def _repeats(words: Sequence[str]) -> bool:
    """The same run of one to three words, `_REPEATED` times in a row or most of the text."""
    for length in (1, 2, 3):
        row = 1
        for at in range(length, len(words) - length + 1, length):
            same = words[at : at + length] == words[at - length : at]
            row = row + 1 if same else 1
            if row >= _REPEATED + (2 if length == 1 else 0):
                return True
    pairs = set(pairwise(words))
    return len(words) > 200 and len(pairs) < len(words) / 6


def _steers(text: str) -> bool:
    lowered = text.lower()
    return bool(
        (_has(lowered, _MARKS) and _ACTIVE.search(text))
        or (_has(lowered, _STYLES) and _UNREAD_MARKUP.search(text))
        or (not text.isascii() and _NEVER_SEEN.search(text))
        or gives_orders(text)
    )


def _forged_turn(text: str) -> int | None:
    """Where text begins that poses as another turn of the conversation, or as the abstract's frame."""
    mark = _ROLE_MARK.search(text) if _has(text.lower(), _MARKS) else None
    places = [mark.start()] if mark else []
    turns = list(_TURN.finditer(text)) if ":" in text or "：" in text else []
    if len({turn["role"].lower() for turn in turns}) >= 2:
        places.append(turns[0].start())
    return min(places, default=None)


def _has(text: str, marks: Sequence[str]) -> bool:
    return any(mark in text for mark in marks)


def _texts(abstract: str) -> list[str]:
    return [span.of(abstract) for span in split(abstract)]
