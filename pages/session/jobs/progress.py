"""A job under way: its progress with Cancel, and counts that are made beside a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.job import Job, Progress
from learners.common.pool import Running
from learners.common.progress import Tick
from pages.session.jobs import ownership
from pages.session.state import Run
from viz.text import count, escape_markdown

POLL_SECONDS = 1.0  # each look takes the run's threads off their work for some 50 ms
SOON = 1.0  # seconds in which a cancelled job has ended as a rule: no look later is needed then
AT_ONCE = 2.0  # seconds that a visitor waits for a count without being shown progress


def _nothing() -> None:
    """What a job has nothing of."""


@st.fragment(run_every=POLL_SECONDS)
def watch(
    job_of: Callable[[], Job | None],
    told: Callable[[Progress], tuple[float, str]],
    key: str,
    *,
    ended: Callable[[], None] = _nothing,
    cancelled: Callable[[], None] = _nothing,
    below: Callable[[], None] = _nothing,
) -> None:
    """Progress of a job, with Cancel; the page is drawn anew once it has ended.

    Parameters
    ----------
    job_of : callable
        The job, or None once it was taken away.
    told : callable
        The share that is done, and a text.
    key : str
        Of the button.
    ended, cancelled, below : callable
        What to do before the page is drawn anew, and before the job is cancelled; what stands below the button.
    """
    job = job_of()
    if job is None or not job.running:
        ended()
        st.rerun()
    share, text = told(job.progress) if job.begun else (0.0, in_line(job.progress))
    st.progress(share, text=text)
    if st.button("Cancel", icon=":material/stop:", key=key, disabled=job.cancelled):
        cancelled()
        job.cancel()
        if job.wait(SOON):
            ended()
            st.rerun()
    below()


def in_line(said: Progress) -> str:
    """Of a job that has not begun."""
    return f"Waiting for a free place: {count(said.done, 'run')} before yours"


class Count:
    """Something counted beside a run, one at a time a session, by a job that leaves the run as it is.

    Parameters
    ----------
    name : str
        Of its entries in the session: the job with its run, and what went wrong.
    """

    def __init__(self, name: str) -> None:
        self._job, self._error = f"{name}_job", f"{name}_error"

    @property
    def busy(self) -> bool:
        """Whether a run is under way, or another count."""
        return bool(st.session_state.job or st.session_state.get(self._job))

    def under_way(self, run: Run) -> bool:
        """Whether it is counted beside this run."""
        at_work = st.session_state.get(self._job)
        return at_work is not None and at_work[0].number == run.number

    def start(self, run: Run, work: Callable[[Tick], Any], running: Running | None = None) -> None:
        """Begin, and wait a moment for what ends soon; `running` if a worker does it."""
        job = ownership.begin(work, running)
        st.session_state[self._job] = (run, job)
        with st.spinner("Counting…"):
            job.wait(AT_ONCE)
        st.rerun(scope="app")

    def watch(self, told: Callable[[Progress], tuple[float, str]], key: str) -> None:
        """Progress, with Cancel."""
        watch(lambda: (st.session_state.get(self._job) or (None, None))[1], told, key)

    def collect(self) -> tuple[Run, Any] | None:
        """The run and what was counted, once; None while there is nothing, or if it failed."""
        at_work = st.session_state.get(self._job)
        if at_work is None or at_work[1].running:
            return None
        run, job = st.session_state.pop(self._job)
        try:
            found = job.result()
            st.session_state[self._error] = job.reason
            return None if found is None else (run, found)
        except LearnersError as error:
            st.session_state[self._error] = str(error)
            return None

    def show_error(self) -> None:
        """Why the last count failed, once."""
        if error := st.session_state.pop(self._error, ""):
            st.error(escape_markdown(error[0].upper() + error[1:] + "."), icon=":material/error:")
