"""Detect changes of a plan that destroy a column or a level, so that no fix suggests them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from ..arrow_arrays import to_numpy
from ..column_types.cells import Cells
from ..column_types.missing_words import is_marker, says_no_answer
from ..plan.conversion import NO, spelling, variants
from ..plan.plan import ColumnPlan, Plan
from ..reading.table import Table

# Maximum share of the filled cells of a column that a fix may lose; a text with more cells is a level.
MAX_LOST_SHARE = 0.05
# Marks that are a value beside their counterpart: "-" beside "+" is a negative test, "." beside "x" an empty box.
COUNTERPARTS = {
    "-": ("+", "++", "(+)", "x"),
    "--": ("+", "++"),
    ".": ("x", "*", "+"),
    "?": ("!",),
    "*": ("x", "-", "**"),
}
LEVEL_WORDS = frozenset({"none"})  # marks that are a value among words, such as the control arm of a trial


def loses(table: Table, before: Plan, after: Plan) -> bool:
    """Return True if a change of the plan destroys a column or a level of it; see `lost_columns`."""
    return bool(lost_columns(table, before, after))


def lost_columns(table: Table, before: Plan, after: Plan) -> list[str]:
    """Return the columns that a change of the plan destroys, or in which it destroys a level.

    A column is destroyed if it varied and is constant or ignored afterwards; a level, if it has more than
    `MAX_LOST_SHARE` of the filled cells of a column and becomes missing or is merged with others. Spellings of one
    level may be merged, unless case may have a meaning, as in alleles and units. In columns that are numbers
    afterwards, marks such as "*nc*" and words for "no answer" may become missing, but neither texts with a digit, such
    as "136A", nor more than that share of other words and signs, such as "never" or "+".
    """
    own = {column.name: column for column in after.columns}
    parts: dict[str, list[ColumnPlan]] = {}
    for column in after.columns:
        if column.source:
            parts.setdefault(column.source, []).append(column)
    return [
        column.name
        for column in before.columns
        if column.name in own
        and column != own[column.name]
        and column.kind != "ignore"
        and _loses(table, column, own[column.name], parts.get(column.name, ()))
    ]


def _loses(table: Table, before: ColumnPlan, after: ColumnPlan, parts: Sequence[ColumnPlan]) -> bool:
    """Return True if a column is destroyed, or a level of it; `parts` are the columns that it is split into."""
    cells, left = before.cells(table), after.cells(table)
    seen = _is_filled(cells, before)
    if np.count_nonzero(seen) < 2:
        return False
    if after.kind == "ignore":
        return not parts or (
            _loses_answers(table, cells, seen, parts)
            if parts[0].treatment is not None and parts[0].treatment.how == "answer"
            else _loses_words(cells, _lost(table, cells, seen, parts), seen, converted=True)
        )
    still = _is_filled(left, after)
    lost = _lost(table, cells, seen, (after,))
    rows = cells.counts[seen].sum()
    merges = after.kind == "categorical" and after.min_level_count > before.min_level_count
    if merges and left.counts[still & (left.counts < after.min_level_count)].sum() > MAX_LOST_SHARE * rows:
        return True
    if after.treatment is not None and after.treatment.how == "spelling" and before.treatment is None:
        least = MAX_LOST_SHARE * rows
        return any(cells.counts[k] >= least for k in _merged_symbols(cells, seen)) or np.count_nonzero(still) < 2
    if after.kind == "continuous" or _are_numbers(left, still):
        return _loses_words(cells, lost, seen, converted=after.treatment != before.treatment)
    return np.count_nonzero(still) < 2 or lost.max() > MAX_LOST_SHARE * rows


def _are_numbers(cells: Cells, filled: np.ndarray) -> bool:
    """Return True if the filled texts are numbers, and perhaps fewer texts such as "*nc*"."""
    is_number = filled & np.isfinite(cells.numbers)
    others = filled & ~is_number
    n_numbers, n_others = np.unique(cells.numbers[is_number]).size, np.count_nonzero(others)
    return n_numbers > n_others and bool(cells.framed[others].all())


def _lost(table: Table, cells: Cells, seen: np.ndarray, parts: Sequence[ColumnPlan]) -> np.ndarray:
    """Return the number of rows of each text seen in a column, (m,) int64, that have no value in any of `parts`."""
    values = [(part.cells(table), part) for part in parts]
    missing = np.logical_and.reduce([~_is_filled(own, part)[own.codes] for own, part in values])
    return np.bincount(cells.codes[missing], minlength=len(seen)) * seen


def _loses_answers(table: Table, cells: Cells, seen: np.ndarray, parts: Sequence[ColumnPlan]) -> bool:
    """Return True if too many cells have only answers without a column, and so look unanswered."""
    values = [part.cells(table) for part in parts]
    unnamed = np.logical_and.reduce([own.among((NO,))[own.codes] for own in values])
    lost = np.bincount(cells.codes[unnamed], minlength=len(seen)) * seen
    return bool(lost.sum() > MAX_LOST_SHARE * cells.counts[seen].sum())


def _loses_words(cells: Cells, lost: np.ndarray, seen: np.ndarray, *, converted: bool) -> bool:
    """Return True if a column that becomes numbers loses a text with a digit, or many cells with words and signs.

    A number may become missing, as 999 does, but not because a conversion cannot read it, such as 1e9 beside 10,000.
    """
    texts = (lost > 0) & (np.isnan(cells.numbers) | converted)
    words = texts & ~is_marker(cells.texts) & ~says_no_answer(cells.texts) & ~cells.framed
    return bool((texts & has_digit(cells)).any() or lost[words].sum() > MAX_LOST_SHARE * cells.counts[seen].sum())


def _merged_symbols(cells: Cells, seen: np.ndarray) -> list[int]:
    """Return the texts that differ from a more frequent one in case, where case may have a meaning.

    It may have one in single letters, such as the alleles A and a, in repeated ones, such as AA, Aa and aa, and in
    texts of mixed case, such as AaBb.
    """
    found = []
    for first, *others in variants(cells, seen):
        plain = " ".join(cells.texts[first].as_py().split())
        for k in others:
            other = " ".join(cells.texts[k].as_py().split())
            is_symbol = len(set(spelling(other))) == 1 or not (_has_usual_case(plain) and _has_usual_case(other))
            if is_symbol and other != plain:
                found.append(k)
    return found


def _has_usual_case(text: str) -> bool:
    return text in (text.lower(), text.upper(), text.capitalize(), text.title())


def _is_filled(cells: Cells, column: ColumnPlan) -> np.ndarray:
    """Return (m,) bool: the texts that are values of a column."""
    filled = ~cells.among(column.missing) & ~cells.blank
    return filled & np.isfinite(cells.numbers) if column.kind == "continuous" else filled


def has_digit(cells: Cells) -> np.ndarray:
    """Return (m,) bool: the texts with a digit."""
    return to_numpy(pc.match_substring_regex(cells.texts, r"\p{Nd}"))


def may_be_value(text: str, cells: Cells, column: ColumnPlan) -> bool:
    """Return True if a text that often means "missing" may be a value of this column."""
    plain = text.strip().lower()
    others = _is_filled(cells, column) & ~cells.among((text,))
    if others.any() and not np.isnan(cells.numbers[others]).any():
        return False  # all others are numbers
    levels = {level.strip().lower() for level in cells.texts.filter(others).to_pylist()}
    if not plain.isalnum() and len(set(plain)) == 1 and any(set(level) == set(plain) for level in levels):
        return True  # a scale of signs, such as *, ** and ***
    return plain in LEVEL_WORDS or bool(levels.intersection(COUNTERPARTS.get(plain, ())))
