"""`python -m ui`: opens the index and serves the chat page until Ctrl-C.

Exit codes: 0 ended by Ctrl-C, 1 the work failed (a port in use), 2 bad usage, 130 interrupted before the page
was there. Whatever fails says so in one line on stderr.
"""

import ipaddress
import logging
import os
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.exceptions import TyperException

from rag.errors import RagError, UsageError
from ui.address import bind

# What is slow to import waits until the address is known to be free.
if TYPE_CHECKING:
    from rag.engine import AnswerEngine
    from rag.settings import Settings

_INTERRUPTED = 130  # 128 + SIGINT, as shells count
_FOREVER = 3_600  # seconds a sleep lasts; it is repeated until Ctrl-C

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def ui(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")
    ] = 7860,
    data_dir: Annotated[
        Path | None, typer.Option(help="The index; else RAG_DATA_DIR, else the user data folder.")
    ] = None,
) -> None:
    """Serve the chat page until Ctrl-C."""
    with bind(host, port) as bound:
        from rag.settings import Settings

        settings = Settings.load(data_dir=data_dir)
        from rag.assembly import open_engine

        _serve(open_engine(settings, progress=True), settings, bound)


def _serve(engine: "AnswerEngine", settings: "Settings", bound: socket.socket) -> None:
    from ui.page import build_page
    from ui.serving import serving

    endpoint = _embedding_endpoint(settings)
    page = build_page(
        engine,
        embedding_endpoint=endpoint,
        vector_store=settings.chroma_url,
        data_dir=settings.data_dir,
    )
    with serving(page, bound) as url:
        typer.echo(f"Open {url} in a browser. Ctrl-C ends it.")
        if model := engine.chat_model:
            typer.echo(
                f"Questions, earlier turns and the abstracts shown to the model ({model.name}) are sent to "
                f"{model.endpoint} while the page's switch is on."
            )
        if endpoint:
            typer.echo(f"Questions are sent to {endpoint}, which turns them into vectors.")
        if not ipaddress.ip_address(bound.getsockname()[0]).is_loopback:
            typer.echo("Anyone who can reach this machine can open the page: it has no password.", err=True)
        with suppress(KeyboardInterrupt):
            while True:
                time.sleep(_FOREVER)


def _embedding_endpoint(settings: "Settings") -> str | None:
    """Where questions are turned into vectors, None where that happens on this machine."""
    if not settings.embedding.startswith("openai:"):
        return None
    from rag.settings import public_address
    from rag.writing.endpoint import OPENAI_URL

    return public_address(settings.openai_base_url or OPENAI_URL)


def _fail(message: str, exit_code: int) -> int:
    typer.echo(" ".join(message.split()), err=True)
    return exit_code


def main() -> int:
    """Run the command and return the exit code; an error becomes one line on stderr."""
    warnings = logging.StreamHandler()
    warnings.setLevel(logging.WARNING)  # a library may have set its own logger lower
    logging.basicConfig(format="%(message)s", handlers=[warnings])
    try:
        return int(app(standalone_mode=False, prog_name="python -m ui") or 0)
    except RagError as error:
        return _fail(str(error), error.exit_code)
    except TyperException as error:
        return _fail(f"{error.format_message().rstrip('.')}. See python -m ui --help.", UsageError.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    except Exception as error:
        if os.environ.get("RAG_DEBUG"):
            raise
        return _fail(f"Unexpected failure ({type(error).__name__}). Set RAG_DEBUG=1 to see where.", 1)


if __name__ == "__main__":
    sys.exit(main())
