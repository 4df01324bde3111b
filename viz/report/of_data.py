"""The section of a report on the data."""

from __future__ import annotations

from learners.data.plan.column_roles import use_of_column
from learners.data.plan.data_use import use_of
from learners.data.plan.plan import ColumnPlan

from ..labels import POLICIES
from ..sparklines import missing_share
from ..text import as_sentence, count, format_number
from .document import Block, Grid, Heading, Items, Section, Text
from .subject import Subject

KINDS = {"categorical": "categorical", "continuous": "continuous", "mixed": "mixed"}
MAX_LEVELS = 12  # of a column, listed


def data_section(subject: Subject) -> Section:
    """Return size, changes, and the use of each column."""
    data, use = subject.dataset, subject.result.use or use_of(subject.dataset, subject.table, subject.plan)
    blocks: list[Block] = [
        Text(
            f"{subject.name}: {count(data.n, 'row')} and {count(data.p, 'variable')}, {KINDS[data.kind]}"
            f"{'' if data.complete else ', with missing cells'}. The run {use.sentence}."
        )
    ]
    if _lacks_cells(subject):
        blocks.append(Text(f"Where a cell is missing: {POLICIES[subject.plan.missing_policy]}."))
    if subject.result.completed is not None:
        blocks.append(Text(subject.result.completed.sentence))
    if subject.notes:
        blocks += [Heading("Changes to the table"), Items(tuple(map(as_sentence, subject.notes)))]
    if subject.table is not None and subject.plan is not None:
        blocks += [Heading("Columns"), _columns(subject)]
    return Section("The data", tuple(blocks))


def _lacks_cells(subject: Subject) -> bool:
    """Return True if a used column has missing cells in the table."""
    if subject.table is None or subject.plan is None:
        return False
    return any(one.cells(subject.table).among(one.missing).any() for one in subject.plan.used)


def _columns(subject: Subject) -> Grid:
    """Return each column of the plan, ignored ones too."""
    rows = tuple(_column(subject, one) for one in subject.plan.columns)
    return Grid(("column", "used as", "values", "missing", "missing-value codes", "levels"), rows, frozenset({2, 3}))


def _column(subject: Subject, column: ColumnPlan) -> tuple[str, ...]:
    cells = column.cells(subject.table)
    values = int((~cells.among(column.missing)).sum())
    marks = ", ".join(mark for mark in column.missing if mark)
    use = "ignored" if column.kind == "ignore" else use_of_column(subject.plan, column)
    share = f"{100 * missing_share(cells, column):.3g} %"
    return column.name, use, f"{values:,}", share, marks, _levels(subject, column.name)


def _levels(subject: Subject, name: str) -> str:
    """Write the levels of a variable, or the range of its numbers."""
    data = subject.dataset
    if name not in data.names:
        return ""
    k = data.index(name)
    place = data.place[k]
    if data.kinds[k] == "continuous":
        values = data.values[data.is_there(k), place]
        return f"{format_number(float(values.min()))} to {format_number(float(values.max()))}"
    levels = data.levels[place]
    more = f" and {len(levels) - MAX_LEVELS:,} more" if len(levels) > MAX_LEVELS else ""
    return ", ".join(map(str, levels[:MAX_LEVELS])) + more
