"""Tests of causes that BOSS-FCI on resamples and order MCMC agree on."""

from __future__ import annotations

import numpy as np
import pytest

from learners import DataError, Dataset, ParameterError, agreed, learn

pytestmark = pytest.mark.compiled


def chain_below_a_hidden_cause() -> Dataset:
    """Return columns of a -> c <- b, c -> d and g -> e, with a hidden common cause of d and e."""
    rng = np.random.default_rng(793_000)
    a, b, g, hidden = rng.normal(size=(4, 3_000))
    c = a + b + rng.normal(size=3_000)
    d = c + hidden + rng.normal(size=3_000)
    e = hidden + g + rng.normal(size=3_000)
    return Dataset.from_values(np.column_stack([a, b, c, d, e, g]), list("abcdeg"))


def test_only_the_identified_cause_is_agreed():
    """Only c -> d is agreed: e -> d, probable by order MCMC, is false, and a -> c may have a hidden common cause."""
    data = chain_below_a_hidden_cause()
    found = agreed(data, resamples=10)
    assert found.arrows() == [("c", "d")]
    assert found.n_resamples == 10
    assert found.least_share[2, 3] >= 0.95
    posterior = learn("order_mcmc", data).posterior
    np.testing.assert_allclose(found.probability, posterior.compelled, atol=0.02)
    assert posterior.compelled[4, 3] >= 0.95


@pytest.mark.deep
def test_an_arrow_must_hold_at_each_level():
    """The share of an arrow is its smallest share over the levels."""
    data = chain_below_a_hidden_cause()
    single = [agreed(data, alphas=(alpha,), resamples=4).least_share for alpha in (0.05, 0.001)]
    np.testing.assert_array_equal(
        agreed(data, alphas=(0.05, 0.001), resamples=4).least_share <= np.minimum(*single), True
    )


@pytest.mark.deep
def test_the_order_of_the_columns_changes_nothing():
    """The order of the columns has no effect, because they are sorted by name."""
    data = chain_below_a_hidden_cause()
    order = [3, 1, 5, 4, 0, 2]
    one, other = agreed(data, resamples=4), agreed(data.reordered(order), resamples=4)
    np.testing.assert_array_equal(other.causes, one.causes[np.ix_(order, order)])
    np.testing.assert_array_equal(other.least_share, one.least_share[np.ix_(order, order)])
    assert set(other.arrows()) == set(one.arrows())


def test_nothing_is_agreed_if_cancelled():
    """A cancelled run agrees on no cause, and its shares refer to the finished resamples."""
    done = []

    def tick(phase: str, n: int, _total: int) -> bool:
        done.append((phase, n))
        return ("resamples", 2) not in done

    found = agreed(chain_below_a_hidden_cause(), resamples=6, tick=tick)
    assert (found.n_resamples, found.arrows()) == (2, [])
    assert 0.0 <= found.least_share.min() <= found.least_share.max() <= 1.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda data: agreed(data, alphas=()), ParameterError, "alphas must have at least one level, got none"),
        (lambda data: agreed(data, alphas=(1.5,)), ParameterError, "alphas must be in"),
        (lambda data: agreed(data, share=0.0), ParameterError, "share must be in"),
        (lambda data: agreed(data, probability=1.5), ParameterError, "probability must be in"),
        (lambda data: agreed(data.select([0])), DataError, "causes need at least two columns"),
    ],
    ids=["no level", "level", "share", "probability", "one column"],
)
def test_wrong_input_is_refused_with_a_sentence(call, error, message):
    """Invalid input is refused with a message that states the requirement."""
    with pytest.raises(error, match="^" + message):
        call(chain_below_a_hidden_cause())
