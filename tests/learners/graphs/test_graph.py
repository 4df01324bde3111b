"""Tests of graphs: structure, Meek's rules, equivalence classes and extensions, by brute force."""

import json
import pickle
from itertools import combinations, product
from math import factorial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.common.errors import ParameterError
from learners.graphs.consistent_extension import consistent_extension, has_extension
from learners.graphs.cpdag import cpdag, v_structures
from learners.graphs.equivalence_class import dags_of_class
from learners.graphs.graph import (
    PDAG,
    acyclic_arrows,
    ancestors,
    markov_blanket,
    rows_of,
    skeleton_graph,
    topological_order,
)
from learners.graphs.meek_closure import closure
from learners.kernels.graphs.meek_rules import CONFLICT
from tests import naive

REFERENCE = Path(__file__).parents[2] / "reference" / "graphs"
NETWORKS = json.loads((REFERENCE / "networks.json").read_text())
SMALL = json.loads((REFERENCE / "small_classes.json").read_text())
EXTENSIONS = json.loads((REFERENCE / "extensions.json").read_text())

DAGS_4 = list(naive.all_dags(4))
DAGS_LARGER = [naive.random_dag(np.random.default_rng([9100, s]), 5 + s % 3, 10) for s in range(60)]
PDAGS_LARGER = [naive.random_pdag(np.random.default_rng([9101, s]), 5 + s % 3, 0.3 + s % 5 / 10) for s in range(300)]


def every_pdag(p):
    """Yield all graphs of p nodes: no edge, either direction or an undirected edge between each pair."""
    pairs = list(combinations(range(p), 2))
    for states in product(((0, 0), (1, 0), (0, 1), (1, 1)), repeat=len(pairs)):
        amat = np.zeros((p, p), dtype=bool)
        for (i, j), state in zip(pairs, states, strict=True):
            amat[i, j], amat[j, i] = state
        yield amat


def as_set(amats):
    return {np.asarray(amat).tobytes() for amat in amats}


def closure_log(pdag):
    events = []
    closed = closure(pdag, record=lambda *event: events.append(event))
    return closed, events


# --- the graph itself ---------------------------------------------------------------------------------------------


def test_pdag_distinguishes_directed_from_undirected_edges():
    """Every accessor follows the convention that i -> j exactly if amat[i, j] is set and amat[j, i] is not."""
    pdag = PDAG.from_edges(5, directed=[(3, 1), (0, 1)], undirected=[(4, 1), (2, 3)])
    assert pdag.directed_edges() == [(0, 1), (3, 1)]
    assert pdag.undirected_edges() == [(1, 4), (2, 3)]
    assert pdag.edges() == [(0, 1), (1, 4), (2, 3), (3, 1)]
    assert (pdag.parents(1), pdag.children(3), pdag.neighbors(1)) == ((0, 3), (1,), (4,))
    assert pdag.adjacent(1) == (0, 3, 4)
    assert [pdag.mark(*pair) for pair in ((3, 1), (1, 3), (1, 4), (0, 4))] == [
        "forward",
        "backward",
        "undirected",
        "none",
    ]
    assert (pdag.p, pdag.n_edges) == (5, 4)
    assert np.array_equal(pdag.skeleton, pdag.skeleton.T)
    assert pdag.amat[0, 1]
    assert not pdag.amat[1, 0]


def test_pdag_copies_and_freezes_its_matrix():
    """Changing the caller's array does not change the graph, and the graph's own array is read-only."""
    amat = np.zeros((2, 2), dtype=bool)
    pdag = PDAG(amat)
    amat[0, 1] = True
    assert pdag == PDAG.empty(2)
    with pytest.raises(ValueError):
        pdag.amat[0, 1] = True
    with pytest.raises(ValueError):
        pdag.skeleton[0, 1] = True


def test_pdag_stays_frozen_after_pickling():
    pdag = PDAG.from_edges(3, directed=[(0, 2)], undirected=[(1, 2)])
    assert pdag.skeleton.any()
    again = pickle.loads(pickle.dumps(pdag))
    assert again == pdag
    assert not again.amat.flags.writeable


