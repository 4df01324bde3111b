"""Tests that keys and groups of rows are found by their values and ignored by a fix, unlike measurements."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import with_proposals
from learners.data.quality.groups import effective_rows, groups_of_rows, similarity
from learners.data.quality.health import check_health
from learners.data.quality.identifiers import kind_of_key
from learners.data.quality.inspection import Inspection
from learners.data.reading.table import Table, read_table

CASES = Path(__file__).parents[1] / "cases"
ROWS = 600


def table_of(tmp_path: Path, **columns: object) -> Table:
    path = tmp_path / "table.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return read_table(path)


def found(table: Table, code: str) -> list[str]:
    return [name for f in check_health(table, default_plan(table)) if f.code == code for name in f.columns]


def test_ids_of_the_case_are_left_out():
    """A visit number with gaps and a postal code are keys; only the arm remains."""
    table = read_table(CASES / "r35_ids.csv")
    assert found(table, "id_like") == ["visit_no", "zip"]
    (finding,) = [f for f in check_health(table, default_plan(table)) if f.code == "id_like"]
    assert [column.name for column in finding.fixes[0].plan.used] == ["arm"]


def test_a_trials_patient_number_is_left_out(tmp_path):
    """A column of 2,139 different numbers between 10,000 and 990,000, as in a reported case, is a key."""
    rng = np.random.default_rng(175)
    n = 2_139
    numbers = np.sort(rng.choice(np.arange(10_000, 990_000), n, replace=False))
    table = table_of(tmp_path, pidnum=numbers, cd40=rng.integers(0, 1_200, n), age=rng.integers(12, 70, n))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert [column.name for column in plan.used] == ["cd40", "age"]
    table = table_of(tmp_path, X=numbers, cd40=rng.integers(0, 1_200, n), age=rng.integers(12, 70, n))
    assert found(table, "possible_id") == ["X"]


@pytest.mark.parametrize("odd", ["", "sum of all", "NA"])
@pytest.mark.parametrize("style", ["counter", "gaps", "shuffled"])
def test_a_cell_without_a_number_hides_no_key(style, odd, tmp_path):
    """Fixes never make a variable of the number of a case, even if a few cells are empty or have a word."""
    rng = np.random.default_rng(7)
    numbers = {"counter": 10_000 + 3 * np.arange(200), "gaps": 10_000 + np.sort(rng.permutation(4_000)[:200])}
    own = numbers.get(style, rng.permutation(1_000)[:200]).astype(str).astype(object)
    own[[50, 199]] = odd
    table = table_of(tmp_path, case_id=own, age=rng.integers(12, 70, 200), weight=rng.normal(70, 9, 200).round(1))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert [column.name for column in plan.used] == ["age", "weight"]


@pytest.mark.parametrize("odd", ["refused", "<5"])
def test_a_few_words_hide_no_measured_numbers(odd, tmp_path):
    """Whole incomes with a few texts are offered as numbers, although they look like IDs; codes such as 15A are not."""
    rng = np.random.default_rng(5)
    income = rng.integers(9_000, 99_000, 300).astype(str).astype(object)
    house = rng.permutation(2_000)[:300].astype(str).astype(object)
    income[[7, 50, 210]], house[[7, 50, 210]] = odd, ["15A", "20B", "9C"]
    table = table_of(tmp_path, income=income, house=house, age=rng.integers(12, 70, 300))
    assert [column.name for column in default_plan(table).used] == ["age"]
    plan, _, _ = with_proposals(table, default_plan(table))
    assert [column.name for column in plan.used] == ["income", "age"]


def test_texts_with_few_rows_each_are_not_used_unless_asked(tmp_path):
    """Names, addresses and notes have fewer than two rows per value; levels with more are variables."""
    rng = np.random.default_rng(3)
    names, towns = [f"street {k}" for k in rng.integers(0, 150, 200)], [f"town {k}" for k in rng.integers(0, 60, 200)]
    table = table_of(tmp_path, address=names, town=towns, age=rng.integers(12, 70, 200))
    assert [column.name for column in default_plan(table).used] == ["town", "age"]
    assert "fewer than two rows per value" in table.guess.of("address").reason
    dates = pd.Series(pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 330, 200), unit="D")).dt.date
    table = table_of(tmp_path, visit=dates, town=towns, age=rng.integers(12, 70, 200))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert plan.column("visit").kind == "continuous"  # a fix converts what the default leaves out


def test_numbers_that_should_repeat_and_do_not_are_keys():
    """A column of 600 different numbers below 2,000 in random order is an ID, not a measurement."""
    rng = np.random.default_rng(1)
    assert kind_of_key("X", rng.permutation(2_000)[:ROWS].astype(float)) == "id_like"
    assert kind_of_key("X", rng.permutation(ROWS)[:ROWS].astype(float)) == "id_like"
    assert kind_of_key("rank", rng.permutation(ROWS)[:ROWS].astype(float)) is None


@pytest.mark.parametrize("seed", range(20))
def test_measured_whole_numbers_are_no_keys(seed):
    """Incomes, populations, counts and prices of any scale are not keys."""
    rng = np.random.default_rng(seed)
    for scale in (1e3, 1e5, 1e7, 1e10):
        for values in (
            rng.lognormal(0, 1, ROWS),
            rng.uniform(0, 3, ROWS),
            rng.normal(10, 2, ROWS),
            rng.gamma(0.5, 1, ROWS),
        ):
            assert kind_of_key("value", np.floor(np.abs(values) * scale)) is None


def repeated(tmp_path: Path, seed: int = 2, *, shuffled: bool = False, name: str = "subject") -> Table:
    """Return a table of 60 subjects with ten rows each; level and age are constant within a subject."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(60), 10)
    level = rng.normal(size=(2, 60))
    frame = pd.DataFrame(
        {
            name: 300 + 7 * who,
            "age": rng.integers(20, 60, 60)[who],
            "sex": rng.choice(["f", "m"], 60)[who],
            "pulse": level[0][who] + rng.normal(size=ROWS),
            "pressure": level[1][who] + rng.normal(size=ROWS),
        }
    )
    frame = frame.sample(frac=1, random_state=seed) if shuffled else frame
    return table_of(tmp_path, **{key: frame[key].to_numpy() for key in frame})


