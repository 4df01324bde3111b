"""Tests of data sets: invalid input, column types, immutability, fingerprints, weights and correlations."""

from __future__ import annotations

import datetime
import gc
import pickle
from dataclasses import FrozenInstanceError
from weakref import ref

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import DataError, Dataset, learn
from learners.data import dataset

CODES = [[0, 1, 2, 1], [1, 0, 0, 1]]


def coded(**changes) -> Dataset:
    """Return a small categorical data set."""
    return Dataset.from_codes(**{"codes": CODES, "arity": [3, 2], "names": ["size", "sex"], **changes})


# --- invalid input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: coded(names=[], codes=np.empty((0, 3), int), arity=[]), "found no columns. The table needs at least"),
        (
            lambda: coded(names=["size", " "]),
            "every column needs a name, found an empty one. Name it in the header row",
        ),
        (lambda: coded(names=["a", "a"]), r"column names must differ, more than one column is called 'a'. Rename them"),
        (
            lambda: coded(names=["a"]),
            r"codes must be \(p, n\) with one arity and one name per variable; got codes \(2, 4",
        ),
        (lambda: coded(arity=[3]), r"codes must be \(p, n\) .* 1 arities and 2 names. Transpose or complete them"),
        (lambda: coded(codes=[0, 1]), r"codes must be \(p, n\)"),
        (
            lambda: coded(codes=np.array(CODES, float)),
            "codes must be whole numbers, got float64; use Dataset.from_frame",
        ),
        (lambda: coded(arity=[0, 2]), r"variables must have 1 to 65535 levels, columns 'size' do not. Merge"),
        (lambda: coded(arity=[3, 65_536]), r"variables must have 1 to 65535 levels, columns 'sex' do not"),
        (lambda: coded(arity=[2, 2]), r"codes of columns 'size' lie outside 0 .. arity - 1. Declare all their le"),
        (lambda: coded(codes=[[0, 1], [-2, 0]]), r"codes of columns 'sex' lie outside"),
        (lambda: coded(levels=[["s", "m"], ["f", "m"]]), r"levels must name each code once, columns 'size' do not"),
        (lambda: coded(levels=[["s", "m", "s"], ["f", "m"]]), r"levels must name each code once, columns 'size'"),
        (lambda: coded(levels=[["s", "m", "l"]]), "levels must name each code once"),
        (lambda: coded(weights=[1, 2, 3]), "weights must be 4 numbers from 0 to 2"),
        (lambda: coded(weights=[1, 2, 3, -1]), "weights must be 4 numbers from 0 to 2"),
        (lambda: coded(weights=[1.0, 2.0, 3.0, np.nan]), "weights must be 4 numbers from 0 to 2"),
        (lambda: coded(weights=list("wxyz")), "weights must be 4 numbers of at least 0, got"),
        (lambda: Dataset.from_values(np.zeros((3, 2)), ["a"]), r"values must be \(n, p\) with one name per column"),
        (
            lambda: Dataset.from_values([1.0, 2.0], ["a"]),
            r"values must be \(n, p\) with one name per column, got \(2,\)",
        ),
        (
            lambda: Dataset.from_values([[1, np.nan], [np.inf, -np.inf]], ["a", "b"]),
            r"values must be finite or missing, found 2 infinite in columns 'a' and 'b'. Make those",
        ),
        (lambda: Dataset.from_values([["x", 1.0]], ["a", "b"]), "values must be numbers"),
        (lambda: coded().index("age"), r"no column 'age'. The columns are 'size' and 'sex'"),
        (lambda: Dataset.from_values([[1.0]], ["a"]).merged(), "rows with numbers rarely repeat, so continuous"),
        (lambda: Dataset.from_values([[1.0]], ["a"]).with_weights([-0.5]), "weights must be 1 numbers from 0 to 2"),
        (
            lambda: coded().correlation,
            "only numbers without missing cells have correlations, found categorical ones. Use",
        ),
        (lambda: coded().with_weights([1]), "weights must be 4 numbers"),
        (lambda: coded().select([0, 0]), r"column names must differ, more than one column is called 'size'"),
        (lambda: coded().select([]), "found no columns"),
    ],
    ids=lambda value: value[:45] if isinstance(value, str) else "",
)
def test_dataset_refuses_wrong_input_with_a_sentence(make, message):
    """Invalid input is refused with a message that has the requirement, the finding and the fix."""
    with pytest.raises(DataError, match="^" + message):
        make()


