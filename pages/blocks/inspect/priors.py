"""Sensitivity of probabilities to the prior over structures: the run is repeated under the other priors."""

from __future__ import annotations

import streamlit as st

from learners.common.cancellable_job import Progress
from learners.common.progress import Tick
from learners.sweeping.priors import PriorDifference, under_priors
from learners.workers.remote import compare_priors_in_worker
from pages.session.data_frame import show_table
from pages.session.jobs import dispatch
from pages.session.jobs.progress_with_cancel import SideTask
from pages.session.state import Run
from pages.session.words import t, written
from viz.averaging.priors import prior_sentence, prior_table
from viz.text import escape_markdown, format_seconds

COUNT = SideTask("priors")
TIMES = 3  # duration relative to the run: two more runs, one of them slower


def priors(run: Run) -> None:
    """Show the probabilities under every prior, once they are computed."""
    if found := COUNT.collect():
        found[0].data["priors"] = found[1]
    if "priors" in run.data:
        _show(run, run.data["priors"])
    elif COUNT.under_way(run):
        COUNT.watch(_progress_text, "inspect_cancel_priors")
    else:
        _offer(run)


def _offer(run: Run) -> None:
    COUNT.show_error()
    st.caption(
        t("With few rows the prior matters: uniform over orders, over DAGs, or over equivalence classes."),
        help=t("An edge penalty, if set, applies in addition."),
    )
    if st.button(
        t("Compare priors"), icon=":material/balance:", key="inspect_priors",
        disabled=COUNT.busy or not run.result.complete, help=t("Takes about three times as long as this run."),
    ):  # fmt: skip
        running = dispatch.remote_task(TIMES * run.result.seconds)

        def work(tick: Tick) -> PriorDifference | None:
            given = {"knowledge": run.knowledge, "seed": run.seed, "tick": tick}
            if running is None:
                return under_priors(run.result, run.dataset, **given)
            return compare_priors_in_worker(dispatch.workers(), run.result, run.dataset, running=running, **given)

        COUNT.start(run, work, running)


def _show(run: Run, found: PriorDifference) -> None:
    st.markdown(escape_markdown(written(prior_sentence(found, run.result.names))))
    table = prior_table(found, run.result.names)
    shares = {name: st.column_config.NumberColumn(format="%.2f") for name in table.columns[1:]}
    show_table(
        table, hide_index=True, key=f"inspect_priors_{run.number}", column_config=shares,
        alt=t("Probabilities under each prior over structures"),
    )  # fmt: skip


def _progress_text(progress: Progress) -> tuple[float, str]:
    share = progress.done / progress.total if progress.total else 0.0
    return share, f"other priors, {progress.phase}, {format_seconds(progress.seconds)}"


PARTS = {"Prior": priors}
