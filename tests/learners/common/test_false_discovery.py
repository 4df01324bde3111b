"""Tests of step-up thresholds: published examples, a reference implementation, and the formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from learners.common.false_discovery import log_line, log_threshold
from tests import naive_cimap, references

EXAMPLES = references.load("cimap_formulas")["fdr"]["examples"]


def logs(values: list[float]) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.log(np.array(values))


@pytest.mark.parametrize("method", ["bh", "by"])
@pytest.mark.parametrize("k", range(len(EXAMPLES)))
def test_threshold_equals_the_examples(k, method):
    """Thresholds equal published examples, with p = 0, with ties, and for families without a rejection."""
    example = EXAMPLES[k]
    expected = example[f"alpha_star_{method.upper()}"]
    found = log_threshold(logs(example["p"]), example["q"], method)
    assert math.isnan(found) if expected is None else math.exp(found) == pytest.approx(expected, rel=1e-12)
    rejected = [t for t, value in enumerate(logs(example["p"])) if value <= found]
    assert rejected == example[f"rejected_{method.upper()}"]


@example([0.125, 0.2], 0.3, "by")  # 0.2 equals the threshold, but rounding puts the threshold below it
@given(st.lists(st.floats(1e-12, 1.0), max_size=30), st.sampled_from([0.01, 0.05, 0.3]), st.sampled_from(["bh", "by"]))
def test_threshold_agrees_with_its_definition(values, q, method):
    """The threshold equals that of the definition, for p-values in any order."""
    found, expected = log_threshold(logs(values), q, method), naive_cimap.step_up(values, q, method)
    assert math.isnan(found) if expected is None else math.exp(found) == pytest.approx(expected, rel=1e-9)
    assert log_threshold(logs(values[::-1]), q, method) == pytest.approx(found, nan_ok=True)


def test_line_is_the_one_of_the_rule():
    """The threshold is k q / m, divided by a harmonic number for Benjamini and Yekutieli."""
    np.testing.assert_allclose(np.exp(log_line(4, 0.2, "bh")), [0.05, 0.1, 0.15, 0.2])
    np.testing.assert_allclose(np.exp(log_line(2, 0.3, "by")), [0.1, 0.2])
