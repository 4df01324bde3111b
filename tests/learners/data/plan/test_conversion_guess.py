"""Tests of conversion findings: amounts, dates and spellings in text columns are found and read by one fix."""

import json

import numpy as np
import pytest

from learners.data.column_types.dates import MONTHS
from learners.data.plan.conversion_guess import MAX_COMPARED
from learners.data.plan.plan import ColumnPlan, Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table

RNG = np.random.default_rng(11)
N = 60
DAYS = RNG.integers(0, 700, N)
OTHER = [f"{x:.2f}" for x in RNG.normal(size=N)]
PRICES = (RNG.gamma(2, 900_000, N) * 100).astype(int) / 100
HOSTILE = ["<script>alert(1)</script>", "a`b*c_$x$", '=cmd|"/c calc"', "x (year)", "ß" * 200]


def read(**columns):
    rows = zip(*columns.values(), strict=True)
    text = "\n".join(["\t".join(columns), *("\t".join(row) for row in rows)])
    table = read_table(text.encode(), separator="\t", decimal=".")
    return table, default_plan(table)


def found(code, table, plan):
    return [finding for finding in check_health(table, plan) if finding.code == code]


def dates(pattern):
    days = np.datetime64("2021-03-05", "D") + DAYS
    return [day.item().strftime(pattern) for day in days]


def numbers(table, plan, name):
    """Return the prepared values of a column under a plan that uses only this column and 'other'."""
    kept = plan.change(*[c.name for c in plan.columns if c.name not in (name, "other")], kind="ignore")
    dataset = prepare(table, kept).dataset
    return dataset.values[:, dataset.index(name)]


def european(x):
    return f"{x:,.2f}".translate(str.maketrans(",.", ".,"))


@pytest.mark.parametrize(
    "write",
    [
        lambda x: f"{x:,.2f} €",
        lambda x: f"${x:,.2f}",
        lambda x: f"{x:,.2f}",
        european,
        lambda x: european(x) + " EUR",
        lambda x: f"{x:,.2f}".replace(",", " "),
        lambda x: f"{x:,.2f}".replace(",", "\u202f").replace(".", ",") + "\u00a0€",
        lambda x: f"CHF {x:,.2f}".replace(",", "'"),
        lambda x: f"{x:.2f}".replace(".", ","),
        lambda x: f"{x:.2f}%",
        lambda x: f"{x:.2f}".replace(".", ",") + " %",
    ],
    ids=["€", "$", "1,1.5", "1.1,5", "EUR", "1 1.5", "narrow", "CHF 1'1.5", "1,5", "%", "5,5 %"],
)
def test_amounts_are_read_as_the_numbers_they_are(write):
    """Amounts with a currency are read as numbers, with a decimal mark for each column."""
    table, plan = read(price=[write(x) for x in PRICES], other=OTHER)
    (finding,) = found("amounts", table, plan)
    assert finding.columns == ("price",)
    (fix,) = finding.fixes
    assert np.allclose(numbers(table, fix.plan, "price"), PRICES)
    assert not found("amounts", table, fix.plan)
    assert any("60 cells of column 'price' were read as numbers" in n for n in prepare(table, fix.plan).notes)


def test_signs_before_and_behind_a_minus():
    """The minus sign may come before or after the currency; a cell with two minus signs is missing."""
    texts = ["-€5", "€-5", "-5 €", "\u22125 €", "+5 €", "--5 €", *(f"{x} €" for x in range(10, 64))]
    table, plan = read(price=texts, other=OTHER)
    (finding,) = found("amounts", table, plan)
    assert "with '--5 €' missing" in finding.fixes[0].label
    assert numbers(table, finding.fixes[0].plan, "price")[:5].tolist() == [-5, -5, -5, -5, 5]


def test_marks_among_amounts_are_missing():
    """A single fix declares the marks among the amounts of all columns missing."""
    prices = ["k.A.", *(f"{x:,.2f} €" for x in PRICES[1:])]
    table, plan = read(price=prices, fee=["-", *prices[1:]], other=OTHER)
    (finding,) = found("amounts", table, plan)
    assert finding.columns == ("price", "fee")
    assert "'k.A.' and '-' missing" in finding.fixes[0].label
    assert prepare(table, finding.fixes[0].plan.with_policy("drop")).dataset.n == N - 1


