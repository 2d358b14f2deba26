"""What leaves the machine when a question is asked, in words. Pure."""

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rag.records import Language
from rag.settings import public_address
from ui.texts import Texts

if TYPE_CHECKING:
    from rag.engine import ChatModel


@dataclass(frozen=True, slots=True)
class Destinations:
    """Where questions go even while no model writes: addresses, None where that stays on this machine.

    `embedding` turns questions into vectors; `vectors` is a Chroma server, which compares them.
    """

    embedding: str | None = None
    vectors: str | None = None


@dataclass(frozen=True, slots=True)
class _Said:
    """One language: ends of sentences, but for `model`, which is a whole one."""

    nothing: str
    embedding: str
    vectors: str
    both: str
    model: str


_SAID: dict[Language, _Said] = {
    "en": _Said(
        nothing="nothing leaves this machine.",
        embedding="only your question is sent, to {embedding}, which turns it into a vector.",
        vectors="only a vector made of your question is sent, to the Chroma server at {vectors}.",
        both="only your question is sent, to {embedding}, which turns it into a vector, and that vector to "
        "the Chroma server at {vectors}.",
        model="While this is on, your question, the earlier turns of this chat and the abstracts shown to "
        "the model ({model}) are sent to {endpoint}. While it is off, {otherwise}",
    ),
    "zh": _Said(
        nothing="没有任何内容离开这台机器。",
        embedding="只有你的问题会发送到 {embedding}，用于计算向量。",
        vectors="只有由你的问题算出的向量会发送到 {vectors} 的 Chroma 服务器。",
        both="只有你的问题会发送到 {embedding} 用于计算向量，该向量再发送到 {vectors} 的 Chroma 服务器。",
        model="开启时，你的问题、本次对话的先前内容以及给模型（{model}）看的摘要会发送到 {endpoint}。"
        "关闭时，{otherwise}",
    ),
}


def leaving(destinations: Destinations, model: "ChatModel | None", texts: Texts) -> str:
    """What leaves, where the reader chooses whether `model` writes; None where there is no model."""
    said = _SAID[texts.language]
    otherwise = without_model(destinations, texts)
    if model:
        return said.model.format(model=model.name, endpoint=model.endpoint, otherwise=otherwise)
    return otherwise[:1].upper() + otherwise[1:]


def without_model(destinations: Destinations, texts: Texts) -> str:
    """What leaves while no model writes, as the end of a sentence."""
    said = _SAID[texts.language]
    embedding = public_address(destinations.embedding) if destinations.embedding else ""
    store = destinations.vectors or ""
    vectors = public_address(store) if _is_elsewhere(store) else ""
    ending = {
        (False, False): said.nothing,
        (True, False): said.embedding,
        (False, True): said.vectors,
        (True, True): said.both,
    }[bool(embedding), bool(vectors)]
    return ending.format(embedding=embedding, vectors=vectors)


def _is_elsewhere(url: str) -> bool:
    host = urlsplit(url).hostname or "localhost"
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"
