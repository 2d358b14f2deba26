"""Pictures of the real page over the shipped papers, for the README: `make screenshots`."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from browser import Reader, launched, served
from PIL import Image
from playwright.sync_api import Browser

from rag.assembly import open_engine
from rag.settings import Settings

DOCS = Path(__file__).parent.parent / "docs"
ENGLISH = ("Which papers use conformal prediction?", "How does HexGen-2 work?")
CHINESE = ("哪些论文使用了 conformal prediction？",)


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("No Chromium was found.")
    DOCS.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, launched(chromium) as browser:
        engine = open_engine(Settings.load(data_dir=Path(folder), use_llm=False), progress=True)
        with served(engine) as url:
            _take(browser, url, "page", questions=ENGLISH, scale=2)
            _take(browser, url, "page-start")
            _take(browser, url, "page-dark", questions=ENGLISH[:1], dark=True)
            _take(browser, url, "page-narrow", questions=ENGLISH[:1], width=360, height=780, scale=2)
            _take(browser, url, "page-chinese", questions=CHINESE, locale="zh-CN")
            _take_eval(browser, url)


def _take(
    browser: Browser, url: str, name: str, *, questions: tuple[str, ...] = (), **options: object
) -> None:
    """One picture: the questions answered and, on wide screens, the first source of the last one opened."""
    reader = Reader(browser, url, **options)  # type: ignore[arg-type]
    for question in questions:
        reader.ask(question)
    if questions and "width" not in options:
        reader.page.locator("#current a.cite").first.click()
        reader.page.mouse.move(5, 5)
    _save(reader, name)


def _take_eval(browser: Browser, url: str) -> None:
    """The Eval tab after a run of the shipped questions."""
    reader = Reader(browser, url, height=1350, scale=2)
    reader.page.click("#eval-tab-button")
    reader.page.click("#eval-run")
    reader.page.wait_for_selector("#eval-headline h2", timeout=300_000)
    reader.page.mouse.move(5, 5)
    _save(reader, "page-eval")


def _save(reader: Reader, name: str) -> None:
    reader.page.evaluate("document.activeElement.blur()")
    reader.page.wait_for_timeout(300)
    file = DOCS / f"{name}.png"
    reader.page.screenshot(path=file)
    reader.leave()
    Image.open(file).convert("RGB").quantize(256).save(file, optimize=True)  # a third of the size, same looks
    print(file)


if __name__ == "__main__":
    main()
