"""Tests of sampling from networks, and of random networks."""

import numpy as np
import pytest
from scipy.stats import binomtest, chi2, invgamma, kstest, norm

from learners.common.errors import ParameterError
from learners.graphs.graph import PDAG
from learners.io.samples import load_network
from learners.networks.network import DiscreteNetwork, GaussianNetwork
from learners.networks.random_networks import (
    random_dag,
    random_discrete_network,
    random_gaussian_equations,
    random_gaussian_network,
    random_modular_network,
)
from learners.networks.sampling import _sample_discrete, permute_columns, sample

# b depends on c and a, so a parent has a larger index than its child and the order of parents matters.
COLLIDER = DiscreteNetwork(
    ("a", "b", "c"),
    (("x", "y"), ("u", "v", "w"), ("x", "y", "z")),
    PDAG.from_edges(3, directed=[(0, 1), (2, 1)]),
    (
        np.array([[0.3, 0.7]]),
        np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0], [0, 0, 1], [0.6, 0.3, 0.1], [1, 0, 0], [0.2, 0.2, 0.6]]),
        np.array([[0.2, 0.3, 0.5]]),
    ),
)


def _joint_p_value(network: DiscreteNetwork, codes: np.ndarray) -> float:
    """Return the χ² p-value of the observed joint counts against the product of the conditional tables."""
    shape = tuple(network.arity)
    expected = np.empty(shape)
    for cell in np.ndindex(shape):
        expected[cell] = 1
        for j in range(network.p):
            row = 0
            for i in network.dag.parents(j):
                row = row * shape[i] + cell[i]
            expected[cell] *= network.cpts[j][row, cell[j]]
    expected *= codes.shape[1]
    observed = np.zeros(shape)
    np.add.at(observed, tuple(codes), 1)
    possible = expected > 0
    assert not observed[~possible].any()
    statistic = ((observed - expected)[possible] ** 2 / expected[possible]).sum()
    return chi2.sf(statistic, possible.sum() - 1)


@pytest.mark.parametrize(
    "network",
    [
        COLLIDER,
        load_network("asia"),
        load_network("survey"),
        random_discrete_network(random_dag(4, 2.0, 3), [2, 3, 1, 4], 5),
    ],
    ids=["collider", "asia", "survey", "random"],
)
def test_discrete_sample_follows_the_joint_distribution(network):
    """All joint cells, not only the margins, have their probabilities; impossible cells never occur."""
    data = sample(network, 200_000, 7)
    assert _joint_p_value(network, data.codes.astype(int)) > 1e-3  # the seed is fixed, so there are no false alarms


def test_gaussian_sample_has_the_implied_mean_and_covariance():
    """Mean and covariance of the sample are those implied by the equations, within five standard errors."""
    network = random_gaussian_network(8, 12, 3)
    network = GaussianNetwork(network.names, network.weights, network.noise_variance, np.arange(8.0))
    effect = np.linalg.inv(np.eye(8) - network.weights.T)
    covariance = effect @ np.diag(network.noise_variance) @ effect.T
    n = 100_000
    values = sample(network, n, 4).values
    spread = np.sqrt(np.diag(covariance))
    np.testing.assert_allclose(values.mean(axis=0), effect @ network.intercept, atol=5 * spread.max() / np.sqrt(n))
    error = np.sqrt((np.outer(spread, spread) ** 2 + covariance**2) / n)
    assert (np.abs(np.cov(values.T) - covariance) < 5 * error).all()


def test_sample_keeps_names_and_levels_that_were_never_drawn():
    """A sample has all names and levels of the network, although 20 rows of insurance cannot contain all levels."""
    network = load_network("insurance")
    data = sample(network, 20, 1)
    assert data.names == network.names
    assert data.levels == network.levels
    assert data.arity.tolist() == network.arity.tolist()
    assert any(len(np.unique(codes)) < r for codes, r in zip(data.codes, data.arity, strict=True))


def test_last_level_of_probability_zero_is_never_drawn():
    """An impossible last level is never drawn, even if rounding leaves the sum of the probabilities below 1."""
    row = np.full((1, 11), 0.1)
    row[0, 10] = 0.0
    row[0, 9] -= 9e-10  # the maximum deviation from 1 of a valid table
    network = DiscreteNetwork(("a",), (tuple("abcdefghijk"),), PDAG.empty(1), (row,))

    class Highest(np.random.Generator):
        """A generator that always returns the largest number below 1."""

        def random(self, n):
            return np.full(n, np.nextafter(1.0, 0.0))

    data = _sample_discrete(network, 3, [Highest(np.random.PCG64(0))])
    assert data.codes.tolist() == [[9, 9, 9]]


