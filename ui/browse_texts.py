"""What the Papers tab and the filters say, in English and Chinese."""

from dataclasses import dataclass

from rag.records import Language


@dataclass(frozen=True, slots=True)
class BrowseTexts:
    """One language. Fields with `{...}` are filled with `str.format`; counts are keyed by "exactly one"."""

    tab: str
    search: str
    search_hint: str

    filters: str
    choose: str
    fields: dict[str, str]
    """Name of a filter in the address → its name on the page."""
    other: dict[str, str]
    """Likewise → what its text box asks for."""
    remove: str
    clear: str
    every: dict[bool, str]
    left: str
    unmet: str
    never_together: str
    ignored: str
    condition: str

    found: dict[bool, str]
    near: str
    no_papers: str
    alike: str
    nothing_alike: str
    unknown_paper: str
    back: str

    keywords: str
    ask: str
    question: str
    similar: str

    pages: str
    page: str
    previous: str
    following: str

    language: str
    """The other language, named in itself; below its code in the address."""
    language_code: str


_EN = BrowseTexts(
    tab="Papers",
    search="Search title, authors, subject",
    search_hint="Results come as you type",
    filters="Filters",
    choose="Filter",
    fields={"venue": "Venue", "year": "Year", "track": "Track", "author": "Author", "keyword": "Keyword"},
    other={
        "venue": "Another venue",
        "year": "Another year",
        "track": "Another track",
        "author": "Another name",
        "keyword": "Another keyword",
    },
    remove="Remove the filter {condition}",
    clear="Remove all",
    every={True: "{count} paper", False: "All {count} papers"},
    left="{count} of {total} papers",
    unmet="No paper has {condition}.",
    never_together="Each of these filters is met by some paper, but no paper meets all of them.",
    ignored="Left out, since it means nothing here: {condition}.",
    condition="{field} “{value}”",
    found={
        True: "{count} paper has “{text}” in its title or authors",
        False: "{count} papers have “{text}” in title or authors",
    },
    near="Near in content",
    no_papers="The list holds no papers.",
    alike="Like “{title}”",
    nothing_alike="No other paper is left to be like this one.",
    unknown_paper="No paper has the id “{paper}”.",
    back="All papers",
    keywords="Keywords: {keywords}",
    ask="Ask about this paper",
    question="What is “{title}” about?",
    similar="Similar papers",
    pages="Pages",
    page="Page {page} of {pages}",
    previous="Previous",
    following="Next",
    language="中文",
    language_code="zh",
)

_ZH = BrowseTexts(
    tab="论文",
    search="按标题、作者、主题搜索",
    search_hint="边输入边显示结果",
    filters="筛选",
    choose="筛选",
    fields={"venue": "会议", "year": "年份", "track": "类别", "author": "作者", "keyword": "关键词"},
    other={
        "venue": "其他会议",
        "year": "其他年份",
        "track": "其他类别",
        "author": "其他作者",
        "keyword": "其他关键词",
    },
    remove="移除筛选条件：{condition}",
    clear="全部移除",
    every=dict.fromkeys((True, False), "全部 {count} 篇论文"),
    left="{total} 篇论文中的 {count} 篇",
    unmet="没有论文符合{condition}。",
    never_together="每个条件都有论文符合，但没有论文同时符合所有条件。",
    ignored="已忽略，这里没有这个条件：{condition}。",
    condition="{field}“{value}”",
    found=dict.fromkeys((True, False), "标题或作者中有“{text}”的论文：{count} 篇"),
    near="内容相近",
    no_papers="列表中没有论文。",
    alike="与《{title}》相似",
    nothing_alike="没有其他论文可与之比较。",
    unknown_paper="没有编号为“{paper}”的论文。",
    back="全部论文",
    keywords="关键词：{keywords}",
    ask="就这篇论文提问",
    question="《{title}》讲了什么？",
    similar="相似论文",
    pages="页码",
    page="第 {page} / {pages} 页",
    previous="上一页",
    following="下一页",
    language="English",
    language_code="en",
)


def browse_texts_for(language: Language) -> BrowseTexts:
    return {"en": _EN, "zh": _ZH}[language]
