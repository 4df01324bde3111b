"""Pictures, tables and files of PAGs: a reader sees circle, arrowhead and tail."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from learners.io import interchange
from learners.io.dagitty import to_dagitty
from learners.io.edge_csv import to_adjacency_csv, to_edge_csv
from learners.registry import learn
from learners.results.result import LearnResult
from tests.learners.families.latent.test_fci import confounded
from viz.compare.overlay import difference_view
from viz.graph_data import SHD
from viz.kinds import callouts, timeline
from viz.layout.positions import layout
from viz.legend import CAVEAT, ENDS, caveat_of
from viz.matrix import matrix
from viz.pyvis_network import network_html
from viz.report.picture import graph_svg
from viz.tables import edge_rows, sentence_list

NAMES = list("abcde")
EXPECTED = PAG.from_ends(5, [(0, "o->", 1), (3, "o->", 2), (1, "<->", 2), (1, "->", 4)])
COMPONENT = Path(__file__).parents[3] / "viz" / "graph_view"


@cache
def result() -> LearnResult:
    found = learn("fci", confounded(4_000, 1), alpha=0.01)
    assert found.graph == EXPECTED
    return found


def test_the_slider_replays_each_end():
    """Each application of a rule is a step with its reason; the last step has the marks of the result."""
    data = timeline(result(), layout(result().graph))
    last = data["steps"]["count"] - 1
    final = {
        (edge["a"], edge["b"]): mark for edge in data["edges"] for begin, end, mark in edge["spans"] if end == last + 1
    }
    assert final == {(0, 1): "circle-forward", (1, 2): "bidirected", (1, 4): "forward", (2, 3): "circle-backward"}
    texts = " ".join(data["steps"]["text"])
    assert "arrowhead at b from a: sets that separate a and c do not contain b" in texts
    assert "b → e: by earlier marks, b is no collider between" in texts
    assert [phase["label"] for phase in data["steps"]["phases"]][-2:] == ["colliders", "rules of the ends"]
    json.dumps(data)


def test_the_component_draws_every_mark_and_explains_it():
    """Marks of the data have an entry for their ends, their words and their legend."""
    marks, legend = ((COMPONENT / name).read_text(encoding="utf-8") for name in ("marks.js", "legend.js"))
    for mark in ("circles", "circle-forward", "circle-backward", "bidirected"):
        assert re.search(rf'"?{mark}"?: \["(head|circle)", "(head|circle)"\]', marks)
        shape = mark.replace("backward", "forward")  # the legend shows one of both directions
        assert re.search(rf'"?{shape}"?: "', legend)
        assert f'"{shape}"' in legend[: legend.index("MEANINGS")]


def test_the_table_has_a_sign_and_a_type_for_each_edge():
    """Each edge has one row with its sign and its type; a directed edge goes from the cause to the effect."""
    table = edge_rows(result()).table()
    rows = {(row["from"], row[""], row["to"], row["type"]) for _, row in table.iterrows()}
    assert rows == {
        ("a", "o→", "b", "half open"),
        ("c", "←o", "d", "half open"),
        ("b", "↔", "c", "hidden cause"),
        ("b", "→", "e", "directed"),
    }


def test_the_list_says_what_an_edge_means():
    """The list, which is the text alternative of the picture, says what the ends of each edge mean."""
    assert sentence_list(EXPECTED, NAMES) == [
        "This list assumes that the ends are right.",
        "a: causes and/or shares a hidden cause with b.",
        "b: causes e; shares a hidden cause with c; is caused by and/or shares a hidden cause with a.",
        "c: shares a hidden cause with b; is caused by and/or shares a hidden cause with d.",
        "d: causes and/or shares a hidden cause with c.",
        "e: is caused by b.",
    ]


def test_callouts_name_the_hidden_cause_and_the_circles():
    """The callouts explain the two marks that other kinds of runs do not have."""
    assert callouts(result())[0].startswith("b ↔ c: if the ends are right, neither causes the other")
    assert "(2 open ends)" in callouts(result())[1]


def test_pictures_of_files_draw_the_ends():
    """The report, the matrix and the interactive page draw the ends."""
    svg = graph_svg(result(), layout(EXPECTED))
    assert svg.count('class="open-end"') == 2
    assert svg.count('class="head"') == 5
    assert "<title>b ↔ c</title>" in svg
    hovers = str(matrix(result(), EXPECTED).to_dict())
    assert "b ↔ c" in hovers
    assert "a o→ b" in hovers
    page = network_html(result(), EXPECTED, np.zeros((5, 2)))
    assert '"type": "circle"' in page


def test_compare_draws_the_ends_and_counts_them_as_differences():
    """Edges with the same ends are marked "both", and an edge whose circle is settled in one graph "left_open"."""
    other = PAG.from_ends(5, [(0, "->", 1), (3, "o->", 2), (1, "<->", 2), (1, "->", 4)])
    data = difference_view(EXPECTED, other, NAMES, np.zeros((5, 2)))
    found = {(edge["a"], edge["b"]): edge["diff"] for edge in data["edges"]}
    assert found[0, 1] == "left_open"
    assert {found[pair] for pair in ((1, 2), (1, 4), (2, 3))} == {"both"}


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (to_dagitty, ['pag {\n  "a"', '"a" @-> "b"', '"b" <-> "c"', '"c" <-@ "d"', '"b" -> "e"']),
        (interchange.to_tetrad, ["Graph Nodes:\na;b;c;d;e\n", "1. a o-> b", "2. b <-> c", "3. b --> e", "4. c <-o d"]),
        (interchange.to_dot, ["arrowtail=odot arrowhead=normal", "arrowtail=normal arrowhead=normal"]),
        (interchange.to_graphml, ["o-&gt;", "&lt;-&gt;"]),
        (interchange.to_json, ['"ends": [[0, "o->", 1], [1, "<->", 2], [1, "->", 4], [2, "<-o", 3]]']),
        (to_edge_csv, ['"a","b","o->"', '"b","c","<->"', '"b","e","->"']),
        (to_adjacency_csv, ['"a",0,2,0,0,0', '"b",1,0,2,0,2', '"e",0,3,0,0,0']),
    ],
    ids=["dagitty", "tetrad", "dot", "graphml", "json", "edges", "adjacency"],
)
def test_files_hold_the_ends(write, expected):
    """Each format has its own signs; the matrix has the codes of pcalg."""
    text = write(EXPECTED, NAMES).replace("\r\n", "\n")
    for part in expected:
        assert part in text


def test_the_caveat_of_a_pag_speaks_of_ends():
    """Sentences about arrows that all equivalent DAGs share do not appear for a PAG."""
    pag = PAG.from_ends(3, [(0, "o->", 2)])
    assert caveat_of(pag) == ENDS
    assert caveat_of(PAG.from_ends(3, [])) == ""
    assert caveat_of(PDAG.from_edges(3, directed=[(0, 1)])) == CAVEAT


def test_the_distance_from_the_truth_is_that_of_pags():
    """The truth is compared by its PAG; a circle that no data can resolve is no error."""
    from learners.evaluation import metrics
    from learners.graphs.mag import pag_without_hidden

    truth = PDAG.from_edges(5, directed=[(0, 1), (3, 2), (1, 4)], undirected=[])
    true_pag = pag_without_hidden(truth)
    assert true_pag.n_circles == 6
    assert metrics.shd(true_pag, truth) == 0
    for key in ("fci", "boss_fci", "mag_search"):
        own = learn(key, confounded(800, 2))
        data = timeline(own, layout(own.graph), truth=truth)
        series = next(one["values"] for one in data["steps"]["series"] if one["label"] == SHD)
        graphs = [own.trace.graph_at(step) for step in range(len(own.trace.changes) + 1)]
        assert series == [metrics.shd(graph, truth) for graph in graphs]
        pairs = [(i, j) for i in range(5) for j in range(i)]
        assert series[-1] == sum(own.graph.mark(i, j) != true_pag.mark(i, j) for i, j in pairs)
