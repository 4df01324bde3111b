"""Tests of pairs of columns that cannot be tested: the finding names them, and learners accept them."""

import numpy as np
import pandas as pd
import pytest

from learners import DataError, Dataset, check_health, default_plan, learn, read_table
from learners.data.quality.absent_combinations import combinations_without_rows
from learners.data.quality.joint_rows import untestable_pairs

N = 200
RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(2, N))
WARD = np.array(list("uvw"), dtype=object)[RNG.integers(0, 3, N)]


def never() -> pd.DataFrame:
    """Return a table in which a is present in the first half and b in the second half."""
    return pd.DataFrame(
        {"a": np.where(np.arange(N) < 100, A, np.nan), "b": np.where(np.arange(N) < 100, np.nan, B), "c": WARD}
    )


def constant() -> pd.DataFrame:
    """Return a table in which a is 1 wherever b is present."""
    return pd.DataFrame({"a": np.where(A > 0, A, 1.0), "b": np.where(A > 0, np.nan, B), "c": WARD})


def test_columns_that_are_never_there_together():
    """A pair is untestable if each column has enough present cells, but no row has both."""
    (one,) = untestable_pairs(Dataset.from_frame(never()))
    assert ({one.column, one.other}, one.rows, one.constant) == ({0, 1}, 0, False)


def test_a_column_that_is_constant_where_another_is_there():
    """A pair is untestable if one column is constant wherever the other is present, although it varies elsewhere."""
    (one,) = untestable_pairs(Dataset.from_frame(constant()))
    assert (one.column, one.other, one.rows, one.constant) == (0, 1, int((A <= 0).sum()), True)


def test_cells_missing_at_random_give_no_finding():
    """Randomly missing cells, constant columns and complete columns do not make a pair untestable."""
    frame = pd.DataFrame({"a": np.where(RNG.random(N) < 0.3, np.nan, A), "b": B, "c": WARD, "d": "x"})
    assert untestable_pairs(Dataset.from_frame(frame)) == []
    assert untestable_pairs(Dataset.from_frame(frame[["b", "c"]])) == []


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (never(), "columns 'a' and 'b' are both present in only 0 rows. No test can judge this pair"),
        (constant(), "column 'a' has a single value in the "),
    ],
    ids=["never together", "constant"],
)
def test_health_says_it_and_learners_go_on(frame, sentence):
    """The finding is a warning, and constraint-based learners leave the pair non-adjacent."""
    table = read_table(frame.to_csv(index=False).encode())
    found = [one for one in check_health(table, default_plan(table)) if one.code == "apart"]
    assert [(one.severity, set(one.columns)) for one in found] == [("warning", {"a", "b"})]
    assert any(sentence in one.reason for one in found)
    for key in ("pc", "hc", "ges", "mmhc", "fast_iamb"):
        result = learn(key, Dataset.from_frame(frame))
        assert result.complete
    assert learn("pc", Dataset.from_frame(frame)).graph.mark(0, 1) == "none"


def test_a_level_never_seen_with_another_is_reported_and_borne():
    """'p' occurs with 'k' only (separation). The finding concerns mixed data, because only they use regressions."""
    x = np.where(A > 0, "p", "q").astype(object)
    y = np.where(A > 0, "k", np.where(B > 0, "k", "l")).astype(object)
    frame = pd.DataFrame({"x": x, "y": y, "b": RNG.normal(size=N)})
    (one,) = combinations_without_rows(Dataset.from_frame(frame))
    assert (one.column, one.level, one.other, one.other_level) == (0, 0, 1, 1)
    assert one.expected == pytest.approx((x == "p").sum() * (y == "l").sum() / N)
    sentence = "no row has 'p' in column 'x' and 'l' in 'y'; "
    for part, n in ((frame, 1), (frame[["x", "y"]], 0)):
        table = read_table(part.to_csv(index=False).encode())
        found = [one for one in check_health(table, default_plan(table)) if one.code == "never_together"]
        assert [(one.severity, one.columns) for one in found] == [("warning", ("x", "y"))] * n
        assert all(one.reason.startswith(sentence) for one in found)
    result = learn("pc", Dataset.from_frame(frame))
    assert result.graph.mark(0, 1) != "none"
    assert 0 < result.information(0, 1) < 1


def test_more_embedded_columns_than_rows_is_reported():
    """The test is skipped with a warning in the result; an empty column is refused by name."""
    frame = pd.DataFrame({"x": [f"i{k % 150}" for k in range(N)], "y": [f"j{k % 130}" for k in range(N)], "a": A})
    assert "too few rows" in learn("pc", Dataset.from_frame(frame)).warnings[0]
    with pytest.raises(DataError, match="all cells of 'y' are missing"):
        Dataset.from_frame(frame.assign(y=np.nan))
