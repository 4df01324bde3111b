"""Graphs of a run of B-RAI: draws at a temperature, and the tree that generates them."""

from __future__ import annotations

import streamlit as st

from learners.common.sentences import Count
from learners.common.wording import format_setting
from learners.evaluation.frequencies import Frequencies
from learners.families.brai.bootstrap_run import draw
from pages.blocks.inspect import selection
from pages.session import node_positions, state
from pages.session.data_frame import show_table
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.averaging.words import share_words
from viz.brai import small_graphs, tree
from viz.brai.tree import level_words
from viz.phgs.words import format_score
from viz.text import count, escape_markdown

DRAWS = 20
TEMPERATURES = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1_000.0)
OF_TREE = (
    "Draws, and the best graph they are compared with, come from the first tree, before the tabu search. Their edges "
    "can differ from those of the graph above."
)
LARGE = 380  # height of a single graph in pixels


def draws(run: Run) -> None:
    """Draw twenty CPDAGs from the tree at a temperature, and show each different one once."""
    own, number = float(run.result.params["gamma"]), run.number
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    gamma = left.select_slider(
        t("Temperature γ"),
        sorted({*TEMPERATURES, own}),
        value=own,
        format_func=format_setting,
        key=f"brai_gamma_{number}",
        persist_state="session",
        help=t(
            "In each group a resample is drawn with probability ∝ exp(score ÷ γ). With 0 it is always the "
            "best; with high values all are equally likely."
        ),
    )
    key = f"brai_seed_{number}"
    st.session_state.setdefault(key, run.result.extra.seed)
    if right.button(t("Draw {n} CPDAGs", n=DRAWS), icon=":material/casino:", key="inspect_draw"):
        st.session_state[key] += 1
    seed = st.session_state[key]
    drawn = state.made_once(run, "draws", (gamma, seed), lambda: draw(run.result.extra, DRAWS, gamma=gamma, seed=seed))
    st.write(_draws_sentence(run, drawn, gamma))
    times = [int((drawn.which == t).sum()) for t in range(len(drawn.graphs))]
    scores = [float(drawn.scores[drawn.which == t][0]) for t in range(len(drawn.graphs))]
    titles = [f"{n} of {DRAWS}, score {format_score(score)}" for n, score in zip(times, scores, strict=True)]
    figure = state.made_once(
        run, "draws_figure", (gamma, seed),
        lambda: small_graphs.small_graphs(
            drawn.graphs, run.result.names, node_positions.computed(run), run.result.extra.tree_graph, titles,
            columns=min(4, len(titles)),
        ),
    )  # fmt: skip
    alt = f"{count(len(drawn.graphs), 'different CPDAG')} of {DRAWS} draws: " + "; ".join(map(written, titles))
    st.plotly_chart(worded(figure), key=f"inspect_draws_{number}", alt=written(alt))
    notes = [t(OF_TREE)] if run.result.extra.polished else []
    notes.append(t("Positions are those of the graph above; hover for names."))
    if _is_marginal(run):
        notes.append(t("Scores are ln P(data, graph)."))
    else:
        notes.append(t("Scores are BIC, which approximates ln P(data, graph)."))
    st.caption(" ".join(notes))


def _is_marginal(run: Run) -> bool:
    """Return True if the trees are scored by a marginal likelihood: BDeu, or BGe for complete numbers."""
    return run.dataset.kind == "categorical" or (run.dataset.kind == "continuous" and run.dataset.complete)


def _draws_sentence(run: Run, drawn: Frequencies, gamma: float) -> str:
    """Return the number of different graphs, and the shares of the edge types of the chosen pair."""
    lead = t(
        "At γ = {gamma}, {n} draws gave {graphs}.",
        gamma=format_setting(gamma), n=DRAWS, graphs=Count(len(drawn.graphs), "different CPDAG"),
    )  # fmt: skip
    pair = selection.selected(run)
    if pair is None:
        return lead
    x, y = (run.result.names[k] for k in pair)
    return escape_markdown(
        f"{lead} " + t("Chosen pair, by share of the draws: {shares}.", shares=share_words(drawn.types(*pair), x, y))
    )


