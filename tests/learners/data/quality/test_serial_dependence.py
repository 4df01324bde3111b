"""Tests of serial dependence: time series are found with their lag, and sorted rows are not."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learners.data.dataset import Dataset
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality import serial_dependence
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.quality.inspection import Inspection
from learners.data.quality.serial_dependence import autocorrelation, effective_rows
from learners.data.reading.table import read_table

CASES = Path(__file__).parents[1] / "cases"
N = 2_000
RNG = np.random.default_rng(41)


def series(rho, n=N):
    """Draw a series with autocorrelation `rho`."""
    found = np.zeros(n)
    for k, noise in enumerate(RNG.normal(size=n)):
        found[k] = rho * found[k - 1] + np.sqrt(1 - rho**2) * noise
    return found


def written(values):
    return [f"{value:.3f}" for value in values]


HOURS = [str(np.datetime64("2026-01-01T00:00:00") + np.timedelta64(k, "h")).replace("T", " ") for k in range(N)]
SLOW, QUICK = written(series(0.8)), written(series(0.0))
LEVELS = ["up" if float(value) > 0 else "down" for value in SLOW]


def reasons(**columns):
    rows = "\n".join(";".join(row) for row in zip(*columns.values(), strict=True))
    table = read_table(f"{';'.join(columns)}\n{rows}".encode(), separator=";", decimal=".")
    plan = default_plan(table)
    return [
        [one.reason for one in check_health(table, way) if one.code == "serial_dependence"]
        for way in (plan, with_proposals(table, plan)[0])
    ]


@pytest.mark.parametrize("clock", [HOURS, HOURS[::-1]])
def test_a_time_series_is_reported_of(clock):
    """Slow columns in temporal order are reported, whatever the type and the direction of the time column."""
    for found in reasons(hour=clock, slow=SLOW, quick=QUICK, level=LEVELS):
        assert len(found) == 1
        assert found[0].startswith("rows are in the order of 'hour', and columns 'slow' and 'level' change little")
        assert "quick" not in found[0]


def test_rows_at_the_suggested_distance_are_independent():
    """The reported distance between independent rows is 8 to 20 rows: 0.8 to the tenth power is about a tenth."""
    reason = reasons(hour=HOURS, slow=SLOW, quick=QUICK)[0][0]
    lag = int(reason.split("One row in ")[1].split(",")[0])
    assert 8 <= lag <= 20
    assert f"{N // lag} rows in all" in reason


def test_a_random_walk_with_a_trend_has_no_such_distance():
    """For a random walk with a trend the finding recommends changes between rows."""
    walk = written(np.cumsum(RNG.normal(size=N)) + np.arange(N))
    assert "changes between rows" in reasons(hour=HOURS, walk=walk, quick=QUICK)[0][0]


def test_years_are_a_clock():
    """A column of years, as in tables of countries, counts as time."""
    years = [str(year) for year in range(1700, 1900)]
    assert reasons(year=years, slow=SLOW[:200], quick=QUICK[:200])[0]


@pytest.mark.parametrize(
    "columns",
    [
        {"hour": HOURS, "quick": QUICK, "other": written(RNG.normal(size=N))},
        {"hour": list(RNG.permutation(HOURS)), "slow": list(RNG.permutation(SLOW)), "quick": QUICK},
        {"id": [str(k) for k in range(1, N + 1)], "slow": sorted(SLOW, key=float), "quick": QUICK},
        {"slow": list(RNG.permutation(SLOW)), "quick": QUICK},
        {"hour": HOURS[:30], "slow": SLOW[:30], "quick": QUICK[:30]},
        {"hour": HOURS, "same": ["1.5"] * N, "quick": QUICK},
        {"same": ["1.2"] * N, "quick": QUICK},
        {"hour": HOURS, "asked": [*RNG.choice(["yes", "no"], N // 2), *[""] * (N // 2)], "quick": QUICK},
    ],
)
def test_other_rows_are_left_in_peace(columns):
    """There is no finding for independent, shuffled, sorted or few rows, or for constant columns."""
    assert reasons(**columns) == [[], []]


def test_autocorrelation_is_the_correlation_of_numbers_and_the_kappa_of_levels():
    """The autocorrelations agree with the textbook formulas of the correlation and of Cohen's kappa."""
    x = series(0.6)
    codes = (x > 0.3).astype(np.int32)
    dataset = Dataset.joined(
        ["x", "level"],
        Dataset.from_values(x[:, None], ["x"]),
        Dataset.from_codes(codes[None, :], [2], ["level"], [("low", "high")]),
    )
    assert autocorrelation(dataset, 0, 3) == pytest.approx(np.corrcoef(x[:-3], x[3:])[0, 1])
    one, other = codes[:-1], codes[1:]
    chance = one.mean() * other.mean() + (1 - one.mean()) * (1 - other.mean())
    assert autocorrelation(dataset, 1, 1) == pytest.approx(((one == other).mean() - chance) / (1 - chance))


