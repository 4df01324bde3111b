"""The section of a report on the data."""

from __future__ import annotations

from learners.data.disclosure import MIN_ROWS, disclosed, missing_codes
from learners.data.plan.column_roles import use_of_column
from learners.data.plan.data_use import use_of
from learners.data.plan.plan import ColumnPlan

from ..labels import POLICIES
from ..sparklines import missing_share
from ..text import as_sentence, count, format_value
from .document import Block, Grid, Heading, Items, Section, Text
from .subject import Subject

KINDS = {"categorical": "categorical", "continuous": "continuous", "mixed": "mixed"}


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
        blocks.append(Text(f"Missing cells: {POLICIES[subject.plan.missing_policy]}."))
    if subject.result.completed is not None:
        blocks.append(Text(subject.result.completed.sentence))
    if subject.notes:
        blocks += [
            Heading("Changes to the table"),
            Items(tuple(as_sentence(subject.redact(note)) for note in subject.notes)),
        ]
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
    used = column in subject.plan.used
    codes = [code for code in missing_codes(subject.table, column, rare=subject.rare) if code] if used else []
    use = "ignored" if column.kind == "ignore" else use_of_column(subject.plan, column)
    share = f"{100 * missing_share(cells, column):.3g}%"
    return column.name, use, f"{values:,}", share, ", ".join(codes), _levels(subject, column.name)


def _levels(subject: Subject, name: str) -> str:
    """Write the levels of a variable, or the range of its numbers."""
    data = subject.dataset
    if name not in data.names:
        return ""
    k = data.index(name)
    if data.kinds[k] == "continuous":
        values = data.values[data.is_there(k), data.place[k]]
        return f"{format_value(float(values.min()))} to {format_value(float(values.max()))}"
    shown = disclosed(data, k, rare=subject.rare)
    names = [*shown.levels, *([f"{shown.n_rare:,} with fewer than {MIN_ROWS} rows"] if shown.n_rare else [])]
    return ", ".join(names) + (f" and {shown.n_more:,} more" if shown.n_more else "")
