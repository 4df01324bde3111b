"""Tests of the cache of test results between runs, also if kernels run as plain Python."""

from __future__ import annotations

import pytest

from learners import learn, sweep
from tests.learners.test_column_order import check_same
from tests.learners.test_registry import sample


@pytest.mark.parametrize("key", ["pc", "ppc"])
def test_few_alphas_are_single_runs(key):
    data = sample("categorical", p=5, n=80)
    for value, found in zip((0.01, 0.2), sweep(key, data, "alpha", (0.01, 0.2)).results, strict=True):
        check_same(found, learn(key, data, alpha=value))
