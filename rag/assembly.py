"""The only module that knows every part: builds an index and an engine from Settings."""

from functools import partial

from rag.engine import ChatModel, PaperQueryEngine
from rag.index.embedding import open_embedding
from rag.index.paper_index import PaperIndex
from rag.records import Reading, Tokens
from rag.settings import Settings, public_address
from rag.sources.seed import default_papers
from rag.writing.spend import SpendLedger
from rag.writing.writer import open_writer

DEFAULT_LIST = "ICLR 2025"
"""Name of the list that an empty data folder is filled with."""


def open_index(settings: Settings, *, fill: bool = True, progress: bool = False) -> PaperIndex:
    """The index of `settings.data_dir`; with `fill`, an empty one gets the default papers first.

    Raises:
        ModelMismatch, IndexBroken, IndexLocked, StorageError, EmbeddingError: as PaperIndex.open and ingest.
    """
    embedding = open_embedding(settings, partial(_bill, settings))
    index = PaperIndex.open(settings.data_dir, embedding, settings.chroma_url, progress=progress)
    if fill and not index.papers:
        index.ingest(Reading(default_papers()), list_name=DEFAULT_LIST, progress=progress)
    return index


def open_engine(settings: Settings, *, progress: bool = False) -> PaperQueryEngine:
    """An engine over `settings.data_dir`; a key in the settings adds answers in a model's prose."""
    index = open_index(settings, progress=progress)
    ledger = SpendLedger(settings.data_dir, settings.daily_spend_usd)
    writers = {
        model: writer
        for each in settings.for_each_chat_model
        if (model := chat_model(each)) and (writer := open_writer(each, ledger))
    }
    first = next(iter(writers), None)
    return PaperQueryEngine(index, writers[first] if first else None, first, others=writers)


def _bill(settings: Settings, tokens: int) -> None:
    """Enter into the day's spending what a remote embedding model has read."""
    from rag.writing.endpoint import OPENAI_URL, price_usd

    model = settings.embedding.partition(":")[2]
    cost = price_usd(model, settings.openai_base_url or OPENAI_URL, Tokens(prompt=tokens))
    SpendLedger(settings.data_dir, settings.daily_spend_usd).add(cost or 0.0)


def chat_model(settings: Settings) -> ChatModel | None:
    """What answers are written by and where questions go; None where nothing leaves the machine."""
    if not settings.llm_enabled:
        return None
    from rag.writing.endpoint import OPENAI_URL

    return ChatModel(settings.chat_model, public_address(settings.openai_base_url or OPENAI_URL))
