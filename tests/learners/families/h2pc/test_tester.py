"""Tests that the cache of HPC changes the number of tests, but not the result."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from learners import G2, hpc, load_network, sample
from learners.common.progress import silent
from learners.families.h2pc import hpc_search, tester
from learners.families.h2pc.tester import ResultCache, empty_table
from learners.independence.set_search import BatchSearch
from learners.kernels.ci.pair_pools import PairPools
from learners.kernels.ci.results import empty_results
from learners.kernels.h2pc.result_cache import distribute_results, fill_sources


def asking(triples, walks=()) -> BatchSearch:
    """Return a batch of single tests (x, y, set) and set searches (x, y, pool, size)."""
    bases, pools = [cond for *_, cond in triples] + [()] * len(walks), [()] * len(triples) + [w[2] for w in walks]
    return BatchSearch(
        np.array([row[:2] for row in (*triples, *walks)]),
        *(
            PairPools(np.cumsum([0, *map(len, lists)]), np.array([k for one in lists for k in one], dtype=np.int32))
            for lists in (bases, pools)
        ),
        np.array([0] * len(triples) + [size for *_, size in walks]),
        skips_untested=False,
    )


@pytest.fixture
def test():
    """Return G² on a few rows of child."""
    return G2(sample(load_network("child"), 400, 0), rows_per_cell=5)


def equal(one, other) -> None:
    for name in ("log_p", "statistic", "dof", "tested", "cond"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def remembering(remembered: ResultCache, test: G2, batch: BatchSearch):
    """Check that the results with a cache equal those of the test itself, and return them."""
    results = remembered.separate(test, batch, 0.05, phase="", tick=silent)
    equal(results, copy.copy(test).separate(batch, 0.05))
    return results


def test_a_request_is_tested_once(test, monkeypatch):
    """A request is tested once, even if it is repeated in the batch or with the pair reversed."""
    monkeypatch.setattr(tester, "MIN_BATCH", 0)
    remembered = ResultCache(test.p)
    first = remembering(
        remembered, test, asking([(0, 1, (2,)), (0, 3, ()), (0, 1, (2,)), (4, 5, (1, 7, 9)), (0, 2, (1,))])
    )
    assert first.n_tests.tolist() == [1, 1, 0, 1, 1]
    before = test.n_tests
    again = remembering(remembered, test, asking([(5, 4, (1, 7, 9)), (0, 2, (1,)), (1, 0, (2,))]))
    assert test.n_tests == before
    assert again.n_tests.tolist() == [0, 0, 0]


def test_set_searches_of_several_tests_are_done(test, monkeypatch):
    """A set search returns only its hardest test, so searches are neither cached nor answered from the cache."""
    monkeypatch.setattr(tester, "MIN_BATCH", 0)
    remembered = ResultCache(test.p)
    batch = asking([(2, 5, ())], walks=[(0, 1, (2, 3, 4), 2)])
    for expected in (1, 0):
        results = remembering(remembered, test, batch)
        assert results.n_tests[1] == test.separate(batch, 0.05).n_tests[1] > 0
        assert results.n_tests[0] == expected


@pytest.mark.parametrize("slots", [1, 7, tester.SLOTS])
def test_hpc_finds_the_same_whatever_is_remembered(test, slots, monkeypatch):
    """Candidates, sets and p-values are equal for caches of any size, even if results evict one another."""
    plain = hpc(test)
    monkeypatch.setattr(tester, "MIN_BATCH", 0)
    monkeypatch.setattr(hpc_search, "ResultCache", lambda p: ResultCache(p, slots))
    result = hpc(test)
    assert result.graph == plain.graph
    for name in ("rule", "candidates", "blanket", "spouses", "superset"):
        np.testing.assert_array_equal(getattr(result.extra, name), getattr(plain.extra, name))
    np.testing.assert_array_equal(result.extra.log_phi, plain.extra.log_phi)
    assert result.n_tests == result.trace.n_tests.sum()
    assert result.n_tests < plain.n_tests


@pytest.mark.parametrize("slots", [1, 5, 64])
def test_answers_come_from_where_a_plain_memory_finds_them(slots):
    """For many batches, the cache answers like a dictionary with one entry per slot."""
    rng, slot_of = np.random.default_rng(slots), {}
    kept = empty_table(slots)
    for turn in range(20):
        keys = rng.integers(0, 40, size=30, dtype=np.uint64)
        known = [key != 0 and slot_of.get(key % slots, (0,))[0] == key for key in keys.tolist()]
        first = {key: w for w, key in reversed(list(enumerate(keys.tolist())))}
        expected = [-1 if known[w] else first[key] if key else w for w, key in enumerate(keys.tolist())]
        source = np.empty(30, dtype=np.int64)
        fill_sources(keys, kept, source)
        assert source.tolist() == expected

        asked = np.flatnonzero(source == np.arange(30))
        done, results = empty_results(len(asked), 1), empty_results(30, 2)
        done.log_p[:], done.cond[:, 0], done.n_tests[:] = -turn - rng.random(len(asked)), asked, 1
        distribute_results(keys, kept, source, done, results)
        answers = dict(zip(asked.tolist(), done.log_p.tolist(), strict=True))
        log_p = [slot_of[key % slots][1] if known[w] else answers[expected[w]] for w, key in enumerate(keys.tolist())]
        assert results.log_p.tolist() == log_p
        assert np.flatnonzero(results.n_tests).tolist() == asked.tolist() == results.cond[asked, 0].tolist()
        slot_of |= {key % slots: (key, log_p[w]) for w, key in enumerate(keys.tolist()) if key and not known[w]}