@pytest.mark.parametrize(("shuffled", "name"), [(False, "subject"), (True, "subject"), (False, "X")])
def test_subjects_are_left_out_and_their_rows_are_not_independent(tmp_path, shuffled, name):
    """Groups are found by blocks of rows with constant columns, or by name; a fix keeps one row per subject."""
    table = repeated(tmp_path, shuffled=shuffled, name=name)
    assert found(table, "group_id") == [name]
    plan, left, _ = with_proposals(table, default_plan(table))
    assert name not in [column.name for column in plan.used]
    (finding,) = [f for f in left if f.code == "repeated_measures"]
    assert "60 groups are worth about" in finding.reason
    fixed = finding.fixes[0].plan
    assert finding.fixes[0].label == f"use one row for each '{name}'"
    prepared = prepare(table, fixed)
    assert prepared.dataset.n_rows == 60
    assert prepared.notes[0] == f"one row for each '{name}': 60 of 600 rows"
    assert Plan.from_dict(fixed.to_dict()) == fixed
    assert not [f for f in check_health(table, fixed) if f.code == "repeated_measures"]
    by_group = finding.fixes[-1].plan
    assert finding.fixes[-1].label == f"resample by '{name}' in bootstraps"
    prepared = prepare(table, by_group)
    assert len(np.unique(prepared.dataset.groups)) == 60
    assert f"resamples draw the 60 groups of column '{name}' whole" in prepared.notes
    assert Plan.from_dict(by_group.to_dict()) == by_group


