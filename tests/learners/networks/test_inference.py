"""Tests of inference against brute force, closed forms and a second program, and with random queries."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pandas as pd
import pyagrum
import pytest

from learners import (
    PDAG,
    DataError,
    DiscreteNetwork,
    GaussianNetwork,
    LearnersError,
    ParameterError,
    fit,
    load_network,
    random_dag,
    random_gaussian_network,
    random_mixed_network,
    sample,
)
from learners.networks.random_networks import random_discrete_network
from tests.naive_networks import information, joint, margin, summed, weighed

ASIA = load_network("asia")


def small_network(seed: int) -> DiscreteNetwork:
    """Draw a network of up to seven variables of one to four levels, with some probabilities of 0."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 8))
    dag = random_dag(p, min(2.5, p - 1), seed)
    network = random_discrete_network(dag, rng.integers(1 if seed % 5 == 0 else 2, 4, p).tolist(), seed)
    cpts = [np.where(cpt < 0.15, 0.0, cpt) if seed % 2 else cpt for cpt in network.cpts]
    cpts = [cpt / cpt.sum(axis=1, keepdims=True) for cpt in cpts]
    return DiscreteNetwork(network.names, network.levels, dag, tuple(cpts))


def some_evidence(network: DiscreteNetwork, rng: np.random.Generator) -> tuple[dict, dict]:
    """Draw hard evidence on some variables and soft evidence on others."""
    roles = rng.choice(["open", "known", "likely"], network.p, p=[0.6, 0.25, 0.15])
    known = {n: str(rng.choice(levels)) for n, levels, role in _by_role(network, roles) if role == "known"}
    return known, {n: rng.random(len(levels)) for n, levels, role in _by_role(network, roles) if role == "likely"}


def _by_role(network, roles):
    return zip(network.names, network.levels, roles, strict=True)


@pytest.mark.parametrize("seed", range(40))
def test_every_answer_is_that_of_the_joint_distribution(seed):
    """Posteriors, evidence probability, most probable case and value of information equal brute force to 1e-9."""
    network, rng = small_network(seed), np.random.default_rng(seed)
    known, virtual = some_evidence(network, rng)
    table = weighed(network, known, virtual)
    total = table.sum()
    if total == 0.0:
        assert network.log_probability(known) == -math.inf or virtual
        with pytest.raises(DataError, match="never"):
            network.posterior(known, virtual=virtual)
        return
    found = network.posterior(known, virtual=virtual)
    assert list(found) == list(network.names)
    assert found.exact
    assert found.log_probability == pytest.approx(math.log(total), abs=1e-9)
    assert network.log_probability(known) == pytest.approx(math.log(weighed(network, known).sum()), abs=1e-9)
    for j, name in enumerate(network.names):
        np.testing.assert_allclose(found[name], margin(table, j) / total, atol=1e-9)
    best = network.most_probable(known, virtual=virtual)
    place = tuple(levels.index(best.case[n]) for n, levels in zip(network.names, network.levels, strict=True))
    assert table[place] == pytest.approx(table.max(), rel=1e-9)
    assert best.log_probability == pytest.approx(math.log(table.max() / total), abs=1e-9)
    target = next((name for name in network.names if name not in known), None)
    if target is not None:
        j = network.names.index(target)
        worth = network.value_of_information(target, known, virtual=virtual)
        assert {name for name, _ in worth} == set(network.names) - {target, *known}
        for name, bits in worth:
            assert bits == pytest.approx(information(table, *sorted((j, network.names.index(name)))), abs=1e-9)


@pytest.mark.parametrize("key", ["alarm", "child", "sachs"])
def test_bundled_networks_answer_as_another_program_does(key):
    """Answers for bundled networks equal NumPy's sums of products, computed without a junction tree."""
    network, rng = load_network(key), np.random.default_rng(1)
    case = {
        name: levels[c]
        for name, levels, (c,) in zip(network.names, network.levels, sample(network, 1, 3).codes, strict=True)
    }
    known = {name: case[name] for name in rng.choice(network.names, 4, replace=False).tolist()}
    found = network.posterior(known)
    for name in rng.choice([n for n in network.names if n not in known], 3, replace=False).tolist():
        together = summed(network, known, network.names.index(name))
        np.testing.assert_allclose(found[name], together / together.sum(), atol=1e-9)
        assert found.log_probability == pytest.approx(math.log(together.sum()), abs=1e-9)


