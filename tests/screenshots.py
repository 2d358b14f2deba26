"""Pictures of every tab over the shipped papers, wide, dark, narrow and in Chinese: `make screenshots`."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from browser import Reader, launched, served
from PIL import Image
from playwright.sync_api import Browser

from rag.assembly import open_engine
from rag.settings import Settings

DOCS = Path(__file__).parent.parent / "docs"
ENGLISH = ("Which papers use conformal prediction?", "How does HexGen-2 work?")
LOOKS: dict[str, dict[str, Any]] = {
    "": {},
    "-dark": {"dark": True},
    "-narrow": {"width": 360, "height": 780, "scale": 2},
    "-chinese": {"locale": "zh-CN"},
}
CHINESE = ("哪些论文使用了 conformal prediction？",)


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("No Chromium was found.")
    DOCS.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, launched(chromium) as browser:
        engine = open_engine(Settings.load(data_dir=Path(folder), use_llm=False), progress=True)
        with served(engine) as url:
            _take_chat(browser, url)
            _take_papers(browser, url)
            _take_eval(browser, url)


def _take_chat(browser: Browser, url: str) -> None:
    """The chat with its questions answered and, where there is room, a source of the last one opened."""
    looks: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
        "page": (ENGLISH, {"scale": 2}),
        "page-start": ((), {}),
        "page-dark": (ENGLISH[:1], {"dark": True}),
        "page-narrow": (ENGLISH[:1], {"width": 360, "height": 780, "scale": 2}),
        "page-chinese": (CHINESE, {"locale": "zh-CN"}),
    }
    for name, (questions, options) in looks.items():
        reader = Reader(browser, url, **options)
        for question in questions:
            reader.ask(question)
        if questions and "width" not in options:
            reader.page.locator("#current a.cite").first.click()
        _save(reader, name)
        reader.leave()


def _take_papers(browser: Browser, url: str) -> None:
    """The Papers tab: a search within a filter, its first paper opened."""
    for look, options in LOOKS.items():
        reader = Reader(browser, f"{url}/?tab=papers&track=poster&q=diffusion", **options)
        reader.page.locator(".record summary").first.click()
        _save(reader, f"page-papers{look}")
        reader.leave()


def _take_eval(browser: Browser, url: str) -> None:
    """The Eval tab after one run of the shipped questions, seen in every way."""
    reader = Reader(browser, f"{url}/?tab=eval", height=1350, scale=2)
    reader.page.click("#eval-run")
    reader.page.wait_for_selector("#eval-headline h2", timeout=600_000)
    _save(reader, "page-eval")
    reader.page.emulate_media(color_scheme="dark")
    _save(reader, "page-eval-dark")
    reader.page.emulate_media(color_scheme="light")
    reader.page.click("[data-lang]")
    reader.page.wait_for_selector("#eval-tab-button:has-text('评测')")
    _save(reader, "page-eval-chinese")
    reader.page.set_viewport_size({"width": 360, "height": 780})
    reader.page.click("[data-lang]")
    reader.page.wait_for_selector("#eval-tab-button:has-text('Eval')")
    _save(reader, "page-eval-narrow")
    reader.leave()


def _save(reader: Reader, name: str) -> None:
    reader.page.evaluate("document.activeElement.blur()")
    reader.page.mouse.move(5, 5)
    reader.page.wait_for_timeout(500)
    file = DOCS / f"{name}.png"
    reader.page.screenshot(path=file)
    Image.open(file).convert("RGB").quantize(256).save(file, optimize=True)  # a third of the size, same looks
    print(file)


if __name__ == "__main__":
    main()
