"""Parts of a run of CImap: threshold, power, order of the tests, and the effect of another order."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from learners.common.sentences import Count
from learners.common.wording import format_setting
from learners.evaluation.comparison import differences, subgraph
from learners.families.cimap.cuts import Cuts, cuts_of
from pages.blocks.inspect import selection
from pages.blocks.inspect.cut_modes import cuts_of_run
from pages.session import state
from pages.session.data_frame import show_table
from pages.session.jobs import runner
from pages.session.serialize import Order
from pages.session.state import Run
from pages.session.words import labels_of, t, worded, written
from viz.cimap import figures, tables
from viz.cimap.kind import ANY
from viz.text import distinct_labels, escape_markdown

LEVELS = (1e-6, 1e-5, 1e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
CUTS = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 30.0, 50.0, 100.0, 200.0)
METHODS = {"by": "BY", "bh": "BH"}
REVERSED = " (columns reversed)"


def _threshold(run: Run) -> None:
    """Show the threshold for its type."""
    if cuts_of_run(run).kind == "q":
        _discoveries(run)
    else:
        _cut(run)


def _discoveries(run: Run) -> None:
    settings, names = run.result.extra.settings, run.result.names
    left, right = st.columns([3, 2])
    q = left.select_slider(
        t("FDR q"), sorted({*LEVELS, settings.level}), value=settings.level,
        format_func=format_setting, key=f"inspect_q_{run.number}",
    )  # fmt: skip
    method = right.segmented_control(
        t("Line"),
        list(METHODS),
        default=settings.fdr_method,
        required=True,
        format_func=labels_of(METHODS),
        key=f"inspect_line_{run.number}",
        help=t(
            "BH: Benjamini and Hochberg. BY: Benjamini and Yekutieli, valid for any dependence of the "
            "p-values and stricter."
        ),
    )
    labels = distinct_labels(names)
    node = st.selectbox(
        t("Variable"), range(len(names)), int(run.result.graph.skeleton.sum(axis=0).argmax()),
        format_func=labels.__getitem__, key=f"inspect_family_{run.number}",
        help=t("A family is all pairs with this variable; the p of a pair is the largest of its tests."),
    )  # fmt: skip
    row = run.result.extra.log_phi[node]
    family = row[~np.isnan(row) & (np.arange(len(row)) != node)]
    figure, alt = figures.family_figure(family, q, method)
    st.plotly_chart(worded(figure), key=f"inspect_family_chart_{run.number}", alt=written(alt))
    st.caption(
        t(
            "{alt}. Independence is rejected up to the last p on or below the line. An edge stays if the "
            "families of both ends reject it.",
            alt=written(alt),
        )
    )
    cuts = state.made_once(run, "cuts_by", method, lambda: cuts_of(run.result.extra, run.result.graph.skeleton, method))
    _at_level(run, cuts, math.log(q), f"q = {format_setting(q)}")


def _cut(run: Run) -> None:
    cuts, settings = cuts_of_run(run), run.result.extra.settings
    mu = st.select_slider(
        t("Minimum information μ (mbit)"), sorted({*CUTS, settings.cut}), value=settings.cut,
        format_func=format_setting, key=f"inspect_mu_{run.number}",
    )  # fmt: skip
    label = "least information in any test" if cuts.kind == "cut" else "lower confidence limit of the information"
    figure, alt = figures.information_figure(cuts.values, mu, label)
    st.plotly_chart(worded(figure), key=f"inspect_mu_chart_{run.number}", alt=written(alt))
    st.caption(written(alt) + ".")
    _at_level(run, cuts, mu, f"μ = {format_setting(mu)} mbit")


def _at_level(run: Run, cuts: Cuts, level: float, words: str) -> None:
    """Show how many edges a threshold leaves, from the stored values."""
    left = len(cuts) - cuts.gone(level)
    found = Count(run.result.graph.n_edges, "edge")
    st.write(
        t(
            "At {words} the stored values keep {edges}; the run itself found {own}. *{mode}* above "
            "the graph shows all thresholds.",
            words=words,
            edges=Count(left, "edge"),
            own=found,
            mode=t(ANY[cuts.kind]),
        )
    )


def _power(run: Run) -> None:
    extra = run.result.extra
    figure, alt = state.made_once(run, "power", None, lambda: figures.power_figure(extra))
    st.plotly_chart(worded(figure), key=f"inspect_power_{run.number}", alt=written(alt))
    effect = extra.settings.effect_of(extra.n)
    st.caption(
        t(
            "{alt}. Power of a test with {n} rows at alpha {alpha} to detect an effect w of {effect}.",
            alt=written(alt),
            n=extra.n,
            alpha=format_setting(extra.settings.alpha),
            effect=format_setting(round(effect, 4)),
        ),
        help=t("More levels and larger conditioning sets have more degrees of freedom, so tests have less power."),
    )
    if extra.bound is None:
        st.write(t("This run did all tests, even those with little power. Configurations P-2 and P-3 omit these."))
        return
    pairs = np.argwhere(np.triu(extra.untested & run.result.graph.skeleton)).tolist()
    if not pairs:
        st.write(t("Every edge of the graph was tested at least once."))
        return
    pair_names = ", ".join(f"{run.result.names[i]} — {run.result.names[j]}" for i, j in pairs[:10])
    more = f" and {len(pairs) - 10:,} more" if len(pairs) > 10 else ""
    st.write(
        escape_markdown(
            t(
                "{edges} was never tested, and kept for that reason: {pair_names}{more}. The graph marks it."
                if len(pairs) == 1
                else "{edges} were never tested, and kept for that reason: {pair_names}{more}. The graph marks them.",
                edges=Count(len(pairs), "edge"),
                pair_names=pair_names,
                more=more,
            )
        )
    )


def _visits(run: Run) -> None:
    """Show the turns of the variables, by size of the conditioning set."""
    extra, names = run.result.extra, run.result.names
    if not extra.levels:
        st.caption(t("The run did no conditional test."))
        return
    level = st.segmented_control(
        t("Size of conditioning set"), range(len(extra.levels)), default=0, required=True,
        format_func=lambda k: str(extra.levels[k].size), key=f"inspect_level_{run.number}",
    )  # fmt: skip
    shown = extra.levels[level]
    figure, alt = state.made_once(
        run, "visits", level, lambda: figures.visits_figure(shown, names, tables.fallen_by_node(shown))
    )
    st.plotly_chart(worded(figure), key=f"inspect_visits_{run.number}", alt=written(alt))
    order = (
        "by the information of their edges, least first, each with its weakest edge first"
        if extra.settings.twf
        else "in the order of the columns"
    )
    st.caption(
        t(
            "{alt}. Variables take turns {order}. Later turns do not test removed edges.",
            alt=written(alt),
            order=t(order),
        )
    )
    frame = state.made_once(run, "turns", level, lambda: tables.turns_table(shown, names, extra.information))
    key = f"inspect_turns_{run.number}_{level}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            selection.select(run, (int(frame["i"].iloc[rows[0]]), int(frame["j"].iloc[rows[0]])))

    show_table(
        frame, key=key, hide_index=True, column_order=[name for name in frame.columns if name not in ("i", "j")],
        column_config={name: st.column_config.NumberColumn(format="%.4g") for name in ("σ of it", "mbit")},
        on_select=clicked, selection_mode="single-row", height=min(360, 38 + 35 * len(frame)),
        alt=t("Turns of this order of tests"),
    )  # fmt: skip


def _orders(run: Run) -> None:
    """Compare the graphs learned with the columns in their own and in reversed order."""
    st.caption(
        t(
            "Without *weakest first* the result can depend on the order of the columns, because removed "
            "edges are not tested again."
        )
    )
    forward, backward = _in_order(run, reversed_columns=False), _in_order(run, reversed_columns=True)
    if forward is not None and backward is not None:
        _tell_orders(run, forward, backward)
    elif st.button(
        t("Compare column orders"), icon=":material/swap_vert:", key="inspect_orders",
        disabled=bool(st.session_state.job),
    ):  # fmt: skip
        runner.start_all([_order(run, turned) for turned in (False, True)])
        st.session_state.compare_follow = 2
        st.rerun(scope="app")


def _tell_orders(run: Run, forward: Run, backward: Run) -> None:
    names = run.result.names
    one, other = (subgraph(found.result.graph, found.result.names, names) for found in (forward, backward))
    changes = list(differences(one, other).values())
    unlike = [kind for kind in changes if kind in ("only_a", "only_b")]
    st.write(
        t(
            "Columns in order: {edges}. Columns reversed: {edges2}. {edges3} in only one graph, {count} "
            "with another direction. Weakest first: {edges4} either way.",
            edges=Count(one.n_edges, "edge"),
            edges2=Count(other.n_edges, "edge"),
            edges3=Count(len(unlike), "edge"),
            count=changes.count("direction_differs"),
            edges4=Count(run.result.graph.n_edges, "edge"),
        )
    )
    st.page_link("pages/compare.py", label=t("Compare graphs"), icon=":material/compare_arrows:")


def _order(run: Run, turned: bool) -> Order:
    dataset, source = run.dataset, run.source
    if turned:
        dataset = dataset.select(range(dataset.p - 1, -1, -1))
        plan = source.plan and replace(source.plan, columns=source.plan.columns[::-1])
        source = replace(source, title=source.title + REVERSED, plan=plan)
    return Order(run.result.method, dataset, run.knowledge, run.result.params | {"twf": "off"}, source)


def _in_order(run: Run, *, reversed_columns: bool) -> Run | None:
    """Return a finished run with the same settings in the order of the columns, or None."""
    wanted = _order(run, reversed_columns)
    for other in reversed(st.session_state.runs):
        same = other.result.method == wanted.key and dict(other.result.params) == dict(wanted.params)
        if same and other.result.complete and other.dataset.fingerprint == wanted.dataset.fingerprint:
            return other
    return None


PARTS: dict[str, Callable[[Run], None]] = {
    "Threshold": _threshold,
    "Order of tests": _visits,
    "Column order": _orders,
    "Power": _power,
}