def test_a_whole_case_has_the_probability_of_its_cell():
    """The log probability of a complete case is that of its cell, and -inf if it is impossible."""
    network = small_network(3)
    table = joint(network)
    for cell in list(np.ndindex(table.shape))[:50]:
        case = {n: levels[k] for n, levels, k in zip(network.names, network.levels, cell, strict=True)}
        expected = math.log(table[cell]) if table[cell] > 0 else -math.inf
        assert network.log_probability(case) == pytest.approx(expected, abs=1e-9)


def test_normal_answers_are_those_of_the_joint_normal():
    """Posteriors and densities equal the formulas of the joint normal distribution.

    A measured value enters as an additional variable.
    """
    network = random_gaussian_network(6, 8, 5)
    network = GaussianNetwork(network.names, network.weights, network.noise_variance, np.arange(6.0))
    effect = np.linalg.inv(np.eye(6) - network.weights.T)
    mean, cov = effect @ network.intercept, effect @ np.diag(network.noise_variance) @ effect.T
    found = network.posterior({"X2": 1.5, "X5": -2.0})
    a, b = [1, 4], [0, 2, 3, 5]
    gain = cov[np.ix_(b, a)] @ np.linalg.inv(cov[np.ix_(a, a)])
    expected = mean[b] + gain @ (np.array([1.5, -2.0]) - mean[a])
    left = cov[np.ix_(b, b)] - gain @ cov[np.ix_(a, b)]
    np.testing.assert_allclose([found[f"X{j + 1}"].mean for j in b], expected, atol=1e-9)
    np.testing.assert_allclose([found[f"X{j + 1}"].variance for j in b], np.diag(left), atol=1e-9)
    assert found["X2"] == (1.5, 0.0)
    off = np.array([1.5, -2.0]) - mean[a]
    density = -0.5 * (
        off @ np.linalg.inv(cov[np.ix_(a, a)]) @ off + np.linalg.slogdet(2 * np.pi * cov[np.ix_(a, a)])[1]
    )
    assert found.log_probability == pytest.approx(density, abs=1e-9)
    assert network.log_probability({"X2": 1.5, "X5": -2.0}) == pytest.approx(density, abs=1e-9)
    soft = network.posterior(virtual={"X2": (1.5, 0.3)})["X1"]
    gain = cov[0, 1] / (cov[1, 1] + 0.3)
    assert soft == pytest.approx((mean[0] + gain * (1.5 - mean[1]), cov[0, 0] - gain * cov[0, 1]), abs=1e-9)
    asked = dict(network.value_of_information("X1", {"X2": 1.5}))
    given = cov - np.outer(cov[1], cov[1]) / cov[1, 1]
    r2 = given[0, 4] ** 2 / given[0, 0] / given[4, 4]
    assert asked["X5"] == pytest.approx(-0.5 * math.log2(1 - r2), abs=1e-9)


def test_a_whole_case_of_numbers_has_the_density_of_its_equations():
    """The most probable case of numbers has the highest density, and the log density of a case is returned."""
    network = random_gaussian_network(5, 6, 1)
    best = network.most_probable({"X1": 2.0})
    assert best.case["X1"] == 2.0
    here = network.log_probability(best.case)
    assert best.log_probability == pytest.approx(here - network.log_probability({"X1": 2.0}), abs=1e-9)
    for name in ("X2", "X4"):
        assert network.log_probability(best.case | {name: best.case[name] + 0.01}) < here


