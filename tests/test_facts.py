"""Facts and counts from the records, in both languages, against the records themselves."""

import pytest
from answer_laws import check
from hypothesis import given
from hypothesis import strategies as st

from rag.engine import PaperQueryEngine
from rag.extractive.facts import describe, emptied_by, name_key, neutral, select
from rag.question.filters import Filters
from rag.records import Answer, Conversation, Paper
from rag.sources.seed import default_papers

SEED = {paper.id: paper for paper in default_papers()}
FUGATTO, TRON, UQDM, HEXGEN = "B2Fqu7Y2cd", "9WYMDgxDac", "CxXGvKRDnL", "Cs6MrbFuMq"
DIOTM, BARYCENTER, MASKED, GENRM = "CfZPzH7ftt", "CI5Cj0vktS", "CTC7CmirNr", "Ccwp4tFEtE"
WITH_CODE = {"D756s2YQ6b", UQDM, BARYCENTER, "BdmVgLMvaf", "BC4lIvfSzv", "ACSNlt77hq"}


def ask(engine: PaperQueryEngine, asked: str, *before: str) -> Answer:
    conversation = Conversation()
    for question in before:
        conversation = conversation.with_turn(engine.ask(question, conversation))
    return check(engine.ask(asked, conversation), engine.papers, conversation)


def listed(answer: Answer) -> set[str]:
    return {decision.paper.id for decision in answer.papers}


# --- one paper


@pytest.mark.parametrize(
    ("asked", "paper"),
    [
        ("Who wrote Fugatto?", FUGATTO),
        ("who are the authors of the paper about serving LLMs on mixed GPUs?", HEXGEN),
        ("authors of DIOTM?", DIOTM),
        ("Who came up with GenRM?", GENRM),
        ("who wrote the UQDM paper", UQDM),
        ("谁写了 HexGen-2？", HEXGEN),
        ("TRON 的作者有哪些？", TRON),
        ("图像压缩那篇论文的作者是谁？", UQDM),
    ],
)
def test_all_authors(seed_engine: PaperQueryEngine, asked: str, paper: str) -> None:
    answer = ask(seed_engine, asked)
    assert answer.kind == "metadata"
    assert not answer.abstained
    assert [citation.paper.id for citation in answer.citations] == [paper]
    assert all(author in answer.text for author in SEED[paper].authors)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Who is the first author of the HexGen-2 paper?", "YOUHE JIANG"),
        ("TRON 的第一作者是谁？", "Qingni Wang"),
        ("Who's the last author of PRISM?", "Jaejun Yoo"),
        ("PRISM 的最后一位作者是谁？", "Jaejun Yoo"),
        ("What track was TRON in?", "spotlight"),
        ("Was Fugatto an oral or a poster?", "poster"),
        ("Is the paper on spectral graph generation a poster?", "poster"),
        ("TRON 是什么类型的报告？", "spotlight"),
        ("Where and when was GRIT published?", "ICLR 2025"),
        ("GGSD 是哪一年发表的？", "2025"),
        ("PRISM 发表在哪个会议？", "ICLR"),
        ("Where can I read the SAE paper?", "https://openreview.net/forum?id=9ca9eHNrdH"),
        ("GenRM 论文的链接是什么？", "https://openreview.net/forum?id=Ccwp4tFEtE"),
        ("Where can I find the code of AtSpeed?", "https://github.com/Linxyhaha/AtSpeed"),
        ("AtSpeed 的代码在哪里？", "https://github.com/Linxyhaha/AtSpeed"),
        ("does DIOTM release code?", "no link to code"),
        (
            "What is the title of the paper on generating graphs from spectra?",
            "Generating Graphs via Spectral Diffusion",
        ),
    ],
)
def test_one_fact_of_one_paper(seed_engine: PaperQueryEngine, asked: str, said: str) -> None:
    answer = ask(seed_engine, asked)
    assert said in answer.text
    assert not answer.abstained
    assert len(answer.citations) == 1


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("How many authors does Fugatto have?", 16),
        ("number of authors of the AlgoPerf paper", 14),
        ("Fugatto 有几位作者？", 16),
        ("how many people wrote the UQDM paper?", 3),
    ],
)
def test_number_of_authors(seed_engine: PaperQueryEngine, asked: str, count: int) -> None:
    answer = ask(seed_engine, asked)
    assert answer.count == count
    assert str(count) in answer.text


