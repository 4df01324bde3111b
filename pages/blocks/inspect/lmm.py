"""Parts of a run of LMM: edge ranking, v-structures, alternatives of its two thresholds, and prior."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from learners.common.sentences import Count
from learners.common.wording import format_number, format_setting
from learners.families.lmm.ranking import EdgeRanking, choice_in, key_of
from learners.families.lmm.settings import OMEGA
from learners.families.lmm.step_graphs import skeleton_at
from pages.blocks.inspect import selection, slider_modes
from pages.blocks.inspect.lmm_mode import graphs_of
from pages.session import state
from pages.session.data_frame import show_table
from pages.session.jobs import runner
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.lmm import figures, tables, truth
from viz.text import escape_markdown

CURVES = {"ROC of the skeleton": "roc", "TPR of the CPDAG": "tpr", "SHD of the CPDAG": "shd"}
CPPD_HELP = (
    "Each end of an edge conditions on the variables that come closest to separating its ends. The remaining "
    "probability of dependence is the CPPD of that end."
)
MARGIN_HELP = (
    "Each end of an edge conditions on the variables that come closest to separating its ends. The margin says how far "
    "the remaining support lies above the threshold. It ranks edges and is no probability, since these columns are not "
    "all numeric."
)
HIGHEST, LOWEST = 20, 5  # bars of v-structures shown if there are many


def parts(run: Run) -> dict[str, Callable[[Run], None]]:
    """Return the parts below the picture by label."""
    shows = {"Edge ranking": _ranking, "v-structures": _v_structures, "What if": _what_if, "Prior": _prior}
    return shows if run.truth is None else shows | {"Against the truth": _truth}


def _ranking(run: Run) -> None:
    frame = state.made_once(run, "ranking", run.truth, lambda: tables.ranking_table(run.result, run.truth))
    if frame.empty:
        st.caption(t("The run ranked no edge."))
        return
    st.caption(
        t("The most certain edge, which elimination removes last, comes first. Click a row to show the edge."),
        help=t(MARGIN_HELP if run.result.extra.tested else CPPD_HELP),
    )
    key = f"inspect_ranking_{run.number}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            selection.select(run, (int(frame["i"].iloc[rows[0]]), int(frame["j"].iloc[rows[0]])))

    show_table(
        frame,
        key=key,
        hide_index=True,
        column_order=[column for column in frame.columns if column not in ("i", "j")],
        column_config={
            "rank": st.column_config.NumberColumn(width=50),
            "joint CPPD": st.column_config.TextColumn(help=t("Product of both ends' CPPD at its removal")),
            "margin": st.column_config.TextColumn(help=t("Support at its removal, above the threshold if positive")),
            "kept": st.column_config.TextColumn(help=t("Edges of the final graph")),
            "in truth": st.column_config.TextColumn(help=t("Edges of the true graph")),
            "aware": st.column_config.TextColumn(help=t("Ends that condition on the other at that step")),
            "removed at step": st.column_config.NumberColumn(t("removed at step"), help=t("Step of the slider above")),
        },
        on_select=clicked,
        selection_mode="single-row",
        height=min(420, 38 + 35 * len(frame)),
        alt=t("Edges by significance"),
    )


def _v_structures(run: Run) -> None:
    if run.result.extra.v_structures is None:
        st.caption(t("This run orients edges without induced dependence (lmm_eo), so there is no ranking."))
        return
    table = state.made_once(run, "v_structures", None, lambda: tables.v_structure_table(run.result))
    if table.empty:
        st.caption(t("No two non-adjacent variables share a neighbour, so no v-structure is possible."))
        return
    st.caption(
        t(
            "Two non-adjacent neighbours of a variable are its parents if conditioning on it makes them "
            "more dependent (CD above 0). Click a bar or a row to show an edge."
        ),
        help=t("The best-supported candidate comes first. One that contradicts a better one is dropped."),
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
        worded(state.made_once(run, "cd_bars", None, lambda: figures.cd_bars(shown))),
        key=key,
        on_select=clicked_bar,
        selection_mode="points",
        alt=t("Bars of CD of {v_structures}, by outcome", v_structures=Count(len(shown), "candidate v-structure")),
    )
    if len(shown) < len(table):
        st.caption(
            t(
                "The {high} highest and the {low} lowest of {n}; the table has all.",
                high=HIGHEST,
                low=LOWEST,
                n=len(table),
            )
        )
    with st.expander(t("Table of v-structures"), key=f"{key}_fold"):
        rows = f"{key}_rows"

        def clicked_row() -> None:
            chosen = st.session_state[rows].selection.rows
            if chosen:
                choose(int(table["t"].iloc[chosen[0]]))

        show_table(
            table,
            key=rows,
            hide_index=True,
            column_order=[name for name in table.columns if name != "t"],
            on_select=clicked_row,
            selection_mode="single-row",
            alt=t("Candidate v-structures, the best supported first"),
        )


def _what_if(run: Run) -> None:
    ranking: EdgeRanking = run.result.extra
    st.markdown(t("**Threshold γ**"))
    _gamma(run, ranking)
    st.markdown(t("**False discoveries**"))
    _false_discoveries(run, ranking)
    st.markdown(t("**Relaxation ω**"))
    _omega(run)


def _gamma(run: Run, ranking: EdgeRanking) -> None:
    line = st.session_state.get("line")
    value = line[1] if line and line[0] == run.number else None
    if ranking.tested:
        value = ranking.threshold if value is None else ranking.gamma_at(value)
    elif value is None:
        value = ranking.threshold
    if value <= 0:
        line = t("line of the margin") if ranking.tested else t("line γ")
        st.write(
            t(
                "This run used no threshold. Drag the {line} above the slider to see where elimination would stop.",
                line=line,
            )
        )
        return
    q = run.result.params.get("q")
    step = choice_in(ranking.moves, value, run.result.params["min_size"], ranking.false_shares, q)
    left = int(skeleton_at(ranking.moves, step, len(run.result.names)).sum()) // 2
    at, name = f"γ = {format_number(value)}", t("line γ")
    if ranking.tested:
        at = t("a margin of {margin}", margin=format_number(float(ranking.margin(key_of(value)))))
        name = t("line of the margin")
    st.write(
        t(
            "At {at} elimination stops at step {step} with {edges}. Drag the {name} above the slider, or "
            "focus it and press the arrow keys.",
            at=at,
            step=step,
            edges=Count(left, "edge"),
            name=name,
        )
    )
    if run.result.params["gamma"] > 0:
        st.caption(
            t(
                "Values below the γ of this run, {gamma}, need a rerun on the Learn page.",
                gamma=format_setting(run.result.params["gamma"]),
            )
        )


def _false_discoveries(run: Run, ranking: EdgeRanking) -> None:
    edges, q = Count(run.result.graph.n_edges, "edge"), run.result.params.get("q")
    if ranking.choice == len(ranking.moves):
        st.write(t("No edge that elimination could remove is left."))
        return
    share = float(ranking.false_shares[ranking.choice])
    st.write(
        t(
            "Among the {edges} of the result, the expected share of false ones is at most about {share}. The curve "
            "*false discovery rate* above the slider shows the other steps.",
            edges=edges,
            share=format_number(share),
        )
    )
    if q is None:
        st.caption(t("To choose the step by this share, switch on *Control false discoveries* on *Learn*."))


def _omega(run: Run) -> None:
    used = run.result.params["omega"]
    options = sorted({*OMEGA.steps, used})
    wanted = st.select_slider(
        t("Maximum difference ω"),
        options,
        value=used,
        format_func=format_setting,
        key=f"inspect_omega_{run.number}",
        help=t("If the CPPD of the two ends differ by more, the less certain end stops conditioning on the other."),
    )
    if wanted == used:
        st.caption(t("The value of this run. 1 switches relaxation off."))
        return
    shown = format_setting(wanted)
    st.caption(t("ω = {shown} **needs a rerun**. This result stays until it is done.", shown=shown))
    if st.button(
        t("Rerun with ω = {shown}", shown=shown),
        icon=":material/replay:",
        key="inspect_rerun",
        disabled=bool(st.session_state.job),
    ):
        params = dict(run.result.params) | {"omega": wanted}
        runner.start(run.result.method, run.dataset, run.knowledge, params, run.source)
        st.session_state.rerun_of = (run.number, f"ω = {shown}", f"ω = {format_setting(used)}")
        st.rerun(scope="app")


def _prior(run: Run) -> None:
    prior = run.result.extra.prior
    figure, alt = state.made_once(run, "prior", None, lambda: figures.prior_curve(prior))
    st.plotly_chart(worded(figure), key="inspect_prior", alt=written(alt))
    p = len(run.result.names)
    st.markdown(
        escape_markdown(written(figures.prior_sentence(prior, p * (p - 1) // 2, tested=run.result.extra.tested)))
    )


def _truth(run: Run) -> None:
    chosen = st.segmented_control(
        t("Curve"), list(CURVES), default=next(iter(CURVES)), required=True, key="inspect_curve"
    )
    what, shown = CURVES[chosen], slider_modes.shown_graph(run)
    if what == "roc":
        figure, alt = truth.roc_figure(run.result, run.truth, shown)
        caption = "True and false positive rates of the skeleton along the ranking, pair by pair."
    else:
        figure, alt = truth.retrieval_figure(run.result, graphs_of(run), run.truth, shown, what)
        caption = (
            "The CPDAG at each step of the elimination. A wrong direction counts as one missing and one extra edge."
            if what == "tpr"
            else "SHD of the CPDAG at each step of the elimination. Stopping at the lowest point would be best."
        )
    st.plotly_chart(worded(figure), key=f"inspect_truth_{what}", alt=written(alt))
    st.caption(t("{caption} {alt}. The diamond is the step on screen.", caption=t(caption), alt=written(alt)))
