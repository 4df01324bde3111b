"""Texts for messages: quoted names, shortened values, near misses, and counts with the right plural."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from reprlib import Repr

MAX_SHOWN_CHARACTERS = 80  # maximum length of an invalid value in a message
MAX_LISTED_NAMES = 5  # maximum number of names listed in a message before "and k more"


def quoted(names: Iterable[str]) -> str:
    """Return the names as in ``'a', 'b' and 'c'``; of a long list, only the first few."""
    names = list(names)
    shown = [_quoted(name) if isinstance(name, str) else shown_value(name) for name in names[:MAX_LISTED_NAMES]]
    if len(names) > MAX_LISTED_NAMES:
        shown.append(f"{len(names) - MAX_LISTED_NAMES:,} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def quoted_columns(names: Sequence[str]) -> str:
    """Return ``column 'a'`` or ``columns 'a' and 'b'``."""
    return f"column{'s' * (len(names) != 1)} {quoted(names)}"


def _quoted(text: str) -> str:
    if not text:
        return "(empty)"
    return repr(text if len(text) <= 60 else text[:57] + "...")


def shown_value(value: object) -> str:
    """Return an invalid value as one line of at most `MAX_SHOWN_CHARACTERS` characters."""
    short = Repr()
    short.maxstring = short.maxlong = short.maxother = MAX_SHOWN_CHARACTERS
    try:
        text = " ".join(short.repr(value).split())
    except Exception:  # such as an integer with too many digits to convert
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN_CHARACTERS else text[: MAX_SHOWN_CHARACTERS - 3] + "..."


def did_you_mean(word: object, known: Sequence[str]) -> str:
    """Return ``; did you mean 'pc'?`` for a near miss, and the list of known words otherwise."""
    close = get_close_matches(word[:MAX_SHOWN_CHARACTERS], list(known), n=1) if isinstance(word, str) else []
    return f"; did you mean {_quoted(close[0])}?" if close else f"; choose one of {', '.join(map(_quoted, known))}"


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun: ``1 edge``, ``2 edges``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def was(number: int) -> str:
    """Return the verb after a count: ``was`` after 1 edge, ``were`` after 2 edges."""
    return "was" if number == 1 else "were"


def all_items(number: int, singular: str) -> str:
    """Return ``the only column``, ``both columns`` or ``all 3 columns``."""
    return f"the only {singular}" if number == 1 else f"{'both' if number == 2 else f'all {number:,}'} {singular}s"
