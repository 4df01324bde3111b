"""Test that the strongest side of each target is the first of a plain sort."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learners.kernels.ci.strongest import strongest_rows

SIDE = st.tuples(
    st.integers(0, 3),
    st.sampled_from([0, 1]),
    st.sampled_from([-np.inf, -2.0, -1.0]),
    st.sampled_from([-3.0, 0.0, 3.0, 5.0, np.nan]),
)


@given(st.lists(SIDE, max_size=12))
def test_the_strongest_side_of_each_target_is_the_first_of_a_sort(rows):
    """Sides in another state do not count, and an undefined statistic is the weakest."""
    rows = sorted(rows, key=lambda row: row[0])
    expected = {}
    for k, (target, state, log_p, statistic) in enumerate(rows):
        if state == 0:
            key = log_p, -abs(np.nan_to_num(statistic)), k
            expected[target] = min(expected.get(target, key), key)
    sides = np.array([(row[0], 9) for row in rows], dtype=np.int64).reshape(-1, 2)
    state = np.array([row[1] for row in rows], dtype=np.int8)
    log_p, statistic = (np.array([row[k] for row in rows], dtype=np.float64) for k in (2, 3))
    found = strongest_rows(sides, state, 0, 4, log_p, statistic)
    assert found.tolist() == [key[2] for key in expected.values()]
