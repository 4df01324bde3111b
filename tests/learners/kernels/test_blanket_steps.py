"""Tests that the kernels for one blanket do what plain Python does."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learners.families.h2pc.requests import UNTESTED, strongest_first
from learners.kernels.h2pc.blanket import PoolTests, bases_of_others, next_change, sorted_by_strength

LOG_P = st.sampled_from([-np.inf, -5.0, -2.0, -0.5, UNTESTED, np.nan])
NODES = st.lists(st.tuples(LOG_P, st.sampled_from([-3.0, 1.0, 3.0, np.nan]), *[st.booleans()] * 3), max_size=9)


def pool_tests(rows: list[tuple]) -> tuple[PoolTests, np.ndarray, np.ndarray, np.ndarray]:
    """Return the tests of a pool, and masks of its members, its banned nodes and the nodes to be looked at."""
    log_p, statistic = (np.array([row[k] for row in rows], dtype=np.float64) for k in range(2))
    masks = (np.array([row[k] for row in rows], dtype=bool) for k in range(2, 5))
    nodes = 3 * np.arange(len(rows), dtype=np.int64) + 1
    return PoolTests(nodes, log_p, statistic, np.ones(len(rows))), *masks


@given(NODES)
def test_tests_are_sorted_as_by_strongest_first(rows):
    """Nodes without a test are left out."""
    tests, _, _, looked_at = pool_tests(rows)
    positions = np.flatnonzero(looked_at)
    tested = positions[~np.isnan(tests.log_p[positions])]
    expected = tested[strongest_first(tests.log_p[tested], tests.statistic[tested], tests.node[tested])]
    assert sorted_by_strength(tests, positions, UNTESTED).tolist() == expected.tolist()


@given(NODES, st.booleans(), st.booleans())
def test_the_next_change_is_the_one_of_the_paper(rows, skips_untested, may_add):
    """First the weakest member that is no discovery leaves, then the strongest discovery that is no member comes."""
    tests, is_member, is_banned, _ = pool_tests(rows)
    order = sorted_by_strength(tests, np.arange(len(rows)), UNTESTED)
    factors = np.log(np.arange(len(order), 0, -1.0))
    ranks = [k for k, at in enumerate(order) if tests.log_p[at] + factors[k] <= math.log(0.05)]
    n_discoveries = max(ranks, default=-1) + 1
    leaving = [k for k in order[n_discoveries:] if is_member[k] and not (skips_untested and tests.log_p[k] == UNTESTED)]
    coming = [k for k in order[:n_discoveries] if may_add and not is_member[k] and not is_banned[k]]
    expected = leaving[-1] if leaving else coming[0] if coming else -1
    skips_above = UNTESTED if skips_untested else np.inf
    change = next_change(tests.log_p, is_member, is_banned, order, factors, math.log(0.05), skips_above, may_add)
    assert change == expected


@given(NODES, st.integers(0, 9))
def test_each_node_is_tested_given_the_other_members(rows, max_size):
    """A set has no node twice, is ascending, and has at most `max_size` members."""
    tests, is_member, _, looked_at = pool_tests(rows)
    members, positions = tests.node[is_member], np.flatnonzero(looked_at)
    fitting, sizes, bases = bases_of_others(tests.node, is_member, positions, members, max_size)
    sets = {k: [x for x in members.tolist() if x != tests.node[k]] for k in positions.tolist()}
    fits = {k: cond for k, cond in sets.items() if len(cond) <= max_size}
    assert fitting.tolist() == list(fits)
    assert sizes.tolist() == [len(cond) for cond in fits.values()]
    assert bases.tolist() == [x for cond in fits.values() for x in cond]
