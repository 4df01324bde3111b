"""Tests of data-quality findings and their fixes."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.common.errors import DataError
from learners.data.dataset import Dataset
from learners.data.plan.binning import Binning
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import without_blockers
from learners.data.quality.health import check_health
from learners.data.quality.linear_dependence import dependent_sets
from learners.data.reading.table import Table, read_table
from learners.registry import learn

N = 60


def table_of(**columns):
    """Return a table of these columns."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return read_table(text.getvalue().encode())


def draws(seed, levels="xyz", n=N):
    """Draw random levels that occur equally often."""
    return np.random.default_rng(seed).permutation(np.resize(list(levels), n)).tolist()


def normal(seed, n=N):
    return np.random.default_rng(seed).normal(size=n)


def finding(found, code):
    """Return the only finding with this code."""
    (only,) = [f for f in found if f.code == code]
    return only


def codes(found):
    return [f.code for f in found]


def test_sound_data_have_no_findings():
    """Neither a categorical nor a continuous table has a finding."""
    for table in (table_of(a=draws(1), b=draws(2), c=draws(3)), table_of(a=normal(1), b=normal(2))):
        assert check_health(table, default_plan(table)) == ()


CASES = {
    "constant": ("blocker", ("k",), {"a": draws(1), "b": draws(2), "k": ["same"] * N}, {}),
    "constant number": ("blocker", ("k",), {"a": normal(1), "b": normal(2), "k": [0.3] * N}, {"kind": "continuous"}),
    "id_like": (
        "warning",
        ("k",),
        {"a": draws(1), "b": draws(2), "k": [f"p{j}" for j in range(N)]},
        {"kind": "categorical"},
    ),
    "id_like number": ("warning", ("k",), {"a": normal(1), "b": normal(2), "k": range(N)}, {"kind": "continuous"}),
    "duplicate": ("warning", ("k",), {"a": draws(1, "xyz"), "b": draws(2), "k": draws(1, "pqr")}, {}),
    "duplicate number": ("blocker", ("k",), {"a": normal(1), "b": normal(2), "k": normal(1)}, {}),
    "many_levels": ("warning", ("k",), {"a": draws(1), "b": draws(2), "k": draws(3, "abcdefghijklmnopqrst")}, {}),
    "small_counts": (
        "warning",
        ("k",),
        {"a": draws(1), "b": draws(2), "k": ["u"] * (N - 9) + ["v"] * 6 + ["w"] * 3},
        {},
    ),
    "all_missing": ("blocker", ("k",), {"a": draws(1), "b": draws(2), "k": [""] * N}, {"kind": "categorical"}),
    "infinite": ("blocker", ("k",), {"a": normal(1), "b": normal(2), "k": [*normal(3)[1:], "inf"]}, {}),
    "not_numbers": (
        "blocker",
        ("k",),
        {"a": normal(1), "b": normal(2), "k": [*normal(3)[1:], "<5"]},
        {"kind": "continuous"},
    ),
    "possible_missing": (
        "warning",
        ("k",),
        {"a": draws(1), "b": draws(2), "k": ["k.A." if t < 3 else v for t, v in enumerate(draws(3))]},
        {},
    ),
    "doubtful_missing": (
        "warning",
        ("k",),
        {"a": draws(1), "b": draws(2), "k": ["None" if v == "x" else v for v in draws(3)]},
        {},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_fault_is_found_named_and_fixed(case):
    """The finding has its severity and column, one sentence with the column, and a first fix that resolves it."""
    severity, columns, cells, change = CASES[case]
    table = table_of(**cells)
    plan = default_plan(table).change("k", **change)
    found = check_health(table, plan)
    code = case.split()[0]
    only = finding(found, code)
    assert (only.severity, only.columns) == (severity, columns)
    assert "'k'" in only.reason
    assert "\n" not in only.reason
    assert only.fixes[0].label
    assert code not in codes(check_health(table, only.fixes[0].plan))
    if severity == "blocker":
        assert prepare(table, only.fixes[0].plan).dataset.p >= 2


def test_linear_dependence_names_a_minimal_set():
    """The finding on a linear dependence names only the dependent columns, and its fix leaves out one of them."""
    a, b, c, d = (normal(seed) for seed in range(4))
    table = table_of(
        a=a.round(3), b=b.round(3), c=c.round(3), d=d.round(3), total=(a.round(3) - 2 * c.round(3)).round(3)
    )
    found = check_health(table, default_plan(table))
    only = finding(found, "linear_dependence")
    assert only.severity == "blocker"
    assert set(only.columns) == {"a", "c", "total"}
    assert check_health(table, only.fixes[0].plan) == ()


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(0, 3))
def test_dependent_sets_are_dependent_and_minimal(seed, independent, dependent):
    """The number of sets equals the rank deficiency; each set is singular, and regular without any one column."""
    rng = np.random.default_rng(seed)
    basis = rng.normal(size=(50, independent)) * 10.0 ** rng.integers(-6, 6, independent) + rng.integers(-9, 9)
    weights = rng.integers(-2, 3, size=(independent, dependent)).astype(float)
    weights[0, (weights == 0).all(axis=0)] = 1.0
    values = np.column_stack([basis, (basis / basis.std(axis=0)) @ weights])[
        :, rng.permutation(independent + dependent)
    ]
    sets = dependent_sets(values)
    assert len(sets) == dependent
    standard = (values - values.mean(axis=0)) / values.std(axis=0)
    for target, others in sets:
        columns = [target, *others]
        assert np.linalg.matrix_rank(standard[:, columns], tol=1e-6) == len(columns) - 1
        for left_out in columns:
            rest = [j for j in columns if j != left_out]
            assert np.linalg.matrix_rank(standard[:, rest], tol=1e-6) == len(rest)


def test_nearly_dependent_columns_are_not_called_dependent():
    """A correlation of 0.999999 is reported as nearly determined, not as an exact dependence."""
    a, noise = normal(1, 500), normal(2, 500)
    table = table_of(a=a, b=a + 1e-3 * noise)
    (found,) = check_health(table, default_plan(table))
    assert (found.severity, found.code, found.columns) == ("warning", "determined", ("b",))
    assert found.reason.startswith("column 'b' is nearly determined by 'a'")


def test_few_rows_are_no_proof_of_dependence():
    """With fewer rows than columns everything is dependent, so only the number of rows is reported."""
    values = np.random.default_rng(0).normal(size=(20, 30))
    table = Table.from_dataset(Dataset.from_values(values, [f"v{j}" for j in range(30)]))
    found = check_health(table, default_plan(table))
    assert codes(found) == ["n_against_p"]


def test_mixed_columns_are_no_finding():
    """A sound table of mixed data has no findings."""
    table = table_of(a=normal(1), b=draws(2), c=normal(3), d=draws(4))
    assert check_health(table, default_plan(table)) == ()


def test_columns_with_missing_cells_are_checked_on_what_is_there():
    """A constant, a copy and a combination are found in the observed cells."""
    a, b = normal(1), normal(2)
    total = [f"{2 * float(x) - 3 * float(y):.10f}" for x, y in zip(a, b, strict=True)]
    table = table_of(a=["NA", *a[1:]], b=b, total=["", *total[1:]], one=["", *["7.5"] * (N - 1)], x=["", *draws(3)[1:]])
    plan = default_plan(table).change("one", kind="continuous")
    found = codes(check_health(table, plan))
    assert "constant" in found
    assert "missing" in found
    assert "linear_dependence" in codes(check_health(table, plan.change("one", kind="ignore")))


def test_a_constant_blocks_whatever_its_kind():
    table = table_of(a=normal(1), b=normal(2), k=["x"] * N)
    assert codes(check_health(table, default_plan(table))) == ["constant"]


def test_amounts_and_dates_that_are_to_be_numbers_are_read_so():
    """The first fix converts the cells; text without a conversion becomes categorical."""
    prices = [f"{k * 7 % 53 + 10},{k % 10}0 €" for k in range(N)]
    days = [f"{k % 28 + 1}.{k % 12 + 1}.2024" for k in range(N)]
    table = table_of(price=[*prices[1:], "k.A."], day=days, a=draws(1))
    plan = default_plan(table).change("price", "day", kind="continuous")
    labels = [f.fixes[0].label for f in check_health(table, plan) if f.code == "not_numbers"]
    assert labels == [
        "read 'price' as numbers with a decimal comma, with 'k.A.' missing",
        "read 'day' as day/month/year, taking days since the first date",
    ]
    plan, _, _ = without_blockers(table, plan)
    dataset = prepare(table, plan).dataset
    assert dataset.kinds == ("continuous", "continuous", "categorical")
    assert (dataset.values[0, 0], np.isnan(dataset.values[:, 0]).sum()) == (17.1, 1)


@pytest.mark.deep
@pytest.mark.compiled
def test_more_levels_than_a_test_can_take_block_only_beside_numbers():
    """The fixes read dates as numbers and leave out the column with more than 1,000 levels; no blocker remains."""
    n = 2_100
    days = [f"{2000 + k % 700 // 28 % 20}-{k % 12 + 1:02}-{k % 28 + 1:02}" for k in range(n)]
    notes = [f"note {k * 11 % 1_050}" for k in range(n)]
    towns = [f"town {k * 11 % 999}" for k in range(n)]
    table = table_of(day=days, note=notes, town=towns, a=draws(1, n=n), x=normal(2, n=n))
    plan, found, done = without_blockers(table, default_plan(table))
    assert [one.severity for one in found if one.severity == "blocker"] == []
    assert ([one.kind for one in plan.columns], len(done)) == (
        ["continuous", "ignore", "categorical", "categorical", "continuous"],
        2,
    )
    assert "has 1,050 levels. With numbers or missing cells in the table, a column may have 1,000" in done[1]
    learn("hc", prepare(table, plan).dataset)
    assert "too_wide" not in codes(check_health(table, default_plan(table).change("x", kind="ignore")))


def test_levels_beside_numbers_count_as_columns():
    """Six columns of six levels and a number count as 31 columns; those with most levels are named, with a fix."""
    rng = np.random.default_rng(3)
    rows = [["abcdef"[k % 6] for k in rng.permutation(24)] for _ in range(6)]
    rows.append([f"{x:.3f}" for x in rng.normal(size=24)])
    names = ["u", "v", "w", "x", "y", "z", "number"]
    text = "\n".join([",".join(names), *(",".join(cells) for cells in zip(*rows, strict=True))])
    table = read_table(text.encode())
    plan = default_plan(table)
    finding = next(one for one in check_health(table, plan) if one.code == "columns_of_levels")
    assert finding.severity == "warning"
    assert finding.columns == ("u", "v", "w", "x", "y")
    assert "the levels count as 31 columns, for 24 rows" in finding.reason
    assert finding.fixes
    without = plan.change("u", "v", kind="ignore")
    assert "columns_of_levels" not in codes(check_health(table, without))


def test_text_taken_for_numbers_becomes_categorical_again():
    """A numeric column without any number, whose cells would all be missing, gets a fix that makes it categorical."""
    table = table_of(a=draws(1), b=draws(2))
    plan = default_plan(table).change("a", kind="continuous")
    only = finding(check_health(table, plan), "not_numbers")
    assert only.fixes[0].plan.column("a").kind == "categorical"
    assert check_health(table, only.fixes[0].plan) == ()


def test_too_many_levels_block():
    """A column of 65 536 levels is a blocker; the fix bins numbers and leaves out text."""
    n = 65_536
    table = table_of(a=draws(1, n=n), t=[f"t{k}" for k in range(n)], v=[2 * k for k in range(n)])
    plan = default_plan(table).change("t", "v", kind="categorical")
    found = [f for f in check_health(table, plan) if f.code == "too_many_levels"]
    assert [f.columns for f in found] == [("t",), ("v",)]
    assert found[0].fixes[0].plan.column("t").kind == "ignore"
    assert found[1].fixes[0].plan.column("v").binning == Binning()


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ({"a": draws(1)}, "few_columns"),
        ({"a": ["x"], "b": ["y"]}, "few_rows"),
        ({"a": draws(1), "b": [""] * N}, "few_columns"),
    ],
    ids=["one column", "one row", "one column and an empty one"],
)
def test_a_fault_that_only_the_user_can_remove_has_no_fix(cells, code):
    """A table of one column or one row has a blocker that explains what to do."""
    only = finding(check_health(table := table_of(**cells), default_plan(table)), code)
    assert only.severity == "blocker"
    assert only.fixes == ()
    assert only.reason.startswith("learning needs at least")


