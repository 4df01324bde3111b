"""Tables 6 to 9 of Huang and Zhou (2022), and their statements on valid graphs and HGI."""

from __future__ import annotations

import math

import pytest

from benchmarks.papers import phgs_details, phgs_initial
from benchmarks.papers.experiment import label
from benchmarks.papers.running import do
from benchmarks.papers.store import rows_of
from benchmarks.papers.summary import by_cell


@pytest.mark.parametrize("experiment", [phgs_details.TABLE6, phgs_details.TABLE8_MMHC], ids=lambda one: one.name)
def test_edges_found_are_right_turned_or_wrong(experiment):
    """The counts of a graph are consistent, and each printed one has a counterpart."""
    figures = list(experiment.run(experiment.pieces("smoke")[0]))
    found = {(one.method, one.metric): one.value for one in figures}
    printed = {(method, metric) for _, method, metric in experiment.printed}
    assert printed <= set(found)
    for method in {name for name, _ in printed}:
        right, turned, wrong = (found[method, metric] for metric in ("TP", "R", "FP"))
        assert found[method, "P"] == right + turned + wrong
        missing = found[method, "SHD"] - turned - wrong
        assert min(right, turned, wrong, missing) >= 0
        assert found[method, "JI"] == pytest.approx(right / (right + 2 * turned + wrong + missing))
        assert found[method, "calls"] == pytest.approx(10 ** found[method, phgs_details.CALLS])


def test_the_printed_tables_fit_together():
    """Every row of tables 6 to 9 satisfies P = TP + R + FP, so none was misread."""
    for experiment in phgs_details.ALL:
        actual = {key: float(text) for key, text in experiment.printed.items()}
        assert len(actual) == 20 * len(phgs_details.METRICS) * len({method for _, method, _ in actual})
        for cell, method, metric in actual:
            if metric == "P":
                parts = sum(actual[cell, method, part] for part in ("TP", "R", "FP"))
                assert actual[cell, method, "P"] == pytest.approx(parts, abs=0.15)


def test_valid_graphs_and_gains_are_reported_over_the_networks():
    """Share and median cover the data sets with one number; other numbers stay separate."""
    piece = phgs_initial.INITIAL.pieces("smoke")[0]
    done = do(phgs_initial.INITIAL, piece)
    rows = rows_of(
        {label({**piece, "network": name, "seed": seed}): done for name, seed in (("a", 0), ("b", 1_000), ("c", 1))}
    )
    found = by_cell(phgs_initial.over_networks(rows))
    actual = found[found["cell"] == phgs_initial.OVER]
    assert {(*key,) for key in actual[["cell", "method", "metric"]].to_numpy().tolist()} == set(
        phgs_initial.INITIAL.printed
    )
    assert sorted(set(actual["seed"].astype(int))) == [0, 1]
    values = {(one.method, one.metric): one.value for one in done.figures}
    gain = 100 * (values["True", phgs_initial.OF_HGI] / values["True", phgs_initial.OF_RULES] - 1)
    assert actual[(actual["method"] == "True")]["value"].tolist() == pytest.approx([gain, gain], abs=1e-3)
    shares = actual[actual["metric"] == phgs_initial.VALID]["value"]
    assert shares.tolist() == pytest.approx([100 * values["pPC", "valid"]] * 2)
    assert not math.isnan(gain)
