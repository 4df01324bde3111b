"""Dates and times written as text, and the numbers and parts made of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_arrays import EMPTY, ZERO, to_arrow, to_numbers, to_numpy

COMPACT, DURATION, MONTH_YEAR = "compact", "duration", "my"
ORDERS = {
    "ymd": "year-month-day",
    "dmy": "day/month/year",
    "mdy": "month/day/year",
    "dby": "day, name of the month, year",
    "bdy": "name of the month, day, year",
    "ym": "year-month",
    MONTH_YEAR: "month/year",
    "by": "name of the month, year",
    "yq": "year and quarter",
    "time": "hours:minutes",
    COMPACT: "yyyymmdd",
    DURATION: "hours:minutes above 24 hours",
}
WITHOUT_DAYS = ("ym", MONTH_YEAR, "by", "yq")
PARTS = ("days", "year", "month", "weekday", "hours")
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
GERMAN_MONTHS = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
NUMBER_OF = {
    name[:length].lower(): month
    for names in (MONTHS, GERMAN_MONTHS)
    for month, name in enumerate(names, 1)
    for length in (3, len(name))
} | {"maerz": 3, "mrz": 3, "sept": 9}
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
LATEST_SHORT_YEAR = 68  # as in POSIX: years 69 to 99 belong to the last century
_DAY, _MONTH, _YEAR = "(?P<d>[0-9]{1,2})", "(?P<m>[0-9]{1,2})", "(?P<y>[0-9]{4}|[0-9]{2})"
_NAME, _GAP = r"(?P<b>\p{L}{3,9})", "[-/., ]{0,2}"
_CLOCK = (
    r"(?P<h>[0-9]{1,2}):(?P<min>[0-9]{2})(?::(?P<s>[0-9]{2}(?:\.[0-9]+)?))?"
    r"(?: ?(?P<half>[AaPp])[Mm])?(?:Z|[+-]00:?00)?"
)
_DATE = {
    "ymd": rf"(?P<y>[0-9]{{4}})[-/.]{_MONTH}[-/.]{_DAY}",
    "dmy": rf"{_DAY}[-/.]{_MONTH}[-/.]{_YEAR}",
    "mdy": rf"{_MONTH}[-/]{_DAY}[-/]{_YEAR}",  # dates with points always have the day first
    "dby": rf"{_DAY}{_GAP}{_NAME}{_GAP}{_YEAR}",
    "bdy": rf"{_NAME}{_GAP}{_DAY}(?:st|nd|rd|th)?{_GAP}(?P<y>[0-9]{{4}})",
    COMPACT: r"(?P<y>1[5-9][0-9]{2}|20[0-9]{2}|21[0-9]{2})(?P<m>[0-9]{2})(?P<d>[0-9]{2})",
}
_PATTERNS = {order: rf"^{date}(?:[T: ]+{_CLOCK})?$" for order, date in _DATE.items()} | {
    # Points are decimal, and 5-40 may be a result. The years 2010 to 2012 need four digits, since 6/12 may be a share.
    "ym": rf"^(?P<y>[0-9]{{4}})[-/:M]{_MONTH}$",
    MONTH_YEAR: rf"^{_MONTH}/(?P<y>[0-9]{{4}}|0[0-9]|1[3-9]|[2-9][0-9])$",
    "by": rf"^{_NAME}{_GAP}{_YEAR}$",
    "yq": r"^(?P<y>[0-9]{4})[-:/ ]?[Qq](?P<q>[1-4])$",
    "time": rf"^{_CLOCK}$",
    DURATION: r"^(?P<h>[0-9]{1,4}):(?P<min>[0-9]{2})(?::(?P<s>[0-9]{2}(?:\.[0-9]+)?))?(?P<half>)$",
}
_FIRST_DAY = np.datetime64("1970-01-01", "D")


def read_dates(texts: pa.Array, order: str) -> np.ndarray:
    """Parse texts in one order of day, month and year as (m,) datetime64[ms].

    Texts that do not match are NaT. Times without a date fall on 1970-01-01, durations begin there. Months and quarters
    are their first days.
    """
    found = pc.extract_regex(pc.utf8_trim_whitespace(texts), pattern=_PATTERNS[order])
    instants = np.full(len(texts), np.datetime64("NaT"), dtype="datetime64[ms]")
    at = np.flatnonzero(to_numpy(found.is_valid()))
    if len(at):
        fields = found.take(to_arrow(at))
        days = np.full(len(at), _FIRST_DAY) if order in ("time", DURATION) else _days(fields)
        last_hour = np.inf if order == DURATION else 23
        clock = 0 if order in WITHOUT_DAYS else _milliseconds(fields, last_hour)
        instants[at] = days.astype("datetime64[ms]") + clock
    return instants


def part_of(instants: np.ndarray, part: str) -> tuple[np.ndarray, list[str] | None]:
    """Return a part of dates and times as numbers, and the names of the numbers 1, 2, ... if they have names.

    Parameters
    ----------
    instants : (m,) datetime64[ms], without NaT
    part : str, one of PARTS
        Days since the first of them, year, month, weekday, or hours since midnight.
    """
    days = instants.astype("datetime64[D]")
    if part == "days":
        return (instants - days.min(initial=days[0])) / np.timedelta64(1, "D"), None
    if part == "year":
        return days.astype("datetime64[Y]").astype(np.int64) + 1970.0, None
    if part == "month":
        return days.astype("datetime64[M]").astype(np.int64) % 12 + 1.0, MONTHS
    if part == "weekday":
        return (days.astype(np.int64) + 3) % 7 + 1.0, WEEKDAYS  # 1970-01-01 was a Thursday
    return (instants - days) / np.timedelta64(1, "h"), None


def hours_of(instants: np.ndarray) -> np.ndarray:
    """Return (m,) float64: the hours of durations that `read_dates` read; NaN for NaT."""
    return (instants - _FIRST_DAY) / np.timedelta64(1, "h")


def has_times(instants: np.ndarray) -> bool:
    """Return True if one of the times is not midnight."""
    known = instants[~np.isnat(instants)]
    return bool((known != known.astype("datetime64[D]")).any())


def _days(fields: pa.StructArray) -> np.ndarray:
    """Return (k,) datetime64[D]; NaT for dates that do not exist, such as the 31st of June."""
    year, month, day = _whole(fields, "y"), _month(fields), _whole(fields, "d") if _has(fields, "d") else 1
    short = to_numpy(pc.utf8_length(fields.field("y"))) == 2
    year = year + np.where(short, np.where(year <= LATEST_SHORT_YEAR, 2000, 1900), 0)
    months = (year - 1970).astype("datetime64[Y]").astype("datetime64[M]") + (np.clip(month, 1, 12) - 1)
    days = months.astype("datetime64[D]") + (day - 1)
    valid = (month >= 1) & (month <= 12) & (days.astype("datetime64[M]") == months)
    return np.where(valid, days, np.datetime64("NaT"))


def _month(fields: pa.StructArray) -> np.ndarray:
    """Return (k,) int64: the months, 0 for a name that is none; of a quarter the first one."""
    if _has(fields, "b"):
        names = pc.utf8_lower(fields.field("b")).dictionary_encode()
        return np.array([NUMBER_OF.get(name, 0) for name in names.dictionary.to_pylist()])[to_numpy(names.indices)]
    return 3 * _whole(fields, "q") - 2 if _has(fields, "q") else _whole(fields, "m")


def _has(fields: pa.StructArray, name: str) -> bool:
    return fields.type.get_field_index(name) >= 0


def _milliseconds(fields: pa.StructArray, last_hour: float) -> np.ndarray:
    """Return (k,) timedelta64[ms] since midnight; NaT for times that do not exist or have later hours."""
    hour, minute = _whole(fields, "h"), _whole(fields, "min")
    second = to_numbers(pc.cast(pc.if_else(pc.equal(fields.field("s"), EMPTY), ZERO, fields.field("s")), pa.float64()))
    half = np.asarray(pc.utf8_lower(fields.field("half")).to_pylist())
    valid = np.where(half == "", hour <= last_hour, (hour >= 1) & (hour <= 12)) & (minute <= 59) & (second < 60)
    hour = np.where(half == "", hour, hour % 12 + 12 * (half == "p"))
    span = np.rint((hour * 3600 + minute * 60 + second) * 1000).astype("timedelta64[ms]")
    return np.where(valid, span, np.timedelta64("NaT"))


def _whole(fields: pa.StructArray, name: str) -> np.ndarray:
    texts = fields.field(name)
    return to_numpy(pc.cast(pc.if_else(pc.equal(texts, EMPTY), ZERO, texts), pa.int64()))