@pytest.mark.parametrize("columns", [{}, {"hour": list(RNG.permutation(HOURS))}])
def test_rows_without_a_clock_are_found(columns):
    """Similar consecutive rows are reported without a column of times, or with shuffled times."""
    for found in reasons(**columns, slow=SLOW, level=LEVELS, quick=QUICK):
        assert len(found) == 1
        assert found[0].startswith("columns 'slow' and 'level' change little from row to row")


def days(step):
    """Return consecutive times as numbers of year, month, day and hour."""
    times = np.datetime64("2019-11-05T00") + np.arange(N) * np.timedelta64(step, "h")
    texts = [str(time.astype("datetime64[h]")) for time in times]
    return [(text[:4], str(int(text[5:7])), str(int(text[8:10])), str(int(text[11:13]))) for text in texts]


@pytest.mark.parametrize("step", [1, 24])
def test_year_month_day_and_hour_are_a_clock(step):
    year, month, day, hour = (list(part) for part in zip(*days(step), strict=True))
    clock = {"YR": year, "MON": month, "day": day} | ({"hour": hour} if step < 24 else {})
    found = reasons(**clock, slow=SLOW, quick=QUICK)[0]
    assert found[0].startswith("rows are in the order of 'YR', 'MON'")
    assert "column 'slow' changes little" in found[0]


def test_eight_digits_are_a_day():
    """A column of eight-digit dates counts as time; a fix replaces the numbers by days since the first date."""
    date = [f"{year}{int(month):02}{int(day):02}" for year, month, day, _ in days(24)]
    assert reasons(date=date, slow=SLOW, quick=QUICK)[0][0].startswith("rows are in the order of 'date'")
    rows = "\n".join(";".join(row) for row in zip(date, SLOW, QUICK, strict=True))
    table = read_table(f"date;slow;quick\n{rows}".encode(), separator=";", decimal=".")
    (finding,) = [one for one in check_health(table, default_plan(table)) if one.code == "dates"]
    assert "'20191105' (yyyymmdd), read as numbers" in finding.reason
    assert prepare(table, finding.fixes[0].plan).dataset.values[:3, 0].tolist() == [0.0, 1.0, 2.0]


def test_dates_and_marks_of_a_column_are_read_once(monkeypatch):
    """The checks of a second plan do not parse the dates of a column again, nor look for the same texts."""
    table = read_table(CASES / "r20_dates.csv")
    plan = default_plan(table)
    check_health(table, plan)
    monkeypatch.setattr(serial_dependence, "read_dates", None)
    found = check_health(table, plan.change("season", kind="ignore"))
    assert "serial_dependence" in {finding.code for finding in found}
    cells = table.column("season")
    assert cells.among(("1", "2")) is cells.among(("1", "2"))
    assert not cells.among(("1", "2")).flags.writeable


def test_dates_of_the_case_are_a_clock():
    """In the daily counts of rented bicycles, the dates count as time, and the temperature is serially dependent."""
    table = read_table(CASES / "r20_dates.csv")
    (finding,) = [one for one in check_health(table, default_plan(table)) if one.code == "serial_dependence"]
    assert finding.reason.startswith("rows are in the order of 'dteday', and column 'temp' changes little")


def test_effective_rows_are_those_of_theory():
    """The effective rows of two series with autocorrelation 0.8 are (1 - 0.64) / (1 + 0.64) of their rows."""
    values = np.column_stack([series(0.8, 8_000), series(0.8, 8_000), series(0.0, 8_000)])
    dataset = Dataset.from_values(values, ["a", "b", "c"])
    assert effective_rows(dataset, 0, 1) == pytest.approx(8_000 * 0.36 / 1.64, rel=0.15)
    assert effective_rows(dataset, 0, 2) == pytest.approx(8_000, rel=0.05)


def independent_table(seed):
    """Return a table of independent rows, some columns discrete, perhaps sorted by one or two of them."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.choice([60, 200, 500])), int(rng.integers(2, 10))
    values = rng.normal(size=(n, p)) @ (np.eye(p) + rng.normal(size=(p, p)) * (rng.random((p, p)) < 0.3))
    frame = pd.DataFrame({f"v{j}": values[:, j].round(3) for j in range(p)})
    for j in range(rng.integers(0, p)):
        frame[f"v{j}"] = (frame[f"v{j}"] * 3).round().astype(int)
    return frame


@pytest.mark.parametrize("order", ["as drawn", "by the last", "by the first two"])
def test_independent_rows_raise_no_alarm(order):
    """No table of independent rows has a finding, as drawn or sorted by one or two columns."""
    by = {"as drawn": [], "by the last": [-1], "by the first two": [0, 1]}[order]
    alarms = []
    for seed in range(0, 200, 5):
        frame = independent_table(seed)
        frame = frame.sort_values(list(frame.columns[by])) if by else frame
        table = read_table(frame.to_csv(index=False).encode())
        alarms += Inspection(table, default_plan(table)).findings("serial_dependence")
    assert alarms == []
