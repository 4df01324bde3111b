"""How the texts of a column are read where they are not read as they stand. It is data, as the plan that holds it."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from ...common.checks import check_choice, check_type
from ...common.wording import count, quoted, was
from ..column_types import dates
from ..column_types.cells import Cells
from ..column_types.numbers import read_amounts

SEPARATORS = (";", "|", "\n", ",")  # a comma last: it stands inside answers, too
YES, NO = "yes", "no"
How = Literal["spelling", "amount", "date", "answer"]
HOWS = ("spelling", "amount", "date", "answer")
MARKS = {".": "point", ",": "comma"}
MADE = {
    "days": "days since the first",
    "year": "years",
    "month": "months",
    "weekday": "days of the week",
    "hours": "hours since midnight",
}


@dataclass(frozen=True)
class Treatment:
    """A way to read the texts of a column. Texts that cannot be read so, or mean "missing", stay what they are.

    Attributes
    ----------
    how : "spelling", "amount", "date" or "answer"
        "spelling" takes texts that differ in case and blanks alone for one level, written as in most rows.
        "amount" reads numbers with currency or percent signs and separators between thousands. "date" reads dates,
        times, or both. "answer" tells whether one answer is among those that a cell names.
    decimal : "." or ","
        Decimal mark of amounts.
    order : "ymd", "dmy", "mdy" or "time"
        What stands where in a date.
    part : "days", "year", "month", "weekday" or "hours"
        What a date becomes: days since the first one of the column, hours since midnight, or a part of its name.
    separator : ";", "|", "\\n" or ","
        What stands between the answers of a cell.
    answer : str
        The one that is looked for.
    """

    how: How
    decimal: str = "."
    order: str = "ymd"
    part: str = "days"
    separator: str = ";"
    answer: str = ""

    def __post_init__(self) -> None:
        check_choice("how", self.how, HOWS)
        check_choice("decimal", self.decimal, (".", ","))
        check_choice("order", self.order, tuple(dates.ORDERS))
        check_choice("part", self.part, dates.PARTS)
        check_choice("separator", self.separator, SEPARATORS)
        check_type("answer", self.answer, str, "one of the answers")


def answers_of(text: str, separator: str) -> tuple[str, ...]:
    """The answers that a cell names, without blanks around them."""
    return tuple(part for one in text.split(separator) if (part := one.strip()))


def treated(cells: Cells, treatment: Treatment, missing: tuple[str, ...]) -> Cells:
    """The cells of a column as the treatment reads them; texts in `missing` stay as they are."""
    free = ~cells.among(missing)
    if treatment.how == "spelling":
        return _respelled(cells, free)
    if treatment.how == "amount":
        return _renumbered(cells, np.where(free, read_amounts(cells.texts, treatment.decimal), np.nan))
    if treatment.how == "answer":
        return _ticked(cells, free, treatment)
    instants = dates.read_dates(cells.texts, treatment.order)
    return _dated(cells, np.where(free, instants, np.datetime64("NaT")), treatment.part)


def in_words(treatment: Treatment) -> str:
    """How it reads the texts of a column."""
    if treatment.how == "spelling":
        return "as one level whatever case and blanks"
    if treatment.how == "amount":
        return f"as amounts with a decimal {MARKS[treatment.decimal]}"
    if treatment.how == "answer":
        return f"as whether {treatment.answer!r} is among the answers"
    return f"as {dates.ORDERS[treatment.order]}, taking {MADE[treatment.part]}"


def said(name: str, treatment: Treatment, before: Cells, after: Cells) -> str:
    """One sentence on what the treatment did to the cells of a column."""
    if treatment.how == "spelling":
        kept = set(after.texts.to_pylist())
        gone = [k for k, text in enumerate(before.texts.to_pylist()) if text not in kept]
        cells, texts = int(before.counts[gone].sum()), quoted([before.texts[k].as_py() for k in gone])
        return f"{count(cells, 'cell')} of column {quoted([name])} {was(cells)} written as most of their kind: {texts}"
    if treatment.how == "answer":
        cells = sum(int(after.counts[k]) for k, text in enumerate(after.texts.to_pylist()) if text == YES)
        return f"{treatment.answer!r} {was(cells)} among the answers of {count(cells, 'row')}: column {quoted([name])}"
    read = int(after.counts[~np.isnan(after.numbers)].sum())
    if treatment.how == "amount":
        return f"{count(read, 'cell')} of column {quoted([name])} {was(read)} read {in_words(treatment)}"
    made = MADE[treatment.part]
    if treatment.part == "days" and read:
        made += f", {first_day(treatment, before, after)!r}"
    cells = f"{count(read, 'cell')} of column {quoted([name])} {was(read)}"
    return f"{cells} read as {dates.ORDERS[treatment.order]} and became {made}"


def first_day(treatment: Treatment, before: Cells, after: Cells) -> str:
    """From which day on days are counted: as it is written, or year-month-day where a time stands beside each."""
    k = int(np.nanargmin(after.numbers))
    if after.numbers[k] == 0:
        return before.texts[k].as_py()
    return str(dates.read_dates(before.texts.slice(k, 1), treatment.order)[0].astype("datetime64[D]"))


def spelling(text: str) -> str:
    """What spellings of one level have in common."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def variants(cells: Cells, free: np.ndarray) -> list[list[int]]:
    """Positions of the texts in the mask `free` that are spellings of one level, the one of most rows first."""
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
    if part in ("days", "hours"):  # numbers, nearly as many as there are texts
        return _renumbered(cells, numbers)
    becomes = cells.texts.to_pylist()
    for k in known:
        becomes[k] = names[int(numbers[k]) - 1] if names else f"{numbers[k]:.0f}"
    return _rewritten(cells, becomes, numbers)


def _ticked(cells: Cells, free: np.ndarray, treatment: Treatment) -> Cells:
    """A cell that names no answer at all is left as it stands."""
    texts = cells.texts.to_pylist()
    named = [answers_of(text, treatment.separator) if known else () for text, known in zip(texts, free, strict=True)]
    says = [YES if treatment.answer in answers else NO for answers in named]
    becomes = [says[k] if named[k] else text for k, text in enumerate(texts)]
    return _rewritten(cells, becomes, np.where([bool(answers) for answers in named], np.nan, cells.numbers))


def _rewritten(cells: Cells, becomes: list[str], numbers: np.ndarray) -> Cells:
    """The cells with another text, and its number, in the place of each."""
    first = {text: k for k, text in reversed(list(enumerate(becomes)))}
    texts = sorted(first, key=first.__getitem__)
    position = {text: j for j, text in enumerate(texts)}
    place = np.array([position[text] for text in becomes], dtype=np.int32)
    counts = np.bincount(place, weights=cells.counts, minlength=len(texts)).astype(np.int64)
    codes = place[cells.codes]
    codes.flags.writeable = counts.flags.writeable = False
    return Cells(codes, pa.array(texts, pa.string()), counts, numbers[[first[text] for text in texts]])
