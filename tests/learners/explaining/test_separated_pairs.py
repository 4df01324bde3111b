"""Tests that explanations of dependent pairs without an edge give more than the marginal information."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from benchmarks.basis_functions import WORLDS
from learners import learn, load_sample
from learners.explaining.explanation import MIN_BITS, explanation
from learners.graphs.d_separation import separating_set

MARGINAL = "Mutual information of the two variables:"


@pytest.mark.gate_cases(2)
@pytest.mark.compiled
@pytest.mark.parametrize("key", ["boss", "ges", "hc", "pc", "mmhc", "h2pc", "order_mcmc", "bootstrap"])
def test_dependent_pairs_without_an_edge_have_the_information_given_what_separates_them(key: str) -> None:
    """The separating set comes from the run's tests or from its graph; "tub" and "xray" of asia are among the pairs."""
    data = load_sample("asia").dataset
    result, shown = learn(key, data), set()
    for pair in combinations(range(data.p), 2):
        if result.graph.mark(*pair) != "none" or result.information(*pair) < MIN_BITS:
            continue
        said = explanation(result, pair)
        (_, *after) = [one for one in said.sentences if one.startswith((MARGINAL, "Given "))]
        if said.decisive is None and separating_set(result.graph, *pair):
            (given,) = after
            assert "which separates them in the graph, the estimate is" in given
        elif said.decisive is not None and said.decisive.cond:
            assert any("Given their separating set" in one or "which separates them" in one for one in after)
        shown.add(pair)
    assert tuple(sorted(map(data.names.index, ("tub", "xray")))) in shown


def test_information_of_numbers_is_called_linear():
    """The information of two numbers comes from their correlation, which a square does not show."""
    data = WORLDS["square"](np.random.default_rng(920_001), 6, 500).data
    result = learn("boss", data, score="basis")
    for i, j in result.graph.edges():
        (said,) = [one for one in explanation(result, (i, j), data).sentences if one.startswith("Mutual information")]
        assert said.startswith("Mutual information of the two variables, assuming a linear relation: ")
