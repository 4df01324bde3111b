"""Names and numbers as texts: quoted or shortened names, counts with the right plural, numbers, near misses."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from reprlib import Repr

MAX_SHOWN_CHARACTERS = 80  # maximum length of an invalid value in a message
MAX_LISTED_NAMES = 5  # maximum number of names listed in a message before "and k more"
ARROWS = {"undirected": "—", "forward": "→", "backward": "←", "none": "   ", "determined": "=",
          "circles": "o—o", "circle-forward": "o→", "circle-backward": "←o", "bidirected": "↔"}  # fmt: skip
EMPTY_SET = "∅"
LN10 = math.log(10.0)
MINUS = "\u2212"
# Characters that do not belong on one line: control characters, line breaks, and marks of writing direction.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")
MAX_NAME_LENGTH = 40
ROUNDING = 1e-12  # rounding error of a sum of probabilities
MIN_PLAIN = 1e-4  # the least number that is shown without an exponent
_EXPONENT = re.compile(r"e\+?(-?)0*(?=\d)")  # with the zeros and the plus sign that are left out
NEARLY_ONE = ">\u00a00.999"


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


def one_line(text: str) -> str:
    """Return the text without line breaks, control characters and marks that change the writing direction."""
    return _CONTROL.sub(" ", text).strip()


@lru_cache(maxsize=10_000)
def shorten(name: str, longest: int = MAX_NAME_LENGTH) -> str:
    """Return one line of at most `longest` characters, shortened in the middle.

    Survey questions often begin alike and differ at their end.
    """
    line = one_line(name)
    if len(line) <= longest:
        return line
    end = 2 * (longest - 1) // 5
    return f"{line[: longest - 1 - end].rstrip()}…{line[len(line) - end :].lstrip()}"


def format_p(log_p: float) -> str:
    """Format a p-value given by its natural logarithm, also where it underflows: 0.042, 3.10e-9, 1.00e-512."""
    if math.isnan(log_p):
        return "–"
    if log_p == -math.inf:
        return "0"
    if log_p >= math.log(MIN_PLAIN):
        return f"{math.exp(log_p):.3g}"
    exponent = math.floor(log_p / LN10)
    digits = f"{10 ** (log_p / LN10 - exponent):.2f}"
    return f"{digits}e{exponent}" if digits != "10.00" else f"1.00e{exponent + 1}"


def format_setting(value: float) -> str:
    """Format a parameter's value as the user typed it: 0.05, 1e-6."""
    return _EXPONENT.sub(r"e\1", f"{value:g}")


def _scientific(value: float) -> str:
    """Return three significant digits with an exponent that has no leading zeros: 3.00e-7."""
    return _EXPONENT.sub(r"e\1", f"{value:.2e}")


def _three_digits(value: float) -> str:
    """Return three significant digits, as all texts on screen show them: 0.25, 12.5, 0.0003, 3.00e-7."""
    text = f"{value:.3g}"
    return _scientific(value) if "e" in text or 0.0 < abs(value) < MIN_PLAIN else text


def format_level(log_alpha: float) -> str:
    """Format a significance level given by its natural logarithm: 0.05, 1e-5, 0."""
    return format_p(log_alpha).replace(".00e", "e")


def format_number(value: float) -> str:
    """Format a number with three significant digits, or all digits before the point; NaN becomes a dash."""
    if math.isnan(value):
        return "–"
    return with_minus(f"{value:,.0f}" if 999.5 <= abs(value) < 1e9 else _three_digits(value))


def format_value(value: float) -> str:
    """Format a value of a column as `format_number` does, but four digits without a separator: it may be a year."""
    return format_number(value).replace(",", "") if abs(value) < 9_999.5 else format_number(value)


def with_minus(number: str) -> str:
    """Return the text of a number with a minus sign in place of a leading hyphen; zero has no sign."""
    if not number.startswith("-"):
        return number
    return f"{MINUS}{number[1:]}" if number.strip("-0.") else number[1:]


def format_probability(value: float) -> str:
    """Format a probability with three digits of it or of its complement: 0.25, 3.10e-9, 1 − 2.00e-7.

    Only exactly 0 and 1 are shown as such; a sum that differs from 1 by rounding errors only is "> 0.999".
    """
    if math.isnan(value):
        return "–"
    if value in (0.0, 1.0):
        return f"{value:.0f}"
    if 1.0 - value < ROUNDING:
        return NEARLY_ONE
    if value > 0.999:
        return f"1\u00a0−\u00a0{format_p(math.log(1.0 - value))}"
    return format_p(math.log(value))


def format_statistic(value: float) -> str:
    """Format a number with three significant digits and thousands separators: 13.1, 17,500; NaN becomes a dash."""
    if math.isnan(value):
        return "–"
    if MIN_PLAIN <= abs(value) < 1e15:
        return with_minus(f"{float(f'{value:.3g}'):,.12g}")
    return with_minus(_three_digits(value))


def format_percent(share: float) -> str:
    """Format a share in percent; a share that only rounds to 0% or 100% becomes <1% or >99%."""
    if 0.0 < share < 0.005:
        return "<\u00a01%"
    return ">\u00a099%" if 0.995 < share < 1.0 else f"{share:.0%}"


def format_signed(value: float) -> str:
    """Format a change like a statistic, with its sign: +31.2."""
    return f"{'+' if value > 0 else ''}{format_statistic(value)}"


def format_set(nodes: Iterable[int], names: Sequence[str]) -> str:
    """Format a conditioning set as {a, b}; an empty one as ∅."""
    shown = ", ".join(shorten(names[k]) for k in nodes)
    return f"{{{shown}}}" if shown else EMPTY_SET
