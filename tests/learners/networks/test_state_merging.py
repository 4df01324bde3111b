"""Tests of removing impossible states and merging states."""

import numpy as np
import pytest

from learners.common.errors import DataError, ParameterError
from learners.graphs.graph import PDAG
from learners.io.samples import load_network
from learners.networks.network import DiscreteNetwork
from learners.networks.random_networks import random_dag, random_discrete_network
from learners.networks.sampling import sample
from learners.networks.state_merging import merge_states, without_impossible_states

# a is never "z", so b is always "u", and c is never "n", since that requires a = z.
IMPOSSIBLE = DiscreteNetwork(
    ("a", "b", "c"),
    (("x", "y", "z"), ("u", "v"), ("k", "m", "n")),
    PDAG.from_edges(3, directed=[(0, 1), (0, 2), (1, 2)]),
    (
        np.array([[0.25, 0.75, 0.0]]),
        np.array([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]),
        np.array([[0.5, 0.5, 0], [0, 0, 1], [0.1, 0.9, 0], [0, 0, 1], [0, 0, 1], [0, 0, 1]]),
    ),
)


def _joint(network: DiscreteNetwork) -> np.ndarray:
    """Return the probability of every cell of the joint distribution."""
    joint = np.ones(tuple(network.arity))
    for j in range(network.p):
        axes = [*network.dag.parents(j), j]
        order = np.argsort(axes)
        table = network.cpts[j].reshape(*network.arity[axes]).transpose(order)
        joint = joint * table.reshape([network.arity[k] if k in axes else 1 for k in range(network.p)])
    return joint


def test_impossible_states_and_constants_go():
    """Impossible states are removed, also in the children's tables.

    A variable with one remaining state is removed as well.
    """
    left = without_impossible_states(IMPOSSIBLE)
    assert left.names == ("a", "c")
    assert left.levels == (("x", "y"), ("k", "m"))
    assert left.dag == PDAG.from_edges(2, directed=[(0, 1)])
    np.testing.assert_array_equal(left.cpts[0], [[0.25, 0.75]])
    np.testing.assert_array_equal(left.cpts[1], [[0.5, 0.5], [0.1, 0.9]])


@pytest.mark.parametrize("seed", range(5))
def test_leaving_out_impossible_states_keeps_the_joint_distribution(seed):
    """Without impossible states, the remaining cells of the joint distribution keep their probabilities."""
    full = random_discrete_network(random_dag(5, 2.0, seed), [2, 3, 1, 4, 3], seed, concentration=0.5)
    cpts = [np.where(cpt < 0.3, 0.0, cpt) for cpt in full.cpts]
    cpts = [np.where(cpt.any(axis=1, keepdims=True), cpt, 1.0) for cpt in cpts]
    network = DiscreteNetwork(full.names, full.levels, full.dag, [c / c.sum(axis=1, keepdims=True) for c in cpts])
    left = without_impossible_states(network)
    kept = np.ix_(
        *(
            [int(level) for level in left.levels[left.names.index(name)]] if name in left.names else range(r)
            for name, r in zip(network.names, network.arity, strict=True)
        )
    )
    gone = tuple(j for j, name in enumerate(network.names) if name not in left.names)
    np.testing.assert_allclose(_joint(left), _joint(network)[kept].sum(axis=gone), atol=1e-12)


def test_munin_loses_the_states_that_cannot_come():
    """Without its impossible states, each remaining variable of munin has at least two states."""
    network = load_network("munin")
    left = without_impossible_states(network)
    assert left.p < network.p
    assert left.arity.min() >= 2


def test_network_of_constants_is_refused():
    """A network of constants is refused, since there is nothing to learn from it."""
    network = DiscreteNetwork(("a",), (("x", "y"),), PDAG.empty(1), (np.array([[1.0, 0.0]]),))
    with pytest.raises(DataError, match="two possible states"):
        without_impossible_states(network)