@pytest.mark.parametrize("key", ["child", "magic-niab"])
def test_same_seed_gives_the_same_bits_and_another_seed_others(key):
    network = load_network(key)
    assert sample(network, 50, 11).fingerprint == sample(network, 50, 11).fingerprint
    assert sample(network, 50, 11).fingerprint != sample(network, 50, 12).fingerprint


@pytest.mark.parametrize("key", ["child", "magic-niab"])
def test_smaller_sample_is_the_beginning_of_the_larger(key):
    """Each node has its own random stream, so more rows do not change the first ones."""
    network = load_network(key)
    small, large = sample(network, 30, 5), sample(network, 300, 5)
    if small.codes is not None:
        np.testing.assert_array_equal(small.codes, large.codes[:, :30])
    else:
        np.testing.assert_array_equal(small.values, large.values[:30])


def test_sample_of_a_large_network_is_complete():
    """All codes of munin (1041 nodes, some with a single state) are below their arity."""
    network = load_network("munin")
    data = sample(network, 50, 1)
    assert data.codes.shape == (1041, 50)
    assert (data.codes.max(axis=1) < network.arity).all()


@pytest.mark.parametrize(
    ("n", "seed", "message"),
    [(0, 1, "n must be"), (1.5, 1, "n must be"), (5, -1, "seed must be"), (5, None, "seed must be")],
    ids=["no rows", "half rows", "negative seed", "no seed"],
)
def test_sample_refuses_arguments_out_of_range(n, seed, message):
    """A value of n below 1, and a seed that is not a whole number of at least 0, are refused."""
    with pytest.raises(ParameterError, match=message):
        sample(COLLIDER, n, seed)


def test_random_gaussian_network_follows_the_paper():
    """Random networks follow section 7.1 of the LMM paper.

    It covers edge probability, weights in [-1, -0.1] and [0.1, 1], inverse gamma (2, 1) noise, and a random order.
    """
    networks = [random_gaussian_network(40, 60, seed) for seed in range(60)]
    n_edges = np.array([network.dag.n_edges for network in networks])
    sd = np.sqrt(60 * (1 - 60 / 780))
    assert abs(n_edges.mean() - 60) < 5 * sd / np.sqrt(60)
    weights = np.concatenate([network.weights[network.weights != 0] for network in networks])
    sizes = np.abs(weights)
    # With about 3600 weights, the largest and smallest one are within 0.01 of the ends of the range.
    assert 0.1 <= sizes.min() < 0.11
    assert 0.99 < sizes.max() <= 1
    assert kstest(sizes, "uniform", (0.1, 0.9)).pvalue > 1e-3
    assert abs((weights > 0).mean() - 0.5) < 5 * 0.5 / np.sqrt(weights.size)
    variances = np.concatenate([network.noise_variance for network in networks])
    assert kstest(variances, invgamma(2, scale=1).cdf).pvalue > 1e-3
    forward = np.array([i < j for network in networks for i, j in network.dag.directed_edges()])
    assert abs(forward.mean() - 0.5) < 0.05  # without relabelling it would be 0 or 1


def test_random_gaussian_network_joins_every_pair_with_the_same_probability():
    """Edges are independent Bernoulli(s) trials with s p (p - 1) / 2 expected edges (LMM 7.1, step 3)."""
    n_networks, s = 2000, 4 / 15
    present = np.array([random_gaussian_network(6, 4, seed).dag.skeleton for seed in range(n_networks)])
    each = present.sum(axis=0)[np.triu_indices(6, 1)]
    assert all(binomtest(int(k), n_networks, s).pvalue > 1e-3 for k in each)
    n_edges = present.sum(axis=(1, 2)) / 2
    # The edge counts have the variance of independent trials; a sample variance has a variance of about 2 sigma^4 / n.
    variance = 15 * s * (1 - s)
    assert abs(n_edges.var() - variance) < 5 * variance * np.sqrt(2 / n_networks)


