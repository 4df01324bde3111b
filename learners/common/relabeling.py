"""What of a value changes when its variables are numbered otherwise.

The fields of results that hold numbers of variables, or have a place for each of them, say so in their annotation:
``labels: ByNode``. From that alone `relabeled` follows a new numbering through a whole result.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, TypeVar, get_type_hints

import numpy as np

from .lazy_dataclass import LazyDataclass

T = TypeVar("T")
PLAIN_TYPES = (int, float, str, bool, np.ndarray)  # types of fields that hold no variables, unless they say so
UNCHANGED_TYPES = frozenset((*PLAIN_TYPES, type(None)))  # types of values that stay as they are
Relabeler = Callable[[Any, np.ndarray], Any]  # follow(value, new) gives the value once variable k is called new[k]


def by_node(value: Any, new: np.ndarray) -> Any:
    """Has a place for each variable: the first axis of an array, the members of a tuple. None stays."""
    if value is None:
        return None
    old = new.argsort()
    return _like(value, value[old]) if isinstance(value, np.ndarray) else tuple(map(value.__getitem__, old.tolist()))


def by_pair(value: Any, new: np.ndarray) -> Any:
    """Arrays with a place for each pair: their first two axes; also a tuple of such arrays, or None."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(by_pair(one, new) for one in value)
    old = new.argsort()
    return _like(value, value.take(old, 0).take(old, 1))  # rows are copied whole; one index for both goes cell by cell


def as_nodes(value: Any, new: np.ndarray) -> Any:
    """Numbers of variables: one, an array, or nested tuples of them; -1 only fills up."""
    if isinstance(value, tuple):
        return tuple(as_nodes(one, new) for one in value)
    if isinstance(value, np.ndarray):
        return _like(value, np.concatenate((new, [-1])).astype(value.dtype).take(value))  # -1 is the last, and stays
    return int(new[value])


def as_triples(value: np.ndarray, new: np.ndarray) -> np.ndarray:
    """(m, 3) numbers i, k, j with i < j, again so."""
    triples = as_nodes(value, new)
    (ends,) = with_sides(triples[:, 0] > triples[:, 2], triples[:, ::2])
    return _like(value, np.column_stack([ends[:, 0], triples[:, 1], ends[:, 1]]))


def with_sides(turned: np.ndarray, *both: np.ndarray) -> tuple[np.ndarray, ...]:
    """(m, 2, ...) arrays about two sides, read-only; these change places in the rows that are `turned` (m,)."""
    told = [array.copy() for array in both]
    for array in told:
        array[turned] = array[turned, ::-1]
        array.flags.writeable = False
    return tuple(told)


def _like(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The new array, read-only as the old one was."""
    after.flags.writeable = before.flags.writeable
    return after


def fields(**follow: Relabeler) -> Relabeler:
    """Some fields of a named tuple that says nothing of it itself."""
    return lambda value, new: value._replace(**{name: one(getattr(value, name), new) for name, one in follow.items()})


ByNode = Annotated[np.ndarray, by_node]
ByPair = Annotated[np.ndarray, by_pair]
Nodes = Annotated[np.ndarray, as_nodes]
Triples = Annotated[np.ndarray, as_triples]


def relabeled(value: T, new: np.ndarray) -> T:
    """The same about variables that are numbered otherwise.

    Parameters
    ----------
    value : object
        One with a method ``relabeled(new)``; a dataclass, whose fields are followed as they are annotated, and else as
        values of their own; or a tuple, list or mapping of such values. Anything else stays as it is.
    new : (p,) int array
        Variable k is called ``new[k]``.
    """
    keep_theirs = (new[1:] > new[:-1]).all()
    return value if keep_theirs else _relabel(value, new)


def _relabel(value: T, new: np.ndarray) -> T:
    if type(value) in UNCHANGED_TYPES:
        return value
    if hasattr(type(value), "renumbered"):
        return value.relabeled(new)
    if isinstance(value, LazyDataclass):
        return type(value).lazily(lambda: _relabel_fields(value, new))
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(_relabel(one, new) for one in value)
    if isinstance(value, dict):
        return {key: _relabel(one, new) for key, one in value.items()}
    return _relabel_fields(value, new) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value


def _relabel_fields(value: T, new: np.ndarray) -> T:
    """A dataclass whose fields are followed as they are annotated."""
    changed = {}
    for name, follow in _field_relabelers(type(value)).items():
        before = getattr(value, name)
        if follow is not _relabel or type(before) not in UNCHANGED_TYPES:
            changed[name] = follow(before, new)
    return dataclasses.replace(value, **changed) if changed else value


@cache
def _field_relabelers(kind: type) -> dict[str, Relabeler]:
    """How the fields of a dataclass follow: as they say, or as values of their own; without those that cannot."""
    hints = get_type_hints(kind, include_extras=True)
    told = {one.name: hints[one.name] for one in dataclasses.fields(kind) if hints[one.name] not in PLAIN_TYPES}
    return {name: next(iter(getattr(hint, "__metadata__", ())), _relabel) for name, hint in told.items()}
