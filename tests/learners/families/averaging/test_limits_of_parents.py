"""Limits on parents: higher where a search finds many parents, and named in a warning where they are reached."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import PDAG, Dataset, exact_posterior, learn, order_mcmc, random_gaussian_equations, sample
from learners.families.averaging import parent_weights
from learners.families.averaging.candidates import choose
from learners.families.averaging.chains import Chains
from learners.families.averaging.parent_weights import room_of, sets_of, weighed
from learners.graphs.knowledge import BoundKnowledge
from learners.scores import BDeu, BGe

HUB, P = 0, 8


def dataset() -> Dataset:
    """Return 2,000 rows in which all other variables but one are parents of the hub."""
    dag = PDAG.from_edges(P, directed=[(j, HUB) for j in range(1, P - 1)])
    return sample(random_gaussian_equations(dag, seed=3), 2_000, seed=3)


def codes(result) -> list[str]:
    return [one.code for one in result.warnings]


@pytest.fixture
def few_sets(monkeypatch):
    """Lower the default number of sets until each of eight variables has at most two parents."""
    monkeypatch.setattr(parent_weights, "MAX_SETS", sets_of(P - 1, 2))


@pytest.mark.usefixtures("few_sets")
@pytest.mark.parametrize("key", ["exact_posterior", "order_mcmc"])
def test_a_hub_may_have_all_its_parents(key):
    """The default limit is higher for a variable with many parents in the graph of a search."""
    result = learn(key, dataset())
    assert tuple(result.graph.parents(HUB)) == tuple(range(1, P - 1))
    assert "parents_limited" not in codes(result)


@pytest.mark.parametrize("run", [exact_posterior, order_mcmc], ids=["exact_posterior", "order_mcmc"])
def test_a_limit_that_is_reached_is_named(run):
    """The warning names the hub and the parameter; without a limit there is none."""
    data = dataset()
    given = (data, BGe(data)) if run is order_mcmc else (BGe(data),)
    warnings = [one for one in run(*given, max_parents=2).warnings if one.code == "parents_limited"]
    assert len(warnings) == 1
    assert data.names[HUB] in warnings[0].columns
    assert "max_parents" in warnings[0]
    assert "parents_limited" not in codes(run(*given))


@pytest.mark.parametrize("run", [exact_posterior, order_mcmc], ids=["exact_posterior", "order_mcmc"])
def test_a_constant_column_is_no_parent_that_a_limit_left_out(run):
    """A constant column is no possible parent, so it does not make another variable reach the limit of parents."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 500)
    b = np.where(rng.random(500) < 0.9, a, 1 - a)
    data = Dataset.from_codes(np.array([a, b, np.zeros_like(a)]), [2, 2, 1], ["a", "b", "constant"])
    score = BDeu(data, edge_penalty=0.0)
    given = (data, score) if run is order_mcmc else (score,)
    assert "parents_limited" not in codes(run(*given))


def test_only_variables_that_need_it_have_a_higher_limit(monkeypatch):
    """A limit that was asked for holds for all, and no variable has more sets than fit."""
    score = BGe(dataset())
    n_of, needed = np.full(P, P - 1), np.array([6, 0, 0, 0, 0, 0, 0, 1])
    monkeypatch.setattr(parent_weights, "MAX_SETS", sets_of(P - 1, 2))
    assert room_of(None, n_of, needed, score).tolist() == [7, 2, 2, 2, 2, 2, 2, 3]
    assert room_of(3, n_of, needed, score).tolist() == [3] * P
    monkeypatch.setattr(parent_weights, "MOST_SETS", sets_of(P - 1, 4))
    assert room_of(None, n_of, needed, score).tolist() == [4, 2, 2, 2, 2, 2, 2, 3]


def test_parents_in_the_starts_are_always_candidates():
    """With two candidates a variable still has all its parents in the first DAGs, after the others."""
    data = dataset()
    dag = PDAG.from_edges(P, directed=[(j, HUB) for j in range(1, P - 1)])
    found, possible = choose(BGe(data), [dag, PDAG.empty(P)], 1, 2, BoundKnowledge.none(P), lambda *_: True)
    assert possible.tolist() == [P - 1] * P
    assert set(found[HUB].tolist()) == set(range(1, P - 1))
    assert (found[1:, 2:] == -1).all()


def _chains(*orders: list[int]) -> Chains:
    score = BGe(dataset())
    everyone = np.array([[i for i in range(P) if i != j] for j in range(P)])
    model = weighed(score, everyone, np.full(P, P - 1), BoundKnowledge.none(P), 1, lambda *_: True)
    return Chains(model, [np.array(order) for order in orders], "orders", 0)


def test_a_chain_far_below_the_best_one_restarts_from_it():
    """A chain is lost if all states like its own have together less probability than the best state."""
    last, first = [*range(1, P), HUB], [HUB, *range(1, P)]
    work = _chains(last, first)
    values = [chain.value.sum() for chain in work.chains]
    assert values[0] - values[1] > P * math.log(P)
    assert work.restart_lost()
    assert work.chains[1].order.tolist() == work.chains[0].order.tolist()
    assert work.chains[1].value.sum() == values[0]
    work.chains[1].order[0] = -1  # the states are not shared
    assert work.chains[0].order[0] != -1
    assert not _chains(last, [*range(2, P), 1, HUB]).restart_lost()
