"""Checks at the door, and the sentences they raise."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from .errors import ParameterError

LISTED = 5  # names spelled out in a message before "and k more"


def quoted(names: Iterable[str]) -> str:
    """The names as the user knows them, as in ``'a', 'b' and 'c'``, the first few of a long list."""
    names = [str(name) for name in names]
    shown = [_quoted(name) for name in names[:LISTED]]
    if len(names) > LISTED:
        shown.append(f"{len(names) - LISTED:,} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def quoted_columns(names: Sequence[str]) -> str:
    """``column 'a'``, ``columns 'a' and 'b'``."""
    return f"column{'s' * (len(names) != 1)} {quoted(names)}"


def _quoted(text: str) -> str:
    if not text:
        return "(empty)"
    return repr(text if len(text) <= 60 else text[:57] + "...")


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """`` ; did you mean 'pc'?`` for a near miss, the whole list otherwise."""
    close = get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; choose one of {', '.join(map(repr, known))}"


def check_open_interval(name: str, value: float, low: float, high: float) -> None:
    """Raise unless `low` < `value` < `high`; NaN is refused too."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low < value < high:
        raise ParameterError(f"{name} must be in ({low:g}, {high:g}), got {value!r}")


def check_count(name: str, value: int | None, low: int = 0, *, optional: bool = False) -> None:
    """Raise unless `value` is a whole number of at least `low` (or None, if `optional`)."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ParameterError(f"{name} must be a whole number of at least {low}, got {value!r}")


def check_choice(name: str, value: str, known: Sequence[str]) -> None:
    """Raise unless `value` is one of `known`."""
    if value not in known:
        raise ParameterError(f"unknown {name} {value!r}{did_you_mean(value, known)}")
