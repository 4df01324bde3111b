"""Tests that HGI chooses the next family as a sort would."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learners.kernels.search.parent_gains import first_of_largest


@given(st.data(), st.integers(1, 12), st.integers(1, 3), st.sampled_from([0.0, 0.5, 2.0]))
def test_first_of_largest_is_the_first_of_the_sorted_ties(data, m, k, rounding):
    """Among gains within `rounding` of the largest, the smallest key is chosen, then the first position."""
    gains = np.array(data.draw(st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.25, 1.0, 2.0]), min_size=m, max_size=m)))
    keys = np.array(data.draw(st.lists(st.lists(st.integers(0, 2), min_size=k, max_size=k), min_size=m, max_size=m)))
    tied = [t for t in range(m) if gains[t] >= gains.max() - rounding]
    assert first_of_largest(gains, keys, rounding) == min(tied, key=lambda t: (*keys[t].tolist(), t))
