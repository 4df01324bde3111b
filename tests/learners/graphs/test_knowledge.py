"""Tests of background knowledge: contradictions are refused, and every learner respects it."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import G2, PDAG, Dataset, DSeparation, FisherZ, Knowledge, ParameterError, pc
from learners.graphs.knowledge import BoundKnowledge
from learners.graphs.rules import Rule
from learners.results.events import Action
from learners.results.phases import Phase, Stage

NAMES = ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("knowledge", "message"),
    [
        (Knowledge(required=(("a", "zz"),)), r"knowledge must name columns of the data, found 'zz'; remove them"),
        (Knowledge(forbidden=(("yy", "zz"),)), r"knowledge must name columns of the data, found 'yy' and 'zz'"),
        (Knowledge(tiers={"zz": 1}), r"knowledge must name columns of the data, found 'zz'"),
        (Knowledge(required=(("a", "a"),)), "a required edge must connect two variables, got 'a' twice; remove it"),
        (Knowledge(forbidden=(("b", "b"),)), "a forbidden edge must connect two variables, got 'b' twice; remove it"),
        (
            Knowledge(required=(("a", "b"),), forbidden=(("a", "b"),)),
            "edge 'a' -> 'b' is both required and forbidden; keep one of the two",
        ),
        (Knowledge(required=(("b", "a"),), tiers={"a": 0, "b": 1}), "edge 'b' -> 'a' is both required and forbidden"),
        (Knowledge(required=(("a", "b"), ("b", "a"))), "required edges must not form a cycle; remove one of them"),
        (Knowledge(required=(("a", "b"), ("b", "c"), ("c", "a"))), "required edges must not form a cycle"),
    ],
    ids=lambda value: value[:50] if isinstance(value, str) else "",
)
def test_knowledge_that_contradicts_itself_is_refused(knowledge, message):
    """Both `bind` and the learner refuse contradictions before any test runs."""
    with pytest.raises(ParameterError, match="^" + message):
        knowledge.bind(NAMES)
    test = DSeparation(PDAG.empty(5), NAMES)
    with pytest.raises(ParameterError, match="^" + message):
        pc(test, knowledge=knowledge)
    assert test.n_tests == 0


@pytest.mark.parametrize("edges", ["ab", 3, None, np.array(3), {("a",)}])
def test_edges_that_are_no_pairs_are_refused(edges):
    """Values that are not pairs are refused, also 0-dimensional arrays, which have an iterator method."""
    with pytest.raises(ParameterError, match="required must be a list of pairs|each edge of required must be a pair"):
        Knowledge(required=edges)


def test_bind_turns_names_into_matrices():
    """Entry [i, j] is about i -> j; edges from later to earlier tiers are excluded."""
    bound = Knowledge((("a", "b"),), (("c", "a"), ("d", "e"), ("e", "d")), {"b": 1, "c": 5, "e": 5}).bind(NAMES)
    assert np.argwhere(bound.required).tolist() == [[0, 1]]
    assert np.argwhere(bound.excluded).tolist() == [[2, 0], [2, 1], [3, 4], [4, 1], [4, 3]]
    assert np.argwhere(bound.apart).tolist() == [[3, 4], [4, 3]]
    assert np.argwhere(bound.joined).tolist() == [[0, 1], [1, 0]]
    assert np.argwhere(bound.directions).tolist() == [[0, 1], [0, 2], [1, 2], [1, 4]]


def test_knowledge_is_false_if_it_says_nothing():
    """Empty knowledge is false, and binding it gives no constraints."""
    assert not Knowledge()
    assert Knowledge(required=(("a", "b"),))
    assert Knowledge(forbidden=(("a", "b"),))
    assert Knowledge(tiers={"a": 0})
    none = BoundKnowledge.none(3)
    for array in (none.required, none.excluded, none.directions):
        assert not array.any()


@st.composite
def consistent_knowledge(draw):
    """Draw consistent knowledge.

    Required edges and tiers follow one order of the variables, and no required edge is forbidden.
    """
    order = draw(st.permutations(NAMES))
    tier_of = dict(zip(order, sorted(draw(st.lists(st.integers(0, 3), min_size=5, max_size=5))), strict=True))
    tiers = {name: tier_of[name] for name in draw(st.sets(st.sampled_from(NAMES)))}
    ahead = [(a, b) for k, a in enumerate(order) for b in order[k + 1 :]]
    required = draw(st.sets(st.sampled_from(ahead), max_size=4))
    everything = [edge for edge in permutations(NAMES, 2) if edge not in required]
    forbidden = draw(st.sets(st.sampled_from(everything), max_size=5))
    return Knowledge(tuple(sorted(required)), tuple(sorted(forbidden)), tiers)


@st.composite
def any_ci_test(draw):
    """Draw G², Fisher's z or the oracle on five variables."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    kind = draw(st.sampled_from(["G2", "FisherZ", "oracle"]))
    if kind == "oracle":
        return DSeparation(PDAG(np.triu(rng.random((5, 5)) < 0.5, 1)), NAMES)
    values = rng.normal(size=(80, 5)) @ (np.eye(5) + np.triu(rng.normal(size=(5, 5)), 1))
    if kind == "FisherZ":
        return FisherZ(Dataset.from_values(values, NAMES))
    return G2(Dataset.from_codes((values > 0).T.astype(int), [2] * 5, NAMES))


