"""The user's notes on runs and on the project, methods texts, and the pairs that a report explains."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import workspace
from pages.session.state import Run
from pages.session.words import t

NOTES, PROJECT = "notes", ""  # notes are stored by ticket of the run; the ticket of the project is empty
METHODS = "methods"  # texts for a paper that the user edited, by ticket
EXPLAINED = "explained"  # key in `Run.data`
MAX_CHARACTERS = 5_000  # maximum length of a text


def of(ticket: str = PROJECT) -> str:
    """Return the note on a run or on the project."""
    return st.session_state.get(NOTES, {}).get(ticket, "")


def ask(label: str, ticket: str = PROJECT) -> None:
    """Show a field for the note."""
    with st.expander(label, expanded=bool(of(ticket)), key=f"note_fold_{ticket}", icon=":material/edit_note:"):
        note = st.text_area(
            label, of(ticket), max_chars=MAX_CHARACTERS, key=f"note_{ticket}", label_visibility="collapsed",
            placeholder=t(
                "Saved with the project and included in reports" if workspace.is_kept() else "Included in reports"
            ),
        )  # fmt: skip
    known = st.session_state.setdefault(NOTES, {})
    if note != known.get(ticket, ""):
        st.session_state[NOTES] = {key: text for key, text in {**known, ticket: note}.items() if text}


def methods_of(ticket: str) -> str:
    """Return the user's version of the methods text of a run; empty if it was not edited."""
    return st.session_state.get(METHODS, {}).get(ticket, "")


def ask_methods(ticket: str, made: str) -> None:
    """Show a field for the methods text, at first the generated one; an empty field restores the generated text."""
    key, known = f"methods_{ticket}", st.session_state.setdefault(METHODS, {})
    text = st.text_area(t("Methods text"), known.get(ticket, made), max_chars=MAX_CHARACTERS, height=240, key=key)
    edited = "" if text.strip() in ("", made.strip()) else text
    if edited != known.get(ticket, ""):
        st.session_state[METHODS] = {one: kept for one, kept in {**known, ticket: edited}.items() if kept}


def explained(run: Run) -> list[tuple[int, int]]:
    """Return the pairs whose explanation is included in the report of a run."""
    return run.data.setdefault(EXPLAINED, [])


def stored() -> dict[str, Any]:
    """Return all notes and explained pairs, for saving."""
    return {
        **{kind: tuple(sorted(st.session_state.get(kind, {}).items())) for kind in (NOTES, METHODS)},
        EXPLAINED: tuple((run.ticket, tuple(explained(run))) for run in st.session_state.runs if explained(run)),
    }


def restore(kept: dict[str, Any], shown: dict[str, Run]) -> None:
    """Restore saved notes, with runs by their former tickets; the content may come from an untrusted file."""
    named = {ticket: run.ticket for ticket, run in shown.items()}
    for kind in (NOTES, METHODS):
        st.session_state[kind] = {
            named.get(ticket, ticket): text[:MAX_CHARACTERS]
            for ticket, text in kept.get(kind, ())
            if isinstance(text, str)
        }
    for ticket, pairs in kept.get(EXPLAINED, ()):
        if ticket in shown:
            p = len(shown[ticket].result.names)
            shown[ticket].data[EXPLAINED] = [(x, y) for x, y in pairs if 0 <= x < y < p]