def test_pdag_equality_is_by_value():
    """Equal graphs are equal and have the same hash; other sizes, marks and types are not equal."""
    pdag = PDAG.from_edges(3, directed=[(0, 1)])
    assert pdag == PDAG.from_edges(3, directed=[(0, 1)])
    assert hash(pdag) == hash(PDAG.from_edges(3, directed=[(0, 1)]))
    assert len({pdag, PDAG.from_edges(3, undirected=[(0, 1)]), PDAG.from_edges(3, directed=[(1, 0)])}) == 3
    assert pdag != PDAG.from_edges(4, directed=[(0, 1)])
    assert pdag != "PDAG"
    assert PDAG.empty(2) != PDAG.empty(3)


@pytest.mark.parametrize(
    ("pdag", "text"),
    [
        (PDAG.from_edges(3, directed=[(0, 2), (1, 2)]), "PDAG(p=3: 0->2, 1->2)"),
        (PDAG.from_edges(3, directed=[(2, 0)], undirected=[(1, 0)]), "PDAG(p=3: 0-1, 2->0)"),
        (PDAG.empty(2), "PDAG(p=2: no edges)"),
    ],
    ids=["collider", "mixed", "empty"],
)
def test_repr_lists_the_edges(pdag, text):
    """The repr lists the edges as in the examples of the docstrings."""
    assert repr(pdag) == text


def test_repr_of_a_big_graph_is_short():
    """A repr lists 40 edges and counts the rest."""
    assert repr(PDAG.complete(30)).count("-") == 40
    assert repr(PDAG.complete(30)).endswith("and 395 more)")


@pytest.mark.parametrize(
    ("amat", "message"),
    [
        (np.zeros((2, 3), dtype=bool), "square"),
        (np.zeros(3, dtype=bool), "square"),
        (np.eye(2, dtype=bool), "an edge to itself"),
        (np.array([[0, -1], [1, 0]]), "truth values"),
    ],
    ids=["rectangle", "vector", "diagonal", "minus-one"],
)
def test_pdag_refuses_other_matrices(amat, message):
    """Only a square matrix of truth values with an empty diagonal is accepted."""
    with pytest.raises(ParameterError, match=message):
        PDAG(amat)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ({"directed": [(0, 3)]}, "different nodes"),
        ({"directed": [(-1, 0)]}, "different nodes"),
        ({"undirected": [(1, 1)]}, "different nodes"),
        ({"directed": [(0, 1), (1, 0)]}, "given once"),
        ({"directed": [(0, 1)], "undirected": [(0, 1)]}, "given once"),
    ],
    ids=["outside", "negative", "loop", "both-ways", "two-kinds"],
)
def test_from_edges_refuses_impossible_edges(edges, message):
    """An edge needs two different nodes of the graph, and a pair has at most one edge."""
    with pytest.raises(ParameterError, match=message):
        PDAG.from_edges(3, **edges)


@pytest.mark.parametrize("p", [0, 1, 4])
def test_empty_and_complete_have_no_and_all_edges(p):
    """Empty and complete graphs may have no nodes at all."""
    assert PDAG.empty(p).n_edges == 0
    assert PDAG.complete(p).undirected_edges() == list(combinations(range(p), 2))
    assert PDAG.complete(p).directed_edges() == []
    assert cpdag(PDAG.empty(p)) == PDAG.empty(p)
    assert consistent_extension(PDAG.empty(p)).valid


def test_is_dag_needs_arrows_without_a_cycle():
    """A graph with an undirected edge or a directed cycle is no DAG; undirected edges alone form no directed cycle."""
    assert PDAG.from_edges(3, directed=[(2, 1), (1, 0), (2, 0)]).is_dag
    cycle = PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)])
    assert not cycle.is_dag
    assert cycle.has_directed_cycle()
    triangle = PDAG.from_edges(3, directed=[(0, 1), (1, 2)], undirected=[(2, 0)])
    assert not triangle.is_dag
    assert not triangle.has_directed_cycle()