def test_sorted_measurements_are_no_groups(tmp_path):
    """Sorted ages are no groups, since no other column is constant within an age."""
    rng = np.random.default_rng(3)
    age = np.sort(rng.integers(20, 80, ROWS))
    table = table_of(tmp_path, age=age, income=rng.normal(size=ROWS) + age / 20, sex=rng.choice(["f", "m"], ROWS))
    assert not found(table, "group_id") + found(table, "repeated_measures") + found(table, "id_like")


def test_effective_rows_are_those_of_theory(tmp_path):
    """The effective rows follow from the simulated intraclass correlation of one half; copies count as one row."""
    table = repeated(tmp_path)
    inspection = Inspection(table, default_plan(table))
    (one,) = inspection.once(groups_of_rows)
    own = similarity(inspection.all_rows, inspection.all_rows.index("pulse"), one.codes, one.n_groups)
    assert own == pytest.approx(0.5, abs=0.12)
    assert effective_rows(one, 1.0) == pytest.approx(60)
    assert effective_rows(one, 0.0) == ROWS
    assert effective_rows(one, 0.25) == pytest.approx(ROWS / (1 + 9 / 4))


def test_amounts_of_groups_and_regions_stay_variables(tmp_path):
    """The budget of a team, and a province with many rows, are variables, although the first is constant in a team."""
    rng = np.random.default_rng(5)
    team = np.repeat(np.arange(30), 20)
    table = table_of(
        tmp_path,
        budget=rng.choice(10**6, 30, replace=False)[team] * 10,
        league=rng.choice(["n", "a"], 30)[team],
        town=rng.choice(["big", "small", "rural"], 30)[team],
        province=rng.choice([f"p{k}" for k in range(15)], ROWS),
        wage=rng.normal(size=ROWS),
    )
    assert not found(table, "group_id")
    plan, *_ = with_proposals(table, default_plan(table))
    assert {"budget", "province"} <= {column.name for column in plan.used}


def test_codes_of_many_nines_are_missing(tmp_path):
    """Numbers of six nines, also rounded to four bytes, are codes; a large amount is not."""
    rng = np.random.default_rng(6)
    term = np.where(np.arange(ROWS) < 4, 999999.375, rng.integers(6, 480, ROWS))
    table = table_of(tmp_path, term=term, pay=np.where(np.arange(ROWS) < 4, 899_999, rng.integers(6, 480, ROWS)))
    assert found(table, "codes") == ["term"]


def test_an_id_of_households_with_mostly_one_row_is_a_group(tmp_path):
    """A column called an ID names households, also if most of them have one row; amounts that rarely repeat do not."""
    rng = np.random.default_rng(6)
    household = np.repeat(np.arange(320), 1 + (np.arange(320) % 7 == 0))
    n = len(household)
    columns = {
        "wealth": rng.choice(10**6, 320)[household] * 10,
        "children": rng.integers(0, 5, 320)[household],
        "sex": rng.choice(["f", "m"], n),
        "wage": rng.normal(size=n),
    }
    table = table_of(tmp_path, id=1_000 + 13 * household, **columns)
    assert found(table, "group_id") == ["id"]
    assert not [f for f in check_health(table, default_plan(table)) if f.code == "determined" and "id" in f.reason]
    assert not found(table_of(tmp_path, income=1_000 + 13 * household, **columns), "group_id")


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize(
    "name", ["number_of_steps", "NO2", "price index", "record_sales", "phone_minutes", "zip_income"]
)
def test_a_measurement_is_no_key_by_a_word_of_its_name(name):
    """Different whole numbers of a large range, in no order, are no key, whatever word the name shares with keys."""
    numbers = np.random.default_rng(5).permutation(3_000_000)[:ROWS].astype(float)
    assert kind_of_key(name, numbers) is None
    for key in ("patient_id", "Row", "invoice no", "visit_no", "Phone", "zip"):
        assert kind_of_key(key, numbers) == "id_like"