def test_weighted_draws_agree_with_exact_answers_within_their_error():
    """Weighted samples of mixed networks agree with the shares of a large sample.

    The same query always gives the same answer.
    """
    data = sample(random_mixed_network(7, 9, 4), 2_000, 1)
    network = fit(random_mixed_network(7, 9, 4).dag, data)
    j = next(k for k, levels in enumerate(network.states) if levels)
    known = {network.names[j]: network.states[j][0]}
    found, again = network.posterior(known), network.posterior(known)
    assert not found.exact
    assert found.effective > 4_000
    rows = data.to_frame()
    rows = rows[rows[network.names[j]] == network.states[j][0]]
    for name, levels in zip(network.names, network.states, strict=True):
        if levels:
            np.testing.assert_array_equal(found[name], again[name])
            shares = rows[name].value_counts(normalize=True).reindex(levels).to_numpy()
            np.testing.assert_allclose(found[name], shares, atol=0.06)
        else:
            assert found[name].mean == pytest.approx(rows[name].mean(), abs=0.1)
    whole = dict(rows.iloc[0])
    numbers = [name for name, levels in zip(network.names, network.states, strict=True) if not levels]
    # A number that is given is known exactly.
    assert all(network.posterior({name: 1 / 3})[name] == (1 / 3, 0.0) for name in numbers)
    one_less = {name: value for name, value in whole.items() if name != network.names[j]}
    total = np.logaddexp.reduce([network.log_probability(one_less | {network.names[j]: s}) for s in network.states[j]])
    assert network.log_probability(one_less) == pytest.approx(total, abs=0.05)


@pytest.mark.parametrize("evidence", [
    {"either": "no", "lung": "yes"}, {"smok": "yes"}, {"smoke": "maybe"}, {3: "yes"}, {"smoke": ["yes"]}, "smoke", 5,
])  # fmt: skip
def test_bad_evidence_ends_in_a_sentence(evidence):
    """Invalid evidence is refused with a message that suggests a fix."""
    with pytest.raises(LearnersError) as caught:
        ASIA.posterior(evidence)
    assert len(str(caught.value)) < 400
    assert ";" in str(caught.value) or "must map" in str(caught.value) or "must be a mapping" in str(caught.value)


@pytest.mark.parametrize("virtual", [{"smoke": [1]}, {"smoke": [0, 0]}, {"smoke": [-1, 1]}, {"smoke": ["a", "b"]}])
def test_bad_virtual_evidence_ends_in_a_sentence(virtual):
    """Invalid virtual evidence is refused, also on a variable that has hard evidence."""
    with pytest.raises(LearnersError, match="'smoke'"):
        ASIA.posterior(virtual=virtual)
    with pytest.raises(ParameterError, match="not both"):
        ASIA.posterior({"smoke": "yes"}, virtual={"smoke": [1, 2]})


def test_a_state_that_never_occurs_is_named():
    """Evidence on a state that is impossible by itself is refused by the name of the state."""
    never = ASIA.with_table("smoke", np.array([[0.0, 1.0]]))
    with pytest.raises(DataError, match="'smoke' is never 'yes'"):
        never.posterior({"smoke": "yes", "lung": "no"})
    with pytest.raises(DataError, match="the evidence on 'smoke' has probability 0"):
        never.posterior(virtual={"smoke": [1, 0]})
    assert never.log_probability({"smoke": "yes"}) == -math.inf
    assert ASIA.posterior()["smoke"].tolist() == pytest.approx([0.5, 0.5])  # the edited network is a copy


def test_what_is_too_entangled_is_refused_with_the_width():
    """The network "link" is refused with the size of its largest clique."""
    with pytest.raises(DataError, match="variables form one clique"):
        load_network("link").posterior()


@pytest.mark.deep
def test_500_random_questions_without_a_crash():
    """Each of 500 random queries gives an answer or a DataError."""
    alarm, rng = load_network("alarm"), np.random.default_rng(0)
    for k in range(500):
        network = ASIA if k % 10 else alarm
        known, virtual = some_evidence(network, rng)
        try:
            found = network.posterior(known, virtual=virtual)
        except DataError:
            continue
        for name, chances in found.items():
            assert chances.sum() == pytest.approx(1.0)
            assert name not in known or chances.max() == pytest.approx(1.0)