def frame(**columns) -> pd.DataFrame:
    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    ("df", "kinds", "message"),
    [
        (
            frame(a=["x", None], b=[np.nan, np.nan]),
            None,
            r"a column must hold a value, all cells of 'b' are missing. Leave them out",
        ),
        (frame(b=[0.5, np.inf]), None, r"values must be finite or missing, found 1 infinite in column 'b'. Make"),
        ([[1, 2]], None, "a frame must come from pandas, polars or pyarrow, got list. Convert it"),
        (pd.Series([1, 2]), None, "a frame must come from pandas, polars or pyarrow, got Series. Convert it"),
        (
            frame(a=["x", "y"]),
            {"a": "continuous"},
            "column 'a' must hold numbers to be continuous. Make it categorical",
        ),
        (
            frame(a=[1, 2]),
            {"b": "continuous"},
            r"kinds names columns 'b' that the table does not have. It has 'a'",
        ),
        (frame(a=[1, 2]), {"a": "real"}, "kind of column 'a' must be 'categorical' or 'continuous', got 'real'"),
        (pd.DataFrame(index=range(3)), None, "found no columns"),
        (
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            None,
            r"column names must differ, more than one column is called 'a'",
        ),
        (frame(a=pd.Categorical([1], categories=[1, "1"])), None, r"levels must name each code once, columns 'a'"),
    ],
    ids=["missing", "infinite", "no frame", "a column", "text", "unknown", "kind", "empty", "repeated", "levels alike"],
)
def test_from_frame_refuses_wrong_input_with_a_sentence(df, kinds, message):
    """An invalid frame is refused with a message that uses the names of its columns."""
    with pytest.raises(DataError, match="^" + message):
        Dataset.from_frame(df, kinds)


def test_from_frame_refuses_more_levels_than_codes_can_tell():
    """A column with 65 536 distinct values is refused."""
    with pytest.raises(DataError, match=r"^variables must have 1 to 65535 levels, columns 'id' do not. Merge"):
        Dataset.from_frame(frame(id=np.arange(65_536)))


def test_messages_cut_long_lists_and_long_names():
    """Error messages shorten long names and long lists of columns."""
    names = [f"column {k} " + "x" * 100 for k in range(1_000)]
    with pytest.raises(DataError) as error:
        Dataset.from_values(np.full((2, 1_000), np.inf), names)
    assert "found 2000 infinite" in str(error.value)
    assert "and 995 more" in str(error.value)
    assert len(str(error.value)) < 600


# --- column types ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("df", "kinds", "kind"),
    [
        (frame(a=[0.5, 1.0], b=[1.0, 2.0]), None, "continuous"),
        (frame(a=[0.5, 1.0], b=[1, 2]), None, "continuous"),
        (frame(a=[3, 1], b=[1, 2]), None, "categorical"),
        (frame(a=["x", "y"], b=[True, False]), None, "categorical"),
        (frame(a=[0.5, 1.0], b=["x", "y"]), {"a": "categorical"}, "categorical"),
        (frame(a=[0.5, 1.0], b=["1", "2.5"]), {"b": "continuous"}, "continuous"),
        (frame(a=[3, 1], b=[1, 2]), {"a": "continuous", "b": "continuous"}, "continuous"),
    ],
    ids=[
        "floats",
        "floats and whole",
        "whole",
        "words and bools",
        "floats as levels",
        "words as numbers",
        "whole as numbers",
    ],
)
def test_from_frame_guesses_column_types_unless_given(df, kinds, kind):
    """Floats, and integers in the same table, are continuous; all else is categorical; `kinds` overrides this."""
    data = Dataset.from_frame(df, kinds)
    assert data.kind == kind
    assert data.names == ("a", "b")
    assert (data.n, data.p) == (2, 2)


