"""Checks at the door, and the sentences they raise."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from reprlib import Repr

from .errors import ParameterError

SHOWN = 80  # characters of a wrong value in a message
LARGEST = 2**62  # whole numbers beyond do not fit where numbers are added to them
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


def shown_value(value: object) -> str:
    """A wrong value as a message shows it: in one line of at most `SHOWN` characters, whatever it is."""
    short = Repr()
    short.maxstring = short.maxlong = short.maxother = SHOWN
    try:
        text = " ".join(short.repr(value).split())
    except Exception:  # such as a whole number with too many digits to be written
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def did_you_mean(word: object, known: Sequence[str]) -> str:
    """`` ; did you mean 'pc'?`` for a near miss, the whole list otherwise."""
    close = get_close_matches(word[:SHOWN], list(known), n=1) if isinstance(word, str) else []
    return f"; did you mean {close[0]!r}?" if close else f"; choose one of {', '.join(map(repr, known))}"


def check_open_interval(name: str, value: float, low: float, high: float) -> None:
    """Raise unless `low` < `value` < `high`; NaN is refused too."""
    if not is_number(value) or not low < value < high:
        raise ParameterError(f"{name} must be in ({low:g}, {high:g}), got {shown_value(value)}")


def check_count(name: str, value: int | None, low: int = 0, *, optional: bool = False) -> None:
    """Raise unless `value` is a whole number of at least `low` (or None, if `optional`) that fits into 63 bits."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ParameterError(f"{name} must be a whole number of at least {low}, got {shown_value(value)}")
    if value > LARGEST:
        raise ParameterError(f"{name} must be a whole number of at most {LARGEST:,}, got {shown_value(value)}")


def check_sequence(name: str, value: object) -> None:
    """Raise unless `value` can be gone through and has a length: a list of something, and no text."""
    if isinstance(value, (str, bytes)) or not (hasattr(value, "__len__") and hasattr(value, "__iter__")):
        raise ParameterError(f"{name} must be a list, got {shown_value(value)}")


def is_number(value: object) -> bool:
    """Whether it is a plain number: no truth value, no array, no text."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_choice(name: str, value: str, known: Sequence[str]) -> None:
    """Raise unless `value` is one of `known`."""
    if not isinstance(value, str) or value not in known:
        raise ParameterError(f"unknown {name} {shown_value(value)}{did_you_mean(value, known)}")
