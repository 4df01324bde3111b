"""Tests of the error rates of B-RAI's tests: computed significance levels against resamples of independent columns."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import G2, Dataset
from learners.data.resampling import resample_weights
from learners.families.brai.error_rates import independence_levels
from learners.families.brai.rai import cut_of, resampled_cut
from learners.kernels.ci.evidence import corrected_statistic, evidence

N, SAMPLES = 2_000, 400
ARITY = {1: (2, 2), 4: (3, 3), 9: (4, 4), 36: (7, 7)}  # numbers of levels by degrees of freedom


def statistics(dof: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the G² of independent columns in many samples and in one resample of each."""
    test_of = []
    for seed in range(SAMPLES):
        rng = np.random.default_rng((dof, seed))
        codes = np.array([rng.integers(0, r, N) for r in ARITY[dof]])
        data = Dataset.from_codes(codes, ARITY[dof], list("ab"))
        again = Dataset.from_codes(codes, ARITY[dof], list("ab"), weights=resample_weights(data, seed, (0,)))
        test_of.append([G2(one, dof="plain").test(0, 1).statistic for one in (data, again)])
    return tuple(np.array(test_of).T)


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize("dof", ARITY)
@pytest.mark.parametrize("factor", [1.0, 2.0])
@pytest.mark.parametrize("cut", ["alpha", "c1", "mi"])
def test_levels_are_those_of_resampled_independent_columns(cut, factor, dof):
    """The computed levels agree with the shares of rejected resamples within the sampling error of 400 samples."""
    params = {"cut": cut, "alpha": 0.05, "c1_factor": 1.3, "mi_bits": 0.004, "resample_factor": factor}
    levels = independence_levels(params, N, np.array([dof]))
    own = cut_of(cut, params["c1_factor"], params["mi_bits"], params["alpha"])
    for level, values, used in zip(levels, statistics(dof), (own, resampled_cut(own, factor)), strict=True):
        corrected = [corrected_statistic(used, g, float(dof)) for g in values]
        shares = [evidence(used, N, g, float(dof), True) <= used.limit for g in corrected]
        spread = math.sqrt(max(level[0] * (1.0 - level[0]), 0.003) / SAMPLES)
        assert np.mean(shares) == pytest.approx(level[0], abs=4.0 * spread)


def test_alpha_keeps_its_level_on_resamples_and_the_published_way_does_not():
    """On resamples alpha keeps its level; the published rule has 0.07, 0.16, 0.29 and 0.78 for dof 1, 4, 9 and 36."""
    params = {"cut": "alpha", "alpha": 0.01, "c1_factor": 1.0, "mi_bits": 0.03}
    dof = np.array([1, 4, 9, 36])
    _, published = independence_levels(params | {"resample_factor": 1.0}, 500, dof)
    on_data, ours = independence_levels(params | {"resample_factor": 2.0}, 500, dof)
    assert published.round(2).tolist() == [0.07, 0.16, 0.29, 0.78]
    np.testing.assert_allclose(on_data, 0.01)
    np.testing.assert_allclose(ours, 0.01)