DAYS = ["2024-02-28", None, "2024-03-01 12:00"]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(pd.to_datetime(DAYS, format="mixed")),
        pd.Series(pd.to_datetime(DAYS, format="mixed")).dt.tz_localize("Europe/Berlin"),
        pd.Series(pd.to_datetime(DAYS, format="mixed")).astype(object),
        pd.Series(pd.to_datetime(DAYS, format="mixed")).astype(pd.ArrowDtype(pa.timestamp("s"))),
        pd.Series(pd.to_datetime(DAYS, format="mixed")).dt.to_pydatetime(),
        pd.Series(pd.to_timedelta(["0 days", None, "2 days 12:00:00"])),
        pd.Series(pd.to_timedelta(["0 days", None, "2 days 12:00:00"])).astype(pd.ArrowDtype(pa.duration("ms"))),
        pd.Series(pd.PeriodIndex(["2024-02-28 00:00", None, "2024-03-01 12:00"], freq="h")),
    ],
    ids=lambda one: str(getattr(one, "dtype", type(one).__name__)),
)
def test_from_frame_takes_points_in_time_as_days(column):
    """Integers beside points in time stay categorical; `kinds` can make the points in time categorical as well."""
    df = pd.DataFrame({"when": column, "code": [1, 2, 1]})
    data = Dataset.from_frame(df)
    assert data.kinds == ("continuous", "categorical")
    np.testing.assert_array_equal(data.values[:, 0], [0.0, np.nan, 2.5])
    assert Dataset.from_frame(df, {"when": "categorical"}).kinds == ("categorical", "categorical")


def test_from_frame_takes_dates_without_a_clock_as_days():
    days = [datetime.date(2023, 12, 31), datetime.date(2024, 1, 2), None]
    for column in (pd.Series(days), pd.Series(days).astype(pd.ArrowDtype(pa.date32()))):
        data = Dataset.from_frame(pd.DataFrame({"when": column, "text": ["a", "b", "2024-01-01"]}))
        assert data.kinds == ("continuous", "categorical")
        np.testing.assert_array_equal(data.values[:, 0], [0.0, 2.0, np.nan])


def test_from_frame_sorts_levels_and_says_them_as_text():
    """Integers are sorted as numbers, words alphabetically."""
    data = Dataset.from_frame(frame(a=[10, 9, 10, 2], b=["no", "yes", "no", "None"], c=[True, False, True, True]))
    assert data.levels == (("2", "9", "10"), ("None", "no", "yes"), ("False", "True"))
    assert data.codes.tolist() == [[2, 1, 2, 0], [1, 2, 1, 0], [1, 0, 1, 1]]


def test_from_frame_keeps_declared_levels_in_their_order():
    """An ordered categorical keeps its order and its unused levels."""
    low_to_high = pd.Categorical(["high", "low"], categories=["low", "mid", "high"], ordered=True)
    data = Dataset.from_frame(frame(a=low_to_high))
    assert data.levels == (("low", "mid", "high"),)
    assert data.arity.tolist() == [3]
    assert data.codes.tolist() == [[2, 0]]


def test_from_frame_takes_columns_of_two_bytes_of_levels():
    """300 levels need uint16, and no two of them are merged."""
    values = np.random.default_rng(0).permutation(300)
    data = Dataset.from_frame(frame(a=values, b=values % 2))
    assert data.codes.dtype == np.uint16
    assert data.codes[0].tolist() == values.tolist()


def test_from_frame_reads_back_what_to_frame_writes():
    """`from_frame` restores names, types, order and levels from `to_frame`, including unused levels."""
    for data in (
        coded(levels=[["s", "m", "l"], ["f", "m"]]),
        Dataset.from_values([[0.1, 2.0], [3.0, -4.5]], ["a", "b"]),
    ):
        assert Dataset.from_frame(data.to_frame()).fingerprint == data.fingerprint


