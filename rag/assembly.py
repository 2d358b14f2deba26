"""The only module that knows every part: builds an index and an engine from Settings."""

from rag.engine import AnswerEngine
from rag.settings import Settings


def open_engine(settings: Settings, *, progress: bool = False) -> AnswerEngine:
    """An engine over `settings.data_dir`; an empty folder gets the default papers first."""
    raise NotImplementedError
