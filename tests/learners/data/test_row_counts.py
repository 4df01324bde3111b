"""A column of a frame that says how often each row counts."""

import numpy as np
import pandas as pd
import pytest

from learners import LEARNERS, DataError, Dataset, learn
from tests import naive_mixed

FEW = {"bootstrap": {"n_resamples": 3}, "brai": {"s": 1, "roots": 1}}


def rows(*, levels: bool) -> pd.DataFrame:
    """A chain in 150 rows with counts of 0 to 4, of levels alone or of both kinds with holes."""
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
    """Each row as often as it counts."""
    return frame.loc[np.repeat(frame.index, frame["often"])].drop(columns="often")


@pytest.mark.compiled
@pytest.mark.parametrize("levels", [True, False])
@pytest.mark.parametrize("key", LEARNERS)
def test_counts_are_repeated_rows(key, levels):
    """The same graph, number of tests and sample size, by every learner that takes the data."""
    frame = rows(levels=levels)
    counted, repeated = Dataset.from_frame(frame, weights="often"), Dataset.from_frame(unrolled(frame))
    assert counted.n == repeated.n == frame["often"].sum()
    assert (counted.weights is not None) == levels
    if LEARNERS[key].refusal(counted) or key in ("bootstrap", "brai"):  # those resample, each kind of rows otherwise
        assert LEARNERS[key].refusal(counted) == LEARNERS[key].refusal(repeated)
        return
    one, other = learn(key, counted), learn(key, repeated)
    assert one.graph == other.graph
    assert one.n_tests == other.n_tests
    assert one.rows.n == other.rows.n


def test_the_column_may_be_of_any_type_that_holds_whole_numbers():
    """Floats, nullable integers, texts; rows of weight 0 leave no level behind."""
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
        ([1, -1, 2, -3], "how often each row counts, found 2 below 0; correct them"),
        ([1, None, 2, 3], "found 1 missing; fill them"),
        ([0, 0, 0, 0], "and one above 0, found none above"),
        ([0.5, 1.5, 1, 1], "found 2 fractions; survey weights cannot be used"),
        ([1, float("inf"), 1, 1], "found 1 too large"),
        (["a", "1", "2", "3"], "found cells that are no numbers"),
    ],
)
def test_weights_that_are_no_counts_are_refused(cells, sentence):
    """In a sentence that names the column and the way out."""
    frame = pd.DataFrame({"a": list("xyxy"), "b": list("uvvu"), "often": cells})
    with pytest.raises(DataError, match="^column 'often' of weights must hold whole numbers of at least 0") as error:
        Dataset.from_frame(frame, weights="often")
    assert sentence in str(error.value)


def test_a_column_that_is_not_there_is_refused():
    """And one that stands alone; and more rows than memory holds."""
    frame = pd.DataFrame({"a": [0.1, 0.2], "often": [10**12, 1]})
    with pytest.raises(
        DataError, match="^weights must be the name of one column, got 'n'; the columns are 'a' and 'of"
    ):
        Dataset.from_frame(frame, weights="n")
    with pytest.raises(DataError, match="^column 'often' of weights stands alone"):
        Dataset.from_frame(frame[["often"]], weights="often")
    with pytest.raises(DataError, match="^1,000,000,000,001 rows of 1 column, each as often as it counts,"):
        Dataset.from_frame(frame, weights="often")