@pytest.mark.parametrize("name", ["family_size", "mother_age", "plant height", "number_of_visits", "school_hours"])
def test_a_measurement_of_groups_is_no_group(tmp_path, name):
    rng = np.random.default_rng(6)
    table = table_of(tmp_path, **{name: rng.integers(5, 40, ROWS)}, x=rng.normal(size=ROWS), y=rng.normal(size=ROWS))
    assert not found(table, "group_id")


def test_a_sorted_age_with_its_bands_is_no_group(tmp_path):
    """Rows are sorted by age, so that two bands of age are constant in the rows of one age; age stays a variable."""
    rng = np.random.default_rng(7)
    age = np.sort(rng.integers(18, 90, ROWS))
    table = table_of(tmp_path, age=age, band=age // 20, old=(age > 60).astype(int), x=rng.normal(size=ROWS))
    assert not found(table, "group_id")


@pytest.mark.parametrize("are_years", [True, False])
def test_years_of_school_are_no_numbers_of_schools(tmp_path, are_years):
    """Wages grow with years of school, but differ without order between the numbers of schools."""
    rng = np.random.default_rng(8)
    school = rng.integers(5, 18, ROWS)
    effect = (school - 11) / 4.0 if are_years else rng.normal(size=18)[school]
    table = table_of(tmp_path, school=school, wage=effect + rng.normal(size=ROWS), age=effect + rng.normal(size=ROWS))
    plan, left, _ = with_proposals(table, default_plan(table))
    assert ("school" in [column.name for column in plan.used]) == are_years
    assert ("repeated_measures" in {finding.code for finding in left}) != are_years


def test_the_only_column_that_may_count_something_is_no_group(tmp_path):
    """The numbers of a column called num measure something if no column is alike within them."""
    rng = np.random.default_rng(9)
    num = rng.integers(1, 11, ROWS).astype(object)
    num[:30] = ""
    assert not found(table_of(tmp_path, num=num, sex=rng.choice(["f", "m"], ROWS)), "group_id")


@pytest.mark.parametrize("mark", ["", "NA"])
def test_subjects_are_found_if_some_cells_are_missing(tmp_path, mark):
    """A row without a subject is a group of its own, and the finding counts the subjects that are named."""
    table = repeated(tmp_path)
    frame = pd.read_csv(tmp_path / "table.csv").astype({"subject": object})
    frame.loc[::20, "subject"] = mark
    table = table_of(tmp_path, **{key: frame[key].to_numpy() for key in frame})
    (finding,) = [f for f in check_health(table, default_plan(table)) if f.code == "group_id"]
    assert finding.columns == ("subject",)
    assert "60 groups of about 9.5 rows" in finding.reason
    (one,) = Inspection(table, default_plan(table)).once(groups_of_rows)
    assert len(np.unique(one.codes)) == 60 + 30


def test_numbers_of_litters_in_random_order_are_groups(tmp_path):
    """Only words that also mean amounts, such as school, need columns that are alike within equal numbers."""
    rng = np.random.default_rng(15)
    litter = rng.permutation(np.repeat(np.arange(1, 51), 3))
    columns = {"time": rng.integers(20, 105, 150), "status": rng.choice(["a", "b"], 150)}
    assert found(table_of(tmp_path, litter=litter, **columns), "group_id") == ["litter"]
    assert not found(table_of(tmp_path, school=litter, **columns), "group_id")
    rows = np.tile(np.arange(1, 51), 3)
    assert found(table_of(tmp_path, index=rows, **columns), "group_id") == ["index"]


def test_names_of_groups_are_left_out_with_their_ids_but_not_their_sizes(tmp_path):
    """A text with one value for each group names the groups too; a number with one is a variable."""
    rng = np.random.default_rng(10)
    firm = rng.permutation(np.repeat(np.arange(60), 10))
    table = table_of(
        tmp_path,
        firm_id=4_000 + 13 * firm,
        title=[f"{'ABCDEF'[k % 6]}{k * 7919 % 997} Ltd" for k in firm],
        staff=rng.choice(90_000, 60, replace=False)[firm] + 0.5,
        rate=rng.normal(size=ROWS),
        kind=rng.choice(["a", "b"], ROWS),
    )
    plan, _, _ = with_proposals(table, default_plan(table))
    assert [column.name for column in plan.used] == ["staff", "rate", "kind"]


def test_no_column_is_determined_by_a_key(tmp_path):
    """Sites with numbers of their own are no function of the patient number."""
    rng = np.random.default_rng(11)
    table = table_of(
        tmp_path,
        patient=np.arange(1, 2 * ROWS, 2),
        site=np.where(np.arange(ROWS) < 250, "A", "B"),
        x=rng.normal(size=ROWS),
        y=rng.normal(size=ROWS),
    )
    assert found(table, "id_like") == ["patient"]
    assert not found(table, "determined")


def test_ranks_are_no_keys(tmp_path):
    """Permutations of 1 to n that are correlated with other columns are ranks; others are keys."""
    rng = np.random.default_rng(12)
    wealth = rng.normal(size=90)
    columns = {
        "wealth": np.argsort(np.argsort(wealth)) + 1,
        "lottery": np.argsort(np.argsort(wealth + rng.normal(size=90))) + 1,
        "X": rng.permutation(90) + 1,
        "sex": rng.choice(["f", "m"], 90),
    }
    assert found(table_of(tmp_path, **columns), "id_like") == ["X"]


def test_rows_of_small_groups_are_not_alike_by_chance(tmp_path):
    """Independent columns raise no alarm on repeated measures, although some correlate by chance in few pairs."""
    for seed in range(3):
        rng = np.random.default_rng(300 + seed)
        columns = {f"x{k}": rng.normal(size=150).round(3) for k in range(12)}
        table = table_of(tmp_path, country=rng.integers(1, 60, 150), **columns)
        codes = {finding.code for finding in check_health(table, default_plan(table))}
        assert "group_id" in codes
        assert "repeated_measures" not in codes


def test_a_column_that_varies_only_beside_missing_groups_is_not_constant_within_groups(tmp_path):
    """States with many rows each stay a variable, although the country differs in the rows without a state."""
    rng = np.random.default_rng(16)
    state = rng.choice([f"state {k}" for k in range(20)], ROWS).astype(object)
    state[:12] = "NA"
    columns = {"country": np.where(state == "NA", "Palau", "USA"), "x": np.where(state == "NA", "NA", rng.random(ROWS))}
    table = table_of(tmp_path, state=state, sex=rng.choice(["f", "m"], ROWS), **columns)
    assert not found(table, "group_id")


def test_a_country_with_frequent_levels_stays_a_variable(tmp_path):
    """Levels are learned if the average row has many others with its level, although some levels are rare."""
    rng = np.random.default_rng(13)
    shares = np.array([0.45, 0.25, *[0.0375] * 8])
    country = rng.choice([f"land {k}" for k in range(10)], 120, p=shares)
    columns = {"x": rng.normal(size=120), "sex": rng.choice(["f", "m"], 120)}
    assert not found(table_of(tmp_path, country=country, **columns), "group_id")
    even = rng.choice([f"land {k}" for k in range(10)], 120)
    assert found(table_of(tmp_path, country=even, **columns), "group_id") == ["country"]


def test_a_panel_is_found_by_its_years(tmp_path):
    """Numbers of companies whose years start again in each block are groups; the levels of a factorial are not."""
    rng = np.random.default_rng(14)
    firm = np.repeat(np.arange(30), 12)
    columns = {"fyear": np.tile(np.arange(2001, 2013), 30), "roa": rng.normal(size=360), "lev": rng.normal(size=360)}
    number = np.sort(rng.choice(90_000, 30, replace=False))[firm]
    table = table_of(tmp_path, gvkey=number, sic=rng.choice([20, 28, 36], 30)[firm], **columns)
    assert found(table, "group_id") == ["gvkey"]
    table = table_of(tmp_path, heat=5 * firm, dose=np.tile(np.arange(12), 30), roa=columns["roa"], lev=columns["lev"])
    assert not found(table, "group_id")
