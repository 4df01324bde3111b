"""Statements on effects: no number is surer than the directions and the verdict that it rests on."""

from __future__ import annotations

import re
from itertools import pairwise, permutations

import networkx as nx
import numpy as np
import pytest

from learners import adjustment_sets, learn, load_sample
from learners.effects.checks import representative_dag
from learners.effects.estimates import adjusted_effect
from learners.effects.ida import possible_effects
from learners.results.directions import Support
from learners.verdict.assumptions import Assumptions
from learners.verdict.trust import Trust
from viz.effects.statements import (
    arrows_against,
    direction_notes,
    effect_statement,
    no_effect_statement,
    resting_arrows,
)
from viz.weak_evidence import unsupported


@pytest.fixture(scope="module", params=["pc", "ges", "lmm", "hc"])
def run(request):
    """Return a result with weak directions, and its table."""
    data = load_sample("asia").dataset
    data = data.take(range(0, data.n_rows, 15))
    return learn(request.param, data), data


def graphs(result):
    """Return the graph of a result and a DAG of its class."""
    return [result.graph, representative_dag(result.graph)]


def statement(result, data, graph, x, y, judged=None):
    """Return the statement on an effect as the page makes it."""
    found = adjustment_sets(graph, x, y)
    if found.obstacle == "no effect":
        return no_effect_statement(result, judged, graph, x, y, result.names)
    effects = [adjusted_effect(data, x, y, found.sets[0])] if found.sets else possible_effects(graph, data, x, y)
    levels = [data.levels[k] for k in data.place]
    return effect_statement(result, judged, graph, effects, x, y, result.names, levels, {})


def test_a_number_is_conditional_on_each_weak_direction_that_it_rests_on(run):
    """Arrows on directed paths and at the cause count, also where their direction was not judged; others do not."""
    result, data = run
    weak = {arrow for arrow in result.graph.directed_edges() if unsupported(result, *arrow)}
    assert weak
    assert all(result.directions[arrow].support not in (Support.CLEAR, Support.KNOWN) for arrow in weak)
    seen = set()
    for graph in graphs(result):
        drawn = nx.DiGraph(graph.directed_edges())
        drawn.add_nodes_from(range(graph.p))
        whole = nx.Graph(np.asarray(graph.skeleton))
        for x, y in permutations(range(graph.p), 2):
            text = statement(result, data, graph, x, y)
            if adjustment_sets(graph, x, y).obstacle == "no effect":
                continue
            near = nx.node_connected_component(whole.subgraph(set(whole) - {x}), y)
            used = {step for path in nx.all_simple_paths(drawn, x, y) for step in pairwise(path)}
            expected = {a for a in weak if a in used or (x in a and (set(a) - {x}) <= near)}
            assert set(resting_arrows(result, graph, x, y)) == expected
            assert text.startswith("If ") == bool(expected)
            notes = direction_notes(result, None, graph, x, y, result.names, causal=True)
            assert len(notes) == bool(expected)
            seen.add(bool(expected))
    assert seen == {True, False}


def test_without_a_directed_path_the_effect_is_said_to_be_0_and_no_interval_is_shown(run):
    """It is conditional exactly if a reversal of weak arrows opens a path; the named ones do."""
    result, data = run
    for graph in graphs(result):
        amat = np.array(graph.amat)
        for x, y in permutations(range(graph.p), 2):
            if adjustment_sets(graph, x, y).obstacle != "no effect":
                continue
            text = statement(result, data, graph, x, y)
            assert "is 0: the graph has no directed path" in text
            assert "95%" not in text
            turned = arrows_against(result, graph, x, y)
            assert text.startswith("If ") == bool(turned)
            open_ = amat.copy()
            for i, j in graph.directed_edges():
                open_[j, i] |= unsupported(result, i, j)
            assert bool(turned) == nx.has_path(nx.DiGraph(open_), x, y)
            for i, j in turned:
                amat[j, i] = True
            assert nx.has_path(nx.DiGraph(amat), x, y) == bool(turned)
            amat[:] = graph.amat


@pytest.mark.gate_cases(6)
@pytest.mark.parametrize("p", [0.0, 0.5, 0.97, np.nan])
def test_no_statement_is_surer_than_the_verdict(run, p):
    """A cause that the verdict leaves open makes the number conditional, and one that it does not rule out makes 0 so.

    The number itself is that without a verdict.
    """
    result, data = run
    cause = np.full((result.graph.p,) * 2, p)
    judged = Trust(result.names, cause, 1 - cause.T, cause, cause > 2, Assumptions(()), "")
    for x, y in permutations(range(result.graph.p), 2):
        plain = statement(result, data, result.graph, x, y)
        text = statement(result, data, result.graph, x, y, judged)
        zero = "is 0: the graph" in plain
        assert re.sub("^If .*?: ", "", text) == re.sub("^If .*?: ", "", plain)
        if plain.startswith("If "):
            assert text == plain
        else:
            assert text.startswith("If ") == (p >= 0.1 if zero else p < 0.9)
