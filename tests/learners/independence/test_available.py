"""Tests of independence on incomplete tables: each test equals the complete test on the rows that it can use."""

from itertools import combinations

import numpy as np
import pytest

from learners import G2, Dataset, FisherZ, PermutationG2, ShrinkageMI, learn, load_sample
from learners.independence.ci_test import CITest
from learners.independence.set_search import LevelSearch
from tests import naive_mixed
from tests.learners.independence.test_degenerate_gaussian import questions, walks


def incomplete(p: int, n: int, arity, share: float, seed: int, weights=None) -> Dataset:
    """Draw the columns of a noisy chain, with missing cells in all but the first two."""
    rng = np.random.default_rng(seed)
    arity = np.resize(arity, p)
    codes = [rng.integers(0, arity[0], n)]
    for r in arity[1:]:
        codes.append(np.where(rng.random(n) < 0.5, codes[-1] % r, rng.integers(0, r, n)))
    codes = np.array(codes)
    codes[2:][rng.random((p - 2, n)) < share] = -1
    return Dataset.from_codes(codes, arity, [f"v{k}" for k in range(p)], weights=weights)


CASES = {
    "few rows": (6, 60, (2, 3), 0.2),
    "planes": (6, 3_000, (2, 3, 2, 4), 0.1),
    "codes": (5, 500, (5, 6, 7), 0.1),
    "hashed": (5, 300, (40, 2, 60), 0.3),
    "wide": (5, 400, (2, 300, 3), 0.2),
    "mostly missing": (5, 200, (2, 3), 0.9),
}


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("dof", ["adjusted", "plain"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("weighted", [False, True])
def test_g2_counts_the_rows_that_have_all(case, dof, weighted):
    """Statistic, degrees of freedom and n equal those on the complete rows, with bit planes and with codes."""
    p, n, arity, share = CASES[case]
    weights = np.random.default_rng(1).integers(0, 3, n) if weighted else None
    data = incomplete(p, n, arity, share, seed=3, weights=weights)
    test, sizes = G2(data, dof=dof), []
    for x, y, cond in questions(p, 2):
        part = data.available((x, y, *cond))
        result = test.test(x, y, cond)
        sizes.append(part.n)
        assert result.n == part.n
        if part.n == 0:
            assert (result.p_value, result.tested) == (1.0, False)
            continue
        expected = G2(part, dof=dof).test(0, 1, range(2, 2 + len(cond)))
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-8)
        assert (result.dof, result.tested) == (expected.dof, True)
        assert result.log_p == pytest.approx(expected.log_p, rel=1e-9, abs=1e-9)
    assert test.rows_used == (min(sizes), max(sizes))


def test_the_power_rule_looks_at_the_rows_of_the_test():
    """The power rule requires five rows per cell among the rows complete for the test."""
    data = incomplete(5, 60, (2, 3), 0.3, seed=4)
    test = G2(data, rows_per_cell=5)
    for x, y, cond in questions(5, 2):
        cells = np.prod(data.arity[[x, y, *cond]])
        assert test.test(x, y, cond).tested == (data.available((x, y, *cond)).n >= 5 * cells)


@pytest.mark.parametrize("which", range(6))
@pytest.mark.parametrize("rows_per_cell", [0.0, 3.0])
def test_set_searches_of_g2_equal_single_tests(which, rows_per_cell):
    """Set searches give the same sets, counts and hardest tests as single tests, for any number of threads."""
    data = incomplete(7, 300, (2, 3, 2), 0.2, seed=5)
    asked = walks(7)[which]
    slow = G2(data, rows_per_cell=rows_per_cell)
    expected = CITest.separate(slow, asked, 0.05)
    for threads in (1, 2):
        test = G2(data, rows_per_cell=rows_per_cell, threads=threads)
        found = test.separate(asked, 0.05)
        for name in ("n_tests", "cond", "tested", "log_p", "statistic", "dof"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
        assert (test.n_tests, test.rows_used) == (slow.n_tests, slow.rows_used)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_fisher_z_takes_the_rows_that_have_all(share):
    """The statistic uses the correlations of the complete rows, never a matrix of pairwise correlations."""
    rng = np.random.default_rng(6)
    values = rng.normal(size=(200, 6)).cumsum(axis=1)
    values[rng.random(values.shape) < share] = np.nan
    data = Dataset.from_values(values, list("abcdef"))
    test = FisherZ(data)
    for x, y, cond in questions(6, 3):
        part = data.available((x, y, *cond))
        result = test.test(x, y, cond)
        assert result.n == part.n
        expected = FisherZ(part).test(0, 1, range(2, 2 + len(cond))) if part.n > 3 else None
        if expected is None or not expected.tested:
            assert (result.tested, result.p_value) == (False, 1.0)
        else:
            assert (result.statistic, result.log_p) == pytest.approx((expected.statistic, expected.log_p), rel=1e-8)


@pytest.mark.parametrize("kind", [PermutationG2, ShrinkageMI])
def test_expensive_tests_take_the_rows_that_have_all(kind):
    """Expensive tests equal those on a table of the complete rows."""
    data = incomplete(4, 80, (2, 3), 0.2, seed=7)
    test = kind(data)
    for x, y in combinations(range(4), 2):
        expected = kind(data.available((x, y))).test(0, 1)
        result = test.test(x, y)
        assert (result.log_p, result.statistic, result.dof) == (expected.log_p, expected.statistic, expected.dof)
        assert result.n == data.available((x, y)).n
    found = test.separate(LevelSearch.marginal(np.array([[0, 1], [1, 2]]), 4), 0.05)
    assert found.n_tests.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["asia", "child"])
def test_no_hole_no_change(name):
    data = load_sample(name).dataset
    assert G2(data).rows_used is None
    assert G2(data).test(0, 1).n is None


@pytest.mark.compiled
def test_cells_missing_at_random_cost_few_edges():
    """A tenth of the cells missing at random changes at most one edge of asia's skeleton.

    Fewer than half of the rows are complete.
    """
    sample = load_sample("asia")
    data = naive_mixed.with_holes(sample.dataset, 0.1, seed=8)
    whole = learn("pc", sample.dataset, alpha=0.01).graph
    found = learn("pc", data, alpha=0.01).graph
    differ = np.argwhere(np.triu((whole.amat | whole.amat.T) != (found.amat | found.amat.T)))
    assert len(differ) <= 1
    assert data.available(range(data.p)).n < 0.5 * data.n
