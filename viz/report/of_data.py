"""The section of a report on the data."""

from __future__ import annotations

from learners.common.sentences import Count, phrase
from learners.common.wording import format_number
from learners.data.disclosure import MIN_ROWS, disclosed, disclosed_range, missing_codes
from learners.data.plan.column_roles import use_of_column
from learners.data.plan.data_use import use_of
from learners.data.plan.plan import ColumnPlan

from ..labels import POLICIES
from ..sparklines import missing_share
from ..text import as_sentence, format_value
from .document import Block, Grid, Heading, Items, Section, Text
from .subject import Subject

COLUMNS = ("column", "used as", "values", "missing", "missing-value codes", "levels")


def data_section(subject: Subject) -> Section:
    """Return size, changes, and the use of each column."""
    data, use = subject.dataset, subject.result.use or use_of(subject.dataset, subject.table, subject.plan)
    t, written = subject.language.t, subject.language.written
    size = t(
        "{table}: {rows} and {variables}, {kind}" if data.complete
        else "{table}: {rows} and {variables}, {kind}, with missing cells",
        table=subject.name, rows=Count(data.n, "row"), variables=Count(data.p, "variable"), kind=t(data.kind),
    )  # fmt: skip
    blocks: list[Block] = [Text(f"{size}. {written(phrase('The run {uses}.', uses=use.sentence))}")]
    if _lacks_cells(subject):
        blocks.append(Text(missing_sentence(subject)))
    if subject.result.completed is not None:
        blocks.append(Text(written(subject.result.completed.treatment)))
    if subject.notes:
        changed = tuple(written(as_sentence(subject.redact(note))) for note in subject.notes)
        blocks += [Heading(t("Changes to the table")), Items(changed)]
    if subject.table is not None and subject.plan is not None:
        blocks += [Heading(t("Columns")), _columns(subject)]
    return Section(t("The data"), tuple(blocks))


def missing_sentence(subject: Subject) -> str:
    """Return a sentence on how the plan treats missing cells."""
    t = subject.language.t
    return t("Missing cells: {policy}.", policy=t(POLICIES[subject.plan.missing_policy]))


def _lacks_cells(subject: Subject) -> bool:
    """Return True if a used column has missing cells in the table."""
    if subject.table is None or subject.plan is None:
        return False
    return any(one.cells(subject.table).among(one.missing).any() for one in subject.plan.used)


def _columns(subject: Subject) -> Grid:
    """Return each column of the plan, ignored ones too."""
    rows = tuple(_column(subject, one) for one in subject.plan.columns)
    return Grid(tuple(map(subject.language.t, COLUMNS)), rows, frozenset({2, 3}))


def _column(subject: Subject, column: ColumnPlan) -> tuple[str, ...]:
    cells = column.cells(subject.table)
    values = int((~cells.among(column.missing)).sum())
    used = column in subject.plan.used
    codes = [code for code in missing_codes(subject.table, column, rare=subject.rare) if code] if used else []
    t = subject.language.t
    use = t("ignored" if column.kind == "ignore" else use_of_column(subject.plan, column))
    share = t("{share}%", share=format_number(100 * missing_share(cells, column)))
    return column.name, use, t("{n}", n=values), share, ", ".join(codes), _levels(subject, column.name)


def _levels(subject: Subject, name: str) -> str:
    """Write the levels of a variable, or the range of its numbers."""
    data, t = subject.dataset, subject.language.t
    if name not in data.names:
        return ""
    k = data.index(name)
    if data.kinds[k] == "continuous":
        return _range(subject, k)
    shown = disclosed(data, k, rare=subject.rare)
    names = [*shown.levels]
    if shown.n_rare:
        names.append(t("{n} with fewer than {limit} rows", n=shown.n_rare, limit=MIN_ROWS))
    listed = ", ".join(names)
    return t("{levels} and {n} more", levels=listed, n=shown.n_more) if shown.n_more else listed


def _range(subject: Subject, k: int) -> str:
    """Write the range of a numeric variable, without extremes that fewer rows reach than may be named."""
    data, t = subject.dataset, subject.language.t
    shown, whole = disclosed_range(data, k, rare=subject.rare), disclosed_range(data, k, rare=True)
    if shown is None:
        return ""
    text = t("{low} to {high}", low=format_value(shown[0]), high=format_value(shown[1]))
    return text if shown == whole else t("{range}; fewer than {limit} rows beyond each end", range=text, limit=MIN_ROWS)
