"""Tests of a weight column of a frame: counts and survey weights."""

import numpy as np
import pandas as pd
import pytest

from learners import LEARNERS, DataError, Dataset, learn
from tests import naive_mixed
from tests.tiers import family

FEW = {"bootstrap": {"n_resamples": 3}, "brai": {"s": 1, "roots": 1}}


def rows(*, levels: bool) -> pd.DataFrame:
    """Return 150 rows with counts of 0 to 4, either a chain of categorical columns or mixed data with missing cells."""
    rng = np.random.default_rng(1)
    if levels:
        codes = [rng.integers(0, 2, 150)]
        for _ in range(4):
            codes.append(np.where(rng.random(150) < 0.7, codes[-1], rng.integers(0, 3, 150)))
        frame = pd.DataFrame({f"v{k}": pd.Categorical(column) for k, column in enumerate(codes)})
    else:
        frame = naive_mixed.with_holes(naive_mixed.mixed_rows(5, 150, seed=1), 0.05, seed=1).to_frame()
    frame.insert(2, "often", rng.integers(0, 5, 150))
    return frame


def unrolled(frame: pd.DataFrame) -> pd.DataFrame:
    """Repeat each row as often as its count."""
    return frame.loc[np.repeat(frame.index, frame["often"])].drop(columns="often")


RESAMPLE = ("bootstrap", "brai", "order_mcmc")


@pytest.mark.gate_cases(each=family)
@pytest.mark.compiled
@pytest.mark.parametrize("levels", [True, False])
@pytest.mark.parametrize("key", LEARNERS)
def test_counts_are_repeated_rows(key, levels):
    """Counts and repeated rows give each learner the same graph, number of tests and sample size."""
    frame = rows(levels=levels)
    counted, repeated = Dataset.from_frame(frame, weights="often"), Dataset.from_frame(unrolled(frame))
    assert counted.n == repeated.n == frame["often"].sum()
    assert (counted.weights is not None) == levels
    if LEARNERS[key].refusal(counted) or key in RESAMPLE:  # weights change the resamples
        assert LEARNERS[key].refusal(counted) == LEARNERS[key].refusal(repeated)
        return
    one, other = learn(key, counted), learn(key, repeated)
    assert one.graph == other.graph
    assert one.n_tests == other.n_tests
    assert one.rows.n == other.rows.n


def test_the_column_may_be_of_any_type_that_holds_whole_numbers():
    """Floats, nullable integers and texts are allowed; levels of rows with weight 0 are dropped."""
    frame = rows(levels=True)
    expected = Dataset.from_frame(frame, weights="often").fingerprint
    for kind in ("float64", "Int64", "str"):
        assert Dataset.from_frame(frame.astype({"often": kind}), weights="often").fingerprint == expected
    frame = pd.DataFrame({"a": list("xyz"), "b": list("uvu"), "n": [3, 2, 0]})
    data = Dataset.from_frame(frame, weights="n")
    assert (data.names, data.levels, data.weights.tolist()) == (("a", "b"), (("x", "y"), ("u", "v")), [3, 2])


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([1, -1, 2, -3], "of at least 0, found 2 below 0. Correct them"),
        ([0.5, -0.5, 2, 1], "of at least 0, found 1 below 0. Correct them"),
        ([1, None, 2, 3], "found 1 missing. Enter them"),
        ([0, 0, 0, 0], "and one above 0, found none above"),
        ([1, float("inf"), 1, 1], "found 1 too large"),
        (["a", "1", "2", "3"], "found cells that are not numbers"),
    ],
)
def test_weights_that_are_none_are_refused(cells, sentence):
    """Invalid weights are refused with the column and the fix."""
    frame = pd.DataFrame({"a": list("xyxy"), "b": list("uvvu"), "often": cells})
    with pytest.raises(DataError, match="^column 'often' of weights must hold numbers of at least 0") as error:
        Dataset.from_frame(frame, weights="often")
    assert sentence in str(error.value)


