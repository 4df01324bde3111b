"""Tests of mixed data sets with missing cells."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from learners import DataError, Dataset, DegenerateBIC, DegenerateGaussian, default_plan, learn, prepare
from learners.common.memory import VARIABLE
from learners.data.reading.table import Table


def ward() -> pd.DataFrame:
    """Return a frame with a column of each type, most of them with a missing cell."""
    return pd.DataFrame(
        {
            "sex": ["f", "m", None, "m"],
            "age": pd.array([31, 45, None, 62], dtype="Int64"),
            "dose": [0.5, np.nan, 1.5, 2.0],
            "smokes": [True, False, True, True],
            "stage": pd.Categorical(["II", None, "I", "I"], categories=["I", "II", "III"]),
            "weight": [70, None, 81.5, 64],
            "region": pd.array(["north", pd.NA, "south", "north"], dtype="string"),
        }
    )


def test_a_frame_of_all_types_keeps_kinds_and_missing_cells():
    """Nullable, object, boolean, categorical and text columns are kept; nothing is dropped, binned or filled."""
    data = Dataset.from_frame(ward())
    kinds = dict(zip(data.names, data.kinds, strict=True))
    assert (data.kind, data.n, data.p, data.complete) == ("mixed", 4, 7, False)
    assert [name for name, kind in kinds.items() if kind == "continuous"] == ["age", "dose", "weight"]
    assert data.levels == (("f", "m"), ("False", "True"), ("I", "II", "III"), ("north", "south"))
    assert data.codes.tolist() == [[0, 1, 2, 1], [0 + 1, 0, 1, 1], [1, 3, 0, 0], [0, 2, 1, 0]]
    np.testing.assert_array_equal(data.values[:, 0], [31, 45, np.nan, 62])
    assert data.incomplete.tolist() == [True, True, True, False, True, True, True]
    assert data.is_there(data.index("dose")).tolist() == [True, False, True, True]
    assert repr(data) == "Dataset(mixed, n=4, p=7, with missing cells)"


def test_a_frame_comes_back():
    """`from_frame` restores the data set from `to_frame`."""
    data = Dataset.from_frame(ward())
    again = Dataset.from_frame(data.to_frame())
    assert again.fingerprint == data.fingerprint
    assert data.to_frame().isna().sum().to_dict() == ward().isna().sum().to_dict()


def test_arrow_tables_are_taken():
    """Objects with `to_pandas` or with an Arrow stream are accepted as tables."""
    table = pa.table({"a": pa.array(["x", None, "y"]).dictionary_encode(), "b": pa.array([1.5, 2.5, None])})
    data = Dataset.from_frame(table)
    assert (data.kind, data.incomplete.tolist()) == ("mixed", [True, True])

    class Stream:
        """A frame of an unknown library with an Arrow stream."""

        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    assert Dataset.from_frame(Stream()).fingerprint == data.fingerprint


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pl.Series([1.5, None, 2.5]), [1.5, None, 2.5]),
        (pl.Series([1, None, 2], dtype=pl.UInt8), [1.0, None, 2.0]),
        (pl.Series([Decimal("1.5"), None, Decimal("2.5")]), [1.5, None, 2.5]),
        (pl.Series([True, None, False]), ["True", None, "False"]),
        (pl.Series(["x", None, "y"]), ["x", None, "y"]),
        (pl.Series(["x", None, "y"], dtype=pl.Categorical), ["x", None, "y"]),
        (pl.Series(["hi", None, "lo"], dtype=pl.Enum(["lo", "mid", "hi"])), ["hi", None, "lo"]),
        (pl.Series([date(2020, 1, 1), None, date(2020, 1, 3)]), [0.0, None, 2.0]),
        (pl.Series([datetime(2020, 1, 1), None, datetime(2020, 1, 3, 12)]), [0.0, None, 2.5]),
        (pl.Series([time(1), None, time(13)]), [0.0, None, 0.5]),
        (pl.Series([timedelta(days=1), None, timedelta(hours=12)]), [1.0, None, 0.5]),
    ],
    ids=lambda one: str(one.dtype).split("(")[0] if isinstance(one, pl.Series) else "",
)
def test_a_frame_of_polars_is_taken(column, expected):
    """Each column type keeps its missing cell; an Enum keeps the order of its levels."""
    data = Dataset.from_frame(pl.DataFrame({"a": column, "b": [0.5, 1.0, 2.0]}))
    found = data.to_frame()["a"].astype(object)
    assert [None if pd.isna(cell) else cell for cell in found] == expected
    if isinstance(column.dtype, pl.Enum):
        assert data.levels == (("lo", "mid", "hi"),)


def test_a_column_that_pandas_cannot_hold_is_refused():
    """Polars integers wider than those of Arrow, and lazy tables, are refused."""
    wide = pl.DataFrame({"a": [0.5, 1.0, 2.0], "b": pl.Series([1, None, 2], dtype=pl.Int128)})
    with pytest.raises(DataError, match="column 'b' has a type that pandas does not know .*. Cast to a common type"):
        Dataset.from_frame(wide)
    with pytest.raises(DataError, match="must come from pandas, polars or pyarrow, got LazyFrame. Convert it"):
        Dataset.from_frame(wide.lazy())


@pytest.mark.parametrize(
    ("column", "kind", "levels"),
    [
        (pd.array([1.5, None, 2.5], dtype="Float64"), "continuous", None),
        (pd.array([True, None, False], dtype="boolean"), "categorical", ("False", "True")),
        ([True, None, False], "categorical", ("False", "True")),
        ([1.5, pd.NA, 2.5], "continuous", None),
        (pd.array(["x", None, "y"], dtype="str"), "categorical", ("x", "y")),
        (pd.array([1.5, None, 2.5], dtype=pd.ArrowDtype(pa.float64())), "continuous", None),
        (pd.array(["x", None, "y"], dtype=pd.ArrowDtype(pa.string())), "categorical", ("x", "y")),
        (pd.array([True, None, False], dtype=pd.ArrowDtype(pa.bool_())), "categorical", ("False", "True")),
        (pd.Categorical(["lo", None, "hi"], categories=["lo", "hi"], ordered=True), "categorical", ("lo", "hi")),
        (pd.Categorical([2, None, 1]), "categorical", ("1", "2")),
    ],
)
def test_every_type_of_column_keeps_its_hole(column, kind, levels):
    """Nullable and Arrow types, objects with None or NA, and ordered categoricals keep missing cells."""
    data = Dataset.from_frame(pd.DataFrame({"a": column, "b": [0.5, 1.0, 2.0]}))
    assert (data.kinds[0], data.incomplete.tolist()) == (kind, [True, False])
    assert data.is_there(0).tolist() == [True, False, True]
    assert data.levels is None if levels is None else data.levels == (levels,)


@pytest.mark.parametrize("cells", [[["x"], ["y"]], [("x",), 2]], ids=["lists", "tuples beside numbers"])
def test_cells_of_several_values_are_refused_by_name(cells):
    with pytest.raises(DataError, match="column 'tags' must hold one value per cell"):
        Dataset.from_frame(pd.DataFrame({"tags": cells, "b": [0.5, 1.0]}))


@pytest.mark.parametrize(
    ("columns", "kinds"),
    [
        ({"a": [0, 1, 1], "b": [3, 4, 5]}, ("categorical", "categorical")),
        ({"a": [0, 1, 1], "b": [0.5, 1.0, 2.0]}, ("continuous", "continuous")),
        ({"a": [0, 1, 1], "b": ["x", "y", "x"]}, ("categorical", "categorical")),
        ({"a": range(11), "b": list("abababababa")}, ("continuous", "categorical")),
        ({"a": [0, 1, 1], "b": [0.5, 1.0, 2.0], "c": ["x", "y", "x"]}, ("continuous", "continuous", "categorical")),
        ({"a": [1.5, None, 2.5], "b": [True, False, None]}, ("continuous", "categorical")),
    ],
)
def test_kinds_follow_the_types(columns, kinds):
    """Fractions are continuous; so are integers in a table with fractions, and many of them in a table with text."""
    assert Dataset.from_frame(pd.DataFrame(columns)).kinds == kinds


def test_columns_and_rows_can_be_chosen():
    """Columns can be chosen in any order; columns of one type give a data set of that type."""
    data = Dataset.from_frame(ward())
    some = data.select([2, 0, 1])
    assert (some.names, some.kind, some.place) == (("dose", "sex", "age"), "mixed", (0, 0, 1))
    assert data.select([0, 3]).kind == "categorical"
    assert data.select([1]).kind == "continuous"
    rows = data.take([3, 0])
    assert rows.values[:, 1].tolist() == [2.0, 0.5]
    assert rows.codes[0].tolist() == [1, 0]
    assert rows.complete
    there = data.available([data.index("dose"), data.index("region")])
    assert (there.names, there.n, there.complete) == (("dose", "region"), 3, True)


def test_combined_parts_keep_the_requested_order():
    """Joined parts are ordered by the requested names."""
    codes = Dataset.from_codes([[0, -1, 1]], [2], ["c"])
    values = Dataset.from_values([[1.0, 2.0], [np.nan, 3.0], [4.0, 5.0]], ["x", "y"])
    data = Dataset.joined(["y", "c", "x"], codes, values)
    assert data.kinds == ("continuous", "categorical", "continuous")
    assert data.values[:, 0].tolist() == [2.0, 3.0, 5.0]
    assert Dataset.joined(["c"], codes) is codes


def test_a_hole_is_part_of_the_data():
    """A missing cell and a level give different fingerprints."""
    whole = Dataset.from_codes([[0, 1, 1]], [2], ["a"])
    incomplete = Dataset.from_codes([[0, -1, 1]], [2], ["a"])
    assert whole.fingerprint != incomplete.fingerprint
    assert (whole.complete, incomplete.complete) == (True, False)
    wide = Dataset.from_codes([[255, -1, 0]], [256], ["a"])
    assert (wide.codes.dtype, wide.codes.tolist()) == (np.uint16, [[255, 256, 0]])


def test_equal_rows_are_merged_with_their_missing_cells():
    """Equal rows with missing cells are merged; a missing cell equals a missing cell and no level."""
    data = Dataset.from_codes([[0, -1, -1, 1, 0], [0, 1, 1, 0, 0]], [2, 2], ["a", "b"])
    merged = data.merged()
    assert merged.codes.tolist() == [[0, 2, 1], [0, 1, 0]]
    assert merged.weights.tolist() == [2, 2, 1]


def test_a_table_made_of_a_data_set_prepares_to_it():
    """A table made from a data set prepares to it again, with its column types and missing cells."""
    data = Dataset.from_frame(ward()).select([0, 2, 4])
    table = Table.from_dataset(data)
    kinds = dict(zip(data.names, data.kinds, strict=True))
    plan = default_plan(table)
    for name in data.names:
        plan = plan.change(name, kind=kinds[name], missing=("",))
    again = prepare(table, plan).dataset
    np.testing.assert_array_equal(again.values, data.values)
    assert [again.is_there(j).tolist() for j in range(3)] == [data.is_there(j).tolist() for j in range(3)]


def test_levels_that_a_test_could_not_bear_are_refused(monkeypatch):
    """Too many levels are refused: one error names two columns, another one gives the memory for all levels."""
    rng = np.random.default_rng(0)
    many = {name: pd.Categorical([f"s{k}" for k in rng.integers(0, 900, 2_000)]) for name in ("street", "surname")}
    data = Dataset.from_frame(pd.DataFrame({**many, "x": rng.normal(size=2_000)}))
    for judge in (DegenerateGaussian, DegenerateBIC):
        with pytest.raises(
            DataError, match="columns '(street|surname)' and '(street|surname)' have 7.. and 7.. levels"
        ):
            judge(data)
    monkeypatch.setenv(VARIABLE, "1")
    with pytest.raises(DataError, match="the levels as 7.. columns of 2,000 rows would take .* merge levels"):
        DegenerateGaussian(data.select([0, 2]))
    numbers = rng.normal(size=(100_000, 2))
    numbers[3, 1] = np.nan
    with pytest.raises(DataError, match="completing 2 columns of 100,000 rows .* such as those without missing cells"):
        learn("pc", Dataset.from_values(numbers, ["x", "y"]))


@pytest.mark.parametrize(
    "made",
    [pd.DataFrame, pa.table, lambda cells: pa.table(cells).to_pandas(types_mapper=pd.ArrowDtype)],
    ids=["pandas", "arrow", "both"],
)
def test_exact_decimals_are_numbers(made):
    """Exact decimals, as databases return them, are read, also with missing cells."""
    data = Dataset.from_frame(made({"price": [Decimal("1.25"), None, Decimal("0.5")], "kind": ["a", "b", "a"]}))
    assert data.kinds == ("continuous", "categorical")
    np.testing.assert_array_equal(data.values[:, 0], [1.25, np.nan, 0.5])


def test_a_frame_without_rows_is_reported():
    with pytest.raises(DataError, match="^found no rows. The table needs at least one$"):
        Dataset.from_frame(pd.DataFrame({"a": pd.Series(dtype=float), "b": pd.Series(dtype=str)}))


def test_states_of_mixed_data_count_the_categorical_columns_only():
    frame = pd.DataFrame({"x": [0.5, None, 1.5], "a": ["u", None, "v"], "b": ["p", "q", "p"]})
    assert Dataset.from_frame(frame).states.tolist() == [3, 2]
