"""Relabel node indices inside result objects.

Fields of node indices, or with an entry for each node or pair, have a special annotation, such as ``labels: ByNode``.
`relabeled` reads these annotations to renumber the nodes of a whole result.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from .lazy_dataclass import LazyDataclass

T = TypeVar("T")
MAX_BLOCK_CELLS = 1 << 20  # number of cells of an array that are relabeled at a time
PLAIN_TYPES = (int, float, str, bool, np.ndarray)  # field types without node indices, unless annotated
UNCHANGED_TYPES = frozenset((*PLAIN_TYPES, type(None)))  # types of values that are never relabeled
Relabeler = Callable[[Any, np.ndarray], Any]  # relabel(value, new): node k becomes new[k]


def by_node(value: Any, new: np.ndarray) -> Any:
    """Relabel a value with one entry per node: the first axis of an array, or a tuple. None stays None."""
    if value is None:
        return None
    old = new.argsort()
    return _like(value, value[old]) if isinstance(value, np.ndarray) else tuple(map(value.__getitem__, old.tolist()))


def by_pair(value: Any, new: np.ndarray) -> Any:
    """Relabel arrays with one entry per pair in their first two axes, or a tuple of them. None stays None."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(by_pair(one, new) for one in value)
    old, found = new.argsort(), np.empty_like(value, order="C")
    for rows in _blocks(value):
        found[rows] = value.take(old[rows], 0).take(old, 1)  # faster than one joint index
    return _like(value, found)


def as_nodes(value: Any, new: np.ndarray) -> Any:
    """Relabel node indices: an int, an array, or nested tuples of them. The padding value -1 stays."""
    if isinstance(value, tuple):
        return tuple(as_nodes(one, new) for one in value)
    if isinstance(value, np.ndarray):
        found, lookup = np.empty_like(value, order="C"), np.concatenate((new, [-1])).astype(value.dtype)
        for rows in _blocks(value):
            found[rows] = lookup.take(value[rows])  # index -1 picks the appended -1
        return _like(value, found)
    return int(new[value])


def _blocks(value: np.ndarray) -> Iterator[slice]:
    """Yield slices of the first axis, so that NumPy's copies of a block are small beside a large array."""
    step = max(1, MAX_BLOCK_CELLS * len(value) // max(value.size, 1))
    return (slice(at, at + step) for at in range(0, len(value), step))


def as_triples(value: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Relabel (m, 3) triples i, k, j with i < j, and restore that order."""
    triples = as_nodes(value, new)
    (ends,) = with_sides(triples[:, 0] > triples[:, 2], triples[:, ::2])
    return _like(value, np.column_stack([ends[:, 0], triples[:, 1], ends[:, 1]]))


def with_sides(turned: np.ndarray, *both: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return read-only copies of (m, 2, ...) arrays, with the two sides swapped where `turned` (m,) is True."""
    copies = [array.copy() for array in both]
    for array in copies:
        array[turned] = array[turned, ::-1]
        array.flags.writeable = False
    return tuple(copies)


def _like(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Give the new array the write flag of the old one."""
    after.flags.writeable = before.flags.writeable
    return after


def fields(**follow: Relabeler) -> Relabeler:
    """Return a relabeler of some fields of a named tuple without annotations."""
    return lambda value, new: value._replace(**{name: one(getattr(value, name), new) for name, one in follow.items()})


ByNode = Annotated[np.ndarray, by_node]
ByPair = Annotated[np.ndarray, by_pair]
Nodes = Annotated[np.ndarray, as_nodes]
Triples = Annotated[np.ndarray, as_triples]


def relabeled(value: T, new: np.ndarray) -> T:
    """Return the value with its nodes renumbered.

    Parameters
    ----------
    value : object
        An object with a method ``relabeled(new)``; a dataclass, whose fields are relabeled by their annotations, or
        else recursively; or a tuple, list or mapping of such values. Anything else is returned as it is.
    new : (p,) int array
        Node k becomes ``new[k]``.
    """
    keep_theirs = (new[1:] > new[:-1]).all()
    return value if keep_theirs else _relabel(value, new)


def _relabel(value: T, new: np.ndarray) -> T:
    if type(value) in UNCHANGED_TYPES:
        return value
    if hasattr(type(value), "relabeled"):
        return value.relabeled(new)
    if isinstance(value, LazyDataclass):
        return type(value).lazily(lambda: relabel_fields(value, new))
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(_relabel(one, new) for one in value)
    if isinstance(value, dict):
        return {key: _relabel(one, new) for key, one in value.items()}
    return relabel_fields(value, new) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value


def relabel_fields(value: T, new: np.ndarray) -> T:
    """Relabel the fields of a dataclass by their annotations."""
    changed = {}
    for name, follow in _field_relabelers(type(value)).items():
        before = getattr(value, name)
        if follow is not _relabel or type(before) not in UNCHANGED_TYPES:
            changed[name] = follow(before, new)
    return dataclasses.replace(value, **changed) if changed else value


@cache
def _field_relabelers(kind: type) -> dict[str, Relabeler]:
    """Return the relabeler of each field of a dataclass: annotated or recursive. Fields of plain types are left out."""
    hints = get_type_hints(kind, include_extras=True)
    nested = {field.name: hints[field.name] for field in dataclasses.fields(kind) if field.init}
    return {name: _relabeler_of(hint) for name, hint in nested.items() if hint not in PLAIN_TYPES}


def _relabeler_of(hint: Any) -> Relabeler:
    """Return the relabeler of an annotation, also of one that may be None, such as ``ByPair | None``."""
    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    marked = (one for one in options if hasattr(one, "__metadata__"))
    return next((one.__metadata__[0] for one in marked), _relabel)
