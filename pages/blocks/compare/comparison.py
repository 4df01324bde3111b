"""Compare graphs: overlay, tables, curves, and one pair of variables."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pandas as pd
import streamlit as st
from streamlit.errors import StreamlitAPIException

from learners.evaluation import comparison as side_by_side
from learners.evaluation.curves import retrieval_of_trace, roc
from learners.graphs.pag import PAG
from learners.registry import as_completed
from pages.blocks.compare import report
from pages.blocks.compare.graph_picker import Shared
from pages.blocks.compare.pair_reasons import one_pair
from pages.session import node_positions, state
from pages.session.data_frame import show_table
from pages.session.state import Moment
from pages.session.words import headings, labels_of, t, worded, written
from viz.compare import figures, overlay, tables
from viz.graph_view import graph_view
from viz.kinds import comparable_truth
from viz.text import decimals_apart
from viz.weak_evidence import determined_pairs, doubted_arrows, with_determined

VERDICTS = (
    "Undetermined: the graph leaves open a direction that another graph states. Contradictory: no direction agrees "
    "with all graphs."
)
VERDICTS_OF_PAGS = (
    f"{VERDICTS} An undirected edge of a CPDAG says that one causes the other. A circle of a PAG also allows a hidden "
    "common cause."
)
EXPLAINED = {
    "distance from perfect": "Distance of precision and recall from 1 and 1; 0 is perfect",
    "SHD": "Pairs whose edge differs from the true CPDAG; 0 is perfect",
    "Jaccard": "Edges equal in both CPDAGs, as a share of the edges in either; 1 is perfect",
    "held-out BIC": "Score per held-out row; higher is better",
}


@st.fragment
def comparison(shared: Shared) -> None:
    """Show overlay, tables and curves; a click reruns only this fragment."""
    picture, words = st.columns([3, 2], gap="medium")
    with picture:
        _picture(shared)
    with words:
        one_pair(shared.moments, shared.names)
    determined = determined_pairs((moment.run.result for moment in shared.moments.values()), shared.names)
    doubted = {letter: doubted_arrows(moment.run.result, shared.names) for letter, moment in shared.moments.items()}
    edges = tables.edge_by_edge(shared.graphs, shared.names, shared.truth, determined, doubted)
    _edges(shared, edges)
    numbers = _numbers(shared)
    _measures(shared, numbers)
    _curves(shared)
    report.offer(shared.moments, shared.names, edges.drop(columns=["i", "j"]), numbers)


def _picture(shared: Shared) -> None:
    pairs = {f"{a} against {b}": (a, b) for a, b in combinations(shared.graphs, 2)}
    agreed = "Common edges" if len(shared.graphs) == 2 else f"Common to all {len(shared.graphs)}"
    view = st.segmented_control(
        t("Picture"), [*pairs, agreed], default=next(iter(pairs)), required=True,
        key=f"compare_view_{len(shared.graphs)}", format_func={view: written(view) for view in (*pairs, agreed)}.get,
        label_visibility="collapsed",
    )  # fmt: skip
    determined = determined_pairs((moment.run.result for moment in shared.moments.values()), shared.names)
    doubted = {letter: doubted_arrows(moment.run.result, shared.names) for letter, moment in shared.moments.items()}
    if view == agreed:
        graphs = list(shared.graphs.values())
        common = overlay.doubted_by_all(graphs, list(doubted.values()))
        agreement = side_by_side.consensus(graphs)
        data = overlay.consensus_view(agreement, len(graphs), shared.names, shared.positions, common)
        data = with_determined(data, determined)
    else:
        a, b = pairs[view]
        drawn = (shared.graphs[a], shared.graphs[b], shared.names, shared.positions)
        data = overlay.difference_view(*drawn, (a, b), determined, (doubted[a], doubted[b]))
    first, key = next(iter(shared.moments.values())).run, "compare_graph"
    chosen = _selected(shared)
    shown = graph_view(
        data | {"run": f"{view}: {[moment.label for moment in shared.moments.values()]}"},
        key=key,
        selected=chosen or (),
        language=state.language(),
        places=node_positions.moved(first, node_positions.arrangement(first), shared.names),
        on_moved=partial(node_positions.keep_moved, first, node_positions.arrangement(first), names=shared.names),
    )
    if isinstance(shown.selected, tuple) and shown.selected and set(shown.selected) != set(chosen or ()):
        _select(shared, *shown.selected)
        try:
            st.rerun(scope="fragment")
        except StreamlitAPIException:  # the click arrived while the whole page was drawn
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
    st.subheader(t("Edge by edge"), anchor=False)
    help_ = VERDICTS_OF_PAGS if any(isinstance(graph, PAG) for graph in shared.graphs.values()) else VERDICTS
    same = t("Runs on the same rows are not independent evidence, so their agreement does not support a direction.")
    st.caption(f"{written(tables.summary(tables.verdicts_of_edges(table)))} {same}", help=t(help_))
    key = "compare_edges"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            _select(shared, int(table["i"].iloc[rows[0]]), int(table["j"].iloc[rows[0]]))

    shown = table.drop(columns=["i", "j"])
    show_table(
        shown.assign(verdict=[written(tables.verdict_phrase(verdict)) for verdict in shown["verdict"]]), key=key,
        column_config=headings(shown.columns), hide_index=True, on_select=clicked, selection_mode="single-row",
        height=min(420, 38 + 35 * max(len(table), 1)), alt=t("Edges of the graphs side by side"),
    )  # fmt: skip
    _download("Edges (CSV)", shown, "edges")


def _measures(shared: Shared, table: pd.DataFrame) -> None:
    st.subheader(t("Measures"), anchor=False)
    decimals = {name: decimals_apart(table[name]) for name in tables.score_columns(table)}
    show_table(
        table.reset_index(names="graph"), hide_index=True, key="compare_numbers",
        alt=t("Measures of the graphs side by side"),
        column_config=headings(("graph",))
        | {
            name: st.column_config.NumberColumn(
                t(name),
                format="%.4g" if decimals.get(name) is None else f"%.{decimals[name]}f",
                help=t(EXPLAINED.get(name, "")) or None,
            )
            for name in table.columns
        },
    )  # fmt: skip
    if shared.truth is None:
        st.caption(t("The true graph is unknown. Upload one on the Data page to see accuracy."))
    st.caption(t("BIC and other scores are per row, for a DAG of the equivalence class; higher is better."))
    if any(not one.run.dataset.complete for one in shared.moments.values()):
        st.caption(
            t(
                "With missing cells, these scores use an effective number of rows. They differ from the score of a "
                "run, which is a sum over rows and may have another penalty."
            )
        )
    _download("Numbers (CSV)", table, "numbers")


def _numbers(shared: Shared) -> pd.DataFrame:
    rows = {}
    for letter, moment in shared.moments.items():
        result, graph = moment.run.result, shared.graphs[letter]
        determined = determined_pairs([result], shared.names)
        directed = sum(frozenset(arrow) not in determined for arrow in graph.directed_edges())
        row = {"edges": graph.n_edges, "directed": directed}
        if moment.graph.p == graph.p:
            row |= _scores(moment)
        if moment.is_result:
            row |= {"seconds": result.seconds, "tests run": result.n_tests, "scores computed": result.n_scores}
        rows[letter] = row
    table = pd.DataFrame.from_dict(rows, orient="index")
    if shared.truth is None:
        return table
    truths = {key: comparable_truth(one.run.result, shared.truth) for key, one in shared.moments.items()}
    return pd.concat([tables.quality_rows(shared.graphs, truths), table], axis=1)


def _scores(moment: Moment) -> dict[str, float]:
    known = moment.run.data.setdefault("fits", {})
    if moment.graph not in known:
        run = moment.run
        own = state.completed(run)
        aside = {} if run.aside is None else side_by_side.fit(moment.graph, as_completed(run.result, run.aside))
        known[moment.graph] = side_by_side.fit(moment.graph, own) | {
            f"held-out {name}": value for name, value in aside.items()
        }
    return known[moment.graph]


def _curves(shared: Shared) -> None:
    if shared.truth is None:
        return
    whole = {letter: moment for letter, moment in shared.moments.items() if moment.run.result.names == shared.names}
    if not whole:
        return
    st.subheader(t("Against the truth"), anchor=False)
    which = st.segmented_control(
        t("Curve"),
        ["ROC of the skeleton", "Correct edges along the run"],
        format_func=labels_of(),
        default="ROC of the skeleton",
        required=True,
        key="compare_curve",
        label_visibility="collapsed",
    )
    if which == "ROC of the skeleton":
        curves = {
            letter: roc(side_by_side.ranked_pairs(moment.run.result), shared.truth) for letter, moment in whole.items()
        }
        st.plotly_chart(
            worded(figures.roc_figure(curves)), key="compare_roc", alt=t("ROC of each run's ranking of the pairs")
        )
        st.caption(t("Each curve follows the run's own ranking of the pairs, from the strongest to the weakest."))
    else:
        curves = {letter: retrieval_of_trace(moment.run.result.trace, shared.truth) for letter, moment in whole.items()}
        st.plotly_chart(
            worded(figures.retrieval_figure(curves)), key="compare_tpr", alt=t("Correct edges along each run")
        )
        st.caption(t("Number of correct edges, including their direction, against the number of edges at each step."))


def _download(label: str, table: pd.DataFrame, what: str) -> None:
    st.download_button(
        t(label), lambda: table.to_csv(index=what == "numbers"), f"edgewise_compare_{what}.csv", "text/csv",
        key=f"compare_download_{what}", on_click="ignore", icon=":material/download:",
    )  # fmt: skip
