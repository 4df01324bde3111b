"""The papers' experiments on screen: picked, compared, downloaded, and run at scale smoke."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from benchmarks.papers.beside import compared, held
from benchmarks.papers.catalogue import PAPERS, experiments_of
from benchmarks.papers.experiment import Curve, Experiment, label
from benchmarks.papers.programs import absent, ready
from benchmarks.papers.running import Done, do
from benchmarks.papers.store import RESULTS, read_rows, rows_of
from benchmarks.papers.summary import is_point
from learners.common.job import Job, Progress
from learners.common.progress import Stopped, Tick
from pages.session import ownership
from pages.session.jobs import QUICK_SECONDS
from pages.session.lost import EXPERIMENT
from pages.session.watching import watch
from viz.experiments import curves, figures, words
from viz.text import count, escape_markdown, format_seconds

FIRST_METHODS = 8  # drawn unless others are chosen
ALL = "all"


def pick() -> Experiment:
    """Which paper, and which of its figures or tables."""
    left, right = st.columns([1, 2])
    paper = left.selectbox("Paper", list(PAPERS), format_func=PAPERS.get, key="experiments_paper")
    choices = {one.name: one for one in experiments_of(paper)}
    name = right.selectbox(
        "Figure or table",
        list(choices),
        format_func=lambda name: _title(choices[name]),
        key=f"experiments_of_{paper}",
    )
    return choices[name]


def _title(experiment: Experiment) -> str:
    """What it is, without the paper that is named beside it."""
    said = experiment.what.partition(", ")[2] or experiment.what
    return said[0].upper() + said[1:]


def stored(experiment: Experiment) -> None:
    """The results that come with Edgewise, beside the paper's."""
    path = RESULTS / f"{experiment.name}.csv"
    there = path.exists()
    table, claims = _tables(experiment.name, path.stat().st_mtime_ns if there else 0, experiment)
    if not there:
        st.info("No results of this experiment come with Edgewise yet; below it runs on a small network.")
    _values(experiment, table)
    _claims(claims)
    if there:
        st.download_button(
            "Rows (CSV)",
            path.read_bytes,
            f"edgewise_{experiment.name}.csv",
            "text/csv",
            key="experiments_rows",
            on_click="ignore",
            icon=":material/download:",
        )


@st.cache_data(show_spinner="Reading results", max_entries=32)
def _tables(name: str, changed: int, _experiment: Experiment) -> tuple[pd.DataFrame, pd.DataFrame]:
    rows = read_rows(RESULTS / f"{name}.csv") if changed else rows_of({})
    return compared(_experiment, rows), held(_experiment, rows)


def _values(experiment: Experiment, table: pd.DataFrame) -> None:
    if table.empty:
        return
    table = _part(experiment, table)
    drawn = {curve.title: curve for curve in experiment.curves if table["metric"].map(curve.place).notna().any()}
    metrics = [metric for metric in table["metric"].unique() if not is_point(experiment, metric)]
    # What the paper draws comes first, then what it prints, then what it claims.
    printed = [metric for metric in metrics if table.loc[table["metric"] == metric, "paper"].notna().any()]
    claimed = [claim.metric for claim in experiment.claims if claim.metric in metrics]
    metrics = list(dict.fromkeys([*drawn, *printed, *claimed, *metrics]))
    metric = st.selectbox("Metric", metrics, key=f"experiments_metric_{experiment.name}")
    curve = drawn.get(metric)
    if curve is None:
        table = table[table["metric"] == metric]
    else:
        table = table.assign(at=table["metric"].map(curve.place)).dropna(subset="at")
    methods = list(table["method"].unique())
    if len(methods) > FIRST_METHODS:
        chosen = st.multiselect(
            "Methods", methods, default=methods[:FIRST_METHODS], key=f"experiments_methods_{experiment.name}_{metric}"
        )
        table = table[table["method"].isin(chosen)]
    if table.empty:
        return
    if curve is None:
        _points(experiment, table, metric)
    else:
        _curve(table, curve)
    if said := words.meanings(" ".join([metric, *table["method"].unique(), *table["cell"].unique()])):
        st.caption(f"{said}.")
    _reasons(table)
    for text in experiment.remarks:
        st.markdown(f"- {escape_markdown(text)}")
    with st.expander("As a table", key="experiments_table_fold"):
        shown = _shown(table).rename(columns={"ours": "mean"} if experiment.programs else {})
        whose = "program by program" if experiment.programs else "ours and the paper's"
        st.dataframe(shown, hide_index=True, alt=f"{metric}, {whose}")


def _points(experiment: Experiment, table: pd.DataFrame, metric: str) -> None:
    figure, alt = figures.dots(table, metric)
    st.plotly_chart(figure, key="experiments_dots", alt=alt)
    said = words.tally(table["verdict"])
    st.caption(_meaning(experiment, printed=bool(table["paper"].notna().any())))
    if said:
        st.markdown(f"**Ours against the paper's:** {said}.")


def _curve(table: pd.DataFrame, curve: Curve) -> None:
    figure, alt = curves.curves(table, curve.y, curve.x, curve.log)
    st.plotly_chart(figure, key="experiments_curves", alt=alt)
    st.caption(
        "Ours, means over data sets; point at a curve for the standard deviation. A curve ends where a data set has no "
        "value any more. The paper draws its curves and prints no values of these."
    )


