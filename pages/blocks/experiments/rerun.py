"""Repeat an experiment at scale "smoke"; importable only in a clone, because an installed app lacks `benchmarks`."""

from __future__ import annotations

from functools import partial

import streamlit as st

from benchmarks.papers.archive import has_rows, stored_rows
from benchmarks.papers.beside import compared
from benchmarks.papers.catalogue import EXPERIMENTS
from benchmarks.papers.experiment import Experiment, label
from benchmarks.papers.programs import absent, ready
from benchmarks.papers.running import Done, do
from benchmarks.papers.store import rows_of
from learners.common.cancellable_job import Job, Progress
from learners.common.progress import Stopped, Tick
from learners.common.sentences import Count
from pages.session.data_frame import show_table
from pages.session.jobs import ownership
from pages.session.jobs.progress_with_cancel import watch
from pages.session.jobs.runner import QUICK_SECONDS
from pages.session.lost_session import EXPERIMENT
from pages.session.words import counted, headings, spoken, t, written
from viz.experiments import words
from viz.text import format_seconds


def live(name: str) -> None:
    """Show the download of the stored rows, and a run of one piece on a small network."""
    experiment = EXPERIMENTS[name]
    _rows(experiment)
    st.subheader(t("Small run"), anchor=False)
    job: Job | None = st.session_state.get("smoke_job")
    if job is not None and not job.running:
        st.session_state.smoke_job = None
        st.session_state[EXPERIMENT] = (st.session_state.smoke_of, job.result(), job.reason)
        st.rerun()  # updates the browser's note for a lost session
    if st.session_state.get("smoke_job"):
        watch(lambda: st.session_state.smoke_job, _progress_text, "experiments_cancel")
        return
    piece = experiment.pieces("smoke")[0]
    cell = words.cell_label(label({k: v for k, v in piece.items() if k not in ("program", "seed")}), spoken())
    others = ", ".join(absent(experiment))
    missing = t("Not installed: {others}.", others=others) if others else ""
    st.caption(f"{t('One data set ({cell}), a few seconds.', cell=cell)} {missing}")
    if st.button(t("Run experiment"), icon=":material/play_arrow:", key="experiments_run"):
        st.session_state.smoke_of = experiment.name
        st.session_state.smoke_figures = _figures_of_smoke(experiment)
        st.session_state.smoke_job = ownership.begin(lambda tick: _carry_out(experiment, tick))
        st.session_state.smoke_job.wait(QUICK_SECONDS)
        st.rerun()
    of, pieces, reason = st.session_state.get(EXPERIMENT, ("", None, ""))
    if of == experiment.name and pieces is None:
        st.info(t("Cancelled: {reason}.", reason=written(reason)) if reason else t("Cancelled."))
    elif of == experiment.name:
        _outcome(experiment, pieces)


def _rows(experiment: Experiment) -> None:
    if not has_rows(experiment.name):
        return
    st.download_button(
        t("Download rows"),
        lambda: stored_rows(experiment.name).to_csv(index=False).encode(),
        f"edgewise_{experiment.name}.csv",
        "text/csv",
        key="experiments_rows",
        on_click="ignore",
        icon=":material/download:",
    )


def _figures_of_smoke(experiment: Experiment) -> int:
    """Estimate the maximum number of values that a smoke run computes, from the stored rows; 0 if none are stored."""
    stored = has_rows(experiment.name)
    a_piece = int(stored_rows(experiment.name)["piece"].value_counts().max()) if stored else 0
    return a_piece * len(ready(experiment, experiment.pieces("smoke")))


def _carry_out(experiment: Experiment, tick: Tick) -> dict[str, Done] | None:
    """Return the outcome of each piece by its name; None once cancelled."""
    out: dict[str, Done] = {}
    try:
        for piece in ready(experiment, experiment.pieces("smoke")):
            before = sum(len(done.figures) for done in out.values())
            counted = partial(_counted_on, tick, before)
            out[label(piece)] = do(experiment, piece, counted)
    except Stopped:
        return None
    return out


def _counted_on(tick: Tick, before: int, phase: str, done: int, total: int) -> bool:
    return tick(phase, before + done, total)


def _progress_text(progress: Progress) -> tuple[float, str]:
    total = st.session_state.smoke_figures
    far = counted(progress.done, "number")
    if total:
        far = t("{done} of {numbers}", done=int(progress.done), numbers=Count(total, "number"))
    share = min(progress.done / total, 1.0) if total else 0.0
    return share, f"{st.session_state.smoke_of}: {far}, {format_seconds(progress.seconds)}"


def _outcome(experiment: Experiment, pieces: dict[str, Done]) -> None:
    rows = rows_of(pieces)
    done = list(pieces.values())
    seconds = format_seconds(sum(outcome.seconds for outcome in done))
    peak = max((outcome.peak_mb for outcome in done if outcome.peak_mb), default=None)
    most = t(", at most {mb} MB", mb=round(peak)) if peak else ""
    versions = "; ".join(dict.fromkeys(outcome.version for outcome in done))
    numbers = t("{numbers} in {seconds}", numbers=Count(len(rows), "number"), seconds=seconds)
    st.caption(f"{numbers}{most}; {versions}; {done[0].machine}.")
    table = compared(experiment, rows)
    shown = table.loc[table["ours"].notna(), ["method", "metric", "ours"]]
    shown = shown.assign(
        method=[words.method_label(method, spoken()) for method in shown["method"]],
        metric=[words.metric_label(metric, spoken()) for metric in shown["metric"]],
    )
    show_table(
        shown.rename(columns={"ours": "value"} if experiment.programs else {}),
        hide_index=True,
        alt=t("Results on the small network"),
        column_config=headings(("method", "metric", "ours", "value")),
    )
    st.download_button(
        t("Download rows of this run"),
        rows.to_csv(index=False),
        f"edgewise_{experiment.name}_smoke.csv",
        "text/csv",
        key="experiments_smoke_rows",
        on_click="ignore",
        icon=":material/download:",
    )
