"""Tests of `StepGraphs`: the graphs of consecutive steps as integer codes."""

from __future__ import annotations

import numpy as np

from learners.common.relabeling import relabeled
from learners.results.step_graphs import AGAINST, ALONG, AS_TURNED, CONFLICT, StepGraphs


def test_codes_of_a_pair_turn_with_it():
    """If j comes before i, the code of i -> j becomes that of j <- i; conflicts keep their code."""
    steps = StepGraphs(np.array([[0, 1], [0, 2]]), 0, np.array([[ALONG, ALONG | CONFLICT]], dtype=np.uint8))
    turned = relabeled(steps, np.array([1, 0, 2]))
    assert turned.pairs.tolist() == [[0, 1], [1, 2]]
    assert turned.codes.tolist() == [[2, ALONG | CONFLICT]]
    assert turned.at(0, 3).directed_edges() == [(1, 0), (1, 2)]


def test_a_code_turned_exchanges_the_two_directions():
    """Reversing any of the eight codes exchanges ALONG and AGAINST, and conflicts remain conflicts."""
    for code, turned in enumerate(AS_TURNED.tolist()):
        assert (turned & ALONG > 0, turned & AGAINST > 0) == (code & AGAINST > 0, code & ALONG > 0)
        assert turned & CONFLICT == code & CONFLICT
