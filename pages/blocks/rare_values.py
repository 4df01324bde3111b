"""Ask whether exports of a run may name values with few rows."""

from __future__ import annotations

import streamlit as st

from learners.data.disclosure import (
    MAX_LEVELS,
    MIN_ROWS,
    coded_levels,
    has_hidden_levels,
    has_hidden_values,
    rare_texts,
)
from pages.session import shared_link, state
from pages.session.state import Run
from pages.session.words import t, written

LABEL = "Include rare values"
HELP = (
    f"Exports list at most {MAX_LEVELS} levels per column. They leave out levels, and extremes of numbers, in fewer "
    f"than {MIN_ROWS} rows. Values of ignored columns are never listed. Switch on to list rare values of used columns "
    "as well."
)
NO_PLAN = (
    f"Held back for privacy: the recipe, the notebook and the code name values that fewer than {MIN_ROWS} rows have. "
    f"To export them, switch on *{LABEL}*."
)
CODED = f"Levels with fewer than {MIN_ROWS} rows, or beyond {MAX_LEVELS} per column, are written as level 1, level 2, …"


def ask(page: str, *runs: Run) -> bool:
    """Return True if exports of these runs may name rare values; ask if they have any."""
    private = [run for run in runs if not run.source.is_public]
    if not private:
        return True
    if shared_link.hides_table() or not any(hides_values(run) or names_rare_texts(run) for run in private):
        return False
    numbers = "_".join(str(run.number) for run in private)
    return st.toggle(t(LABEL), key=f"{page}_rare_{numbers}", help=written(HELP))


def hides_levels(run: Run) -> bool:
    """Return True if exports omit levels of the run by default."""
    return not run.source.is_public and state.made_once(run, "hides", None, lambda: has_hidden_levels(run.dataset))


def hides_values(run: Run) -> bool:
    """Return True if exports omit levels or extremes of numbers of the run by default."""
    return not run.source.is_public and state.made_once(
        run, "hides_values", None, lambda: has_hidden_values(run.dataset)
    )


def names_rare_texts(run: Run) -> bool:
    """Return True if a recipe of the run would name rare values."""
    here = run.source
    if run.source.is_public or here.table is None or here.plan is None:
        return False
    return state.made_once(run, "rare_texts", None, lambda: bool(rare_texts(here.table, here.plan)))


def states(run: Run | None, own: tuple[tuple[str, ...], ...], *, rare: bool) -> tuple[tuple[str, ...], ...]:
    """Return the names of the levels for an export, given those of the network that was fitted to a run."""
    if run is None or rare or not hides_levels(run):
        return own
    data = run.dataset
    return tuple(coded_levels(data, j) if levels else levels for j, levels in enumerate(own))