def test_a_column_that_is_not_there_is_refused():
    """A missing weight column, a frame without other columns, and more repeated rows than fit in memory are refused."""
    frame = pd.DataFrame({"a": [0.1, 0.2], "often": [10**12, 1]})
    with pytest.raises(
        DataError, match="^weights must be the name of one column, got 'n'. The columns are 'a' and 'of"
    ):
        Dataset.from_frame(frame, weights="n")
    with pytest.raises(DataError, match="^column 'often' of weights is the only column"):
        Dataset.from_frame(frame[["often"]], weights="often")
    with pytest.raises(DataError, match="^1,000,000,000,001 rows of 1 column, each as often as it counts,"):
        Dataset.from_frame(frame, weights="often")


def surveyed(*, levels: bool, factor: float = 1.0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return rows with survey weights, and the rows repeated eight times as often as their weights before scaling."""
    frame = rows(levels=levels)
    frame["often"] += 1
    repeated = unrolled(frame)
    frame["often"] *= factor / 8
    return frame, repeated


@pytest.mark.gate_cases(2)
@pytest.mark.compiled
@pytest.mark.parametrize("levels", [True, False])
@pytest.mark.parametrize("key", LEARNERS)
def test_survey_weights_that_are_alike_change_nothing(key, levels):
    """Only the proportions of survey weights matter; learners that count whole rows refuse them."""
    frame = rows(levels=levels)
    plain = Dataset.from_frame(frame.drop(columns="often"))
    alike = Dataset.from_frame(frame.assign(often=0.3), weights="often")
    one, other = (Dataset.from_frame(surveyed(levels=levels, factor=by)[0], weights="often") for by in (1.0, 3.7))
    assert alike.n == plain.n
    assert one.n == other.n < plain.n
    if refusal := LEARNERS[key].refusal(alike):
        assert LEARNERS[key].refusal(plain) or "counts whole rows, found survey weights" in refusal
        return
    few = FEW.get(key, {})
    assert learn(key, alike, **few).graph == learn(key, plain, **few).graph
    assert learn(key, one, **few).graph == learn(key, other, **few).graph


def test_the_sample_size_is_the_effective_one():
    """The sample size is (Σ w)² / Σ w² for any scale, and the result reports it."""
    frame = rows(levels=False)
    weights = np.random.default_rng(3).lognormal(sigma=0.8, size=len(frame))
    for scale in (1.0, 1e-200, 1e10):
        data = Dataset.from_frame(frame.assign(often=weights * scale), weights="often")
        assert data.n == round(weights.sum() ** 2 / (weights**2).sum())
        assert data.shares.sum() == pytest.approx(data.n)
    use = learn("pc", data).use
    assert (use.rows, use.sample_size) == (150, data.n)
    assert f"weighed to a sample size of {data.n:,}" in use.sentence
    assert np.array_equal(data.select([0, 1]).take([3, 1]).weights, data.weights[[3, 1]])


def test_columns_that_are_never_there_together_bear_weights():
    """In weighted data, two columns without common rows have no edge and no mutual information."""
    numbers = np.random.default_rng(0).normal(size=(60, 3))
    numbers[:30, 0] = numbers[30:, 1] = np.nan
    data = Dataset.from_values(numbers, list("abc")).with_weights(np.linspace(0.2, 2.1, 60))
    for key in ("pc", "hc"):
        result = learn(key, data)
        assert (result.graph.mark(0, 1), result.information(0, 1)) == ("none", 0.0)


def test_rows_without_survey_weight_are_left_out():
    """Rows without a survey weight are dropped for both column types; declared levels are kept."""
    data = Dataset.from_codes([[0, 1, 2], [1, 0, 1]], [3, 2], ["a", "b"], weights=[0.5, 0.0, 1.5])
    assert data.with_weights([0.5, 0.0, 1.5]).codes.tolist() == [[0, 2], [1, 1]]
    numbers = Dataset.from_values([[1.0], [2.0], [3.0]], ["a"])
    assert numbers.with_weights([0.5, 0.0, 1.5]).values.tolist() == [[1.0], [3.0]]
    assert numbers.with_weights([2, 0, 1]).values.tolist() == [[1.0], [1.0], [3.0]]
    assert data.merged() is data
    assert data.compact() is data
