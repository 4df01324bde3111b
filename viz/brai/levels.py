"""Describe the false-positive rate of B-RAI's tests in words."""

from __future__ import annotations

from learners.families.brai.error_rates import independence_levels
from learners.results.result import LearnResult

from ..text import format_probability

DOF = (1, 4, 9, 36)  # degrees of freedom of pairs with two, three, four and seven levels each


def level_words(result: LearnResult, n: int) -> str:
    """State the share of independent pairs that a test declares dependent, on the data and on resamples."""
    on_data, on_resample = independence_levels(result.params, n, DOF)
    parts = [
        f"{', '.join(map(format_probability, levels.round(4).tolist()))} on {where}"
        for levels, where in ((on_data, "the data"), (on_resample, "a resample"))
    ]
    degrees = f"{', '.join(map(str, DOF[:-1]))} and {DOF[-1]} degrees of freedom"
    return f"With {degrees} a test calls independent variables dependent with probability {' and '.join(parts)}."
