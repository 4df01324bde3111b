"""Tests of partial correlations of many pairs at once."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from learners import FisherZ, random_gaussian_network, sample
from learners.verdict.edge_strengths import edge_strengths
from learners.verdict.hidden_factors import absolute_z


def test_z_is_that_of_fisher_z():
    data = sample(random_gaussian_network(6, 9, seed=3), 200, seed=3)
    test = FisherZ(data)
    for given in ((), (2,), (2, 4), (2, 4, 5)):
        found = absolute_z(data.correlation, data.n, np.array([[0, 1]]), np.array([given], dtype=np.int64))
        p = math.erfc(found[0] / math.sqrt(2))
        assert p == pytest.approx(math.exp(test.test(0, 1, given).log_p), rel=1e-6)


def test_the_weakest_set_of_an_edge_is_found_as_by_all_sets():
    network = random_gaussian_network(6, 9, seed=5)
    data = sample(network, 300, seed=5)
    dag = np.array(network.dag.amat)
    direct, smallest = edge_strengths(partial(absolute_z, data.correlation, data.n), data.correlation, dag)
    near = dag | dag.T
    for i, j in np.argwhere(dag).tolist():
        others = [k for k in np.flatnonzero(dag[:, j]).tolist() if k != i]
        assert direct[i, j] == direct[j, i] == pytest.approx(one_z(data, i, j, others))
        sets = [
            s for v, w in ((i, j), (j, i)) for s in subsets([k for k in np.flatnonzero(near[v]).tolist() if k != w])
        ]
        assert smallest[i, j] == smallest[j, i] == pytest.approx(min(one_z(data, i, j, s) for s in sets))
    assert (direct[~near] == 0).all()
    assert np.isinf(smallest[~near]).all()


def one_z(data, i: int, j: int, given: list[int]) -> float:
    """Return |z| of a pair from the inverse of its correlation matrix."""
    at = [i, j, *given]
    precision = np.linalg.inv(data.correlation[np.ix_(at, at)])
    r = -precision[0, 1] / math.sqrt(precision[0, 0] * precision[1, 1])
    return abs(math.atanh(r)) * math.sqrt(data.n - len(given) - 3)


def subsets(nodes: list[int]) -> list[list[int]]:
    """Return all subsets of at most three nodes."""
    found: list[list[int]] = [[]]
    for k in nodes:
        found += [[*one, k] for one in found if len(one) < 3]
    return found
