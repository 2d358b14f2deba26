"""Records of papers as HTML: the list an index holds, and source cards with the quoted sentences marked."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice, pairwise
from urllib.parse import urlsplit

from rag.records import Answer, CitedSpan, Paper, Span
from rag.suspicion import reasons
from ui.atoms import as_highlighted
from ui.scholarly import atoms, language, markup, plain
from ui.texts import Texts

_LISTED = 40  # papers named before the first question
_NAMED = 8  # authors of a card


@dataclass(frozen=True, slots=True)
class _Quote:
    """A span of the answer in turn `turn`; `now` where that is the latest one."""

    turn: int
    span: CitedSpan
    now: bool

    @property
    def place(self) -> str:
        return f"{self.turn}-{self.span.sentence}"


def paper_list(papers: Sequence[Paper], texts: Texts) -> str:
    """The first papers of the index, by title."""
    rows = "".join(
        f'<li>{title(paper)}<p class="byline">{byline(paper, texts, authors=2)}</p></li>'
        for paper in islice(papers, _LISTED)
    )
    more = len(papers) - _LISTED
    rest = f'<p class="more">{escape(texts.more_papers.format(count=f"{more:,}"))}</p>' if more > 0 else ""
    return f"<h2>{escape(texts.papers_heading)}</h2><ul class='papers'>{rows}</ul>{rest}"


def source_cards(turns: Sequence[Answer | None], texts: Texts, *, tools: str = "") -> str:
    """A card for every paper the conversation cites: those of the last turn first, then the earlier ones.

    `turns` are the answers by turn, None where a turn has none; `tools` is HTML under the heading. Each card
    has the id `paper-NUMBER`.
    """
    quotes: dict[int, list[_Quote]] = {}
    cited: dict[int, Paper] = {}
    last = len(turns) - 1
    for turn, answer in enumerate(turns):
        for citation in answer.citations if answer else ():
            cited[citation.number] = citation.paper
            quotes.setdefault(citation.number, []).extend(
                _Quote(turn, span, now=turn == last) for span in citation.spans
            )
    latest = turns[last] if turns else None
    now = sorted({citation.number for citation in latest.citations} if latest else ())
    earlier = sorted(set(cited) - set(now))
    html = f"<h2>{escape(texts.sources_heading)}</h2>{tools}"
    html += "".join(_card(number, cited[number], quotes.get(number, []), texts) for number in now)
    html += "" if now else f'<p class="none">{escape(texts.no_sources)}</p>'
    if earlier:
        html += f"<h2>{escape(texts.earlier_heading)}</h2>"
        html += "".join(_card(number, cited[number], quotes.get(number, []), texts) for number in earlier)
    return html


def title(paper: Paper, *, link: bool = False, after: str = "") -> str:
    """The title as a paragraph, on demand a link to the record's page; `after` is HTML behind it."""
    shown = markup(paper.title)
    if link and (url := address(paper.url)):
        shown = opening_link(url, shown)
    return f'<p class="title" lang="{language(paper.title)}">{shown}{after}</p>'


def byline(paper: Paper, texts: Texts, *, authors: int) -> str:
    """The first `authors` authors, venue and year, track."""
    parts = [_authors(paper.authors, texts, authors), escape(paper.published), escape(paper.track or "")]
    return dotted(parts)


def dotted(parts: Iterable[str]) -> str:
    """Pieces of HTML on one line, the empty ones left out."""
    return "&nbsp;· ".join(part for part in parts if part)


