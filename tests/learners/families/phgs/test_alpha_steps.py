"""Tests of the graphs of PATH at every threshold: at those of its solutions and at all levels in between."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners.families.phgs.alpha_steps import alpha_steps, path_of, solution_steps
from learners.families.phgs.solution_path import skeleton_at
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import BoundKnowledge
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import learn
from learners.results.step_graphs import CONFLICT
from learners.results.trace import TraceBuilder
from learners.search.orientation import orient_skeleton
from tests.path_runs import CASES, P, bound, cancelled, dataset, learnt


def graph_at(case: str, log_alpha: float) -> PDAG:
    """Return the graph at a threshold, computed from scratch."""
    evidence = path_of(learnt(case))
    adjacency, sepsets = skeleton_at(evidence, log_alpha, bound(case))
    skeleton = PDAG(adjacency)
    return orient_skeleton(skeleton, sepsets, evidence.log_phi, bound(case), TraceBuilder(skeleton))


@pytest.mark.parametrize("case", CASES)
def test_solution_steps_are_the_solutions(case):
    """Each solution has one step, with the graph that PATH scored or, for pHGS, the class of the solution's DAG."""
    result = learnt(case)
    path, steps = path_of(result).path, solution_steps(result, bound(case))
    assert (len(steps), steps.choice) == (len(path.graphs), path.choice)
    assert len(path.graphs) > 2
    for step, graph in enumerate(path.graphs):
        shown = steps.at(step, P)
        if case == "phgs":
            assert shown == cpdag(graph)
        elif case == "phgs knowledge":
            assert np.array_equal(shown.skeleton, graph.skeleton)
            assert (shown.amat >= graph.amat).all()
        else:
            assert shown == graph
    if not case.startswith("phgs"):
        assert steps.at(steps.choice, P) == result.graph


@pytest.mark.parametrize("case", CASES)
def test_every_threshold_has_its_step(case):
    """At each Φ, just above and below it, at the alpha of the run and at 0, the step equals a graph from scratch."""
    result = learnt(case)
    steps = alpha_steps(result, bound(case), math.inf)
    top = math.log(result.params["alpha"])
    finite = steps.log_alphas[np.isfinite(steps.log_alphas)]
    tried = [top, -math.inf, *finite, *np.minimum(finite + 1e-9, top), *(finite - 1e-9)]
    for log_alpha in tried:
        assert steps.at(steps.step_of(log_alpha), P) == graph_at(case, log_alpha)
    assert (np.diff(steps.log_alphas) < 0).all()
    edges = [int((steps.codes(step) > 0).sum()) for step in range(len(steps))]
    assert edges == sorted(edges, reverse=True)
    assert len(set(edges)) == len(edges)


@pytest.mark.parametrize("case", [case for case in CASES if not case.startswith("phgs")])
def test_step_at_the_chosen_threshold_is_the_result(case):
    """The step at the chosen threshold has the graph of the result."""
    result = learnt(case)
    steps = alpha_steps(result, bound(case), math.inf)
    assert steps.at(steps.choice, P) == result.graph
    path = path_of(result).path
    assert steps.step_of(path.log_alphas[path.choice]) == steps.choice


def test_without_time_only_the_choice_is_oriented():
    """If the time limit is zero, only the chosen step is oriented; the other steps have their skeletons."""
    result = learnt("path")
    steps, full = alpha_steps(result, bound("path"), 0.0), alpha_steps(result, bound("path"), math.inf)
    assert (steps.graphs.first, len(steps.graphs.codes)) == (steps.choice, 1)
    for step in range(len(full)):
        assert np.array_equal(steps.at(step, P).skeleton, full.at(step, P).skeleton)
        assert steps.graphs.knows(step) == (step == steps.choice)
        if step != steps.choice:
            assert not steps.at(step, P).directed_edges()
    assert steps.at(steps.choice, P) == full.at(steps.choice, P)


def test_required_edge_never_leaves():
    """A required edge has no Φ and is in the graph at threshold 0."""
    steps = alpha_steps(learnt("knowledge"), bound("knowledge"))
    assert steps.at(len(steps) - 1, P).directed_edges() == [(0, 5)]
    assert np.isnan(steps.log_phi).sum() == 1


def test_conflicts_are_kept():
    """A pair is marked as a conflict if the rules imply both directions; such a graph has no consistent extension."""
    result, none = (
        learn("path", sample(random_gaussian_network(12, 24, 50), 60, 50), alpha=0.3, strongest_first=False),
        BoundKnowledge.none(12),
    )
    path, steps, every = path_of(result).path, solution_steps(result, none), alpha_steps(result, none, math.inf)
    marked = [(steps.codes(step) & CONFLICT > 0).any() for step in range(len(steps))]
    assert any(marked)
    assert not path.valid[marked].any()
    for step, log_alpha in enumerate(path.log_alphas.tolist()):
        assert np.array_equal(steps.codes(step), every.codes(every.step_of(log_alpha)))


def test_other_runs_have_no_path():
    """Runs of other learners, and runs that are cancelled before their solutions, have no path."""
    assert path_of(cancelled()) is None
    assert path_of(learn("pc", dataset())) is None
    assert path_of(learnt("phgs")) is learnt("phgs").extra.evidence
