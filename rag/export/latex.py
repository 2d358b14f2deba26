"""Text of records as LaTeX that prints it as it reads: nothing in a record is a command, but for formulas.

Letters stay as they are (UTF-8). A formula `$...$` is kept where it can do no harm: its braces are balanced,
for TeX and for BibTeX, which counts escaped ones too, and each command in it is a known one of mathematics.
"""

import re

from latex2mathml.symbols_parser import convert_symbol

from rag.patterns import lazy_pattern

_SIGNS = str.maketrans(
    {
        "\\": r"{\textbackslash}",
        "{": r"{\textbraceleft}",
        "}": r"{\textbraceright}",
        "~": r"{\textasciitilde}",
        "^": r"{\textasciicircum}",
        "<": r"{\textless}",
        ">": r"{\textgreater}",
        "|": r"{\textbar}",
        **{sign: f"\\{sign}" for sign in "#$%&_"},
    }
)
_FORMULA = lazy_pattern(
    r"""
      \$\$ (?=[^\s$]) [^$]{1,300}? (?<=[^\s\\]) \$\$
    | (?<!\\) \$ (?=[^\s$]) [^$]{0,299} (?<=[^\s\\]) \$ (?!\d)
    """,
    re.VERBOSE,
)
_COMMAND = lazy_pattern(r"\\(?:[A-Za-z]+|.|$)")
# Commands of mathematics that are no symbol of their own. None reads a file, defines or names something.
_STRUCTURES = frozenset(
    rf"\{name}"
    for name in """frac dfrac tfrac sqrt text textbf textit textrm textsf textsc texttt mathbb mathbf mathcal
    mathfrak mathit mathrm mathscr mathsf mathtt operatorname boldsymbol bm bf it rm sf tt left right big Big
    bigl bigr Bigl Bigr overline underline widehat widetilde hat tilde bar vec dot ddot overset underset
    stackrel substack binom limits nolimits displaystyle textstyle quad qquad
    arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log
    max min Pr sec sin sinh sup tan tanh""".split()
) | {r"\{", r"\}", r"\,", r"\;", r"\:", r"\!", r"\|", r"\ ", r"\_", r"\%", r"\#", r"\&"}
_UNESCAPED_SIGN = lazy_pattern(r"(?<!\\)((?:\\\\)*)([%#&])")


def latex(text: str) -> str:
    """A line of text as LaTeX, with braces that are balanced for BibTeX."""
    return "".join(_formula(piece) if is_formula else _plain(piece) for is_formula, piece in _pieces(text))


def latex_title(title: str) -> str:
    """As `latex`, with the words in braces whose capitals BibTeX's styles would otherwise make small."""
    pieces = list(_pieces(title))
    prose = " ".join(piece for is_formula, piece in pieces if not is_formula)
    shouted = len(prose.split()) > 3 and prose.upper() == prose
    in_sentence_case = not shouted and _is_sentence_case(prose)
    written, follows_stop = [], True
    for is_formula, piece in pieces:
        if is_formula:
            written.append(_formula(piece))
            follows_stop = False
            continue
        for word in re.split(r"(\s+)", piece):
            protect = not shouted and (
                _has_fixed_capitals(word) or (in_sentence_case and not follows_stop and word[:1].isupper())
            )
            written.append(_protected(word) if protect else _plain(word))
            if word.strip():
                follows_stop = word.endswith((":", "?", "!", ".", "-", "–", "—"))
    return "".join(written)


def _pieces(text: str) -> list[tuple[bool, str]]:
    """The text in order, cut into formulas (True) and what stands between them."""
    pieces, position = [], 0
    for found in _FORMULA.finditer(text):
        if _is_harmless(found.group()):
            pieces += [(False, text[position : found.start()]), (True, found.group())]
            position = found.end()
    return [*pieces, (False, text[position:])]


def _is_harmless(formula: str) -> bool:
    commands = _COMMAND.findall(formula)
    known = all(command in _STRUCTURES or _is_symbol(command) for command in commands)
    return known and "^^" not in formula and _balanced(formula) and _balanced(_COMMAND.sub("", formula))


def _is_symbol(command: str) -> bool:
    return command[1:].isalpha() and convert_symbol(command) is not None


def _balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _formula(formula: str) -> str:
    return "{" + _UNESCAPED_SIGN.sub(r"\1\\\2", formula) + "}"


def _plain(text: str) -> str:
    # "?`" and "!`" print as Spanish signs, "<<" and ">>" are no pair once they are commands
    return re.sub(r"([?!])`", r"\1{}`", text.translate(_SIGNS)).replace(",,", ",{},")


def _protected(word: str) -> str:
    """The word in braces, without the punctuation around it. A brace before a command would not protect."""
    inside = [index for index, char in enumerate(word) if char.isalnum()]
    start, end = inside[0], inside[-1] + 1
    return f"{_plain(word[:start])}{{{_plain(word[start:end])}}}{_plain(word[end:])}"


def _has_fixed_capitals(word: str) -> bool:
    """Whether a word has capitals that are no matter of style: LLMs, HexGen-2, 3D, K-means."""
    parts = re.findall(r"[^\W_]+", word)
    inner = any(char.isupper() for part in parts for char in part[1:])
    single = any(len(part) == 1 and part.isupper() for part in parts)
    return inner or (single and word.strip(".,:;()\"'“”‘’") != "A")


def _is_sentence_case(prose: str) -> bool:
    """Whether most words begin small, so that a capital inside the sentence marks a name."""
    words = re.findall(r"[^\W\d_]{4,}", prose)[1:]
    return len(words) > 1 and sum(word[0].islower() for word in words) * 2 > len(words)
