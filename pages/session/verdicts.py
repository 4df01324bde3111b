"""Verdicts on the arrows of runs, which are saved with the project because they take up to minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from learners.settings.shared import HIDDEN_SHARES
from learners.verdict.assumptions import MAX_COLUMNS
from learners.verdict.trust import Trust
from pages.session.state import Run

JUDGED = "trust"  # key in `Run.data`
KINDS = ("continuous", "categorical", "mixed")


def of(run: Run) -> Trust | None:
    """Return the verdict on a run; None if it was not asked for."""
    return run.data.get(JUDGED)


def stored() -> dict[str, Any]:
    """Return the verdicts on all runs, for saving."""
    judged = [(run.ticket, run.data[JUDGED]) for run in st.session_state.runs if JUDGED in run.data]
    # Nothing is claimed about more columns, which takes no time to find out again.
    return {JUDGED: tuple((ticket, found) for ticket, found in judged if len(found.names) <= MAX_COLUMNS)}


def restore(kept: Mapping[str, Any], shown: Mapping[str, Run]) -> None:
    """Restore saved verdicts, with runs by their former tickets; the content may come from an untrusted file."""
    for ticket, found in kept.get(JUDGED, ()):
        if ticket in shown and isinstance(found, Trust) and _fits(found, shown[ticket].result.names):
            shown[ticket].data[JUDGED] = found


def _fits(found: Trust, names: Sequence[str]) -> bool:
    """Return True if a verdict is on these columns, its arrays are on their pairs, and its settings exist."""
    arrays = [found.cause, found.no_cause, found.adjacent, found.identified]
    for one in found.support.values():
        arrays += [one.arrow, one.head, one.adjacent]
    if found.kind not in KINDS or found.hidden_share not in HIDDEN_SHARES or tuple(found.names) != tuple(names):
        return False
    return all(array.shape == (len(names), len(names)) for array in arrays)
