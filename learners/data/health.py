"""What is wrong with a table under a plan, each with ways out that are plans themselves: ``plan = fix.plan``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ..common.validation import validated
from ..common.wording import count, quoted, quoted_columns
from .columns import MAX_LEVELS
from .dataset import Dataset
from .dataset_health import MIN_ROWS, Finding, Fix, check_dataset, data_findings, size_findings
from .guess import ROWS_PER_LEVEL
from .mixed_findings import (
    absence_findings,
    apart_findings,
    never_findings,
    refused_weights,
    shape_findings,
    weight_findings,
    wide_findings,
)
from .odd_cells import and_missing, odd_findings, with_missing
from .plan import Binning, ColumnPlan, Plan
from .prepare import build, kept_rows
from .readings import reading_findings, ways_to_read
from .serial_dependence import serial_findings
from .several_answers import answer_findings
from .sum_scores import with_sums
from .tables import Table
from .treatments import in_words

__all__ = ["Finding", "Fix", "check_dataset", "check_health"]

OF_LEVELS = ("small_counts", "many_levels")
MAX_MARKERS = 20  # odd texts of a numeric column that one fix declares missing


@validated
def check_health(table: Table, plan: Plan) -> tuple[Finding, ...]:
    """Everything to know about a table and a plan before learning, blockers first.

    Parameters
    ----------
    table : Table
    plan : Plan

    Returns
    -------
    tuple of Finding
        Without a blocker, `prepare(table, plan)` raises nothing. Taking the first fix of the first blocker again and
        again ends in such a plan, or in a blocker without fixes that says what only the user can do.
    """
    blocked = [finding for column in plan.used if (finding := _column_blocker(table, plan, column))]
    stopped = {name for finding in blocked for name in finding.columns}
    sound = [column for column in plan.used if column.name not in stopped]
    of_weights = weight_findings(table, plan)
    wrong = any(finding.severity == "blocker" for finding in of_weights)
    keep = kept_rows(table, replace(plan, columns=_with_weights(plan, sound), weights="" if wrong else plan.weights))
    n = int(keep.sum())
    found = [*blocked, *of_weights]
    if n and sound:
        dataset = build(table, sound, keep, plan.missing_policy, [])
        wrong_with = [*wide_findings(dataset), *data_findings(dataset)]
        found += [_with_fixes(finding, table, plan) for finding in wrong_with]
        found += [] if wrong or not plan.weights else refused_weights(table, plan, dataset, keep)
        all_rows = _with_holes(table, plan, sound, dataset)
        found += [*shape_findings(dataset, plan), *apart_findings(dataset), *never_findings(dataset)]
        found += [*absence_findings(all_rows), *serial_findings(table, plan, all_rows)]
    found = with_sums(found, table, plan)
    found += _sizes(table, plan, n)
    odd = [*odd_findings(table, plan), *reading_findings(table, plan), *answer_findings(table, plan)]
    found = [*odd, *_of_levels_that_stay(found, odd, plan), *_missing(table, plan, sound, n)]
    found += _left_out(table, plan, {name for f in found for name in f.columns})
    found += [Finding("warning", "header", (), note) for note in table.guess.notes]
    return tuple(sorted(found, key=lambda finding: finding.severity))


def _of_levels_that_stay(found: Iterable[Finding], odd: Iterable[Finding], plan: Plan) -> list[Finding]:
    """Without warnings on columns that have no levels once the first fix of what is `odd` is taken."""
    without = {
        column.name
        for finding in odd
        for column in (finding.fixes[0].plan.column(one.name) for one in plan.columns)
        if column.kind != "categorical" == plan.column(column.name).kind
    }
    return [one for one in found if one.code not in OF_LEVELS or not set(one.columns) <= without]


def _with_weights(plan: Plan, columns: Sequence[ColumnPlan]) -> tuple[ColumnPlan, ...]:
    """The columns, and that of the weights."""
    return (*columns, plan.column(plan.weights)) if plan.weights else tuple(columns)


def _with_holes(table: Table, plan: Plan, columns: Sequence[ColumnPlan], dataset: Dataset) -> Dataset:
    """All rows with their missing cells, whatever the plan does about these."""
    if plan.missing_policy == "available":
        return dataset
    return build(table, columns, np.ones(table.n, dtype=bool), "available", [])


def _leave_out(plan: Plan, names: Sequence[str]) -> Fix:
    return Fix(f"leave out {quoted(names)}", plan.change(*names, kind="ignore"))


def _into_bins(plan: Plan, names: Sequence[str]) -> Fix:
    binning = Binning()
    label = f"cut {quoted(names)} into {binning.bins} bins of about equally many rows"
    return Fix(label, plan.change(*names, kind="categorical", binning=binning, min_level_count=0))


def _as_missing(plan: Plan, name: str, texts: Sequence[str]) -> Fix:
    missing = (*plan.column(name).missing, *texts)
    return Fix(f"take {_said(texts)} as missing", plan.change(name, missing=missing))


def _said(texts: Sequence[str]) -> str:
    """Cells as a reader knows them."""
    return quoted(texts).replace("(empty)", "empty cells")


def _column_blocker(table: Table, plan: Plan, column: ColumnPlan) -> Finding | None:
    """What keeps one column from being prepared at all."""
    cells, name = column.cells(table), column.name
    present = ~cells.among(column.missing)
    number = ~np.isnan(cells.numbers)

    def blocker(code: str, reason: str, *fixes: Fix) -> Finding:
        return Finding("blocker", code, (name,), f"column {quoted([name])} {reason}", fixes)

    if not present.any():
        return blocker("all_missing", "has only missing cells", _leave_out(plan, [name]))
    if column.kind == "continuous" or column.binning:
        odd = _texts(cells.texts, present & ~number)
        if odd:
            as_text = Fix(f"make {quoted([name])} categorical", plan.change(name, kind="categorical", binning=None))
            fixes = [as_text, _leave_out(plan, [name])]
            if (present & number).any() and len(odd) <= MAX_MARKERS:
                fixes.insert(0, _as_missing(plan, name, odd))
            fixes = [*_read_otherwise(table, plan, column), *fixes]
            found = int(cells.counts[present & ~number].sum())
            return blocker(
                "not_numbers", f"must hold numbers, found {count(found, 'cell')} such as {_said(odd)}", *fixes
            )
        infinite = _texts(cells.texts, present & np.isinf(cells.numbers))
        if infinite and column.kind == "continuous":
            fixes = [_as_missing(plan, name, infinite), _into_bins(plan, [name]), _leave_out(plan, [name])]
            return blocker("infinite", f"holds infinite numbers such as {quoted(infinite)}", *fixes)
    elif present.sum() > MAX_LEVELS:
        fixes = [_into_bins(plan, [name])] if number[present].all() else []
        levels = int(present.sum())
        reason = f"has {levels:,} levels, more than the {MAX_LEVELS:,} that can be counted"
        return blocker("too_many_levels", reason, *fixes, _leave_out(plan, [name]))
    return None


def _read_otherwise(table: Table, plan: Plan, column: ColumnPlan) -> list[Fix]:
    """Ways to read as numbers what is none as it stands: amounts, dates."""
    if column.treatment is not None:
        return []
    name, cells = column.name, column.cells(table)
    return [
        Fix(
            f"read {quoted([name])} {in_words(way)}{and_missing({name: odd})}",
            with_missing(plan, {name: odd}, treatment=way),
        )
        for way, odd in ways_to_read(cells, column, table.guess.decimal)
        if way.how != "spelling"
    ]


def _texts(texts: pa.Array, mask: np.ndarray) -> list[str]:
    return texts.filter(pa.array(mask)).to_pylist()


def _with_fixes(finding: Finding, table: Table, plan: Plan) -> Finding:
    if finding.code == "too_wide":
        as_numbers = [
            odd.fixes[0]
            for odd in reading_findings(table, plan)
            if odd.code != "spellings" and set(odd.columns) & set(finding.columns)
        ]
        fixes = [*as_numbers, _leave_out(plan, finding.columns[:1])]
    elif finding.code == "linear_dependence":
        fixes = [_leave_out(plan, finding.columns[:1])]
    elif finding.code == "many_levels":
        numeric = [name for name in finding.columns if _is_numeric(table, plan.column(name))]
        fixes = [_into_bins(plan, numeric)] if numeric else []
        fixes += [*_merge(table, plan, finding.columns), _leave_out(plan, finding.columns)]
    elif finding.code in ("small_counts", "columns_of_levels"):
        fixes = [*_merge(table, plan, finding.columns), _leave_out(plan, finding.columns)]
    else:
        fixes = [_leave_out(plan, finding.columns)]
    return replace(finding, fixes=tuple(fixes))


def _merge(table: Table, plan: Plan, names: Iterable[str]) -> list[Fix]:
    """Merging rare levels, where it is not done yet and leaves at least two."""
    names = [
        name
        for name in names
        if plan.column(name).min_level_count < ROWS_PER_LEVEL
        and (~plan.column(name).cells(table).among(plan.column(name).missing)).sum() > 2
    ]
    label = f"merge the levels of {quoted(names)} that have fewer than {ROWS_PER_LEVEL} rows"
    return [Fix(label, plan.change(*names, min_level_count=ROWS_PER_LEVEL))] if names else []


def _is_numeric(table: Table, column: ColumnPlan) -> bool:
    cells = column.cells(table)
    return column.binning is None and not np.isnan(cells.numbers[~cells.among(column.missing)]).any()


def _sizes(table: Table, plan: Plan, n: int) -> list[Finding]:
    found = size_findings(len(plan.used), n)
    for k, finding in enumerate(found):
        if finding.code == "few_rows" and n < MIN_ROWS <= table.n:
            reason = f"learning needs at least {MIN_ROWS} rows without a missing cell, found {n:,} of {table.n:,}"
            fix = Fix("use for each test the rows that have its columns", plan.with_policy("available"))
            found[k] = replace(finding, reason=reason, fixes=(fix,))
    return found


def _missing(table: Table, plan: Plan, columns: Sequence[ColumnPlan], n: int) -> list[Finding]:
    names, total, texts = [], 0, {}
    for column in columns:
        cells = column.cells(table)
        missing = cells.among(column.missing)
        if missing.any():
            names.append(column.name)
            total += int(cells.counts[missing].sum())
            for text, number in zip(_texts(cells.texts, missing), cells.counts[missing].tolist(), strict=True):
                texts[text] = texts.get(text, 0) + number
    if not names:
        return []
    dropped = f"{table.n - n:,} of {count(table.n, 'row')} {'is' if table.n - n == 1 else 'are'} dropped"
    done = {
        "available": "each test uses the rows that have its columns",
        "drop": dropped,
        "category": f"they become a level of their own, {dropped} for want of a number",
        "mode": "they are filled with the mode or median of their column",
    }[plan.missing_policy]
    said = ", ".join(f"{_said([text])} ({number:,})" for text, number in list(texts.items())[:5])
    cells_are = "cell of {} is" if total == 1 else "cells of {} are"
    labels = {
        "available": "use for each test the rows that have its columns",
        "drop": "drop rows with missing cells",
        "category": "make missing a level of its own",
        "mode": "fill missing cells with the mode or median",
    }
    fixes = tuple(
        Fix(label, plan.with_policy(policy)) for policy, label in labels.items() if policy != plan.missing_policy
    )
    reason = f"{total:,} {cells_are.format(quoted_columns(names))} missing, written as {said}: {done}"
    return [Finding("warning", "missing", tuple(names), reason, fixes)]


def _left_out(table: Table, plan: Plan, told: set[str]) -> list[Finding]:
    """Columns left out by guess, but for those that a finding has `told` of or that others are made from."""
    told = told | {column.source for column in plan.columns}
    guesses = [g for g in table.guess.columns if g.kind == "ignore" == plan.column(g.name).kind and g.name not in told]
    if not guesses:
        return []
    names = tuple(guess.name for guess in guesses)
    why = f"the first because {guesses[0].reason}" if len(names) > 1 else guesses[0].reason
    is_, its, it = ("are", "their", "them") if len(names) > 1 else ("is", "its", "it")
    reason = f"{quoted_columns(names)} {is_} left out, {why}; set {its} type to use {it}"
    return [Finding("warning", "left_out", names, reason)]
