"""One graph everywhere, for every learner and type of column: edge by edge, mark by mark, with the same doubts.

The first picture at its final step, the counts of the headline, table, CSV, JSON, report and Compare show the graph of
the result.
"""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from learners.evaluation.calibrated_probabilities import edge_columns
from learners.explaining.explanation import explanation
from learners.explaining.support import directed_graph
from learners.graphs.pag import PAG
from learners.io import interchange
from learners.io.edge_csv import to_edge_csv
from learners.recipes.replay_file import replay
from learners.results.result import LearnResult, metadata
from tests.viz.report.test_report import subject_of
from tests.viz.test_kinds import CASES, DATA, drawn, learnt
from viz.compare.tables import EQUAL, edge_by_edge, mark_between
from viz.graph_data import GraphViewData
from viz.language import Language
from viz.replay_page.views import first_view, views_of
from viz.report.of_graph import edges_in_short, edges_section
from viz.tables import edge_rows
from viz.weak_evidence import doubtful, is_determined

ENDS = {"forward": (0, 1), "backward": (1, 0)}


def pictures(result: LearnResult, kind: str) -> list[GraphViewData]:
    """Return the pictures of all sliders, that which a page shows first as the first one."""
    replayed = replay(result, DATA[kind])
    views = views_of(replayed, np.random.default_rng(0).random((len(result.names), 2)))
    first = first_view(replayed, views)
    return [view.data for view in (views[first], *views[:first], *views[first + 1 :])]


def hollow_heads(data: GraphViewData) -> set[tuple[int, int]]:
    """Return the arrows with a hollow head at the final step."""
    step, found = data["steps"]["choice"], set()
    for edge in data["edges"]:
        pair = edge["a"], edge["b"]
        for begin, end, mark, *_ in edge["spans"]:
            if begin <= step < end and edge.get("doubt") == mark:
                found.add(tuple(pair[k] for k in ENDS[mark]))
    return found


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_the_first_picture_is_the_result(key, kind):
    """Its final step has every edge and mark of the result.

    There and in each other picture of the result, the arrows that are in doubt have hollow heads.
    """
    result = learnt(key, kind)
    first, *others = pictures(result, kind)
    assert drawn(first, first["steps"]["choice"], result) == result.graph
    if isinstance(result.graph, PAG):
        return
    in_doubt = {arrow for arrow in result.directions if doubtful(result, *arrow) and not is_determined(result, *arrow)}
    for data in (first, *others):
        if drawn(data, data["steps"]["choice"], result) == result.graph:
            assert hollow_heads(data) == in_doubt


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_counts_tables_and_files_agree(key, kind):
    """Each edge has the same ends, type and support of its direction wherever it is listed."""
    result = learnt(key, kind)
    table = edge_rows(result).table()
    rows = list(table[["from", "to", "type", "direction"]].itertuples(index=False, name=None))
    counted = directed_graph(result)
    assert len(rows) == result.graph.n_edges == counted.n_edges
    if isinstance(result.graph, PAG):
        return
    directed = {(a, b) for a, b, word, _ in rows if word == "directed"}
    assert directed == {(result.names[i], result.names[j]) for i, j in counted.directed_edges()}
    short = edges_in_short(result, Language())
    assert [int(word) for word in short.replace(",", "").replace(":", "").split() if word.isdigit()] == [
        len(rows), len(directed), len(rows) - len(directed),
    ]  # fmt: skip
    text = to_edge_csv(
        result.graph, result.names, result.strengths, result.directions, result.information, edge_columns(result)
    )
    listed = csv.DictReader(io.StringIO(text))
    assert {(row["from"], row["to"]) for row in listed if row["type"] == "directed"} == directed
    sections = edges_section(subject_of(result, DATA[kind])).blocks if rows else ()
    printed = [row for block in sections for row in getattr(block, "rows", ())]
    assert {(row[0], row[2]) for row in printed if "→" in row[1]} == directed
    assert len(printed) == len(rows)
    stored = json.loads(interchange.to_json(result.graph, result.names, metadata(result)))
    assert interchange.from_json(json.dumps(stored))[0] == result.graph


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_compare_and_explanations_agree(key, kind):
    """Compare finds the picture equal to the result, and each explanation states the mark of the result."""
    result = learnt(key, kind)
    data = pictures(result, kind)[0]
    shown = drawn(data, data["steps"]["choice"], result)
    compared = edge_by_edge({"picture": shown, "result": result.graph}, result.names)
    assert set(compared["verdict"]) <= {EQUAL}
    assert len(compared) == result.graph.n_edges
    for i, j in result.graph.edges():
        headline = explanation(result, (i, j), DATA[kind]).headline
        if not is_determined(result, i, j):
            stated = {f"{result.names[a]} {mark_between(result.graph, a, b)} {result.names[b]} is in the graph."
                      for a, b in ((i, j), (j, i))}  # fmt: skip
            assert headline in stated