def test_cycles_and_paths_agree_with_brute_force():
    """`has_directed_cycle` and `ancestors` agree with brute force on random graphs of every kind."""
    for amat in PDAGS_LARGER:
        pdag = PDAG(amat)
        assert pdag.has_directed_cycle() != naive.is_acyclic(amat)
        reach = ancestors(pdag)
        assert [set(np.flatnonzero(row)) for row in reach] == [naive.reachable(amat, i) for i in range(pdag.p)]


@given(st.permutations([(i, j) for i in range(5) for j in range(5) if i != j]), st.integers(0, 20))
def test_arrows_are_taken_in_their_order_unless_they_close_a_cycle(arrows, n):
    taken = []
    for i, j in arrows[:n]:
        trial = np.zeros((5, 5), dtype=bool)
        trial[tuple(zip(*[*taken, (i, j)], strict=True))] = True
        if PDAG(trial).is_dag:
            taken.append((i, j))
    assert [tuple(arrow) for arrow in np.argwhere(acyclic_arrows(5, arrows[:n])).tolist()] == sorted(taken)


def test_topological_order_puts_parents_first_and_small_nodes_before_big():
    """Parents precede children, ties go to the smallest node, and only a DAG has an order."""
    dag = PDAG.from_edges(5, directed=[(4, 0), (0, 2), (4, 3)])
    assert topological_order(dag) == (1, 4, 0, 2, 3)
    for amat in DAGS_LARGER:
        order = topological_order(PDAG(amat))
        assert sorted(order) == list(range(len(amat)))
        assert not np.tril(amat[np.ix_(order, order)]).any()
    with pytest.raises(ParameterError, match="undirected edges"):
        topological_order(PDAG.complete(2))


def test_skeleton_graph_forgets_directions():
    assert skeleton_graph(PDAG.from_edges(3, directed=[(2, 0)])) == PDAG.from_edges(3, undirected=[(0, 2)])


def test_markov_blanket_separates_its_node_and_no_smaller_set_does():
    """A node is separated from all others by its blanket, but not by the blanket without one member.

    The blanket in a CPDAG is the same.
    """
    for amat in DAGS_4[::7] + DAGS_LARGER[:15]:
        dag, p = PDAG(amat), len(amat)
        for i in range(p):
            blanket = set(markov_blanket(dag, i))
            outside = set(range(p)) - blanket - {i}
            assert all(naive.d_separated(amat, i, k, blanket) for k in outside)
            assert not any(naive.d_separated(amat, i, k, blanket - {k}) for k in blanket)
            assert set(markov_blanket(cpdag(dag), i)) == blanket


def test_v_structures_are_the_unshielded_colliders():
    """The v-structures are right in every graph of four nodes and in larger ones, with undirected edges and cycles."""
    for amat in [*every_pdag(4), *PDAGS_LARGER]:
        found = v_structures(PDAG(amat))
        assert found == sorted(naive.v_structures(amat))


# --- Meek's rules -------------------------------------------------------------------------------------------------

RULES = {
    1: ({"directed": [(2, 0)], "undirected": [(0, 1)]}, (2,)),
    2: ({"directed": [(0, 2), (2, 1)], "undirected": [(0, 1)]}, (2,)),
    3: ({"directed": [(2, 1), (3, 1)], "undirected": [(0, 1), (0, 2), (0, 3)]}, (2, 3)),
    4: ({"directed": [(2, 3), (3, 1)], "undirected": [(0, 1), (0, 2), (0, 3)]}, (2, 3)),
}
COUNTERS = {
    "R1 shielded": {"directed": [(2, 0)], "undirected": [(0, 1), (1, 2)]},
    "R1 line": {"undirected": [(0, 1), (0, 2)]},
    "R2 half a path": {"directed": [(0, 2)], "undirected": [(0, 1), (1, 2)]},
    "R3 shielded": {"directed": [(2, 1), (3, 1)], "undirected": [(0, 1), (0, 2), (0, 3), (2, 3)]},
    "R4 shielded": {"directed": [(2, 3), (3, 1)], "undirected": [(0, 1), (0, 2), (0, 3), (1, 2)]},
}


