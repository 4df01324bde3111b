"""A run in a worker is the run, for every learner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from learners import LEARNERS, DataError, Knowledge, learn
from learners.apart import learn_apart
from learners.common.progress import silent
from learners.common.workers import Workers
from tests.learners.test_column_order import check_same
from tests.learners.test_registry import sample

FEW = {"bootstrap": {"n_resamples": 3}, "brai": {"roots": 2, "s": 2}}


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    one = Workers(1)
    yield one
    one.close()


@pytest.mark.compiled
@pytest.mark.parametrize("key", LEARNERS)
def test_a_run_in_a_worker_is_the_run_bit_for_bit(workers, key):
    """What is worked out when asked, too; knowledge and seed travel."""
    data = sample(LEARNERS[key].kinds[-1], p=6, n=200)
    given = {"knowledge": Knowledge(forbidden=((data.names[0], data.names[1]),)), "seed": 3, **FEW.get(key, {})}
    one = learn_apart(workers, key, data, tick=silent, **given)
    other = learn(key, data, **given)
    check_same(one, other)
    assert dict(one.directions) == dict(other.directions)
    assert one.information(0, 1) == other.information(0, 1)


def test_a_refusal_arrives_as_a_sentence(workers):
    with pytest.raises(DataError, match="LMM needs continuous columns"):
        learn_apart(workers, "lmm", sample("categorical", p=4, n=50), tick=silent)


@pytest.mark.compiled
def test_a_cancelled_run_hands_over_what_it_has(workers):
    """The answer to its first word is no."""
    result = learn_apart(
        workers, "bootstrap", sample("categorical", p=6, n=200), tick=lambda *_: False, n_resamples=10_000
    )
    assert not result.complete
