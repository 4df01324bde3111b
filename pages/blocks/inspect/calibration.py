"""Calibration on this table: tables are simulated from the learned network, and the run is repeated on each."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from learners.common.cancellable_job import Progress
from learners.common.progress import Tick
from learners.common.sentences import Count
from learners.families.averaging.calibration import OwnCalibration
from learners.io.edge_csv import to_pair_csv
from learners.registry import calibrate
from learners.workers.remote import calibrate_in_worker
from pages.session.data_frame import show_table
from pages.session.jobs import dispatch
from pages.session.jobs.progress_with_cancel import SideTask
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.averaging.calibration import error_sentence, own_figure, recalibrated_table
from viz.text import format_seconds

COUNT = SideTask("calibration")
TABLES = 20
MAX_SHOWN = 2_000  # maximum number of pairs in the table on screen; the file has all


def own_calibration(run: Run) -> None:
    """Show predicted probabilities against frequencies, and recalibrated probabilities."""
    _collect()
    if "own_calibration" in run.data:
        _show(run, run.data["own_calibration"])
    elif COUNT.under_way(run):
        COUNT.watch(_progress_text, "inspect_cancel_calibration")
    else:
        _offer(run)


def _offer(run: Run) -> None:
    COUNT.show_error()
    surveyed = run.dataset.surveyed
    st.caption(
        t("No calibration with survey weights: simulated rows count once and do not depend on one another.")
        if surveyed
        else t(
            "Calibration repeats this run on {n} tables simulated from the learned network, whose graph is known.",
            n=TABLES,
        )
    )
    if st.button(
        t("Calibrate probabilities"), icon=":material/target:", key="inspect_calibrate",
        disabled=COUNT.busy or surveyed or not run.result.complete,
        help=None if surveyed else t("Takes about {n} times as long as this run.", n=TABLES),
    ):  # fmt: skip
        running = dispatch.remote_task(TABLES * run.result.seconds)

        def work(tick: Tick) -> OwnCalibration | None:
            given = {"tables": TABLES, "knowledge": run.knowledge, "tick": tick}
            if running is None:
                return calibrate(run.result, run.dataset, **given)
            return calibrate_in_worker(dispatch.workers(), run.result, run.dataset, running=running, **given)

        COUNT.start(run, work, running)


def _show(run: Run, found: OwnCalibration) -> None:
    figure, alt = own_figure(found)
    st.plotly_chart(worded(figure), key=f"inspect_calibration_{run.number}", alt=written(alt))
    st.caption(
        t(
            "On the dashed line probabilities are calibrated, below it they are too high. Brier score "
            "{brier}, calibration error {error}. {alt}.",
            brier=f"{found.brier:.4f}",
            error=error_sentence(found),
            alt=written(alt),
        ),
        help=t(
            "From {tables} simulated from the learned network; valid as far as it describes the data.",
            tables=Count(found.n_tables, "table"),
        ),
    )
    table: pd.DataFrame = recalibrated_table(run.result.posterior.adjacent, found, run.result.names)
    show_table(
        table.head(MAX_SHOWN), hide_index=True, key=f"inspect_recalibrated_{run.number}",
        alt=t("Predicted and recalibrated P"), height=min(420, 38 + 35 * max(1, len(table))),
        column_config={
            name: st.column_config.ProgressColumn(name, min_value=0.0, max_value=1.0, format="%.3f")
            for name in ("P stated", "P recalibrated")
        },
    )  # fmt: skip
    st.download_button(
        t("Download recalibrated P"), lambda: to_pair_csv(list(table), _texts(table)), "recalibrated.csv", "text/csv",
        key=f"inspect_recalibrated_csv_{run.number}", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def _texts(table: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    """Return the rows of a recalibrated table with numbers that read back as the same."""
    return [(x, y, repr(float(stated)), repr(float(recalibrated))) for x, y, stated, recalibrated in table.to_numpy()]


def _progress_text(progress: Progress) -> tuple[float, str]:
    share = progress.done / progress.total if progress.total else 0.0
    return share, t(
        "{done} of {tables} done, {seconds}",
        done=int(progress.done), tables=Count(progress.total, "table"), seconds=format_seconds(progress.seconds),
    )  # fmt: skip


def _collect() -> None:
    """Keep the result of a finished job."""
    if found := COUNT.collect():
        run, calibration = found
        run.data["own_calibration"] = calibration
