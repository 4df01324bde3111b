"""Texts of the graph component that can be written in each language of the catalogs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

from learners.explaining.record import Catalog, Count, Sentence, Value, say


class Phrase(str):
    """An English text that stores the sentence from which it was written.

    It can be used as a plain string; `in_language` writes it in another language.

    Attributes
    ----------
    sentence : Sentence
    names : sequence of str
        Variables of the run.
    """

    __slots__ = ("_last", "names", "sentence")

    sentence: Sentence
    names: Sequence[str]
    _last: tuple[Catalog, str] | None  # the last used catalog and the text in its language

    def __new__(cls, sentence: Sentence, names: Sequence[str] = ()) -> Phrase:
        """Write the sentence in English."""
        text = super().__new__(cls, sentence.text(names))
        text.sentence, text.names, text._last = sentence, names, None
        return text

    def written(self, catalog: Catalog) -> str:
        """Return the text in the language of a catalog."""
        if self._last is None or self._last[0] is not catalog:
            self._last = catalog, self.sentence.text(self.names, catalog)
        return self._last[1]

    def __reduce__(self) -> tuple:
        """Return the constructor arguments for copying and pickling."""
        return Phrase, (self.sentence, self.names)


def phrase(template: str, /, names: Sequence[str] = (), **values: Value | str | int) -> Phrase:
    """Make a phrase from the template and the values of its sentence: ``phrase("{n} left", n=2)``."""
    return Phrase(say(template, **values), names)


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