def test_a_table_of_cases_is_predicted_row_by_row():
    """The prediction for each row of a table of cases equals that of a single query; missing cells are unknown.

    Other columns are ignored, and an impossible row gives missing values.
    """
    rows = pd.DataFrame(
        {"smoke": ["yes", None, "no"], "lung": ["no", "yes", "yes"], "either": ["no", "yes", "no"], "?": 1}
    )
    found = ASIA.predict(rows, "bronc")
    assert list(found.columns) == ["bronc", "P(yes)", "P(no)"]
    expected = ASIA.posterior({"smoke": "yes", "lung": "no", "either": "no"})["bronc"]
    np.testing.assert_allclose(found.iloc[0, 1:].to_numpy(float), expected, atol=1e-12)
    assert found["bronc"].iloc[0] == ASIA.levels[4][int(expected.argmax())]
    assert found.iloc[2].isna().all()
    with pytest.raises(ParameterError, match="row 1: 'smoke' has no level"):
        ASIA.predict(pd.DataFrame({"smoke": ["sometimes"]}), "bronc")
    with pytest.raises(DataError, match="needs a column"):
        ASIA.predict(pd.DataFrame({"other": [1]}), "bronc")


def test_numeric_levels_are_known_in_a_column_with_missing_cells():
    """Levels called 0 and 1 are recognised in a column with missing cells, which pandas reads as 0.0 and 1.0."""
    network = DiscreteNetwork(
        ("a", "b"), (("0", "1"),) * 2, PDAG.from_edges(2, directed=[(0, 1)]), (np.ones((1, 2)) / 2, np.eye(2))
    )
    found = network.predict(pd.DataFrame({"a": [0, 1, None]}), "b")
    assert found["P(1)"].tolist() == pytest.approx([0.0, 1.0, 0.5])


def test_evidence_on_hundreds_of_variables_is_answered():
    """Evidence whose probability is below the smallest float is answered and distinguished from impossible evidence."""
    p, rng = 700, np.random.default_rng(2)
    chain = PDAG.from_edges(p, directed=[(j, j + 1) for j in range(p - 1)])
    steps = [rng.dirichlet(np.ones(4), 1 if j == 0 else 4) for j in range(p)]
    steps[1][:, 3] = [0.0, 0.0, 0.0, steps[1][3, 3]]  # state 3 follows only state 3
    steps[1] /= steps[1].sum(axis=1, keepdims=True)
    network = DiscreteNetwork(tuple(f"v{j}" for j in range(p)), (tuple("0123"),) * p, chain, tuple(steps))
    known = {name: "0" for j, name in enumerate(network.names) if j % 7}
    log_total, ahead = 0.0, np.ones(1)
    for j, step in enumerate(steps):  # the forward algorithm
        ahead = (ahead @ step) * (np.arange(4) == 0 if j % 7 else 1.0)
        log_total, ahead = log_total + math.log(ahead.sum()), ahead / ahead.sum()
    assert log_total < -800
    found = network.posterior(known)
    between = steps[7][0] * steps[8][:, 0]
    assert (found.log_probability, network.log_probability(known)) == pytest.approx((log_total, log_total))
    np.testing.assert_allclose(found["v7"], between / between.sum(), atol=1e-9)
    assert network.most_probable(known).case["v7"] == str(between.argmax())
    never = known | {"v0": "0", "v1": "3"}
    assert network.log_probability(never) == -math.inf
    with pytest.raises(DataError, match="has probability 0"):
        network.posterior(never)


def test_a_query_asks_for_the_probability_of_evidence_once_and_propagates_the_prior_once(monkeypatch):
    """The probability comes first: pyAgrum propagates for it by itself, after a propagation for a second time."""
    calls: list[str] = []

    class Counted(pyagrum.LazyPropagation):
        def makeInference(self):
            calls.append("propagate")
            super().makeInference()

        def evidenceProbability(self):
            calls.append("evidence")
            return super().evidenceProbability()

    monkeypatch.setattr(pyagrum, "LazyPropagation", Counted)
    network = small_network(2)
    network.posterior({network.names[0]: network.levels[0][0]})
    assert calls == ["evidence", "propagate"]
    before = network.posterior()
    before[network.names[0]][:] = 0.0  # an answer belongs to the caller
    again = network.posterior()
    assert calls == ["evidence", "propagate", "propagate"]
    assert again[network.names[0]].sum() == pytest.approx(1.0)


def test_networks_can_be_pickled_after_they_were_asked():
    """A network can be pickled after a query; the cached inference engine is not included."""
    ASIA.posterior()
    again = pickle.loads(pickle.dumps(ASIA))
    np.testing.assert_array_equal(again.posterior()["dysp"], ASIA.posterior()["dysp"])
