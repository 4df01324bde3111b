"""Which independence test suits the table: a comparison on permuted columns, on demand."""

from __future__ import annotations

import streamlit as st

from learners.choosing.suited_test import MAX_ROWS_PERMUTED, SuitedTest, suited_test
from learners.common.cancellable_job import Job, Progress
from learners.common.errors import LearnersError
from learners.common.progress import Tick
from learners.data.dataset import Dataset
from learners.settings.learner import Learner
from pages.session.data_frame import show_table
from pages.session.jobs import ownership
from pages.session.jobs.progress_with_cancel import watch
from pages.session.jobs.runner import QUICK_SECONDS
from pages.session.words import headings, t, worded_cells, written
from viz.choosing.suited_test import EXPLAINED, FALSE, FOUND, KEEPS, suited_test_table
from viz.text import as_sentence, escape_markdown

JOB, FOUND_KEY = "suited_test_job", "suited_test"


def compared_tests(learner: Learner, dataset: Dataset) -> None:
    """Offer to compare the tests on the table of this run, if the learner has a choice of tests for it."""
    if not any(one.name == "test" and len(one.choices) > 1 for one in learner.parameters_for(dataset.kind)):
        return
    if learner.key in ("cimap", "aracne"):  # their tests are criteria on the information
        return
    _collect()
    with st.expander(t("Which test suits this table?"), key="learn_suited_test"):
        job = st.session_state.get(JOB)
        if job is not None:
            watch(lambda: (st.session_state.get(JOB) or (None, None))[1], _progress_text, "learn_cancel_suited")
            return
        of, found, reason = st.session_state.get(FOUND_KEY, ("", None, ""))
        if of == dataset.fingerprint and found is not None:
            _show(found, dataset)
            return
        if of == dataset.fingerprint:
            st.info(escape_markdown(written(as_sentence(reason)) if reason else t("Cancelled.")))
        st.caption(
            t(
                "Permuting a column makes it independent of the others. A test that suits the table rarely finds a "
                "permuted column dependent, and still finds dependences in the table itself."
            )
        )
        if st.button(t("Compare tests"), key="learn_compare_tests", icon=":material/rule:"):
            _begin(dataset)


def _begin(dataset: Dataset) -> None:
    def work(tick: Tick) -> SuitedTest:
        return suited_test(dataset, tick=tick)

    job = ownership.begin(work)
    st.session_state[JOB] = (dataset.fingerprint, job)
    job.wait(QUICK_SECONDS)
    st.rerun()


def _collect() -> None:
    """Store the comparison that has ended, or its error."""
    at_work: tuple[str, Job] | None = st.session_state.get(JOB)
    if at_work is None or at_work[1].running:
        return
    of, job = st.session_state.pop(JOB)
    try:
        st.session_state[FOUND_KEY] = (of, job.result(), job.reason)
    except LearnersError as error:
        st.session_state[FOUND_KEY] = (of, None, str(error))


def _show(found: SuitedTest, dataset: Dataset) -> None:
    st.markdown(escape_markdown(written(found.reason)))
    show_table(
        worded_cells(suited_test_table(found), "test", KEEPS),
        hide_index=True,
        key="learn_suited_table",
        alt=t("Tests compared on permuted columns"),
        column_config=headings(("test", KEEPS))
        | {
            name: st.column_config.NumberColumn(t(name), format="%.1f %%", help=t(EXPLAINED[name]))
            for name in (FALSE, FOUND)
        },
    )
    if dataset.kind == "categorical" and dataset.n_rows > MAX_ROWS_PERMUTED:
        st.caption(t("Tests by permutation are left out: they take too long with so many rows."))
    if dataset.kind != "categorical" and not any(one.settings["test"] == "basis" for one in found.tests):
        st.caption(t("The basis-function test is left out: it takes too long on so large a table."))


def _progress_text(progress: Progress) -> tuple[float, str]:
    share = min(progress.done / progress.total, 1.0) if progress.total else 0.0
    return share, t("{done} of {total} tests", done=progress.done, total=progress.total)