def test_every_noise_of_a_simulated_sample_is_normal_with_its_variance():
    """The residuals of each equation are N(0, sigma_j^2) and independent between nodes (LMM 7.1)."""
    network = random_gaussian_network(12, 20, 9)
    values = sample(network, 20_000, 2).values
    noise = (values - values @ network.weights) / np.sqrt(network.noise_variance)
    assert all(kstest(noise[:, j], norm.cdf).pvalue > 1e-3 for j in range(12))
    between = np.corrcoef(noise.T)[np.triu_indices(12, 1)]
    assert np.abs(between).max() < 5 / np.sqrt(20_000)


def test_random_gaussian_network_depends_only_on_its_seed():
    """The same seed gives the same equations to the last bit, another seed gives others."""
    one, again, other = (random_gaussian_network(15, 20, seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.weights, again.weights)
    np.testing.assert_array_equal(one.noise_variance, again.noise_variance)
    assert (one.noise_variance != other.noise_variance).all()
    assert one.dag != other.dag


@pytest.mark.parametrize(
    ("p", "expected", "n_edges"), [(1, 0, 0), (2, 1, 1), (7, 0, 0), (7, 21, 21)], ids=["one", "two", "none", "all"]
)
def test_random_gaussian_network_reaches_the_extremes(p, expected, n_edges):
    """The smallest and largest expected numbers of edges give an empty and a complete graph."""
    assert random_gaussian_network(p, expected, 1).dag.n_edges == n_edges


def test_random_gaussian_equations_keep_the_graph_and_follow_the_paper():
    """The edges are the given ones; weights and noise are drawn as in random networks."""
    dag = random_dag(40, 3, 5)
    networks = [random_gaussian_equations(dag, seed) for seed in range(50)]
    assert all(network.dag == dag for network in networks)
    weights = np.concatenate([network.weights[network.weights != 0] for network in networks])
    assert kstest(np.abs(weights), "uniform", (0.1, 0.9)).pvalue > 1e-3
    assert binomtest(int((weights > 0).sum()), weights.size).pvalue > 1e-3
    variances = np.concatenate([network.noise_variance for network in networks])
    assert kstest(variances, invgamma(2, scale=1).cdf).pvalue > 1e-3


def test_random_dag_has_the_wanted_mean_degree_and_no_preferred_order():
    """The mean degree is the requested 2.5, and about half of the arrows follow the order of the indices."""
    dags = [random_dag(30, 2.5, seed) for seed in range(80)]
    assert all(dag.is_dag for dag in dags)
    degree = np.array([2 * dag.n_edges / 30 for dag in dags])
    sd = 2 * np.sqrt(435 * (2.5 / 29) * (1 - 2.5 / 29)) / 30
    assert abs(degree.mean() - 2.5) < 5 * sd / np.sqrt(80)
    forward = np.array([i < j for dag in dags for i, j in dag.directed_edges()])
    assert abs(forward.mean() - 0.5) < 0.05


@pytest.mark.parametrize(
    ("p", "mean_degree", "n_edges"), [(1, 0, 0), (6, 0, 0), (6, 5, 15)], ids=["one", "none", "all"]
)
def test_random_dag_reaches_the_extremes(p, mean_degree, n_edges):
    """Degree 0 gives no edge, degree p - 1 gives all."""
    assert random_dag(p, mean_degree, 1).n_edges == n_edges


def test_random_discrete_network_has_the_wanted_shape_and_certainty():
    """Arities may differ by node; a small concentration gives rows near certainty, a large one rows near uniform."""
    dag = random_dag(6, 2, 1)
    network = random_discrete_network(dag, [2, 3, 4, 2, 1, 5], 2)
    assert network.arity.tolist() == [2, 3, 4, 2, 1, 5]
    assert network.dag == dag
    sharp = np.concatenate([cpt.max(axis=1) for cpt in random_discrete_network(dag, 3, 2, 0.01).cpts])
    flat = np.concatenate([cpt.max(axis=1) for cpt in random_discrete_network(dag, 3, 2, 1000).cpts])
    assert sharp.mean() > 0.95
    assert flat.max() < 0.45


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: random_dag(5, 4.5, 1), r"mean_degree must be in \[0, 4\], got 4.5"),
        (lambda: random_dag(0, 0, 1), "p must be"),
        (lambda: random_gaussian_network(5, 11, 1), r"expected_edges must be in \[0, 10\], got 11"),
        (lambda: random_gaussian_network(5, float("nan"), 1), "expected_edges"),
        (lambda: random_gaussian_equations(PDAG.complete(2), 1), "must be a DAG"),
        (lambda: random_gaussian_equations(PDAG.empty(2), -1), "seed must be"),
        (lambda: random_discrete_network(PDAG.empty(2), 0), "arity must be"),
        (lambda: random_discrete_network(PDAG.empty(2), [2]), "arity must be one number or 2"),
        (lambda: random_discrete_network(PDAG.empty(2), 2, 0, 0), r"concentration must be in \(0, inf\), got 0"),
        (lambda: random_discrete_network(PDAG.complete(2)), "must be a DAG"),
    ],
    ids=["degree", "no node", "edges", "nan", "equations", "seed", "arity", "arities", "concentration", "not a DAG"],
)
def test_random_networks_refuse_arguments_out_of_range(call, message):
    """Arguments out of range are refused with the parameter, its range and the given value."""
    with pytest.raises(ParameterError, match=message):
        call()


