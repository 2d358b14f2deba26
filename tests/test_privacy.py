"""What the page says of where questions go: all of it, and never a key."""

import pytest
from browser import Reader, launched, served
from scripted_engine import ScriptedEngine

from rag.assembly import chat_model
from rag.engine import ChatModel
from rag.records import Paper
from rag.settings import Settings, public_address
from ui.privacy import Destinations, leaving, without_model
from ui.texts import texts_for

EN, ZH = texts_for("en"), texts_for("zh")
MODEL = ChatModel("some-model", "https://llm.example/v1")
ELSEWHERE = ("https://embed.example/v1", "http://chroma.example:8000")


@pytest.mark.parametrize("texts", [EN, ZH])
@pytest.mark.parametrize("embedding", [None, ELSEWHERE[0]])
@pytest.mark.parametrize("vectors", [None, ELSEWHERE[1]])
@pytest.mark.parametrize("model", [None, MODEL])
def test_every_destination_is_named_and_only_those(
    texts: object, embedding: str | None, vectors: str | None, model: ChatModel | None
) -> None:
    said = leaving(Destinations(embedding, vectors), model, texts)  # type: ignore[arg-type]
    for place in (*ELSEWHERE, MODEL.endpoint, MODEL.name):
        given = place in (embedding, vectors) or (model is not None and place in (model.endpoint, model.name))
        assert (place in said) is given
    nothing = any(words in said.lower() for words in ("nothing leaves", "没有任何内容离开"))
    assert nothing is (embedding is None and vectors is None)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
def test_a_chroma_server_on_this_machine_is_no_destination(url: str) -> None:
    assert without_model(Destinations(vectors=url), EN) == "nothing leaves this machine."


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:sk-secret@llm.example:8443/v1", "https://llm.example:8443/v1"),
        ("https://llm.example/v1?api_key=sk-secret#sk-secret", "https://llm.example/v1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("llm.example/v1?key=sk-secret", "llm.example/v1"),
    ],
)
def test_an_address_is_shown_without_what_may_be_a_key(url: str, shown: str) -> None:
    assert public_address(url) == shown
    said = without_model(Destinations(url, url), EN)
    assert shown in said
    assert "sk-secret" not in said
    settings = Settings.load(openai_api_key="sk-secret", openai_base_url=url)
    assert "sk-secret" not in repr(chat_model(settings))


@pytest.mark.browser
def test_the_page_says_where_vectors_go_and_shows_no_key(chromium: str) -> None:
    model = ChatModel("some-model", public_address("https://me:sk-secret@llm.example/v1?key=sk-secret"))
    engine = ScriptedEngine((Paper("p", "A title", "Text."),), {}, model)
    store = "https://me:sk-secret@chroma.example:8000"
    with launched(chromium) as browser, served(engine, vector_store=store) as address:
        reader = Reader(browser, address)
        said = reader.page.inner_text("#privacy")
        for words in ("some-model", "https://llm.example/v1", "Chroma server at https://chroma.example:8000"):
            assert words in said
        assert "sk-secret" not in reader.page.content()
        assert "sk-secret" not in reader.page.evaluate("JSON.stringify(window.gradio_config ?? {})")
        reader.page.click("#eval-tab-button")
        assert "Chroma server at https://chroma.example:8000" in reader.page.inner_text("#eval-privacy")
        reader.leave()
