"""Tests of words for a missing value: letters between signs are found alone and beside other texts."""

import pytest

from learners.data.arrow_arrays import text_array
from learners.data.column_types.missing_words import is_framed

FRAMED = ("*nc*", "[nd]", "<none>", " (ab) ", "-é-", "*nc* ")
PLAIN = ("12", "1.5 ", "kg", "+", "", "'a'", "[1]", "*a", "a*", "é")


@pytest.mark.parametrize("text", [*FRAMED, *PLAIN])
def test_letters_between_signs_are_found_whatever_stands_beside_them(text):
    """A text is judged the same alone, beside plain words, and beside framed ones."""
    expected = text in FRAMED
    for others in ((), ("7", "word"), FRAMED):
        assert is_framed(text_array([text, *others])).tolist()[0] is expected
