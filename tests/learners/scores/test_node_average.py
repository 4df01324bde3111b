"""Tests of scores of mixed data and of data with missing cells against complete-data scores and references."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from learners import BIC, BDeu, DataError, Dataset, DegenerateBIC, GaussianBIC, ParameterError, learn, load_sample
from learners.scores.node_average import CAUTION, doubts
from tests import naive_mixed
from tests.learners.independence.test_available import incomplete

MIXED = naive_mixed.mixed_rows(6, 300, seed=1)


def families(p: int, most: int) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (v, parents)
        for v in range(p)
        for size in range(most + 1)
        for parents in combinations([k for k in range(p) if k != v], size)
    ]


def mean_likelihood(frame) -> float:
    """Return the mean log-likelihood of the last variable given the others, by least squares on embedded columns."""
    own = naive_mixed.embedded(frame.iloc[:, -1:])
    given = np.column_stack([np.ones(len(frame)), naive_mixed.embedded(frame.iloc[:, :-1])])
    left = own - given @ np.linalg.lstsq(given, own, rcond=None)[0]
    _, log_volume = np.linalg.slogdet(np.atleast_2d(left.T @ left / len(frame)))
    return -0.5 * (log_volume + own.shape[1] * (math.log(2 * math.pi) + 1))


@pytest.mark.deep
@pytest.mark.parametrize("share", [0.0, 0.1])
def test_degenerate_bic_is_the_penalized_likelihood_of_regressions(share):
    """The gain of parents is that of regressions on the family's rows, minus penalties of parameters and lost rows."""
    data = naive_mixed.with_holes(MIXED, share, seed=2)
    score, frame = DegenerateBIC(data), data.to_frame()
    price, doubt = 0.5 * math.log(data.n), doubts(data)
    for v in range(6):
        for _, parents in [one for one in families(6, 3) if one[0] == v]:
            part = frame.iloc[:, [*parents, v]].dropna()
            d = naive_mixed.embedded(frame.iloc[:, [v]].dropna()).shape[1]
            given = naive_mixed.embedded(part.iloc[:, :-1]).shape[1]
            gain = mean_likelihood(part) - mean_likelihood(part.iloc[:, [-1]])
            spread = math.sqrt(d * max(1 - math.exp(-2 * gain / d), 0.0))
            expected = data.n * gain - price * d * given - doubt[list(parents)].sum() * spread * math.sqrt(data.n)
            assert score.local(v, parents) - score.local(v) == pytest.approx(expected, rel=1e-8, abs=1e-6)


def test_degenerate_bic_is_gaussian_bic_of_numbers():
    """The two scores of numbers differ by a constant per variable; with missing cells they are equal."""
    data = Dataset.from_values(np.random.default_rng(3).normal(size=(200, 5)).cumsum(axis=1), list("abcde"))
    score, expected = DegenerateBIC(data), GaussianBIC(data)
    for v, parents in families(5, 3):
        gain = expected.local(v, parents) - expected.local(v)
        assert score.local(v, parents) - score.local(v) == pytest.approx(gain, rel=1e-10, abs=1e-8)
    incomplete = naive_mixed.with_holes(data, 0.1, seed=3)
    assert GaussianBIC(incomplete).local(0, (1, 2)) == DegenerateBIC(incomplete).local(0, (1, 2))


def test_equivalent_mixed_graphs_have_equal_scores():
    """Reversing a covered edge leaves the score unchanged."""
    score = DegenerateBIC(MIXED)
    for x, y in combinations(range(6), 2):
        rest = [k for k in range(6) if k not in (x, y)][:2]
        forward = score.local(x, rest) + score.local(y, [*rest, x])
        assert forward == pytest.approx(score.local(y, rest) + score.local(x, [*rest, y]), rel=1e-12)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("arity", "share"), [((2, 3), 0.1), ((2, 300, 3), 0.3)])
def test_families_are_scored_on_the_rows_that_have_them(arity, share, weighted):
    """The child is scored on its own rows; the gain of its parents, on the rows complete for the family."""
    weights = np.random.default_rng(4).integers(0, 3, 400) if weighted else None
    data = incomplete(5, 400, arity, share, seed=4, weights=weights)
    bic, bdeu, price = BIC(data, penalty=2.0), BDeu(data, ess=3.0), 0.5 * math.log(data.n)
    for v, parents in families(5, 2):
        q = float(np.prod(data.arity[list(parents)])) if parents else 1.0
        part, only = data.available((*parents, v)), data.available((v,))
        last, spread = len(parents), spread_of_gain(part)
        doubt = doubts(data)[list(parents)].sum() * spread * math.sqrt(data.n)
        for score, make, paid in (
            (bic, lambda one: BIC(one, penalty=1e-12), 2.0 * price * (data.arity[v] - 1) * q),
            (bdeu, lambda one: BDeu(one, ess=3.0), 0.0),
        ):
            own, alone = make(part), data.n * make(only).local(0) / only.n
            gain = data.n * (own.local(last, range(last)) - own.local(last)) / part.n
            assert score.local(v, parents) == pytest.approx(alone + gain - doubt - paid, rel=1e-9, abs=1e-7)