def test_a_mark_that_may_part_thousands_or_the_fraction_is_left_to_the_user():
    """The fixes offer both readings of '1,234 €'."""
    table, plan = read(price=[f"{1 + k},{k + 100} €" for k in range(N)], other=OTHER)
    (finding,) = found("amounts", table, plan)
    assert "may separate thousands or decimals" in finding.reason
    assert [numbers(table, fix.plan, "price")[0] for fix in finding.fixes] == [1100.0, 1.1]


def test_points_that_may_part_thousands_are_reported_and_can_be_read_so():
    """Numbers such as 2.020 may have a decimal point or a thousands separator if no other column decides."""
    texts = [f"{x:,}".replace(",", ".") for x in range(400, 400 + 37 * N, 37)]
    table, plan = read(revenue=texts, other=OTHER)
    assert numbers(table, plan, "revenue")[-1] == pytest.approx((400 + 37 * (N - 1)) / 1_000)
    (finding,) = found("parted", table, plan)
    assert (finding.columns, finding.severity) == (("revenue",), "warning")
    (fix,) = finding.fixes
    assert numbers(table, fix.plan, "revenue").tolist() == list(range(400, 400 + 37 * N, 37))
    assert not found("parted", table, fix.plan)


@pytest.mark.parametrize(
    "texts",
    [
        [f"{x / 8:g}" for x in range(8, 8 + N)],
        [f"{x / 1_000:.3f}" for x in range(1_001, 1_001 + N)],
        [*(f"{x / 1_000:.3f}" for x in range(1_001, N + 1_000)), "1200"],
        [*(f"{x / 1_000:.3f}" for x in range(2, N + 1)), "7"],
        [str(x) for x in range(N)],
    ],
    ids=["fewer digits", "none whole", "four digits", "0.002", "whole"],
)
def test_points_that_part_the_fraction_are_left_in_peace(texts):
    """Columns with any evidence of decimal points have no finding."""
    assert not found("parted", *read(revenue=texts, other=OTHER))


@pytest.mark.parametrize("signs", [("€", "$"), ("%", "")], ids=["two currencies", "shares and numbers"])
def test_amounts_of_different_units_are_left_in_peace(signs):
    """Columns with amounts of different units have no finding, because such amounts cannot be compared."""
    texts = [f"{k + 10} {signs[k % 2]}".strip() for k in range(N)]
    assert not found("amounts", *read(price=texts, other=OTHER))


@pytest.mark.parametrize(
    "pattern",
    ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d.%m.%y", "%Y-%m-%d %H:%M", "%m/%d/%Y %I:%M %p"],
)
def test_dates_become_days_since_the_first(pattern):
    """Dates become days since the first date; the cells determine the order of day, month and year."""
    table, plan = read(day=dates(pattern), other=OTHER)
    (finding,) = found("dates", table, plan)
    assert finding.columns == ("day",)
    assert len(finding.fixes) == 2
    assert np.array_equal(numbers(table, finding.fixes[0].plan, "day"), DAYS - DAYS.min())
    assert not found("dates", table, finding.fixes[0].plan)


@pytest.mark.parametrize(
    ("pattern", "change"),
    [
        ("%d-%b-%Y", str), ("%d%b%Y", str.upper), ("%d %B %y", str), ("%b %d, %Y", str), ("%B %d %Y", str.lower),
        ("%d%b%Y:%H:%M", str.upper), ("%d. %B %Y", lambda text: text.replace("May", "Mai").replace("Dec", "Dez")),
    ],
)  # fmt: skip
def test_months_have_names(pattern, change):
    """Dates with the name of a month, in English or German, become days, as SAS and spreadsheets write them."""
    table, plan = read(day=[f'"{change(text)}"' for text in dates(pattern)], other=OTHER)
    (finding,) = found("dates", table, plan)
    assert np.array_equal(numbers(table, finding.fixes[0].plan, "day"), DAYS - DAYS.min())