@pytest.mark.parametrize("rule", RULES)
def test_meek_rule_orients_its_pattern(rule):
    """Each rule alone directs 0 - 1 as 0 -> 1 and records its name and its witnesses."""
    edges, witnesses = RULES[rule]
    closed, events = closure_log(PDAG.from_edges(4, **edges))
    assert closed.mark(0, 1) == "forward"
    assert (0, 1, rule, witnesses) in events


@pytest.mark.parametrize("case", COUNTERS)
def test_meek_rule_leaves_the_shielded_pattern(case):
    """If its premise is missing, a rule leaves 0 - 1 undirected."""
    closed, _ = closure_log(PDAG.from_edges(4, **COUNTERS[case]))
    assert closed.mark(0, 1) == "undirected"


def test_r4_needs_the_chord():
    """Without an edge between i and l rule 4 does not apply, since nothing forbids 1 -> 0."""
    closed, events = closure_log(PDAG.from_edges(4, directed=[(2, 3), (3, 1)], undirected=[(0, 1), (0, 2)]))
    assert all(rule != 4 for *_, rule, _ in events)
    assert closed.mark(0, 1) == "backward"  # R1 gives 3 -> 1, since 3 and 0 are not adjacent


def test_r4_sees_an_arrow_made_on_the_way():
    """Rule 4 uses the arrow 2 -> 3 that rule 1 has just added."""
    pdag = PDAG.from_edges(5, directed=[(4, 2), (3, 1)], undirected=[(2, 3), (0, 1), (0, 2), (0, 3), (0, 4)])
    _, events = closure_log(pdag)
    assert events[:2] == [(2, 3, 1, (4,)), (0, 1, 4, (2, 3))]


def test_closure_agrees_with_brute_force_on_every_graph_of_four_nodes():
    """Arrows and conflicts are the same for all 4096 graphs, including contradictory ones."""
    for amat in every_pdag(4):
        expected, disputed = naive.closure(amat)
        closed, events = closure_log(PDAG(amat))
        assert np.array_equal(closed.amat, expected), PDAG(amat)
        assert {(i, j) for i, j, rule, _ in events if rule == CONFLICT} == disputed, PDAG(amat)


def test_closure_agrees_with_brute_force_on_larger_graphs():
    """Arrows and conflicts are the same for random graphs of five to seven nodes, including contradictory ones."""
    n_disputed = 0
    for amat in PDAGS_LARGER:
        expected, disputed = naive.closure(amat)
        closed, events = closure_log(PDAG(amat))
        assert np.array_equal(closed.amat, expected), PDAG(amat)
        assert {(i, j) for i, j, rule, _ in events if rule == CONFLICT} == disputed, PDAG(amat)
        n_disputed += len(disputed)
    assert n_disputed > 50  # otherwise too few cases test the property


def test_closure_records_each_orientation_once_and_truly():
    """Replaying the record gives the result; each recorded rule applies to the graph before it."""
    for amat in PDAGS_LARGER[:100]:
        closed, events = closure_log(PDAG(amat))
        replay = amat.copy()
        for i, j, rule, witnesses in events:
            if rule != CONFLICT:
                part = sorted({i, j, *witnesses})
                ends = part.index(i), part.index(j)
                assert naive.line(replay, i, j)
                assert f"R{rule}" in naive.meek_rules(amat_at_sweep(amat, i, j)[np.ix_(part, part)], *ends)
                replay[j, i] = False
        assert np.array_equal(replay, closed.amat)


def amat_at_sweep(amat, i, j):
    """Return the graph before the sweep that oriented i -> j, by naive sweeps."""
    amat = amat.copy()
    while True:
        implied = {pair for pair in zip(*np.nonzero(amat & amat.T), strict=True) if naive.meek_rules(amat, *pair)}
        clear = {(a, b) for a, b in implied if (b, a) not in implied}
        if (i, j) in clear or not clear:
            return amat
        for a, b in clear:
            amat[b, a] = False