@pytest.mark.parametrize("score", [BIC, lambda data: BDeu(data, ess=10.0)])
def test_a_variable_that_does_not_vary_in_the_rows_of_a_family_changes_nothing_there(score):
    """A child or parent that is constant in the family's rows gains nothing, not even by the prior of unseen levels."""
    rng = np.random.default_rng(7)
    level = np.array(list("xyz"))[rng.integers(0, 3, 300)]
    seen = rng.random(300) < 0.5
    frame = pd.DataFrame({"a": np.where(seen, "x", level), "b": np.where(seen, level, None), "c": level})
    frame.iloc[:9, 0] = level[:9]  # these rows have weight 0
    found = score(Dataset.from_frame(frame).with_weights(np.repeat([0, 1], [9, 291])))
    for v, parents, fewer in ((0, (1,), ()), (1, (0,), ()), (1, (0, 2), (2,)), (2, (0, 1), (1,))):
        paid = found.sample.penalty * (found.sample.arity[v] - 1) * (3 ** len(parents) - 3 ** len(fewer))
        assert found.local(v, parents) + paid == pytest.approx(found.local(v, fewer), rel=1e-12, abs=1e-9)


def spread_of_gain(data: Dataset) -> float:
    """Return the standard deviation over the rows of the last variable's log-likelihood gain given the others."""
    weights = np.ones(data.n_rows) if data.weights is None else data.weights
    frame = pd.DataFrame(data.codes.T.astype(int)).assign(w=weights)
    last, given = data.p - 1, list(range(data.p - 1))
    if not given:
        return 0.0
    both, others = (frame.groupby(by)["w"].transform("sum") for by in ([*given, last], given))
    alone = frame.groupby(last)["w"].transform("sum")
    kept = weights > 0
    ratio = np.log((both * weights.sum() / (others * alone))[kept])
    mean = np.average(ratio, weights=weights[kept])
    return math.sqrt(np.average((ratio - mean) ** 2, weights=weights[kept]))


def test_a_family_without_rows_explains_nothing():
    """Two columns that are never observed together have no gain as parents of one another."""
    values = np.random.default_rng(5).normal(size=(40, 3))
    values[:20, 0] = values[20:, 1] = np.nan
    score = DegenerateBIC(Dataset.from_values(values, list("abc")))
    assert score.local(0, (1,)) < score.local(0)
    assert np.isfinite(score.local(0, (1, 2)))


def test_a_doubt_grows_as_consistency_needs():
    """The doubt is 0 without missing cells and rises with them; it grows with n, but slower than sqrt(n)."""
    frame = MIXED.to_frame()
    assert not doubts(MIXED).any()
    frame.iloc[:30, 0] = np.nan
    frame.iloc[:60, 1] = None
    some = doubts(Dataset.from_frame(frame))
    assert some[:2] == pytest.approx(CAUTION * np.sqrt(math.log(300) * np.array([1 / 9, 1 / 4])))
    assert not some[2:].any()
    many = [
        doubts(Dataset.from_values(np.tile([[1.0, np.nan], [0.0, 2.0]], (n, 1)), list("ab")))[1]
        for n in (10, 1_000, 100_000)
    ]
    assert (np.diff(many) > 0).all()
    assert (np.diff(many / np.sqrt([20, 2_000, 200_000])) < 0).all()


def test_a_column_constant_where_another_is_present_has_no_edge_to_it():
    """Two columns stay non-adjacent if one is constant, or missing, in all rows with the other.

    Completed levels can make them adjacent, with a warning, since other columns are informative about both.
    """
    rng = np.random.default_rng(0)
    a, b, level = rng.normal(size=400), rng.normal(size=400), np.array(list("xyz"))[rng.integers(0, 3, 400)]
    constant = {"a": np.where(a > 0, a, 1.0), "b": np.where(a > 0, np.nan, b)}
    of_levels = {"a": np.where(a > 0, level, "x"), "b": np.where(a > 0, None, level)}
    never = {"a": np.where(a > 0, a, np.nan), "b": np.where(a > 0, np.nan, b)}
    for columns in (constant, of_levels, never):
        data = Dataset.from_frame(pd.DataFrame(columns | {"c": rng.normal(size=400) if columns is constant else level}))
        for key in ("hc", "ges", "tabu", "boss"):
            assert learn(key, data, missing="available").graph.mark(0, 1) == "none"
            result = learn(key, data)
            warned = any("no row shows how 'a' and 'b' are related" in one for one in result.warnings)
            assert result.graph.mark(0, 1) == "none" or warned
            assert result.graph.mark(0, 1) == "none" or columns is of_levels


def test_scores_refuse_what_they_cannot_take():
    with pytest.raises(DataError, match="needs at least 4 rows, found 2"):
        DegenerateBIC(MIXED.take(range(2)))
    with pytest.raises(ParameterError, match="penalty"):
        DegenerateBIC(MIXED, penalty=0.0)


@pytest.mark.compiled
def test_cells_missing_at_random_barely_change_the_graph():
    """With a tenth of the cells of asia missing, hill climbing changes at most two pairs."""
    data = load_sample("asia").dataset
    whole, found = (learn("hc", one).graph for one in (data, naive_mixed.with_holes(data, 0.1, seed=6)))
    differ = np.triu((whole.amat | whole.amat.T) != (found.amat | found.amat.T))
    assert differ.sum() <= 2
