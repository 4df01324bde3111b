"""Simulation: rows drawn from a known network, so that every learner can be held against the truth."""

from __future__ import annotations

from typing import Any

import streamlit as st

from learners.dataset_health import MIN_ROWS
from learners.errors import LearnersError, ParameterError
from learners.network import Network
from learners.prepare import default_plan
from learners.samples import NETWORKS, load_network
from learners.simulate import random_gaussian_network, sample
from learners.tables import MAX_COLUMNS, Table
from pages import state
from pages.state import Source
from viz.text import count, escape_markdown

PUBLISHED, RANDOM = "A published one", "A random Gaussian one"
MOST_CELLS = 10_000_000  # some seconds and some hundred megabytes
# Each variable then has 20 neighbours on average; with many more its variance explodes along the order of the nodes,
# and the last variables are exact combinations of the others.
MOST_EDGES_EACH = 10


def simulate() -> None:
    """Ask for a network, a number of rows and a seed, and put what is drawn in use."""
    st.caption(
        "Rows drawn by chance from a network that is known: Inspect then counts how much of it a learner got right. "
        "The same entries always give the same rows."
    )
    kind = st.segmented_control(
        "Network", [PUBLISHED, RANDOM], default=PUBLISHED, required=True, key="sim_kind", persist_state="session"
    )
    try:
        drawn = _from_published() if kind == PUBLISHED else _from_random()
    except LearnersError as error:
        sentence = str(error)
        st.error(escape_markdown(sentence[0].upper() + sentence[1:] + "."), icon=":material/error:")
        return
    if drawn is not None:
        state.set_source(drawn)
        st.rerun()


def _from_published() -> Source | None:
    fitting = [key for key, one in NETWORKS.items() if one.p <= MAX_COLUMNS]
    key = st.selectbox(
        "Which", fitting, fitting.index("alarm"), _size_of_network, key="sim_network", persist_state="session"
    )
    one = NETWORKS[key]
    columns = "words" if one.kind == "categorical" else "numbers"
    st.caption(escape_markdown(f"{one.description} The rows hold {columns}; the truth has {one.n_edges:,} edges."))
    with st.form("simulate_published", border=False):
        places = st.columns(4)
        n = _rows(places[0], "published", 2000)
        seed = _seed(places[1], "published")
        if not st.form_submit_button("Simulate", type="primary"):
            return None
    with st.spinner("Drawing the rows…"):
        _check_cells(n, one.p)
        return _drawn(load_network(key), n, seed, f"{key} network, n = {n:,}, seed {seed}")


def _from_random() -> Source | None:
    st.caption(
        "Numbers in linear equations, as in the simulations of Mahdi and Mezey (2013): every pair of variables is "
        "joined with the same probability, by an effect of 0.1 to 1 or of -1 to -0.1, and each variable has normal "
        "noise of a random variance. Few rows for many variables is where learners differ most."
    )
    with st.form("simulate_random", border=False):
        places = st.columns(4)
        p = places[0].number_input("Variables", 2, MAX_COLUMNS, 30, key="sim_p", persist_state="session")
        edges = places[1].number_input(
            "Expected edges",
            0,
            MOST_EDGES_EACH * MAX_COLUMNS,
            40,
            help="The mean over all seeds: one network has some more, another some fewer.",
            key="sim_edges",
            persist_state="session",
        )
        n = _rows(places[2], "random", 200)
        seed = _seed(places[3], "random")
        if not st.form_submit_button("Simulate", type="primary"):
            return None
    with st.spinner("Drawing the rows…"):
        _check_edges(p, edges)
        _check_cells(n, p)
        title = f"random network, p = {p:,}, {count(edges, 'edge')} expected, n = {n:,}, seed {seed}"
        return _drawn(random_gaussian_network(p, edges, seed), n, seed, title)


def _rows(place: Any, kind: str, default: int) -> int:
    return place.number_input("Rows", MIN_ROWS, 1_000_000, default, key=f"sim_n_{kind}", persist_state="session")


def _seed(place: Any, kind: str) -> int:
    return place.number_input(
        "Seed",
        0,
        2**31 - 1,
        1,
        help="Any whole number; another one draws other rows, and another random network.",
        key=f"sim_seed_{kind}",
        persist_state="session",
    )


def _size_of_network(key: str) -> str:
    return f"{NETWORKS[key].title} ({NETWORKS[key].p:,} variables)"


def _check_edges(p: int, edges: int) -> None:
    pairs = p * (p - 1) // 2
    if edges > pairs:
        raise ParameterError(
            f"{count(p, 'variable')} make {count(pairs, 'pair')}, so at most {count(pairs, 'edge')} can be expected, "
            f"got {edges:,}; ask for fewer edges or more variables"
        )
    if edges > MOST_EDGES_EACH * p:
        raise ParameterError(
            f"a simulated network may expect at most {MOST_EDGES_EACH} edges a variable, {MOST_EDGES_EACH * p:,} for "
            f"{count(p, 'variable')}, got {edges:,}; ask for fewer edges or more variables"
        )


def _check_cells(n: int, p: int) -> None:
    if n * p > MOST_CELLS:
        raise ParameterError(
            f"a simulated table may have at most {MOST_CELLS:,} cells, got {n:,} rows of {p:,} variables; "
            f"take up to {MOST_CELLS // p:,} rows"
        )


def _drawn(network: Network, n: int, seed: int, title: str) -> Source:
    """Rows of a network with its graph, as a table whose columns can be changed like those of a file."""
    dataset = sample(network, n, seed)
    table = Table.from_dataset(dataset)
    plan = default_plan(table).change(*table.names, kind=dataset.kind, missing=())
    return state.with_plan(Source(title, table, plan, truth=network.dag, truth_names=table.names), plan)
