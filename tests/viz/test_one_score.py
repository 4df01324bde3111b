"""One result has one score: slider, report, export and explanations agree, also for tables with missing cells."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from learners import Dataset, learn
from learners.registry import LEARNERS
from learners.results.result import metadata
from viz.kinds import timeline
from viz.report.report import markdown_report
from viz.report.subject import Subject

N = 240
FEW = {"bootstrap": {"n_resamples": 4}, "order_mcmc": {"steps": 2_000, "run_on": 0}}


def with_gaps(kind: str, form: str) -> Dataset:
    """Return a table of six dependent columns with missing cells, or of their complete rows."""
    rng = np.random.default_rng(8)
    numbers = pd.DataFrame({"a": rng.normal(size=N), "b": rng.normal(size=N)})
    numbers["c"] = numbers.a + numbers.b + rng.normal(size=N)
    numbers["d"] = numbers.c + rng.normal(size=N)
    numbers["e"] = numbers.d - numbers.a + rng.normal(size=N)
    levels = numbers.apply(lambda column: (column > column.median()).map({True: "high", False: "low"}))
    frame = {"continuous": numbers, "categorical": levels, "mixed": numbers.assign(b=levels.b, e=levels.e)}[kind]
    holes = rng.random(frame.shape) < 0.08
    frame = frame.mask(holes)
    return Dataset.from_frame(frame if form == "missing" else frame.dropna().reset_index(drop=True))


CASES = [
    pytest.param(key, kind, form, id=f"{key} {kind} {form}")
    for key, learner in LEARNERS.items()
    for kind in learner.kinds
    for form in ("missing", "complete")
]


@pytest.mark.gate_cases(5)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind", "form"), CASES)
def test_a_result_has_one_score(key, kind, form):
    """The curve ends with the score of the report and the export; a run without a score names none."""
    data = with_gaps(kind, form)
    result = learn(key, data, **FEW.get(key, {}))
    places = np.random.default_rng(0).random((data.p, 2))
    steps = timeline(result, places)["steps"]
    text = markdown_report(Subject("A run", "A table", result, data, places))
    named = re.findall(r"Score of the graph: ([\d,.−]+\d)", text)
    assert metadata(result)["score"] == result.score
    assert named == ([] if result.score is None else [f"{result.score:,.2f}".replace("-", "−")])
    curve = next((series["values"] for series in steps["series"] if str(series["label"]) == "score"), None)
    if curve is not None and result.score is not None:
        assert curve[steps["choice"]] == pytest.approx(result.score, abs=1e-3)
    if result.score is not None and hasattr(result.extra, "scores"):
        assert np.nanmax(result.extra.scores) == pytest.approx(result.score, abs=1e-6)
