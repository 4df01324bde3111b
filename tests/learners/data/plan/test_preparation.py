"""Tests of preparing a data set from text cells by a plan, with notes, and of storing and changing plans."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.common.errors import DataError, ParameterError
from learners.data.plan.binning import Binning, cut_points
from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import natural_order, prepare
from learners.data.reading.table import read_table


def table_of(**columns):
    """Return a table with these columns of texts."""
    lines = [";".join(columns), *(";".join(row) for row in zip(*columns.values(), strict=True))]
    return read_table("\n".join(lines).encode(), separator=";")


def column_of(dataset, name):
    """Return the level of each row, by name."""
    j = dataset.index(name)
    return [dataset.levels[j][code] for code in dataset.codes[j]]


def test_default_plan_follows_the_guesses_and_keeps_rows():
    """The default plan uses the proposed column types and missing markers; any other marker stays a level."""
    table = table_of(a=["1.5", "NA", "2.5"], b=["None", "x", "None"])
    plan = default_plan(table)
    assert [(c.kind, c.missing) for c in plan.columns] == [("continuous", ("", "NA")), ("categorical", ("",))]
    assert plan.missing_policy == "available"


def test_insurance_keeps_its_level_called_none():
    """'None' is a level of the prepared data unless the plan declares it missing."""
    table = table_of(Accident=["None", "Mild", "None", "Severe"], Age=["Adult", "Senior", "Adult", "Adult"])
    plan = default_plan(table)
    assert prepare(table, plan).dataset.levels[0] == ("None", "Mild", "Severe")
    agreed = plan.change("Accident", missing=("None",)).with_policy("drop")
    dropped = prepare(table, agreed)
    assert dropped.dataset.n == 2
    assert dropped.dataset.levels[0] == ("Mild", "Severe")
    assert dropped.notes == (
        "rows dropped for missing cells: 2 of 4",
        "levels of column 'Accident' in order: 'Mild' and 'Severe'",
    )


def test_levels_are_sorted_as_a_person_would():
    """Numbers come first, by value; digits within texts are also compared by value."""
    texts = ["b", "10", "x10", "2", "-1.5", "x9", "B", "1e1", ""]
    numbers = np.array([np.nan, 10, np.nan, 2, -1.5, np.nan, np.nan, 10, np.nan])
    assert [texts[k] for k in natural_order(texts, numbers)] == ["-1.5", "2", "10", "1e1", "", "B", "b", "x9", "x10"]


@pytest.mark.deep
@given(st.lists(st.text(), unique=True, max_size=8))
def test_any_texts_can_be_sorted(texts):
    """Any texts have a total order."""
    assert sorted(natural_order(texts, np.full(len(texts), np.nan))) == list(range(len(texts)))


@pytest.mark.parametrize(
    ("policy", "a", "b", "note"),
    [
        ("drop", ["x", "x"], ["1", "2"], "rows dropped for missing cells: 3 of 5"),
        (
            "category",
            ["x", "x", "(missing)", "y", "(missing)"],
            ["1", "2", "1", "(missing)", "1"],
            "2 missing cells of column 'a' were set to the level '(missing)'",
        ),
        (
            "mode",
            ["x", "x", "x", "y", "x"],
            ["1", "2", "1", "1", "1"],
            "2 missing cells of column 'a' were imputed by the mode 'x'",
        ),
    ],
)
def test_missing_cells_follow_the_policy(policy, a, b, note):
    """Rows are dropped, or missing cells become a level or the mode; a note reports it."""
    table = table_of(a=["x", "x", "", "y", ""], b=["1", "2", "1", "", "1"])
    plan = default_plan(table).change("b", kind="categorical").with_policy(policy)
    done = prepare(table, plan)
    assert (column_of(done.dataset, "a"), column_of(done.dataset, "b")) == (a, b)
    assert note in done.notes


def test_missing_numbers_are_dropped_or_get_the_median():
    """A missing number cannot be a category: rows are dropped, or the median is filled in."""
    table = table_of(a=["1.5", "NA", "2.5", "9"], b=["0.1", "0.2", "", "0.4"])
    plan = default_plan(table)
    for policy in ("drop", "category"):
        assert prepare(table, plan.with_policy(policy)).dataset.values.tolist() == [[1.5, 0.1], [9, 0.4]]
    filled = prepare(table, plan.with_policy("mode"))
    assert filled.dataset.values.tolist() == [[1.5, 0.1], [2.5, 0.2], [2.5, 0.2], [9, 0.4]]
    assert "1 missing number of column 'a' was imputed by the median 2.5" in filled.notes


def test_the_median_of_huge_numbers_is_finite():
    """The two middle numbers are averaged without leaving the range of a double."""
    table = table_of(a=["1e308", "1.5e308", ""], b=["1", "2", "4"])
    plan = default_plan(table).change("a", "b", kind="continuous").with_policy("mode")
    assert prepare(table, plan).dataset.values[2, 0] == 1.25e308


def test_a_level_called_missing_is_not_mixed_up():
    """The level of missing cells gets another name if its name exists already."""
    table = table_of(a=["(missing)", "", "x"], b=["u", "v", "w"])
    done = prepare(table, default_plan(table).with_policy("category"))
    assert done.dataset.levels[0] == ("(missing)", "x", "(missing)'")


def test_a_missing_cell_of_an_ignored_column_drops_no_row():
    """A missing cell in an ignored column does not drop its row."""
    table = table_of(a=["1", "2", "1"], b=["x", "y", "x"], c=["", "z", ""])
    assert prepare(table, default_plan(table).change("c", kind="ignore")).dataset.n == 3


def test_mixed_columns_keep_their_types():
    """Numbers are binned only if the plan requires it; columns keep the order of the plan."""
    table = table_of(a=["1.5", "2.5", "3.5", "4.5"], b=["x", "y", "x", "y"])
    plan = default_plan(table)
    done = prepare(table, plan)
    assert (done.dataset.kinds, done.notes) == (("continuous", "categorical"), ())
    assert done.dataset.values[:, 0].tolist() == [1.5, 2.5, 3.5, 4.5]
    assert [done.dataset.levels[0][code] for code in done.dataset.codes[0]] == ["x", "y", "x", "y"]
    binned = prepare(table, plan.change("a", kind="categorical", binning=Binning("width", 2)))
    assert column_of(binned.dataset, "a") == ["< 3", "< 3", ">= 3", ">= 3"]
    assert prepare(table, plan.change("b", kind="ignore")).dataset.kind == "continuous"


def test_missing_cells_stay_missing():
    """By default nothing is dropped or filled, and one note reports the missing cells."""
    table = table_of(a=["1.5", "NA", "2.5", "3.5"], b=["x", "y", "", "x"], c=["u", "v", "u", "v"])
    done = prepare(table, default_plan(table))
    assert (done.dataset.n, done.dataset.incomplete.tolist()) == (4, [True, True, False])
    assert np.isnan(done.dataset.values[:, 0]).tolist() == [False, True, False, False]
    assert done.dataset.codes[0].tolist() == [0, 1, 2, 0]
    (note,) = done.notes
    assert note.startswith("2 cells of columns 'a' and 'b' are missing, and stay empty")
    assert note.endswith("2 of 4 rows are complete")
    assert prepare(table, default_plan(table).with_policy("drop")).dataset.n == 2


@pytest.mark.parametrize(
    ("values", "binning", "cuts"),
    [
        ([0, 1, 2, 3, 4], Binning("width", 4), [1, 2, 3]),
        ([0, 10], Binning("width", 2), [5]),
        ([1, 2, 3, 4, 5, 6], Binning("frequency", 3), [3, 5]),
        ([1, 2, 3, 4, 5], Binning("frequency", 2), [3]),
        ([0] * 90 + list(range(1, 11)), Binning("frequency", 3), [1]),
        ([7, 7, 7], Binning("frequency", 3), []),
        ([7, 7, 7], Binning("width", 3), []),
        ([1, 2, np.inf, np.nan], Binning("width", 2), [1.5]),
        ([1, 2], Binning("cuts", cuts=(5, -1, 5)), [-1, 5]),
        ([], Binning("width", 2), []),
        ([-1e308, 1e308], Binning("width", 2), [0]),
    ],
)
def test_cut_points_lie_where_they_should(values, binning, cuts):
    """Cut points equal the expected ones; constant columns have none, and huge numbers do not overflow."""
    np.testing.assert_allclose(cut_points(np.array(values, dtype=float), binning), cuts)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=40),
    st.sampled_from(["width", "frequency"]),
    st.integers(2, 6),
)
def test_cut_points_increase_and_leave_no_outer_bin_empty(values, method, bins):
    """There are at most `bins` bins, and the first and last one contain rows."""
    values = np.array(values)
    cuts = cut_points(values, Binning(method, bins))
    assert len(cuts) < bins
    assert (np.diff(cuts) > 0).all()
    assert ((values.min() < cuts) & (cuts <= values.max())).all()
    if method == "frequency" and values.min() < values.max():
        assert len(cuts) > 0


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=60, unique=True), st.integers(2, 4)
)
def test_bins_of_equal_frequency_differ_by_at_most_one_row(values, bins):
    """Without ties bin sizes differ by at most one."""
    cuts = cut_points(np.array(values), Binning("frequency", bins))
    sizes = np.bincount(np.searchsorted(cuts, values, side="right"), minlength=bins)
    assert sizes.max() - sizes.min() <= 1


def test_bins_are_labelled_in_order_with_their_limits():
    """Labels are distinct even if cut points are close, and they follow the order of the numbers."""
    table = table_of(a=["5", "1000.001", "1000.002", "2000"], b=["x", "y", "x", "y"])
    plan = default_plan(table).change("a", kind="categorical", binning=Binning("cuts", cuts=(1000.0015, 1000.0025)))
    done = prepare(table, plan)
    assert done.dataset.levels[0] == ("< 1000.0015", "[1000.0015, 1000.0025)", ">= 1000.0025")
    assert done.dataset.codes[0].tolist() == [0, 0, 1, 2]
    assert any("column 'a' was cut into 3 bins: < 1000.0015" in note for note in done.notes)


def test_a_number_equal_to_a_cut_point_falls_above_it():
    """Bins are closed below and open above, as their labels say."""
    table = table_of(a=["1", "2", "2.5", "3"], b=["x", "y", "x", "y"])
    plan = default_plan(table).change("a", kind="categorical", binning=Binning("cuts", cuts=(2, 3)))
    assert column_of(prepare(table, plan).dataset, "a") == ["< 2", "[2, 3)", "[2, 3)", ">= 3"]


def test_decimal_commas_are_numbers():
    """Numbers with a decimal comma are read as numbers."""
    table = table_of(a=["1,5", "2,5", "10,25"], b=["0,5", "1,5", "2,25"])
    assert prepare(table, default_plan(table)).dataset.values.tolist() == [[1.5, 0.5], [2.5, 1.5], [10.25, 2.25]]


@pytest.mark.parametrize(
    ("counts", "least", "levels"),
    [
        ({"a": 9, "b": 3, "c": 1}, 4, ("a", "other")),
        ({"a": 9, "b": 6, "c": 1}, 4, ("a", "other")),
        ({"a": 9, "b": 6, "c": 5}, 4, ("a", "b", "c")),
        ({"a": 9, "b": 1}, 4, ("a", "b")),
        ({"a": 3, "b": 2, "c": 1}, 9, ("a", "other")),
        ({"a": 9, "other": 8, "c": 1, "d": 1}, 4, ("a", "other", "other'")),
    ],
)
def test_rare_levels_are_merged_but_never_down_to_one(counts, least, levels):
    """Rare levels are merged, if necessary with the next rarest one; the most frequent level always stays."""
    texts = [text for text, count in counts.items() for _ in range(count)]
    table = table_of(a=texts, b=["x"] * len(texts))
    done = prepare(table, default_plan(table).change("a", kind="categorical", min_level_count=least))
    assert done.dataset.levels[0] == levels
    assert any("were merged into" in note for note in done.notes) == (len(levels) < len(counts) or "other'" in levels)
    assert np.bincount(done.dataset.codes[0]).min() > 0


def test_levels_of_dropped_rows_are_gone():
    """Levels that occur only in dropped rows are removed."""
    table = table_of(a=["x", "y", "z"], b=["1", "2", ""])
    assert prepare(table, default_plan(table).change("b", kind="categorical").with_policy("drop")).dataset.levels[
        0
    ] == ("x", "y")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": "continuous"}, r"column 'b' must hold finite numbers, found 2 cells such as 'x'. Take them"),
        ({"binning": Binning()}, r"column 'b' must hold numbers, found 2 cells such as 'x'"),
        ({"missing": ("x", "3", "4")}, "column 'b' must hold a value, all 4 are missing. Ignore it"),
    ],
)
def test_what_cannot_be_prepared_is_said(change, sentence):
    """A column that cannot be prepared raises an error with the column, an example and a fix."""
    table = table_of(b=["x", "3", "4", "x"], c=["u", "v", "u", "v"])
    plan = default_plan(table).change("b", **change)
    if plan.column("b").kind == "continuous":
        plan = plan.change("c", kind="ignore")
    with pytest.raises(DataError, match=sentence):
        prepare(table, plan)


def test_infinite_numbers_are_refused_but_can_be_binned():
    """Infinite numbers are refused, since they have no correlation, but they can be binned."""
    table = table_of(a=["1.5", "inf", "2.5", "-inf"], b=["x", "y", "x", "y"])
    plan = default_plan(table).change("b", kind="ignore")
    with pytest.raises(DataError, match="column 'a' must hold finite numbers, found 2 cells such as"):
        prepare(table, plan)
    binned = prepare(table, plan.change("a", kind="categorical", binning=Binning("width", 2)))
    assert column_of(binned.dataset, "a") == ["< 2", ">= 2", ">= 2", "< 2"]


def test_more_levels_than_can_be_counted_are_refused():
    """65 535 levels are prepared; one more level is refused with a fix."""
    rows = "".join(f"t{k},x\n" for k in range(65_536))
    for extra, works in ((1, True), (0, False)):
        table = read_table(f"a,b\n{rows}".encode(), max_rows=65_536 - extra)
        plan = default_plan(table).change("a", kind="categorical")
        if works:
            assert prepare(table, plan).dataset.arity[0] == 65_535
        else:
            with pytest.raises(DataError, match="column 'a' may have at most 65535 levels, found 65536. Bin or ignore"):
                prepare(table, plan)


def test_all_columns_ignored_is_said():
    """If all columns are ignored, the error message asks for at least two columns."""
    table = table_of(a=["1", "2"], b=["1", "2"])
    with pytest.raises(DataError, match="all are ignored. Use at least two"):
        prepare(table, default_plan(table).change("a", "b", kind="ignore"))


names = st.text(min_size=1, max_size=8)
binnings = st.one_of(
    st.none(),
    st.builds(
        Binning,
        st.sampled_from(["frequency", "width", "cuts"]),
        st.integers(2, 9),
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4).map(tuple),
    ),
)


@pytest.mark.deep
@settings(max_examples=50)
@given(st.data())
def test_a_plan_survives_json(data):
    """A plan survives a round trip through JSON."""
    columns = data.draw(st.lists(names, min_size=1, max_size=4, unique=True))
    plan = default_plan(read_table(b"a,b\n1,2\n"))
    template = plan.columns[0]
    changed = [
        type(template)(
            name,
            data.draw(st.sampled_from(["categorical", "continuous", "ignore"])),
            tuple(data.draw(st.lists(st.text(max_size=4), max_size=3))),
            data.draw(binnings),
            data.draw(st.integers(0, 9)),
            data.draw(st.one_of(st.none(), st.integers(0, 9))),
        )
        for name in columns
    ]
    plan = Plan(tuple(changed), data.draw(st.sampled_from(["drop", "category", "mode"])))
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


def test_a_plan_is_changed_by_copy():
    """`change` returns a new plan, leaves the old one unchanged, and accepts several columns."""
    plan = default_plan(read_table(b"a,b\n1,2\n"))
    other = plan.change("a", "b", tier=2)
    assert [column.tier for column in other.columns] == [2, 2]
    assert [column.tier for column in plan.columns] == [None, None]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda plan: plan.change("aa", tier=1), "unknown column 'aa'"),
        (lambda plan: plan.change("a", teir=1), "unknown setting 'teir'; did you mean 'tier'"),
        (lambda plan: plan.change("a", kind="numeric"), "unknown kind 'numeric'"),
        (lambda plan: plan.change("a", missing="NA"), "missing must be a list of texts"),
        (lambda plan: plan.change("a", source=np.zeros(2)), "source must be the name of a column"),
        (lambda plan: plan.with_policy("mean"), "unknown missing_policy 'mean'"),
        (lambda plan: Binning("width", 1), "bins must be a whole number of at least 2, got 1"),  # noqa: ARG005
        (lambda plan: Binning("cuts"), "cuts must be one or more finite numbers"),  # noqa: ARG005
        (lambda plan: Binning("cuts", cuts=(np.nan,)), "cuts must be one or more finite"),  # noqa: ARG005
        (lambda plan: Plan.from_dict({"columns": []}), "a plan must have columns and missing_policy"),  # noqa: ARG005
        (lambda plan: Plan.from_dict({**plan.to_dict(), "columns": [{"kind": "ignore"}]}), "a plan must have 'name'"),
        (lambda plan: Plan.from_dict({**plan.to_dict(), "columns": [{"nam": "a"}]}), "unknown setting 'nam'"),
        (lambda plan: plan.with_rows(0, 3), "the first of rows must be a whole number of at least 1"),
        (lambda plan: plan.with_rows(4, 3), "the last of rows must not be below the first, got 4 and 3"),
        (lambda plan: Plan.from_dict({**plan.to_dict(), "rows": [1, 2, 3]}), "a first and a last row"),
        (lambda plan: Plan.from_dict({**plan.to_dict(), "rows": [1, "x"]}), "the last of rows must be a whole number"),
        (lambda plan: Plan.from_dict({**plan.to_dict(), "rows": "12"}), "rows must be a first and a last row, or None"),
    ],
    ids=range(17),
)
def test_a_wrong_plan_is_refused(wrong, sentence):
    """Unknown columns, settings and values are reported by name."""
    with pytest.raises(ParameterError, match=sentence):
        wrong(default_plan(read_table(b"a,b\n1,2\n")))


def test_a_range_of_rows_is_used():
    """A range of rows gives all levels, missing cells and groups; the notes name it, and JSON keeps it."""
    table = table_of(who=["p", "p", "q", "q", "r"], a=["x", "y", "z", "x", "y"], b=["1", "2", "1", "?", "2"])
    plan = default_plan(table).change("who", kind="ignore").change("b", kind="categorical", missing=("?",))
    some = plan.with_rows(2, 4)
    data, notes = prepare(table, some).dataset, prepare(table, some).notes
    assert column_of(data, "a") == ["y", "z", "x"]
    assert notes[0] == "rows 2 to 4 of 5 rows"
    assert "rows dropped for missing cells: 1 of 3" in prepare(table, some.with_policy("drop")).notes
    assert column_of(prepare(table, some.with_one_row_per("who")).dataset, "a") == ["y", "z"]
    assert prepare(table, plan.with_rows(4, 900)).dataset.n == 2
    assert Plan.from_dict(json.loads(json.dumps(some.to_dict()))) == some
    assert some.with_all_rows() == plan
    with pytest.raises(DataError, match="rows 6 to 7, and the table has 5 rows"):
        prepare(table, plan.with_rows(6, 7))


@pytest.mark.parametrize("part", [slice(0, 30), slice(30, 90), slice(17, 61)])
def test_a_range_gives_the_data_of_a_file_with_these_rows(part):
    """With every setting that looks at rows, the range and the shorter file agree."""
    rng = np.random.default_rng(3)
    rows = [f"{k // 3},{rng.integers(4)},{rng.normal():.2f},{rng.integers(1, 3)}" for k in range(90)]
    whole, short = (read_table("\n".join(["who,a,b,w", *some]).encode()) for some in (rows, rows[part]))
    plan = default_plan(whole).change("a", kind="categorical", min_level_count=5, missing=("0",))
    plan = plan.change("b", kind="categorical", binning=Binning("frequency", 3)).change("who", kind="ignore")
    for change in (
        lambda one: one,
        lambda one: one.with_one_row_per("who"),
        lambda one: one.with_policy("drop"),
        lambda one: one.with_policy("mode"),
        lambda one: one.with_weights("w"),
        lambda one: one.with_resample_by("who"),
        lambda one: one.change("b", kind="continuous", binning=None, normal_scores=True),
    ):
        by_range = prepare(whole, change(plan).with_rows(part.start + 1, part.stop)).dataset
        assert by_range.fingerprint == prepare(short, change(plan)).dataset.fingerprint


def test_preparing_is_repeatable():
    """The same table and plan give the same fingerprint."""
    table = table_of(a=["1", "2", "1", "?"], b=["x", "y", "x", "y"])
    plan = default_plan(table)
    assert prepare(table, plan).dataset.fingerprint == prepare(table, plan).dataset.fingerprint
