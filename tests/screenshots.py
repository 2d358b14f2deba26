"""Pictures of every tab of the real page over the shipped papers, on a desk and a phone, dark and in Chinese.

`make screenshots` puts them into docs/, where the README shows two; the script takes another folder.
"""

import shutil
import sys
from dataclasses import dataclass
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
LIST = ("Which papers are about language models?",)
CHINESE = ("哪些论文使用了 conformal prediction？",)
NARROW: Any = {"width": 360, "height": 780}


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("No Chromium was found.")
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS
    pictures.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, launched(chromium) as browser:
        engine = open_engine(Settings.load(data_dir=Path(folder), use_llm=False), progress=True)
        with served(engine) as url:
            camera = Camera(browser, url, pictures)
            camera.chat("page", *ENGLISH, scale=2)
            camera.chat("page-start")
            camera.chat("page-list", *LIST)
            camera.chat("page-dark", *ENGLISH[:1], dark=True)
            camera.chat("page-narrow", *ENGLISH[:1], scale=2, **NARROW)
            camera.chat("page-chinese", *CHINESE, locale="zh-CN")
            camera.tab("papers", "track=poster&q=diffusion", ready="#browse-results .records")
            camera.tab("eval", run="#eval-run", ready="#eval-headline h2", height=1350)


@dataclass(frozen=True, slots=True)
class Camera:
    """Takes pictures of the page at `url` into a folder."""

    browser: Browser
    url: str
    folder: Path

    def chat(self, name: str, *questions: str, **options: Any) -> None:
        """The questions answered and, on wide screens, the first source of the last one opened."""
        reader = Reader(self.browser, self.url, **options)
        for question in questions:
            reader.ask(question)
        if questions and "width" not in options:
            reader.page.locator("#current a.cite").first.click()
        self._take(reader, name)
        reader.leave()

    def tab(self, tab: str, view: str = "", *, ready: str, run: str = "", height: int = 900) -> None:
        """Four pictures of another tab, once what it shows is `ready`; `run` is clicked once for that.

        `view` is what the page's address asks for beside the tab.
        """
        reader = Reader(self.browser, f"{self.url}/?tab={tab}&{view}", height=height, scale=2)
        page = reader.page
        if run:
            page.click(run)
        page.wait_for_selector(ready, timeout=600_000)
        self._take(reader, f"page-{tab}")
        page.evaluate("document.body.classList.add('dark')")
        self._take(reader, f"page-{tab}-dark")
        page.evaluate("document.body.classList.remove('dark')")
        for language, name in (("zh-CN", f"page-{tab}-chinese"), ("en", f"page-{tab}-narrow")):
            page.click("#language button")
            page.wait_for_function("(tag) => document.documentElement.lang === tag", arg=language)
            if language == "en":
                page.set_viewport_size(NARROW)
            self._take(reader, name)
        reader.leave()

    def _take(self, reader: Reader, name: str) -> None:
        reader.page.mouse.move(5, 5)
        reader.page.evaluate("document.activeElement.blur()")
        reader.page.wait_for_timeout(500)
        file = self.folder / f"{name}.png"
        reader.page.screenshot(path=file)
        Image.open(file).convert("RGB").quantize(256).save(file, optimize=True)  # a third of the size
        print(file)


if __name__ == "__main__":
    main()
