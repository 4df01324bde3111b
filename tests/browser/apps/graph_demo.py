"""A page with only the graph component, for the tests that drive it.

``?graph=`` selects the graph: asia, alarm (37 nodes), lmm (37 nodes, with dots and a threshold line), dense (100 nodes,
4 950 edges), wide (300 nodes, 2 000 edges), groups (40 nodes in twenty groups), dots (100 in twenty), hostile (names
that contain markup), survey1 and so on (84 long questions that begin alike, by seed), marks (every edge mark), a run of
PC: gauss (100 columns), pigs (441), link (724), 60 values of a parameter: what_if_37, what_if_100, what_if_300
(nodes), or hubs_5000 (nodes, most of them attached to a few hubs).
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import streamlit as st

from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.io.bif import read_bif
from learners.networks.random_networks import random_dag as random_bayesian_dag
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import LEARNERS, learn
from viz.cluster_marks import grouped
from viz.graph_view import graph_view
from viz.kinds import layout_graph, timeline
from viz.layout.positions import layout
from viz.lmm.timeline import lmm_timeline
from viz.sweeping.strip import Axis, strip_view

ROOT = Path(__file__).resolve().parents[3]
ASIA = ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"]
ASIA_ARCS = [(0, 1), (1, 5), (2, 3), (2, 4), (3, 5), (5, 6), (5, 7), (4, 7)]
HOSTILE = [
    "<script>window.hacked = 1</script>",
    '<img src=x onerror="window.hacked = 2">',
    'href="javascript:window.hacked = 3"',
    "'\"`${window.hacked = 4}`",
    "two\nlines\x0b",
    "long " * 40,
    "🙂 emoji 👩‍👩‍👧",
    "</text></svg><b>x",
]


ACTS = ["felt calm", "slept well", "worked hard", "saw friends", "walked home", "read news", "ate fruit", "wrote notes"]
ACTS += ["drove", "cooked", "sang", "ran"]
TIMES = ["early", "late", "alone", "at work", "at home", "outdoors", "with others"]
QUESTIONS = [
    f"Q{k // 10 + 1}_{k % 10}. Thinking of last week, how often have you {act} {when}?"
    for k, (act, when) in enumerate(product(ACTS, TIMES))
]


def random_dag(p: int, n_arcs: int, reach: int) -> list[tuple[int, int]]:
    """Return `n_arcs` arcs from lower to higher numbers, none longer than `reach`."""
    pairs = [(i, j) for i in range(p) for j in range(i + 1, min(p, i + reach + 1))]
    chosen = np.random.default_rng(7).choice(len(pairs), size=n_arcs, replace=False)
    return [pairs[k] for k in sorted(chosen)]


def elimination(names: list[str], arcs: list[tuple[int, int]], *, start: str = "complete") -> dict:
    """Return the trace of a run that removes one edge after another, then orients the rest."""
    p = len(names)
    graph = cpdag(PDAG.from_edges(p, directed=arcs))
    order = [(i, j) for i in range(p) for j in range(i + 1, p) if start == "complete" or graph.skeleton[i, j]]
    kept = [pair for pair in order if graph.skeleton[pair]] if start == "complete" else []
    leaving = [pair for pair in order if pair not in set(kept)]
    np.random.default_rng(3).shuffle(leaving)
    directed = [(i, j) for i, j in kept if graph.mark(i, j) != "undirected"]
    count = len(leaving) + len(directed) + 1
    gone = {tuple(pair): step for step, pair in enumerate(leaving, start=1)}
    turned = {pair: len(leaving) + step for step, pair in enumerate(directed, start=1)}
    xy = layout(graph)
    edges = []
    for k, (i, j) in enumerate(order):
        spans = [[0, gone.get((i, j), turned.get((i, j), count)), "undirected"]]
        if (i, j) in turned:
            spans.append([turned[i, j], count, graph.mark(i, j)])
        strength = gone.get((i, j), count) / count
        edges.append({"id": k, "a": i, "b": j, "strength": strength, "strength_text": f"strength {strength:.3f}"})
        edges[-1]["spans"] = spans
    n_edges = [len(order) - min(step, len(leaving)) for step in range(count)]
    phases = [{"label": "level 0", "from": 0}, {"label": "level 1", "from": len(leaving) // 2}]
    phases.append({"label": "orientation", "from": len(leaving) + 1})
    return {
        "nodes": [{"id": k, "label": name, "x": xy[k, 0], "y": xy[k, 1]} for k, name in enumerate(names)],
        "edges": edges,
        "steps": {
            "count": count,
            "axis_label": "step",
            "text": [f"sentence of step {step}" for step in range(count)],
            "series": [
                {"label": "edges", "values": n_edges},
                {"label": "p of the removed edge", "values": [1e-9 * (s + 1) for s in range(count)], "log": True},
            ],
            "curve": 0,
            "choice": count - 1,
            "events": [phase["from"] for phase in phases] + [count - 1],
            "phases": phases,
        },
        "file_name": "demo",
        "allow_pins": True,
    }


def marks() -> dict:
    """Return a graph with one edge for each mark."""
    looks = [
        {"spans": [[0, 3, "undirected"]]},
        {"spans": [[0, 3, "forward"]], "strength": 1.0},
        {"spans": [[0, 3, "backward"]], "strength": 0.1},
        {"spans": [[0, 3, "conflict"]]},
        {"spans": [[0, 3, "undirected", True, False]]},
        {"spans": [[0, 3, "undirected", True, True]], "strength": 0.8},
        {"spans": [[0, 3, "forward"]], "opacity": 0.41},
        {"spans": [[0, 2, "undirected"]]},
        {"spans": [[0, 1, "undirected"]]},
        {"spans": [[0, 3, "forward"]], "required": True},
        {"spans": [], "forbidden": True},
        *({"spans": [[0, 3, "undirected"]], "diff": d} for d in ("both", "only_a", "only_b", "direction_differs")),
    ]
    nodes, edges = [], []
    for k, look in enumerate(looks):
        x, y = (k % 4) / 3, (k // 4) / 3.3
        nodes += [
            {"id": f"a{k}", "label": f"a{k}", "x": x, "y": y},
            {"id": f"b{k}", "label": f"b{k}", "x": x + 0.18, "y": y},
        ]
        edges.append({"id": k, "a": f"a{k}", "b": f"b{k}", "strength_text": "as drawn", **look})
    return {"nodes": nodes, "edges": edges, "steps": {"count": 3, "choice": 1}, "file_name": "marks"}


def elimination_of_lmm() -> dict:
    """Return a run of LMM: forward selection, then backward elimination."""
    result = learn("lmm", sample(random_gaussian_network(37, 50, 7), 300, 7))
    return lmm_timeline(result, layout(result.graph))


def elimination_of_pc(network: str) -> dict:
    """Return a run of PC on rows drawn from a bundled network or from 100 Gaussian variables."""
    bif = ROOT / "sample_data" / "networks" / f"{network}.bif.gz"
    drawn_from = random_gaussian_network(100, 150, 7) if network == "gauss" else read_bif(bif)
    result = learn("pc", sample(drawn_from, 2000, 1))
    return timeline(result, layout(layout_graph(result)))


def values(p: int) -> dict:
    """Return sixty values of alpha; at each, a few edges are added, a few removed and one reversed."""
    rng, arcs = np.random.default_rng(5), random_dag(p, 3 * p, 20)
    there, graphs = rng.random(len(arcs)) < 0.3, []
    for _ in range(60):
        there ^= rng.random(len(arcs)) < 4 / len(arcs)
        graphs.append(cpdag(PDAG.from_edges(p, directed=[arc for arc, own in zip(arcs, there, strict=True) if own])))
    alpha = next(one for one in LEARNERS["pc"].parameters if one.name == "alpha")
    alphas, names = np.geomspace(1e-6, 0.5, 60).tolist(), [f"VARIABLE{k:03d}" for k in range(p)]
    return strip_view(Axis.of_parameter(alpha, alphas), graphs, 30, names, layout(graphs[30]))


def hubs(p: int) -> dict:
    """Return a graph of one step: most nodes are linked to one of p / 50 hubs, and a tenth have another edge."""
    rng = np.random.default_rng(6)
    arcs = {(int(min(4 * rng.pareto(1.3), p // 50 - 1)), k) for k in range(p // 50, p) if rng.random() < 0.7}
    arcs |= {tuple(sorted(rng.choice(p, 2, replace=False).tolist())) for _ in range(p // 10)}
    xy = layout(PDAG.from_edges(p, directed=sorted(arcs)))
    return {
        "nodes": [{"id": k, "label": f"GENE{k:04d}", "x": xy[k, 0], "y": xy[k, 1]} for k in range(p)],
        "edges": [{"id": k, "a": a, "b": b, "strength_text": "", "spans": [[0, 1, "forward"]]}
                  for k, (a, b) in enumerate(sorted(arcs))],
        "steps": {"count": 1, "choice": 0},
        "file_name": "hubs",
    }  # fmt: skip


@st.cache_data
def picture(kind: str) -> dict:
    if kind.startswith("what_if"):
        return values(int(kind.split("_")[-1]))
    if kind in ("gauss", "pigs", "link"):
        return elimination_of_pc(kind)
    if kind.startswith("hubs"):
        return hubs(int(kind.split("_")[-1]))
    if kind == "lmm":
        return elimination_of_lmm()
    if kind == "phases":
        data = elimination(ASIA, ASIA_ARCS)
        data["steps"]["phases"] = [{"label": f"random moves {k}", "from": 2 * k} for k in range(1, 12)]
        return data
    if kind == "marks":
        return marks()
    if kind in ("groups", "dots"):
        p = 40 if kind == "groups" else 100
        return grouped(elimination([f"v{k}" for k in range(p)], random_dag(p, p, 6), start="graph"), np.arange(p) % 20)
    if kind == "alarm":
        return elimination([f"VARIABLE{k:02d}" for k in range(37)], random_dag(37, 46, 6))
    if kind == "dense":
        return elimination([f"v{k}" for k in range(100)], random_dag(100, 150, 8))
    if kind.startswith("survey"):
        dag = random_bayesian_dag(84, 2.2, int(kind.removeprefix("survey")))
        return elimination(QUESTIONS, dag.edges(), start="graph")
    if kind == "wide":
        return elimination([f"v{k}" for k in range(300)], random_dag(300, 2000, 40), start="graph")
    return elimination(HOSTILE if kind == "hostile" else ASIA, ASIA_ARCS)


st.set_page_config(layout="wide")
kind = st.query_params.get("graph", "asia")
data = picture(kind)
st.session_state.setdefault("asked", None)
left, middle, right = st.columns(3)
if left.button("ask for tub — either"):
    st.session_state["asked"] = (1, 5)
if middle.button("ask for asia — dysp"):
    st.session_state["asked"] = (0, 7)
start = right.toggle("ask for step 3")
other_run = left.toggle("another run")
hidden = middle.toggle("hide")
if not hidden:
    state = graph_view(
        data | {"run": "other" if other_run else "first"},
        key="graph",
        height=720,
        selected=st.session_state["asked"],
        step=3 if start else None,
        places=st.session_state.get("places"),
        on_moved=lambda at: st.session_state.update(places=dict(at)),
    )
    reported = {"step": state.step, "selected": state.selected, "positions": state.positions, "pins": state.pins}
    st.code(json.dumps(reported), language=None)
