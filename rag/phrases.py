"""Every fixed sentence of an answer, in English and Chinese. Values are filled in with `say`.

In a phrase `{n}` is a number with thousands separators, `{n:one|several}` one of two words by the number, and
`{n:none|one|several}` one of three; `#` in a word is the number. `KEY_of_one` is said instead of `KEY` where
`n` is one.
"""

from rag.records import Language

_PHRASES: dict[str, tuple[str, str]] = {
    # off topic and empty
    "greeting": (
        (
            "Hello! I answer questions about the {n:one|#} paper {n:abstract|abstracts} of this list, each "
            "statement with a citation."
        ),
        "你好！我根据这个列表里的 {n} 篇论文摘要回答问题，每句话都附有引用。",
    ),
    "welcome": (
        "You are welcome. Ask on whenever you like.",
        "不客气，随时可以继续提问。",
    ),
    "examples": (
        (
            "You can ask which papers deal with a topic, look up a figure, have a method explained, "
            "compare two papers, or ask about authors and tracks."
        ),
        "你可以问哪些论文研究某个主题、查一个数字、请我解释方法、比较两篇论文，或者询问作者和报告类型。",
    ),
    "off_topic": (
        (
            "That is outside what this chat covers: it only answers from the {n:one|#} paper "
            "{n:abstract|abstracts} of this list."
        ),
        "这个问题不在本聊天的范围内：我只根据这个列表里的 {n} 篇论文摘要作答。",
    ),
    "not_found": ("Not in {n:this one abstract|these # abstracts}.", "这 {n} 篇摘要中没有答案。"),
    "paper_unknown": (
        "None of the {n} papers is the one you ask about.",
        "{n} 篇论文中没有你问的那一篇。",
    ),
    "paper_unknown_of_one": (
        "The one paper here is not the one you ask about.",
        "这里仅有的 1 篇论文不是你问的那一篇。",
    ),
    "which_paper": (
        "Which paper do you mean? Name it, or say what it is about.",
        "你指的是哪一篇论文？请说出它的名称或内容。",
    ),
    "nearest_lacks": (
        "The nearest paper is {title}, and its abstract does not mention {what}.",
        "最接近的论文是《{title}》，但它的摘要没有提到 {what}。",
    ),
    "otherwise": ("{title} says otherwise: “{quote}”.", "《{title}》的说法不同：“{quote}”。"),
    "nearest": ("The nearest paper is {title}.", "最接近的论文是《{title}》。"),
    "nearest_many": ("The nearest papers are {titles}.", "最接近的论文是{titles}。"),
    "model_refused": (
        "The language model found no answer in the abstracts; these sentences come closest.",
        "语言模型认为摘要中没有答案；以下是最接近的句子。",
    ),
    "model_recited": (
        (
            "The language model repeated its instructions instead of answering; the sentences that come "
            "closest are quoted."
        ),
        "语言模型没有回答问题，而是复述了它的指令；这里改为引用最接近的句子。",
    ),
    "model_unsupported": (
        (
            "What the language model wrote is not supported by the abstracts; the sentences that come "
            "closest are quoted instead."
        ),
        "语言模型写的内容没有得到摘要的支持；这里改为引用最接近的句子。",
    ),
    # a model beside the quotes
    "votes_failed": (
        "The model could not be asked about some sentences: {why}",
        "有些句子未能请模型核对：{why}",
    ),
    "read_by": ("read by {model}: {choice}", "由 {model} 阅读：{choice}"),
    "read_yes": ("yes", "符合"),
    "read_maybe": ("maybe", "可能符合"),
    "read_no": ("no", "不符合"),
    "read_unproven": (
        "read by {model}, which quotes nothing that stands there",
        "由 {model} 阅读，但它引用的话不在原文中",
    ),
    "read_partly": (
        "{model} read {read} of the {of} papers; the others are decided by their words. {why}",
        "{model} 读了 {of} 篇论文中的 {read} 篇；其余按文字判断。{why}",
    ),
    "read_nothing": (
        "{model} could read none of the papers. {why}",
        "{model} 未能阅读任何论文。{why}",
    ),
    # quoting
    "quote": ("{title}: “{quote}”.", "《{title}》：“{quote}”。"),
    "point_problem": ("**Problem.**", "**问题。**"),
    "point_approach": ("**Approach.**", "**方法。**"),
    "point_result": ("**Result.**", "**结果。**"),
    "name_unknown": ("No abstract here is about {what}.", "这里没有关于 {what} 的摘要。"),
    "quote_more": ("“{quote}”.", "“{quote}”。"),
    "expansion": ("{short} stands for {long}.", "{short} 是 {long} 的缩写。"),
    "bullet": ("**{title}**: “{quote}”.", "**{title}**：“{quote}”。"),
    "bullet_plain": ("**{title}**.", "**{title}**。"),
    # lists
    "list_some": (
        "{yes} of the {n} papers {yes:matches|match} “{topic}”{narrowed}.",
        "{n} 篇论文中有 {yes} 篇符合“{topic}”{narrowed}。",
    ),
    "list_some_of_one": (
        "The one paper looked at matches “{topic}”{narrowed}.",
        "所看的 1 篇论文符合“{topic}”{narrowed}。",
    ),
    "list_none": (
        "None of the {n} papers matches “{topic}”{narrowed}.",
        "{n} 篇论文中没有一篇符合“{topic}”{narrowed}。",
    ),
    "list_none_of_one": (
        "The one paper looked at does not match “{topic}”{narrowed}.",
        "所看的 1 篇论文不符合“{topic}”{narrowed}。",
    ),
    "list_without": (
        "{yes} of the {n} papers {yes:does|do} not match “{topic}”{narrowed}.",
        "{n} 篇论文中有 {yes} 篇不符合“{topic}”{narrowed}。",
    ),
    "list_without_of_one": (
        "The one paper looked at does not match “{topic}”{narrowed}.",
        "所看的 1 篇论文不符合“{topic}”{narrowed}。",
    ),
    "list_without_none": (
        "Each of the {n} papers matches or may match “{topic}”{narrowed}.",
        "{n} 篇论文每一篇都符合或可能符合“{topic}”{narrowed}。",
    ),
    "list_without_none_of_one": (
        "The one paper looked at matches or may match “{topic}”{narrowed}.",
        "所看的 1 篇论文符合或可能符合“{topic}”{narrowed}。",
    ),
    "list_without_maybe": ("{maybe} may or may not match.", "有 {maybe} 篇是否符合无法确定。"),
    "list_maybe": ("{maybe} more may match.", "另有 {maybe} 篇可能符合。"),
    "list_none_sure": (
        "None of the {n} papers clearly matches “{topic}”{narrowed}.",
        "{n} 篇论文中没有一篇明确符合“{topic}”{narrowed}。",
    ),
    "list_none_sure_of_one": (
        "The one paper looked at does not clearly match “{topic}”{narrowed}.",
        "所看的 1 篇论文不明确符合“{topic}”{narrowed}。",
    ),
    "list_maybe_only": ("{maybe} may match.", "有 {maybe} 篇可能符合。"),
    "list_maybe_only_of_one": ("It may match.", "它可能符合。"),
    "list_complete": (
        (
            "All {n} papers were checked; about {percent} % of those that match are expected among "
            "these {listed}."
        ),
        "已逐一检查全部 {n} 篇论文；预计约 {percent}% 的符合论文在这 {listed} 篇之中。",
    ),
    "list_complete_single": (
        "All {n} papers were checked; lists like this one hold about {percent} % of those that match.",
        "已逐一检查全部 {n} 篇论文；这样的列表预计包含约 {percent}% 的符合论文。",
    ),
    "list_complete_single_of_one": ("The one paper was checked.", "已检查这 1 篇论文。"),
    "list_uncalibrated": (
        "How complete the list is has not been calibrated for {n} {n:paper|papers} and this question.",
        "对于 {n} 篇论文和这个问题，列表的完整度尚未校准。",
    ),
    "list_rest": (
        "The other {rest:one is|# are} in the full list.",
        "其余 {rest} 篇见完整列表。",
    ),
    # why a paper is in a list, or not
    "seen": ("“{phrase}” {where}", "“{phrase}”{where}"),
    "seen_title": ("in the title", "见于标题"),
    "seen_abstract": ("{count:once|# times} in the abstract", "在摘要中出现 {count} 次"),
    "seen_acronym": ("its acronym {count:once|# times}", "其缩写出现 {count} 次"),
    "seen_words": (
        "{percent:none|# %|# %} of its words{percent:| in one sentence| in one sentence}",
        "的词{percent:都没有出现|有 #% 在同一句中|有 #% 在同一句中}",
    ),
    "narrowed": (" ({filters} only)", "（仅限{filters}）"),
    "filter_empty": ("None of the {n} papers {what}.", "{n} 篇论文中没有 {what}。"),
    "filter_empty_of_one": ("No paper here {what} (the list holds one).", "这里仅有的 1 篇论文不是 {what}。"),
    # records
    "paper_count": ("The list holds {n} {n:paper|papers}{detail}.", "这个列表共有 {n} 篇论文{detail}。"),
    "authors": ("{title} was written by {authors}.", "《{title}》的作者是 {authors}。"),
    "first_author": ("The first author of {title} is {author}.", "《{title}》的第一作者是 {author}。"),
    "last_author": ("The last author of {title} is {author}.", "《{title}》的最后一位作者是 {author}。"),
    "author_count": (
        "{title} has {count} {count:author|authors}: {authors}.",
        "《{title}》有 {count} 位作者：{authors}。",
    ),
    "track": ("{title} was {a} {track} at {venue}.", "《{title}》在 {venue} 的报告类型是 {track}。"),
    "published": ("{title} was published at {venue}.", "《{title}》发表于 {venue}。"),
    "link": ("{title} is at {url}.", "《{title}》的链接：{url}。"),
    "record_unknown": ("The record of {title} does not say.", "《{title}》的记录里没有这一项。"),
    "prolific": (
        "{authors} has the most papers of the list: {count}.",
        "列表中论文最多的作者是 {authors}：{count} 篇。",
    ),
    "prolific_several": (
        "{n} {n:author has|authors have} more than one paper of the list: {authors}.",
        "列表中有 {n} 位作者发表了不止一篇论文：{authors}。",
    ),
    "prolific_none": (
        "No author has more than one paper of the list.",
        "列表中没有作者发表了不止一篇论文。",
    ),
    "team_most": (
        "The largest number of authors of a paper in the list is {count}.",
        "列表中一篇论文最多有 {count} 位作者。",
    ),
    "team_fewest": (
        "The smallest number of authors of a paper in the list is {count}.",
        "列表中一篇论文最少有 {count} 位作者。",
    ),
    "team_bounds": (
        "{yes:None|#|#} of the {n} papers {yes:has|has|have} {what}.",
        "{n} 篇论文中{yes:没有一篇|有 # 篇|有 # 篇}有{what}。",
    ),
    "team_bounds_of_one": (
        "The one paper {yes:does not have|has|} {what}.",
        "仅有的 1 篇论文{yes:没有|有|}{what}。",
    ),
    "team_exactly": ("{count} {count:author|authors}", " {count} 位作者"),
    "team_at_least": ("at least {count} {count:author|authors}", "至少 {count} 位作者"),
    "team_at_most": ("at most {count} {count:author|authors}", "至多 {count} 位作者"),
    "bullet_team": ("**{title}**: {count} {count:author|authors}.", "**{title}**：{count} 位作者。"),
    "title": ("The paper is called {title}.", "这篇论文的标题是《{title}》。"),
    "abstract": ("The abstract of {title}: {quote}", "《{title}》的摘要：{quote}"),
    "records_lack": ("The records of this list do not say.", "这个列表的记录里没有这一项。"),
    "prolific_tie": (
        "{authors} have the most papers of the list: {count} each.",
        "列表中论文最多的作者是 {authors}：各 {count} 篇。",
    ),
    "code_some": (
        "{yes:None|#|#} of the {n} papers{among} {yes:gives|gives|give} {what} in the abstract.",
        "{n} 篇{among}论文中{yes:没有一篇|有 # 篇|有 # 篇}在摘要里{neg}给出{what}。",
    ),
    "code_some_of_one": (
        "{yes:No|The one|} paper{among} gives {what} in the abstract.",
        "仅有的 1 篇{among}论文在摘要里{yes:没有||}{neg}给出{what}。",
    ),
    "code_all": (
        "Each of the {n} papers{among} gives {what} in the abstract.",
        "{n} 篇{among}论文都在摘要里给出了{what}。",
    ),
    "code_all_of_one": (
        "The one paper{among} gives {what} in the abstract.",
        "仅有的 1 篇{among}论文在摘要里给出了{what}。",
    ),
    "code_none": ("The abstract of {title} gives no link to code.", "《{title}》的摘要没有给出代码链接。"),
    "among": (" that match “{topic}”", "符合“{topic}”的"),
    "listing": ("{yes} of the {n} papers {what}.", "{n} 篇论文中有 {yes} 篇是 {what}。"),
    "listing_of_one": ("The one paper {what}.", "仅有的 1 篇论文是 {what}。"),
    "listing_all": ("The list holds {n} {n:paper|papers}.", "这个列表共有 {n} 篇论文。"),
    # questions that go on from an answer
    "next_about": ("What is {name} about?", "{name} 讲的是什么？"),
    "next_method": ("How does {name} work?", "{name} 是怎么做的？"),
    "next_finding": ("What is the main finding of {name}?", "{name} 的主要结果是什么？"),
    "next_authors": ("Who wrote it?", "它的作者是谁？"),
    "next_compare": ("Compare {a} and {b}.", "比较 {a} 和 {b}。"),
    "next_compare_first": ("Compare the first two.", "比较前两篇。"),
    "next_oral": ("Which of them are orals?", "其中哪些是口头报告？"),
    "next_spotlight": ("Which of them are spotlights?", "其中哪些是亮点论文？"),
    "next_poster": ("Which of them are posters?", "其中哪些是海报论文？"),
    "next_code": ("Which of them release code?", "其中哪些公开了代码？"),
    "next_list": ("Which papers are about {topic}?", "哪些论文研究 {topic}？"),
    # what became of a paper
    "fate_cited": ("Cited in the answer.", "已在回答中引用。"),
    "fate_listed": ("In the list.", "已列入列表。"),
    "fate_maybe": ("In the list as one that may match.", "作为可能符合的论文列入列表。"),
    "fate_stands": ("It stands in the answer.", "它就在回答中。"),
    "fate_not_quoted": (
        "Ranked, but other papers fit the question better and are quoted.",
        "已检索到，但其他论文更贴合问题，因此引用了它们。",
    ),
    "fate_shown": (
        "The model was given its abstract; the answer does not cite it.",
        "模型看过它的摘要，但回答没有引用它。",
    ),
    "fate_left_out": ("Read for the list and left out: {why}.", "为列表读过，但未列入：{why}。"),
    "fate_filtered": ("It does not meet the conditions ({filters}).", "它不符合条件（{filters}）。"),
    "fate_focus": (
        "The question is about other papers of this conversation.",
        "问题问的是本次对话中的其他论文。",
    ),
    "fate_ranked_low": (
        "It ranks {rank} for this question; only ranks up to {cut} are looked at.",
        "它在这个问题的排序中列第 {rank} 位；只看前 {cut} 篇。",
    ),
    "fate_unranked": (
        "Neither ranking has it among its best {depth} passages.",
        "两种排序的前 {depth} 个片段中都没有它。",
    ),
    "fate_unread": (
        "It has none of the topic's words and is far from its meaning, so it was not read for the list.",
        "它没有主题中的词，含义也相去甚远，因此没有为列表细读。",
    ),
    "fate_records": (
        "The answer is counted over the records, and this paper's record is not among those it names.",
        "回答由论文记录统计得出，所列记录中没有这一篇。",
    ),
    "fate_no_search": ("No paper was looked for.", "没有检索论文。"),
    # export
    "references": ("References", "参考文献"),
    "also_listed": ("Also in the list:", "列表中还有："),
    "listed_maybe": ("may match", "可能符合"),
    "quote_weak": ("weak support", "支持较弱"),
    "quote_unsupported": ("does not support the statement", "不支持该陈述"),
}


class _Number(int):
    """A number as phrases show it."""

    def __format__(self, words: str) -> str:
        shown = format(int(self), ",")
        *none, one, several = words.split("|") if words else (shown, shown)
        chosen = one if self == 1 else none[0] if none and self == 0 else several
        return chosen.replace("#", shown)


def say(language: Language, key: str, **values: object) -> str:
    """The phrase `key` in `language` with `values` filled in."""
    if values.get("n") == 1:
        key = f"{key}_of_one" if f"{key}_of_one" in _PHRASES else key
    english, chinese = _PHRASES[key]
    shown = {name: _Number(value) if isinstance(value, int) else value for name, value in values.items()}
    return (chinese if language == "zh" else english).format(**shown)


def join(language: Language, parts: list[str]) -> str:
    """ "a, b and c" in the language's manner."""
    if language == "zh":
        return "、".join(parts)
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
