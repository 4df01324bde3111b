"""Tests of the graph of an LMM run at every step: edges, awareness and directions."""

from __future__ import annotations

import numpy as np
import pytest

from learners.families.lmm.orientation import Orienter
from learners.families.lmm.step_graphs import aware_at, graph_at, skeleton_at, step_graphs
from learners.graphs.graph import PDAG
from learners.io.samples import load_network
from learners.kernels.graphs import meek_rules
from learners.networks.mixed_network import random_mixed_network
from learners.networks.sampling import sample
from learners.registry import as_seen, learn
from learners.results.step_graphs import CONFLICT
from tests.lmm_runs import CASES, P, known, learnt, network, replayed


@pytest.mark.parametrize("result", [*map(learnt, CASES), known()], ids=[*CASES, "knowledge"])
def test_library_knows_the_same_states(result):
    """`skeleton_at` and `aware_at` agree with the moves replayed in order."""
    for step, state in enumerate(replayed(result.extra.moves)):
        skeleton, aware = np.zeros((P, P), dtype=bool), np.zeros((P, P), dtype=bool)
        for (i, j), (knows_i, knows_j) in state.items():
            skeleton[i, j] = skeleton[j, i] = True
            aware[i, j], aware[j, i] = knows_i, knows_j
        assert (skeleton_at(result.extra.moves, step, P) == skeleton).all()
        assert (aware_at(result.extra.moves, step, P) == aware).all()


@pytest.mark.compiled
@pytest.mark.parametrize("result", [learnt(), learnt("random order"), known()], ids=["plain", "random", "knowledge"])
def test_cpdag_at_every_step_is_that_of_a_fresh_start(result):
    """At every step, toggling edges from the chosen step gives the same graph as orienting from scratch."""
    graphs, ranking = step_graphs(result, np.inf), result.extra
    assert graphs.first == 0
    assert len(graphs.codes) == len(ranking.moves) + 1
    seed = ranking.seed if result.params["orientation"] == "lmm_eo_random" else None
    for step in range(len(ranking.moves) + 1):
        skeleton = skeleton_at(ranking.moves, step, P)
        orienter = Orienter(ranking.evidence, skeleton, 4, ranking.knowledge.directions)
        conflicts = set()

        def note(i, j, rule, _, conflicts=conflicts):
            if rule == meek_rules.CONFLICT:
                conflicts.add((i, j))

        scratch, _ = orienter.cpdag(None if seed is None else np.random.default_rng(seed), record=note)
        assert graphs.at(step, P) == scratch == graph_at(result, step)
        marked = graphs.pairs[graphs.codes[step] & CONFLICT > 0]
        assert {tuple(pair) for pair in marked.tolist()} == conflicts


@pytest.mark.parametrize("orientation", ["pc", "none"])
def test_other_orientations_are_shown_at_the_choice_only(orientation):
    """With other orientations, only the chosen step has directions; all other steps show the skeleton."""
    result = learn("lmm", sample(network(), 120, 5), orientation=orientation)
    graphs = step_graphs(result)
    assert (graphs.first, len(graphs.codes)) == (result.extra.choice, 1)
    assert graphs.at(result.extra.choice, P) == result.graph
    assert graph_at(result, len(result.extra.moves) - 1) == PDAG(
        skeleton_at(result.extra.moves, len(result.extra.moves) - 1, P)
    )


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["categories", "mixed"])
@pytest.mark.parametrize("orientation", ["lmm_eo", "boss"])
def test_steps_of_tables_with_categories_are_oriented_with_the_data(kind, orientation):
    """Each step has the graph of a run that stops there; without the data only the chosen step has directions."""
    data = sample(load_network("asia") if kind == "categories" else random_mixed_network(8, 9, 3), 300, 1)
    result = learn("lmm", data, orientation=orientation)
    assert len(step_graphs(result, np.inf).codes) == 1
    graphs, moves = step_graphs(result, np.inf, as_seen(result, data)), result.extra.moves
    assert (graphs.first, len(graphs.codes)) == (0, len(moves) + 1)
    assert graphs.at(result.extra.choice, result.graph.p) == result.graph
    for left in (2, 5):
        stopped = learn("lmm", data, orientation=orientation, min_size=left)
        assert graphs.at(stopped.extra.choice, result.graph.p) == stopped.graph


def test_a_search_by_score_that_takes_too_long_is_stopped():
    """With no time left, only the chosen step has directions."""
    data = sample(random_mixed_network(8, 9, 3), 300, 1)
    result = learn("lmm", data, orientation="boss")
    assert len(step_graphs(result, -1.0, as_seen(result, data)).codes) == 1
