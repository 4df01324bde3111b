"""Tests of normal scores, and of the columns for which they are recommended."""

import numpy as np
import pytest
from scipy.stats import norm

from learners import check_health, default_plan, prepare, read_table
from learners.data.normal_scores import is_skewed, n_far_out, normal_scores


def test_scores_are_quantiles_of_mean_ranks():
    """Scores are the normal quantiles of mean ranks (1, 2.5, 2.5 and 4); a missing number changes no rank."""
    scores = normal_scores(np.array([3.0, np.nan, 1.0, 2.0, 2.0]))
    np.testing.assert_allclose(scores, norm.ppf([4 / 5, np.nan, 1 / 5, 2.5 / 5, 2.5 / 5]))


def test_normal_scores_depend_only_on_the_order():
    """Scores depend only on the order: an increasing function of the numbers gives the same scores."""
    x = np.random.default_rng(0).normal(size=200)
    np.testing.assert_array_equal(normal_scores(np.exp(3 * x)), normal_scores(x))


@pytest.mark.parametrize("n", [30, 300, 3_000])
def test_normal_columns_are_left_in_peace(n):
    """At most four of 200 normal columns (2 %) are reported as skewed or with outliers."""
    x = np.random.default_rng(n).normal(size=(200, n))
    assert sum(is_skewed(row) or n_far_out(row) > 0 for row in x) <= 4


def test_exponentials_and_outliers_are_seen():
    """Exponential columns and outliers are reported for any sign and unit, and with missing cells."""
    rng = np.random.default_rng(1)
    skewed = rng.exponential(size=300) * -1e200
    skewed[::7] = np.nan
    assert is_skewed(skewed)
    x = rng.normal(size=300)
    x[:2] = 50, -50
    assert (is_skewed(x), n_far_out(x)) == (False, 2)


def test_one_click_takes_the_scores():
    """The fix resolves the finding with a note; missing cells stay missing."""
    x = np.exp(np.random.default_rng(2).normal(size=100) * 2)
    text = "a,b\n" + "".join(f"{'' if k % 10 == 0 else v},{k % 3}\n" for k, v in enumerate(x))
    table = read_table(text.encode())
    finding = next(one for one in check_health(table, default_plan(table)) if one.code == "skewed")
    assert finding.columns == ("a",)
    plan = finding.fixes[0].plan
    assert not [one for one in check_health(table, plan) if one.code == "skewed"]
    prepared = prepare(table, plan)
    assert "the numbers of column 'a' were transformed to normal scores by rank" in prepared.notes
    values = prepared.dataset.values[:, 0]
    assert np.isnan(values[::10]).all()
    assert abs(np.nanmean(values)) < 1e-9
