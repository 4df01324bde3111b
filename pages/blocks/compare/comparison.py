"""Pieces of the Compare page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.errors import StreamlitAPIException

from learners.evaluation import comparison as side_by_side
from learners.evaluation.curves import retrieval_of_trace, roc
from learners.graphs.graph import PDAG
from learners.registry import LEARNERS
from pages.blocks.compare import report
from pages.blocks.compare.pair_reasons import one_pair
from pages.session import node_positions, shared_link, state
from pages.session.jobs import runner
from pages.session.serialize import Order
from pages.session.state import Moment
from viz.compare import figures, overlay, tables
from viz.graph_view import graph_view
from viz.text import count, distinct_labels, escape_markdown

MOST, FEWEST = 4, 2
QUICK = ("pc", "hc", "mmhc")  # offered for one click
LETTERS = "ABCD"
EXPLAINED = {
    "distance from perfect": "Of precision and recall from 1 and 1; 0 is perfect",
    "SHD": "Pairs whose edge differs from the true CPDAG; 0 is perfect",
    "Jaccard": "Edges alike in both CPDAGs, as a share of the edges in either; 1 is perfect",
    "held-out BIC": "For each row kept from the learner: how well the structure carries over; higher is better",
}


@dataclass(frozen=True)
class Shared:
    """Graphs over the variables that all have, under short names of their own."""

    moments: dict[str, Moment]
    graphs: dict[str, PDAG]
    names: tuple[str, ...]
    positions: np.ndarray
    truth: PDAG | None


def run_several() -> None:
    """Several learners on the data in use, one after the other."""
    here = state.source()
    if here is None or here.dataset is None or shared_link.hides_table():
        return
    able = [key for key, one in LEARNERS.items() if here.dataset.kind in one.kinds]
    too_few = len(_by_default(state.moments())) < FEWEST
    with st.expander("Run several learners on this data", expanded=too_few, key=f"compare_run_fold_{too_few}"):
        keys = st.multiselect(
            "Learners, each with its default settings", able, [key for key in QUICK if key in able],
            format_func=lambda key: LEARNERS[key].label, key="compare_learners", persist_state="session",
        )  # fmt: skip
        share = st.slider(
            "Rows kept aside, to score the graphs on rows that no learner saw", 0, 50, 0, 5, format="%d%%",
            key="compare_aside", persist_state="session",
        )  # fmt: skip
        if st.button(
            f"Run {count(len(keys), 'learner')}", type="primary", icon=":material/play_arrow:", key="compare_run",
            disabled=not keys or bool(st.session_state.job),
        ):  # fmt: skip
            dataset, aside = side_by_side.held_out(here.dataset, share / 100, seed=0) if share else (here.dataset, None)
            runner.start_all([Order(key, dataset, None, {}, here, aside) for key in keys])
            st.session_state.compare_follow = len(keys)
            st.rerun()


def pick_moments(moments: Sequence[Moment]) -> list[Moment]:
    """Two to four of them; by default the newest, and the newest other that can be compared with it."""
    if len(moments) < FEWEST:
        st.info(
            "Nothing to compare yet: run a second algorithm above, or pin two moments of a run on the Inspect page.",
            icon=":material/compare_arrows:",
        )
        st.page_link("pages/inspect.py", label="Go to Inspect", icon=":material/hub:")
        return []
    labels = distinct_labels([moment.label for moment in moments], 80)
    default = [labels[k] for k in _by_default(moments)]
    _follow(labels)
    known = st.session_state.get("compare_moments")
    if known is not None:
        still = [label for label in known if label in labels]
        # One graph that waited for another to be learnt gets it; one that was left by hand is left.
        waited = len(still) < FEWEST and st.session_state.get("compare_among") != labels
        st.session_state.compare_moments = default if waited else still
    st.session_state.compare_among = labels
    picked = st.multiselect(
        f"Graphs to compare, {FEWEST} to {MOST}", labels, default, max_selections=MOST, key="compare_moments",
        persist_state="session",
    )  # fmt: skip
    if len(picked) < FEWEST:
        alone = len(default) < FEWEST and picked == default
        st.caption("No other graph has variables in common with it: run a second learner above." if alone
                   else "Choose at least two.")  # fmt: skip
    return [moments[labels.index(label)] for label in picked]


def _by_default(moments: Sequence[Moment]) -> list[int]:
    """Positions of the newest, and of the newest other that has two variables in common with it."""
    names = [moment.run.result.names for moment in moments]
    for k in reversed(range(len(moments) - 1)):
        if len(side_by_side.shared_names([names[-1], names[k]])) >= 2:
            return [k, len(moments) - 1]
    return [len(moments) - 1] if moments else []


def _follow(labels: Sequence[str]) -> None:
    """Choose what was run together, once all of it has ended."""
    if st.session_state.get("compare_follow") and st.session_state.job is None:
        n_runs, n_new = len(st.session_state.runs), st.session_state.pop("compare_follow")
        new = labels[max(0, n_runs - n_new) : n_runs]
        if len(new) >= FEWEST:
            st.session_state.compare_moments = new[-MOST:]


def over_shared_variables(moments: Sequence[Moment]) -> Shared | None:
    """The graphs over the variables that all of them have; what is left out is said."""
    all_names = [moment.run.result.names for moment in moments]
    names = side_by_side.shared_names(all_names)
    if len(names) < 2:
        st.warning("These graphs share fewer than two variables, so there is nothing to compare.")
        return None
    left_out = len(set().union(*all_names)) - len(names)
    if left_out:
        st.info(
            f"Only the {count(len(names), 'variable')} that all graphs have are compared; "
            f"{count(left_out, 'other is', 'others are')} left out. Links through them are missing.",
            icon=":material/filter_alt:",
        )
    letters = dict(zip(LETTERS, moments, strict=False))
    st.markdown("  \n".join(f"**{letter}**: {escape_markdown(one.label)}" for letter, one in letters.items()))
    first = moments[0].run
    order = [first.result.names.index(name) for name in names]
    return Shared(
        letters,
        {key: side_by_side.restricted(one.graph, one.run.result.names, names) for key, one in letters.items()},
        names,
        node_positions.computed(first, node_positions.arrangement(first))[order],
        next((truth for one in moments if (truth := one.run.source.truth_over(names)) is not None), None),
    )


@st.fragment
def comparison(shared: Shared) -> None:
    """Overlay, tables, curves; a click reruns only this."""
    picture, words = st.columns([3, 2], gap="medium")
    with picture:
        _picture(shared)
    with words:
        one_pair(shared.moments, shared.names)
    edges = tables.edge_by_edge(shared.graphs, shared.names, shared.truth)
    _edges(shared, edges)
    numbers = _numbers(shared)
    _measures(shared, numbers)
    _curves(shared)
    report.offer(shared.moments, shared.names, edges.drop(columns=["i", "j"]), numbers)


def _picture(shared: Shared) -> None:
    pairs = [f"{a} against {b}" for a, b in combinations(shared.graphs, 2)]
    agreed = "What both agree on" if len(shared.graphs) == 2 else f"What all {len(shared.graphs)} agree on"
    view = st.segmented_control(
        "Picture", [*pairs, agreed], default=pairs[0], required=True, key=f"compare_view_{len(shared.graphs)}",
        label_visibility="collapsed",
    )  # fmt: skip
    if view == agreed:
        graphs = list(shared.graphs.values())
        data = overlay.consensus_view(side_by_side.consensus(graphs), len(graphs), shared.names, shared.positions)
    else:
        a, b = view.split(" against ")
        data = overlay.difference_view(shared.graphs[a], shared.graphs[b], shared.names, shared.positions, (a, b))
    first, key = next(iter(shared.moments.values())).run, "compare_graph"
    chosen = _selected(shared)
    shown = graph_view(
        data | {"run": f"{view}: {[one.label for one in shared.moments.values()]}"},
        key=key,
        selected=chosen or (),
        places=node_positions.moved(first, node_positions.arrangement(first), shared.names),
        on_moved=partial(node_positions.keep_moved, first, node_positions.arrangement(first), names=shared.names),
    )
    if isinstance(shown.selected, tuple) and shown.selected and set(shown.selected) != set(chosen or ()):
        _select(shared, *shown.selected)
        try:
            st.rerun(scope="fragment")
        except StreamlitAPIException:  # the click came while the whole page was drawn
            st.rerun()


def _selected(shared: Shared) -> tuple[int, int] | None:
    pair = st.session_state.pair
    if pair is None or not set(pair) <= set(shared.names):
        return None
    return shared.names.index(pair[0]), shared.names.index(pair[1])


def _select(shared: Shared, i: int, j: int) -> None:
    if i != j:
        st.session_state.pair = (shared.names[i], shared.names[j])


def _edges(shared: Shared, table: pd.DataFrame) -> None:
    st.subheader("Edge by edge", anchor=False)
    n_unlike = int((table["verdict"] == tables.UNLIKE).sum())
    st.caption(f"{count(len(table), 'pair')} joined somewhere; the graphs differ on {n_unlike:,}, which come first.")
    key = "compare_edges"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            _select(shared, int(table["i"].iloc[rows[0]]), int(table["j"].iloc[rows[0]]))

    shown = table.drop(columns=["i", "j"])
    st.dataframe(
        shown, key=key, hide_index=True, on_select=clicked, selection_mode="single-row",
        height=min(420, 38 + 35 * max(len(table), 1)), alt="Edges of the graphs side by side",
    )  # fmt: skip
    _download("Edges (CSV)", shown, "edges")


def _measures(shared: Shared, table: pd.DataFrame) -> None:
    st.subheader("In numbers", anchor=False)
    st.dataframe(
        table.reset_index(names="graph"), hide_index=True, key="compare_numbers",
        alt="Measures of the graphs side by side",
        column_config={
            name: st.column_config.NumberColumn(format="%.4g", help=EXPLAINED.get(name)) for name in table.columns
        },
    )  # fmt: skip
    if shared.truth is None:
        st.caption("No true graph is known for these variables; add a list of edges, or a network, on the Data page.")
    st.caption("Scores are for each row, of a DAG that the graph stands for: higher is better.")
    _download("Numbers (CSV)", table, "numbers")


def _numbers(shared: Shared) -> pd.DataFrame:
    rows = {}
    for letter, moment in shared.moments.items():
        result, graph = moment.run.result, shared.graphs[letter]
        row = {"edges": graph.n_edges, "directed": len(graph.directed_edges())}
        if moment.graph.p == graph.p:
            row |= _scores(moment)
        if moment.is_result:
            row |= {"seconds": result.seconds, "tests": result.n_tests, "scores": result.n_scores}
        rows[letter] = row
    table = pd.DataFrame.from_dict(rows, orient="index")
    if shared.truth is None:
        return table
    return pd.concat([tables.quality_rows(shared.graphs, shared.truth), table], axis=1)


def _scores(moment: Moment) -> dict[str, float]:
    known = moment.run.data.setdefault("fits", {})
    if moment.graph not in known:
        known[moment.graph] = side_by_side.fit(moment.graph, moment.run.dataset) | {
            f"held-out {name}": value
            for name, value in (
                side_by_side.fit(moment.graph, moment.run.aside) if moment.run.aside is not None else {}
            ).items()
        }
    return known[moment.graph]


def _curves(shared: Shared) -> None:
    if shared.truth is None:
        return
    whole = {letter: moment for letter, moment in shared.moments.items() if moment.run.result.names == shared.names}
    if not whole:
        return
    st.subheader("Against the truth", anchor=False)
    which = st.segmented_control(
        "Curve", ["ROC of the skeleton", "Right edges along the run"], default="ROC of the skeleton", required=True,
        key="compare_curve", label_visibility="collapsed",
    )  # fmt: skip
    if which == "ROC of the skeleton":
        curves = {
            letter: roc(side_by_side.ranked_pairs(moment.run.result), shared.truth) for letter, moment in whole.items()
        }
        st.plotly_chart(figures.roc_figure(curves), key="compare_roc", alt="ROC of each run's ranking of the pairs")
        st.caption("Down each run's own ranking of the pairs, from the strongest to the weakest.")
    else:
        curves = {letter: retrieval_of_trace(moment.run.result.trace, shared.truth) for letter, moment in whole.items()}
        st.plotly_chart(figures.retrieval_figure(curves), key="compare_tpr", alt="Right edges along each run")
        st.caption("Every step of each run: edges right in presence and direction, against edges drawn.")


def _download(label: str, table: pd.DataFrame, what: str) -> None:
    st.download_button(
        label, lambda: table.to_csv(index=what == "numbers"), f"edgewise_compare_{what}.csv", "text/csv",
        key=f"compare_download_{what}", on_click="ignore", icon=":material/download:",
    )  # fmt: skip
