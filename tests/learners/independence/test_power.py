"""Tests of the power of the χ² test: high-precision values, and monotonicity of the bound."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, ncx2

from learners import ParameterError
from learners.independence.power import MAX_DOF, fnr_bound, power, suggested_effect
from tests import references


@pytest.mark.parametrize("scale", ["bits", "cohen"])
def test_bound_equals_high_precision(scale):
    """80 bounds equal high-precision values, with w² in bits or as defined by Cohen.

    The power is sufficient at the bound and not beyond it.
    """
    bounds = references.load("cimap_formulas")["fnr"]["bounds"]
    assert len(bounds) == 80
    for one in bounds:
        given_ = (one["N"], one["alpha"], one["beta"], one["w"])
        assert fnr_bound(*given_, scale) == one[f"bound_{scale}"]
        for dof, expected in zip((0, 1), one[f"power_{scale}"], strict=True):
            if expected is not None:
                found = power(one[f"bound_{scale}"] + dof, one["N"], one["alpha"], one["w"], scale)
                assert found == pytest.approx(expected, rel=1e-9)


def test_power_equals_high_precision():
    for one in references.load("cimap_formulas")["fnr"]["power"]:
        assert power(one["d"], one["N"], one["alpha"], one["w"]) == pytest.approx(one["power"], rel=1e-10)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(50, 5_000), st.floats(0.02, 0.4), st.floats(0.01, 0.5), st.sampled_from(["bits", "cohen", "literal"])
)
def test_bound_rises_with_rows_and_effect_and_falls_with_the_power_asked_for(n, effect, beta, scale):
    """The bound rises with rows and effect and falls with power; it is the largest dof with enough power."""
    bound = fnr_bound(n, 0.05, beta, effect, scale)
    assert bound <= fnr_bound(2 * n, 0.05, beta, effect, scale)
    assert bound <= fnr_bound(n, 0.05, beta, 1.2 * effect, scale)
    assert bound <= fnr_bound(n, 0.05, min(2 * beta, 0.9), effect, scale)
    shift = n * effect**2 * (1 if scale == "cohen" else 2 * math.log(2))

    def passes(dof: int) -> bool:
        critical = chi2.isf(0.05, dof)
        return shift > critical if scale == "literal" else ncx2.sf(critical, dof, shift) >= 1 - beta

    assert bound == 0 or passes(bound)
    assert not passes(bound + 1)


def test_bound_ends_somewhere():
    """The bound has a maximum, which very large samples reach."""
    assert fnr_bound(10**8, effect=0.5) == MAX_DOF


@pytest.mark.parametrize("n", [100, 500, 20_000])
@pytest.mark.parametrize("dof", [1.0, 50.0, 3_000.0])
@pytest.mark.parametrize("scale", ["bits", "cohen", "literal"])
def test_suggested_effect_lets_a_wide_test_be_done(n, dof, scale):
    """The suggested effect is that for the number of rows, or the smallest one whose bound allows the dof."""
    effect = suggested_effect(n, dof, 0.05, 0.1, scale)
    assert fnr_bound(n, 0.05, 0.1, 1.001 * effect, scale) >= dof
    assert effect == suggested_effect(n) or fnr_bound(n, 0.05, 0.1, 0.99 * effect, scale) < dof


def test_suggested_effect_falls_from_few_to_many_rows():
    """The effect is 0.2 up to 1 000 rows and 0.1 from 5 000 on, and falls in between."""
    assert suggested_effect(0) == suggested_effect(1_000) == 0.2
    assert suggested_effect(5_000) == suggested_effect(10**6) == 0.1
    assert (np.diff([suggested_effect(n) for n in range(1_000, 5_001, 250)]) < 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": -1}, "^n must be a whole number of at least 0, got -1"),
        ({"n": 100, "alpha": 1}, r"^alpha must be in \(0, 1\), got 1"),
        ({"n": 100, "beta": 0}, r"^beta must be in \(0, 1\), got 0"),
        ({"n": 100, "effect": math.inf}, r"^effect must be in \(0, inf\), got inf"),
        ({"n": 100, "scale": "nats"}, "^unknown scale 'nats'"),
    ],
    ids=["n", "alpha", "beta", "effect", "scale"],
)
def test_bound_refuses_wrong_arguments_with_a_sentence(arguments, message):
    """Invalid arguments are refused with a message that states the requirement and the given value."""
    with pytest.raises(ParameterError, match=message):
        fnr_bound(**arguments)