def address(url: str | None) -> str | None:
    """The URL where it is a plain http(s) address, else None."""
    if not url or re.search(r"[\s\x00-\x1f\x7f]", url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.hostname else None


def opening_link(url: str, label: str) -> str:
    """A link that opens `url`, an `address`, in a new tab; `label` is HTML."""
    return f'<a href="{escape(url)}" target="_blank" rel="noopener noreferrer">{label}</a>'


def _authors(names: Sequence[str], texts: Texts, limit: int) -> str:
    shown = ", ".join(plain(name) for name in names[:limit])
    if len(names) <= limit:
        return escape(shown)
    more = texts.more_authors.format(count=len(names) - limit)
    everyone = ", ".join(plain(name) for name in names)
    return f'<span title="{escape(everyone)}">{escape(shown)} {escape(more)}</span>'


def _card(number: int, paper: Paper, quotes: Sequence[_Quote], texts: Texts) -> str:
    abstract = _marked(paper.abstract, quotes) or escape(texts.no_abstract)
    # What the abstract does not hold may be the title or another value of the record.
    values = (paper.title, paper.published, paper.track or "")
    rest = [quote for quote in quotes if not _find(paper.abstract, quote.span.quote)]
    title, published, track = (_marked(value, rest) for value in values)
    nowhere = [quote for quote in rest if not any(_find(value, quote.span.quote) for value in values)]
    lang = f' lang="{language(paper.title)}"'
    back = f'<a class="back" href="#current">{escape(texts.to_answer)}</a>'
    return (
        f'<article class="card" id="paper-{number}" tabindex="-1" aria-labelledby="title-{number}">'
        f'<h3><span class="number">{number}</span><span id="title-{number}"{lang}>{title}</span></h3>'
        f'<p class="authors">{_authors(paper.authors, texts, _NAMED)}</p>'
        f'<p class="meta">{dotted((published, track, record_link(paper, texts)))} {back}</p>'
        f'{warning(paper, texts)}<p class="abstract"{lang}>{abstract}</p>'
        f"{_remarks(quotes, nowhere, texts)}</article>"
    )


def abstract(paper: Paper, quote: str, texts: Texts) -> str:
    """The abstract with the words of `quote` marked, which may as well be the title's."""
    marked = _marked(paper.abstract, [_Quote(0, CitedSpan(0, quote), now=True)])
    return f'<p class="abstract" lang="{language(paper.title)}">{marked or escape(texts.no_abstract)}</p>'


def warning(paper: Paper, texts: Texts) -> str:
    """A line for a record that looks made to steer its readers; empty for nearly all papers."""
    found = "; ".join(texts.suspicions[reason] for reason in reasons(paper))
    said = escape(texts.suspicious.format(what=found))
    return f'<p class="remark suspicious" role="note">{said}</p>' if found else ""


def record_link(paper: Paper, texts: Texts) -> str:
    """The link to the record's page, named by its site."""
    url = address(paper.url)
    if not url:
        return ""
    site = (urlsplit(url).hostname or "").removeprefix("www.")
    label = texts.open_paper.format(site="OpenReview" if site == "openreview.net" else site)
    return opening_link(url, escape(label))


def _marked(text: str, quotes: Sequence[_Quote]) -> str:
    """The text with the quotes it holds highlighted."""
    return as_highlighted(atoms(text), _attributes(dict(_located(text, quotes))))


def _remarks(quotes: Sequence[_Quote], nowhere: Sequence[_Quote], texts: Texts) -> str:
    """Quotes that are nowhere in the record, and those that carry their sentence weakly or not at all."""
    lines: dict[str, None] = {}
    for quote in quotes:
        shown = texts.quotation.format(quote=markup(quote.span.quote)) if quote.span.quote else ""
        if quote.span.verdict != "supported":
            verdict = escape(texts.verdicts[quote.span.verdict])
            lines[f'<p class="remark {quote.span.verdict}"><b>{verdict}</b> {shown}</p>'] = None
        elif shown and quote in nowhere:
            lines[f'<p class="remark"><b>{escape(texts.quoted_elsewhere)}</b> {shown}</p>'] = None
    return "".join(lines)


def _located(text: str, quotes: Sequence[_Quote]) -> Iterator[tuple[Span, tuple[_Quote, ...]]]:
    """Disjoint spans of the text, in order, with the quotes that cover each."""
    found = [(span, quote) for quote in quotes if (span := _find(text, quote.span.quote))]
    edges = sorted({edge for span, _ in found for edge in (span.start, span.end)})
    for start, end in pairwise(edges):
        covering = tuple(quote for span, quote in found if span.start <= start and end <= span.end)
        if covering:
            yield Span(start, end), covering


def _find(text: str, quote: str) -> Span | None:
    """Where the quote stands, white space aside; not in the middle of a Latin word."""
    words = quote.split()
    if not words:
        return None
    before = r"(?<![A-Za-z0-9])" if re.match("[A-Za-z0-9]", words[0]) else ""
    after = r"(?![A-Za-z0-9])" if re.search("[A-Za-z0-9]$", words[-1]) else ""
    match = re.search(before + r"\s+".join(map(re.escape, words)) + after, text)
    return Span(*match.span()) if match else None


def _attributes(places: Mapping[Span, Iterable[_Quote]]) -> dict[Span, str]:
    def written(quotes: Iterable[_Quote]) -> str:
        places = " ".join(dict.fromkeys(quote.place for quote in quotes))
        verdicts = {quote.span.verdict for quote in quotes}
        worst = next(v for v in ("unsupported", "weak", "supported") if v in verdicts)
        age = "now" if any(quote.now for quote in quotes) else "then"
        return f'class="{age} {worst}" data-place="{places}"'

    return {span: written(quotes) for span, quotes in places.items()}
