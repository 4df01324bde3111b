"""Columns that are ignored by default, and notes of the file reader."""

from __future__ import annotations

from ...common.wording import quoted_columns
from .finding import Finding, warning
from .inspection import Inspection
from .registry import OF_TABLE, OF_TEXTS, check


@check("ignored_columns")
def ignored_columns(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns ignored by guess that have no other finding and are no source of used columns."""
    table, plan = inspection.table, inspection.plan
    mentioned = {column.source for column in plan.columns}
    for name in (*OF_TEXTS, *OF_TABLE):
        mentioned |= {column for finding in inspection.findings(name) for column in finding.columns}
    ignored = [guess for guess in table.guess.columns if guess.kind == "ignore" == plan.column(guess.name).kind]
    guesses = [guess for guess in ignored if guess.name not in mentioned]
    if not guesses:
        return []
    names = tuple(guess.name for guess in guesses)
    why = f" (the first: {guesses[0].reason})" if len(names) > 1 else f": {guesses[0].reason}"
    is_, its, it = ("are", "their", "them") if len(names) > 1 else ("is", "its", "it")
    return [warning("left_out", names, f"{quoted_columns(names)} {is_} ignored{why}. Set {its} type to use {it}.")]


@check("import_notes")
def import_notes(inspection: Inspection) -> list[Finding]:
    """Return the notes of the reader of the file as warnings."""
    return [warning("header", (), f"{note}.") for note in inspection.table.guess.notes]
