"""Tests of tests and scores with survey weights.

Results must equal those of rows repeated in proportion to their weights, at the effective sample size.
"""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from learners import BIC, G2, BDeu, DataError, Dataset, DegenerateGaussian, FisherZ, GaussianBIC, Regression
from learners.families.cimap.cimap import cimap
from learners.independence import InformationTest, MutualInformation, PermutationG2, ShrinkageMI
from learners.scores import DegenerateBIC, node_average
from tests import naive_mixed
from tests.learners.independence.test_degenerate_gaussian import questions

OFTEN = np.random.default_rng(5).integers(1, 6, 300)
MIXED = naive_mixed.mixed_rows(7, 300, seed=1)
LEVELS = [k for k in range(7) if MIXED.kinds[k] == "categorical"]
NUMBERS = [k for k in range(7) if MIXED.kinds[k] == "continuous"]
SHARES = pytest.mark.parametrize("share", [0.0, 0.1, [0.2, 0, 0, 0.3, 0, 0, 0]], ids=str)


def both(columns, share) -> tuple[Dataset, Dataset]:
    """Return columns with survey weights, and the same columns with rows repeated in proportion."""
    data = naive_mixed.with_holes(MIXED, share, seed=2) if share else MIXED
    data = data.select(columns)
    return data.with_weights(OFTEN / 7), data.take(np.repeat(np.arange(300), OFTEN))


def rows_of(data: Dataset, columns) -> float:
    """Return the effective number of rows complete for some columns, before rounding."""
    there = np.logical_and.reduce([data.is_there(j) for j in columns])
    return float(data.shares[there].sum())


@SHARES
def test_g2_is_that_of_the_counts_at_the_effective_size(share):
    """G² is that of the repeated rows, scaled to the effective sample size.

    The degrees of freedom are unchanged, and the power rule uses the effective size.
    """
    weighed, repeated = both(LEVELS, share)
    test, plain = G2(weighed), G2(repeated)
    for x, y, cond in questions(3, 1):
        result, expected = test.test(x, y, cond), plain.test(x, y, cond)
        assert result.statistic == pytest.approx(expected.statistic * weighed.n / repeated.n, rel=1e-6, abs=1e-7)
        assert result.dof == expected.dof
        assert result.n == (round(rows_of(weighed, (x, y, *cond))) if share else None)
    assert weighed.n == round(OFTEN.sum() ** 2 / (OFTEN**2).sum()) < 300
    cells = 2 * 3
    assert [G2(weighed, rows_per_cell=by).test(0, 1).tested for by in ((weighed.n - 5) / cells, 299 / cells)] == [
        share == 0.0 or rows_of(weighed, (0, 1)) >= weighed.n - 5,
        False,
    ]


@SHARES
def test_dg_and_fishers_z_are_of_weighted_moments(share):
    """Λ of `dg` and Fisher's z is that of the repeated rows; Bartlett's factor uses the effective size."""
    weighed, repeated = both(range(7), share)
    test, plain = DegenerateGaussian(weighed), DegenerateGaussian(repeated)
    for x, y, cond in questions(7, 2):
        result, expected = test.test(x, y, cond), plain.test(x, y, cond)
        n, n_repeated = round(rows_of(weighed, (x, y, *cond))), expected.n or repeated.n
        assert result.n == (n if share else None)
        if math.isnan(expected.dof):
            factor = math.sqrt((n - len(cond) - 3) / (n_repeated - len(cond) - 3))
        else:
            assert result.dof == expected.dof
            d = [int(weighed.arity[weighed.place[k]]) - 1 if k in LEVELS else 1 for k in (x, y, *cond)]
            taken = 1 + sum(d[2:]) + (d[0] + d[1] + 1) / 2
            factor = (n - taken) / (n_repeated - taken)
        assert result.statistic == pytest.approx(expected.statistic * factor, rel=1e-7, abs=1e-9)
    numbers = FisherZ(weighed.select(NUMBERS))
    assert numbers.test(0, 1, (2,)).log_p == pytest.approx(test.test(*NUMBERS[:2], (NUMBERS[2],)).log_p)


@SHARES
def test_logistic_regression_is_weighed(share):
    """The statistic of logistic regression is that of the repeated rows, scaled to the effective size."""
    weighed, repeated = both(range(7), share)
    test, plain = Regression(weighed), Regression(repeated)
    for x, y in combinations(LEVELS, 2):
        result, expected = test.test(x, y, (0,)), plain.test(x, y, (0,))
        n, n_repeated = round(rows_of(weighed, (x, y, 0))), expected.n or repeated.n
        d = [int(weighed.arity[weighed.place[k]]) - 1 for k in (x, y)]
        taken = 2 + (sum(d) + 1) / 2
        per_row = result.statistic / (n - taken)
        assert per_row == pytest.approx(expected.statistic / (n_repeated - taken), rel=0.005, abs=1e-6)


