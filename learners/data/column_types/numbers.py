"""Numbers written as text: plain ones, and amounts with currency signs, percent signs and thousands separators."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_arrays import NO_TEXT, to_numbers

_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?([iI][nN][fF]([iI][nN][iI][tT][yY])?)$"
CURRENCIES = {"€": "eur", "$": "usd", "£": "gbp", "¥": "jpy", "₹": "inr", "fr.": "chf"}
SHARES = ("%", "‰")
_SIGN = r"[€$£¥₹%‰]|(?i:eur|usd|gbp|jpy|inr|chf|fr\.)"
_BLANK = "[ \u00a0\u2009\u202f]"  # space, no-break space, thin space and narrow no-break space


def as_numbers(texts: pa.Array, decimal: str) -> np.ndarray:
    """Parse texts as (m,) float64, NaN where a text is not a number. Thousands separators are not accepted."""
    if decimal == ".":
        try:  # most columns of a large file have only plain numbers, which a cast reads four times as fast
            return to_numbers(pc.cast(texts, pa.float64()))
        except pa.ArrowInvalid:
            pass
    trimmed = pc.utf8_trim_whitespace(texts)
    if decimal == ",":
        # A point is not a decimal mark here: replace it, so that the text is not a number.
        trimmed = pc.replace_substring(pc.replace_substring(trimmed, ".", "x"), ",", ".")
    is_number = pc.match_substring_regex(trimmed, _NUMBER)
    return to_numbers(pc.cast(pc.if_else(is_number, trimmed, NO_TEXT), pa.float64()))


def _pattern(decimal: str) -> str:
    other = "," if decimal == "." else "[.]"
    thousands = "|".join(rf"[0-9]{{1,3}}(?:{mark}[0-9]{{3}})+" for mark in (other, _BLANK, "['\u2019]"))
    fraction = rf"(?:\{decimal}[0-9]+)?"
    return (
        rf"^(?P<minus>[+-]?){_BLANK}*(?P<before>{_SIGN})?{_BLANK}*(?P<inner>[+-]?)(?P<whole>{thousands}|[0-9]+)"
        rf"(?P<fraction>{fraction}){_BLANK}*(?P<behind>{_SIGN})?$"
    )


_PATTERNS = {decimal: _pattern(decimal) for decimal in ".,"}


def read_amounts(texts: pa.Array, decimal: str) -> np.ndarray:
    """Parse texts as amounts, (m,) float64, NaN where a text is not an amount; ``12 %`` is 12."""
    found = _found(texts, decimal)
    whole = pc.replace_substring_regex(found.field("whole"), "[^0-9]", "")
    fraction = pc.replace_substring(found.field("fraction"), ",", ".")
    sign = pc.binary_join_element_wise(found.field("minus"), found.field("inner"), "")
    single = pc.if_else(pc.less_equal(pc.utf8_length(sign), 1), sign, NO_TEXT)  # --5 is not a number
    digits = pc.binary_join_element_wise(single, whole, fraction, "")
    valid = pc.and_(found.is_valid(), digits.is_valid())
    return to_numbers(pc.cast(pc.if_else(valid, digits, NO_TEXT), pa.float64()))


def units_of(texts: pa.Array, decimal: str) -> list[str]:
    """Return the unit of each text that is an amount, "" if it has none; ``eur`` for both € and EUR."""
    found = _found(texts, decimal).drop_null()
    signs = pc.utf8_lower(pc.binary_join_element_wise(found.field("before"), found.field("behind"), ""))
    return [CURRENCIES.get(sign, sign) for sign in signs.to_pylist()]


def have_one_unit(units: list[str]) -> bool:
    """Return True if amounts are comparable: they have at most one currency, or all are percentages."""
    kinds = set(units)
    return len(kinds) <= 1 or len(kinds - {""}) == 1 and not kinds & set(SHARES)


def _found(texts: pa.Array, decimal: str) -> pa.StructArray:
    trimmed = pc.replace_substring(pc.utf8_trim_whitespace(texts), "\u2212", "-")
    return pc.extract_regex(trimmed, pattern=_PATTERNS[decimal])
