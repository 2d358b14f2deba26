"""Serves the page from a thread, on a socket that is bound already."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import gradio as gr
import uvicorn
from fastapi import FastAPI

from rag.errors import WorkError
from ui.address import url
from ui.page import launch_options

_GOODBYE = 1  # seconds that the open streams of browsers get when the server ends


@contextmanager
def serving(page: gr.Blocks, bound: socket.socket) -> Iterator[str]:
    """Serves while the context lasts; yields the URL once the page answers there.

    Not `page.launch()`: that looks for its own port, and asks itself through a proxy where one is configured.
    """
    app = gr.mount_gradio_app(FastAPI(openapi_url=None), page, path="/", **launch_options())
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
