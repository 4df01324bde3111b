"""Sentences as templates with typed values, which can be written in any language.

The English template of a sentence is its key: a catalog maps templates and words to those of another language, as
gettext does. A sentence is therefore made once, where its facts are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

import numpy as np

from .wording import (
    ARROWS,
    MAX_LISTED_NAMES,
    format_level,
    format_p,
    format_percent,
    format_probability,
    format_set,
    format_setting,
    format_signed,
    format_statistic,
    quoted,
    shorten,
)

Catalog = Mapping[str, str]  # translations of English templates and words into a language
ENGLISH: Catalog = MappingProxyType({})
FROM_TAIL = {"backward": "forward", "circle-backward": "circle-forward"}  # marks that are written from the tail
THOUSANDS = ","  # separator, which a catalog translates like a word


@runtime_checkable
class Value(Protocol):
    """A value in a sentence, with its format."""

    def text(self, names: Sequence[str], catalog: Catalog = ENGLISH) -> str:
        """Return the words, given the names of the variables."""


@dataclass(frozen=True)
class Sentence:
    """A sentence or a clause.

    Attributes
    ----------
    template : str
        English words with a field in braces for each value.
    values : mapping of str to Value, str or int
        Values by the name of their field. A string is shown as it is; an integer with thousands separators.
    """

    template: str
    values: Mapping[str, Value | str | int] = field(default_factory=dict)

    def text(self, names: Sequence[str], catalog: Catalog = ENGLISH) -> str:
        """Return the sentence as plain text, not markup."""
        template = catalog.get(self.template, self.template)
        written = {name: _written(value, names, catalog) for name, value in self.values.items()}
        if not written:
            return template
        # P > 0.999, as `format_probability` writes it
        return template.format_map(written).replace("= >\u00a0", ">\u00a0")


def _written(value: Value | str | int, names: Sequence[str], catalog: Catalog) -> str:
    if isinstance(value, Phrase):
        return value.written(catalog)
    if isinstance(value, str):
        return value
    return _separated(f"{value:,}", catalog) if isinstance(value, int) else value.text(names, catalog)


def _separated(digits: str, catalog: Catalog) -> str:
    return digits.replace(THOUSANDS, catalog.get(THOUSANDS, THOUSANDS))


class Caveat(Sentence):
    """A sentence on the limits of the evidence; it follows the evidence."""


def caveat(template: str, /, **values: Value | str | int) -> Caveat:
    """Make a caveat from its template and values."""
    return Caveat(template, values)


def say(template: str, /, **values: Value | str | int) -> Sentence:
    """Make a sentence from its template and values."""
    return Sentence(template, values)


@dataclass(frozen=True)
class Node:
    """A variable, by its position."""

    k: int

    def text(self, names: Sequence[str], _catalog: Catalog = ENGLISH) -> str:
        """Return the name on one line, shortened if necessary."""
        return shorten(names[self.k])


@dataclass(frozen=True)
class Nodes:
    """A set of variables, shown as {a, b}, or listed without braces."""

    members: Sequence[int]
    braces: bool = True

    def text(self, names: Sequence[str], _catalog: Catalog = ENGLISH) -> str:
        """Return the names in the order of the members."""
        shown = format_set(self.members, names)
        return shown if self.braces else shown[1:-1]


@dataclass(frozen=True)
class Edge:
    """Two variables with the mark of their edge: a → b.

    An arrow is written from its tail, so that ``backward`` becomes b → a.
    """

    i: int
    mark: str
    j: int

    def text(self, names: Sequence[str], _catalog: Catalog = ENGLISH) -> str:
        """Return both names with the arrow between them."""
        i, mark, j = self.i, self.mark, self.j
        if mark in FROM_TAIL:
            i, mark, j = j, FROM_TAIL[mark], i
        return f"{shorten(names[i])} {ARROWS[mark]} {shorten(names[j])}"


class Unit(Enum):
    """Format of a number."""

    PLAIN = "plain"  # three significant digits
    SIGNED = "signed"  # the same with its sign
    AS_SET = "as set"  # a setting, as the user typed it
    LOG_P = "log p"  # a p-value, given by its natural logarithm
    LOG_LEVEL = "log level"  # a significance level, given by its natural logarithm
    PROBABILITY = "probability"
    PERCENT = "percent"
    MBIT = "mbit"
    HUNDREDTHS = "hundredths"  # two digits after the point


_FORMATS = {
    Unit.PLAIN: format_statistic,
    Unit.SIGNED: format_signed,
    Unit.AS_SET: format_setting,
    Unit.LOG_P: format_p,
    Unit.LOG_LEVEL: format_level,
    Unit.PROBABILITY: format_probability,
    Unit.PERCENT: format_percent,
    Unit.MBIT: lambda value: f"{format_statistic(value)} mbit",
    Unit.HUNDREDTHS: "{:.2f}".format,
}


@dataclass(frozen=True)
class Number:
    """A number with its unit."""

    value: float
    unit: Unit = Unit.PLAIN

    def text(self, _names: Sequence[str] = (), catalog: Catalog = ENGLISH) -> str:
        """Return the digits with the unit."""
        return _separated(_FORMATS[self.unit](self.value), catalog)


def hundredths(value: float) -> Number:
    """Return a number with two digits after the point as a value."""
    return Number(value, Unit.HUNDREDTHS)


def p_of(log_p: float) -> Number:
    """Return a p-value, given by its natural logarithm, as a value."""
    return Number(log_p, Unit.LOG_P)


def setting(value: float) -> Number:
    """Return a setting such as alpha as a value."""
    return Number(value, Unit.AS_SET)


def percent(share: float) -> Number:
    """Return a share as a value in percent."""
    return Number(share, Unit.PERCENT)


def mbit(value: float) -> Number:
    """Return an amount of information in millibit as a value."""
    return Number(value, Unit.MBIT)


def probability(value: float) -> Number:
    """Return a probability as a value."""
    return Number(value, Unit.PROBABILITY)


@dataclass(frozen=True)
class Count:
    """A number of things, in singular or plural: 1 test, 2 tests."""

    n: int
    singular: str
    plural: str | None = None

    def text(self, _names: Sequence[str] = (), catalog: Catalog = ENGLISH) -> str:
        """Return the number with its noun."""
        plural = self.plural or f"{self.singular}s"
        noun = self.singular if self.n == 1 else plural
        return f"{_separated(f'{self.n:,}', catalog)} {catalog.get(noun, noun)}"


@dataclass(frozen=True)
class Listed:
    """Several clauses in a row."""

    parts: Sequence[Value]
    separator: str = ", "
    last: str | None = None  # separator before the last clause, if it is not `separator`

    def text(self, names: Sequence[str], catalog: Catalog = ENGLISH) -> str:
        """Return the clauses as one text."""
        *before, end = [part.text(names, catalog) for part in self.parts] or [""]
        if not before:
            return end
        between = catalog.get(self.separator, self.separator)
        last = catalog.get(self.last, self.last) if self.last else between
        return f"{between.join(before)}{last}{end}"


@dataclass(frozen=True)
class Capitalized:
    """A clause that begins a sentence."""

    clause: Value

    def text(self, names: Sequence[str], catalog: Catalog = ENGLISH) -> str:
        """Return the clause with a capital letter."""
        text = self.clause.text(names, catalog)
        return f"{text[:1].upper()}{text[1:]}"


@dataclass(frozen=True)
class Quoted:
    """Names in quotes; a long list shows only the first few: 'a', 'b' and 3 more."""

    named: Sequence[str]
    empty: str = "(empty)"  # shown for an empty name

    def text(self, _names: Sequence[str] = (), catalog: Catalog = ENGLISH) -> str:
        """Return the names as one text."""
        empty = say(self.empty)
        shown = [say("{name}", name=quoted([name])) if name else empty for name in self.named[:MAX_LISTED_NAMES]]
        if left := len(self.named) - len(shown):
            shown.append(say("{n} {more}", n=left, more=say("more")))
        return Listed(shown, last=" and ").text((), catalog)


@dataclass(frozen=True)
class Setting:
    """A parameter by its name, such as ``max_cond_size``; a form shows its label instead."""

    name: str

    def text(self, _names: Sequence[str] = (), _catalog: Catalog = ENGLISH) -> str:
        """Return the name."""
        return self.name


@dataclass(frozen=True)
class Message:
    """A finished English message of another part of the library, as a clause.

    A catalog with a method `message` translates it.
    """

    message: str

    def text(self, _names: Sequence[str] = (), catalog: Catalog = ENGLISH) -> str:
        """Return the message."""
        translate = getattr(catalog, "message", None)
        return translate(self.message) if translate else self.message


def columns_of(names: Sequence[str]) -> Sentence:
    """Return ``column 'a'`` or ``columns 'a' and 'b'`` as a clause."""
    return say("column {names}" if len(names) == 1 else "columns {names}", names=Quoted(names))


def rows_of(n: int) -> Sentence:
    """Return ``1 row`` or ``2 rows`` as a clause."""
    return say("{n} row" if n == 1 else "{n} rows", n=n)


def cells_of(n: int) -> Sentence:
    """Return ``1 cell`` or ``2 cells`` as a clause."""
    return say("{n} cell" if n == 1 else "{n} cells", n=n)


def paragraph(*sentences: Sentence) -> Sentence:
    """Return several sentences as one, without the empty ones."""
    return say("{sentences}", sentences=Listed([one for one in sentences if one.template], " "))


NOTHING = Sentence("")
_TYPES = {
    one.__name__: one
    for one in (Sentence, Caveat, Node, Nodes, Edge, Number, Count, Listed, Capitalized, Quoted, Setting, Message)
}


def stored(value: Any) -> Any:
    """Return a sentence, or a value of one, as a JSON object; `restored` reads it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Phrase):
        return stored(value.sentence)
    if isinstance(value, Mapping):
        return {name: stored(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [stored(one) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    if not is_dataclass(value):
        return value
    return {"type": type(value).__name__, **{one.name: stored(getattr(value, one.name)) for one in fields(value)}}


def restored(written: Any) -> Any:
    """Return the sentence or the value that `stored` wrote."""
    if isinstance(written, list):
        return tuple(map(restored, written))
    if not isinstance(written, Mapping):
        return written
    kind = _TYPES[written["type"]]
    if issubclass(kind, Sentence):
        return kind(written["template"], {name: restored(one) for name, one in written["values"].items()})
    values = {name: restored(one) for name, one in written.items() if name != "type"}
    return kind(**values | ({"unit": Unit(values["unit"])} if kind is Number else {}))


def only_if(holds: object, clause: Sentence) -> Sentence:
    """Return the clause if the condition holds, else an empty one."""
    return clause if holds else NOTHING


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
