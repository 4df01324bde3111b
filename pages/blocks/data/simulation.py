"""Simulate rows from a known network, so that results can be compared with the truth."""

from __future__ import annotations

from typing import Any

import streamlit as st

from learners.common.errors import LearnersError, ParameterError
from learners.data.plan.plan import default_plan
from learners.data.quality.sample_size import MIN_ROWS
from learners.data.reading.table import MAX_COLUMNS, Table
from learners.io.samples import NETWORKS, load_network
from learners.networks.missing_cells import MAX_SHARE, with_missing_cells
from learners.networks.mixed_network import MAX_LEVELS, MIN_LEVELS, MixedNetwork, random_mixed_network
from learners.networks.network import Network
from learners.networks.random_networks import random_gaussian_network
from learners.networks.regression_network import RegressionNetwork
from learners.networks.sampling import sample
from pages.session import state
from pages.session.state import Source
from pages.session.words import labels_of, t, written
from viz.snippet import Origin, of_network, of_random_network
from viz.text import as_sentence, count, escape_markdown

PUBLISHED, RANDOM, BOTH = "Published", "Random Gaussian", "Random mixed"
MECHANISMS = {
    "mcar": "completely at random",
    "mar": "depending on other columns",
    "mnar": "depending on their own values",
}
MAX_ROWS = 1_000_000
MAX_SEED = 2**31 - 1
MAX_CELLS = 10_000_000  # maximum size of a table; takes several seconds and several hundred megabytes
# Maximum number of edges per variable: 20 neighbours on average. With many more, variances explode along the order of
# the nodes, and the last variables are exact combinations of the others.
MAX_EDGES_EACH = 10


def simulate() -> bool:
    """Let the user choose a network, a number of rows and a seed; return True if the choice was refused."""
    st.caption(t("Simulate rows from a known network, so that Inspect can show the accuracy of a learner."))
    kind = st.segmented_control(
        t("Network"),
        [PUBLISHED, RANDOM, BOTH],
        format_func=labels_of(),
        default=PUBLISHED,
        required=True,
        key="sim_kind",
        persist_state="session",
    )
    try:
        drawn = {PUBLISHED: _from_published, RANDOM: _from_random, BOTH: _from_both}[kind]()
    except LearnersError as error:
        sentence = str(error)
        st.error(escape_markdown(written(as_sentence(sentence))), icon=":material/error:")
        return True
    if drawn is not None:
        state.set_source(drawn)
        st.rerun()  # updates the sidebar, which names the table in use
    return False


def _from_published() -> Source | None:
    fitting = [key for key, network in NETWORKS.items() if network.p <= MAX_COLUMNS]
    key = st.selectbox(
        t("Published network"),
        fitting,
        fitting.index("alarm"),
        _size_of_network,
        key="sim_network",
        persist_state="session",
    )
    one = NETWORKS[key]
    columns = "categorical" if one.kind == "categorical" else "continuous"
    st.caption(
        escape_markdown(
            t(
                "{description} All columns are {columns}; the graph has {edges} edges.",
                description=t(one.description),
                columns=t(columns),
                edges=one.n_edges,
            )
        )
    )
    with st.form("simulate_published", border=False):
        places = st.columns(4)
        n = _number(places[0], "Rows", 2000, "n_published")
        seed = _number(places[1], "Seed", 1, "seed_published", "Another seed gives other rows of the same network.")
        missing = _holes(places[2:], "published")
        if not st.form_submit_button(t("Simulate rows"), type="primary"):
            return None
    with st.spinner(t("Drawing the rows…")):
        _check_table(n, one.p, seed)
        title = f"{key} network, n = {n:,}, seed {seed}"
        return drawn(load_network(key), n, seed, missing, title, of_network(key, n, seed, missing))


def _from_random() -> Source | None:
    st.caption(
        t(
            "A linear Gaussian network as in Mahdi and Mezey (2013). Each pair of variables is adjacent "
            "with the same probability. Effects are 0.1 to 1 in absolute value; noise variances are random."
        )
    )
    with st.form("simulate_random", border=False):
        places = st.columns(4)
        p = _number(places[0], "Variables", 30, "p")
        edges = _number(places[1], "Expected edges", 40, "edges", "The mean over all seeds.")
        n = _number(places[2], "Rows", 200, "n_random")
        seed = _number(places[3], "Seed", 1, "seed_random", "Another seed gives another network and other rows.")
        missing = _holes(st.columns(4), "random")
        if not st.form_submit_button(t("Simulate rows"), type="primary"):
            return None
    with st.spinner(t("Drawing the rows…")):
        _check_network(p, edges)
        _check_table(n, p, seed)
        title = f"random network, p = {p:,}, {count(edges, 'edge')} expected, n = {n:,}, seed {seed}"
        origin = of_random_network(p, edges, n, seed, missing)
        return drawn(random_gaussian_network(p, edges, seed), n, seed, missing, title, origin)