def generative_tree(run: Run) -> None:
    """Show the tree as an icicle; a leaf opens the best graph through it."""
    extra, names, number = run.result.extra, run.result.names, run.number
    stored = extra.tree
    scores = state.made_once(run, "best_by_item", None, stored.best_by_item)
    root_key, leaf_key = f"brai_root_{number}", f"brai_leaf_{number}"
    root, chosen = st.session_state.get(root_key, 0), st.session_state.get(leaf_key)
    st.caption(
        t(
            "Each box tests a group of variables on a resample and splits it into the groups below. "
            "Orange boxes lead to the best graph. Click a box to zoom in, or a leaf to see its graph."
        ),
        help=t("Each group is refined on every resample. A graph combines one resample per group, down to the leaves."),
    )
    if root and st.button(t("Show whole tree"), icon=":material/arrow_upward:", key="inspect_whole_tree"):
        st.session_state[root_key] = root = 0
    key = f"inspect_tree_{number}_{root}"

    def clicked() -> None:
        item = selection.number_clicked(key)
        if item is None:
            return
        st.session_state[root_key if stored.slots(item) else leaf_key] = item

    figure, alt = state.made_once(
        run, "icicle", (root, chosen), lambda: tree.icicle(stored, names, scores, root, chosen)
    )
    st.plotly_chart(worded(figure), key=key, on_select=clicked, selection_mode="points", alt=written(alt))
    st.caption(f"{written(alt)}. {written(level_words(run.result, run.dataset.n))}")
    with st.expander(t("Table of leaves"), key="inspect_leaves_fold"):
        table = state.made_once(run, "leaf_table", None, lambda: tree.leaf_table(stored, names, scores))
        rows_key = f"inspect_leaves_{number}"

        def row_clicked() -> None:
            rows = st.session_state[rows_key].selection.rows
            if rows:
                st.session_state[leaf_key] = int(table["item"].iloc[rows[0]])

        show_table(
            table, key=rows_key, hide_index=True, column_order=[name for name in table.columns if name != "item"],
            column_config={
                "behind the best": st.column_config.TextColumn(
                    t("behind the best"),
                    help=t("Difference in ln P between the best graph through this leaf and the best of all")
                )
            },
            on_select=row_clicked, selection_mode="single-row", height=min(320, 38 + 35 * len(table)),
            alt=t("Leaves of the tree, those of the best graphs first"),
        )  # fmt: skip
    if chosen is not None:
        _leaf(run, chosen)


def _leaf(run: Run, item: int) -> None:
    """Show the best graph through a leaf next to the best graph overall."""
    extra, names = run.result.extra, run.result.names
    score, leaves = state.made_once(run, "leaf", item, lambda: extra.tree.best(item))
    graph = state.made_once(run, "leaf_graph", item, lambda: extra.graph_of(leaves))
    nodes = extra.tree.leaf(item).nodes.tolist()
    behind = extra.tree.best()[0] - score
    st.markdown(
        escape_markdown(
            t(
                "Leaf {item}: its best graph has {edges} and score {score}",
                item=item,
                edges=Count(graph.n_edges, "edge"),
                score=format_score(score),
            )
            + (
                t(", the best of all.")
                if behind < 1e-9
                else t(", ln P {behind} below the best of all.", behind=f"{behind:,.1f}")
            )
        )
    )
    figure = small_graphs.small_graphs(
        [graph],
        names,
        node_positions.computed(run),
        extra.tree_graph,
        [""],
        columns=1,
        height=LARGE,
        labelled=True,
        marked=nodes,
    )
    alt = f"CPDAG of leaf {item}: {count(graph.n_edges, 'edge')}; its own variables are in orange"
    st.plotly_chart(worded(figure), key=f"inspect_leaf_{run.number}", alt=written(alt))
    st.caption(t("The leaf determines the edges among its variables, in orange."))
    if st.button(t("Pin this graph"), icon=":material/keep:", key="inspect_pin_leaf"):
        state.pin(run, graph, f"leaf {item}")
        st.toast(t("Pinned for the Compare page."), icon=":material/keep:")
