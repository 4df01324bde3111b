"""Node positions: inside the unit square, distinct and deterministic."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners.common.errors import ParameterError
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from viz.layout.hubs import lead_to_hubs, place_hubs
from viz.layout.layers import assign_layers, order_layers
from viz.layout.positions import KINDS, MAX_LAYERED, layout

ASIA = PDAG.from_edges(8, directed=[(0, 1), (1, 5), (2, 3), (2, 4), (3, 5), (5, 6), (5, 7), (4, 7)])


def random_dag(p: int, n_edges: int, seed: int) -> PDAG:
    pairs = list(combinations(range(p), 2))
    chosen = np.random.default_rng(seed).choice(len(pairs), size=n_edges, replace=False)
    return PDAG.from_edges(p, directed=[pairs[k] for k in chosen])


GRAPHS = {
    "empty": PDAG.empty(0),
    "one node": PDAG.empty(1),
    "no edges": PDAG.empty(23),
    "one edge": PDAG.from_edges(2, undirected=[(0, 1)]),
    "asia": cpdag(ASIA),
    "complete": PDAG.complete(12),
    "cycle": PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 0)], undirected=[(2, 3)]),
    "two parts": PDAG.from_edges(9, directed=[(0, 1), (1, 2), (5, 6)], undirected=[(2, 3)]),
    "37 nodes": cpdag(random_dag(37, 46, seed=0)),
    "dense": cpdag(random_dag(60, 700, seed=1)),
}


def draw(graph: PDAG, kind: str) -> np.ndarray:
    tiers = [k % 3 for k in range(graph.p)] if kind == "tiers" else None
    return layout(graph, kind, tiers=tiers)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
def test_positions_are_distinct_and_in_the_unit_square(graph: PDAG, kind: str) -> None:
    xy = draw(graph, kind)
    assert xy.shape == (graph.p, 2)
    assert np.isfinite(xy).all()
    assert ((xy >= -1e-12) & (xy <= 1 + 1e-12)).all()
    gaps = [np.abs(xy[i] - xy[j]).max() for i, j in combinations(range(graph.p), 2)]
    assert min(gaps, default=1.0) > 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_positions_are_deterministic(kind: str) -> None:
    """Positions are equal bit for bit; otherwise nodes would jump between sessions."""
    graph = GRAPHS["37 nodes"]
    assert np.array_equal(draw(graph, kind), draw(PDAG(graph.amat), kind))


def test_seed_changes_the_force_layout_only() -> None:
    graph = GRAPHS["37 nodes"]
    assert not np.allclose(layout(graph, "force", seed=0), layout(graph, "force", seed=1))
    assert np.array_equal(layout(graph, seed=0), layout(graph, seed=1))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("name", ["asia", "two parts", "37 nodes", "dense"])
def test_arrows_point_down_in_the_layered_layout(name: str) -> None:
    """y grows downwards, so a parent is strictly above its child."""
    graph = GRAPHS[name]
    xy = layout(graph)
    assert all(xy[i, 1] < xy[j, 1] for i, j in graph.directed_edges())


def test_labels_of_a_row_do_not_overlap() -> None:
    """At 1 100 pixels, neighbours in a row of a graph with 37 nodes are at least 80 pixels apart."""
    xy = layout(GRAPHS["37 nodes"])
    for y in np.unique(xy[:, 1]):
        assert np.diff(np.sort(xy[xy[:, 1] == y, 0])).min(initial=1.0) * 1100 > 80


def test_asia_is_drawn_without_a_crossing() -> None:
    """Asia has a layered drawing without crossings."""
    graph = cpdag(ASIA)
    xy = layout(graph)

    def side(i: int, j: int, k: int) -> float:
        (ax, ay), (bx, by) = xy[j] - xy[i], xy[k] - xy[i]
        return ax * by - ay * bx

    for (a, b), (c, d) in combinations(graph.edges(), 2):
        if len({a, b, c, d}) == 4:
            assert not (side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0)


def test_ordering_removes_a_crossing() -> None:
    """Two disjoint edges given crosswise end up side by side."""
    net = order_layers([(0, 3), (1, 2)], np.array([0, 0, 1, 1]))
    assert [i // 2 for i in net.rows[0]] == [0, 0]
    assert net.rows[1] == [{0: 3, 1: 2}[i] for i in net.rows[0]]


def test_sources_are_put_next_to_their_children() -> None:
    """A source of a deep node is not drawn at the top."""
    layer = assign_layers(PDAG.from_edges(5, directed=[(0, 1), (1, 2), (2, 3), (4, 3)]))
    assert layer.tolist() == [0, 1, 2, 3, 2]


def test_components_do_not_overlap() -> None:
    """Each component has its own rectangle; single nodes are in rows below."""
    graph = PDAG.from_edges(10, directed=[(0, 1), (1, 2), (3, 4), (4, 5)])
    xy = layout(graph)
    first, second = xy[:3], xy[3:6]
    assert first[:, 0].max() < second[:, 0].min() or second[:, 0].max() < first[:, 0].min()
    assert xy[6:, 1].min() > xy[:6, 1].max()


def test_tiers_are_in_order() -> None:
    """Every node of a tier is above every node of the next; nodes without a tier come last."""
    tiers = [5, 2, 2, None, 5, 9, None, 2]
    xy = layout(cpdag(ASIA), "tiers", tiers=tiers)
    rows = [[xy[i, 1] for i in range(8) if tiers[i] == tier] for tier in (2, 5, 9, None)]
    for upper, lower in zip(rows, rows[1:], strict=False):
        assert max(upper) < min(lower)


def test_circle_has_equal_radii() -> None:
    """All nodes have the distance 0.5 to the centre."""
    assert np.allclose(np.linalg.norm(layout(cpdag(ASIA), "circle") - 0.5, axis=1), 0.5)


def star_of_stars(seed: int, p: int = 200) -> PDAG:
    """Return a random graph in which most nodes are attached to a few others, and some are isolated."""
    rng = np.random.default_rng(seed)
    pairs = {(int(min(rng.pareto(1.0) * 2, k - 1)), k) for k in range(1, p) if rng.random() < 0.8}
    more = {tuple(sorted(rng.choice(p, 2, replace=False).tolist())) for _ in range(p // 5)}
    return PDAG.from_edges(p, undirected=sorted(pairs | more))


@pytest.mark.parametrize("seed", range(10))
def test_each_node_leads_to_its_neighbour_with_the_most_edges(seed: int) -> None:
    """A node is a hub iff no neighbour has more edges (of equals, the first); the others lead to one, step by step."""
    skeleton = star_of_stars(seed).skeleton
    degree = skeleton.sum(axis=0)
    hub_of, depth, parent = lead_to_hubs(*np.nonzero(skeleton), len(skeleton))
    for i in range(len(skeleton)):
        best = max([i, *np.flatnonzero(skeleton[i])], key=lambda j: (degree[j], -j))
        assert parent[i] == best
        steps, at = 0, i
        while parent[at] != at:
            at, steps = parent[at], steps + 1
        assert (hub_of[i], depth[i]) == (at, steps)


@pytest.mark.parametrize("seed", range(10))
def test_hubs_are_in_the_middle_of_their_neighbourhoods(seed: int) -> None:
    """Neighbourhoods do not overlap: each node lies closer to its own hub than the radius of its neighbourhood."""
    skeleton = star_of_stars(seed).skeleton
    xy = place_hubs(skeleton)
    hub_of, depth, _ = lead_to_hubs(*np.nonzero(skeleton), len(skeleton))
    gaps = np.linalg.norm(xy[:, None] - xy[None], axis=2)
    assert gaps[np.triu_indices(len(xy), 1)].min() > 0.99
    for hub in np.unique(hub_of):
        members = np.flatnonzero((hub_of == hub) & (depth > 0))
        if len(members):
            assert np.linalg.norm(xy[members].mean(axis=0) - xy[hub]) < 0.35 * gaps[hub, members].max() + 1.2
            assert gaps[hub, members].max() < gaps[hub, hub_of != hub].min(initial=np.inf) + 1e-9
            for d in range(1, depth[members].max()):
                inner, outer = members[depth[members] == d], members[depth[members] == d + 1]
                assert gaps[hub, inner].max() < gaps[hub, outer].min() + 1e-9


@pytest.mark.deep
def test_large_graphs_are_drawn_by_hubs() -> None:
    """A graph of more than `MAX_LAYERED` nodes has the hubs layout, smaller ones have layers; each can be chosen."""
    for p in (MAX_LAYERED, MAX_LAYERED + 1):
        graph = PDAG.from_edges(p, directed=[(0, k) for k in range(1, 40)] + [(k, k + 1) for k in range(40, 80)])
        usual = "layered" if p <= MAX_LAYERED else "hubs"
        assert np.array_equal(layout(graph), layout(graph, usual))
        assert not np.array_equal(layout(graph, "hubs"), layout(graph, "layered"))


@pytest.mark.parametrize(
    ("kind", "tiers", "words"),
    [
        ("spiral", None, "unknown kind 'spiral'"),
        ("tiers", None, "one tier for each of 8 nodes, got none"),
        ("tiers", [1, 2], "one tier for each of 8 nodes, got 2"),
    ],
    ids=["unknown kind", "no tiers", "too few tiers"],
)
def test_errors_name_the_invalid_value(kind: str, tiers: list[int] | None, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        layout(ASIA, kind, tiers=tiers)