@pytest.mark.parametrize(
    ("edges", "event"),
    [
        ({"directed": [(0, 1), (3, 2)], "undirected": [(1, 2)]}, (1, 2, CONFLICT, (0, 3))),
        (
            {"directed": [(2, 1), (3, 1), (4, 1)], "undirected": [(0, 1), (0, 2), (0, 3)]},
            (0, 1, CONFLICT, (2, 3, 4)),
        ),
    ],
    ids=["R1-against-R1", "R3-against-R1"],
)
def test_closure_records_a_conflict_with_the_witnesses_of_both_directions(edges, event):
    """If both directions are implied, the edge stays undirected.

    The witnesses of both directions are recorded, those of i -> j first.
    """
    pdag = PDAG.from_edges(5, **edges)
    closed, events = closure_log(pdag)
    assert closed == pdag
    assert events == [event]


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), p=st.integers(2, 9), density=st.floats(0.1, 1.0), data=st.data())
def test_closure_does_not_depend_on_column_order(seed, p, density, data):
    """Permuted nodes give the permuted closure, also for contradictory graphs."""
    amat = naive.random_pdag(np.random.default_rng(seed), p, density)
    order = np.array(data.draw(st.permutations(range(p))))
    moved = closure(PDAG(amat[np.ix_(order, order)])).amat
    assert np.array_equal(moved, closure(PDAG(amat)).amat[np.ix_(order, order)])


def test_closure_is_idempotent_and_keeps_adjacencies_and_arrows():
    """Meek's rules are idempotent and only turn undirected edges into arrows."""
    for amat in PDAGS_LARGER:
        closed = closure(PDAG(amat))
        assert closure(closed) == closed
        assert np.array_equal(closed.skeleton, PDAG(amat).skeleton)
        assert not (closed.amat & ~amat).any()


def test_closure_follows_a_long_chain():
    """One arrow at the head of a chain of 1000 nodes directs the whole chain."""
    chain = PDAG.from_edges(1000, directed=[(0, 1)], undirected=[(i, i + 1) for i in range(1, 999)])
    assert closure(chain).directed_edges() == [(i, i + 1) for i in range(999)]


# --- equivalence classes ------------------------------------------------------------------------------------------


def test_cpdag_is_right_for_every_dag_of_four_nodes():
    """The CPDAG of each of the 543 DAGs is the union of its class, found by trying every orientation."""
    assert len(DAGS_4) == 543
    for amat in DAGS_4:
        assert np.array_equal(cpdag(PDAG(amat)).amat, naive.cpdag(amat)), PDAG(amat)


def test_cpdag_is_right_for_larger_dags():
    """The CPDAG is right for random DAGs of five to seven nodes."""
    for amat in DAGS_LARGER:
        assert np.array_equal(cpdag(PDAG(amat)).amat, naive.cpdag(amat)), PDAG(amat)


@pytest.mark.parametrize("p", [1, 2, 3, 4])
def test_cpdag_counts_the_known_numbers_of_classes(p):
    """The numbers of DAGs, classes and singleton classes on p labelled nodes are the published ones."""
    expected = SMALL["labelled_counts"][str(p)]
    members = {}
    for amat in naive.all_dags(p):
        members.setdefault(cpdag(PDAG(amat)), []).append(amat)
    sizes = [len(dags) for dags in members.values()]
    assert sum(sizes) == expected["dags"]
    assert len(sizes) == expected["classes"]
    assert sizes.count(1) == expected["classes_of_size_1"]
    assert max(sizes) == expected["largest_class"]


@pytest.mark.parametrize("name", NETWORKS)
def test_cpdag_of_known_networks(name):
    """Reversible edges are undirected, all others keep their direction; the number of v-structures is as published."""
    network = NETWORKS[name]
    dag = PDAG.from_edges(network["p"], directed=map(tuple, network["dag"]))
    reversible = [tuple(edge) for edge in network["reversible"]]
    compelled = [(i, j) for i, j in network["dag"] if (min(i, j), max(i, j)) not in set(reversible)]
    assert cpdag(dag) == PDAG.from_edges(network["p"], directed=compelled, undirected=reversible)
    assert len(v_structures(dag)) == network["unshielded_colliders"]


@pytest.mark.parametrize(
    "graph",
    [PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)]), PDAG.from_edges(2, undirected=[(0, 1)])],
    ids=["cycle", "line"],
)
def test_cpdag_refuses_what_is_no_dag(graph):
    """Graphs with cycles or undirected edges are refused."""
    with pytest.raises(ParameterError, match="must be a DAG"):
        cpdag(graph)


