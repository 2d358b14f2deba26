"""What a follow-up leans on: earlier papers, and words of the earlier question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.question.conversation import dangles, papers_before, resolve
from rag.question.ellipsis import complete
from rag.question.parsing import parse
from rag.records import Answer, Citation, Conversation, Decision, Paper

ALPHA = Paper("a", "Alpha: Sorting Orchards", "We introduce Alpha.", ("Ada Lovelace", "Mary Shelley"))
BETA = Paper("b", "Beta for Tides", "Beta computes tide tables.", ("Alan Turing",))
GAMMA = Paper("c", "On Gamma Bounds", "We prove a bound for Gamma.", ("Emmy Noether", "Ada Lovelace"))


def answer(question: str, *cited: Paper, listed: bool = False) -> Answer:
    citations = tuple(Citation(number, paper) for number, paper in enumerate(cited, 1))
    decisions = tuple(Decision(paper, "yes", paper.title, 1.0) for paper in cited) if listed else ()
    return Answer(
        question, "enumerate" if listed else "lookup", "en", "text", citations=citations, papers=decisions
    )


def conversation(*answers: Answer) -> Conversation:
    found = Conversation()
    for each in answers:
        found = found.with_turn(each)
    return found


ONE = conversation(answer("what is Alpha?", ALPHA))
LIST = conversation(answer("which papers are there on fruit?", ALPHA, BETA, GAMMA, listed=True))
PAIR = conversation(answer("compare Alpha and Beta", ALPHA, BETA))
THEN_ONE = PAIR.with_turn(answer("what does the former sort?", ALPHA))


def focus(asked: str, before: Conversation) -> str:
    """Ids of the papers the question leans on, in order."""
    return "".join(resolve(parse(asked), before).focus)


@pytest.mark.parametrize(
    "asked",
    [
        "how many datasets does it use?",
        "who wrote it?",
        "and what is the speed-up?",
        "what is its main idea?",
        "why does this work?",
        "is that an oral?",
        "which datasets?",
        "code?",
        "why?",
        "它用了什么数据集？",
        "该方法的优点是什么？",
        "这篇论文的作者是谁？",
        "那速度呢？",
        "为什么？",
    ],
)
def test_a_pronoun_or_a_tail_leans_on_the_paper_before(asked: str) -> None:
    assert focus(asked, ONE) == "a"
    assert ALPHA.title in resolve(parse(asked), ONE).query_str


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ("who wrote the first one?", "a"),
        ("what about the second paper?", "b"),
        ("explain the third one", "c"),
        ("how fast is the last one?", "c"),
        ("and the latter?", "c"),
        ("compare the first two", "ab"),
        ("tell me about the last two", "bc"),
        ("第一篇的作者是谁？", "a"),
        ("第二个方法怎么样？", "b"),
        ("最后一篇讲了什么？", "c"),
        ("前两篇有什么区别？", "ab"),
        ("which of those are orals?", "abc"),
        ("which are orals?", "abc"),
        ("which of them release code?", "abc"),
        ("how many of these use RL?", "abc"),
        ("其中哪些开源了代码？", "abc"),
        ("这些论文的作者是谁？", "abc"),
    ],
)
def test_ordinals_and_sets_point_into_the_list_before(asked: str, ids: str) -> None:
    assert focus(asked, LIST) == ids


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ("how does the former work?", "a"),
        ("and the latter?", "b"),
        ("前者用了什么？", "a"),
        ("后者的作者是谁？", "b"),
        ("who wrote it?", "a"),
    ],
)
def test_an_ordinal_still_means_the_pair_after_a_question_about_one_of_it(asked: str, ids: str) -> None:
    assert focus(asked, THEN_ONE) == ids


@pytest.mark.parametrize(
    "asked",
    [
        "Which papers use reinforcement learning?",
        "Which papers are about its application to fruit?",
        "How does HexGen-2 split prefill and decoding?",
        "What does TRON do with its two components?",
        "who wrote the SAE paper and when was it published?",
        "What is the first-hitting sampler good for in practice at all?",
        "list all papers",
        "who has the most papers?",
        "papers by Ada Lovelace",
        "哪些论文研究扩散模型？",
        "有哪些论文？",
        "HexGen-2 是怎么分配 GPU 资源的，又带来了什么好处？",
        "hello",
        "thanks!",
    ],
)
def test_a_complete_question_is_not_rewritten(asked: str) -> None:
    question = parse(asked)
    for before in (ONE, LIST):
        assert resolve(question, before) == question
        assert complete(asked, [turn.question for turn in before.turns]) == asked


def test_nothing_before_nothing_to_lean_on() -> None:
    for asked in ("who wrote it?", "and the second one?", "它呢？", "which of those?"):
        question = parse(asked)
        assert resolve(question, Conversation()) == question
        assert complete(asked, []) == asked


@pytest.mark.parametrize(
    ("asked", "dangling"),
    [
        ("which datasets does it use?", True),
        ("how does this method work?", True),
        ("它用了哪些数据集？", True),
        ("why is it hard to tune the hyperparameters of graph networks?", False),
        ("how does it compare with PRISM?", False),
        ("what is optimal transport?", False),
    ],
)
def test_it_must_have_been_named(asked: str, dangling: bool) -> None:
    assert dangles(parse(asked), Conversation()) is dangling
    assert not dangles(parse(asked), ONE)


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ("back to the first list: which are orals?", "abc"),
        ("of the earlier list, who wrote the second one?", "b"),
        ("最开始的列表里第三篇是什么？", "c"),
        ("who wrote the papers from before?", "ab"),
    ],
)
def test_earlier_lists_stay_within_reach(asked: str, ids: str) -> None:
    before = LIST.with_turn(answer("compare Alpha and Beta", ALPHA, BETA)).with_turn(answer("Alpha?", ALPHA))
    assert focus(asked, before) == ids


def test_a_follow_up_on_several_papers_is_searched_with_their_topic() -> None:
    question = resolve(parse("how fast is it?"), LIST)
    assert question.query_str == "how fast is it? fruit"
    assert question.searched == "how fast is it? (fruit)"
    one = resolve(parse("how fast is it?"), ONE)
    assert one.searched == "how fast is it? (Alpha)"
    assert resolve(parse("which papers use RL?"), LIST).searched == ""


def test_a_conversation_of_a_thousand_turns_goes_on() -> None:
    long = conversation(*(answer(f"and Alpha-{n}?", ALPHA, BETA) for n in range(1_000)))
    assert focus("who wrote the second one?", long) == "b"
    assert complete("and Beta?", ["who wrote Alpha?", *(["and Beta?"] * 2_000)]) == "who wrote Beta?"


def test_turns_without_papers_are_passed_over() -> None:
    greeted = ONE.with_turn(answer("thanks"))
    assert papers_before(greeted) == [ALPHA]
    assert focus("who wrote it?", greeted) == "a"
    assert papers_before(LIST, least=3) == [ALPHA, BETA, GAMMA]
    assert papers_before(ONE, least=2) == []


def test_only_papers_that_were_decided_yes_are_the_list() -> None:
    decisions = (Decision(ALPHA, "yes", "x", 1.0), Decision(BETA, "maybe", "x", 0.5))
    listed = Answer(
        "?", "enumerate", "en", "", citations=(Citation(1, ALPHA), Citation(2, BETA)), papers=decisions
    )
    assert papers_before(conversation(listed)) == [ALPHA]


def test_the_authors_of_the_paper_before() -> None:
    for asked in (
        "what other papers did they write?",
        "any other works by the same authors?",
        "他们还写了哪些论文？",
    ):
        question = resolve(parse(asked), ONE)
        assert (question.kind, question.asks) == ("metadata", "listing")
        assert question.filters.any_author == ("Ada Lovelace", "Mary Shelley")
        assert question.focus == ()
    first = resolve(parse("what else did the first author write?"), ONE)
    assert first.filters.any_author == ("Ada Lovelace",)


# --- a question that leaves words out


@pytest.mark.parametrize(
    ("earlier", "typed", "meant"),
    [
        (["who wrote PRISM?"], "and HexGen-2?", "who wrote HexGen-2?"),
        (["who wrote PRISM?"], "what about the SAE paper?", "who wrote the SAE paper?"),
        (["who wrote PRISM?", "and HexGen-2?"], "and TRON?", "who wrote TRON?"),
        (["who wrote the SAE paper?"], "and TRON?", "who wrote the TRON paper?"),
        (["what does the former generate?"], "and the latter?", "what does the latter generate?"),
        (["How many datasets does it use?"], "how about GNN-Diff?", "How many datasets does GNN-Diff use?"),
        (["which papers use diffusion?"], "and optimal transport?", "which papers use optimal transport?"),
        (["which papers use diffusion?"], "what about RL?", "which papers use RL?"),
        (["哪些论文研究扩散模型？"], "最优传输呢？", "哪些论文研究最优传输？"),
        (["PRISM 的作者是谁？"], "那 HexGen-2 呢？", "HexGen-2 的作者是谁？"),
        (["which papers use diffusion?"], "how many are there?", "which papers use diffusion?"),
        (["which papers use diffusion?"], "list them", "which papers use diffusion?"),
        (["哪些论文研究扩散模型？"], "有几篇？", "哪些论文研究扩散模型？"),
    ],
)
def test_words_left_out_come_from_the_question_before(earlier: list[str], typed: str, meant: str) -> None:
    assert " ".join(complete(typed, earlier).replace("？", "？ ").split()) == meant


@pytest.mark.parametrize(
    ("earlier", "typed"),
    [
        (["who wrote PRISM?"], "and how fast is it?"),
        (["How many datasets does PRISM use?"], "and the experiments?"),
        (["How many datasets does PRISM use?"], "and its code?"),
        (["compare PRISM and TRON"], "and HexGen-2?"),
        (["hello"], "and HexGen-2?"),
        (["who wrote PRISM?"], "how many are there?"),
        (["who wrote PRISM?"], "Which papers use diffusion?"),
        (["how do PRISM and TRON differ?"], "and GRIT?"),
    ],
)
def test_what_says_what_it_asks_is_left_alone(earlier: list[str], typed: str) -> None:
    assert complete(typed, earlier) == typed


@given(st.lists(st.text(max_size=40), max_size=4), st.text(max_size=60))
def test_any_conversation_can_go_on(earlier: list[str], typed: str) -> None:
    assert isinstance(complete(typed, earlier), str)
    before = conversation(*(answer(question, ALPHA, BETA) for question in earlier))
    question = parse(typed)
    resolved = resolve(question, before)
    assert set(resolved.focus) <= {"a", "b"}
    assert resolved.asked == question.asked
    assert resolved.query_str.startswith(question.query_str)
