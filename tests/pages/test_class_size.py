"""The number of equivalent DAGs on Inspect, with edges between variables that determine one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from learners import Dataset
from learners.data.determination import EXACTLY, NEARLY, DeterminedGroup
from learners.graphs.graph import PDAG
from learners.registry import learn
from learners.results.result import LearnResult
from pages.blocks.inspect.panels import _class_sentence
from viz.legend import MARKS_SHOWN

NOTE = "Some edges marked = keep one direction in this count."


@pytest.fixture(scope="module")
def result() -> LearnResult:
    """Return a run on four independent columns, whose graph and determined groups the tests replace."""
    codes = np.random.default_rng(0).integers(0, 2, (200, 4))
    return learn("pc", Dataset.from_codes(codes.T, [2] * 4, list("abcd")))


@pytest.mark.parametrize(
    ("arrows", "lines", "determined", "note"),
    [
        ([], [(0, 1)], (1, (0,)), ""),  # both directions of the marked edge are counted
        ([(0, 2), (1, 2)], [(1, 3)], (2, (0, 1)), ""),  # the two together determine c, so that no edge is marked
        ([(0, 2), (1, 2)], [(1, 3)], (2, (0,)), NOTE),
    ],
)
def test_the_count_mentions_marked_edges_only_if_they_keep_a_direction(result, arrows, lines, determined, note):
    graph = PDAG.from_edges(4, directed=arrows, undirected=lines)
    run = replace(result, graph=graph, determined=(DeterminedGroup(*determined, 1.0, "levels", mutual=False),))
    assert _class_sentence(run, graph) == f"2 DAGs fit equally well. {note}".strip()


def test_the_mark_does_not_claim_an_exact_function():
    """Columns that others determine in nearly all rows have the mark, too, so its legend cannot promise more."""
    assert NEARLY < EXACTLY
    assert "linked (nearly) by a function" in dict(MARKS_SHOWN.to_numpy())["line with ="]
