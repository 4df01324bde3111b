"""Tests that runs in a worker equal local runs, for every learner."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from learners import LEARNERS, DataError, Knowledge, calibrate, learn, sweep, sweep_two
from learners.choosing.trial import trial
from learners.common.process_pool import ProcessPool
from learners.common.progress import silent
from learners.data.resampling import held_out
from learners.evaluation.held_out_likelihood import held_out_log_likelihood
from learners.sweeping.priors import under_priors
from learners.workers.remote import (
    calibrate_in_worker,
    compare_priors_in_worker,
    learn_in_worker,
    predict_in_worker,
    sweep_in_worker,
    trial_in_worker,
)
from tests.learners.test_column_order import check_same
from tests.learners.test_registry import sample

FEW = {"bootstrap": {"n_resamples": 3}, "brai": {"roots": 2, "s": 2}}


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessPool]:
    one = ProcessPool(1, patience=300.0)  # importing takes long on a busy machine
    yield one
    one.close()


@pytest.mark.gate_cases(3)
@pytest.mark.compiled
@pytest.mark.parametrize("key", LEARNERS)
def test_a_run_in_a_worker_is_the_run_bit_for_bit(workers, key):
    """A run in a worker equals the local run bit for bit, including lazily computed results, knowledge and seed."""
    data = sample(LEARNERS[key].kinds[-1], p=6, n=200)
    given = {"knowledge": Knowledge(forbidden=((data.names[0], data.names[1]),)), "seed": 3, **FEW.get(key, {})}
    one = learn_in_worker(workers, key, data, tick=silent, **given)
    other = learn(key, data, **given)
    check_same(one, other)
    assert dict(one.directions) == dict(other.directions)
    assert one.information(0, 1) == other.information(0, 1)


@pytest.mark.compiled
def test_a_sweep_in_a_worker_gives_its_results_one_by_one(workers):
    """Results of a sweep come nearest first and equal single runs, for one and two parameters, until cancelled."""
    data = sample("categorical", p=6, n=200)
    alphas, sizes = [0.01, 0.05, 0.2], [0, 1]
    one = dict(sweep_in_worker(workers, "pc", data, ["alpha"], [alphas], near=[0.05], tick=silent))
    assert list(one) == [1, 0, 2]
    for position, result in enumerate(sweep("pc", data, "alpha", alphas).results):
        check_same(one[position], result)
        assert dict(one[position].directions) == dict(result.directions)
    given = (["alpha", "max_cond_size"], [alphas, sizes])
    two = dict(sweep_in_worker(workers, "pc", data, *given, near=[0.05, 1], tick=silent))
    rows = sweep_two("pc", data, *given[0], *given[1]).results
    for position, result in enumerate(result for row in rows for result in row):
        check_same(two[position], result)
    # On a busy machine, a few of the 400 values are done before the cancellation arrives; on an idle one, none is.
    data, many = (
        sample("categorical", p=30, n=2_000),
        (["alpha", "max_cond_size"], [[k / 500 for k in range(1, 201)], [2, 3]]),
    )
    event = list(sweep_in_worker(workers, "pc", data, *many, near=[0.05, 2], tick=lambda *_: False))
    assert len(event) < 20


@pytest.mark.compiled
def test_a_calibration_in_a_worker_is_the_calibration(workers):
    data = sample("categorical", p=5, n=100)
    result = learn("exact_posterior", data)
    one = calibrate_in_worker(workers, result, data, tables=2, tick=silent)
    np.testing.assert_array_equal(one.said, calibrate(result, data, tables=2).said)


@pytest.mark.compiled
def test_held_out_scores_of_a_sweep_in_a_worker_are_equal(workers):
    """Held-out log-likelihoods from a worker equal local ones, in the order of the sweep."""
    train, new = held_out(sample("mixed", p=5, n=200), 0.2, 0)
    alphas = [0.001, 0.05, 0.3]
    one = dict(predict_in_worker(workers, "pc", train, new, ["alpha"], [alphas], near=[0.05], tick=silent))
    assert list(one) == [1, 0, 2]
    graphs = [result.graph for result in sweep("pc", train, "alpha", alphas).results]
    assert [one[k] for k in range(3)] == [held_out_log_likelihood(graph, train, new) for graph in graphs]


@pytest.mark.compiled
def test_a_trial_in_a_worker_is_the_trial(workers):
    """A trial in a worker equals a local trial, and evidence can be computed locally from its results."""
    data = sample("categorical", p=5, n=150)
    knowledge = Knowledge(forbidden=((data.names[0], data.names[1]),))
    one = trial_in_worker(workers, data, ["hc", "pc"], knowledge=knowledge, seed=2, tick=silent)
    other = trial(data, ["hc", "pc"], knowledge=knowledge, seed=2)
    assert (one.base, one.rows_aside, one.names) == (other.base, other.rows_aside, other.names)
    for mine, theirs in zip(one.tried, other.tried, strict=True):
        check_same(mine.result, theirs.result)
        assert (mine.key, mine.aside, mine.resamples) == (theirs.key, theirs.aside, theirs.resamples)
        assert mine.result.information(0, 1) == theirs.result.information(0, 1)


@pytest.mark.compiled
def test_other_priors_in_a_worker_are_the_same(workers):
    data = sample("categorical", p=5, n=100)
    result = learn("order_mcmc", data, steps=2_000, run_on=0)
    one = compare_priors_in_worker(workers, result, data, tick=silent)
    other = under_priors(result, data)
    assert list(one.posteriors) == list(other.posteriors)
    np.testing.assert_array_equal(one.of_arrows, other.of_arrows)


@pytest.mark.deep
def test_a_refusal_arrives_as_a_sentence(workers):
    with pytest.raises(DataError, match="LMM needs at least 5 rows"):
        learn_in_worker(workers, "lmm", sample("continuous", p=4, n=4), tick=silent)


@pytest.mark.deep
@pytest.mark.compiled
def test_a_cancelled_run_hands_over_what_it_has(workers):
    """A run that is cancelled at its first tick returns its partial result."""
    result = learn_in_worker(
        workers, "bootstrap", sample("categorical", p=6, n=200), tick=lambda *_: False, n_resamples=10_000
    )
    assert not result.complete
