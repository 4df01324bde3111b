"""Tests of tiled networks."""

import numpy as np
import pytest

from learners.common.errors import ParameterError
from learners.graphs.graph import PDAG
from learners.io.samples import load_network
from learners.networks.network import DiscreteNetwork
from learners.networks.random_networks import random_dag, random_discrete_network
from learners.networks.sampling import sample
from learners.networks.tiling import MAX_PARENTS, _fitted, tile, tile_networks


def _tiles(network: DiscreteNetwork) -> list[list[int]]:
    """Return the nodes of each tile, found by the prefix of their names."""
    number = [int(name.split("_")[0][1:]) for name in network.names]
    return [[j for j, t in enumerate(number) if t == tile] for tile in range(1, max(number) + 1)]


MANY_PARENTS = random_discrete_network(PDAG.from_edges(7, directed=[(i, 6) for i in range(6)]), 2, 3)


@pytest.mark.parametrize(
    ("network", "n_tiles"),
    [
        (load_network("asia"), 1),
        (load_network("asia"), 9),
        (load_network("alarm"), 4),
        (load_network("child"), 3),
        (random_discrete_network(random_dag(9, 2.0, 3), [2, 3, 1, 4, 2, 2, 5, 2, 3], 5), 6),
        (random_discrete_network(PDAG.empty(1), 3, 1), 5),
        (MANY_PARENTS, 12),
    ],
    ids=["one tile", "asia", "alarm", "child", "random", "single node", "many parents"],
)
def test_tile_keeps_each_tile_and_connects_forward_only(network, n_tiles):
    """Edges within tiles, tables of nodes with parents, and levels are unchanged; new edges lead to root nodes."""
    tiled = tile(network, n_tiles, seed=1)
    tiles = _tiles(tiled)
    assert [len(nodes) for nodes in tiles] == [network.p] * n_tiles
    rest = tiled.dag.amat.copy()
    for t, nodes in enumerate(tiles, 1):
        assert [tiled.names[j] for j in nodes] == [f"t{t}_{name}" for name in network.names]
        np.testing.assert_array_equal(rest[np.ix_(nodes, nodes)], network.dag.amat)
        rest[np.ix_(nodes, nodes)] = False
        for j, own in enumerate(nodes):
            assert tiled.levels[own] == network.levels[j]
            if network.dag.parents(j):
                np.testing.assert_array_equal(tiled.cpts[own], network.cpts[j])
    for i, j in np.argwhere(rest):
        assert i < tiles[(j // network.p)][0]
        assert network.dag.parents(j % network.p) == ()
    most = min(MAX_PARENTS, max(len(network.dag.parents(j)) for j in range(network.p)))
    assert rest.sum(axis=0).max() <= most
    assert not rest[:, : network.p].any()


def test_connecting_edges_come_as_often_as_parents_inside():
    """The number of edges is close to that of Huang and Zhou (2022), section 5.1 and table 1.

    They report 1 689 edges for alarm with 28 tiles and 1 309 for child with 50 tiles.
    """
    for key, n_tiles, printed in (("alarm", 28, 1689), ("child", 50, 1309)):
        network = load_network(key)
        roots = sum(not network.dag.parents(j) for j in range(network.p))
        spread = np.sqrt(roots * n_tiles * network.dag.amat.sum(axis=0).var())
        assert abs(tile(network, n_tiles, 1).dag.n_edges - printed) < 4 * spread


@pytest.mark.deep
def test_parents_of_a_node_beyond_four_are_counted_as_four():
    """A node with six parents gets connecting edges like a node with four parents."""
    tiled = tile(MANY_PARENTS, 400, 2)
    roots = [j for j in range(7, tiled.p) if j % 7 != 6]
    n_parents = tiled.dag.amat[:, roots].sum(axis=0)
    assert set(n_parents.tolist()) == {0, 4}
    assert abs((n_parents == 4).mean() - 1 / 7) < 5 * np.sqrt(6 / 49 / len(roots))


@pytest.mark.parametrize("key", ["asia", "alarm", "insurance"])
def test_margins_of_every_tile_are_those_of_the_network(key):
    """In every tile, root nodes and their descendants keep their marginal distributions."""
    network = load_network(key)
    n, n_tiles = 40_000, 5
    alone, codes = sample(network, n, 3).codes, sample(tile(network, n_tiles, 4), n, 5).codes
    for j in range(network.p):
        expected = np.bincount(alone[j], minlength=network.arity[j]) / n
        for t in range(n_tiles):
            found = np.bincount(codes[t * network.p + j], minlength=network.arity[j]) / n
            assert np.abs(found - expected).max() < 0.025


def test_connected_nodes_depend_on_their_parents():
    """A connecting edge makes its nodes dependent."""
    network = load_network("survey")
    tiled = tile(network, 20, 1)
    connected = [j for j in range(tiled.p) if tiled.dag.parents(j) and not network.dag.parents(j % network.p)]
    assert len(connected) > 10
    assert all(np.ptp(tiled.cpts[j], axis=0).max() > 0.01 for j in connected)


def test_fitted_table_has_the_margin_and_the_odds_ratios():
    """In a fitted table the rows sum to 1, the weighted rows sum to the margin, and the odds ratios are kept."""
    rng = np.random.default_rng(0)
    cpt, share = rng.dirichlet(np.ones(3), 6), np.array([0.5, 0.2, 0.2, 0.1, 0.0, 0.0])
    margin = np.array([0.01, 0.9, 0.09])
    fitted = _fitted(cpt, share, margin)
    np.testing.assert_allclose(fitted.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(share @ fitted, margin, atol=1e-11)
    ratio = fitted / cpt
    np.testing.assert_allclose(ratio / ratio[:, :1], np.broadcast_to(ratio[0] / ratio[0, 0], (6, 3)), rtol=1e-9)


def test_fitted_table_leaves_impossible_levels_impossible():
    """A level of probability 0 has probability 0 in every row."""
    cpt = np.random.default_rng(0).dirichlet(np.ones(3), 2)
    fitted = _fitted(cpt, np.array([0.5, 0.5]), np.array([0.25, 0.0, 0.75]))
    assert fitted[:, 1].tolist() == [0, 0]
    np.testing.assert_allclose(fitted.mean(axis=0), [0.25, 0, 0.75], atol=1e-12)


def test_different_networks_are_tiled_in_random_order():
    """Each of several networks is used for one tile, in an order that depends on the seed."""
    networks = [load_network(key) for key in ("asia", "cancer", "survey", "sachs")]
    orders = set()
    for seed in range(8):
        tiled = tile_networks(networks, seed)
        starts = [tiled.names[nodes[0]].split("_", 1)[1] for nodes in _tiles(tiled)]
        assert sorted(starts) == sorted(network.names[0] for network in networks)
        orders.add(tuple(starts))
    assert len(orders) > 4


def test_same_seed_gives_the_same_network_and_another_seed_another():
    """The same seed gives the same graph and the same tables to the last bit."""
    network = load_network("child")
    one, again, other = (tile(network, 4, seed) for seed in (3, 3, 4))
    assert one.dag == again.dag
    assert all((a == b).all() for a, b in zip(one.cpts, again.cpts, strict=True))
    assert one.dag != other.dag


@pytest.mark.parametrize(
    ("n_tiles", "seed", "message"),
    [(0, 1, "n_tiles must be"), (2.0, 1, "n_tiles must be"), (2, -1, "seed must be")],
    ids=["no tile", "no whole number", "negative seed"],
)
def test_tile_refuses_arguments_out_of_range(n_tiles, seed, message):
    """A number of tiles below 1, and a seed that NumPy does not accept, are refused."""
    with pytest.raises(ParameterError, match=message):
        tile(load_network("asia"), n_tiles, seed)


def test_tiling_refuses_nothing_to_tile():
    """An empty list of networks is refused."""
    with pytest.raises(ParameterError, match="at least one network"):
        tile_networks([], 1)
