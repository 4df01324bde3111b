"""Tests of comparing graphs: differences, consensus, quality, and scores on held-out rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import BIC, BDeu, GaussianBIC, cpdag, learn, load_sample, random_dag, random_gaussian_network, sample
from learners.common.errors import DataError, ParameterError
from learners.evaluation.comparison import (
    consensus,
    differences,
    fit,
    held_out,
    quality,
    ranked_pairs,
    shared_names,
    subgraph,
)
from learners.evaluation.metrics import shd
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.graph import PDAG

SEEDS = st.integers(0, 10_000)


def test_differences_name_each_pair_once():
    """Each pair that is adjacent in at least one graph is in exactly one list.

    The lists hold the edges of the first graph only, of the second only, of both alike, and of both with different
    directions.
    """
    a = PDAG.from_edges(4, directed=[(0, 1), (1, 2)], undirected=[(2, 3)])
    b = PDAG.from_edges(4, directed=[(1, 0), (0, 3)], undirected=[(2, 3)])
    assert differences(a, b) == {
        (0, 1): "direction_differs",
        (0, 3): "only_b",
        (1, 2): "only_a",
        (2, 3): "both",
    }


@settings(deadline=None)
@given(SEEDS, SEEDS)
def test_differences_agree_with_the_hamming_distance(one, other):
    """The pairs that differ are those counted by SHD, and swapping the graphs swaps the sides."""
    a, b = cpdag(random_dag(6, 2.0, one)), cpdag(random_dag(6, 2.0, other))
    actual, back = differences(a, b), differences(b, a)
    assert sum(kind != "both" for kind in actual.values()) == shd(a, b)
    swapped = {"only_a": "only_b", "only_b": "only_a"}
    assert back == {pair: swapped.get(kind, kind) for pair, kind in actual.items()}


def test_differences_need_the_same_nodes():
    """Graphs of different sizes are refused with a hint at the fix."""
    with pytest.raises(ParameterError, match="restrict both to the shared ones"):
        differences(PDAG.empty(2), PDAG.empty(3))


@settings(deadline=None)
@given(st.lists(SEEDS, min_size=1, max_size=4))
def test_consensus_counts_the_graphs(seeds):
    """The shares count the graphs; the intersection has the edges of all graphs, the union those of any."""
    graphs = [cpdag(random_dag(5, 2.0, seed)) for seed in seeds]
    agreed = consensus(graphs)
    assert np.allclose(agreed.joined * len(graphs), sum(graph.skeleton.astype(int) for graph in graphs))
    assert np.array_equal(agreed.graph(1.0).skeleton, np.all([graph.skeleton for graph in graphs], axis=0))
    assert np.array_equal(agreed.graph(0.0).skeleton, np.any([graph.skeleton for graph in graphs], axis=0))
    assert (agreed.directed + agreed.directed.T <= agreed.joined + 1e-12).all()


def test_consensus_of_one_graph_is_that_graph():
    """The consensus of a single graph keeps its edges and their marks."""
    graph = PDAG.from_edges(4, directed=[(0, 1), (2, 1)], undirected=[(2, 3)])
    assert consensus([graph]).graph(0.5) == graph


def test_consensus_directs_an_edge_that_most_direct_alike():
    """A direction in two of three graphs is adopted; with one against one the edge stays undirected."""
    forward, backward = PDAG.from_edges(2, directed=[(0, 1)]), PDAG.from_edges(2, directed=[(1, 0)])
    assert consensus([forward, forward, backward]).graph(0.5) == forward
    assert consensus([forward, backward]).graph(0.5) == PDAG.from_edges(2, undirected=[(0, 1)])
    with pytest.raises(ParameterError, match="at least one graph"):
        consensus([])


def test_restriction_keeps_the_edges_between_the_variables_that_stay():
    """The nodes follow the requested order; unknown names are listed in the error message."""
    graph = PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])
    assert subgraph(graph, ("a", "b", "c"), ("c", "b")) == PDAG.from_edges(2, undirected=[(0, 1)])
    assert shared_names([("a", "b", "c"), ("c", "x", "a")]) == ("a", "c")
    with pytest.raises(ParameterError, match="'z'"):
        subgraph(graph, ("a", "b", "c"), ("a", "z"))


def test_quality_of_a_perfect_and_of_a_poor_graph():
    """The true graph has distance 0. With precision and recall of one half the distance is sqrt(1/2)."""
    truth = PDAG.from_edges(4, undirected=[(0, 1), (2, 3)])
    perfect = quality(truth, truth)
    assert (perfect.precision, perfect.recall, perfect.distance, perfect.shd, perfect.jaccard) == (1, 1, 0, 0, 1)
    poor = quality(PDAG.from_edges(4, undirected=[(0, 1), (1, 2)]), truth)
    assert poor.distance == pytest.approx(math.sqrt(0.5))
    assert (poor.shd, poor.jaccard) == (2, pytest.approx(1 / 3))


def test_fit_is_the_score_of_a_member_for_each_row():
    """The fit is the score of a DAG of the class, divided by the number of rows.

    The scores are BIC and BDeu (ess 10) for categorical data and the Gaussian BIC for numbers. A graph that no DAG
    extends has no fit.
    """
    loaded = load_sample("asia")
    graph, data = loaded.truth, loaded.dataset
    dag = consistent_extension(cpdag(graph)).dag
    actual = fit(cpdag(graph), data)
    assert actual["BIC"] == pytest.approx(BIC(data).network(dag) / data.n)
    assert actual["BDeu"] == pytest.approx(BDeu(data, ess=10.0).network(dag) / data.n)
    network = random_gaussian_network(5, 5, seed=1)
    numbers = sample(network, 200, seed=1)
    assert fit(network.dag, numbers) == {"BIC": pytest.approx(GaussianBIC(numbers).network(network.dag) / 200)}
    circle = PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)])
    assert fit(circle, numbers.select([0, 1, 2])) == {}


@settings(deadline=None)
@given(st.integers(2, 60), st.floats(0.01, 0.99), SEEDS)
def test_rows_are_either_used_or_held_out(n, share, seed):
    """Each row is either in the training part or held out, and the same seed holds out the same rows."""
    data = sample(random_gaussian_network(2, 1, seed=0), n, seed=0)
    train, aside = held_out(data, share, seed)
    assert train.n + aside.n == n
    assert min(train.n, aside.n) >= 1
    both = np.concatenate([train.values[:, 0], aside.values[:, 0]])
    assert sorted(both.tolist()) == sorted(data.values[:, 0].tolist())
    assert held_out(data, share, seed)[1].fingerprint == aside.fingerprint


def test_rows_of_categorical_data_keep_levels_and_weights():
    """Both parts declare all levels, including unobserved ones, and keep the weights of their rows."""
    data = load_sample("asia").dataset
    train, aside = held_out(data, 0.25, 3)
    assert aside.n == round(0.25 * data.n)
    assert train.levels == aside.levels == data.levels
    weighted = data.merged()
    part = weighted.take([1, 0])
    assert part.weights.tolist() == weighted.weights[[1, 0]].tolist()


def test_too_few_rows_to_hold_any_out():
    """A table of one row and a share of 1 are refused with a clear message."""
    data = sample(random_gaussian_network(2, 1, seed=0), 1, seed=0)
    with pytest.raises(DataError, match="at least 2 rows"):
        held_out(data, 0.5, 0)
    with pytest.raises(ParameterError, match="share"):
        held_out(data, 1.0, 0)


def test_pairs_are_ranked_from_the_strongest():
    """Each pair occurs once, and the pairs of the graph come before the pairs that the learner separated."""
    data = load_sample("asia").dataset
    result = learn("pc", data)
    pairs = ranked_pairs(result)
    assert len({tuple(pair) for pair in pairs.tolist()}) == len(pairs) == 28
    kept = result.graph.skeleton[pairs[:, 0], pairs[:, 1]]
    assert kept[: result.graph.n_edges].all()