@pytest.mark.parametrize("key", ["child", "magic-niab"])
def test_permuted_columns_keep_data_and_truth_together(key):
    """After a permutation of the columns, each name keeps its column and its arrows."""
    network = load_network(key)
    data = sample(network, 40, 1)
    permuted, truth = permute_columns(data, network.dag, 3)
    assert permuted.names != data.names
    order = [data.index(name) for name in permuted.names]
    assert sorted(order) == list(range(network.p))
    assert permuted.fingerprint == data.select(order).fingerprint
    edges = {(permuted.names[i], permuted.names[j]) for i, j in truth.directed_edges()}
    assert edges == {(data.names[i], data.names[j]) for i, j in network.dag.directed_edges()}


def test_order_of_permuted_columns_depends_only_on_the_seed():
    """The same seed gives the same order, another seed gives another."""
    network = load_network("child")
    data = sample(network, 5, 1)
    one, again, other = (permute_columns(data, network.dag, seed)[0].names for seed in (3, 3, 4))
    assert one == again != other


def test_permuting_refuses_a_graph_of_another_size():
    data = sample(load_network("asia"), 5, 1)
    with pytest.raises(ParameterError, match="a node for each of 8 columns, got 20"):
        permute_columns(data, load_network("child").dag, 1)


# --- modular networks -----------------------------------------------------------------------------------------------


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("seed", range(5))
def test_modular_network_has_the_numbers_of_the_large_scale_network(seed):
    """The network has 328 nodes, 154 edges and 212 isolated nodes.

    The modules are connected and have about the requested size.
    """
    network = random_modular_network(seed=seed)
    skeleton = network.dag.skeleton
    assert network.p == 328
    assert network.dag.n_edges == 154
    assert (~skeleton.any(axis=0)).sum() == 212
    reach = np.eye(328, dtype=bool) | skeleton
    for _ in range(9):
        reach = reach @ reach
    sizes = reach.sum(axis=1)
    assert set(sizes[skeleton.any(axis=0)].tolist()) <= set(range(8, 16))
    assert all(0.04 < table.min() <= table.max() < 0.96 for table in network.cpts)


def test_modular_network_has_dependencies_as_weak_as_asked_for():
    """The mutual information of each edge lies between the requested bounds in mbit."""
    network = random_modular_network(60, 30, 0, seed=3, module=2, weakest=4.0, strongest=30.0)
    bits = []
    for j, table in enumerate(network.cpts):
        if network.dag.parents(j):
            joint = table / 2
            bits.append(1e3 * (joint * np.log2(joint / np.outer(joint.sum(1), joint.sum(0)))).sum())
    assert len(bits) == 30
    assert 3.9 < min(bits) < 8
    assert 15 < max(bits) < 33


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"n_edges": 4_000},
            "^n_edges must be between 102 and 4[0-9]{2} for 116 connected nodes in modules of 8, got 4000",
        ),
        ({"n_edges": 10}, "^n_edges must be between 102 and "),
        ({"p": 213}, "^p must be a whole number of at least 214, got 213"),
        ({"weakest": 0.0}, r"^weakest must be in \(0, 30\], got 0.0"),
        ({"seed": -1}, "^seed must be"),
    ],
    ids=["many edges", "few edges", "nodes", "strength", "seed"],
)
def test_modular_network_refuses_numbers_that_do_not_go_together(arguments, message):
    """Inconsistent numbers are refused with a message that states the requirement and the given value."""
    with pytest.raises(ParameterError, match=message):
        random_modular_network(**arguments)