@pytest.mark.parametrize("pattern", ["{y}-{m:02}", "{y}M{m:02}", "{m}/{y}", "{b} {y}", "{b}-{s:02}", "{m}/{s:02}"])
def test_months_become_days_or_year_and_month(pattern):
    """A month is its first day; its weekday is no variable."""
    months = [(1986 + k % 19, 1 + k * 5 % 12) for k in range(N)]
    texts = [pattern.format(y=y, m=m, s=y % 100, b=MONTHS[m - 1][:3]) for y, m in months]
    table, plan = read(month=texts, other=OTHER)
    (finding,) = found("dates", table, plan)
    first = np.array([np.datetime64(f"{y}-{m:02}-01") for y, m in months])
    assert numbers(table, finding.fixes[0].plan, "month").tolist() == (first - first.min()).astype(int).tolist()
    split = finding.fixes[1]
    assert split.label == "split 'month' into year and month"
    assert [c.name for c in split.plan.used] == ["month (year)", "month (month)", "other"]
    assert not found("number_pairs", table, plan)


def test_quarters_are_dates():
    """A quarter is its first day."""
    table, plan = read(time=[f"{2001 + k // 4}{'-' * (k % 2)}Q{1 + k % 4}" for k in range(N)], other=OTHER)
    (finding,) = found("dates", table, plan)
    first = np.array([np.datetime64(f"{2001 + k // 4}-{1 + 3 * (k % 4):02}-01") for k in range(N)])
    assert numbers(table, finding.fixes[0].plan, "time").tolist() == (first - first[0]).astype(int).tolist()


@pytest.mark.parametrize(
    "cells",
    [
        [f"{k % 12 + 1}/20" for k in range(N)],  # points out of 20
        [f"{k % 12 + 1}/{10 + 2 * (k % 2)}" for k in range(N)],  # visual acuity
        [f"{k % 12 + 1}-{k % 40 + 20}" for k in range(N)],  # results of games
        ["LOD", "<1", *(f"{k % 12 + 1}.{k % 70 + 20}" for k in range(N - 2))],  # numbers
        [f"{k % 28 + 1} Marbles {k % 90 + 10}" for k in range(N)],
    ],
)
def test_shares_and_words_are_no_months(cells):
    assert not found("dates", *read(share=cells, other=OTHER))


def test_dates_become_year_month_and_weekday():
    """Columns of year, month and weekday replace a date, with levels in calendar order."""
    table, plan = read(day=["k.A.", *dates("%d.%m.%Y")[1:]], other=OTHER)
    plan = found("dates", table, plan)[0].fixes[1].plan
    assert [c.name for c in plan.used] == ["day (year)", "day (month)", "day (weekday)", "other"]
    dataset = prepare(table, plan.change("other", kind="ignore").with_policy("drop")).dataset
    assert dataset.n == N - 1
    assert dataset.levels[0] == ("2021", "2022", "2023")
    assert dataset.levels[1][:3] == ("January", "February", "March")
    assert dataset.levels[2] == ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    first = (np.datetime64("2021-03-05") + DAYS[1:]).astype(object)
    assert [dataset.levels[2][c] for c in dataset.codes[2]] == [day.strftime("%A") for day in first]
    assert not found("dates", table, plan)


def test_an_order_that_nothing_settles_is_asked_for():
    """Both orders of day and month are offered unless another column of the table determines the order."""
    open_ = [f"{1 + k % 12:02d}/{1 + (k * 7) % 12:02d}/2021" for k in range(N)]
    table, plan = read(day=open_, other=OTHER)
    (finding,) = found("dates", table, plan)
    assert "fit both orders" in finding.reason
    assert len(finding.fixes) == 4
    table, plan = read(day=open_, end=dates("%m/%d/%Y"), other=OTHER)
    (finding,) = found("dates", table, plan)
    assert finding.columns == ("day", "end")
    assert "month/day/year" in finding.reason


def test_times_become_hours():
    """Times become hours since midnight."""
    table, plan = read(clock=[f"{k % 24:02d}:{k % 4 * 15:02d}" for k in range(N)], other=OTHER)
    (finding,) = found("dates", table, plan)
    assert numbers(table, finding.fixes[0].plan, "clock").tolist() == [k % 24 + k % 4 / 4 for k in range(N)]


def test_durations_beyond_a_day_become_hours():
    """Hours count on after 24; a column without an hour beyond 23 holds times."""
    spent = [f"{k * 3 % 170}:{k % 4 * 15:02d}:30" for k in range(N)]
    table, plan = read(spent=spent, other=OTHER)
    (finding,) = found("dates", table, plan)
    assert "durations such as" in finding.reason
    expected = [k * 3 % 170 + k % 4 / 4 + 1 / 120 for k in range(N)]
    assert numbers(table, finding.fixes[0].plan, "spent").tolist() == pytest.approx(expected)
    assert any("became hours" in note for note in prepare(table, finding.fixes[0].plan).notes)
    table, plan = read(clock=[f"{k % 24}:{k % 4 * 15:02d}" for k in range(N)], other=OTHER)
    (finding,) = found("dates", table, plan)
    assert "times such as" in finding.reason


