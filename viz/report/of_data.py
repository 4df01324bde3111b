"""The section of a report on the data."""

from __future__ import annotations

from collections.abc import Sequence

from learners.common.sentences import Count, Quoted, columns_of, phrase
from learners.common.wording import count, format_number
from learners.data.disclosure import MIN_ROWS, disclosed, disclosed_range, missing_codes
from learners.data.plan.column_roles import use_of_column
from learners.data.plan.data_use import use_of
from learners.data.plan.plan import ColumnPlan, default_plan
from learners.data.quality.fixes import reasons_ignored

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
    if changed := _changes(subject):
        blocks += [Heading(t("Changes to the table")), Items(changed)]
    if subject.table is not None and subject.plan is not None:
        blocks += [Heading(t("Columns")), _columns(subject)]
    return Section(t("The data"), tuple(blocks))


def missing_sentence(subject: Subject) -> str:
    """Return a sentence on how the plan treats missing cells."""
    t = subject.language.t
    return t("Missing cells: {policy}.", policy=t(POLICIES[subject.plan.missing_policy]))


def _changes(subject: Subject) -> tuple[str, ...]:
    """Return each change of the plan: columns left out with the reason, codes read as missing, then the notes."""
    written, changed = subject.language.written, []
    if left_out := columns_left_out(subject):
        not_used = written(phrase("Not used: {columns}.", columns=columns_of(left_out)))
        changed.append(" ".join([not_used, *reasons_of(subject, left_out)]))
    if subject.plan is not None and subject.table is not None:
        for column in subject.plan.used:
            if codes := _codes_of(subject, column):
                cells = int(column.raw(subject.table).rows_among(tuple(codes)).sum())
                named = {
                    "column": columns_of([column.name]),
                    "codes": Quoted(codes),
                    "cells": written(count(cells, "cell")),
                }
                changed.append(written(phrase("Treated as missing in {column}: {codes} ({cells}).", **named)))
    return (*changed, *(written(as_sentence(subject.redact(note))) for note in subject.notes))


def codes_read_as_missing(subject: Subject) -> list[str]:
    """Return the texts that the plan treats as missing in a used column and that occur there, each once."""
    if subject.plan is None or subject.table is None:
        return []
    found: dict[str, None] = {}
    for column in subject.plan.used:
        found |= dict.fromkeys(_codes_of(subject, column))
    return list(found)


def _codes_of(subject: Subject, column: ColumnPlan) -> list[str]:
    there = set(column.raw(subject.table).texts.to_pylist())
    codes = missing_codes(subject.table, column, rare=subject.rare)
    return [code for code in codes if code.strip() and code in there]


def columns_left_out(subject: Subject) -> list[str]:
    """Return the columns that the plan does not use, without those that were split into columns that it uses."""
    if subject.plan is None:
        return []
    plan = subject.plan
    named = {plan.weights, plan.one_row_per, *(column.source for column in plan.used)}
    return [column.name for column in plan.columns if column.kind == "ignore" and column.name not in named]


def reasons_of(subject: Subject, left_out: Sequence[str]) -> list[str]:
    """Return the findings that suggest leaving out these columns, as sentences without private values."""
    if subject.table is None:
        return []
    reasons = reasons_ignored(subject.table, default_plan(subject.table), subject.plan)
    found = dict.fromkeys(reasons[name] for name in left_out if name in reasons)
    return [subject.redact(subject.language.written(as_sentence(reason))) for reason in found]


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
    return (
        text if shown == whole else t("{range} (up to {n} extreme rows at each end hidden)", range=text, n=MIN_ROWS - 1)
    )
