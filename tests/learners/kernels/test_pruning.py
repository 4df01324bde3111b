"""Tests that the lists used in pruning have the order of the original sort."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learners.families.h2pc.requests import UNTESTED, strongest_first
from learners.kernels.h2pc.pruning import PruningLists, is_stronger


def one_list(log_p: list[float], statistic: list[float]) -> PruningLists:
    """Return the list of target 0 with candidates 1, 2, … and these tests."""
    n = len(log_p)
    return PruningLists(
        target=np.array([0]),
        base=np.array([-1]),
        begin=np.array([0]),
        length=np.array([n]),
        turn=np.array([n - 1]),
        members=np.arange(n),
        node=np.arange(1, n + 1),
        fixed=np.zeros(n, dtype=bool),
        log_p=np.array(log_p),
        statistic=np.array(statistic),
        dof=np.ones(n),
        given=np.full(n, -1),
    )


TESTS = st.tuples(st.sampled_from([-np.inf, -2.0, UNTESTED]), st.sampled_from([-3.0, 1.0, 3.0, np.nan]))


@given(st.lists(TESTS, min_size=1, max_size=8))
def test_a_member_that_moves_is_put_where_the_sort_would_have_put_it(tests):
    """Ties in ln p are broken by the strength of the statistic, then by the node."""
    lists = one_list(*map(list, zip(*tests, strict=True)))
    order = strongest_first(lists.log_p, lists.statistic, lists.node, np.zeros(len(tests), dtype=np.int64))
    for k, a in enumerate(order):
        assert [is_stronger(lists, a, b, UNTESTED) for b in order] == [k < m for m in range(len(order))]