def _meaning(experiment: Experiment, *, printed: bool) -> str:
    """What the dots are."""
    if experiment.programs:
        return (
            "Mean and standard deviation over data sets. All programs learn from the same rows; seconds are those on a "
            "core, of the call alone, once everything is loaded."
        )
    if printed:
        return "Filled: ours, mean and standard deviation over data sets. Hollow: as printed in the paper."
    return "Mean and standard deviation over data sets; the paper prints no values of these."


def _part(experiment: Experiment, table: pd.DataFrame) -> pd.DataFrame:
    """One value of the parameter whose values have tables of their own."""
    if not experiment.apart:
        return table
    value = table["cell"].str.extract(rf"\b{experiment.apart}=(\S+)", expand=False)
    chosen = st.segmented_control(
        experiment.apart.capitalize(),
        list(value.unique()),
        default=value.iloc[0],
        required=True,
        key=f"experiments_part_{experiment.name}",
    )
    return table[value == chosen]


def _claims(table: pd.DataFrame) -> None:
    if table.empty:
        return
    st.subheader("What the paper claims", anchor=False)
    st.caption(
        "Each claim: the first method has more of the metric than the second. Differences are taken data set by data "
        "set; one is clear if its mean is more than two standard errors from 0."
    )
    st.markdown(f"**Seen:** {words.tally(table['verdict'])}.")
    _reasons(table)
    with st.expander("Claim by claim", key="experiments_claims_fold"):
        st.dataframe(_shown(table), hide_index=True, alt="Claims of the paper and by how much they hold")


def _reasons(table: pd.DataFrame) -> None:
    for text in words.reasons(table):
        st.markdown(f"- {escape_markdown(text)}")


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(cell=table["cell"].map(words.cell_label)).dropna(axis="columns", how="all")


def live(experiment: Experiment) -> None:
    """A piece of the experiment on a small network, run now."""
    st.subheader("Run it", anchor=False)
    job: Job | None = st.session_state.get("smoke_job")
    if job is not None and not job.running:
        st.session_state.smoke_job = None
        st.session_state[EXPERIMENT] = (st.session_state.smoke_of, job.result(), job.reason)
        st.rerun()  # the browser is told what would be lost as the page begins
    if st.session_state.get("smoke_job"):
        watch(lambda: st.session_state.smoke_job, _told, "experiments_cancel")
        return
    piece = experiment.pieces("smoke")[0]
    cell = words.cell_label(label({k: v for k, v in piece.items() if k not in ("program", "seed")}))
    missing = f" Not installed, so left out: {', '.join(others)}." if (others := absent(experiment)) else ""
    st.caption(f"Scale smoke: one data set ({cell}), a few seconds.{missing}")
    if st.button("Run smoke", icon=":material/play_arrow:", key="experiments_run"):
        st.session_state.smoke_of = experiment.name
        st.session_state.smoke_figures = _figures_of_smoke(experiment)
        st.session_state.smoke_job = ownership.begin(lambda tick: _carry_out(experiment, tick))
        st.session_state.smoke_job.wait(QUICK_SECONDS)
        st.rerun()
    of, pieces, reason = st.session_state.get(EXPERIMENT, ("", None, ""))
    if of == experiment.name and pieces is None:
        st.info(f"Cancelled: {reason}." if reason else "Cancelled.")
    elif of == experiment.name:
        _outcome(experiment, pieces)


def _figures_of_smoke(experiment: Experiment) -> int:
    """How many figures a smoke run has at most, if its pieces are as large as the stored ones; 0 if none is stored."""
    path = RESULTS / f"{experiment.name}.csv"
    a_piece = int(read_rows(path)["piece"].value_counts().max()) if path.exists() else 0
    return a_piece * len(ready(experiment, experiment.pieces("smoke")))


def _carry_out(experiment: Experiment, tick: Tick) -> dict[str, Done] | None:
    """What came out of each piece by its name; None once cancelled."""
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


def _told(said: Progress) -> tuple[float, str]:
    total = st.session_state.smoke_figures
    far = f"{said.done:,} of {count(total, 'figure')}" if total else count(said.done, "figure")
    share = min(said.done / total, 1.0) if total else 0.0
    return share, f"{st.session_state.smoke_of}: {far}, {format_seconds(said.seconds)}"


def _outcome(experiment: Experiment, pieces: dict[str, Done]) -> None:
    rows = rows_of(pieces)
    done = list(pieces.values())
    seconds = format_seconds(sum(one.seconds for one in done))
    peak = max((one.peak_mb for one in done if one.peak_mb), default=None)
    most = f", at most {peak:,.0f} MB" if peak else ""
    versions = "; ".join(dict.fromkeys(one.version for one in done))
    st.caption(f"{count(len(rows), 'figure')} in {seconds}{most}; {versions}; {done[0].machine}.")
    table = compared(experiment, rows)
    shown = table.loc[table["ours"].notna(), ["method", "metric", "ours"]]
    st.dataframe(
        shown.rename(columns={"ours": "value"} if experiment.programs else {}),
        hide_index=True,
        alt="What came out of the small network",
    )
    st.download_button(
        "Rows of this run (CSV)",
        rows.to_csv(index=False),
        f"edgewise_{experiment.name}_smoke.csv",
        "text/csv",
        key="experiments_smoke_rows",
        on_click="ignore",
        icon=":material/download:",
    )
