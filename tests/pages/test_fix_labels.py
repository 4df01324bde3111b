"""Tests of the labels of fixes: none is cut, however many columns it changes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from learners import default_plan, read_table
from learners.data.quality.finding import Finding
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from pages.blocks.fix_label import MAX_LABEL_LENGTH
from tests.pages.driving import open_app, plain, press, sound, upload
from viz.translation.sentences import catalog

COLUMNS = 6  # columns of each kind: more than a label can name
ANSWERS = ("fatigue", "oedema", "palpitations")


def wide_export(n: int = 100) -> bytes:
    """Return a CSV file with several columns of each kind that needs a fix."""
    rng = np.random.default_rng(910_021)

    def answers() -> str:
        return "; ".join(one for one in ANSWERS if rng.random() < 0.6)

    kinds = {
        "date of an examination": lambda: f"{rng.integers(1, 28):02d}/{rng.integers(1, 13):02d}/2023",
        "blood pressure in mmHg": lambda: f"{rng.integers(100, 180)}/{rng.integers(50, 100)}",
        "cost of the treatment": lambda: f"£{np.exp(rng.normal(7, 1)):,.2f}",
        "rare answers": lambda: rng.choice(
            ["yes", "no", "never", "sometimes", "other"], p=[0.49, 0.48, 0.01, 0.01, 0.01]
        ),
        "symptoms of the patient": answers,
        "skewed concentration": lambda: f"{np.exp(2 * rng.normal()):.3f}",
        "mostly empty remark": lambda: rng.choice(["good", "bad"]) if rng.random() < 0.3 else "",
    }
    names = [f"{kind} {k}" for kind in kinds for k in range(COLUMNS)]
    codes = ("N/A", "unknown", "-", "999")
    rows = [[codes[rng.integers(4)] if rng.random() < 0.1 else kinds[name[:-2]]() for name in names] for _ in range(n)]
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in [names, *rows]).encode()


@cache
def all_findings() -> tuple[Finding, ...]:
    """Return the findings before and after all suggested fixes."""
    table = read_table(wide_export())
    plan = default_plan(table)
    return (*check_health(table, plan), *with_proposals(table, plan)[1])


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_label_is_cut(language):
    """A label counts the columns and texts that it has no room to name; the finding and the tooltip name them."""
    found = all_findings()
    labels = {fix.label.written(catalog(language)) for finding in found for fix in finding.fixes}
    counted = {fix.label for finding in found for fix in finding.fixes if f"{COLUMNS} columns" in fix.label}
    assert len(counted) >= 4
    assert [label for label in labels if len(label) > MAX_LABEL_LENGTH or "…" in label] == []


@pytest.mark.deep
def test_a_tooltip_names_the_columns_that_a_label_counts():
    """After all suggested fixes, one line counts the findings that need a decision."""
    at = upload(open_app("data"), wide_export())
    fixes = [one for one in at.button if str(one.key).startswith("data_fix_") and f"{COLUMNS} columns" in one.label]
    assert fixes
    for one in fixes:
        assert plain(one.help).startswith("Columns: ")
        assert one.help.count("'") >= 2 * COLUMNS
    at = sound(press(at, "data_fix_all"))
    left = len(at.session_state.source.findings)
    said = f"{left} findings remain. You can run a learner."
    assert any(said in plain(one.value) for one in at.caption)