def _from_both() -> Source | None:
    st.caption(
        t(
            "Numbers follow linear equations with normal noise, levels linear log odds. Each pair of "
            "variables is adjacent with the same probability; effects are 0.5 to 1 in absolute value."
        )
    )
    with st.form("simulate_both", border=False):
        places = [*st.columns(4), *st.columns(4)]
        p = _number(places[0], "Variables", 20, "p_both")
        edges = _number(places[1], "Expected edges", 25, "edges_both", "The mean over all seeds.")
        n = _number(places[2], "Rows", 1000, "n_both")
        seed = _number(places[3], "Seed", 1, "seed_both", "Another seed gives another network and other rows.")
        share = _number(places[4], "Categorical, %", 50, "categorical")
        levels = _number(places[5], "Maximum levels", 4, "levels")
        crossed = _number(
            places[6], "Interactions, %", 0, "crossed",
            "Share of the pairs of parents that interact. No test or score here models interactions of numbers.",
        )  # fmt: skip
        missing = _holes(st.columns(4), "both")
        if not st.form_submit_button(t("Simulate rows"), type="primary"):
            return None
    with st.spinner(t("Drawing the rows…")):
        _check_network(p, edges)
        _check_table(n, p, seed)
        _check_range("the share of categorical variables in percent", share, 0, 100)
        _check_range("the number of levels", levels, MIN_LEVELS, MAX_LEVELS)
        _check_range("the share of interacting pairs in percent", crossed, 0, 100)
        asked = {"categorical": share / 100, "most_levels": levels, "interactions": crossed / 100}
        title = f"random mixed network, p = {p:,}, {count(edges, 'edge')} expected, n = {n:,}, seed {seed}"
        origin = of_random_network(p, edges, n, seed, missing, **asked)
        return drawn(random_mixed_network(p, edges, seed, **asked), n, seed, missing, title, origin)


def _holes(places: Any, name: str) -> tuple[float, str]:
    """Return share and mechanism of the missing cells."""
    percent = _number(places[0], "Missing cells, %", 0, f"missing_{name}")
    mechanism = places[1].selectbox(
        t("Mechanism"),
        list(MECHANISMS),
        format_func=labels_of(MECHANISMS),
        key=f"sim_mechanism_{name}",
        persist_state="session",
        help=t(
            "Missing completely at random, or more often where another column or the cell itself is high. "
            "No test can detect the last mechanism."
        ),
    )
    return percent / 100, mechanism


def _number(place: Any, label: str, default: int, name: str, hint: str | None = None) -> int:
    """Ask for an integer of any size, since the browser refuses large numbers without a message."""
    return place.number_input(
        t(label), value=default, step=1, help=hint and t(hint), key=f"sim_{name}", persist_state="session"
    )


def _size_of_network(key: str) -> str:
    return t("{network} ({p} variables)", network=t(NETWORKS[key].title), p=NETWORKS[key].p)


def _check_range(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ParameterError(f"{what} must be {least:,} to {most:,}, got {value:,}; enter another number")


def _check_network(p: int, edges: int) -> None:
    _check_range("the number of variables", p, 2, MAX_COLUMNS)
    pairs = p * (p - 1) // 2
    if edges > pairs:
        raise ParameterError(
            f"{count(p, 'variable')} have at most {count(pairs, 'edge')}, got {edges:,}; enter fewer edges or more "
            "variables"
        )
    if edges > MAX_EDGES_EACH * p:
        raise ParameterError(
            f"a simulated network has at most {MAX_EDGES_EACH} expected edges per variable, {MAX_EDGES_EACH * p:,} "
            f"for {count(p, 'variable')}, got {edges:,}; enter fewer edges or more variables"
        )
    _check_range("the number of expected edges", edges, 0, pairs)


def _check_table(n: int, p: int, seed: int) -> None:
    _check_range("the number of rows", n, MIN_ROWS, MAX_ROWS)
    if n * p > MAX_CELLS:
        raise ParameterError(
            f"a simulated table has at most {MAX_CELLS:,} cells, got {n:,} rows of {p:,} variables; "
            f"enter up to {MAX_CELLS // p:,} rows"
        )
    _check_range("the seed", seed, 0, MAX_SEED)


def drawn(
    network: Network | MixedNetwork | RegressionNetwork,
    n: int,
    seed: int,
    missing: tuple[float, str],
    title: str,
    origin: Origin,
) -> Source:
    """Sample rows of a network as a table with its true graph; its columns can be edited like those of a file."""
    share, mechanism = missing
    _check_range("the share of missing cells in percent", round(100 * share), 0, round(100 * MAX_SHARE))
    dataset = with_missing_cells(sample(network, n, seed), share, mechanism, seed=seed)
    table = Table.from_dataset(dataset)
    plan = default_plan(table)
    for kind in dict.fromkeys(dataset.kinds):
        own = [name for name, one in zip(table.names, dataset.kinds, strict=True) if one == kind]
        plan = plan.change(*own, kind=kind, missing=("",) if share else ())
    title += f", {share:.0%} of the cells missing {MECHANISMS[mechanism]}" if share else ""
    return state.with_plan(Source(title, table, plan, truth=network.dag, truth_names=table.names, origin=origin), plan)
