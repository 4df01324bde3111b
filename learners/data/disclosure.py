"""Decide which values of a table an export may name.

All exports follow this module: reports, network files, recipes, notebooks, templates and query tables. An
export names levels of used columns only, at most `MAX_LEVELS` of a column, and none with fewer than `MIN_ROWS` rows
unless the user asks for these. The range of a numeric column likewise ends where `MIN_ROWS` rows reach.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ..common.sentences import Phrase, Quoted, Sentence
from ..common.wording import quoted
from .column_types.missing_words import is_marker, says_no_answer
from .dataset import Dataset
from .plan.conversion import NO, YES
from .plan.plan import ColumnPlan, Plan
from .plan.preparation import MISSING, OTHER
from .quality.finding import Finding
from .reading.table import Table

MAX_LEVELS = 20  # maximum number of levels of a column that are named, the most frequent ones
MIN_ROWS = 5  # minimum number of rows of a level that is named
OWN_WORDS = (YES, NO, OTHER, MISSING)  # written by this library, not by the table
HIDDEN = "…"
QUOTED = re.compile(r"""(?<!\w)('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?!\w)""")
IN_SENTENCE = re.compile(rf" \({QUOTED.pattern}\)|{QUOTED.pattern}")
SEVERAL = re.compile(rf"{HIDDEN}(?:(?:, | and | or ){HIDDEN})+")


@dataclass(frozen=True)
class Disclosed:
    """The levels of a column that an export may name, and the numbers of rare and of other hidden levels."""

    levels: tuple[str, ...]
    n_rare: int
    n_more: int


def disclosed(dataset: Dataset, j: int, *, rare: bool = False) -> Disclosed:
    """Return the levels of a categorical column that may be named, in their order.

    Parameters
    ----------
    dataset : Dataset
        Data of the run.
    j : int
        A categorical column.
    rare : bool, default False
        Also name levels with few rows, because the user asked for them.
    """
    levels = dataset.levels[dataset.place[j]]
    may, n_rare = _may_be_named(dataset, j, rare=rare)
    names = tuple(str(level) for level, shown in zip(levels, may, strict=True) if shown)
    return Disclosed(names, n_rare, len(levels) - len(names) - n_rare)


def disclosed_range(dataset: Dataset, j: int, *, rare: bool = False) -> tuple[float, float] | None:
    """Return the smallest and the largest number of a continuous column that may be named.

    At least `MIN_ROWS` rows lie at or below the first and at or above the second, because an extreme of fewer rows
    identifies them.

    Parameters
    ----------
    dataset : Dataset
        Data of the run.
    j : int
        A continuous column.
    rare : bool, default False
        Return the extremes, because the user asked for them.

    Returns
    -------
    (low, high) or None
        In the unit of the column; None if too few rows have a number.
    """
    values = np.sort(dataset.values[dataset.is_there(j), dataset.place[j]])
    if len(values) == 0:
        return None
    beyond = 0 if rare or values[0] == values[-1] else MIN_ROWS - 1
    if 2 * beyond >= len(values):
        return None
    return float(values[beyond]), float(values[len(values) - 1 - beyond])


def has_hidden_values(dataset: Dataset) -> bool:
    """Return True if a column has a level or an extreme that may not be named."""
    numeric = (j for j, kind in enumerate(dataset.kinds) if kind == "continuous")
    shorter = (disclosed_range(dataset, j) != disclosed_range(dataset, j, rare=True) for j in numeric)
    return has_hidden_levels(dataset) or any(shorter)


def has_hidden_levels(dataset: Dataset) -> bool:
    """Return True if a categorical column has a level that may not be named."""
    return any(not _may_be_named(dataset, j)[0].all() for j in _categorical(dataset))


def with_coded_levels(dataset: Dataset) -> Dataset:
    """Return the data set with the name ``level k`` for the k-th level of a column if it may not be named."""
    levels = list(dataset.levels or ())
    for j in _categorical(dataset):
        levels[dataset.place[j]] = coded_levels(dataset, j)
    return replace(dataset, levels=tuple(levels)) if levels else dataset


def coded_levels(dataset: Dataset, j: int) -> tuple[str, ...]:
    """Return the names of the levels of a column, with ``level k`` for those that may not be named."""
    levels = dataset.levels[dataset.place[j]]
    may = _may_be_named(dataset, j)[0]
    taken = set(levels)
    pairs = zip(levels, may, strict=True)
    return tuple(level if shown else _free(f"level {k}", taken) for k, (level, shown) in enumerate(pairs, 1))


def sharable(plan: Plan) -> Plan:
    """Return the plan without the settings of ignored columns, which change nothing but may name values."""
    grouped = (plan.weights, plan.one_row_per, plan.resample_by)
    columns = tuple(
        ColumnPlan(one.name, "ignore", source=one.source) if one.kind == "ignore" and one.name not in grouped else one
        for one in plan.columns
    )
    return replace(plan, columns=columns)


def rare_texts(table: Table, plan: Plan) -> tuple[str, ...]:
    """Return the texts that a sharable plan names although they may be private.

    They are missing-value codes other than the usual words, answers, and levels of an order, in fewer than `MIN_ROWS`
    rows.
    """
    found: dict[str, None] = {}
    for column in sharable(plan).columns:
        found |= dict.fromkeys(_rare_codes(table, column))
        if column.treatment is not None and column.treatment.how == "answer":
            own = column.cells(table)
            yes = sum(int(n) for text, n in zip(own.texts.to_pylist(), own.counts, strict=True) if text == YES)
            found |= {column.treatment.answer: None} if yes < MIN_ROWS else {}
        if column.order:
            own = column.cells(table)
            rows = dict(zip(own.texts.to_pylist(), own.counts.tolist(), strict=True))
            found |= dict.fromkeys(level for level in column.order if rows.get(level, MIN_ROWS) < MIN_ROWS)
    return tuple(found)


def redactor(
    dataset: Dataset, table: Table | None = None, plan: Plan | None = None, *, rare: bool = False
) -> Callable[[str], str]:
    """Return a function that hides quoted values in a sentence, except values that may be named.

    Names of columns stay. A hidden value becomes "…"; one in parentheses is left out.
    """
    known = {*dataset.names, *OWN_WORDS}
    for j in _categorical(dataset):
        known.update(disclosed(dataset, j, rare=rare).levels)
    if table is not None and plan is not None:
        known.update(table.names, (one.name for one in plan.columns))
        for column in plan.used:
            known.update(missing_codes(table, column, rare=rare))
            if column.kind == "continuous" and column.treatment is None:
                known.update(_frequent(column, table, rare=rare))
    literals = {literal for text in known for literal in (quoted([text]), repr(text))}

    def redact(sentence: str) -> str:
        return SEVERAL.sub(HIDDEN, IN_SENTENCE.sub(named_or_hidden, sentence))

    def named_or_hidden(found: re.Match[str]) -> str:
        if (found[1] or found[2]) in literals:
            return found[0]
        return "" if found[1] else HIDDEN

    return redact


def disclosed_finding(finding: Finding, table: Table, plan: Plan) -> Finding:
    """Return a finding for an export: its texts quote only values that may be named, and its plans are sharable.

    Parameters
    ----------
    finding : Finding
        Finding on the table under the plan.
    table : Table
    plan : Plan
    """
    known = {"", *OWN_WORDS, *table.names, *(one.name for one in plan.columns)}
    for column in plan.used:
        known.update(missing_codes(table, column), _frequent(column, table, rare=False))
    literals = {literal for text in known for literal in (quoted([text]), repr(text))}

    def shown(value: Any) -> Any:
        """Return a value of a sentence in which hidden texts are replaced."""
        if isinstance(value, Phrase):
            return Phrase(shown(value.sentence), value.names)
        if isinstance(value, str):
            return QUOTED.sub(lambda found: found[0] if found[0] in literals else HIDDEN, value)
        if isinstance(value, Quoted):
            return replace(value, named=tuple(name if name in known else HIDDEN for name in value.named))
        if isinstance(value, Sentence):
            return replace(value, values={name: shown(one) for name, one in value.values.items()})
        if isinstance(value, list | tuple):
            return tuple(map(shown, value))
        if is_dataclass(value):
            return replace(value, **{one.name: shown(getattr(value, one.name)) for one in fields(value)})
        return value

    fixes = tuple(replace(fix, label=shown(fix.label), plan=sharable(fix.plan)) for fix in finding.fixes)
    return replace(finding, reason=shown(finding.reason), fixes=fixes)


def missing_codes(table: Table, column: ColumnPlan, *, rare: bool = False) -> list[str]:
    """Return the missing-value codes of a column that may be named."""
    private = [] if rare else _rare_codes(table, column)
    return [text for text in column.missing if text not in private]


def _rare_codes(table: Table, column: ColumnPlan) -> list[str]:
    """Return the missing-value codes with few rows that are not usual words for a missing value."""
    array = pa.array(list(column.missing), pa.string())
    usual = is_marker(array) | says_no_answer(array)
    unusual = [text for text, known in zip(column.missing, usual, strict=True) if text and not known]
    if not unusual:
        return []
    cells = column.raw(table)
    rows = dict(zip(cells.texts.to_pylist(), cells.counts.tolist(), strict=True))
    return [text for text in unusual if 0 < rows.get(text, 0) < MIN_ROWS]


def _frequent(column: ColumnPlan, table: Table, *, rare: bool) -> Iterable[str]:
    """Return the most frequent texts of a numeric column."""
    cells = column.raw(table)
    often = np.flatnonzero(cells.counts >= (1 if rare else MIN_ROWS))
    often = often[np.argsort(-cells.counts[often], kind="stable")][:MAX_LEVELS]
    return cells.texts.take(pa.array(often)).to_pylist()


def _may_be_named(dataset: Dataset, j: int, *, rare: bool = False) -> tuple[np.ndarray, int]:
    """Return (arity,) bool: the levels that may be named, and the number of rare levels that may not."""
    place = dataset.place[j]
    codes = dataset.codes[place]
    levels = dataset.levels[place]
    rows = np.bincount(codes[codes >= 0], minlength=len(levels))[: len(levels)]
    own = np.isin(np.array(levels, dtype=object), np.array(OWN_WORDS, dtype=object))
    enough = np.ones(len(levels), dtype=bool) if rare else (rows >= MIN_ROWS) | own
    order = np.argsort(np.where(enough, -rows, 1), kind="stable")[:MAX_LEVELS]
    may = np.zeros(len(levels), dtype=bool)
    may[order] = True
    return may & enough, int((~enough).sum())


def _categorical(dataset: Dataset) -> list[int]:
    return [j for j, kind in enumerate(dataset.kinds) if kind == "categorical"]


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    taken.add(name)
    return name
