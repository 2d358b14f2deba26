"""What drives the page in a real Chromium: the browser, the page on a free port, one reader of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request, sync_playwright

from rag.engine import AnswerEngine
from ui.address import bind
from ui.page import build_page
from ui.serving import serving

LOOPBACK = {"127.0.0.1", "localhost", "::1", ""}
_ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()


@contextmanager
def launched(chromium: str) -> Iterator[Browser]:
    """The Chromium at this path."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def served(engine: AnswerEngine, **options: Any) -> Iterator[str]:
    """The page of an engine on a free port; `options` are those of `build_page`."""
    with bind("127.0.0.1", 0) as bound, serving(build_page(engine, **options), bound) as url:
        yield url


class Reader:
    """Someone reading the page in a browser of their own; keeps what the page asked for and said aloud."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        width: int = 1440,
        height: int = 900,
        locale: str = "en-US",
        dark: bool = False,
        scale: float = 1,
    ) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            device_scale_factor=scale,
        )
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        self.page: Page = self.context.new_page()
        self.context.on("request", self._requested)
        self.page.on("dialog", self._dialog)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(url)
        self.page.wait_for_selector("#lead p", state="attached")  # hidden where the address opens another tab
        self.turns = 0

    def write(self, question: str) -> None:
        """Ask, without waiting for the answer."""
        self.page.fill("#question textarea", question)
        self.page.press("#question textarea", "Enter")
        self.page.wait_for_selector(f"#turn-{self.turns}")
        self.turns += 1

    def ask(self, question: str) -> str:
        """Ask, wait for the end of the answer, and return the text of the turn."""
        self.write(question)
        turn = f"#turn-{self.turns - 1}"
        self.page.wait_for_selector(f"{turn}.answered, {turn}.failed")
        return self.page.inner_text(turn)

    @property
    def foreign(self) -> list[str]:
        """What was asked for from anywhere but this machine."""
        return [url for url in self.requests if (urlsplit(url).hostname or "") not in LOOPBACK]

    def leave(self) -> None:
        self.context.close()

    def _requested(self, request: Request) -> None:
        self.requests.append(request.url)

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


Opens = Callable[..., Any]
"""Opens the page at the `query` of an address, `at` another one, with the options of `Reader`."""


@contextmanager
def readers(browser: Browser, address: str, kind: type[Reader] = Reader) -> Iterator[Opens]:
    """What opens the page. Whatever is done there, nothing may run, break or leave this machine."""
    opened: list[Reader] = []

    def read(query: str = "", at: str = address, **options: Any) -> Reader:
        opened.append(kind(browser, f"{at}/?{query}" if query else at, **options))
        return opened[-1]

    yield read
    for reader in opened:
        reader.leave()
        assert (reader.foreign, reader.dialogs, reader.errors) == ([], [], [])
