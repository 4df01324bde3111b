"""Tests of the record of a greedy initialization: one event per arrow, the score after each, and the final DAG."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import PDAG, Knowledge
from learners.graphs.rules import BEGINNINGS, LEFT_OUT, Rule
from learners.results.events import Action
from learners.results.trace import Trace, TraceBuilder
from learners.scores.score import FamilyScore
from learners.search.hgi import Initialization, hgi, record_initialization
from tests import references
from tests.learners.search.test_hgi import population, start_of

SAMPLES = references.each(*references.DISCRETE)


def reported(start: Initialization, skeleton: np.ndarray) -> tuple[Trace, np.ndarray]:
    builder = TraceBuilder(PDAG(skeleton))
    scores = record_initialization(builder, start, skeleton)
    return builder.build(), scores


def arrows_at(trace: Trace, step: int) -> PDAG:
    """Return the DAG so far: the directed edges of the graph at a step."""
    amat = trace.graph_at(step).amat
    return PDAG(amat & ~amat.T)


def check_scores(score: FamilyScore, trace: Trace, scores: np.ndarray) -> None:
    """Check that each change has the score of the arrows so far; within a v-structure, the score before it."""
    assert len(scores) == len(trace.changes) + 1 == len(trace) + 1
    for step, event in enumerate(trace, start=1):
        if event.rule is Rule.COLLIDER_BEGUN:
            assert scores[step] == scores[step - 1]
        else:
            assert scores[step] == pytest.approx(score.network(arrows_at(trace, step)), rel=1e-9)


@pytest.mark.parametrize("name", SAMPLES)
def test_recorded_initialization_rebuilds_the_dag_with_a_rising_score(name):
    """The trace leads from the skeleton to the DAG; arrows raise the score, and edges left out would not."""
    score, skeleton, triples = start_of(name)
    start = hgi(score, skeleton, triples)
    trace, scores = reported(start, skeleton)
    assert trace.graph_at(0) == PDAG(skeleton)
    assert trace.graph_at(len(trace)) == start.dag
    assert scores[0] == pytest.approx(score.network(PDAG.empty(score.p)), rel=1e-9)
    assert scores[-1] == pytest.approx(start.score, rel=1e-9)
    check_scores(score, trace, scores)
    assert (np.diff(scores) >= 0).all()
    for event in trace:
        assert event.action == (Action.REMOVE if event.rule in LEFT_OUT else Action.ORIENT)
        assert event.rule in BEGINNINGS | {Rule.REQUIRED}
        assert event.statistic <= 0 if event.rule is Rule.NO_GAIN else not event.statistic <= 0


@pytest.mark.parametrize("name", SAMPLES)
def test_recorded_v_structures_name_both_parents(name):
    """The two arrows of a v-structure are consecutive; an arrow that completes an earlier one has a separate rule."""
    score, skeleton, triples = start_of(name)
    start = hgi(score, skeleton, triples)
    trace, _ = reported(start, skeleton)
    events = list(trace)
    candidates = {(i, k, j) for i, k, j in triples.tolist()}
    for at, event in enumerate(events):
        if event.rule not in (Rule.COLLIDER_BEGUN, Rule.COLLIDER, Rule.COLLIDER_COMPLETED):
            assert event.cond == ()
            continue
        (other,) = event.cond
        assert (min(event.i, other), event.j, max(event.i, other)) in candidates
        if event.rule is Rule.COLLIDER_BEGUN:
            second = events[at + 1]
            assert (second.rule, second.i, second.j, second.cond) == (Rule.COLLIDER, other, event.j, (event.i,))
            assert second.statistic == event.statistic
        if event.rule is Rule.COLLIDER_COMPLETED:
            assert arrows_at(trace, at).amat[other, event.j]
    assert sum(event.rule in (Rule.COLLIDER, Rule.COLLIDER_COMPLETED) for event in events) == sum(
        step.op == "v-structure" for step in start.steps
    )


@pytest.mark.deep
def test_recorded_initialization_with_knowledge_counts_required_arrows():
    """Required edges come first with their gains; directions implied by knowledge have a separate rule."""
    score, skeleton, triples = start_of("child_n2000")
    names = score.names
    free = hgi(score, skeleton, triples).dag
    i, j = free.directed_edges()[0]
    x, y = next((x, y) for x in range(score.p) for y in range(x + 1, score.p) if not skeleton[x, y])
    known = Knowledge(required=((names[x], names[y]),), forbidden=((names[i], names[j]),)).bind(names)
    start = hgi(score, skeleton, triples, knowledge=known)
    trace, scores = reported(start, skeleton | known.joined)
    check_scores(score, trace, scores)
    assert (trace[0].rule, trace[0].i, trace[0].j) == (Rule.REQUIRED, x, y)
    assert trace.graph_at(len(trace)) == start.dag
    assert {Rule.KNOWN, Rule.NO_GAIN} & {event.rule for event in trace.of_pair(i, j)}


def test_recorded_initialization_drops_what_no_rule_settles():
    """The edges of a chordless square are removed one by one at the end."""
    _, score = population(4, 1)
    skeleton = PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)]).skeleton
    start = hgi(score, skeleton, np.empty((0, 3), dtype=np.int64))
    trace, scores = reported(start, skeleton)
    assert trace.graph_at(len(trace)) == start.dag == PDAG.empty(4)
    assert [event.rule for event in trace] == [Rule.UNSETTLED] * 4
    assert all(math.isnan(event.statistic) for event in trace)
    assert len(set(scores.tolist())) == 1