@SHARES
def test_scores_are_of_as_many_rows_as_the_effective_size(share, monkeypatch):
    """The likelihood is proportional to the counts, and the penalty of a parameter is that of the effective size."""
    monkeypatch.setattr(node_average, "CAUTION", 0.0)
    weighed, repeated = both(range(7), share)
    for score, columns in ((BIC, LEVELS), (DegenerateBIC, range(7)), (GaussianBIC, NUMBERS)):
        data, rows = weighed.select(columns), repeated.select(columns)
        cheap, cheap_rows = (score(one, penalty=1e-9) for one in (data, rows))
        for parents in [(), (0,), (0, 2)]:
            gain = cheap.local(1, parents) - cheap.local(1)
            expected = cheap_rows.local(1, parents) - cheap_rows.local(1)
            assert gain == pytest.approx(expected * data.n / rows.n, rel=1e-6, abs=1e-5)
        alone, dear = score(data, penalty=1.0), score(data, penalty=3.0)
        price = (alone.local(1, (0,)) - alone.local(1)) - (dear.local(1, (0,)) - dear.local(1))
        small = data.take(range(data.n)).with_weights(None)
        if not share:
            assert price == pytest.approx(
                sum(
                    sign * score(small, penalty=by).local(1, of)
                    for sign, by, of in ((1, 1.0, (0,)), (-1, 1.0, ()), (-1, 3.0, (0,)), (1, 3.0, ()))
                )
            )


@SHARES
def test_bdeu_takes_fractions_of_rows(share, monkeypatch):
    """BDeu equals its formula with gamma functions of weighted counts."""
    monkeypatch.setattr(node_average, "CAUTION", 0.0)
    weighed, _ = both(LEVELS, share)
    frame, log_gamma = weighed.to_frame(), np.vectorize(math.lgamma)

    def of(columns, given):
        """Return the BDeu score of the last column given `given`, from the complete rows, scaled to all rows."""
        part = frame.iloc[:, columns].dropna()
        codes, own = [part[name].cat.codes for name in part], weighed.shares[part.index]
        counts = np.zeros((2 if given else 1, 3))
        np.add.at(counts, (codes[0] if given else np.zeros(len(part), int), codes[-1]), own)
        q, r = counts.shape
        inner = (log_gamma(counts + 1 / (q * r)) - math.lgamma(1 / (q * r))).sum()
        outer = (log_gamma(counts.sum(axis=1) + 1 / q) - math.lgamma(1 / q)).sum()
        return (inner - outer) * weighed.n / own.sum()

    expected = of([1], given=False) + of([0, 1], given=True) - of([0, 1], given=False)
    assert BDeu(weighed).local(1, (0,)) == pytest.approx(expected, rel=1e-6)


def test_weights_that_tell_nothing_keep_the_level():
    """Unrelated columns with random survey weights are rejected in about 5 % of the samples.

    Weights taken as counts of rows are rejected far more often.
    """
    rng = np.random.default_rng(8)
    rejected = np.zeros(2)
    for _ in range(300):
        codes, weights = rng.integers(0, 3, (2, 250)), rng.lognormal(sigma=1.0, size=250)
        data = Dataset.from_codes(codes, [3, 3], ["a", "b"])
        rejected += [G2(data.with_weights(w)).test(0, 1).p_value < 0.05 for w in (weights, np.ceil(weights * 4))]
    assert rejected[0] / 300 == pytest.approx(0.05, abs=0.035)
    assert rejected[1] / 300 > 0.3


@pytest.mark.parametrize("test", [PermutationG2, ShrinkageMI])
def test_tests_that_count_whole_rows_say_so(test):
    """Tests that count whole rows refuse survey weights and suggest a test that accepts them."""
    with pytest.raises(DataError, match="counts whole rows, found survey weights; use G²"):
        test(Dataset.from_frame(pd.DataFrame({"a": list("xyxy"), "b": list("uvvu")})).with_weights([0.5, 1, 1, 1]))


def test_information_of_survey_weights_is_that_of_g2():
    """Each measure of information is G² / (2 n ln 2) with the effective number of rows n, and equal for scaled weights.

    The kernels for the turns of CImap agree with one test at a time.
    """
    rng = np.random.default_rng(11)
    codes = rng.integers(0, 3, (4, 400))
    codes[1] = np.where(rng.random(400) < 0.6, codes[0], codes[1])
    codes[2] = np.where(rng.random(400) < 0.6, codes[1], codes[2])
    weights = rng.lognormal(sigma=0.6, size=400)
    plain = Dataset.from_codes(codes, [3] * 4, list("abcd"))
    test, g2 = MutualInformation(plain.with_weights(weights)), G2(plain.with_weights(weights), dof="plain")
    bits, spread = test.pair_information()
    for x, y in combinations(range(4), 2):
        expected = g2.test(x, y).statistic / (2 * test.n * np.log(2))
        assert bits[x, y] == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert test.information_given(x, y, ()) == pytest.approx((bits[x, y], spread[x, y]), rel=1e-9, abs=1e-12)
    ones = MutualInformation(plain.with_weights(np.full(400, 2.5)))
    np.testing.assert_allclose(ones.pair_information(), MutualInformation(plain).pair_information(), rtol=1e-6)
    for preset, more in (("P-1", {}), ("P-3", {}), ("MI2", {}), ("P-1", {"test": "pn-all"})):
        whole = cimap(MutualInformation(plain.with_weights(weights)), preset=preset, **more)
        one = cimap(OneByOne(plain.with_weights(weights)), preset=preset, **more)
        assert whole.graph == one.graph
        np.testing.assert_allclose(whole.extra.log_phi, one.extra.log_phi, rtol=1e-9)


class OneByOne(MutualInformation):
    """Information that runs the turns of CImap without kernels."""

    separate_in_turn = InformationTest.separate_in_turn
