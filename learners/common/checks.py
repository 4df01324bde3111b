"""Checks at the door, and the sentences they raise."""

import math
import numbers
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from reprlib import Repr

from .errors import ParameterError

MAX_SHOWN_CHARACTERS = 80  # characters of a wrong value in a message
MAX_INTEGER = 2**62  # whole numbers beyond do not fit where numbers are added to them
MAX_LISTED_NAMES = 5  # names spelled out in a message before "and k more"


def quoted(names: Iterable[str]) -> str:
    """The names as the user knows them, as in ``'a', 'b' and 'c'``, the first few of a long list."""
    names = list(names)
    shown = [_quoted(name) if isinstance(name, str) else shown_value(name) for name in names[:MAX_LISTED_NAMES]]
    if len(names) > MAX_LISTED_NAMES:
        shown.append(f"{len(names) - MAX_LISTED_NAMES:,} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def quoted_columns(names: Sequence[str]) -> str:
    """``column 'a'``, ``columns 'a' and 'b'``."""
    return f"column{'s' * (len(names) != 1)} {quoted(names)}"


def _quoted(text: str) -> str:
    if not text:
        return "(empty)"
    return repr(text if len(text) <= 60 else text[:57] + "...")


def shown_value(value: object) -> str:
    """A wrong value as a message shows it: in one line of at most `MAX_SHOWN_CHARACTERS` characters, whatever it is."""
    short = Repr()
    short.maxstring = short.maxlong = short.maxother = MAX_SHOWN_CHARACTERS
    try:
        text = " ".join(short.repr(value).split())
    except Exception:  # such as a whole number with too many digits to be written
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN_CHARACTERS else text[: MAX_SHOWN_CHARACTERS - 3] + "..."


def did_you_mean(word: object, known: Sequence[str]) -> str:
    """`` ; did you mean 'pc'?`` for a near miss, the whole list otherwise."""
    close = get_close_matches(word[:MAX_SHOWN_CHARACTERS], list(known), n=1) if isinstance(word, str) else []
    return f"; did you mean {_quoted(close[0])}?" if close else f"; choose one of {', '.join(map(_quoted, known))}"


def check_open_interval(name: str, value: float, low: float, high: float) -> None:
    """Raise unless `low` < `value` < `high`; NaN is refused too."""
    if type(value) is not float or not low < value < high:  # each request of tests asks this of its alpha
        check_number(name, value, low, high, ends="()")


def check_count(name: str, value: int | None, low: int = 0, *, optional: bool = False) -> None:
    """Raise unless `value` is a whole number of at least `low` (or None, if `optional`) that fits into 63 bits."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ParameterError(f"{name} must be a whole number of at least {low}, got {shown_value(value)}")
    if value > MAX_INTEGER:
        raise ParameterError(f"{name} must be a whole number of at most {MAX_INTEGER:,}, got {shown_value(value)}")


def check_number(name: str, value: float, low: float, high: float, *, ends: str = "[]") -> None:
    """Raise unless `value` is a number from `low` to `high`; `ends` says, as "(]", which of the two are refused."""
    inside = is_number(value) and low <= value <= high
    if not inside or (ends[0] == "(" and value == low) or (ends[1] == ")" and value == high):
        words = f"in {ends[0]}{low:g}, {high:g}{ends[1]}"
        if ends[0] == "[" and high == math.inf:
            words = f"at least {low:g}{' and finite' * (ends[1] == ')')}"
        raise ParameterError(f"{name} must be {words}, got {shown_value(value)}")


def check_type(name: str, value: object, types: type | tuple[type, ...], words: str) -> None:
    """Raise unless `value` is of one of the types, which `words` name: "a Dataset"."""
    if not isinstance(value, types):
        raise ParameterError(f"{name} must be {words}, got {shown_value(value)}")


def as_text(name: str, value: object) -> str:
    """`value` as text; ParameterError if it cannot be written, as a whole number of 5 000 digits."""
    try:
        return str(value)
    except Exception as error:
        raise ParameterError(f"{name} must be texts, got {shown_value(value)}") from error


def check_sequence(name: str, value: object, words: str = "a list") -> None:
    """Raise unless `value` can be gone through and has a length: a list of something, and no text."""
    try:
        is_list = not isinstance(value, (str, bytes)) and len(value) >= 0 and iter(value) is not None
    except TypeError:
        is_list = False
    if not is_list:
        raise ParameterError(f"{name} must be {words}, got {shown_value(value)}")


def as_list(value: object) -> list | None:
    """What can be gone through, as a list; else None. Text and bytes are one thing, and no list of letters.

    An array without dimensions has `__iter__` all the same, and says only then that there is nothing to go through.
    """
    try:
        return None if isinstance(value, (str, bytes)) else list(value)
    except TypeError:
        return None


def as_pairs(name: str, edges: object) -> list[tuple]:
    """The edges, each a pair; ParameterError if one is none."""
    found = as_list(edges)
    if found is None:
        raise ParameterError(f"{name} must be a list of pairs, got {shown_value(edges)}")
    for edge in found:
        if not isinstance(edge, (tuple, list)) or len(edge) != 2:
            raise ParameterError(f"each edge of {name} must be a pair, got {shown_value(edge)}")
    return [tuple(edge) for edge in found]


def is_number(value: object) -> bool:
    """Whether it is a plain number: no truth value, no array, no text, and none beyond what a float can hold."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return plain and (isinstance(value, float) or -sys.float_info.max <= value <= sys.float_info.max)


def is_integer(value: object) -> bool:
    """Return True for a whole number, of Python or of numpy, which this module does not import; False for a bool."""
    if isinstance(value, int):
        return not isinstance(value, bool)
    return type(value).__module__ == "numpy" and isinstance(value, numbers.Integral)


def is_position(value: object, n: int) -> bool:
    """Return True for a whole number of 0 .. n - 1."""
    return is_integer(value) and 0 <= value < n


def check_positions(name: str, values: Iterable[object], n: int) -> None:
    """Raise unless each of the `values` is a whole number of 0 .. n - 1."""
    for value in values:
        if not is_position(value, n):
            raise ParameterError(f"{name} must be one of 0 .. {n - 1}, got {shown_value(value)}")


def check_choice(name: str, value: str, known: Sequence[str]) -> None:
    """Raise unless `value` is one of `known`."""
    if not isinstance(value, str) or value not in known:
        raise ParameterError(f"unknown {name} {shown_value(value)}{did_you_mean(value, known)}")