def test_a_whole_abstract_is_quoted_sentence_by_sentence(seed_engine: PaperQueryEngine) -> None:
    answer = ask(seed_engine, "give me the abstract of GGSD")
    (citation,) = answer.citations
    quoted = " ".join(span.quote for span in citation.spans)
    assert quoted == SEED[citation.paper.id].abstract


@pytest.mark.parametrize(
    "asked",
    [
        'Who wrote "Attention is all you need"?',
        "who wrote the BERT paper?",
        "Where was AlphaFold published?",
        "link to the LoRA paper?",
        "is the code of BERT public?",
        "what track was the paper on quantum computing?",
        "who wrote the paper on protein folding?",
        "how many authors does ResNet have?",
        "who wrote Harry Potter?",
        "谁写了 BERT？",
        "蛋白质折叠那篇论文的作者是谁？",
    ],
)
def test_the_record_of_another_paper_is_not_taken_for_one_that_is_absent(
    seed_engine: PaperQueryEngine, asked: str
) -> None:
    answer = ask(seed_engine, asked)
    assert answer.abstained
    assert answer.count is None
    assert not answer.papers


def test_which_paper_is_asked_when_the_question_names_none(seed_engine: PaperQueryEngine) -> None:
    for asked in ("who wrote it?", "link?", "它的作者是谁？"):
        answer = ask(seed_engine, asked)
        assert answer.abstained
        assert not answer.citations


def test_what_no_record_holds(seed_engine: PaperQueryEngine) -> None:
    for asked in ("what is the email of the TRON authors?", "who reviewed TRON?", "TRON 被引用次数是多少？"):
        answer = ask(seed_engine, asked)
        assert answer.abstained
        assert [citation.paper.id for citation in answer.citations] == [TRON]


# --- lists and counts


@pytest.mark.parametrize(
    ("asked", "papers"),
    [
        ("Which papers are orals?", {UQDM}),
        ("which one was an oral?", {UQDM}),
        ("哪些论文是口头报告？", {UQDM}),
        ("how many spotlights are there?", {TRON}),
        ("有多少篇亮点论文？", {TRON}),
        ("list the orals and spotlights", {UQDM, TRON}),
        ("How many posters are there?", set(SEED) - {UQDM, TRON}),
        ("papers by Jaemoo Choi", {DIOTM, BARYCENTER}),
        ("papers by Choi, Jaemoo", {DIOTM, BARYCENTER}),
        ("papers by jaemoo choi", {DIOTM, BARYCENTER}),
        ("Which papers did Choi Jaemoo write?", {DIOTM, BARYCENTER}),
        ("JAEMOO CHOI's papers?", {DIOTM, BARYCENTER}),
        ("What has Yongxin Chen written?", {DIOTM, MASKED}),
        ("Yongxin Chen 写了哪些论文？", {DIOTM, MASKED}),
        ("papers by Joao Felipe Santos", {FUGATTO}),
        ("papers by João Felipe Santos", {FUGATTO}),
        ("papers by Florence d'Alche-Buc", {"CexatBp6rx"}),
        ("papers by youhe jiang", {HEXGEN}),
        ("papers by Jaewoong Choi and Yongxin Chen", {DIOTM}),
        ("papers by Jaewoong Choi or Yongxin Chen", {DIOTM, BARYCENTER, MASKED}),
        ("Who is Yoshua Bengio?", {"BdmVgLMvaf"}),
        ("which papers were published in 2025?", set(SEED)),
        ("papers since 2020", set(SEED)),
        ("2025 年发表的论文有哪些？", set(SEED)),
        ("Which ICLR papers are there?", set(SEED)),
        ("list all papers", set(SEED)),
        ("有哪些论文？", set(SEED)),
        ("which papers release code on GitHub?", WITH_CODE),
        ("哪些论文开源了代码？", WITH_CODE),
        ("Which papers do not release code?", set(SEED) - WITH_CODE),
        ("哪些论文没有公开代码？", set(SEED) - WITH_CODE),
        ("Which papers have more than 10 authors?", {FUGATTO, "CtM5xjRSfm"}),
        ("papers with exactly three authors", {p.id for p in SEED.values() if len(p.authors) == 3}),
        ("which papers have at most 4 authors?", {p.id for p in SEED.values() if len(p.authors) <= 4}),
        ("Which paper has the most authors?", {FUGATTO}),
        ("作者最多的论文是哪篇？", {FUGATTO}),
    ],
)
def test_lists_are_complete_and_exact(seed_engine: PaperQueryEngine, asked: str, papers: set[str]) -> None:
    answer = ask(seed_engine, asked)
    assert listed(answer) == papers
    assert answer.count == len(papers)
    assert answer.kind == "metadata"
    assert not answer.abstained


