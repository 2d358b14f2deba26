"""Serves the page from a thread, on a socket that is bound already."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from urllib.parse import parse_qsl, urlencode

import gradio as gr
import uvicorn
from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from rag.errors import WorkError
from ui.address import url
from ui.page import launch_options

# What Gradio would take for its own in the page's address: other pages and views that are not there.
_GRADIOS = {"page", "view", "deep_link", "write_token"}
_GOODBYE = 1  # seconds that the open streams of browsers get when the server ends


@contextmanager
def serving(page: gr.Blocks, bound: socket.socket) -> Iterator[str]:
    """Serves while the context lasts; yields the URL once the page answers there.

    Not `page.launch()`: that looks for its own port, and asks itself through a proxy where one is configured.
    """
    outer = FastAPI(openapi_url=None)
    outer.add_middleware(_OwnNames)
    app = gr.mount_gradio_app(outer, page, path="/", **launch_options())
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=_GOODBYE))
    thread = Thread(target=server.run, kwargs={"sockets": [bound]}, name="page")
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise WorkError("The page could not be started.")
            time.sleep(0.01)
        yield url(bound)
    finally:
        server.should_exit = True
        thread.join()


class _OwnNames:
    """Leads an address with one of Gradio's names in it to the same without; `page` alone would be an error.

    Plain ASGI: a middleware of Starlette's would keep from Gradio that a reader has left.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/":
            asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
            kept = [pair for pair in asked if pair[0] not in _GRADIOS]
            if kept != asked:
                await RedirectResponse(f"/?{urlencode(kept)}" if kept else "/")(scope, receive, send)
                return
        await self._app(scope, receive, send)