def test_rows_lost_to_missing_cells_can_be_won_back():
    """If dropping rows leaves too few, the fix keeps missing cells."""
    columns = [["" if (row + j) % 3 else "xy"[row % 2] for row in range(30)] for j in range(3)]
    table = table_of(a=columns[0], b=columns[1], c=columns[2])
    only = finding(check_health(table, default_plan(table).with_policy("drop")), "few_rows")
    assert "without a missing cell, found 0 of 30" in only.reason
    assert "few_rows" not in codes(check_health(table, only.fixes[0].plan))


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("available", "Learners use the other cells of these rows"),
        ("drop", "2 of 60 rows are dropped"),
        ("category", "a level of their own"),
        ("mode", "imputed by the mode"),
    ],
)
def test_missing_cells_are_counted_with_the_policy(policy, expected):
    """The finding gives the number, the markers and the policy; the other policies are its fixes."""
    table = table_of(a=["", "NA", *draws(1, "12")[2:]], b=draws(2))
    only = finding(check_health(table, default_plan(table).with_policy(policy)), "missing")
    assert "2 cells of column 'a' are missing, written as empty cells (1), 'NA' (1)" in only.reason
    assert expected in only.reason
    assert {fix.plan.missing_policy for fix in only.fixes} == {"available", "drop", "category", "mode"} - {policy}


