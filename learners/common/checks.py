"""Checks of arguments, each with the message that it raises."""

import math
import numbers
import sys
from collections.abc import Iterable, Sequence

from .errors import ParameterError
from .wording import did_you_mean, shown_value

MAX_INTEGER = 2**62  # maximum of an integer argument; larger integers could overflow in sums


def check_open_interval(name: str, value: float, low: float, high: float) -> None:
    """Raise unless `low` < `value` < `high`; NaN is also refused."""
    check_number(name, value, low, high, ends="()")


def check_count(name: str, value: int | None, low: int = 0, *, optional: bool = False) -> None:
    """Raise unless `value` is an integer of at least `low` that fits into 63 bits, or None if `optional`."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ParameterError(f"{name} must be a whole number of at least {low}, got {shown_value(value)}")
    if value > MAX_INTEGER:
        raise ParameterError(f"{name} must be a whole number of at most {MAX_INTEGER:,}, got {shown_value(value)}")


def check_number(name: str, value: float, low: float, high: float, *, ends: str = "[]") -> None:
    """Raise unless `value` is a number in [low, high]; `ends`, such as "(]", shows which end is excluded."""
    inside = is_number(value) and low <= value <= high
    if not inside or (ends[0] == "(" and value == low) or (ends[1] == ")" and value == high):
        words = f"in {ends[0]}{low:g}, {high:g}{ends[1]}"
        if ends[0] == "[" and high == math.inf:
            words = f"at least {low:g}{' and finite' * (ends[1] == ')')}"
        raise ParameterError(f"{name} must be {words}, got {shown_value(value)}")


def check_type(name: str, value: object, types: type | tuple[type, ...], words: str) -> None:
    """Raise unless `value` is an instance of `types`; `words` describe them, as in "a Dataset"."""
    if not isinstance(value, types):
        raise ParameterError(f"{name} must be {words}, got {shown_value(value)}")


def as_text(name: str, value: object) -> str:
    """Return `value` as a string.

    Raises
    ------
    ParameterError
        If it cannot be converted, such as an integer of more than 4,300 digits.
    """
    try:
        return str(value)
    except Exception as error:
        raise ParameterError(f"{name} must be texts, got {shown_value(value)}") from error


def check_sequence(name: str, value: object, words: str = "a list") -> None:
    """Raise unless `value` is iterable and has a length; strings and bytes are refused."""
    try:
        is_list = not isinstance(value, (str, bytes)) and len(value) >= 0 and iter(value) is not None
    except TypeError:
        is_list = False
    if not is_list:
        raise ParameterError(f"{name} must be {words}, got {shown_value(value)}")


def as_list(value: object) -> list | None:
    """Return an iterable as a list, and None for anything else, including strings and bytes.

    A zero-dimensional array has `__iter__`, but raises TypeError when it is iterated.
    """
    try:
        return None if isinstance(value, (str, bytes)) else list(value)
    except TypeError:
        return None


def as_pairs(name: str, edges: object) -> list[tuple]:
    """Return the edges as a list of pairs; raise ParameterError if one is not a pair."""
    found = as_list(edges)
    if found is None:
        raise ParameterError(f"{name} must be a list of pairs, got {shown_value(edges)}")
    for edge in found:
        if not isinstance(edge, (tuple, list)) or len(edge) != 2:
            raise ParameterError(f"each edge of {name} must be a pair, got {shown_value(edge)}")
    return [tuple(edge) for edge in found]


def is_number(value: object) -> bool:
    """Return True for a finite int or any float; False for bools, arrays and strings."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return plain and (isinstance(value, float) or -sys.float_info.max <= value <= sys.float_info.max)


def is_integer(value: object) -> bool:
    """Return True for an integer of Python or NumPy, False for a bool. This module does not import NumPy."""
    if isinstance(value, int):
        return not isinstance(value, bool)
    return type(value).__module__ == "numpy" and isinstance(value, numbers.Integral)


def is_position(value: object, n: int) -> bool:
    """Return True for an integer in 0 .. n - 1."""
    return is_integer(value) and 0 <= value < n


def check_positions(name: str, values: Iterable[object], n: int) -> None:
    """Raise unless each of the `values` is an integer in 0 .. n - 1."""
    for value in values:
        if not is_position(value, n):
            raise ParameterError(f"{name} must be one of 0 .. {n - 1}, got {shown_value(value)}")


def check_choice(name: str, value: str, known: Sequence[str]) -> None:
    """Raise unless `value` is one of `known`."""
    if not isinstance(value, str) or value not in known:
        raise ParameterError(f"unknown {name} {shown_value(value)}{did_you_mean(value, known)}")
