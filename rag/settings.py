"""Settings from the environment and `.env`. Values only: nothing is built or opened here."""

from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from rag.errors import SettingsError


class Settings(BaseSettings):
    """Read once, in a `__main__`, with `Settings.load()` and handed down."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True
    )

    data_dir: Path = Field(
        default_factory=lambda: user_data_path("abstracts-chat", appauthor=False),
        validation_alias="RAG_DATA_DIR",
    )
    embedding: str = Field("local", validation_alias="RAG_EMBEDDING")
    """`local`, `openai:<model>` or `onnx:<folder>`."""
    chroma_url: str | None = Field(None, validation_alias="CHROMA_URL")

    openai_api_key: SecretStr | None = Field(None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, validation_alias="OPENAI_BASE_URL")
    chat_model: str = Field("gpt-4.1-mini", validation_alias="RAG_CHAT_MODEL")
    more_chat_models: str = Field("", validation_alias="RAG_CHAT_MODELS")
    """Further models of the endpoint to choose from, divided by commas."""
    chat_window: int = Field(16_000, ge=1_000, validation_alias="RAG_CHAT_WINDOW")
    """Tokens the chat model may read and write together."""
    chat_timeout: float = Field(60.0, gt=0, validation_alias="RAG_CHAT_TIMEOUT")
    """Seconds without a byte from the endpoint before it counts as down."""
    use_llm: bool = Field(True, validation_alias="RAG_USE_LLM")
    daily_spend_usd: float = Field(5.0, ge=0, validation_alias="RAG_DAILY_SPEND_USD")
    """No model call is made once a day's calls have cost this much."""
    screen_papers: int = Field(100, ge=1, le=1_000, validation_alias="RAG_SCREEN_PAPERS")
    """Papers that a model reads at most for one list."""
    calls_at_once: int = Field(4, ge=1, le=16, validation_alias="RAG_CALLS_AT_ONCE")
    """Calls that are under way at the same time where one question needs several."""
    verify_votes: int = Field(0, ge=0, le=9, validation_alias="RAG_VERIFY_VOTES")
    """Times a model is asked whether an abstract supports a sentence it wrote; 0 never asks."""

    @field_validator("embedding")
    @classmethod
    def _known_embedding(cls, value: str) -> str:
        if value == "local" or value.startswith(("openai:", "onnx:")):
            return value
        raise ValueError("use local, openai:<model> or onnx:<folder>")

    @property
    def for_each_chat_model(self) -> tuple[Self, ...]:
        """These settings once for every chat model, the one in use first."""
        names = (self.chat_model, *map(str.strip, self.more_chat_models.split(",")))
        return tuple(self.model_copy(update={"chat_model": name}) for name in dict.fromkeys(names) if name)

    @property
    def llm_enabled(self) -> bool:
        """Whether answers are written by a model: a key is set and the switch is on."""
        return self.use_llm and self.openai_api_key is not None

    @classmethod
    def load(cls, **overrides: object) -> Self:
        """Settings from the environment, with `overrides` by field name winning.

        Raises:
            SettingsError: a value cannot be read; the message names the variable, never its value.
        """
        try:
            settings = cls()
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)
            )
            raise SettingsError(
                f"A setting cannot be used ({problems}).", "Correct it in the environment or in .env."
            ) from None
        return settings.model_copy(update={k: v for k, v in overrides.items() if v is not None})


def public_address(url: str) -> str:
    """An address as it may be shown: without a name, password or query, any of which may hold a key."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme and host else url.partition("?")[0]
