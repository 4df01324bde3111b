"""Scores of columns of both kinds and of tables with holes, against the plain scores and slow twins."""

import math
from itertools import combinations

import numpy as np
import pytest

from learners import BIC, BDeu, DataError, Dataset, DegenerateBIC, GaussianBIC, ParameterError, learn, load_sample
from learners.scores.node_average import price_of_parameter
from tests import naive_mixed
from tests.learners.independence.test_available import holed

MIXED = naive_mixed.mixed_rows(6, 300, seed=1)


def families(p: int, most: int) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (v, parents)
        for v in range(p)
        for size in range(most + 1)
        for parents in combinations([k for k in range(p) if k != v], size)
    ]


def mean_likelihood(frame) -> float:
    """Mean log-likelihood a row of the last variable given the others, by least squares on embedded columns."""
    own = naive_mixed.embedded(frame.iloc[:, -1:])
    given = np.column_stack([np.ones(len(frame)), naive_mixed.embedded(frame.iloc[:, :-1])])
    left = own - given @ np.linalg.lstsq(given, own, rcond=None)[0]
    _, log_volume = np.linalg.slogdet(np.atleast_2d(left.T @ left / len(frame)))
    return -0.5 * (log_volume + own.shape[1] * (math.log(2 * math.pi) + 1))


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_degenerate_bic_is_the_likelihood_of_regressions_less_the_price(share):
    """Differences between families of one child: levels are scaled, which the child alone decides."""
    data = naive_mixed.with_holes(MIXED, share, seed=2)
    score, frame = DegenerateBIC(data), data.to_frame()
    price = price_of_parameter(data.n, data.missing)
    for v in range(6):
        alone = frame.iloc[:, [v]].dropna()
        for _, parents in [one for one in families(6, 3) if one[0] == v]:
            part = frame.iloc[:, [*parents, v]].dropna()
            d = naive_mixed.embedded(frame.iloc[:, [v]].dropna()).shape[1]
            given = naive_mixed.embedded(part.iloc[:, :-1]).shape[1]
            gain = data.n * (mean_likelihood(part) - mean_likelihood(alone)) - price * d * given
            assert score.local(v, parents) - score.local(v) == pytest.approx(gain, rel=1e-8, abs=1e-6)


def test_degenerate_bic_is_gaussian_bic_of_numbers():
    """But for a constant of each variable; with holes the two are the same."""
    data = Dataset.from_values(np.random.default_rng(3).normal(size=(200, 5)).cumsum(axis=1), "abcde")
    score, expected = DegenerateBIC(data), GaussianBIC(data)
    for v, parents in families(5, 3):
        gain = expected.local(v, parents) - expected.local(v)
        assert score.local(v, parents) - score.local(v) == pytest.approx(gain, rel=1e-10, abs=1e-8)
    holes = naive_mixed.with_holes(data, 0.1, seed=3)
    assert GaussianBIC(holes).local(0, (1, 2)) == DegenerateBIC(holes).local(0, (1, 2))


def test_equivalent_graphs_of_both_kinds_score_alike():
    """Reversing a covered edge changes nothing."""
    score = DegenerateBIC(MIXED)
    for x, y in combinations(range(6), 2):
        rest = [k for k in range(6) if k not in (x, y)][:2]
        forward = score.local(x, rest) + score.local(y, [*rest, x])
        assert forward == pytest.approx(score.local(y, rest) + score.local(x, [*rest, y]), rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("arity", "share"), [((2, 3), 0.1), ((2, 300, 3), 0.3)])
def test_families_are_scored_on_the_rows_that_have_them(arity, share, weighted):
    """n times the mean of BIC's likelihood, or of BDeu, of those rows; each parameter at its price."""
    weights = np.random.default_rng(4).integers(0, 3, 400) if weighted else None
    data = holed(5, 400, arity, share, seed=4, weights=weights)
    n = data.n
    bic, bdeu = BIC(data, penalty=2.0), BDeu(data, ess=3.0)
    price, plain = price_of_parameter(n, data.missing), price_of_parameter(n, 0.0)
    for v, parents in families(5, 2):
        part = data.available((*parents, v))
        q = float(np.prod(data.arity[list(parents)])) if parents else 1.0
        last = len(parents)
        own = BIC(part).local(last, range(last)) + price_of_parameter(part.n, 0.0) * (data.arity[v] - 1) * q
        expected = n * own / part.n - 2.0 * price * (data.arity[v] - 1) * q
        assert bic.local(v, parents) == pytest.approx(expected, rel=1e-9)
        kept = part.codes[:-1, part.weights > 0] if weighted else part.codes[:-1]
        shown = len(np.unique(kept, axis=1).T) if last else 1
        expected = n * BDeu(part, ess=3.0).local(last, range(last)) / part.n
        expected -= (price - plain) * (data.arity[v] - 1) * shown
        assert bdeu.local(v, parents) == pytest.approx(expected, rel=1e-9)


def test_a_family_without_rows_explains_nothing():
    """Two columns that are never there together gain nothing from one another."""
    values = np.random.default_rng(5).normal(size=(40, 3))
    values[:20, 0] = values[20:, 1] = np.nan
    score = DegenerateBIC(Dataset.from_values(values, "abc"))
    assert score.local(0, (1,)) < score.local(0)
    assert np.isfinite(score.local(0, (1, 2)))


def test_complete_data_cost_what_bic_says():
    """Where cells are missing never less, the more the more are, and so that Balov's condition holds."""
    assert price_of_parameter(5_000, 0.0) == 0.5 * math.log(5_000)
    for missing in (1e-6, 0.01, 0.1, 0.5):
        prices = [price_of_parameter(n, missing) for n in (1, 10, 1_000, 10**6, 10**9)]
        assert all(price >= 0.5 * math.log(n) for price, n in zip(prices, (1, 10, 1_000, 10**6, 10**9), strict=True))
        assert price_of_parameter(1_000, missing) <= price_of_parameter(1_000, 2 * missing)
    many = 10.0 ** np.arange(9, 15)
    per_row = np.array([price_of_parameter(n, 0.1) / n for n in many])
    assert (np.diff(per_row) < 0).all()
    assert (np.diff(per_row * np.sqrt(many)) > 0).all()


def test_the_share_of_missing_cells_is_that_of_all_columns():
    """The mean over the columns; none of complete data."""
    assert MIXED.missing == 0.0
    frame = MIXED.to_frame()
    frame.iloc[:30, 0] = np.nan
    frame.iloc[:60, 1] = None
    assert Dataset.from_frame(frame).missing == pytest.approx((30 + 60) / (6 * 300))


def test_scores_refuse_what_they_cannot_take():
    """A sentence each."""
    with pytest.raises(DataError, match="needs at least 4 rows, found 2"):
        DegenerateBIC(MIXED.take(range(2)))
    with pytest.raises(ParameterError, match="penalty"):
        DegenerateBIC(MIXED, penalty=0.0)


@pytest.mark.compiled
def test_holes_at_random_leave_the_graph_nearly_as_it_is():
    """Hill climbing on asia with a tenth of the cells missing."""
    data = load_sample("asia").dataset
    whole, found = (learn("hc", one).graph for one in (data, naive_mixed.with_holes(data, 0.1, seed=6)))
    differ = np.triu((whole.amat | whole.amat.T) != (found.amat | found.amat.T))
    assert differ.sum() <= 2