@settings(max_examples=150, deadline=None)
@given(consistent_knowledge(), any_ci_test(), st.sampled_from([0.5, 0.05, 1e-9]))
def test_pc_never_breaks_knowledge(knowledge, test, alpha):
    """PC respects required edges, excluded directions and tiers, and its trace rebuilds the result."""
    result = pc(test, alpha=alpha, knowledge=knowledge)
    marks = {(a, b): result.graph.mark(NAMES.index(a), NAMES.index(b)) for a, b in permutations(NAMES, 2)}
    assert all(marks[edge] == "forward" for edge in knowledge.required)
    assert all(marks[edge] in ("none", "backward") for edge in knowledge.forbidden)
    for a, b in permutations(knowledge.tiers, 2):
        if knowledge.tiers[a] > knowledge.tiers[b]:
            assert marks[a, b] in ("none", "backward")
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    required = {frozenset((NAMES.index(a), NAMES.index(b))) for a, b in knowledge.required}
    assert not required & set(result.sepsets)


def test_pc_tests_a_forbidden_pair_only_for_its_v_structure():
    """No required edge is tested; a forbidden pair is tested only if its ends share a neighbour, and never adjacent."""
    asked: list[tuple[int, int, tuple[int, ...]]] = []

    class Asked(DSeparation):
        def test(self, x, y, cond=()):
            asked.append((x, y, tuple(cond)))
            return super().test(x, y, cond)

    chain = Asked(PDAG.from_edges(3, directed=[(0, 1), (1, 2)]), ["a", "b", "c"])
    result = pc(chain, knowledge=Knowledge(required=(("a", "b"),), forbidden=(("a", "c"), ("c", "a"))))
    assert {frozenset(question[:2]) for question in asked} == {frozenset((1, 2)), frozenset((0, 2))}
    assert result.graph.directed_edges() == [(0, 1), (1, 2)]
    assert [event.rule for event in result.trace.of_pair(0, 2)] == [Rule.FORBIDDEN, Rule.FORBIDDEN, Rule.TEST]
    assert [event.action for event in result.trace.of_pair(0, 2)] == [Action.REMOVE, Action.APART, Action.APART]
    assert result.sepsets.between(0, 2) == (1,)


def test_pc_records_known_directions_in_the_trace():
    """The trace gives the rule "required" for required edges, and "forbidden" if only the reverse is excluded."""
    dag = PDAG.from_edges(3, directed=[(0, 1), (1, 2), (0, 2)])
    known = Knowledge(required=(("b", "c"),), tiers={"a": 0, "c": 1})
    result = pc(DSeparation(dag, ["a", "b", "c"]), knowledge=known)
    rules = {
        (e.i, e.j): e.rule for e in result.trace if e.action == Action.ORIENT and e.phase == Phase(Stage.KNOWLEDGE)
    }
    assert rules == {(1, 2): Rule.REQUIRED, (0, 2): Rule.FORBIDDEN}


def test_knowledge_orients_what_data_cannot():
    """Data leave a chain undirected; a tier directs its first edge, which implies the other directions."""
    test = DSeparation(PDAG.from_edges(3, directed=[(0, 1), (1, 2)]), ["a", "b", "c"])
    assert pc(test).graph.undirected_edges() == [(0, 1), (1, 2)]
    assert pc(test, knowledge=Knowledge(tiers={"a": 0, "b": 1})).graph.directed_edges() == [(0, 1), (1, 2)]


def test_a_forbidden_pair_without_test_makes_no_v_structure():
    """A forbidden pair has no separating set, so its common neighbour forms no v-structure."""
    test = DSeparation(PDAG.from_edges(3, directed=[(0, 1), (2, 1), (0, 2)]), ["a", "b", "c"])
    result = pc(test, knowledge=Knowledge(forbidden=(("a", "c"), ("c", "a"))))
    assert result.graph.undirected_edges() == [(0, 1), (1, 2)]
    assert len(result.sepsets) == 0
