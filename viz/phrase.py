"""Texts of the graph component that can be written in each language of the catalogs."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

from learners.common.sentences import Catalog, Count
from learners.common.sentences import Phrase as Phrase
from learners.common.sentences import phrase as phrase


def edges(n: int) -> Count:
    """Return a number of edges as a value."""
    return Count(n, "edge")


def in_language(data: Any, catalog: Catalog) -> Any:
    """Return data with all phrases in its mappings and lists written in the language of a catalog."""
    if not catalog:
        return data
    if isinstance(data, Phrase):
        return data.written(catalog)
    if isinstance(data, Mapping):
        return {key: in_language(value, catalog) for key, value in data.items()}
    if isinstance(data, list | tuple) and not (data and isinstance(data[0], int | float | NoneType)):
        return [in_language(value, catalog) for value in data]
    return data  # lists that begin with a number, such as spans, contain no phrases
