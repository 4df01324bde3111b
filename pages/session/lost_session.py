"""Recovery of a lost session: the browser stores a note of its content, which a new session finds and reports.

Streamlit drops a session when its server stops, or some minutes after the connection broke. The page stays on screen,
and its next click begins a new session without the table that the page still names. Nothing runs until the user has
acknowledged that.
"""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from learners.common.sentences import Count, Listed, say
from learners.io.samples import SAMPLES
from pages.session import state, workspace
from pages.session.words import t, table_title
from viz.text import MAX_TITLE_LENGTH, escape_markdown, shorten

EXPERIMENT = "smoke"  # session key of the last experiment: name, pieces or None, reason of a cancellation
NOTE = "browser_note"  # key of a text field that page.css hides; the browser sends its content with every click
LOST = "lost"


def look() -> bool:
    """Return True if the page on screen belongs to a lost session, until the user has acknowledged it."""
    if LOST not in st.session_state:
        note = _parsed(st.text_input(NOTE, key=NOTE, label_visibility="collapsed"))
        st.session_state[LOST] = None if workspace.may_be_there() else note
    elif st.session_state[LOST] is None and "runs" in st.session_state:
        st.session_state[NOTE] = _note()
        st.text_input(NOTE, key=NOTE, label_visibility="collapsed")
    return st.session_state[LOST] is not None


def say_so() -> None:
    """Report the lost work and how to recover it."""
    was = st.session_state[LOST]
    title, sample, runs = was["table"], was["sample"], was["runs"]
    st.title(t("The session was lost"), anchor=False)
    gone = [say("the table {table}", table=shorten(table_title(title), MAX_TITLE_LENGTH))]
    if runs:
        gone.append(say("{runs}", runs=Count(runs, "run")))
    if was["experiment"]:
        gone.append(say("results of {experiment}", experiment=shorten(was["experiment"], MAX_TITLE_LENGTH)))
    st.warning(
        escape_markdown(
            t(
                "The server was restarted, or the connection was lost for too long. The session lost {gone}.",
                gone=Listed(gone, ", ", " and "),
            )
        ),
        icon=":material/cloud_off:",
    )
    with st.container(horizontal=True):
        if sample in SAMPLES:
            if st.button(
                escape_markdown(t("Reload {title}", title=table_title(SAMPLES[sample].title))),
                type="primary",
                key="lost_sample",
            ):
                _go_on("pages/learn.py", sample)
        elif st.button(t("Upload it again"), icon=":material/upload:", type="primary", key="lost_upload"):
            _go_on("pages/data.py")
        if st.button(
            t("Use the sample {title}", title=table_title(SAMPLES[state.FIRST_SAMPLE].title)), key="lost_go_on"
        ):
            _go_on("pages/start.py")


def _go_on(page: str, sample: str = state.FIRST_SAMPLE) -> None:
    st.session_state[LOST] = None
    state.start_session()
    state.use_sample(sample)
    st.switch_page(page)


def _note() -> str:
    """Return the note for a later session; empty if a new session would show the same content."""
    here, runs, experiment = state.source(), st.session_state.runs, _experiment()
    first = here is not None and here.title == SAMPLES[state.FIRST_SAMPLE].title and not here.steps
    if here is None or (first and len(runs) <= 1 and not experiment):
        return ""
    sample = next((key for key, sample in SAMPLES.items() if sample.title == here.title), "")
    own = max(len(runs) - 1, 0)  # without the run on the default sample, which is shown again
    note = {"table": here.title, "sample": sample, "runs": own}
    return json.dumps(note | ({"experiment": experiment} if experiment else {}))


def _experiment() -> str:
    """Return the experiment whose results are in the session; empty if there is none."""
    name, pieces, _ = st.session_state.get(EXPERIMENT, ("", None, ""))
    return name if pieces else ""


def _parsed(note: str) -> dict[str, Any] | None:
    """Parse the note of a browser; its content is untrusted."""
    try:
        found = json.loads(note)
        fields = {"table": str(found["table"]), "sample": str(found["sample"]), "runs": int(found["runs"])}
        return fields | {"experiment": str(found.get("experiment", ""))}
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