@pytest.mark.parametrize(("arity", "dtype"), [(256, np.uint8), (257, np.uint16), (65_535, np.uint16)])
def test_codes_take_the_smallest_type_that_holds_the_levels(arity, dtype):
    """Codes get the smallest integer type that can represent the number of levels; the largest code is unchanged."""
    data = coded(codes=[[0, arity - 1]], arity=[arity], names=["a"])
    assert data.codes.dtype == dtype
    assert data.codes.max() == arity - 1


# --- immutability ---------------------------------------------------------------------------------------------------


def test_dataset_arrays_are_read_only_copies():
    """Changes of the caller's array have no effect, and the arrays of the data set cannot be written to."""
    codes, weights, values = np.array(CODES), np.array([1, 2, 3, 4]), np.eye(3)
    data, numbers = coded(codes=codes, weights=weights), Dataset.from_values(values, list("abc"))
    merged = data.merged()
    before = data.fingerprint, numbers.fingerprint
    codes[:], weights[:], values[:] = 0, 0, 0
    again = Dataset.from_codes(data.codes, data.arity, data.names, data.levels, data.weights)
    assert (again.fingerprint, Dataset.from_values(numbers.values, list("abc")).fingerprint) == before
    arrays = [data.codes, data.arity, data.weights, numbers.values, numbers.correlation, merged.codes, merged.weights]
    arrays += [data.select([1]).codes, data.select([1]).arity, numbers.select([0, 2]).values]
    for array in arrays:
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_dataset_is_frozen():
    with pytest.raises(FrozenInstanceError):
        coded().names = ("a", "b")


# --- fingerprint ----------------------------------------------------------------------------------------------------


