"""Graphs as tables and sentences: the text alternative of every picture."""

from __future__ import annotations

import numpy as np
import pytest

from learners.graphs.graph import PDAG
from learners.io.samples import load_sample
from learners.registry import learn
from learners.results.events import Action
from learners.results.rules import Rule
from tests.viz import cases
from tests.viz.cases import HOSTILE, SEEDS, judged, learnt, made, oriented
from viz import tables
from viz.tables import edge_table, sentence_list, separated_table
from viz.text import format_p, format_set


@pytest.mark.parametrize("seed", SEEDS)
def test_edge_table_lists_every_edge_once_strongest_first(seed):
    """Directed rows read from tail to head; `i` and `j` lead back to the nodes."""
    result = learnt(seed)
    table = edge_table(result)
    assert sorted(zip(table["i"], table["j"], strict=True)) == [
        tuple(e) for e in np.argwhere(np.triu(result.graph.skeleton))
    ]
    for row in table.to_dict("records"):
        i, j = result.names.index(row["from"]), result.names.index(row["to"])
        assert {i, j} == {row["i"], row["j"]}
        assert result.graph.mark(i, j) == ("forward" if row["type"] == "directed" else "undirected")
        assert row[""] == ("→" if row["type"] == "directed" else "—")
    strengths = table[result.strengths.label].dropna()
    assert strengths.is_monotonic_increasing  # log10 p: the smallest is the strongest


def test_edge_table_of_a_step_shows_that_steps_graph():
    """Another graph over the same nodes may be asked for, the empty one too."""
    result = learnt(0)
    assert len(edge_table(result, result.trace.graph_at(0))) == 28
    assert len(edge_table(result, PDAG.empty(8))) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_separated_table_tells_each_removal_last_first(seed):
    """Pair, set, p and level of the test that removed the edge."""
    result = learnt(seed)
    removed = [e for e in result.trace if e.action == Action.REMOVE][::-1]
    table = separated_table(result)
    assert list(zip(table["i"], table["j"], strict=True)) == [(e.i, e.j) for e in removed]
    assert table["level"].tolist() == [str(e.phase) for e in removed]
    for row, event in zip(table.to_dict("records"), removed, strict=True):
        assert (row["x"], row["y"]) == (result.names[event.i], result.names[event.j])
        assert row["p"] == format_p(event.log_p)
        if event.rule is not Rule.FORBIDDEN:
            assert row["separated by"] == format_set(event.cond, result.names)


def test_separated_table_does_not_call_a_forbidden_pair_independent():
    """No set separated it: the user did."""
    table = separated_table(made([oriented(0, 1, Rule.FORBIDDEN, action=Action.REMOVE)]))
    assert table[["separated by", "p"]].to_numpy().tolist() == [["your knowledge", "–"]]


def test_separated_table_is_capped(monkeypatch):
    """The last removals stay: the first ones are the clear-cut ones."""
    monkeypatch.setattr(tables, "MOST_ROWS", 2)
    events = [judged(Action.REMOVE, i, j, -0.1) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert separated_table(made(events))["y"].tolist() == ["c", "c"]


def test_empty_tables_keep_their_columns():
    """A page can show them all the same."""
    nothing = made([], p=2)
    assert list(separated_table(nothing).columns) == ["x", "y", "separated by", "p", "level", "i", "j"]
    assert list(edge_table(nothing, PDAG.empty(2)).columns)[:4] == ["from", "", "to", "type"]


def test_sentences_say_every_edge_from_both_ends():
    """Children, parents and open links of each variable that has any."""
    graph = PDAG.from_edges(5, directed=[(0, 2), (1, 2)], undirected=[(2, 3)])
    assert sentence_list(graph, "abcde") == [
        "a points at c.",
        "b points at c.",
        "c is pointed at by a, b; is linked, direction open, with d.",
        "d is linked, direction open, with c.",
        "Joined with no other: e.",
    ]


def test_hostile_names_stay_what_they_are():
    """Cells are shown as text: nothing is escaped, cut or lost."""
    result = made([judged(Action.KEEP, 0, 1, -9.0)], p=len(HOSTILE), names=HOSTILE)
    assert set(edge_table(result)["from"]) | set(edge_table(result)["to"]) == set(HOSTILE)
    assert len(cases.HOSTILE) == len(set(cases.HOSTILE))


def test_separated_table_of_a_learner_without_removals_has_each_pair_once():
    """MMPC starts without edges: the pairs that a test set apart, whichever end it asked."""
    result = learn("mmpc", load_sample("asia").dataset)
    table = separated_table(result)
    pairs = {frozenset(pair) for pair in zip(table["i"], table["j"], strict=True)}
    assert len(pairs) == len(table)
    assert pairs == set(result.sepsets)
