"""Progress of a job with Cancel, and computations in addition to a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from learners.common.cancellable_job import Job, Progress
from learners.common.errors import LearnersError
from learners.common.progress import Tick
from learners.common.sentences import Count
from learners.common.task_pool import TaskHandle
from pages.session.jobs import ownership
from pages.session.state import Run
from pages.session.words import t, written
from viz.text import as_sentence, escape_markdown

POLL_SECONDS = 1.0  # seconds between two polls, each of which interrupts the run's threads for some 50 ms
SOON = 1.0  # seconds of waiting for a cancelled job, which usually ends within them
AT_ONCE = 2.0  # seconds of waiting before progress is shown


def _nothing() -> None:
    """Do nothing."""


@st.fragment(run_every=POLL_SECONDS)
def watch(
    job_of: Callable[[], Job | None],
    describe: Callable[[Progress], tuple[float, str]],
    key: str,
    *,
    ended: Callable[[], None] = _nothing,
    cancelled: Callable[[], None] = _nothing,
    below: Callable[[], None] = _nothing,
) -> None:
    """Show the progress of a job with Cancel, and redraw the page once the job has ended.

    Parameters
    ----------
    job_of : callable
        Returns the job, or None once it was removed.
    describe : callable
        Returns the share done and a text.
    key : str
        Key of the button.
    ended, cancelled, below : callable
        `ended` is called before the page is redrawn, `cancelled` before the job is cancelled, and `below` draws the
        content below the button.
    """
    job = job_of()
    if job is None or not job.running:
        ended()
        st.rerun()
    share, text = describe(job.progress) if job.begun else (0.0, in_line(job.progress))
    st.progress(share, text=text)
    if st.button(t("Cancel"), icon=":material/stop:", key=key, disabled=job.cancelled):
        cancelled()
        job.cancel()
        if job.wait(SOON):
            ended()
            st.rerun()
    below()


def in_line(progress: Progress) -> str:
    """Return the text about the queue position of a job that has not begun."""
    return t("Waiting in the queue: {runs} before yours", runs=Count(progress.done, "run"))


class SideTask:
    """A computation in addition to a run, one at a time per session; the run is not changed.

    Parameters
    ----------
    name : str
        Prefix of its session keys, which hold the job with its run, and the error.
    """

    def __init__(self, name: str) -> None:
        self._job, self._error = f"{name}_job", f"{name}_error"

    @property
    def busy(self) -> bool:
        """Return True if a run or another computation is in progress."""
        return bool(st.session_state.job or st.session_state.get(self._job))

    def under_way(self, run: Run) -> bool:
        """Return True if the computation is in progress for this run."""
        at_work = st.session_state.get(self._job)
        return at_work is not None and at_work[0].number == run.number

    def start(self, run: Run, work: Callable[[Tick], Any], running: TaskHandle | None = None) -> None:
        """Begin the computation, and wait a moment in case it ends soon; `running` is its remote task on a worker."""
        job = ownership.begin(work, running)
        st.session_state[self._job] = (run, job)
        with st.spinner(t("Counting…")):
            job.wait(AT_ONCE)
        st.rerun(scope="app")

    def watch(self, describe: Callable[[Progress], tuple[float, str]], key: str) -> None:
        """Show the progress, with Cancel."""
        watch(lambda: (st.session_state.get(self._job) or (None, None))[1], describe, key)

    def collect(self) -> tuple[Run, Any] | None:
        """Return the run and the result, once; None while there is none, or if it failed."""
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
        """Show why the last computation failed, once."""
        if error := st.session_state.pop(self._error, ""):
            st.error(escape_markdown(written(as_sentence(error))), icon=":material/error:")