@given(st.data())
def test_fingerprint_sees_every_cell_of_codes(data):
    """A single changed code in a large table changes the fingerprint."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (5, 400))
    i, t = data.draw(st.integers(0, 4)), data.draw(st.integers(0, 399))
    other = codes.copy()
    other[i, t] = (other[i, t] + data.draw(st.integers(1, 2))) % 3
    one, two = (Dataset.from_codes(c, [3] * 5, list("abcde")).fingerprint for c in (codes, other))
    assert one != two
    assert one == Dataset.from_codes(codes.copy(), [3] * 5, list("abcde")).fingerprint


@given(st.integers(0, 399), st.integers(0, 4))
def test_fingerprint_sees_every_cell_of_values(t, j):
    """A change in the last bit of one number changes the fingerprint."""
    values = np.random.default_rng(2).normal(size=(400, 5))
    other = values.copy()
    other[t, j] = np.nextafter(other[t, j], np.inf)
    assert (
        Dataset.from_values(values, list("abcde")).fingerprint != Dataset.from_values(other, list("abcde")).fingerprint
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"names": ["size", "Sex"]},
        {"names": ["sizes", "ex"]},
        {"arity": [4, 2]},
        {"levels": [["s", "m", "l"], ["f", "m"]]},
        {"levels": [["0", "1", "2"], ["1", "0"]]},
        {"weights": [1, 1, 1, 1]},
        {"weights": [1, 1, 2, 1]},
        {"codes": [CODES[0][:3], CODES[1][:3]]},
    ],
    ids=str,
)
def test_fingerprint_sees_names_levels_weights_and_rows(changes):
    assert coded(**changes).fingerprint != coded().fingerprint


def test_fingerprint_depends_on_weights():
    """The fingerprint depends on the weight of each row."""
    prints = {coded(weights=w).fingerprint for w in ([1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 3, 5], None)}
    assert len(prints) == 4


def test_fingerprint_sees_order_and_shape():
    """Swapped columns and another shape of the same bytes change the fingerprint."""
    values = np.arange(6.0)
    prints = {
        Dataset.from_values(values.reshape(3, 2), ["a", "b"]).fingerprint,
        Dataset.from_values(values.reshape(3, 2)[:, ::-1], ["b", "a"]).fingerprint,
        Dataset.from_values(values.reshape(2, 3)[:, :2], ["a", "b"]).fingerprint,
        Dataset.from_values(np.vstack([values.reshape(3, 2), [6.0, 7.0]]), ["a", "b"]).fingerprint,
    }
    assert len(prints) == 4


def test_fingerprint_does_not_depend_on_the_type_of_input():
    """Lists, other integer types and non-contiguous arrays give the same fingerprint."""
    wide = np.zeros((2, 8), np.int64)
    wide[:, ::2] = CODES
    prints = {coded(codes=c).fingerprint for c in (CODES, np.array(CODES, np.int8), wide[:, ::2])}
    assert len(prints) == 1


# --- weights and merging --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "p", "n", "merges"),
    [(2, 3, 5_000, True), (2, 3, 500, False), (5, 8, 5_000, False), (3, 6, 5_000, False), (3, 6, 10_000, True)],
    ids=["few", "small", "most differ", "a seventh differs", "a fourteenth differs"],
)
def test_compact_merges_where_few_rows_differ(levels, p, n, merges):
    """The result has at most a tenth of the rows, or is the same object; weights are merged too."""
    codes = np.random.default_rng(0).integers(0, levels, (p, n))
    data = Dataset.from_codes(codes, [levels] * p, [f"v{k}" for k in range(p)])
    compact = data.compact()
    assert compact.n == data.n
    assert compact is data or compact.n_rows * 10 <= n
    assert (compact is not data) is merges
    assert data.with_weights([2] * n).compact().n == 2 * n


@given(st.integers(0, 10**6), st.booleans())
def test_merged_keeps_all_counts(seed, weighted):
    """Every row pattern keeps its total weight; rows are distinct, and the sample size is unchanged."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (3, 50))
    data = Dataset.from_codes(codes, [3, 3, 4], list("abc"), weights=rng.integers(0, 5, 50) if weighted else None)
    merged = data.merged()

    def counts(d: Dataset) -> dict:
        weights = np.ones(d.n_rows, int) if d.weights is None else d.weights
        total: dict[tuple, int] = {}
        for row, weight in zip(d.codes.T.tolist(), weights.tolist(), strict=True):
            total[tuple(row)] = total.get(tuple(row), 0) + weight
        return total

    assert counts(merged) == counts(data)
    assert merged.n_rows == len({tuple(row) for row in codes.T.tolist()})
    assert merged.n == data.n
    assert merged.arity.tolist() == [3, 3, 4]
    assert merged.codes.dtype == data.codes.dtype


def test_with_weights_replaces_and_removes_weights():
    """n is the sum of the weights; None means weight 1 for each row."""
    data = coded(weights=[0, 2, 3, 0])
    assert (data.n, data.n_rows) == (5, 4)
    assert data.with_weights([1, 1, 1, 7]).n == 10
    assert data.with_weights(None).fingerprint == coded().fingerprint


def test_select_keeps_rows_weights_and_the_order_asked_for():
    """Selected columns keep their arity and levels, the row weights, and the requested order."""
    data = coded(levels=[["s", "m", "l"], ["f", "m"]], weights=[1, 2, 3, 4]).select([1, 0])
    assert data.names == ("sex", "size")
    assert data.levels == (("f", "m"), ("s", "m", "l"))
    assert data.arity.tolist() == [2, 3]
    assert data.codes.tolist() == CODES[::-1]
    assert data.n == 10
    numbers = Dataset.from_values([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], list("abc")).select([2, 0])
    assert numbers.values.tolist() == [[3.0, 1.0], [6.0, 4.0]]


# --- correlations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 1e6], ids=["centred", "far from 0"])
@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200], ids=["1", "tiny", "huge"])
def test_correlation_agrees_with_numpy_for_any_unit(offset, scale):
    """Correlations equal NumPy's for any unit and origin; squares of numbers neither vanish nor overflow."""
    values = np.random.default_rng(3).normal(size=(200, 4)) @ np.random.default_rng(4).normal(size=(4, 4))
    data = Dataset.from_values((values + offset) * scale, list("abcd"))
    np.testing.assert_allclose(data.correlation, np.corrcoef(values, rowvar=False), atol=1e-9)
    assert np.array_equal(data.correlation, data.correlation.T)
    assert np.array_equal(data.correlation.diagonal(), np.ones(4))