def test_dags_of_class_lists_exactly_the_class():
    """Every member is listed once, for all classes of four nodes and for larger random ones."""
    for amat in [*{cpdag(PDAG(a)).amat.tobytes(): a for a in DAGS_4}.values(), *DAGS_LARGER[:30]]:
        members = dags_of_class(cpdag(PDAG(amat)))
        expected = naive.dags_of_class(amat)
        assert len(members) == len(expected)
        assert as_set(m.amat for m in members) == as_set(expected)


def test_dags_of_class_respects_added_arrows():
    """A class with added arrows lists only the members that have them."""
    for seed, amat in enumerate(DAGS_LARGER[:30]):
        known = amat & (np.random.default_rng([9102, seed]).random(amat.shape) < 0.3)
        members = dags_of_class(PDAG(cpdag(PDAG(amat)).amat & ~known.T))
        assert as_set(m.amat for m in members) == as_set(
            m for m in naive.dags_of_class(amat) if (m & known == known).all()
        )


@pytest.mark.parametrize("name", SMALL["undirected_chordal"])
def test_dags_of_class_counts_known_chordal_graphs(name):
    """The numbers of DAGs of undirected chordal graphs are the known ones."""
    graph = SMALL["undirected_chordal"][name]
    pdag = PDAG.from_edges(graph["p"], undirected=map(tuple, graph["undirected"]))
    assert len(dags_of_class(pdag)) == graph["dags"]


@pytest.mark.parametrize("p", range(1, 7))
def test_dags_of_class_of_complete_graph_are_all_orders(p):
    """The class of the complete graph K_p has p! DAGs."""
    assert len(set(dags_of_class(PDAG.complete(p)))) == factorial(p)


@pytest.mark.parametrize("name", [name for name, n in NETWORKS.items() if int(n["dags_in_class"]) <= 400])
def test_dags_of_class_counts_known_networks(name):
    """The class sizes of published networks are the known ones."""
    network = NETWORKS[name]
    dag = PDAG.from_edges(network["p"], directed=map(tuple, network["dag"]))
    assert len(dags_of_class(cpdag(dag))) == int(network["dags_in_class"])


@pytest.mark.deep
def test_dags_of_class_stops_at_the_cap():
    """A class as large as the cap is listed, a larger one is refused."""
    assert len(dags_of_class(PDAG.complete(4), cap=24)) == 24
    with pytest.raises(ParameterError, match="more than 23"):
        dags_of_class(PDAG.complete(4), cap=23)
    with pytest.raises(ParameterError, match="more than 10000"):
        dags_of_class(PDAG.from_edges(28, undirected=[(i, i + 1) for i in range(0, 28, 2)]))  # a class of 2^14 members


def test_dags_of_class_refuses_a_graph_without_members():
    """An undirected square is refused, since each of its DAGs has a v-structure."""
    with pytest.raises(ParameterError, match="consistent extension"):
        dags_of_class(PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (3, 0)]))


# --- consistent extension -----------------------------------------------------------------------------------------


def check_extension(amat):
    """Check an extension and its flag `valid` against brute force.

    If no extension exists, the result is still a DAG without new adjacencies.
    """
    expected = naive.extensions(amat)
    dag, valid = consistent_extension(PDAG(amat))
    assert dag.is_dag
    assert valid == has_extension(PDAG(amat)) == bool(expected), PDAG(amat)
    if valid:
        assert dag.amat.tobytes() in as_set(expected), PDAG(amat)
    else:
        assert not (dag.skeleton & ~PDAG(amat).skeleton).any()


@pytest.mark.deep
def test_extension_exists_iff_brute_force_finds_one():
    """`valid` is right for all graphs of four nodes and larger random ones."""
    for amat in [*every_pdag(4), *PDAGS_LARGER[::3]]:
        check_extension(amat)


