"""Graphs as tables and sentences."""

from __future__ import annotations

import numpy as np
import pytest

from learners.graphs.graph import PDAG
from learners.graphs.rules import Rule
from learners.io.samples import load_sample
from learners.registry import learn
from learners.results.events import Action
from tests.viz import cases
from tests.viz.cases import HOSTILE, SEEDS, judged, learnt, made, oriented
from viz.tables import edge_rows, sentence_list, separated_rows
from viz.text import format_p, format_set


@pytest.mark.parametrize("seed", SEEDS)
def test_edge_table_lists_every_edge_once_strongest_first(seed):
    """Directed rows read from tail to head; `i` and `j` are node indices."""
    result = learnt(seed)
    table = edge_rows(result).table()
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
    result = learnt(0)
    assert len(edge_rows(result, result.trace.graph_at(0)).table()) == 28
    assert len(edge_rows(result, PDAG.empty(8)).table()) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_separated_table_lists_removals_latest_first(seed):
    """Each row has the set, p and level of the test."""
    result = learnt(seed)
    removed = [e for e in result.trace if e.action == Action.REMOVE][::-1]
    table = separated_rows(result).table()
    assert list(zip(table["i"], table["j"], strict=True)) == [(e.i, e.j) for e in removed]
    assert table["level"].tolist() == [str(e.phase) for e in removed]
    for row, event in zip(table.to_dict("records"), removed, strict=True):
        assert (row["x"], row["y"]) == (result.names[event.i], result.names[event.j])
        assert row["p"] == format_p(event.log_p)
        if event.rule is not Rule.FORBIDDEN:
            assert row["separated by"] == format_set(event.cond, result.names)


def test_separated_table_does_not_call_a_forbidden_pair_independent():
    table = separated_rows(made([oriented(0, 1, Rule.FORBIDDEN, action=Action.REMOVE)])).table()
    assert table[["separated by", "p"]].to_numpy().tolist() == [["background knowledge", "–"]]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_page_of_a_table_equals_its_part_of_the_whole(seed):
    """Pages are right for any search and sort order."""
    result = learnt(seed)
    for rows in (edge_rows(result), separated_rows(result)):
        whole = rows.table()
        for by in ("as they come", *rows.orders):
            positions = rows.ordered(rows.matching(result.names[0]), by)[:3]
            part = rows.make(positions)
            assert part.equals(whole.iloc[positions].reset_index(drop=True))


def test_search_finds_the_rows_with_all_words():
    """Words match either name in any order and case; a chosen variable limits the rows to its own."""
    names = ("Heart rate", "heart", "Rate of change", "x")
    rows = separated_rows(
        made([judged(Action.REMOVE, i, j, -0.1) for i in range(4) for j in range(i)], p=4, names=names)
    )
    for text in ("", "heart", "RATE heart", "x rate", "of x", "nothing"):
        for variable in (None, *range(4)):
            expected = [
                k
                for k, (i, j) in enumerate(zip(rows.i.tolist(), rows.j.tolist(), strict=True))
                if (variable is None or variable in (i, j))
                and all(w.lower() in names[i].lower() or w.lower() in names[j].lower() for w in text.split())
            ]
            assert rows.matching(text, variable).tolist() == expected


def test_rows_sort_by_p_and_by_name():
    """Numbers in names are compared by value; sets without p come last."""
    names = ("x10", "x9", "X2")
    pairs = ((0, 1, -3.0), (0, 2, -1.0), (1, 2, -2.0))
    rows = separated_rows(made([judged(Action.REMOVE, *pair) for pair in pairs], names=names))
    every = rows.matching()
    assert rows.make(rows.ordered(every, "largest p first"))["p"].tolist() == ["0.368", "0.135", "0.0498"]
    assert rows.make(rows.ordered(every, "smallest p first"))["p"].tolist() == ["0.0498", "0.135", "0.368"]
    assert rows.make(rows.ordered(every, "first variable"))["x"].tolist() == ["x9", "x10", "x10"]
    assert rows.make(rows.ordered(every, "second variable"))["y"].tolist() == ["X2", "X2", "x9"]


def test_empty_tables_keep_their_columns():
    nothing = made([], p=2)
    assert list(separated_rows(nothing).table().columns) == ["x", "y", "separated by", "p", "rows", "level", "i", "j"]
    assert list(edge_rows(nothing, PDAG.empty(2)).table().columns)[:4] == ["from", "", "to", "type"]


def test_sentences_list_every_edge_from_both_ends():
    graph = PDAG.from_edges(5, directed=[(0, 2), (1, 2)], undirected=[(2, 3)])
    assert sentence_list(graph, "abcde") == [
        "a: arrow to c.",
        "b: arrow to c.",
        "c: arrows from a, b; undirected edge to d.",
        "d: undirected edge to c.",
        "No edges: e.",
    ]


def test_hostile_names_stay_unchanged():
    """Cells are text, so nothing is escaped, cut or lost."""
    result = made([judged(Action.KEEP, 0, 1, -9.0)], p=len(HOSTILE), names=HOSTILE)
    assert set(edge_rows(result).table()["from"]) | set(edge_rows(result).table()["to"]) == set(HOSTILE)
    assert len(cases.HOSTILE) == len(set(cases.HOSTILE))


def test_separated_table_of_a_learner_without_removals_has_each_pair_once():
    """MMPC starts without edges and may separate a pair from either end."""
    result = learn("mmpc", load_sample("asia").dataset)
    table = separated_rows(result).table()
    pairs = {frozenset(pair) for pair in zip(table["i"], table["j"], strict=True)}
    assert len(pairs) == len(table)
    assert pairs == set(result.sepsets)
