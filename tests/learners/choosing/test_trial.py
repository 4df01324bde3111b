"""Tests of trials of several learners on one table: held-out rows, resamples and agreement."""

from __future__ import annotations

import numpy as np
import pytest

from learners import (
    DataError,
    ParameterError,
    learn,
    load_sample,
    random_mixed_network,
    sample,
    trial,
    with_missing_cells,
)
from learners.choosing.trial import PHASE
from learners.data.resampling import held_out, resampled
from learners.evaluation.held_out_likelihood import held_out_log_likelihood
from learners.evaluation.metrics import jaccard
from tests.limited import limit


def asia(n: int = 500):
    return load_sample("asia").dataset.take(range(n))


def test_each_number_is_that_of_runs_by_hand():
    """Each number equals that of separate runs on all rows, on a training split, or on the shared resamples."""
    data = asia()
    found = trial(data, ["hc", "pc"], resamples=3, seed=5)
    train, aside = held_out(data, 0.2, 5)
    for one in found.tried:
        own = learn(one.key, data, seed=5).graph
        assert one.result.graph == own
        assert one.aside == held_out_log_likelihood(learn(one.key, train, seed=5).graph, train, aside)
        graphs = [learn(one.key, resampled(data, 5, (t,)), seed=t).graph for t in range(3)]
        assert one.resamples == tuple(graphs)
        assert one.stability == pytest.approx(np.mean([jaccard(graph, own) for graph in graphs]))
    expected = jaccard(found.tried[0].result.graph, found.tried[1].result.graph)
    np.testing.assert_allclose(found.agreement, [[1.0, expected], [expected, 1.0]])
    assert found.complete
    assert found.rows_aside == aside.n_rows
    assert found.base < max(one.aside for one in found.tried)


@pytest.mark.parametrize("calls", [2, 4])
def test_a_cancel_keeps_the_learners_that_were_done(calls):
    """After a cancellation, finished learners keep their results for all rows and for the held-out rows."""

    def enough(phase, done, _total):
        assert phase == PHASE
        return done < calls

    found = trial(asia(), ["hc", "ges"], resamples=2, tick=enough)
    assert [one.key for one in found.tried] == ["hc", "ges"][: calls // 2]
    assert not found.complete
    assert all(np.isnan(one.stability) for one in found.tried)


def test_a_cancel_before_the_first_learner_says_so():
    with pytest.raises(ParameterError, match="cancelled before a learner was done"):
        trial(asia(), ["hc", "ges"], tick=lambda *_: False)


@pytest.mark.compiled
def test_trials_take_mixed_tables_with_missing_cells():
    """All reported numbers are finite for mixed data with missing values."""
    data = with_missing_cells(sample(random_mixed_network(6, 7, 1), 300, seed=1), 0.05, seed=1)
    found = trial(data, ["boss", "pc"], resamples=2)
    assert all(np.isfinite([one.aside, one.stability]).all() for one in found.tried)


def test_what_cannot_be_tried_is_refused(monkeypatch):
    """A learner that is named twice and one that does not support the table are refused."""
    with pytest.raises(ParameterError, match="name each once"):
        trial(asia(), ["hc", "hc"])
    limit(monkeypatch, "lmm", "continuous")
    with pytest.raises(DataError, match="LMM needs continuous columns"):
        trial(asia(), ["hc", "lmm"])
