"""Numbers and names on screen: readable, exact where it matters, and never markup."""

from __future__ import annotations

import math
import re

import markdown
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.viz.cases import HOSTILE
from viz.text import (
    MAX_DIGITS,
    as_sentence,
    beginning_of,
    count,
    decimals_apart,
    distinct_labels,
    escape_markdown,
    format_number,
    format_p,
    format_seconds,
    format_set,
    format_share,
    format_span,
    format_value,
    shorten,
    with_relation,
)

ANY_TEXT = st.one_of(st.text(max_size=60), st.sampled_from(HOSTILE))


def test_a_sentence_ends_with_one_mark():
    """A message ends with one full stop, or with its own question mark."""
    assert as_sentence("no rows; add some") == "No rows; add some."
    assert as_sentence("Done.") == "Done."
    assert as_sentence("unknown learner 'pcc'; did you mean 'pc'?") == "Unknown learner 'pcc'; did you mean 'pc'?"


def unescaped(markdown: str) -> str:
    """Return the text that a CommonMark renderer shows for an escaped line without its invisible word joiners."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace("\u2060", "")


@given(ANY_TEXT)
def test_escape_markdown_leaves_no_active_punctuation(text):
    """Every ASCII punctuation character is escaped, so none can start markup; underscores within words cannot."""
    escaped = re.sub(r"(?<=[^\W_])_(?=[^\W_])", "", escape_markdown(text))
    assert not re.search(r"[!-/:-@\[-`{-~]", re.sub(r"\\[!-/:-@\[-`{-~]", "", escaped))


@given(st.text("ab_*1 é", max_size=12))
def test_a_markdown_parser_shows_escaped_underscores_as_they_are(text):
    """No emphasis arises from an underscore that is not escaped."""
    shown = markdown.markdown(escape_markdown(text), extensions=[])
    assert "<em>" not in shown
    assert "<strong>" not in shown


@given(ANY_TEXT)
def test_escape_markdown_is_one_line_without_indentation(text):
    """The result has no control characters and no blanks at its ends, which could start a Markdown block."""
    escaped = escape_markdown(text)
    assert escaped == escaped.strip()
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", escaped)


@given(ANY_TEXT)
def test_escape_markdown_shows_the_same_characters(text):
    """The rendered text equals the original, except that control characters become blanks."""
    shown = unescaped(escape_markdown(text))
    assert shown == re.sub(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+", " ", text).strip().replace("\u2060", "")


@pytest.mark.parametrize(
    "text",
    ["http://a.example", "www.a.example", "WWW.a.example", "me@a.example", ":streamlit:", "a -> b", "a -- b", "x >= 1"],
)
def test_escape_markdown_breaks_what_streamlit_composes(text):
    """Streamlit makes links, symbols and emoji from unescaped text; a word joiner prevents that."""
    assert "\u2060" in escape_markdown(text)
    assert unescaped(escape_markdown(text)) == text


def test_escape_markdown_does_not_change_ordinary_sentences():
    """No word joiner is inserted without need, so that the text remains searchable."""
    assert "\u2060" not in escape_markdown("Removed at level 0: independent given ∅, p = 0.4 > alpha = 0.05 (z = -3).")


@given(ANY_TEXT, st.integers(1, 60))
def test_shorten_is_one_line_of_bounded_length(text, longest):
    """The result never exceeds the limit and contains no control character."""
    short = shorten(text, longest)
    assert len(short) <= longest
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e]", short)


def test_shorten_marks_what_it_cut():
    """A long name is shortened in the middle; a short one is unchanged."""
    assert shorten("abc") == "abc"
    assert shorten("x" * 200) == "x" * 24 + "…" + "x" * 15
    assert shorten("a" * 200, 1) == "…"


def test_shorten_keeps_the_words_in_which_questions_differ():
    """Names that differ only at the end, such as survey questions, stay distinct."""
    asked = [f"How satisfied are you with the following services of the library? [{one}]" for one in ("hours", "staff")]
    assert [shorten(one) for one in asked] == [
        "How satisfied are you wi…ibrary? [hours]",
        "How satisfied are you wi…ibrary? [staff]",
    ]
    assert [shorten(one, 14) for one in asked] == ["How sati…ours]", "How sati…taff]"]


def test_the_beginning_of_a_text_is_read_from_its_beginning():
    """A sentence is cut at its end."""
    assert beginning_of("abc", 3) == "abc"
    assert beginning_of("one two\nthree", 9) == "one two …"


@given(st.lists(ANY_TEXT, max_size=30))
def test_distinct_labels_are_distinct(texts):
    """Each text gets its own short label, because a widget treats equal labels as one option."""
    labels = distinct_labels(texts)
    assert len(labels) == len(texts)
    assert len(set(labels)) == len(texts)
    assert all(len(label) <= 40 for label in labels)


def test_distinct_labels_keep_the_order_and_change_only_clashes():
    """The first of several equal labels is unchanged."""
    many, some = "x" * 24 + "…" + "x" * 15, "x" * 21 + "…" + "x" * 13
    assert distinct_labels(["a", "x" * 50, "x" * 60, "b"]) == ["a", many, f"{some} (2)", "b"]


def test_distinct_labels_of_many_alike_are_quick():
    """Shortening ten thousand names with equal beginnings does not take quadratic time."""
    assert len(set(distinct_labels([f"{'x' * 50}{k}" for k in range(10_000)]))) == 10_000


@pytest.mark.parametrize(
    ("log_p", "shown"),
    [
        (0.0, "1"),
        (math.log(0.042), "0.042"),
        (math.log(0.05), "0.05"),
        (math.log(3.14e-9), "3.14e-9"),
        (math.log(9.99e-5), "9.99e-5"),
        (math.log(9.96e-10), "9.96e-10"),
        (math.log(9.998e-10), "1.00e-9"),
        (-746.0, "1.04e-324"),
        (-1178.9235, "1.00e-512"),
        (-1e6, "3.30e-434295"),
        (-math.inf, "0"),
        (math.nan, "–"),
    ],
)
def test_format_p_is_right_where_floats_underflow(log_p, shown):
    """Small p-values are computed from the logarithm; mantissas that round up change the exponent."""
    assert format_p(log_p) == shown


@given(st.floats(-700, 0))
def test_format_p_reads_back_as_the_same_number(log_p):
    """Two significant digits differ by at most 5 percent."""
    assert float(format_p(log_p)) == pytest.approx(math.exp(log_p), rel=0.051)


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.0123, "12 ms"), (3.44, "3.4 s"), (125.0, "2 min 5 s")], ids=["ms", "s", "min"]
)
def test_format_seconds_picks_its_unit(seconds, shown):
    """Units are milliseconds, seconds and minutes."""
    assert format_seconds(seconds) == shown


def test_format_number_shows_a_dash_for_nothing():
    """NaN is shown as a dash, and minus infinity as such."""
    assert (format_number(math.nan), format_number(-math.inf)) == ("–", "\u2212inf")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.000123456, "0.000123"), (12.345, "12.3"), (999.4, "999"), (999.6, "1,000"), (-12_345.678, "\u221212,346"),
        (999_999_999.4, "999,999,999"), (1.23456e9, "1.23e9"),
    ],
)  # fmt: skip
def test_format_number_is_of_three_digits_or_to_the_unit(value, expected):
    """A reader can tell the size of the number without counting zeros."""
    assert format_number(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(1998.2, "1998"), (-1998.2, "\u22121998"), (9_999.7, "10,000"), (0.1234, "0.123")]
)
def test_a_value_with_four_digits_may_be_a_year(value, expected):
    """A value with four digits, which may be a year, has no thousands separator."""
    assert format_value(value) == expected


def test_format_share_shows_a_dash_for_a_share_of_nothing():
    """An undefined share, such as the precision without edges, is shown as a dash."""
    assert (format_share(math.nan), format_share(2 / 3)) == ("–", "0.67")


def test_a_probability_has_one_relation():
    """A probability is followed by one relation: it is equal to a number, or beyond a bound such as 0.99."""
    shown = [with_relation(format_share(value)).replace("\u00a0", " ") for value in (0.25, 0.996, 0.004)]
    assert shown == ["= 0.25", "> 0.99", "< 0.01"]


def test_format_share_shows_only_exact_ends_as_such():
    """A rounded share is shown as 0 % or 100 % only if it is exact."""
    shown = [format_share(value).replace("\u00a0", " ") for value in (0.0, 0.004, 0.996, 1.0)]
    assert shown == ["0.00", "< 0.01", "> 0.99", "1.00"]


def test_format_set_names_its_members():
    """The set has braces and shortened names, and may be empty."""
    assert format_set((1, 0), ("a", "b" * 50)) == "{" + "b" * 24 + "…" + "b" * 15 + ", a}"
    assert format_set((), ()) == "∅"


def test_count_agrees_in_number():
    """The forms are 1 edge, 2 edges, 1,000 edges."""
    assert [count(1, "edge"), count(0, "edge"), count(1000, "edge")] == ["1 edge", "0 edges", "1,000 edges"]
    assert count(2, "vertex", "vertices") == "2 vertices"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.01, 0.9, "less than a second"),
        (0.2, 3.2, "up to 4 s"),
        (2.4, 29.0, "2 to 30 s"),
        (41.0, 290.0, "40 s to 5 min"),
        (65.0, 3_000.0, "1 to 50 min"),
        (3_700.0, 5e7, "1 to 20,000 h"),
    ],
)
def test_span_says_no_more_than_one_digit(low, high, expected):
    """Limits are rounded outwards, in readable units."""
    assert format_span(low, high) == expected


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=6))
@example([0.0, 5e-324])
def test_compared_numbers_that_differ_are_written_differently(values):
    """Differences beyond the seventh significant digit do not count."""
    decimals = decimals_apart(values)
    texts = [format_number(value) if decimals is None else f"{value:.{decimals}f}" for value in values]
    unit = 10.0 ** (math.floor(math.log10(max(map(abs, values)))) - MAX_DIGITS + 1) if any(values) else 1.0
    for a, text in zip(values, texts, strict=True):
        for b, other in zip(values, texts, strict=True):
            assert text != other or abs(a - b) <= 1.01 * unit


def test_scores_per_row_keep_the_digits_in_which_they_differ():
    assert decimals_apart([-24.017, -24.080, -24.005, -24.061]) == 3
    assert decimals_apart([-24.0, -12.5]) is None
    assert decimals_apart([2.0, 2.0, math.nan]) is None