def test_a_long_list_is_told_short_and_held_whole(seed_engine: PaperQueryEngine) -> None:
    answer = ask(seed_engine, "list all papers")
    assert len(answer.papers) == 19
    assert answer.text.count("\n- ") == 19


@pytest.mark.parametrize(
    "asked",
    [
        "How many papers are in the list?",
        "what's the total number of papers?",
        "一共有几篇论文？",
        "how many papers do you know?",
    ],
)
def test_number_of_papers(seed_engine: PaperQueryEngine, asked: str) -> None:
    answer = ask(seed_engine, asked)
    assert answer.count == 19
    assert "19" in answer.text
    assert "1 oral" in answer.text


@pytest.mark.parametrize(
    "asked", ["Who has the most papers?", "Which author has the most papers here?", "谁的论文最多？"]
)
def test_who_wrote_most(seed_engine: PaperQueryEngine, asked: str) -> None:
    answer = ask(seed_engine, asked)
    assert answer.count == 2
    assert all(name in answer.text for name in ("Jaemoo Choi", "Jaewoong Choi", "Yongxin Chen"))
    assert listed(answer) == {DIOTM, BARYCENTER, MASKED}


def test_conditions_and_a_topic(seed_engine: PaperQueryEngine) -> None:
    answer = ask(seed_engine, "Which papers by Jaemoo Choi are about barycenters?")
    assert listed(answer) == {BARYCENTER}
    assert "Jaemoo Choi" in answer.text
    coded = ask(seed_engine, "Which optimal transport papers release code?")
    assert listed(coded) == {BARYCENTER}
    assert "optimal transport" in coded.text


@pytest.mark.parametrize(
    ("asked", "blamed", "innocent"),
    [
        ("Which papers are from 2019?", "2019", "oral"),
        ("which oral papers from 2019 are about graphs?", "2019", "oral"),
        ("Which papers by Geoffrey Hinton use diffusion?", "Geoffrey Hinton", "diffusion"),
        ("papers by Geoffrey Hinton", "Geoffrey Hinton", "19 posters"),
        ("Which NeurIPS papers are about LLMs?", "NeurIPS", "LLMs"),
        ("papers before 2020 on diffusion", "2019", "diffusion"),
        ("Which orals by Jaemoo Choi are there?", "an oral by Jaemoo Choi", "2019"),
        ("2019 年的论文有哪些？", "2019", "oral"),
        ("Geoffrey Hinton 写了哪些论文？", "Geoffrey Hinton", "oral"),
    ],
)
def test_an_empty_list_says_which_condition_emptied_it(
    seed_engine: PaperQueryEngine, asked: str, blamed: str, innocent: str
) -> None:
    answer = ask(seed_engine, asked)
    assert answer.abstained
    assert answer.count == 0
    assert blamed in answer.text
    assert innocent not in answer.text


# --- in a conversation


