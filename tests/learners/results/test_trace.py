"""Tests of traces: events are returned as recorded, and the graph can be rebuilt at every step."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import PAG, PDAG
from learners.common.relabeling import relabeled
from learners.graphs.rules import Rule
from learners.results.events import Action
from learners.results.phases import Phase, Stage
from learners.results.trace import COLUMNS, TraceBuilder

PAIRS = np.array([[0, 1], [2, 3], [1, 3]])
CONDS = np.array([[-1, -1], [0, -1], [0, 2]], dtype=np.int32)


def three_removals() -> TraceBuilder:
    """Return a trace of one block of three events with sets of size 0, 1 and 2, then two single events."""
    trace = TraceBuilder(PDAG.complete(4))
    trace.extend(
        Phase(Stage.LEVEL, size=2),
        np.array([Action.REMOVE, Action.KEEP, Action.REMOVE]),
        PAIRS,
        CONDS,
        rule=Rule.TEST,
        statistic=np.array([1.0, 2.0, 3.0]),
        dof=np.array([1.0, 2.0, np.nan]),
        log_p=np.array([-0.1, -800.0, -0.3]),
        threshold=np.full(3, 0.05),
        n_tests=np.array([1, 5, 7]),
    )
    trace.add(Phase(Stage.MEEK_RULES), Action.ORIENT, 2, 1, (3,), rule=Rule.R1)
    trace.add(Phase(Stage.MEEK_RULES), Action.CONFLICT, 0, 3, (1, 2), rule=Rule.CONFLICT, log_p=-1.5, n_tests=2)
    return trace


def test_trace_returns_the_recorded_events():
    """Every field of every event is returned; fields that were not recorded are NaN, or 0 tests."""
    trace = three_removals().build()
    assert len(trace) == 5
    assert [event.cond for event in trace] == [(), (0,), (0, 2), (3,), (1, 2)]
    assert [(event.i, event.j) for event in trace] == [(0, 1), (2, 3), (1, 3), (2, 1), (0, 3)]
    first, kept, third, arrow, conflict = trace
    assert (first.phase, first.action, first.rule) == (Phase(Stage.LEVEL, size=2), Action.REMOVE, Rule.TEST)
    assert (first.statistic, first.dof, first.log_p, first.threshold, first.n_tests) == (1.0, 1.0, -0.1, 0.05, 1)
    assert (kept.action, kept.log_p, kept.p_value, kept.n_tests) == (Action.KEEP, -800.0, 0.0, 5)
    assert math.isnan(third.dof)
    assert (arrow.phase, arrow.action, arrow.rule, arrow.n_tests) == (
        Phase(Stage.MEEK_RULES),
        Action.ORIENT,
        Rule.R1,
        0,
    )
    assert all(math.isnan(value) for value in (arrow.statistic, arrow.dof, arrow.log_p, arrow.threshold))
    assert (conflict.rule, conflict.log_p, conflict.n_tests) == (Rule.CONFLICT, -1.5, 2)
    assert conflict.p_value == pytest.approx(math.exp(-1.5))


def test_pairs_are_reported_as_one_by_one():
    pairs, phase = np.array([[0, 1], [2, 1]]), Phase(Stage.PATTERN)
    together, single = three_removals(), three_removals()
    together.add_pairs(phase, Action.ORIENT, pairs, rule=Rule.PATTERN)
    for i, j in pairs.tolist():
        single.add(phase, Action.ORIENT, i, j, rule=Rule.PATTERN)
    assert [repr(event) for event in together.build()] == [repr(event) for event in single.build()]


def test_trace_indexes_as_a_sequence():
    """A trace supports negative indices and refuses indices out of range."""
    trace = three_removals().build()
    assert repr(trace[-1]) == repr(trace[4])  # NaN is not equal to itself, so the texts are compared
    assert trace[-5].cond == trace[0].cond == ()
    for t in (5, -6):
        with pytest.raises(IndexError):
            trace[t]


def test_trace_keeps_the_set_of_its_very_first_event():
    """The set of the first event, which has no predecessor, is returned."""
    builder = TraceBuilder(PDAG.complete(4))
    builder.add(Phase(Stage.LEVEL, size=2), Action.REMOVE, 0, 1, (2, 3), rule=Rule.TEST)
    builder.add(Phase(Stage.LEVEL, size=2), Action.REMOVE, 2, 3, (), rule=Rule.TEST)
    assert [event.cond for event in builder.build()] == [(2, 3), ()]


def test_trace_of_pair_lists_its_events_in_order_whichever_way():
    """The events of a pair come in order and in either direction: an orientation 2 -> 1 belongs to the pair 1, 2."""
    trace = three_removals().build()
    assert [event.rule for event in trace.of_pair(1, 2)] == [Rule.R1]
    assert [event.i for event in trace.of_pair(3, 0)] == [0]
    assert trace.of_pair(0, 2) == []


def test_trace_is_read_only():
    """The columns of a trace are read-only."""
    trace = three_removals().build()
    for name in (*COLUMNS, "cond", "cond_end"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(trace, name)[0] = 0


def test_trace_without_events_is_its_start():
    """The trace of a learner cancelled at once has only its initial graph."""
    trace = TraceBuilder(PDAG.complete(3)).build()
    assert len(trace) == 0
    assert trace.graph_at(0) == PDAG.complete(3)
    assert list(trace) == trace.of_pair(0, 1) == []


def test_build_can_be_called_while_the_learner_goes_on():
    """Events that are recorded after `build` do not change the trace that it returned."""
    builder = three_removals()
    early = builder.build()
    builder.add(Phase(Stage.MEEK_RULES), Action.REMOVE, 0, 2, rule=Rule.TEST)
    assert (len(early), len(builder.build())) == (5, 6)


def test_what_is_reported_later_stands_where_it_was_left():
    """Lazily recorded events are evaluated at first access and keep their position and phase."""
    calls, builder = [], three_removals()

    def tell(trace: TraceBuilder) -> None:
        calls.append(trace)
        trace.add(Phase(Stage.PATTERN), Action.ORIENT, 0, 1, rule=Rule.PATTERN)

    builder.defer(tell)
    builder.add_pairs(Phase(Stage.MOVES), Action.REMOVE, PAIRS[:1], rule=Rule.TEST)
    trace = relabeled(builder.build(), np.array([3, 2, 1, 0]))
    assert not calls
    assert [(trace[t].phase.stage, trace[t].i, trace[t].j) for t in (5, 6)] == [
        (Stage.PATTERN, 3, 2),
        (Stage.MOVES, 3, 2),
    ]
    assert [phase.stage for phase in trace.phases] == [Stage.LEVEL, Stage.MEEK_RULES, Stage.PATTERN, Stage.MOVES]
    assert len(calls) == 1
    with pytest.raises(AttributeError, match="has no 'length'"):
        _ = trace.length


def test_graph_at_applies_changes_only():
    """Only events that change an edge change the graph; kept edges and conflicts do not."""
    trace = three_removals().build()
    assert trace.changes.tolist() == [0, 2, 3]
    assert trace.graph_at(0) == PDAG.complete(4)
    assert trace.graph_at(1).mark(0, 1) == "none"
    assert trace.graph_at(2).mark(1, 3) == "none"
    assert trace.graph_at(2).mark(1, 2) == "undirected"
    assert trace.graph_at(3).mark(2, 1) == "forward"
    assert trace.graph_at(3).mark(0, 3) == "undirected"


OF_ENDS = (Action.POINT, Action.BIDIRECT)  # actions on edge ends of PAGs
actions = st.lists(
    st.tuples(
        st.sampled_from([one for one in Action if one not in OF_ENDS]),
        st.permutations(range(5)).map(lambda nodes: tuple(nodes[:2])),
    ),
    max_size=30,
)


def test_the_graphs_of_a_pag_have_the_marks_of_its_events():
    """In the graphs of a PAG, a further arrowhead keeps the mark at the other end; a tail comes with an arrowhead."""
    builder = TraceBuilder(PAG.complete(4))
    for action, i, j in (
        (Action.POINT, 0, 1), (Action.POINT, 1, 0), (Action.ORIENT, 1, 2), (Action.BIDIRECT, 2, 3),
        (Action.REMOVE, 0, 3), (Action.UNORIENT, 2, 3),
    ):  # fmt: skip
        builder.add(Phase(Stage.MOVES), action, i, j, rule=Rule.ADD)
    trace = builder.build()
    assert [trace.graph_at(step).sign(0, 1) for step in range(4)] == ["o-o", "o->", "<->", "<->"]
    assert [trace.graph_at(step).sign(1, 2) for step in (2, 3)] == ["o-o", "->"]
    assert [trace.graph_at(step).sign(2, 3) for step in (3, 4, 6)] == ["o-o", "<->", "o-o"]
    assert trace.graph_at(5).sign(0, 3) == ""


@given(actions, st.booleans())
def test_graph_at_replays_any_sequence_of_actions(events, full):
    """Each graph equals the events applied to a dictionary of marks; pickling changes nothing."""
    start = PDAG.complete(5) if full else PDAG.empty(5)
    builder = TraceBuilder(start)
    marks = {(i, j): full for i in range(5) for j in range(5) if i != j}
    states = [dict(marks)]
    meaning = {Action.REMOVE: (0, 0), Action.ADD: (1, 1), Action.ORIENT: (1, 0), Action.UNORIENT: (1, 1)}
    for action, (i, j) in events:
        builder.add(Phase(Stage.MOVES), action, i, j, rule=Rule.ADD)
        if action in meaning:
            marks[i, j], marks[j, i] = meaning[action]
            states.append(dict(marks))
    trace = pickle.loads(pickle.dumps(builder.build()))
    assert len(trace.changes) == len(states) - 1
    for step, state in enumerate(states):
        amat = trace.graph_at(step).amat
        assert {pair: bool(amat[pair]) for pair in state} == {pair: bool(mark) for pair, mark in state.items()}