def test_columns_left_out_by_the_guess_are_said():
    """A column that is ignored by default is reported with its reason until it is used."""
    table = table_of(person=[f"p{k}" for k in range(N)], a=draws(1), b=draws(2))
    plan = default_plan(table)
    assert "'person'" in finding(check_health(table, plan), "left_out").reason
    assert codes(check_health(table, plan.change("person", kind="categorical"))) == ["id_like"]


def test_a_doubtful_header_is_said():
    """A header of numbers is reported as doubtful."""
    table = table_of(**{"1": draws(1), "2": draws(2)})
    assert codes(check_health(table, default_plan(table))) == ["header"]


def test_blockers_come_first():
    """Blockers are listed before warnings."""
    table = table_of(a=["", *draws(1)[1:]], k=["x"] * N, b=normal(2), c=draws(3))
    severities = [f.severity for f in check_health(table, default_plan(table))]
    assert severities == sorted(severities)
    assert set(severities) == {"blocker", "warning"}


def test_duplicates_see_through_other_names_of_levels():
    """Equal partitions are duplicates, equal counts are not."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 3, 200)
    other = rng.permutation(a)
    table = table_of(a=a, other=other, copy=(a + 1) % 3)
    found = finding(check_health(table, default_plan(table)), "duplicate")
    assert found.columns == ("copy",)
    assert "under other names" in found.reason
    table = table_of(a=np.where(a == 2, "", a.astype(str)), other=other, copy=np.where(a == 2, "", a.astype(str)))
    assert "'copy' has the same levels as 'a'" in finding(check_health(table, default_plan(table)), "duplicate").reason
    table = table_of(a=a, other=other, copy=a)
    assert "'copy' has the same levels as 'a'" in finding(check_health(table, default_plan(table)), "duplicate").reason


nasty_cells = st.one_of(
    st.sampled_from(
        ["", " ", "NA", "None", "?", "inf", "-inf", "nan", "0", "1", "2.5", "-1e400", "1e308", "x", "<script>"]
    ),
    st.floats(allow_nan=True).map(repr),
    st.integers(-3, 40).map(str),
)


@st.composite
def nasty_tables(draw):
    """Draw tables with columns of several types, many of them invalid."""
    n = draw(st.sampled_from([1, 5, 12, 40]))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    makers = {
        "few": lambda: rng.choice(draw(st.lists(nasty_cells, min_size=1, max_size=4)), n),
        "any": lambda: draw(st.lists(nasty_cells, min_size=n, max_size=n)),
        "normal": lambda: rng.normal(size=n).round(2).astype(str),
        "counter": lambda: np.arange(n).astype(str),
        "empty": lambda: [""] * n,
        "line": lambda: (np.arange(n) * 0.5 + 1).astype(str),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(makers)), min_size=1, max_size=6))
    return table_of(**{f"v{j}": list(makers[kind]()) for j, kind in enumerate(chosen)})


@pytest.mark.deep
@pytest.mark.compiled
@settings(max_examples=200, deadline=None)
@given(nasty_tables(), st.data())
def test_taking_the_first_fix_ends_in_data_or_in_a_plain_sentence(table, data):
    """Applying the first fix repeatedly ends in a plan that can be prepared, or in a blocker with an explanation."""
    plan = default_plan(table).with_policy(data.draw(st.sampled_from(["available", "drop", "category", "mode"])))
    for name in table.names:
        kind = data.draw(st.sampled_from([None, "categorical", "continuous", "binned"]))
        if kind == "binned":
            plan = plan.change(name, kind="categorical", binning=Binning("width", 3))
        elif kind:
            plan = plan.change(name, kind=kind)
    for _ in range(4 * table.p + 3):
        blockers = [f for f in check_health(table, plan) if f.severity == "blocker"]
        if not any(f.fixes for f in blockers):
            break
        plan = next(f for f in blockers if f.fixes).fixes[0].plan
    else:
        raise AssertionError(f"fixes do not end: {blockers}")
    if not blockers:
        dataset = prepare(table, plan).dataset
        assert dataset.p >= 2
    for blocker in blockers:
        assert blocker.code in ("few_columns", "few_rows")
        assert "at least" in blocker.reason


@pytest.mark.deep
@pytest.mark.compiled
@settings(max_examples=100, deadline=None)
@given(nasty_tables())
def test_every_fix_is_a_plan_that_is_checked_or_refused_in_words(table):
    """The plan of every fix can be checked; if it cannot be prepared, it has a blocker."""
    for found in check_health(table, default_plan(table)):
        for fix in found.fixes:
            check_health(table, fix.plan)
            try:
                prepare(table, fix.plan)
            except DataError:
                assert any(f.severity == "blocker" for f in check_health(table, fix.plan))


def test_a_column_that_two_others_determine_is_reported():
    """An "or" of two columns is determined by both of them; a noisy "or" is not."""
    a, b = draws(1, "01"), draws(2, "01")
    either = [str(int(x) | int(y)) for x, y in zip(a, b, strict=True)]
    nearly = [*either[:-1], "1" if either[-1] == "0" else "0"]
    table = table_of(a=a, b=b, either=either, nearly=nearly)
    found = [one for one in check_health(table, default_plan(table)) if one.code == "determined"]
    assert [(one.columns, one.severity) for one in found] == [(("either",), "warning")]
    assert "column 'either' is determined by 'a' and 'b'" in found[0].reason
    assert found[0].fixes[0].plan.column("either").kind == "ignore"


def test_relations_of_few_rows_are_not_reported():
    """With one or two rows per group, no column is reported as determined."""
    table = table_of(**{name: draws(k, "abcdefgh")[:60] for k, name in enumerate("uvwx")})
    assert "determined" not in codes(check_health(table, default_plan(table)))


def test_long_names_are_cut_in_every_sentence():
    """A column name of 200 letters is shortened in all reasons and labels."""
    long = "n" * 200
    cells = {
        "a": draws(1),
        long: draws(1, "pqr"),
        f"{long} constant": ["x"] * N,
        f"{long} odd": ["k.A.", *normal(3)[1:]],
    }
    table = table_of(**cells)
    found = check_health(table, default_plan(table))
    assert {"constant", "duplicate", "nearly_numbers"} <= set(codes(found))
    actual = [text for one in found for text in (one.reason, *(fix.label for fix in one.fixes))]
    assert [text for text in actual if long in text] == []


def test_a_single_row_is_too_few_rows_and_nothing_else():
    """A table of one row is reported as having too few rows, and its constant columns are not reported."""
    table = table_of(a=["1"], b=["2"], c=["x"])
    assert codes(check_health(table, default_plan(table))) == ["few_rows"]


def test_every_reason_ends_with_one_full_stop():
    """Every reason ends with one full stop, also reasons from errors and from notes of the file reader."""
    rows = [("w", "a", "b"), *(("-1", "x", "u"), ("2", "y", "v")) * 10]
    weighed = read_table("".join(",".join(row) + "\n" for row in [("a title", "", ""), *rows]).encode())
    tables = [(weighed, default_plan(weighed).with_weights("w"))]
    tables += [
        (table := table_of(**cells), default_plan(table).change("k", **change)) for *_, cells, change in CASES.values()
    ]
    found = [finding for table, plan in tables for finding in check_health(table, plan)]
    assert {"weights", "header"} <= set(codes(found))
    assert [f.reason for f in found if not f.reason.endswith(".") or f.reason.endswith("..")] == []
