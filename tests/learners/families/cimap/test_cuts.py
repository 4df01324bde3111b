"""Tests of CImap skeletons at other thresholds, computed from one run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import learn, load_sample
from learners.common.false_discovery import log_adjusted, log_threshold
from learners.families.cimap.cuts import cuts_of
from learners.independence.power import suggested_effect
from tests.learners.families.cimap.test_cimap import normal_log_p

ASIA = load_sample("asia").dataset


@settings(deadline=None)
@given(st.lists(st.floats(-50, 0), min_size=1, max_size=12), st.floats(0.001, 0.999), st.sampled_from(("bh", "by")))
def test_adjusted_p_says_from_which_q_on_a_hypothesis_is_rejected(log_p, q, method):
    """A member is rejected at q iff its adjusted p-value is at most q, as by the threshold of its family."""
    log_p = np.array(log_p)
    adjusted = log_adjusted(log_p, method)
    if np.abs(adjusted - math.log(q)).min() < 1e-9:
        return  # p-value and threshold are equal up to rounding
    cut = log_threshold(log_p, q, method)
    rejected = log_p <= cut if not math.isnan(cut) else np.zeros(len(log_p), dtype=bool)
    assert ((adjusted <= math.log(q)) == rejected).all()


@pytest.mark.parametrize("method", ["bh", "by"])
@pytest.mark.parametrize("q", [0.3, 0.05, 0.001, 1e-8])
def test_slider_mode_of_q_is_the_control_at_each_q(q, method):
    """An edge is kept iff the families of both ends reject its independence, by its largest p-value."""
    result = learn("cimap", ASIA)
    found = cuts_of(result.extra, result.graph.skeleton, method)
    log_p = result.extra.log_phi
    stays = np.zeros((8, 8), dtype=bool)
    for node in range(8):
        others = np.flatnonzero(~np.isnan(log_p[node]) & (np.arange(8) != node))
        cut = log_threshold(log_p[node, others], q, method)
        stays[node, others] = log_p[node, others] <= (cut if not math.isnan(cut) else -math.inf)
    graph = found.graph(found.gone(math.log(q)), 8)
    assert np.array_equal(graph.skeleton, stays & stays.T)


def test_slider_mode_of_the_cut_keeps_edges_above_it_in_every_test():
    """At the cut of the run the skeleton is that of the run; above it edges are only removed."""
    result = learn("cimap", ASIA, preset="MI2", cut=3.0)
    cuts = cuts_of(result.extra, result.graph.skeleton)
    assert cuts.kind == "cut"
    assert np.array_equal(cuts.graph(cuts.choice, 8).skeleton, result.graph.skeleton)
    assert (np.diff(cuts.values) >= 0).all()
    assert cuts.graph(len(cuts), 8).n_edges == 0


@pytest.mark.compiled
def test_slider_mode_of_the_normal_cut_agrees_with_the_approximation():
    """A pair is kept iff its p-value is at most alpha and no later test separated it."""
    result = learn("cimap", load_sample("child").dataset, preset="PN1")
    cuts, extra = cuts_of(result.extra, result.graph.skeleton), result.extra
    assert np.array_equal(cuts.graph(cuts.choice, 20).skeleton, result.graph.skeleton)
    for mu in (20.0, 50.0):
        graph = cuts.graph(cuts.gone(mu), 20)
        passes = normal_log_p(extra, mu) <= math.log(extra.settings.alpha)
        assert np.array_equal(graph.skeleton, passes & result.graph.skeleton)


def test_edges_without_a_test_never_leave_along_q():
    """Untested edges have no p-value, so no family can separate them."""
    result = learn("cimap", load_sample("child").dataset.take(range(300)), preset="P-2", effect=suggested_effect(300))
    untested = np.argwhere(np.triu(result.extra.untested & result.graph.skeleton))
    assert len(untested)
    cuts = cuts_of(result.extra, result.graph.skeleton)
    last = {tuple(pair) for pair in cuts.pairs[np.isneginf(cuts.values)].tolist()}
    assert {tuple(pair) for pair in untested.tolist()} <= last
    assert cuts.gone(math.log(1e-300)) <= len(cuts) - len(untested)
