"""The search over MAGs: its fits, its moves, and what it finds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import (
    PAG,
    PDAG,
    DataError,
    Dataset,
    GaussianBIC,
    ParameterError,
    boss,
    load_sample,
    mag_search,
    pag_of_mag,
    random_gaussian_network,
    sample,
)
from learners.graphs.mag import is_maximal
from learners.kernels.latent.district_fit import fit_district
from learners.latent.mag_search import MAGClimber
from tests.learners.latent.test_fci import confounded


def deviance(cov: np.ndarray, parents: np.ndarray, spouses: np.ndarray) -> float:
    """Return the same as `fit_district`, by a general optimizer."""
    from scipy.optimize import minimize

    k = len(parents)
    arrows, pairs = np.argwhere(parents), [pair for pair in combinations(range(k), 2) if spouses[pair]]

    def value(values: np.ndarray) -> float:
        slopes, errors = np.zeros(parents.shape), np.diag(np.exp(values[:k]))
        slopes[tuple(arrows.T)] = values[k : k + len(arrows)]
        for pair, shared in zip(pairs, values[k + len(arrows) :], strict=True):
            errors[pair] = errors[pair[::-1]] = shared
        sign, log_det = np.linalg.slogdet(errors)
        if sign <= 0 or np.linalg.eigvalsh(errors)[0] <= 0:
            return 1e6
        residual = np.eye(*parents.shape) - slopes
        return log_det + np.trace(np.linalg.solve(errors, residual @ cov @ residual.T))

    start = np.zeros(k + len(arrows) + len(pairs))
    return min(minimize(value, start, method=method, options={"maxiter": 20_000}).fun for method in ("BFGS", "Powell"))


@pytest.mark.parametrize(
    ("edges", "district", "others"),
    [
        ([(0, "<->", 1)], [0, 1], []),
        ([(2, "->", 0), (3, "->", 1), (0, "<->", 1)], [0, 1], [2, 3]),
        ([(0, "<->", 1), (1, "<->", 2), (3, "->", 0), (4, "->", 2)], [0, 1, 2], [3, 4]),
        ([(0, "->", 2), (0, "<->", 1), (1, "<->", 2), (3, "->", 1)], [0, 1, 2], [3]),
        ([(1, "->", 0), (2, "->", 0)], [0], [1, 2]),
    ],
    ids=["pair", "instruments", "chain", "within", "regression"],
)
def test_a_district_is_fitted_by_maximum_likelihood(edges, district, others):
    """RICF reaches the optimum of a general optimizer."""
    rng = np.random.default_rng(790_900)
    values = rng.normal(size=(300, 5)) @ rng.normal(size=(5, 5))
    nodes = [*district, *others]
    cov = np.ascontiguousarray(np.corrcoef(values.T)[np.ix_(nodes, nodes)])
    mag = PAG.from_ends(5, edges)
    parents = np.array([[mag.sign(i, k) == "->" for i in nodes] for k in district])
    spouses = np.array([[mag.sign(i, k) == "<->" for i in district] for k in district])
    assert fit_district(cov, parents, spouses) == pytest.approx(deviance(cov, parents, spouses), abs=2e-4)


def test_a_hidden_common_cause_replaces_wrong_arrows():
    """BOSS draws arrows among the neighbours of b and c; the MAG has b <-> c and none of them."""
    data = confounded(4_000, 1)
    dag = boss(GaussianBIC(data)).extra.dag
    found = mag_search(data, dag)
    assert found.gain > 5.0
    assert found.gain == pytest.approx(sum(move.gain for move in found.moves))
    assert pag_of_mag(found.mag) == PAG.from_ends(5, [(0, "o->", 1), (3, "o->", 2), (1, "<->", 2), (1, "->", 4)])


def test_without_hidden_causes_the_dag_stays():
    """No move gains on the DAG that made the rows."""
    network = random_gaussian_network(8, 10, seed=3)
    data = sample(network, 5_000, seed=3)
    found = mag_search(data, network.dag)
    assert found.mag == PAG.from_edges(8, directed=network.dag.directed_edges())
    assert (found.gain, found.moves) == (0, ())


@pytest.mark.parametrize("seed", range(6))
def test_every_mag_of_the_search_is_legal_and_gains_what_it_says(seed):
    """Each move changes BIC by its gain; the result is maximal, so that its PAG is that of its class."""
    rng = np.random.default_rng(791_000 + seed)
    p = 8
    weights = np.triu(rng.normal(size=(p + 3, p + 3)) * (rng.random((p + 3, p + 3)) < 0.35), 1)
    values = (rng.normal(size=(800, p + 3)) @ np.linalg.inv(np.eye(p + 3) - weights))[:, 3:]
    data = Dataset.from_values(values, [f"v{k}" for k in range(p)])
    dag = boss(GaussianBIC(data)).extra.dag
    climber = MAGClimber(data.correlation, data.n, dag, np.log(data.n))
    everything = set(range(p))
    before = climber._score(everything)
    while (move := climber.step()) is not None:
        climber.mag  # noqa: B018 - an illegal MAG raises an error
        after = climber._score(everything)
        assert before - after == pytest.approx(move.gain, abs=1e-6)
        before = after
    found = mag_search(data, dag)
    assert is_maximal(found.mag)
    assert found.mag.is_mag


def test_the_order_of_the_columns_changes_nothing():
    """Ties follow the names of the columns."""
    data = confounded(500, 4)
    dag = boss(GaussianBIC(data)).extra.dag
    order = [3, 1, 4, 0, 2]
    other = Dataset.from_values(data.values[:, order], [data.names[k] for k in order])
    one = mag_search(data, dag).mag.marks
    assert np.array_equal(mag_search(other, PDAG(dag.amat[np.ix_(order, order)])).mag.marks, one[np.ix_(order, order)])


def test_a_cancelled_search_keeps_its_moves():
    """The tick is called before each move."""
    data = confounded(4_000, 1)
    dag = boss(GaussianBIC(data)).extra.dag
    calls = iter(range(10))
    assert len(mag_search(data, dag, tick=lambda *_: next(calls) < 1).moves) == 1
    assert mag_search(data, dag, tick=lambda *_: False).moves == ()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: mag_search(load_sample("asia").dataset, PDAG.empty(8)), DataError, "mag_search needs continuous colu"),
        (
            lambda: mag_search(confounded(50, 1), PDAG.empty(4)),
            ParameterError,
            "the graph must be a DAG over the 5 col",
        ),
        (lambda: mag_search(confounded(50, 1), PDAG.complete(5)), ParameterError, "the graph must be a DAG over the 5"),
        (lambda: mag_search(confounded(50, 1), PDAG.empty(5), penalty=0.0), ParameterError, "penalty must be in"),
    ],
    ids=["categories", "columns", "open edges", "penalty"],
)
def test_wrong_input_is_refused_with_a_sentence(call, error, message):
    """Only a Gaussian model of the columns is fitted."""
    with pytest.raises(error, match="^" + message):
        call()
