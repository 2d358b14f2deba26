"""Fixed sentences: numbers and numerus, both languages, and what a list of a single paper says."""

import re
from collections.abc import Iterator
from string import Formatter

import pytest
from short_papers import local_embedding

from rag.engine import PaperQueryEngine
from rag.index.paper_index import PaperIndex
from rag.phrases import _PHRASES, say
from rag.question.filters import Filters
from rag.records import Reading
from rag.sources.seed import default_papers

TRON = next(paper for paper in default_papers() if paper.id == "9WYMDgxDac")


@pytest.fixture(scope="module")
def engine_of_one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PaperQueryEngine]:
    with PaperIndex.open(tmp_path_factory.mktemp("one"), local_embedding()) as index:
        index.ingest(Reading((TRON,)), list_name="one")
        yield PaperQueryEngine(index)


@pytest.mark.parametrize(
    ("language", "key", "values", "said"),
    [
        ("en", "paper_count", {"n": 3703, "detail": ""}, "The list holds 3,703 papers."),
        ("zh", "paper_count", {"n": 3703, "detail": ""}, "这个列表共有 3,703 篇论文。"),
        ("en", "paper_count", {"n": 1, "detail": ""}, "The list holds 1 paper."),
        ("en", "not_found", {"n": 1}, "Not in this one abstract."),
        ("en", "not_found", {"n": 2}, "Not in these 2 abstracts."),
        ("en", "team_bounds", {"n": 9, "yes": 0, "what": "one"}, "None of the 9 papers has one."),
        ("en", "team_bounds", {"n": 9, "yes": 1, "what": "one"}, "1 of the 9 papers has one."),
        ("en", "team_bounds", {"n": 9000, "yes": 1200, "what": "it"}, "1,200 of the 9,000 papers have it."),
        ("en", "team_bounds", {"n": 1, "yes": 0, "what": "one"}, "The one paper does not have one."),
        ("zh", "team_bounds", {"n": 9, "yes": 0, "what": "它"}, "9 篇论文中没有一篇有它。"),
        ("en", "seen_abstract", {"count": 1}, "once in the abstract"),
        ("en", "seen_abstract", {"count": 3}, "3 times in the abstract"),
    ],
)
def test_numbers_are_said_as_people_say_them(
    language: str, key: str, values: dict[str, object], said: str
) -> None:
    assert say("zh" if language == "zh" else "en", key, **values) == said


@pytest.mark.parametrize("key", _PHRASES)
def test_both_languages_and_the_phrase_for_one_paper_are_filled_with_the_same_values(key: str) -> None:
    def fields(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    english, chinese = map(fields, _PHRASES[key])
    only_english = {"a"}  # an article
    only_chinese = {"neg"}  # English says "no code"
    assert english - chinese <= only_english
    assert chinese - english <= only_chinese
    if key.endswith("_of_one"):
        several = set().union(*map(fields, _PHRASES[key.removesuffix("_of_one")]))
        assert english | chinese <= several


QUESTIONS = """
hello | which papers use conformal prediction? | which papers study quantum gravity?
how many papers are there? | which papers are not about conformal prediction?
which papers are not about quantum gravity?
who has the most papers? | which authors have more than one paper? | which papers release code?
which papers release no code? | papers with more than 10 authors | papers with one author
which paper has the most authors? | which papers are orals? | which spotlights use conformal prediction?
papers by Qingni Wang | papers by Ada Lovelace | who wrote the ResNet paper? | what's the weather?
does TRON use ImageNet? | papers from 1999 | are there any papers on quantum gravity?
""".replace("\n", "|").strip(" |")


@pytest.mark.parametrize("question", [asked.strip() for asked in QUESTIONS.split("|")])
def test_a_list_of_one_paper_is_not_spoken_of_as_many(engine_of_one: PaperQueryEngine, question: str) -> None:
    text = engine_of_one.ask(question).text
    assert not re.search(r"\b(?:the|these|of|all) 1 \w+|\b1 (?:papers|abstracts|authors)\b", text, re.I), text


def test_filters_that_no_paper_meets_are_named(engine_of_one: PaperQueryEngine) -> None:
    answer = engine_of_one.ask("which papers use conformal prediction?", within=Filters(years=(1999,)))
    assert answer.text == "No paper here is from 1999 (the list holds one)."


def test_reasons_of_a_list_are_in_the_language_of_the_question(seed_engine: PaperQueryEngine) -> None:
    english = seed_engine.ask("which papers use conformal prediction?").papers[0]
    chinese = seed_engine.ask("哪些论文用了共形预测？").papers[0]
    assert english.paper == chinese.paper
    assert english.reason == "“conformal prediction” once in the abstract, its acronym once"
    assert chinese.reason == "“conformal prediction”在摘要中出现 1 次，其缩写出现 1 次"
