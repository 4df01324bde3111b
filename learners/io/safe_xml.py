"""Parse untrusted XML: no entities, no external content, no deep nesting."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from ..common.errors import DataError

MAX_DEPTH = 50


def read_xml(raw: bytes, form: str) -> Element:
    """Parse XML, and return the root element.

    Parameters
    ----------
    raw : bytes
        A document type may be declared, as in XMLBIF, but no entity.
    form : str
        Expected format of the file, for messages.

    Raises
    ------
    DataError
        If it is not XML, declares entities, or nests elements deeper than `MAX_DEPTH`.
    """
    builder, parser = TreeBuilder(), expat.ParserCreate()
    parser.specified_attributes = True  # default values of a document type could be long and frequent
    parser.buffer_text = True
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise DataError(f"elements of {form} may be nested {MAX_DEPTH} deep, found deeper. Choose another file")
        builder.start(tag.rpartition(":")[2], attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag.rpartition(":")[2])

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _refusing(form)
    try:
        parser.Parse(raw, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"a file of {form} must be XML, but {str(error)[:80]}. Choose another file") from None
    return builder.close()


def _refusing(form: str) -> Callable[..., None]:
    def refuse(*_arguments: object) -> None:
        raise DataError(f"a file of {form} may declare no entities, found one. Remove it")

    return refuse


def text_in(element: Element, tag: str) -> str:
    """Return the stripped text of the first child with this tag, or ""."""
    return (element.findtext(tag) or "").strip()