@pytest.mark.parametrize("level", [0.0, 0.1, 1e9, -1e-9])
def test_correlation_of_a_constant_column_is_0(level):
    """A constant column has correlation 0 with other columns, despite rounding errors."""
    values = np.column_stack([np.random.default_rng(5).normal(size=1_001), np.full(1_001, level)])
    assert Dataset.from_values(values, ["a", "b"]).correlation.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_correlation_stays_within_1():
    """The correlation of a column with multiples of itself is 1 or -1 and never beyond."""
    column = np.random.default_rng(6).normal(size=77)
    corr = Dataset.from_values(np.column_stack([column, column * 3, -column / 7]), list("abc")).correlation
    assert np.abs(corr).max() <= 1.0
    assert corr[0, 1] == pytest.approx(1.0, abs=1e-15)
    assert corr[0, 2] == pytest.approx(-1.0, abs=1e-15)


# --- serialization and names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [coded(weights=[1, 2, 3, 4]), Dataset.from_values(np.eye(2), ["a", "b"])], ids=repr)
def test_dataset_survives_pickling(data):
    """Pickling does not change the fingerprint."""
    assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", 'a"b', "line\nbreak", "ü" * 200, "🧪", "href='x'", "NA", "None"]
)
def test_dataset_keeps_hostile_names_as_they_are(name):
    """Names of variables are neither stripped nor escaped."""
    data = coded(names=[name, "other"])
    assert data.names[0] == name
    assert data.index(name) == 0


def test_dataset_repr_shows_kind_and_size():
    """The repr gives the column type, the number of columns, and n as the sum of the weights."""
    assert repr(coded(weights=[1, 2, 3, 4])) == "Dataset(categorical, n=10, p=2)"
    assert repr(Dataset.from_values(np.eye(3), list("abc"))) == "Dataset(continuous, n=3, p=3)"


@pytest.mark.parametrize("names", [np.array(3), b"ab", 3, None])
def test_names_that_are_no_list_are_refused(names):
    """Names that are not a list of texts are refused, also a 0-dimensional array, which has an iterator method."""
    with pytest.raises(DataError, match="names must be a list of texts, got "):
        Dataset.from_values(np.zeros((5, 2)), names)


@pytest.mark.parametrize("limit", [0, dataset.MAX_KEPT_BYTES], ids=["large", "small"])
def test_a_run_sorts_the_columns_of_a_table_once(monkeypatch, limit):
    """A large table is copied once in a run, too, and its copy does not outlive the run."""
    monkeypatch.setattr(dataset, "MAX_KEPT_BYTES", limit)
    made, reordered = [], Dataset._reordered

    def counted(self: Dataset, order: list[int]) -> Dataset:
        made.append(ref(new := reordered(self, order)))
        return new

    monkeypatch.setattr(Dataset, "_reordered", counted)
    data = Dataset.from_codes(np.random.default_rng(0).integers(0, 2, (3, 60)), [2, 2, 2], ["c", "a", "b"])
    result = learn("pc", data)
    assert len(made) == 1
    assert result.names == data.names
    del result
    gc.collect()
    assert (made[0]() is None) == (limit == 0)


@pytest.mark.parametrize("arity", [2, 255, 256, 300])
def test_missing_cells_of_codes_are_counted(arity):
    """The counts are right around the sizes at which the type of the codes changes."""
    rng = np.random.default_rng(arity)
    codes = np.where(
        rng.random((4, 400)) < np.array([[0.0], [0.1], [0.0], [0.9]]), -1, rng.integers(0, arity, (4, 400))
    )
    data = Dataset.from_codes(codes, [arity] * 4, list("abcd"))
    assert data.n_missing.tolist() == (codes < 0).sum(axis=1).tolist()
    assert [data.is_there(j).tolist() for j in range(4)] == (codes >= 0).tolist()
