"""Parts of a run of LMM: edge ranking, v-structures, alternatives of its two thresholds, and prior."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from learners.lmm.ranking import EdgeRanking, choice_in
from learners.lmm.settings import OMEGA
from learners.lmm.step_graphs import skeleton_at
from pages.blocks.inspect import selection, slider_modes
from pages.blocks.inspect.lmm_mode import graphs_of
from pages.session import state
from pages.session.jobs import runner
from pages.session.state import Run
from viz.lmm import figures, tables, truth
from viz.text import count, escape_markdown, format_setting

CURVES = {"ROC of the skeleton": "roc", "TPR of the CPDAG": "tpr", "SHD of the CPDAG": "shd"}
HIGHEST, LOWEST = 20, 5  # bars of v-structures shown if there are many


def parts(run: Run) -> dict[str, Callable[[Run], None]]:
    """Return the parts below the picture by label."""
    shows = {"Edge ranking": _ranking, "v-structures": _v_structures, "What if": _what_if, "Prior": _prior}
    return shows if run.truth is None else shows | {"Against the truth": _truth}


def _ranking(run: Run) -> None:
    frame = state.made_once(run, "ranking", run.truth, lambda: tables.ranking_table(run.result, run.truth))
    if frame.empty:
        st.caption("No edge was ranked.")
        return
    st.caption(
        "The most certain edge first: the last one that elimination would remove. Either end of an edge looks for the "
        "variables that come nearest to explaining it away; what is left there is its side's CPPD, the probability of "
        "dependence. Click a row to see the edge in the graph."
    )
    key = f"inspect_ranking_{run.number}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            selection.select(run, (int(frame["i"].iloc[rows[0]]), int(frame["j"].iloc[rows[0]])))

    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        column_order=[column for column in frame.columns if column not in ("i", "j")],
        column_config={
            "rank": st.column_config.NumberColumn(width=50),
            "joint CPPD": st.column_config.TextColumn(help="When it left, or would leave: the product of both sides'"),
            "kept": st.column_config.TextColumn(help="Whether the final graph has it"),
            "in truth": st.column_config.TextColumn(help="Whether the known true graph has it"),
            "aware": st.column_config.TextColumn(help="Which of the two conditioned on the other by then"),
            "leaves at step": st.column_config.NumberColumn(help="Of the slider above"),
        },
        on_select=clicked,
        selection_mode="single-row",
        height=min(420, 38 + 35 * len(frame)),
        alt="Edges in the order of their significance",
    )


def _v_structures(run: Run) -> None:
    if run.result.extra.v_structures is None:
        st.caption(
            "The directions of this run do not come from induced dependence (lmm_eo), so there is nothing to rank."
        )
        return
    table = state.made_once(run, "v_structures", None, lambda: tables.v_structure_table(run.result))
    if table.empty:
        st.caption("No variable lies between two others that are not joined, so no v-structure was possible.")
        return
    st.caption(
        "Two variables that are not joined and both linked with a third: if accounting for the one in the middle makes "
        "them more dependent (CD above 0), both point at it. The surest comes first; one that contradicts a surer one "
        "is lost. Click a bar or a row to see one of its edges in the graph."
    )
    shown = table if len(table) <= HIGHEST + LOWEST else pd.concat([table.head(HIGHEST), table.tail(LOWEST)])
    key = f"inspect_cd_{run.number}"
    found = run.result.extra.v_structures

    def choose(t: int) -> None:
        x, w, _ = found.triples[t].tolist()
        selection.select(run, (x, w))

    def clicked_bar() -> None:
        t = selection.number_clicked(key)
        if t is not None:
            choose(t)

    st.plotly_chart(
        state.made_once(run, "cd_bars", None, lambda: figures.cd_bars(shown)),
        key=key,
        on_select=clicked_bar,
        selection_mode="points",
        alt=f"Bars of CD of {count(len(shown), 'candidate v-structure')}, told apart by what became of them",
    )
    if len(shown) < len(table):
        st.caption(f"The {HIGHEST} highest and the {LOWEST} lowest of {len(table):,}; the table has all.")
    with st.expander("As a table", key=f"{key}_fold"):
        rows = f"{key}_rows"

        def clicked_row() -> None:
            chosen = st.session_state[rows].selection.rows
            if chosen:
                choose(int(table["t"].iloc[chosen[0]]))

        st.dataframe(
            table, key=rows, hide_index=True, column_order=[name for name in table.columns if name != "t"],
            on_select=clicked_row, selection_mode="single-row", alt="Candidate v-structures, the surest first",
        )  # fmt: skip


def _what_if(run: Run) -> None:
    ranking: EdgeRanking = run.result.extra
    st.markdown("**Threshold γ**")
    _gamma(run, ranking)
    st.markdown("**Relaxation ω**")
    _omega(run)


def _gamma(run: Run, ranking: EdgeRanking) -> None:
    line = st.session_state.get("line")
    value = line[1] if line and line[0] == run.number else ranking.threshold
    if value <= 0:
        st.write("No threshold was used. Drag the line γ above the slider to see where elimination would stop.")
        return
    step = choice_in(ranking.moves, value, run.result.params["min_size"])
    left = int(skeleton_at(ranking.moves, step, len(run.result.names)).sum()) // 2
    st.write(
        f"At γ = {value:.6g} elimination stops at step {step:,} with {count(left, 'edge')}: the weakest of them has a "
        "joint CPPD above γ. Drag the line γ above the slider, or focus it and press the arrow keys; no rerun is "
        "needed, for elimination went on to the last edge."
    )
    if run.result.params["gamma"] > 0:
        st.caption(
            f"Forward selection joined no edge below the γ of this run, {run.result.params['gamma']:g}; a lower one "
            "needs a rerun, on the Learn page."
        )


def _omega(run: Run) -> None:
    used = run.result.params["omega"]
    options = sorted({*OMEGA.steps, used})
    wanted = st.select_slider(
        "Of two unequally sure ends, the less sure one stops conditioning on the other if they differ by more than",
        options,
        value=used,
        format_func=format_setting,
        key=f"inspect_omega_{run.number}",
    )
    if wanted == used:
        st.caption("This run's own. Another one needs a rerun; 1 relaxes nothing.")
        return
    shown = format_setting(wanted)
    st.caption(
        f"ω changes every choice on the way, so ω = {shown} **needs a rerun**. This result stays until it is done."
    )
    if st.button(
        f"Rerun with ω = {shown}", icon=":material/replay:", key="inspect_rerun", disabled=bool(st.session_state.job)
    ):
        params = dict(run.result.params) | {"omega": wanted}
        runner.start(run.result.method, run.dataset, run.knowledge, params, run.source)
        st.session_state.rerun_of = (run.number, f"ω = {shown}", f"ω = {format_setting(used)}")
        st.rerun(scope="app")


def _prior(run: Run) -> None:
    prior = run.result.extra.prior
    figure, alt = state.made_once(run, "prior", None, lambda: figures.prior_curve(prior))
    st.plotly_chart(figure, key="inspect_prior", alt=alt)
    p = len(run.result.names)
    st.markdown(escape_markdown(figures.prior_sentence(prior, p * (p - 1) // 2)))


def _truth(run: Run) -> None:
    chosen = st.segmented_control("Curve", list(CURVES), default=next(iter(CURVES)), required=True, key="inspect_curve")
    what, shown = CURVES[chosen], slider_modes.shown_graph(run)
    if what == "roc":
        figure, alt = truth.roc_figure(run.result, run.truth, shown)
        said = (
            "Down the ranking, one pair at a time: how many of the true edges, and of the pairs that are not joined in "
            "truth, have been taken."
        )
    else:
        figure, alt = truth.retrieval_figure(run.result, graphs_of(run), run.truth, shown, what)
        said = (
            "The oriented graph at every step of the elimination: a wrong direction counts as one edge missing and one "
            "too many."
            if what == "tpr"
            else "The oriented graph at every step of the elimination: how many pairs are unlike the truth. The lowest "
            "point is where stopping would have been best."
        )
    st.plotly_chart(figure, key=f"inspect_truth_{what}", alt=alt)
    st.caption(f"{said} {alt}. The diamond is the step on screen.")
