"""Pairs of variables that users ask about."""

from __future__ import annotations

import pytest

from learners.common.errors import ParameterError
from learners.explaining.explanation import explanation
from learners.io.samples import load_sample
from learners.registry import learn


@pytest.fixture(scope="module")
def result():
    """Return a run of PC on Asia."""
    return learn("pc", load_sample("asia").dataset)


def test_a_pair_may_be_given_by_names(result):
    """Names and positions give the same sentences."""
    named = explanation(result, ("smoke", "bronc"))
    assert named.written() == explanation(result, (result.names.index("smoke"), result.names.index("bronc"))).written()


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("smoke", "bronk"), "no variable is called 'bronk'; did you mean 'bronc'"),
        (("smoke", "smoke"), "two different variables, got 'smoke' twice"),
        ((2, 2), "two different variables"),
        ((0, 8), "must be one of 0 .. 7, got 8"),
        ((0, 1, 2), "pair must be"),
        ("ab", "pair must be"),
    ],
)
def test_other_pairs_are_refused_with_a_sentence(result, pair, message):
    """The message names the variable or the position."""
    with pytest.raises(ParameterError, match=message):
        explanation(result, pair)
