"""Tests of serial dependence: time series are found with their lag, and sorted rows are not."""

import numpy as np
import pytest

from learners.data.dataset import Dataset
from learners.data.plan.plan import default_plan
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.quality.serial_dependence import autocorrelation
from learners.data.reading.table import read_table

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


def told(**columns):
    rows = "\n".join(";".join(row) for row in zip(*columns.values(), strict=True))
    table = read_table(f"{';'.join(columns)}\n{rows}".encode(), separator=";", decimal=".")
    plan = default_plan(table)
    return [
        [one.reason for one in check_health(table, way) if one.code == "serial_dependence"]
        for way in (plan, with_proposals(table, plan)[0])
    ]


@pytest.mark.parametrize("clock", [HOURS, HOURS[::-1]])
def test_a_time_series_is_told_of(clock):
    """The finding does not depend on the use of the time column or on its direction."""
    for found in told(hour=clock, slow=SLOW, quick=QUICK, level=LEVELS):
        assert len(found) == 1
        assert found[0].startswith("rows are in the order of 'hour', and columns 'slow' and 'level' change little")
        assert "quick" not in found[0]


def test_rows_so_far_apart_are_independent():
    """0.8 to the tenth power is about a tenth."""
    reason = told(hour=HOURS, slow=SLOW, quick=QUICK)[0][0]
    lag = int(reason.split("One row in ")[1].split(",")[0])
    assert 8 <= lag <= 20
    assert f"{N // lag} rows in all" in reason


def test_a_walk_that_never_comes_back_has_no_such_distance():
    """The finding recommends changes between rows."""
    walk = written(np.cumsum(RNG.normal(size=N)) + np.arange(N))
    assert "changes between rows" in told(hour=HOURS, walk=walk, quick=QUICK)[0][0]


def test_years_are_a_clock():
    """A column of years, as in tables of countries, counts as time."""
    years = [str(year) for year in range(1700, 1900)]
    assert told(year=years, slow=SLOW[:200], quick=QUICK[:200])[0]


@pytest.mark.parametrize(
    "columns",
    [
        {"hour": HOURS, "quick": QUICK, "other": written(RNG.normal(size=N))},
        {"hour": list(RNG.permutation(HOURS)), "slow": SLOW, "quick": QUICK},
        {"id": [str(k) for k in range(1, N + 1)], "slow": sorted(SLOW, key=float), "quick": QUICK},
        {"slow": SLOW, "quick": QUICK},
        {"hour": HOURS[:30], "slow": SLOW[:30], "quick": QUICK[:30]},
        {"hour": HOURS, "same": ["1.5"] * N, "quick": QUICK},
    ],
)
def test_other_rows_are_left_in_peace(columns):
    """Cases are independent rows, shuffled times, sorted rows, rows without times, few rows, and constants."""
    assert told(**columns) == [[], []]


def test_autocorrelation_is_the_correlation_of_numbers_and_the_kappa_of_levels():
    """The values agree with textbook formulas."""
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
