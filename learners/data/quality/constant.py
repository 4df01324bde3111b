"""Columns with a single value."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ...common.sentences import NOTHING, columns_of, phrase, say
from ..plan.conversion import NO, SEPARATORS, YES, Treatment
from .destructive_changes import MAX_LOST_SHARE
from .finding import Finding, Fix, blocker, leave_out, listed_or_counted
from .inspection import Inspection
from .level_counts import level_counts
from .registry import check


@check("constant_numbers", needs_rows=True)
def constant_numbers(inspection: Inspection) -> list[Finding]:
    """Return a blocker for the continuous columns with a single value."""
    if inspection.numbers is None:
        return []
    names = np.array(inspection.numbers.names, dtype=object)
    return _constant(inspection, names[inspection.once(is_constant)].tolist())


@check("constant_levels", needs_rows=True)
def constant_levels(inspection: Inspection) -> list[Finding]:
    """Return a blocker for the categorical columns with a single level."""
    if inspection.levels is None:
        return []
    columns = inspection.once(level_counts).constant
    return _constant(inspection, columns)


def _boxes(inspection: Inspection, columns: Sequence[str]) -> dict[str, tuple[Treatment, bool]]:
    """Return the columns of one text and empty cells, as surveys export each box of a question.

    Each has its conversion to yes and no, and True if both are frequent, so that the column varies.
    """
    boxes = {}
    for name in columns:
        column = inspection.plan.column(name)
        cells = column.cells(inspection.table)
        texts = [text for text in cells.texts.to_pylist() if text.strip()]
        separator = next((mark for mark in SEPARATORS if mark not in "".join(texts)), "")
        if column.treatment or len(texts) != 1 or len(cells.texts) < 2 or not separator:
            continue
        share = float(cells.counts[cells.blank].sum() / cells.n_rows)
        varies = min(share, 1.0 - share) >= MAX_LOST_SHARE
        boxes[name] = Treatment("answer", separator=separator, answer=texts[0].strip(), empty_is_no=True), varies
    return boxes


def _ticked(inspection: Inspection, boxes: dict[str, Treatment]) -> list[Fix]:
    """Return the fix that reads boxes as yes and no; empty if there is none.

    Cells of neighbouring boxes are missing where all of them are empty, unless one would not vary then.
    """
    if not boxes:
        return []
    plan = inspection.plan
    for block in blocks_of(inspection.table.names, boxes):
        cells = [plan.column(name).cells(inspection.table) for name in block]
        ticked = np.array([~own.blank[own.codes] for own in cells])
        is_question = len(block) > 1 and not ticked[:, ticked.any(axis=0)].all(axis=1).any()
        for name in block:
            treatment = replace(boxes[name], block=block if is_question else ())
            plan = plan.change(name, kind="categorical", treatment=treatment)
    label = phrase(
        "read empty cells of {columns} as {no}{unless}, others as {yes}",
        columns=listed_or_counted(list(boxes)),
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


def _constant(inspection: Inspection, columns: Sequence[str]) -> list[Finding]:
    if not len(columns) or inspection.dataset.n == 1:  # a single row has its own finding
        return []
    columns = tuple(columns)
    reason = say(
        "{columns} has a single value in all rows used. Nothing can depend on it."
        if len(columns) == 1
        else "{columns} have a single value in all rows used. Nothing can depend on them.",
        columns=columns_of(columns),
    )
    boxes = _boxes(inspection, columns)
    likely = {name: treatment for name, (treatment, varies) in boxes.items() if varies}
    all_boxes = {name: treatment for name, (treatment, _) in boxes.items()} if len(likely) < len(boxes) else {}
    fixes = (*_ticked(inspection, likely), leave_out(inspection.plan, columns), *_ticked(inspection, all_boxes))
    return [blocker("constant", columns, reason, *fixes)]
