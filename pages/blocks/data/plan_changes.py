"""Changes of the plan of a table: each is one step that Undo reverts."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import streamlit as st

from learners.common.sentences import Phrase, phrase
from learners.data.column_types.types_and_missing_codes import Use, kind_of
from learners.data.normal_scores import is_skewed, n_far_out
from learners.data.plan.conversion import Treatment, conversion_phrase
from learners.data.plan.conversion_guess import possible_conversions
from learners.data.plan.plan import ColumnPlan, Plan, with_missing
from learners.data.plan.preparation import chosen_cells
from learners.data.quality.fixes import reasons_left_out
from pages.blocks.fix_label import MAX_LABEL_LENGTH
from pages.session import state
from pages.session.state import Source
from pages.session.words import t, written
from viz.text import escape_markdown, shorten

AS_THEY_STAND = "as they are"
OF_ALL = ("fix", "fixes")  # ends of the label of a change that applied all suggested fixes
ALL_FIXES = re.compile("([0-9,]+) fix(?:es)?")  # the whole of that label


def use_plan(here: Source, plan: Plan, done: str) -> None:
    """Use another plan for the table; `done` is the label of the change for Undo."""
    state.set_source(state.with_plan(replace(here, steps=(*here.steps, (done, here.plan))), plan))
    st.rerun()


def n_changes(here: Source) -> int:
    """Return the number of changes of the plan; each fix of *Apply all suggested fixes* counts, as in its Undo."""
    fixes = [ALL_FIXES.fullmatch(done) for done, _ in here.steps]
    return sum(int(found[1].replace(",", "")) if found else 1 for found in fixes)


def undo(here: Source) -> None:
    """Show the button that reverts the last change, if there is one."""
    if not here.steps:
        return
    done, before = here.steps[-1]
    undone = shorten(written(done), MAX_LABEL_LENGTH)
    label = t("Undo {fixes}", fixes=undone) if done.endswith(OF_ALL) else t("Undo “{change}”", change=undone)
    if st.button(escape_markdown(label), icon=":material/undo:", key="data_undo"):
        state.set_source(state.with_plan(replace(here, steps=here.steps[:-1]), before))
        st.rerun()


def how_to_read(here: Source, column: ColumnPlan) -> None:
    """Let the user choose how the texts of a column are read, where there are several readings."""
    raw = replace(column, treatment=None)
    ways = {} if column.source else dict(possible_conversions(raw.cells(here.table), raw, here.table.guess.decimal))
    if column.treatment and column.treatment not in ways:
        ways[column.treatment] = ()
    if not ways or column.source:
        return
    options = [None, *ways]
    chosen = st.selectbox(
        t("Reading"),
        options,
        options.index(column.treatment),
        format_func={way: written(_in_words(way)) for way in options}.__getitem__,
        key=f"data_read_{here.title}_{column.name}_{hash(here.plan)}",
    )
    if chosen != column.treatment:
        done = f"read the cells of column {column.name!r} {_in_words(chosen)}"
        use_plan(here, _read(here, column, chosen, ways.get(chosen, ())), done)


def _read(here: Source, column: ColumnPlan, way: Treatment | None, odd: tuple[str, ...]) -> Plan:
    guess = here.table.guess.of(column.name)
    kind = guess.kind if way is None else "categorical" if way.how == "spelling" else "continuous"
    return with_missing(here.table, here.plan, {column.name: odd}, kind=kind, treatment=way)


def _in_words(way: Treatment | None) -> str:
    return AS_THEY_STAND if way is None else conversion_phrase(way)


def why(here: Source, column: ColumnPlan) -> str:
    """Return the reason for the type of a column, for the table of variables."""
    if column.treatment is not None:
        of = f"column {column.source!r} " if column.source else ""
        kind, reason = "continuous", f"{of}read {conversion_phrase(column.treatment)}"
        if column.kind != "ignore":
            return reason + _scores(here, column)
    else:
        kind, reason = _seems(here, column)
    if column.kind == "categorical" and column.ordered and column.order and column.binning is None:
        reason += f"; in order: {' < '.join(column.order)}"
    reason += _scores(here, column)
    if column.kind == kind:
        return reason
    if column.kind == "ignore" and (finding := _reason_of_fixes(here, column.name)):
        return phrase("left out by a suggested fix: {reason}", reason=finding)
    return f"set to {column.kind}; {reason}"


def _scores(here: Source, column: ColumnPlan) -> str:
    """Return a clause on the normal scores of a column and why they suit it; empty without normal scores."""
    if column.kind != "continuous" or not column.normal_scores:
        return ""
    cells = chosen_cells(here.table, here.plan, column)
    numbers = np.where(cells.among(column.missing), np.nan, cells.numbers)[cells.codes]
    if is_skewed(numbers):
        return "; skewed, so normal scores replace the numbers"
    return "; with outliers, so normal scores replace the numbers" if n_far_out(numbers) else "; as normal scores"


def _reason_of_fixes(here: Source, name: str) -> Phrase | None:
    """Return why all suggested fixes left a column out; None if they did not, or its use was changed later."""
    plans = [*(before for _, before in here.steps), here.plan]
    uses = [{one.name: (one.kind, one.treatment) for one in plan.columns}.get(name) for plan in plans]
    changed = [step for step, old, new in zip(here.steps, uses, uses[1:], strict=False) if old != new]
    if not changed or not changed[-1][0].endswith(OF_ALL):
        return None
    return reasons_left_out(here.table, changed[-1][1]).get(name)


def _seems(here: Source, column: ColumnPlan) -> tuple[Use, str]:
    """Return the guessed type of a column under its current missing-value codes, with the reason."""
    guess = here.table.guess.of(column.name)
    cells = chosen_cells(here.table, here.plan, column)
    has_guessed_codes = set(column.missing) == {"", *guess.missing}
    if has_guessed_codes and cells.n_rows == here.table.n:
        return guess.kind, guess.reason
    kind, reason = kind_of(cells, cells.among(column.missing))
    return (guess.kind, guess.reason) if has_guessed_codes and kind != guess.kind else (kind, reason)
