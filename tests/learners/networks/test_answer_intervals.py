"""Tests of the intervals of answers: exact propagation of drawn tables, known distributions, and coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from learners import (
    PDAG,
    Dataset,
    LearnersError,
    ParameterError,
    fit,
    intervene,
    load_network,
    random_dag,
    random_gaussian_network,
    sample,
)
from learners.networks.inference.drawn_tables import drawn_beliefs
from learners.networks.inference.evidence import checked_evidence
from learners.networks.mixed_network import random_mixed_network
from learners.networks.network import DiscreteNetwork
from learners.networks.random_networks import random_discrete_network

ASIA = load_network("asia")


@pytest.mark.parametrize("seed", range(20))
def test_each_draw_of_the_tables_is_answered_exactly(seed):
    """The answers of three sets of tables of one DAG equal those of three networks, by the junction tree."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 9))
    dag, arity = random_dag(p, min(2.5, p - 1), seed), rng.integers(1 if seed % 4 == 0 else 2, 5, p).tolist()
    networks = [random_discrete_network(dag, arity, 10 * seed + k) for k in range(3)]
    first = networks[0]
    roles = rng.choice(["open", "known", "likely"], p, p=[0.6, 0.25, 0.15])
    pairs = list(zip(first.names, first.levels, roles, strict=True))
    known = {name: str(rng.choice(levels)) for name, levels, role in pairs if role == "known"}
    virtual = {name: rng.random(len(levels)) + 0.01 for name, levels, role in pairs if role == "likely"}
    evidence = checked_evidence(first.names, first.levels, known, virtual)
    tables = [np.stack(own) for own in zip(*(one.cpts for one in networks), strict=True)]
    found = drawn_beliefs(dag, first.levels, tables, evidence, rng.permutation(p).tolist())
    for k, network in enumerate(networks):
        answers = network.posterior(known, virtual=virtual)
        for name, drawn in zip(first.names, found, strict=True):
            np.testing.assert_allclose(drawn[k], answers[name], atol=1e-10)


def test_improbable_evidence_does_not_underflow():
    """Forty leaves of probability 1e-12 still tell two causes apart."""
    n = 41
    dag = PDAG.from_edges(n, directed=[(0, j) for j in range(1, n)])
    levels = (("a", "b"),) * n
    cpts = (np.full((1, 2), 0.5), *[np.array([[1e-12, 1 - 1e-12], [3e-12, 1 - 3e-12]])] * (n - 1))
    network = DiscreteNetwork(tuple(f"x{j}" for j in range(n)), levels, dag, cpts)
    known = {f"x{j}": "a" for j in range(1, n)}
    evidence = checked_evidence(network.names, levels, known)
    found = drawn_beliefs(dag, levels, [cpt[None] for cpt in cpts], evidence, list(range(1, n)) + [0])
    np.testing.assert_allclose(found[0][0], network.posterior(known)["x0"], rtol=1e-9)


def test_the_interval_of_a_share_and_of_a_mean_are_the_textbook_ones():
    """Without parents they are those of the Beta distribution and of Student's t, up to the error of 200 draws."""
    counts = Dataset.from_codes(np.repeat([[0, 1]], [30, 70], axis=1), [2], ["x"])
    low, high = fit(counts_graph(1), counts).intervals()["x"]
    np.testing.assert_allclose([low[0], high[0]], stats.beta.ppf([0.025, 0.975], 30.5, 70.5), atol=0.015)
    values = np.random.default_rng(1).normal(5.0, 2.0, 100)
    numbers = Dataset.from_values(values[:, None], ["x"])
    low, high = fit(counts_graph(1), numbers).intervals()["x"]
    error = values.std(ddof=1) / 10
    np.testing.assert_allclose([low, high], values.mean() + stats.t.ppf([0.025, 0.975], 99) * error, atol=0.3 * error)


def counts_graph(p):
    """Return the graph of p variables without edges."""
    return random_dag(p, 0.0, 0)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["categorical", "continuous", "mixed"])
def test_intervals_contain_the_answer_and_shrink_with_the_rows(kind):
    network = networks_of(kind, 3)
    few, many = (fit(network.dag, sample(network, n, seed=5)) for n in (200, 5_000))
    widths = []
    for fitted in (few, many):
        answers, intervals = fitted.posterior(), fitted.intervals()
        assert list(intervals) == list(fitted.names)
        for name, (low, high) in intervals.items():
            answer = answers[name] if fitted.states[fitted.names.index(name)] else answers[name].mean
            assert np.all(low <= answer)
            assert np.all(answer <= high)
        again = fitted.intervals()
        assert all(np.array_equal(intervals[name], again[name]) for name in intervals)
        wider = fitted.intervals(level=0.99)
        assert all(np.all(np.subtract(*wider[name][::-1]) >= np.subtract(*intervals[name][::-1])) for name in wider)
        widths.append(np.mean([np.mean(high - low) for low, high in intervals.values()]))
    assert widths[1] < 0.4 * widths[0]


def networks_of(kind, seed):
    """Return a small random network of a kind."""
    if kind == "categorical":
        return random_discrete_network(random_dag(6, 2.0, seed), [2, 3, 2, 3, 2, 2], seed)
    if kind == "continuous":
        return random_gaussian_network(6, 8, seed)
    mixed = random_mixed_network(6, 8, seed)
    return fit(mixed.dag, sample(mixed, 20_000, seed=seed))


def test_a_set_value_and_an_edited_table_have_no_uncertainty():
    """What an intervention fixes is certain; the variables behind it keep the uncertainty of their own tables."""
    network = fit(ASIA.dag, sample(ASIA, 500, seed=1))
    intervals = intervene(network, {"smoke": "yes"}).intervals()
    assert np.subtract(*intervals["smoke"]).tolist() == [0.0, 0.0]
    assert (intervals["lung"][1] > intervals["lung"][0]).all()
    edited = network.with_table("asia", network.cpts[network.names.index("asia")]).intervals()
    assert np.allclose(*edited["asia"], atol=1e-12)


def test_a_network_that_was_not_fitted_and_a_wrong_level_are_refused():
    with pytest.raises(ParameterError, match="not fitted to data"):
        ASIA.intervals()
    fitted = fit(ASIA.dag, sample(ASIA, 100, seed=1))
    for level in (0.0, 1.0, 95):
        with pytest.raises(ParameterError, match="level"):
            fitted.intervals(level=level)


@pytest.mark.deep
def test_a_dense_network_is_refused_at_once():
    """The tables of its clusters would take gigabytes."""
    barley = load_network("barley")
    fitted = fit(barley.dag, sample(barley, 50, seed=1))
    with pytest.raises(LearnersError, match="sparser graph"):
        fitted.intervals()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("kind", "n"), [("categorical", 200), ("categorical", 2_000), ("continuous", 200), ("mixed", 500)]
)
def test_intervals_cover_the_truth_in_nearly_95_percent(kind, n):
    """Over 40 networks and samples with evidence on two variables."""
    covered = []
    for seed in range(40):
        truth = networks_of(kind, 100 + seed)
        fitted = fit(truth.dag, sample(truth, n, seed=seed))
        case = sample(truth, 1, seed=1_000 + seed).to_frame().iloc[0]
        known = {name: case[name] for name in fitted.names[:2]}
        answers, intervals = truth.posterior(known), fitted.intervals(known)
        for j, name in enumerate(fitted.names[2:], 2):
            answer = answers[name] if truth.states[j] else answers[name].mean
            low, high = intervals[name]
            covered += np.atleast_1d((low <= answer) & (answer <= high)).tolist()
    assert 0.88 <= np.mean(covered) <= 0.985