def test_extension_takes_the_smallest_sink_first():
    """The DAG is that of the published procedure, with ties broken by the smallest index."""
    cpdags = [cpdag(PDAG(naive.random_dag(np.random.default_rng([9103, s]), 10, 15))).amat for s in range(60)]
    for amat in [*cpdags, *every_pdag(4)]:
        expected = naive.consistent_extension(amat)
        dag, valid = consistent_extension(PDAG(amat))
        assert valid == (expected is not None), PDAG(amat)
        assert not valid or np.array_equal(dag.amat, expected), PDAG(amat)


def test_extension_agrees_with_recorded_counts():
    """Recorded graphs have the recorded number of extensions, which `dags_of_class` also lists."""
    for graph in EXTENSIONS:
        edges = {kind: map(tuple, graph[kind]) for kind in ("directed", "undirected")}
        pdag = PDAG.from_edges(graph["p"], **edges)
        assert consistent_extension(pdag).valid == (graph["extensions"] > 0), pdag
        if graph["extensions"]:
            assert len(dags_of_class(pdag)) == graph["extensions"], pdag


def test_extension_of_a_cpdag_is_in_its_class():
    """The CPDAG of the extension is the original CPDAG."""
    for amat in DAGS_4 + DAGS_LARGER:
        pattern = cpdag(PDAG(amat))
        dag, valid = consistent_extension(pattern)
        assert valid
        assert cpdag(dag) == pattern


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ({"undirected": [(0, 1), (1, 2), (2, 3), (0, 3)]}, [(0, 1), (0, 3), (1, 2), (2, 3)]),
        ({"directed": [(0, 1), (1, 2), (2, 0)]}, [(0, 1), (1, 2)]),
        ({"directed": [(0, 1), (1, 2), (2, 3), (3, 0)], "undirected": [(0, 2)]}, [(0, 1), (0, 2), (1, 2), (2, 3)]),
        ({"directed": [(2, 1), (1, 0), (3, 0)], "undirected": [(0, 2), (2, 3)]}, None),
    ],
    ids=["square", "cycle", "cycle-with-chord", "new-collider"],
)
def test_extension_stands_in_where_there_is_none(edges, expected):
    """Without an extension, a DAG is returned and flagged as invalid.

    Each cycle loses its largest arrow, and undirected edges follow the index order.
    """
    dag, valid = consistent_extension(PDAG.from_edges(4, **edges))
    if expected is None:
        check_extension(PDAG.from_edges(4, **edges).amat)
    else:
        assert not valid
        assert dag.directed_edges() == expected


def test_extension_stand_in_keeps_every_line_and_acyclic_arrow():
    """Only arrows on directed cycles may be lost; an acyclic directed part is kept completely."""
    for amat in PDAGS_LARGER:
        pdag = PDAG(amat)
        dag, _ = consistent_extension(pdag)
        lines = amat & amat.T
        assert not (lines & ~dag.skeleton).any()
        lost = [(i, j) for i, j in pdag.directed_edges() if not dag.amat[i, j]]
        reach = ancestors(pdag)
        assert all(reach[j, i] for i, j in lost)


@pytest.mark.parametrize("p", [0, 1, 7, 8, 9, 40])
@pytest.mark.parametrize("acyclic", [True, False])
def test_ancestors_are_the_transitive_closure_of_the_arrows(p, acyclic):
    """With and without directed cycles and undirected edges, for any number of nodes."""
    rng = np.random.default_rng([p, acyclic])
    for density in (0.02, 0.1, 0.3):
        amat = rng.random((p, p)) < density
        np.fill_diagonal(amat, val=False)
        if acyclic:
            order = rng.permutation(p)
            amat = np.triu(amat)[np.ix_(order, order)]
        arrows = amat & ~amat.T
        steps, expected = arrows.astype(int), arrows
        for _ in range(p):
            expected = expected | (expected @ steps > 0)
        reach = ancestors(PDAG(amat))
        assert reach.dtype == bool
        assert np.array_equal(reach, expected)


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (5, 5), (4, 7)], ids=str)
def test_rows_of_lists_the_columns_of_each_row(shape):
    """The columns of each row equal NumPy's, also for empty rows."""
    for mask in (np.zeros(shape, dtype=bool), np.random.default_rng(0).random(shape) < 0.4):
        assert rows_of(mask) == [np.flatnonzero(row).tolist() for row in mask]
