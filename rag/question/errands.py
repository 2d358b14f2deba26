"""What people ask of an assistant or of a search engine, and not of papers: errands, orders, the everyday."""

import re

from rag.question.wordings import wording

_ASKED = (
    r"^\W*(?:(?:please|pls|hey|hi|hello|ok(?:ay)?|so|and|now|then)\W+)*(?:(?:can|could|will"
    r"|would) (?:you|u) (?:please )?)?(?:please )?"
)

_SUMS = (
    r"^\W*(?:(?:what(?:'s|s| is)|how much is|compute|calculate|solve|evaluate)\s+)?"
    r"[-(]*\d[\d.,]*\s*(?:[-+*/x×÷^]|plus|minus|times|divided by"
    r"|to the power of)\s*[-(]*\d[\d\s.,()+*/x×÷^-]*=?\W*$",
    r"^\W*(?:what(?:'s|s| is)|compute|calculate)\s+(?:the\s+)?(?:square root|cube root|sum|product"
    r"|factorial|\d+ ?%|\d+ percent)"
    r"\s+of\s+[\d\s.,and]+\W*$",
    r"^[\d\s.零一二两三四五六七八九十百千加减乘除以上的和+*/×÷-]+(?:等于|是)(?:几|多少)",
)
_ORDERS = (
    r"^\W*(?:\w+\W+){0,3}?(?:ignore|forget|disregard|override|bypass)\b(?:\W+\w+){0,4}?\W+"
    r"(?:instructions?|rules?|prompts?|guidelines?|restrictions?|polic(?:y|ies))\b",
    r"\b(?:print|reveal|show|repeat|output|leak|give|tell me|display|dump|what(?:'s|s| is| are"
    r"|re))\b.{0,25}\b(?:your|the) "
    r"(?:\w+ )?(?:system prompt|hidden prompt|initial prompt|instructions|rules|api[- ]?keys?"
    r"|passwords?|secrets?|tokens? and"
    r" keys?|environment variables?|settings file)\b",
    r"^\W*(?:you are|act|behave|respond|talk|pretend) (?:now|as if|as|like|to be)\b",
    r"\bdeveloper mode\b|\bjailbreak yourself\b|\bDAN mode\b",
    r"(?:忽略|无视|忘记|忘掉).{0,12}(?:指令|指示|规则|提示|要求)",
    r"(?:系统提示词?|提示词是什么|你的(?:指令|规则|密钥|密码)|API ?(?:key|密钥))",
    r"^(?:请)?(?:你)?(?:扮演|假装)",
)
_ERRANDS = (
    _ASKED + r"(?:write|compose|draft|make up|invent|create)\s+(?:me\s+|us\s+|my\s+)?(?:an?\s+|my\s+|some\s+"
    r"|the\s+)?(?:[\w-]+\s+){0,3}?"
    r"(?:poems?|haikus?|songs?|lyrics|stor(?:y|ies)|essays?|letters?|e-?mails?|cvs?|r[eé]sum[eé]s?"
    r"|speech|toasts?|jokes?|tweets?"
    r"|blog ?posts?|homework|recipes?|plans? for|to-?do lists?|scripts? that|python (?:code|script"
    r"|function))\b",
    _ASKED + r"(?:tell|crack|know)\s+(?:me\s+|us\s+)?(?:an?\s+|another\s+|some\s+)?(?:\w+\s+)?(?:jokes?"
    r"|riddles?|bedtime stor(?:y|ies)|fun facts?)\b",
    _ASKED + r"(?:translate|convert|remind|order|buy|book|reserve|sing|play|draw|paint|cook|call|phone|text"
    r"|email|wake|bake)\b"
    r"(?!.*\b(?:papers?|abstracts?|authors?|methods?|models?)\b)",
    _ASKED + r"set (?:an?|the|my) (?:alarm|timer|reminder)\b",
    _ASKED
    + r"(?:recommend|suggest)\s+(?:me\s+|us\s+)?(?:an?\s+|some\s+)?(?:good\s+)?(?:films?|movies?|books?"
    r"|songs?|restaurants?|hotels?"
    r"|recipes?|gifts?|names? for|places?)\b",
    _ASKED + r"(?:do|finish|solve) my\b",
    r"^(?:请)?(?:帮我|给我|替我)?(?:写|作|编)一?(?:封|首|篇|个|份)?.{0,6}(?:信|诗|歌|故事|作文|邮件|简历|笑话|演讲稿|朋友圈)",
    r"(?:讲|说|来)(?:一?个|一?段)?(?:笑话|故事|段子|谜语)",
    r"^(?:请)?(?:帮我|给我|替我)?(?:翻译|订|买|点|预订|叫|提醒|播放|唱|放首)",
    r"推荐(?:一|几|点|些)?(?:部|本|首|家|个|道|款)?.{0,4}(?:电影|书|歌|餐厅|电视剧|礼物|菜|景点|手机|酒店)",
)
_EVERYDAY = (
    r"\b(?:will|is|does|did|was|going to|gonna)\b.{0,20}\b(?:rain|raining|snow|snowing|sunny"
    r"|cold outside|windy)\b",
    r"\bweather (?:in|like|today|tomorrow|forecast for (?:today|tomorrow|the weekend))\b"
    r"|^\W*(?:how(?:'s|s| is)|what(?:'s|s| is)) the weather\b",
    r"^\W*what(?:'s|s| is)? (?:the )?(?:time|date|day)(?: is it| today| now| it is|\W*$)|\bwhat (?:day"
    r"|year) is (?:it|today)\b",
    r"\b(?:restaurants?|ramen|pizza|sushi|cafes?|bars?|pubs?|hotels?|burgers?)\b.{0,25}\b(?:near|in"
    r"|around|close to|place)\b",
    r"\b(?:recipe for|how (?:do|can|should) (?:i|we) (?:cook|bake|fix|repair|clean|lose weight|get rid"
    r"|make money|tie|change a|sleep))\b",
    r"\b(?:who|which (?:team|country|party)) (?:won|wins|will win|is winning)\b.{0,30}\b(?:cup|match"
    r"|game|league|election|race|olympics|final|oscars?"
    r"|championship|derby|tournament|medal)\b",
    r"\b(?:who is|who's|who was) (?:the )?(?:president|king|queen|prime minister|chancellor|pope|mayor"
    r"|ceo|wife|husband)\b",
    r"\bcapital (?:city )?of\b",
    r"\b(?:stock|share|house|gas|petrol|bitcoin|gold|oil) price\b|\bprice of (?:bitcoin|gold|oil"
    r"|[A-Z]\w+ (?:stock|shares))\b",
    r"\bexchange rate\b|\b(?:dollars?|euros?|pounds?|yen) (?:to|in|into) (?:dollars?|euros?|pounds?|yen"
    r"|rupees)\b",
    r"\b(?:my|your) (?:horoscope|star sign|zodiac|homework|mum|mom|dad|wife|husband|boss|girlfriend"
    r"|boyfriend|dog|cat|landlord|neighbou?r)\b",
    r"\b(?:i am|i'm|i feel|i'm feeling) (?:so |very |really |a bit )?(?:sad|bored|tired|lonely|hungry"
    r"|happy|drunk|sick|depressed|in love)\b",
    r"\bwhat should i (?:wear|eat|cook|do today|do tonight|buy|watch|drink|name)\b|\b(?:should|shall"
    r"|can) i (?:marry|quit my job|get a divorce)\b",
    r"\b(?:flights?|trains?|bus|directions) (?:to|from) (?-i:[A-Z])\w+",
    r"\bhow (?:old|tall|rich) (?:is|are|was) (?!the (?:data|model|dataset|corpus|benchmark))",
    r"\b(?:meaning of life|do you (?:love|like|hate|have feelings)|are you (?:human|alive|conscious"
    r"|sentient|married))\b",
    r"\bhow many (?:legs|wings|eyes|planets|continents|countries|states|oceans|bones|days in)\b",
    r"\b(?:who|when) (?:painted|composed|discovered|invented|sang|directed"
    r"|assassinated) (?:the )?(?-i:[A-Z])\w+",
    r"天气|下雨吗|下雪吗|几度|气温",
    r"(?:现在|今天|明天)(?:是)?(?:几点|几号|星期几|周几|什么日子)|几点了",
    r"(?:好吃|餐厅|餐馆|美食|菜谱|怎么做(?:菜|饭)|外卖|奶茶|火锅)",
    r"汇率|股价|房价|彩票|星座|运势|油价",
    r"(?:比赛|世界杯|球赛|联赛|选举|奥运).{0,8}(?:谁|哪)|谁(?:赢|夺)",
    r"(?:首都|总统|总理|主席|国王)(?:是|在)",
    r"我(?:很|好|有点)(?:难过|无聊|累|饿|开心|伤心)|减肥",
    r"(?:机票|火车票|高铁|航班|酒店)",
    r"你(?:觉得|认为|喜欢|爱吃|会不会|有没有感情)|人生|(?:早饭|午饭|晚饭|夜宵)吃",
)
_ALL = wording(*_SUMS, *_ORDERS, *_ERRANDS, *_EVERYDAY)
_OF_PAPERS = wording(
    r"\b(?:papers?|abstracts?|articles?|publications?|preprints?|literature|authors?|stud(?:y|ies)"
    r"|studied|research"
    r"|works? (?:on|about|that|which|deals?|looks?)|any work|datasets?|benchmarks?|neural|predict\w*"
    r"|forecast\w*)\b",
    "论文|文章|摘要|研究|工作|数据集|作者|预测",
)


def is_errand(text: str) -> bool:
    """Whether `text` wants something of an assistant that no list of papers could answer."""
    found = _ALL.search(text)
    return bool(found) and not (_OF_PAPERS.search(text) and not re.search("|".join(_ORDERS), text, re.I))


def of_papers(text: str) -> bool:
    """Whether `text` speaks of papers or research, so that it is within what is covered, answered or not."""
    return bool(_OF_PAPERS.search(text))
