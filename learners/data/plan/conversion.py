"""Conversions of the texts of a column: spellings, amounts, dates and multiple answers."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...common.checks import as_text, check_choice, check_sequence, check_type
from ...common.wording import count, quoted, was
from ..arrow_arrays import text_array, to_arrow
from ..column_types import dates
from ..column_types.cells import Cells
from ..column_types.numbers import read_amounts

SEPARATORS = (";", "|", "\n", ",")  # the comma comes last, because answers may contain commas
YES, NO = "yes", "no"
How = Literal["spelling", "amount", "date", "answer", "first", "second"]
SIGNS_OF_AMOUNTS = re.compile(r"[^\d\s.,'+\-−()]+")  # units and currencies
HOWS = ("spelling", "amount", "date", "answer", "first", "second")
MARKS = {".": "point", ",": "comma"}
MADE = {
    "days": "days since the first date",
    "year": "years",
    "month": "months",
    "weekday": "days of the week",
    "hours": "hours since midnight",
}


@dataclass(frozen=True)
class Treatment:
    r"""A conversion of the texts of a column. Texts that it cannot read, or that mean "missing", stay unchanged.

    Attributes
    ----------
    how : "spelling", "amount", "date", "answer", "first" or "second"
        "spelling" merges texts that differ only in case and blanks into the most frequent one. "amount" reads numbers
        with currency or percent signs and thousands separators. "date" reads dates, times, or both. "answer" is "yes"
        if a cell contains one answer, else "no". "first" and "second" are the numbers of a pair such as 143/81.
    decimal : "." or ","
        Decimal mark of amounts.
    order : a key of `ORDERS`, such as "ymd", "dmy", "mdy", "time" or "duration"
        Order of day, month and year, of month and year, a time of day, or a duration of any number of hours.
    part : "days", "year", "month", "weekday" or "hours"
        Result of a date: days since the first date of the column, hours since midnight, or a part of the date.
    separator : ";", "|", "\n" or ","
        Separator of the answers in a cell.
    answer : str
        The answer of the column.
    empty_is_no : bool, default False
        An empty cell means that nothing was ticked, not that it is missing.
    block : tuple of str, default ()
        Columns of the same block of a questionnaire: a cell is missing where all of them are empty.
    """

    how: How
    decimal: str = "."
    order: str = "ymd"
    part: str = "days"
    separator: str = ";"
    answer: str = ""
    empty_is_no: bool = False
    block: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_choice("how", self.how, HOWS)
        check_choice("decimal", self.decimal, (".", ","))
        check_choice("order", self.order, tuple(dates.ORDERS))
        check_choice("part", self.part, dates.PARTS)
        check_choice("separator", self.separator, SEPARATORS)
        check_type("answer", self.answer, str, "one of the answers")
        check_type("empty_is_no", self.empty_is_no, bool, "true or false")
        check_sequence("block", self.block, "a list of columns")
        object.__setattr__(self, "block", tuple(as_text("block", name) for name in self.block))


def answers_of(text: str, separator: str) -> tuple[str, ...]:
    """Return the answers in a cell, stripped of blanks."""
    return tuple(part for answer in text.split(separator) if (part := answer.strip()))


def treated(cells: Cells, treatment: Treatment, missing: tuple[str, ...]) -> Cells:
    """Return the cells of a column as converted by the treatment; texts in `missing` stay unchanged."""
    free = ~cells.among(missing)
    if treatment.how == "spelling":
        return _respelled(cells, free)
    if treatment.how == "amount":
        return _renumbered(cells, np.where(free, read_amounts(cells.texts, treatment.decimal), np.nan))
    if treatment.how == "answer":
        return _ticked(cells, free, treatment)
    if treatment.how in ("first", "second"):
        read = cells.pairs.get(treatment.how, np.nan)
        return _renumbered(cells, np.where(free, read, np.nan))
    instants = dates.read_dates(cells.texts, treatment.order)
    if treatment.order == dates.DURATION:
        return _renumbered(cells, np.where(free, dates.hours_of(instants), np.nan))
    return _dated(cells, np.where(free, instants, np.datetime64("NaT")), treatment.part)


def emptied(cells: Cells, rows: np.ndarray) -> Cells:
    """Return the cells with an empty text in the rows of a mask (n,)."""
    if not rows.any():
        return cells
    texts = [*cells.texts.to_pylist(), ""]
    codes = np.where(rows, len(texts) - 1, cells.codes)
    counts = np.bincount(codes, minlength=len(texts))
    whole = Cells(codes, text_array(texts), counts, np.append(cells.numbers, np.nan))
    return _rewritten(whole, texts, whole.numbers)


def conversion_phrase(treatment: Treatment) -> str:
    """Return a phrase on how the treatment reads texts."""
    if treatment.how == "spelling":
        return "as one level whatever case and blanks"
    if treatment.how == "amount":
        return f"as numbers with a decimal {MARKS[treatment.decimal]}"
    if treatment.how in ("first", "second"):
        return f"as the {treatment.how} number of a pair"
    if treatment.how == "answer":
        return f"as whether {treatment.answer!r} is among the answers"
    return f"as {dates.ORDERS[treatment.order]}, taking {_made(treatment)}"


def describe_conversion(
    name: str, treatment: Treatment, before: Cells, after: Cells, rows: np.ndarray | None = None
) -> str:
    """Return a sentence on what the treatment did to the cells of a column in some rows, or in all."""
    if treatment.how == "spelling":
        kept = set(after.texts.to_pylist())
        gone = [k for k, text in enumerate(before.texts.to_pylist()) if text not in kept]
        cells, texts = int(_counts(before, rows)[gone].sum()), quoted([before.texts[k].as_py() for k in gone])
        changed = f"{count(cells, 'cell')} of column {quoted([name])} {was(cells)} changed"
        return f"{changed} to the most frequent spelling: {texts}"
    if treatment.how == "answer":
        counts = _counts(after, rows)
        cells = sum(int(counts[k]) for k, text in enumerate(after.texts.to_pylist()) if text == YES)
        return f"new column {quoted([name])}: ticked in {count(cells, 'row')}"
    read = int(_counts(after, rows)[~np.isnan(after.numbers)].sum())
    if treatment.how == "amount":
        how = _amounts_phrase(treatment, before, after, rows)
        return f"{count(read, 'cell')} of column {quoted([name])} {was(read)} read {how}"
    if treatment.how in ("first", "second"):
        return f"{count(read, 'cell')} of column {quoted([name])} {was(read)} read {conversion_phrase(treatment)}"
    made = _made(treatment)
    if made == MADE["days"] and read:
        made += f" ({first_day(treatment, before, after)!r})"
    cells = f"{count(read, 'cell')} of column {quoted([name])} {was(read)}"
    return f"{cells} read as {dates.ORDERS[treatment.order]} and became {made}"


def _amounts_phrase(treatment: Treatment, before: Cells, after: Cells, rows: np.ndarray | None) -> str:
    """Return a phrase on the reading of amounts: the decimal mark if a number has a fraction, and the removed signs."""
    there = (_counts(after, rows) > 0) & ~np.isnan(after.numbers)
    texts = before.texts.filter(to_arrow(there)).to_pylist() if len(there) == len(before.texts) else []
    signs = sorted({sign for text in texts for sign in SIGNS_OF_AMOUNTS.findall(text)})
    numbers = after.numbers[there]
    how = conversion_phrase(treatment) if (numbers != np.floor(numbers)).any() else "as numbers"
    if not signs:
        return how
    return f"{how}{' ' if how == 'as numbers' else ', '}without {quoted(signs)}"


def _counts(cells: Cells, rows: np.ndarray | None) -> np.ndarray:
    """Return (m,) int: the number of cells of each text in some rows, or in all."""
    return cells.counts if rows is None else np.bincount(cells.codes[rows], minlength=len(cells.texts))


def _made(treatment: Treatment) -> str:
    """Return the numbers that a conversion of dates makes."""
    return "hours" if treatment.order == dates.DURATION else MADE[treatment.part]


def first_day(treatment: Treatment, before: Cells, after: Cells) -> str:
    """Return the day from which days are counted: as written in the table, or as year-month-day if cells have times."""
    k = int(np.nanargmin(after.numbers))
    if after.numbers[k] == 0:
        return before.texts[k].as_py()
    return str(dates.read_dates(before.texts.slice(k, 1), treatment.order)[0].astype("datetime64[D]"))


def spelling(text: str) -> str:
    """Return a key that the spellings of one level share."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def variants(cells: Cells, free: np.ndarray) -> list[list[int]]:
    """Group the texts in the mask `free` that spell the same level, by position, the most frequent first."""
    groups = defaultdict(list)
    for k in np.flatnonzero(free):
        groups[spelling(cells.texts[int(k)].as_py())].append((-int(cells.counts[k]), int(k)))
    return [[k for _, k in sorted(group)] for group in groups.values() if len(group) > 1]