@pytest.mark.parametrize("bad", ["31.06.2021", "2021-02-30", "25:00", "13/13/2021", "1.2.3", "12", ""])
def test_what_no_calendar_shows_is_no_date(bad):
    """A column of impossible dates remains text."""
    assert not found("dates", *read(day=[bad + " " * (k % 7) for k in range(N)], other=OTHER))


def test_spellings_become_the_one_of_most_rows():
    """One fix for all columns reports the number of cells; levels that differ in more than spelling stay separate."""
    sex = ["male", "male", "Male ", "MALE", "female", "female", "Female", "male", "other", "fe male"] * 6
    table, plan = read(sex=sex, ward=["A", "a", "A", "B", "B", "B"] * 10, fine=["x", "y"] * 30)
    (finding,) = found("spellings", table, plan)
    assert finding.columns == ("sex", "ward")
    prepared = prepare(table, finding.fixes[0].plan)
    assert prepared.dataset.levels[:2] == (("fe male", "female", "male", "other"), ("A", "B"))
    assert any("18 cells of column 'sex'" in note for note in prepared.notes)
    assert not found("spellings", table, finding.fixes[0].plan)


@pytest.mark.parametrize(("levels", "compared"), [(MAX_COMPARED, True), (MAX_COMPARED + 1, False)])
def test_spellings_are_compared_up_to_a_number_of_levels(levels, compared):
    texts = ["level 0", "Level 0", *(f"level {k}" for k in range(1, levels - 1))]
    table, plan = read(a=texts * 2, b=["x", "y"] * levels)
    assert bool(found("spellings", table, plan.change("a", kind="categorical"))) == compared


def test_spellings_of_missing_marks_stay_missing():
    """Texts that are declared missing are not levels."""
    table, plan = read(a=["yes", "Yes", "NA", "na", "no"] * 12, b=["x", "y"] * 30)
    plan = plan.change("a", missing=("", "na"))
    plan = found("spellings", table, plan)[0].fixes[0].plan
    dataset = prepare(table, plan.with_policy("drop")).dataset
    assert dataset.n == 48
    assert dataset.levels[0] == ("NA", "no", "yes")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_names(name):
    """Hostile names are allowed in messages, labels and derived columns; derived names are unique."""
    table, plan = read(**{name: dates("%d.%m.%Y"), "x": dates("%d.%m.%Y"), "other": OTHER})
    (finding,) = found("dates", table, plan)
    plan = finding.fixes[1].plan
    names = [column.name for column in plan.columns]
    assert len(set(names)) == len(names)
    prepare(table, plan.change("other", kind="ignore"))


def test_treatments_are_data_and_each_fix_is_undone_by_the_plan_before():
    """The plan survives a round trip through JSON, and the table never changes."""
    table, before = read(
        day=dates("%d.%m.%Y"), price=[f"{x:,.2f} €" for x in PRICES], sex=["m", "M"] * 30, other=OTHER
    )  # fmt: skip
    plan = before
    for code in ("amounts", "dates", "spellings"):
        plan = found(code, table, plan)[0].fixes[-1].plan
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan
    assert check_health(table, before) == check_health(*read_again(table, before))


def read_again(table, plan):
    """Return the table after writing its texts to a file and reading them again."""
    text = "\n".join(["\t".join(table.names), *("\t".join(row) for row in table.frame.itertuples(index=False))])
    return read_table(text.encode(), separator="\t", decimal="."), plan


def test_columns_decided_by_the_user_are_unchanged():
    """A column that was changed by hand has no finding."""
    table, plan = read(day=dates("%d.%m.%Y"), sex=["m", "M"] * 30, other=OTHER)
    assert plan.column("day").kind == "ignore"
    assert not found("dates", table, plan.change("day", kind="categorical"))


def test_plans_without_treatments_read_cells_as_they_stand():
    """By default no column is converted."""
    table, plan = read(day=dates("%d.%m.%Y"), other=OTHER)
    assert ColumnPlan("day", "categorical").cells(table) is table.column("day")
    assert all(column.treatment is None for column in plan.columns)