def test_of_the_papers_before(seed_engine: PaperQueryEngine) -> None:
    asked = "which papers use optimal transport?"
    code = ask(seed_engine, "which of them release code?", asked)
    assert (listed(code), code.count) == ({BARYCENTER}, 1)
    assert "2 papers" in code.text
    zh = ask(seed_engine, "其中哪些开源了代码？", "哪些论文研究最优传输？")
    assert listed(zh) == {BARYCENTER}
    none = ask(seed_engine, "which of them are orals?", asked)
    assert (none.count, none.abstained) == (0, True)
    both = ask(seed_engine, "who wrote them?", asked)
    assert {citation.paper.id for citation in both.citations} == {DIOTM, BARYCENTER}
    assert "Milena Gazdieva" in both.text
    assert "Yongxin Chen" in both.text


def test_pronouns_ordinals_and_ellipses(seed_engine: PaperQueryEngine) -> None:
    assert "Qingni Wang" in ask(seed_engine, "who wrote it?", "What is TRON about?").text
    assert "spotlight" in ask(seed_engine, "is it an oral?", "What is TRON about?").text
    pair = "which papers use optimal transport?"
    assert "Milena Gazdieva" in ask(seed_engine, "who is the first author of the second one?", pair).text
    assert "YOUHE JIANG" in ask(seed_engine, "and HexGen-2?", "who wrote PRISM?").text
    assert "Giorgia Minello" in ask(seed_engine, "后者的作者是谁？", "GNN-Diff 和 GGSD 有什么区别？").text
    others = ask(seed_engine, "what other papers did they write?", "who wrote DIOTM?")
    assert listed(others) == {DIOTM, BARYCENTER, MASKED}


# --- laws

NAMES = st.lists(
    st.sampled_from("Ada Lovelace José Müller Łukasz 王 Noether O'Neil d'Alché-Buc".split()),
    min_size=1,
    max_size=4,
)


@given(NAMES, st.randoms())
def test_a_name_is_its_words_in_any_order_and_case(words: list[str], random: object) -> None:
    shuffled = list(words)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert name_key(" ".join(words)) == name_key(" ".join(shuffled))
    assert name_key(" ".join(words).upper()) == name_key(", ".join(words))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("João", "joao"),
        ("Müller, Jörg", "Jorg Muller"),
        ("Łukasz", "lukasz"),
        ("Søren", "Soren"),
        ("d'Alché-Buc", "D ALCHE BUC"),
    ],
)
def test_accents_do_not_part_names(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


RECORDS = st.builds(
    Paper,
    id=st.uuids().map(str),
    title=st.just("A title"),
    abstract=st.just("An abstract."),
    authors=st.lists(st.sampled_from(["Ada Lovelace", "Alan Turing"]), max_size=2, unique=True).map(tuple),
    venue=st.sampled_from([None, "ICLR", "NeurIPS Workshop"]),
    year=st.sampled_from([None, 2019, 2024]),
    track=st.sampled_from([None, "oral", "Poster"]),
)
FILTERS = st.builds(
    Filters,
    tracks=st.sampled_from([(), ("oral",), ("oral", "poster")]),
    years=st.sampled_from([(), (2024,), (2019, 2024)]),
    since=st.sampled_from([None, 2020]),
    until=st.sampled_from([None, 2020]),
    venues=st.sampled_from([(), ("neurips",)]),
    authors=st.sampled_from([(), ("lovelace",), ("turing", "lovelace")]),
    any_author=st.sampled_from([(), ("turing", "Nobody")]),
)


@given(st.lists(RECORDS, max_size=6), FILTERS)
def test_selection_is_the_meeting_of_each_condition(papers: list[Paper], filters: Filters) -> None:
    chosen = select(papers, filters)
    assert chosen == [paper for paper in papers if all(select([paper], one) for one in filters.apart())]
    assert select(papers, Filters()) == papers
    assert bool(describe(filters, "en")) == bool(describe(filters, "zh")) == bool(filters)
    if filters and not chosen:
        blamed = emptied_by(papers, filters)
        assert blamed
        assert not select(papers, blamed)


def test_text_like_a_mark_is_told_apart() -> None:
    assert neutral("as in [3] and [4, 5]") == "as in ［3］ and ［4, 5］"
    assert neutral("[a] [x3]") == "[a] [x3]"
