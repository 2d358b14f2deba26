"""Chinese questions reach English papers: form of the table, laws of the segmentation, measured coverage."""

import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.question.glossary import Translation, is_chinese, translate

ROOT = Path(__file__).parents[1]
ROWS = [
    line.split("\t") for line in (ROOT / "rag/data/glossary.tsv").read_text(encoding="utf-8").splitlines()
]
TERMS = {term: english.split("|") for term, english in ROWS if english}
FRAME = [term for term, english in ROWS if not english]
TRADITIONAL = dict(
    line.split("\t") for line in (ROOT / "rag/data/traditional.tsv").read_text(encoding="utf-8").splitlines()
)
LATIN_WORD = st.from_regex(r"[A-Za-z][A-Za-z0-9+-]{0,9}", fullmatch=True)


def coverage(questions: Iterable[str]) -> tuple[int, int]:
    """Characters of topic words: known to the glossary, and in all."""
    translations = [translate(question) for question in questions]
    known = sum(len(term) for translation in translations for term, _ in translation.terms)
    return known, known + sum(len(run) for translation in translations for run in translation.unmatched)


def read_jsonl(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# The table


def test_table_is_sorted_and_unique() -> None:
    terms = [term for term, _ in ROWS]
    assert terms == sorted(set(terms))


def test_table_is_broad() -> None:
    assert len(TERMS) >= 2500


def test_every_term_can_be_met() -> None:
    """A term in another form than the normalised text's would never match."""
    for term, _ in ROWS:
        assert term == unicodedata.normalize("NFKC", term).lower()
        assert not any(sign.isspace() or sign in TRADITIONAL for sign in term)


def test_translations_are_clean_english() -> None:
    for term, english in TERMS.items():
        assert len(set(english)) == len(english), term
        assert all(word and word == " ".join(word.split()) for word in english), term
        assert not any("\u3400" <= sign <= "\u9fff" for word in english for sign in word), term


def test_every_term_alone_is_one_piece_with_its_best_translation() -> None:
    for term, english in TERMS.items():
        assert translate(term) == Translation(english[0], (), ((term, tuple(english)),))


def test_frame_words_vanish() -> None:
    assert all(translate(word) == Translation("") for word in FRAME)


def test_traditional_characters_are_read_like_simplified_ones() -> None:
    traditional = str.maketrans({simplified: sign for sign, simplified in TRADITIONAL.items()})
    for term, english in TERMS.items():
        assert translate(term.translate(traditional)).text == english[0], term


# Laws


@given(st.text())
def test_translating_never_raises(text: str) -> None:
    translation = translate(text)
    assert translation.text == " ".join(translation.text.split())
    is_chinese(text)


@given(st.text(st.characters(max_codepoint=0x2DFF)))
def test_text_without_chinese_passes_through(text: str) -> None:
    plain = unicodedata.normalize("NFKC", text)
    assert translate(text) == Translation(" ".join(plain.split()))
    assert not is_chinese(text)


@given(st.lists(st.tuples(LATIN_WORD, st.sampled_from(FRAME)), min_size=1))
def test_latin_words_among_chinese_stay_in_place(pairs: list[tuple[str, str]]) -> None:
    question = "".join(f"{word}{frame} " for word, frame in pairs)
    assert translate(question).text.split() == [word for word, _ in pairs]


@given(st.lists(st.sampled_from([*TERMS, *FRAME]), min_size=1, max_size=6))
def test_known_words_in_a_row_leave_nothing_unknown(words: list[str]) -> None:
    """The cut with the fewest unknown characters is found, in no more pieces than it was made of."""
    translation = translate("".join(words))
    assert translation.unmatched == ()
    assert len(translation.terms) <= len(words)


@given(st.sampled_from(sorted(TERMS)), st.sampled_from("饕餮鳜鲥鹧鸪"))
def test_unknown_characters_are_reported(term: str, unknown: str) -> None:
    translation = translate(f"{term}，{unknown}{unknown}")
    assert translation.unmatched == (unknown * 2,)
    assert translation.text == TERMS[term][0]


# Examples


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("哪些论文研究了图神经网络的过平滑？", "graph neural network oversmoothing"),
        ("有沒有關於聯邦學習的論文？", "federated learning"),
        ("视觉-语言-动作模型", "vision-language-action model"),
        ("ＫＶ 缓存的 压缩", "KV cache compression"),
        ("哪些工作用 conformal prediction 做 time series？", "conformal prediction time series"),
        ("除了 LoRA，还有哪些参数高效微调方法？", "besides LoRA, parameter-efficient fine-tuning method"),
        ("扩散模型或流匹配，但不是图像生成", "diffusion model or flow matching, but not image generation"),
        ("70亿参数的模型，10万小时音频", "7B parameter model, 100000 hours audio"),
        ("（如 GPT-4）和“思维链”", "GPT-4 and chain-of-thought"),
        ("O(n) 复杂度的注意力", "O(n) complexity attention"),
    ],
)
def test_questions_in_english_words(chinese: str, english: str) -> None:
    assert translate(chinese).text == english


@pytest.mark.parametrize(
    "question",
    [
        "哪些论文使用了 conformal prediction？",
        "哪些论文引用了 Attention is all you need？",
        "有哪些 diffusion model for audio generation 的論文",
        "LoRA QLoRA DoRA 比较",
        "知识蒸馏",
    ],
)
def test_asked_in_chinese(question: str) -> None:
    assert is_chinese(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which papers study 知识蒸馏?",
        'What does "有没有" mean?',
        "List papers on 图神经网络 and oversmoothing",
        "Which papers use diffusion?",
        "どの論文が拡散モデルを使っていますか",
        "",
    ],
)
def test_not_asked_in_chinese(question: str) -> None:
    assert not is_chinese(question)


# Coverage: shares of topic characters that the glossary knows. Run with -s to see them.


def test_coverage_of_the_twins() -> None:
    twins = read_jsonl(ROOT / "eval/questions/twins.jsonl")
    assert len(twins) >= 24
    assert all(is_chinese(twin["zh"]) and not is_chinese(twin["en"]) for twin in twins)
    known, topic = coverage(twin["zh"] for twin in twins)
    print(f"twins: {known} of {topic} topic characters known")
    assert known / topic >= 0.9


def test_coverage_of_the_question_set() -> None:
    cases = read_jsonl(ROOT / "eval/questions/dev.jsonl")
    known, topic = coverage(case["question"] for case in cases if case["lang"] == "zh" and "question" in case)
    print(f"dev: {known} of {topic} topic characters known")
    assert known / topic >= 0.9


def test_coverage_of_questions_over_other_papers(bench_data: Path) -> None:
    cases = read_jsonl(bench_data / "questions/iclr2025_dev.jsonl")
    chinese = [
        turn for case in cases if case["lang"] == "zh" for turn in case.get("turns") or [case["question"]]
    ]
    known, topic = coverage(chinese)
    print(f"iclr2025_dev: {known} of {topic} topic characters known")
    assert known / topic >= 0.85
