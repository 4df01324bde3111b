"""Tabulated terms of BDeu."""

from __future__ import annotations

import numpy as np
import pytest

from learners import BDeu, Dataset, learn, load_network, sample
from learners.scores import categorical_families


@pytest.mark.parametrize("share", [0.0, 0.1], ids=["complete", "missing cells"])
def test_tabulated_terms_change_no_score(share, monkeypatch):
    """Local scores and searches with the table equal those without one to the last bit, also for many cells."""
    codes = sample(load_network("insurance"), 3_000, seed=990_401).codes.astype(np.int64)
    arity = codes.max(axis=1) + 1
    codes[np.random.default_rng(1).random(codes.shape) < share] = -1
    data, few = (Dataset.from_codes(codes[:k], arity[:k], [f"v{i}" for i in range(k)]) for k in (len(codes), 8))
    families = [(0, ()), (1, (0,)), (2, (0, 1)), (3, (0, 1, 2, 4)), (5, (6, 7, 8, 9, 10, 11))]

    def found() -> list[float]:
        score = BDeu(data, ess=3.0)
        return [score.local(child, parents) for child, parents in families for _ in range(2)]

    with_table, run = found(), learn("hc", few)
    monkeypatch.setattr(categorical_families, "MAX_RISING", (1, 0))
    again = learn("hc", Dataset.from_codes(codes[:8], arity[:8], few.names))
    assert found() == with_table
    assert (again.graph, again.score) == (run.graph, run.score)
