"""XML: the ACL Anthology's files, Atom feeds such as arXiv's, and others that name titles and abstracts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from rag.cleaning import squeeze
from rag.errors import SourceError
from rag.patterns import lazy_pattern
from rag.records import Reading
from rag.sources.document import Document, Format
from rag.sources.fields import is_field, read_records, venue_and_year
from rag.sources.identity import link_of, linked_id

_HTML = lazy_pattern(r"\s*(?:<!doctype html|<html)", re.IGNORECASE)
_ANTHOLOGY = "https://aclanthology.org/"


def _matches(document: Document) -> bool:
    text = document.text
    return re.match(r"\s*<[?!A-Za-z]", text) is not None and not _HTML.match(text)


def _read(document: Document) -> Reading:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", document.text))
        records = list(_records(root, document.name, {}))
    except ParseError as error:
        raise SourceError(f"{document.name} is not valid XML: {error}.") from None
    except DefusedXmlException:
        raise SourceError(f"{document.name} defines entities of its own, which are not read.") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{document.name} is not usable XML: {error}.") from None
    return read_records(document.counted(records))


def _records(element: Element, name: str, shared: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Elements with a title and an abstract or author of their own; `shared` is what stands around them."""
    meta = next((child for child in element if _tag(child) in {"meta", "frontmatter"}), None)
    if meta is not None:
        shared = {
            **shared,
            **{_tag(child): _text(child) for child in meta if _tag(child) in {"booktitle", "year"}},
        }
    number = 0
    for child in element:
        tags = {_tag(part) for part in child}
        if any(is_field(tag, "title") for tag in tags) and any(
            is_field(tag, meaning) for tag in tags for meaning in ("abstract", "authors")
        ):
            number += 1
            yield f"{name}: {_tag(child)} {child.get('id') or number}", _record(child, shared)
        else:
            yield from _records(child, name, shared)


def _record(element: Element, shared: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for child in element:
        fields.setdefault(_tag(child), _text(child))
    authors = [_name(child) for child in element if is_field(_tag(child), "authors")]
    links = [link for child in element if (link := _link(child))]
    doi = fields.get("doi", "")
    url = next(iter(links), link_of(doi))
    venue, year = venue_and_year(shared.get("booktitle", ""))
    own = {
        name: value
        for name, value in fields.items()
        if not is_field(name, "id") and not is_field(name, "url")
    }
    stated = {"venue": venue, "year": shared.get("year") or year}
    return {**stated, **own, "authors": authors, "url": url, "id": linked_id(url, doi) or ""}


def _name(author: Element) -> str:
    """A name as one text, or from its parts: `<first>`, `<last>`, Atom's `<name>`."""
    parts = [_text(part) for part in author if _tag(part) in {"name", "first", "last"}]
    return " ".join(parts) or _text(author)


def _link(element: Element) -> str:
    """The web address an element holds; the Anthology gives its own without the start."""
    if _tag(element) not in {"url", "link", "id"}:
        return ""
    text = element.get("href") or _text(element)
    if _tag(element) == "url" and re.fullmatch(r"[\w.-]+\.\d+|[A-Z]\d\d-\d{4}", text):
        return _ANTHOLOGY + text
    return text if re.match(r"https?://", text) else ""


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2].lower()


def _text(element: Element) -> str:
    """All the text in an element on one line; a formula in TeX between dollars."""
    parts = [element.text or ""]
    for child in element:
        inner = _text(child)
        parts += [f"${inner}$" if _tag(child) == "tex-math" else inner, child.tail or ""]
    return squeeze("".join(parts)) if element.tag else ""


FORMAT = Format("XML", frozenset({".xml"}), _matches, _read)
