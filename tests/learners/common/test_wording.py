"""Tests of singular and plural, and of numbers as texts."""

import math
import re

import pytest

from learners.common.wording import (
    count,
    format_level,
    format_number,
    format_p,
    format_probability,
    format_setting,
    format_signed,
    format_statistic,
    was,
    with_minus,
)
from learners.search.skeleton_levels import untested_warning


def test_one_is_singular_and_all_else_plural():
    """One takes the singular, all other numbers the plural; irregular plurals can be given."""
    assert [count(n, "edge") for n in (0, 1, 2, 1234)] == ["0 edges", "1 edge", "2 edges", "1,234 edges"]
    assert [count(n, "class", "classes") for n in (1, 2)] == ["1 class", "2 classes"]
    assert [was(n) for n in (0, 1, 2)] == ["were", "was", "were"]


def test_a_warning_of_one_pair_is_singular():
    assert untested_warning(1)[0].startswith("1 pair was separated")
    assert untested_warning(2)[0].startswith("2 pairs were separated")


def test_zero_has_no_minus_sign():
    assert [form(-0.0) for form in (format_number, format_signed, format_statistic)] == ["0"] * 3
    assert [with_minus(text) for text in ("-0.00", "-0.01", "-120", "7")] == ["0.00", "−0.01", "−120", "7"]


@pytest.mark.parametrize("value", [1e-5, 3e-7, 3.2e-13, 9.996e-8, 2.5e-6, 1.23456e-300])
def test_every_function_writes_small_numbers_alike(value):
    """Small numbers have three significant digits and an exponent without zeros, whichever function writes them."""
    texts = {format_number(value), format_statistic(value), format_signed(value).lstrip("+"),
             format_p(math.log(value)), format_probability(value)}  # fmt: skip
    assert len(texts) == 1
    text = texts.pop()
    assert re.fullmatch(r"\d\.\d\de-[1-9]\d*", text)
    assert float(text) == pytest.approx(value, rel=0.005)


@pytest.mark.parametrize("value", [0.0001, 0.00012345, 0.25, 12.5, 999.0])
def test_plain_numbers_have_no_exponent(value):
    assert "e" not in format_number(value) + format_statistic(value) + format_p(math.log(min(value, 1.0)))


def test_settings_are_written_as_they_were_typed():
    assert [format_setting(value) for value in (0.05, 1e-6, 2.5e-6, 1e20, 3.0)] == [
        "0.05",
        "1e-6",
        "2.5e-6",
        "1e20",
        "3",
    ]
    assert [format_level(math.log(value)) for value in (0.05, 1e-6, 2.5e-6)] == ["0.05", "1e-6", "2.50e-6"]
