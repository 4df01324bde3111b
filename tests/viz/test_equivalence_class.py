"""Views of an equivalence class: each step draws its graph and marks exactly the changed edges."""

from __future__ import annotations

import json

import numpy as np
import pytest

from learners import PDAG, cpdag, dags_of_class
from learners.graphs.edge_reversal import direct_edge, reverse_edge
from learners.networks.random_networks import random_dag
from tests.viz.test_kinds import drawn
from viz.equivalence_class import max_members, members_view, turn_sentence, turns_view

NAMES = tuple("abcdefg")
PLACES = np.random.default_rng(0).random((7, 2))


@pytest.mark.parametrize("seed", range(6))
def test_members_are_drawn_one_by_one(seed: int) -> None:
    """Each step marks the changes to the previous DAG; the class is compared with a true graph."""
    graph = cpdag(random_dag(7, 2.5, seed))
    members = dags_of_class(graph)
    data = members_view(members, str(len(members)), graph, NAMES, PLACES)
    json.dumps(data)
    assert data["steps"]["count"] == len(data["steps"]["text"]) == len(members)
    for step, dag in enumerate(members):
        assert drawn(data, step) == dag
        unlike = {edge["id"] for edge in data["edges"] for a, b, _ in edge["turns"] if a <= step < b}
        before = members[step - 1] if step else dag
        assert unlike == {e["id"] for e in data["edges"] if dag.mark(e["a"], e["b"]) != before.mark(e["a"], e["b"])}
        assert f"DAG {step + 1} of {len(members)}" in data["steps"]["text"][step]
    for edge in data["edges"]:
        assert edge["comparable"] == [[0, len(members), graph.mark(edge["a"], edge["b"])]]


def test_edges_directed_by_hand_are_shown_with_their_consequences() -> None:
    """In a chain, an edge directed by hand implies the directions of others; then an edge of a DAG is reversed."""
    chain = PDAG.from_edges(7, undirected=[(k, k + 1) for k in range(6)])
    first = direct_edge(chain, 1, 2)
    assert turn_sentence(first, NAMES) == (
        "by hand: b → c; implied: c → d, d → e, e → f, f → g"
    )  # fmt: skip
    data = turns_view(chain, [first], chain, NAMES, PLACES)
    assert drawn(data, 0) == chain
    assert drawn(data, 1) == first.graph
    actual = {(edge["a"], edge["b"]): edge["turns"] for edge in data["edges"]}
    assert actual[1, 2] == [[1, 2, "by-hand"]]
    assert actual[2, 3] == [[1, 2, "follows"]]
    assert actual[0, 1] == []
    dag = direct_edge(chain, 0, 1).graph
    back = reverse_edge(dag, 0, 1, chain)
    assert turn_sentence(back, NAMES) == "by hand: b → a; no other edge changes"


def test_large_graphs_list_fewer_members() -> None:
    """The number of listed members falls with the number of variables, so that their matrices fit the memory."""
    assert max_members(20) == 1_000
    assert max_members(724) == 38
    assert max_members(1) == 1_000