@pytest.mark.parametrize("most", [2, 3, 8])
def test_merging_leaves_at_most_the_wanted_states(most):
    """Variables with more states get exactly the wanted number; other variables, names and graph are unchanged."""
    network = random_discrete_network(random_dag(8, 2.0, 1), [2, 12, 3, 9, 1, 8, 4, 20], 2)
    merged = merge_states(network, most, seed=1)
    assert merged.arity.tolist() == np.minimum(network.arity, most).tolist()
    assert (merged.names, merged.dag) == (network.names, network.dag)
    for before, after in zip(network.levels, merged.levels, strict=True):
        assert sorted(level for state in after for level in state.split("+")) == sorted(before)


def test_merged_root_adds_up_and_its_child_is_averaged():
    """Merged probabilities add up, and the child's rows are averaged with them as weights.

    See Huang and Zhou (2022), section 5.1.
    """
    network = random_discrete_network(PDAG.from_edges(2, directed=[(0, 1)]), [6, 3], 3)
    merged = merge_states(network, 2, seed=4)
    for k, state in enumerate(merged.levels[0]):
        members = [int(level) for level in state.split("+")]
        own = network.cpts[0][0, members]
        np.testing.assert_allclose(merged.cpts[0][0, k], own.sum(), atol=1e-12)
    joint = _joint(network)
    for k, state in enumerate(merged.levels[0]):
        members = [int(level) for level in state.split("+")]
        for c, child in enumerate(merged.levels[1]):
            exact = joint[np.ix_(members, [int(level) for level in child.split("+")])].sum()
            np.testing.assert_allclose(merged.cpts[1][k, c] * merged.cpts[0][0, k], exact, atol=0.02)


def test_states_that_never_come_are_averaged_equally():
    """Merged states without rows in the sample have weights 1/2, not 0/0."""
    tables = (np.array([[0.5, 0.5, 0, 0]]), np.array([[0.1, 0.9], [0.3, 0.7], [0.2, 0.8], [0.6, 0.4]]))
    dag = PDAG.from_edges(2, directed=[(0, 1)])
    network = DiscreteNetwork(("a", "b"), (tuple("wxyz"), ("0", "1")), dag, tables)
    seen = {}
    for seed in range(40):
        merged = merge_states(network, 3, seed=seed)
        seen |= dict(zip(merged.levels[0], merged.cpts[1].tolist(), strict=True))
    np.testing.assert_allclose(seen["y+z"], [0.4, 0.6])
    np.testing.assert_allclose(seen["x+y"], [0.3, 0.7])


def test_margins_survive_merging():
    """A child of merged variables keeps its distribution, up to the error of the sampled weights."""
    network = load_network("hailfinder")
    merged = merge_states(network, 3, seed=2)
    n = 40_000
    before, after = sample(network, n, 1).codes, sample(merged, n, 2).codes
    for j in range(network.p):
        for k, state in enumerate(merged.levels[j]):
            members = [network.levels[j].index(level) for level in state.split("+")]
            assert abs(np.isin(before[j], members).mean() - (after[j] == k).mean()) < 0.05


def test_merging_depends_only_on_its_seed():
    """The same seed gives the same states, another seed gives others."""
    network = load_network("hailfinder")
    one, again, other = (merge_states(network, 4, seed=seed) for seed in (1, 1, 2))
    assert one.levels == again.levels
    assert all((a == b).all() for a, b in zip(one.cpts, again.cpts, strict=True))
    assert one.levels != other.levels


@pytest.mark.parametrize(
    ("most", "seed", "message"),
    [(1, 0, "most must be"), (8, -1, "seed must be"), (8.0, 0, "most must be")],
    ids=["one state", "negative seed", "no whole number"],
)
def test_merging_refuses_arguments_out_of_range(most, seed, message):
    """Fewer than two states and invalid seeds are refused."""
    with pytest.raises(ParameterError, match=message):
        merge_states(load_network("asia"), most, seed=seed)
