"""Validate values that were read from a file against the annotations of their dataclass."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Collection, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from ..common.errors import DataError
from ..common.relabeling import as_nodes, by_node, by_pair
from ..data.reading.table import Table
from ..results.result import LearnResult


def check_fields(kind: type, fields: Mapping[str, Any]) -> None:
    """Raise ValueError if the value of a field does not match its annotation."""
    hints = _hints(kind)
    for name, value in fields.items():
        if not _fits(value, hints[name]):
            raise ValueError(f"{kind.__name__}.{name}")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _fits(value: Any, hint: Any) -> bool:
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, str) or not isinstance(origin or hint, (type, types.UnionType, type(Union))):
        return True
    if origin in (Union, types.UnionType):
        return any(_fits(value, one) for one in parts)
    if origin is Literal:
        return value in parts
    if origin is tuple and isinstance(value, tuple) and not hasattr(value, "_fields"):
        if len(parts) == 2 and parts[1] is ...:
            return all(_fits(one, parts[0]) for one in value)
        return len(value) == len(parts) and all(map(_fits, value, parts))
    if hint is float:
        return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return _is_plain(value, origin or hint, parts)


def _is_plain(value: Any, kind: type, parts: tuple) -> bool:
    """Return True if a value is of a class, and its members are of the annotated types."""
    if kind is bool:
        return isinstance(value, (bool, np.bool_))
    if not isinstance(value, kind):
        return False
    if isinstance(value, Mapping) and len(parts) == 2 and isinstance(value, dict):
        return all(_fits(key, parts[0]) and _fits(one, parts[1]) for key, one in value.items())
    if isinstance(value, Collection) and len(parts) == 1 and isinstance(value, (list, set, frozenset)):
        return all(_fits(one, parts[0]) for one in value)
    return True


def check_result(result: Any) -> LearnResult:
    """Return the result if its parts refer to the same variables.

    Raises
    ------
    DataError
        If it is not a result, an index is out of range, or an array has the wrong length.
    """
    if not isinstance(result, LearnResult) or not all(isinstance(name, str) for name in result.names):
        raise DataError("the stored run is corrupt; export it again")
    trace, p = result.trace, len(result.names)
    lengths = {len(getattr(trace, name)) for name in ("phase", "i", "j", "statistic", "dof", "log_p", "threshold",
               "n_tests", "n_rows", "rule", "cond_end")}  # fmt: skip
    ends = trace.cond_end
    fits = (
        _about(result, p, {})
        and lengths == {len(trace)}
        and (np.diff(ends, prepend=0) >= 0).all()
        and (ends[-1] if len(ends) else 0) <= len(trace.cond)
        and _codes(trace.phase, len(trace.phases))
        and _codes(trace.rule, len(trace.rules))
        and sorted(result.order) in ([], list(range(p)))
    )
    if not fits:
        raise DataError("the stored result is inconsistent; export it again")
    return result


def check_table(table: Table) -> Table:
    """Return the table if every cell refers to a text of its column; raise DataError otherwise."""
    fits = len(table.names) == len(table.cells) == len(table.guess.columns) and all(
        len(one.codes) == table.n
        and len(one.texts) == len(one.counts) == len(one.numbers)
        and one.texts.null_count == 0
        and one.codes.dtype.kind in "iu"
        and _codes(one.codes, len(one.texts))
        for one in table.cells
    )
    if not fits or not all(isinstance(name, str) for name in table.names):
        raise DataError("the stored table is corrupt; export it again")
    return table


def _codes(codes: np.ndarray, n: int) -> bool:
    return codes.ndim == 1 and (len(codes) == 0 or (codes.min() >= 0 and codes.max() < n))


def _about(value: Any, p: int, seen: dict[int, Any]) -> bool:
    """Return True if all node indices in a value are below p and all arrays fit, by their annotations."""
    if isinstance(value, (tuple, list)):
        return all(_about(one, p, seen) for one in value)
    if not dataclasses.is_dataclass(value) or id(value) in seen:
        return True
    seen[id(value)] = value
    for name, follow in _followed(type(value)).items():
        if not _sized(getattr(value, name), follow, p):
            return False
    return all(_about(getattr(value, one.name), p, seen) for one in dataclasses.fields(value))


@cache
def _followed(kind: type) -> dict[str, Any]:
    """Return the relabeler of each annotated field."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if get_origin(hint) is Annotated}


def _sized(value: Any, follow: Any, p: int) -> bool:
    if value is None:
        return True
    if follow in (by_pair, as_nodes) and isinstance(value, tuple):
        return all(_sized(one, follow, p) for one in value)
    if follow is by_node:
        return len(value) == p
    if follow is by_pair:
        return value.shape[:2] == (p, p)
    if follow is as_nodes:
        numbers = np.asarray(value)
        return numbers.size == 0 or (numbers.min() >= -1 and numbers.max() < p)
    return True
