"""Tests of singular and plural, and of numbers as texts."""

from learners.common.wording import count, format_number, format_signed, format_statistic, was, with_minus
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