def _respelled(cells: Cells, free: np.ndarray) -> Cells:
    becomes, numbers = cells.texts.to_pylist(), cells.numbers.copy()
    for first, *others in variants(cells, free):
        for k in others:
            becomes[k], numbers[k] = becomes[first], numbers[first]
    return _rewritten(cells, becomes, numbers)


def _renumbered(cells: Cells, numbers: np.ndarray) -> Cells:
    return Cells(cells.codes, cells.texts, cells.counts, numbers)


def _dated(cells: Cells, instants: np.ndarray, part: str) -> Cells:
    numbers, known = np.full(len(instants), np.nan), np.flatnonzero(~np.isnat(instants))
    names = None
    if len(known):
        numbers[known], names = dates.part_of(instants[known], part)
    if part in ("days", "hours"):  # the results are numbers, nearly one per text
        return _renumbered(cells, numbers)
    becomes = cells.texts.to_pylist()
    for k in known:
        becomes[k] = names[int(numbers[k]) - 1] if names else f"{numbers[k]:.0f}"
    return _rewritten(cells, becomes, numbers)


def _ticked(cells: Cells, free: np.ndarray, treatment: Treatment) -> Cells:
    """Return "yes" or "no" for each cell with an answer, and "no" for empty cells if the treatment says so."""
    texts = cells.texts.to_pylist()
    if treatment.empty_is_no:
        texts = [text if text.strip() else NO for text in texts]
    named = [answers_of(text, treatment.separator) if known else () for text, known in zip(texts, free, strict=True)]
    says = [YES if treatment.answer in answers else NO for answers in named]
    becomes = [says[k] if named[k] else text for k, text in enumerate(texts)]
    return _rewritten(cells, becomes, np.where([bool(answers) for answers in named], np.nan, cells.numbers))


def _rewritten(cells: Cells, becomes: list[str], numbers: np.ndarray) -> Cells:
    """Replace each text and its number; equal new texts are merged."""
    first = {text: k for k, text in reversed(list(enumerate(becomes)))}
    texts = sorted(first, key=first.__getitem__)
    position = {text: j for j, text in enumerate(texts)}
    place = np.array([position[text] for text in becomes], dtype=np.int32)
    counts = np.bincount(place, weights=cells.counts, minlength=len(texts)).astype(np.int64)
    codes = place[cells.codes]
    codes.flags.writeable = counts.flags.writeable = False
    return Cells(codes, text_array(texts), counts, numbers[[first[text] for text in texts]])
