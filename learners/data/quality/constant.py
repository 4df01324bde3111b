"""Columns with a single value."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ...common.sentences import NOTHING, Quoted, columns_of, phrase, say
from ..plan.conversion import NO, SEPARATORS, YES, Treatment
from .finding import Finding, Fix, blocker, leave_out
from .inspection import Inspection
from .level_counts import level_counts
from .registry import check


@check("constant_numbers", needs_rows=True)
def constant_numbers(inspection: Inspection) -> list[Finding]:
    """Return a blocker for the continuous columns with a single value."""
    if inspection.numbers is None:
        return []
    return _constant(inspection, np.array(inspection.numbers.names, dtype=object)[inspection.once(is_constant)])


@check("constant_levels", needs_rows=True)
def constant_levels(inspection: Inspection) -> list[Finding]:
    """Return a blocker for the categorical columns with a single level."""
    if inspection.levels is None:
        return []
    columns = inspection.once(level_counts).constant
    return _constant(inspection, columns, *_ticked(inspection, columns))


def _ticked(inspection: Inspection, columns: Sequence[str]) -> list[Fix]:
    """Return the fix for columns of one text and empty cells, as surveys export each box of a question."""
    plan, boxes = inspection.plan, {}
    for name in columns:
        column = plan.column(name)
        cells = column.cells(inspection.table)
        texts = [text for text in cells.texts.to_pylist() if text.strip()]
        separator = next((mark for mark in SEPARATORS if mark not in "".join(texts)), "")
        if column.treatment or len(texts) != 1 or len(cells.texts) < 2 or not separator:
            continue
        boxes[name] = Treatment("answer", separator=separator, answer=texts[0].strip(), empty_is_no=True)
    for block in blocks_of(inspection.table.names, boxes):
        for name in block:
            plan = plan.change(name, treatment=replace(boxes[name], block=block if len(block) > 1 else ()))
    if not boxes:
        return []
    label = phrase(
        "read empty cells of {columns} as {no}{unless}, others as {yes}",
        columns=Quoted(list(boxes)),
        no=repr(NO),
        unless=say(", unless all of a question are empty") if len(boxes) > 1 else NOTHING,
        yes=repr(YES),
    )
    return [Fix(label, plan)]


def blocks_of(names: Sequence[str], chosen: Collection[str]) -> list[tuple[str, ...]]:
    """Return the runs of chosen columns that are neighbours in the table."""
    blocks: list[list[str]] = []
    for name, other in zip(names, ("", *names), strict=False):
        if name in chosen and blocks and other == blocks[-1][-1]:
            blocks[-1].append(name)
        elif name in chosen:
            blocks.append([name])
    return [tuple(block) for block in blocks]


def is_constant(inspection: Inspection) -> np.ndarray:
    """Return a mask of the continuous columns, True for those with a single value."""
    values = inspection.numbers.values
    return np.nanmin(values, axis=0) == np.nanmax(values, axis=0)


def _constant(inspection: Inspection, columns: Sequence[str], *fixes: Fix) -> list[Finding]:
    if not len(columns) or inspection.dataset.n == 1:  # a single row has its own finding
        return []
    columns = tuple(columns)
    reason = say(
        "{columns} has a single value in all rows used. Nothing can depend on it."
        if len(columns) == 1
        else "{columns} have a single value in all rows used. Nothing can depend on them.",
        columns=columns_of(columns),
    )
    return [blocker("constant", columns, reason, leave_out(inspection.plan, columns), *fixes)]
