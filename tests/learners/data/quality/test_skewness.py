"""Tests of the finding of skewed columns: missing-value codes do not make a column skewed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from learners import default_plan, read_table
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health


def table_of(draw, code, seed):
    """Return a table of three numeric columns in which 3 % of the cells have the code."""
    rng = np.random.default_rng(seed)
    values = np.round(draw(rng, (400, 3)), 1).astype(object)
    values[rng.random(values.shape) < 0.03] = code
    return read_table(pd.DataFrame(values, columns=["a", "b", "c"]).to_csv(index=False).encode())


def skewed_columns(table, plan):
    """Return the columns of the finding."""
    return {name for finding in check_health(table, plan) if finding.code == "skewed" for name in finding.columns}


@pytest.mark.parametrize("code", [-99, 999, -9, 9999])
@pytest.mark.parametrize("seed", range(3))
def test_a_missing_value_code_is_a_finding_of_its_own(code, seed):
    """Before and after the code is treated, only columns with a long tail are skewed."""
    symmetric = table_of(lambda rng, size: rng.normal(40.0, 6.0, size), code, seed)
    tailed = table_of(lambda rng, size: 5.0 * rng.exponential(size=size) + 1.0, code, seed)
    for table, expected in ((symmetric, set()), (tailed, {"a", "b", "c"})):
        plan = default_plan(table)
        before = skewed_columns(table, plan)
        codes = next(finding for finding in check_health(table, plan) if finding.code == "codes")
        assert before == skewed_columns(table, codes.fixes[0].plan) == expected
        assert all(with_proposals(table, plan)[0].column(name).normal_scores for name in expected)
