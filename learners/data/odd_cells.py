"""Cells that are probably not what they say: texts among numbers, and numbers that stand for "no answer"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow.compute as pc

from ..common.wording import all_items, count, quoted, quoted_columns
from .columns import FEW_NUMBERS
from .dataset_health import Finding, Fix
from .guess import MOST_NUMBERS, Cells, ColumnGuess, Use, kind_of
from .plan import ColumnPlan, Plan
from .tables import Table

MOST_MARKS = 5  # different texts that may be marks
CODES = (-9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0)  # usual in surveys for "no answer"
FAR = 1.5  # times the range of all other numbers beyond which a code is no value
FEWEST_VALUES = 3  # different other numbers that tell a range
MOST_ALONE = 4  # columns or texts that have a fix of their own, beside the one for all

Label = Callable[[str, Sequence[str]], str]


def odd_findings(table: Table, plan: Plan) -> list[Finding]:
    """Columns with such cells, all of a kind in one finding, with one fix for all of them; none for one thing twice."""
    words, numbers = _words_for_missing(table, plan), _numbers_but_for(table, plan)
    if set(words) <= set(numbers):
        words = {}
    numbers = {name: odd for name, odd in numbers.items() if not set(odd) <= set(words.get(name, ()))}
    digits = {name: odd for name, odd in _digits_but_for(table, plan).items() if name not in {*words, *numbers}}
    found = [*_no_answers(table, plan, words), *_nearly_numbers(plan, numbers), *_beside_digits(table, plan, digits)]
    return [*found, *_coded(table, plan)]


def untouched(table: Table, plan: Plan) -> Iterator[tuple[ColumnPlan, Cells]]:
    """Columns that are no numbers by guess, and that nobody has decided on."""
    for guess in table.guess.columns:
        column = plan.column(guess.name)
        by_guess = column.kind == guess.kind and column.kind != "continuous"
        if by_guess and column.binning is None and column.treatment is None:
            yield column, column.cells(table)


def texts_among_numbers(cells: Cells, column: ColumnPlan, more_than: int) -> list[str] | None:
    """Texts of a column of numbers that are none; None if the column is no such, or has no more different numbers."""
    filled = ~cells.among(column.missing) & ~np.asarray(pc.equal(pc.utf8_trim_whitespace(cells.texts), ""))
    number, odd = filled & ~np.isnan(cells.numbers), filled & np.isnan(cells.numbers)
    if odd.sum() > MOST_MARKS or cells.counts[number].sum() < MOST_NUMBERS * cells.counts[filled].sum():
        return None
    if np.unique(cells.numbers[number]).size <= more_than:
        return None
    return [cells.texts[k].as_py() for k in np.flatnonzero(odd)]


def with_missing(plan: Plan, texts: dict[str, Sequence[str]], **settings: object) -> Plan:
    """The plan with more missing marks in some columns, and other settings of theirs."""
    for name, marks in texts.items():
        plan = plan.change(name, missing=(*plan.column(name).missing, *marks), **settings)
    return plan


def fixes_of(names: Sequence[str], label: Label, plan_of: Callable[[Sequence[str]], Plan]) -> tuple[Fix, ...]:
    """What is done to all these columns at once; then, where they are few, to each of them alone.

    `label` is asked with how the columns are called, and with the columns.
    """
    if len(names) == 1:
        return (Fix(label(quoted(names), names), plan_of(names)),)
    alone = names if len(names) <= MOST_ALONE else ()
    return (
        Fix(label(all_items(len(names), "column"), names), plan_of(names)),
        *(Fix(label(f"{quoted([name])} alone", [name]), plan_of([name])) for name in alone),
    )


def and_missing(marks: dict[str, Sequence[str]]) -> str:
    """The texts of some columns that become missing, for the label of a fix."""
    texts = _all_texts(marks)
    return f", with {quoted(texts)} missing" if texts else ""


def _numbers_but_for(table: Table, plan: Plan) -> dict[str, list[str]]:
    """Columns that would be numbers but for some texts, with these."""
    return {
        column.name: found
        for column, cells in untouched(table, plan)
        if (found := texts_among_numbers(cells, column, FEW_NUMBERS))
    }


def _digits_but_for(table: Table, plan: Plan) -> dict[str, list[str]]:
    """Columns whose levels are a few numbers but for some words, with these; "5+" is no word."""
    return {
        column.name: found
        for column, cells in untouched(table, plan)
        if (found := texts_among_numbers(cells, column, FEWEST_VALUES - 1))
        and not any(letter.isdigit() for text in found for letter in text)
    }


def _words_for_missing(table: Table, plan: Plan) -> dict[str, list[str]]:
    """Columns with texts that often mean "missing" but are levels under this plan, with these."""
    return {
        guess.name: texts
        for guess in table.guess.columns
        if (texts := _levels_among(guess, plan.column(guess.name), table))
    }


def _nearly_numbers(plan: Plan, marks: dict[str, list[str]]) -> list[Finding]:
    if not marks:
        return []
    holds, taken = ("holds", "it is") if len(marks) == 1 else ("hold", "they are")
    reason = (
        f"{quoted_columns(list(marks))} {holds} numbers but for {quoted(_all_texts(marks))}, so {taken} taken for text"
    )
    fixes = fixes_of(
        list(marks),
        lambda them, names: f"read {them} as numbers{and_missing({name: marks[name] for name in names})}",
        lambda names: with_missing(plan, {name: marks[name] for name in names}, kind="continuous"),
    )
    return [Finding("warning", "nearly_numbers", tuple(marks), reason, fixes)]


def _beside_digits(table: Table, plan: Plan, marks: dict[str, list[str]]) -> list[Finding]:
    if not marks:
        return []
    texts, names = _all_texts(marks), list(marks)
    one = len(texts) == 1
    reason = (
        f"all other levels of {quoted_columns(names)} are numbers, so {quoted(texts)} may mean missing, but "
        f"{'is a level' if one else 'are levels'} like any other"
    )
    return [Finding("warning", "beside_digits", tuple(names), reason, (_missing_in(table, plan, texts, names, marks),))]


def _no_answers(table: Table, plan: Plan, marks: dict[str, list[str]]) -> list[Finding]:
    """Said, and left to the user."""
    if not marks:
        return []
    found = {text: [name for name in marks if text in marks[name]] for text in _all_texts(marks)}
    texts, names = list(found), list(marks)
    cells = sum(m.count for guess in table.guess.columns for m in guess.markers if m.text in marks.get(guess.name, ()))
    mean, are = ("means", "is a level") if len(texts) == 1 else ("mean", "are levels")
    reason = (
        f"{quoted(texts)} often {mean} missing, but {are} like any other in {count(cells, 'cell')} of "
        f"{quoted_columns(names)}"
    )
    fixes = [_missing_in(table, plan, texts, names, marks)]
    if 1 < len(texts) <= MOST_ALONE:
        fixes += [_missing_in(table, plan, [text], where, marks) for text, where in found.items()]
    return [Finding("warning", "possible_missing", tuple(names), reason, tuple(fixes))]


def _levels_among(guess: ColumnGuess, column: ColumnPlan, table: Table) -> list[str]:
    """Texts of a column that often mean "missing" and are levels of it, or keep it from being numbers."""
    texts = [marker.text for marker in guess.markers if marker.text not in column.missing]
    if texts and column.kind == guess.kind == "ignore":
        return texts if _kind_with(table, column, texts) == "continuous" else []
    return texts if column.kind == "categorical" else []


def _missing_in(
    table: Table, plan: Plan, texts: Sequence[str], names: Sequence[str], marks: dict[str, list[str]]
) -> Fix:
    """The texts become missing in all these columns; what was a level for want of numbers alone becomes numbers."""
    changed = plan
    for name in names:
        column, own = plan.column(name), [text for text in marks[name] if text in texts]
        changed = with_missing(changed, {name: own}, kind=_kind_with(table, column, own))
    where = quoted(names) if len(names) == 1 else all_items(len(names), "column")
    return Fix(f"take {quoted(texts)} as missing in {where}", changed)


def _kind_with(table: Table, column: ColumnPlan, texts: Sequence[str]) -> Use:
    """The kind of a column that nobody has decided on, once more texts of it are missing."""
    guess = table.guess.of(column.name)
    if column.kind != guess.kind or column.binning is not None or column.treatment is not None:
        return column.kind
    cells = column.cells(table)
    kind = kind_of(cells, cells.among((*column.missing, *texts)))[0]
    return column.kind if kind == "ignore" else kind


def _coded(table: Table, plan: Plan) -> list[Finding]:
    """Numbers that stand for "no answer": far from all others, or the only ones among words."""
    far = {
        column.name: found
        for column in plan.columns
        if (cells := _numbers(table, column)) and (found := _codes_of(cells, column))
    }
    alone = {
        column.name: found
        for column, cells in untouched(table, plan)
        if column.kind == "categorical" and column.name not in far and (found := _codes_among_words(cells, column))
    }
    if not far and not alone:
        return []
    marks = far | alone
    said = []
    for some, one, more in (
        (far, "stands far from all other numbers", "stand far from all other numbers"),
        (alone, "is the only number", "are the only numbers"),
    ):
        if some:
            texts = _all_texts(some)
            said.append(f"{quoted(texts)} {one if len(texts) == 1 else more} of {quoted_columns(list(some))}")
    reason = f"{', and '.join(said)}, as codes for a missing answer do"
    fix = Fix(f"take {quoted(_all_texts(marks))} as missing", with_missing(plan, marks))
    return [Finding("warning", "codes", tuple(marks), reason, (fix,))]


def _numbers(table: Table, column: ColumnPlan) -> Cells | None:
    """The cells of a column of numbers, or of levels that are numbers for the most part."""
    if column.kind == "continuous":
        return column.cells(table)
    if column.kind == "ignore" or column.binning is not None or column.treatment is not None:
        return None
    cells = column.cells(table)
    return None if texts_among_numbers(cells, column, FEWEST_VALUES - 1) is None else cells


def _codes_of(cells: Cells, column: ColumnPlan) -> list[str]:
    """Texts of numbers that are usual codes and lie apart from the others."""
    number = ~cells.among(column.missing) & np.isfinite(cells.numbers)
    code = number & np.isin(cells.numbers, CODES)
    others = cells.numbers[number & ~code]
    if np.unique(others).size < FEWEST_VALUES:
        return []
    low, high = float(others.min()), float(others.max())
    apart = (cells.numbers > high + FAR * (high - low)) | (cells.numbers < low - FAR * (high - low))
    apart |= (cells.numbers < 0) & (low >= 0)
    return [cells.texts[k].as_py() for k in np.flatnonzero(code & apart)]


def _codes_among_words(cells: Cells, column: ColumnPlan) -> list[str]:
    """Usual codes of a column that holds no other number but words, two at least."""
    filled = ~cells.among(column.missing) & ~np.asarray(pc.equal(pc.utf8_trim_whitespace(cells.texts), ""))
    number = filled & ~np.isnan(cells.numbers)
    if not number.any() or (filled & ~number).sum() < 2 or not np.isin(cells.numbers[number], CODES).all():
        return []
    return [cells.texts[k].as_py() for k in np.flatnonzero(number)]


def _all_texts(marks: dict[str, Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(text for found in marks.values() for text in found))
