"""Test that new results replace known ones, row by row."""

import numpy as np

from learners.kernels.ci.results import empty_results, keep_last


def test_new_tests_replace_known_ones_and_their_numbers_add_up():
    """Rows without a new test stay, and narrower sets are padded."""
    known, new = empty_results(4, 3, rows_vary=True), empty_results(3, 2, rows_vary=True)
    known.n_tests[:], known.cond[:], known.log_p[:] = 2, 7, -9.0
    new.log_p[:], new.statistic[:], new.dof[:] = (-1.0, -2.0, -3.0), (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)
    new.tested[:], new.cond[:], new.n_rows[:] = (True, False, True), ((0, 1), (2, -1), (3, 4)), (10, 20, 30)
    new.n_tests[:] = 1, 5, 0
    keep_last(known, np.array([2, 0, 1]), new)
    assert known.log_p.tolist() == [-2.0, -9.0, -1.0, -9.0]
    np.testing.assert_array_equal(known.statistic, [2.0, np.nan, 1.0, np.nan])
    np.testing.assert_array_equal(known.dof, [5.0, np.nan, 4.0, np.nan])
    assert known.tested.tolist() == [False, True, True, True]
    assert known.cond.tolist() == [[2, -1, -1], [7, 7, 7], [0, 1, -1], [7, 7, 7]]
    assert known.n_tests.tolist() == [7, 2, 3, 2]
    assert known.n_rows.tolist() == [20, 0, 10, 0]
