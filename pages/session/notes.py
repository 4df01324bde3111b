"""What the user writes beside a run, or on the project in use, and which pairs its report explains; kept with it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import workspace
from pages.session.state import Run

NOTES, PROJECT = "notes", ""  # by the ticket of a run; the project's own note has none
EXPLAINED = "explained"  # in what a run keeps: pairs whose explanation goes into its report
LONGEST = 5_000  # letters


def of(ticket: str = PROJECT) -> str:
    """The note on a run, or on the project."""
    return st.session_state.get(NOTES, {}).get(ticket, "")


def ask(label: str, ticket: str = PROJECT) -> None:
    """A field to write it in."""
    with st.expander(label, expanded=bool(of(ticket)), key=f"note_fold_{ticket}", icon=":material/edit_note:"):
        where = "Kept with the project, and told in its files and" if workspace.is_kept() else "Told in"
        said = st.text_area(
            label, of(ticket), max_chars=LONGEST, key=f"note_{ticket}", label_visibility="collapsed",
            placeholder=f"{where} reports",
        )  # fmt: skip
    known = st.session_state.setdefault(NOTES, {})
    if said != known.get(ticket, ""):
        st.session_state[NOTES] = {key: text for key, text in {**known, ticket: said}.items() if text}


def explained(run: Run) -> list[tuple[int, int]]:
    """The pairs whose explanation goes into its report."""
    return run.data.setdefault(EXPLAINED, [])


def told() -> dict[str, Any]:
    """All of it, to be kept."""
    return {
        NOTES: tuple(sorted(st.session_state.get(NOTES, {}).items())),
        EXPLAINED: tuple((run.ticket, tuple(explained(run))) for run in st.session_state.runs if explained(run)),
    }


def restore(kept: dict[str, Any], shown: dict[str, Run]) -> None:
    """Take it up again; runs by the tickets that they had. A stranger's file may say anything."""
    named = {ticket: run.ticket for ticket, run in shown.items()}
    st.session_state[NOTES] = {
        named.get(ticket, ticket): text[:LONGEST] for ticket, text in kept.get(NOTES, ()) if isinstance(text, str)
    }
    for ticket, pairs in kept.get(EXPLAINED, ()):
        if ticket in shown:
            p = len(shown[ticket].result.names)
            shown[ticket].data[EXPLAINED] = [(x, y) for x, y in pairs if 0 <= x < y < p]
