"""Tests on small tables of users that a run or a file reader once treated incorrectly."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from learners import GaussianBIC, Knowledge, ParameterError, learn
from learners.data.dataset import Dataset
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table
from learners.io.dagitty import from_dagitty, read_model

CASES = Path(__file__).parent / "cases"


def data_of(name: str) -> Dataset:
    table = read_table(CASES / name)
    return prepare(table, default_plan(table)).dataset


def score_of(data: Dataset, parents: dict[str, tuple[str, ...]]) -> float:
    score = GaussianBIC(data)
    return sum(score.local(data.index(v), [data.index(u) for u in us]) for v, us in parents.items())


@pytest.mark.parametrize("key", ["pc", "ges", "tabu"])
def test_columns_that_determine_one_another_are_named_and_left_without_arrows(key):
    """Columns that are multiples of one another are named in a warning, and their edges stay undirected."""
    result = learn(key, data_of("r03_fork_perfect.csv"))
    assert result.warnings[0].startswith("'X' is determined by 'W'; 'Y' is determined by 'W'.")
    assert not result.graph.directed_edges()
    assert {(group.target, group.by) for group in result.determined} == {(0, (1,)), (2, (1,))}


def test_equivalent_graphs_of_copies_have_equal_scores():
    """Three equivalent graphs over X, W and Y, copies of one another, have equal scores up to a relative 1e-9."""
    data = data_of("r03_fork_perfect.csv")
    chains = [("X", "W", "Y"), ("Y", "W", "X")]
    found = [score_of(data, {chain[0]: (), **{b: (a,) for a, b in pairwise(chain)}}) for chain in chains]
    found.append(score_of(data, {"W": (), "X": ("W",), "Y": ("W",)}))
    assert found == pytest.approx([found[0]] * 3, rel=1e-9)


@pytest.mark.parametrize("key", ["pc", "ges", "tabu", "mmhc"])
def test_a_sum_is_named_by_the_table_and_by_each_run(key):
    table = read_table(CASES / "r03_sum.csv")
    assert [f.columns for f in check_health(table, default_plan(table)) if f.code == "sum_score"] == [("total",)]
    result = learn(key, data_of("r03_sum.csv"))
    assert result.warnings[0].startswith("'total' is a linear combination of 'part1' and 'part2'")


def test_a_latent_variable_of_dagitty_has_its_role():
    """A dagitty model gives the roles of its variables, and the latent variable keeps its edges."""
    text = (CASES / "r15_truth_latent.txt").read_text()
    graph, names = from_dagitty(text)
    edges = {(names[a], names[b]) for a, b in graph.directed_edges()}
    assert edges == {("A", "C"), ("B", "C"), ("C", "D"), ("U", "A"), ("U", "D")}
    model = read_model(text)
    assert [model.with_role(role) for role in ("exposure", "outcome", "latent")] == [("A",), ("D",), ("U",)]


@pytest.mark.parametrize("key", ["pc", "ges", "tabu", "mmhc", "aracne"])
def test_edges_between_columns_of_many_levels_are_none_or_doubted(key):
    """Birthplaces and streets in 400 rows get no edge, or an edge with a warning that it may be due to chance."""
    table = read_table(CASES / "r28_manycats.csv")
    assert default_plan(table).column("street").kind == "ignore"
    plan = default_plan(table).change("street", kind="categorical")
    assert ("PlaceOfBirth", "street") in [f.columns for f in check_health(table, plan) if f.code == "many_levels"]
    result = learn(key, prepare(table, plan).dataset)
    wide = {result.names.index(name) for name in ("PlaceOfBirth", "street")}
    edges = [pair for pair in np.argwhere(np.triu(result.graph.skeleton)).tolist() if wide & set(pair)]
    doubted = [warning for warning in result.warnings if "may be due to chance" in warning]
    assert bool(edges) == bool(doubted)


@pytest.mark.parametrize("name", ["r29_required_cycle.csv", "r29_required_cycle6.csv"])
@pytest.mark.parametrize("key", ["pc", "ges", "rai", "brai", "mmhc"])
def test_required_edges_stay_and_make_no_cycle(name, key):
    data = data_of(name)
    required = [("C", "A"), ("D", "B"), ("B", "A")]
    graph = learn(key, data, knowledge=Knowledge(required=required)).graph
    there = {(data.names[a], data.names[b]) for a, b in graph.directed_edges()}
    assert there >= set(required)
    assert not graph.has_directed_cycle()
    with pytest.raises(ParameterError, match="must not form a cycle"):
        learn(key, data, knowledge=Knowledge(required=[("A", "B"), ("B", "C"), ("C", "A")]))


def test_each_case_is_the_input_of_a_test():
    """Each reported file is named by a test of the folder, which states the right answer."""
    tests = "".join(path.read_text() for path in Path(__file__).parent.rglob("test_*.py"))
    assert [path.name for path in CASES.iterdir() if path.name not in tests] == []
