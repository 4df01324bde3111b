"""Overlays, tables and curves of several graphs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from learners import learn, load_network, load_sample, sample
from learners.evaluation.comparison import agreement, consensus, differences, quality
from learners.evaluation.curves import roc
from learners.evaluation.metrics import skeleton_confusion
from learners.graphs.cpdag import cpdag as class_of
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from viz.compare import figures, overlay, tables
from viz.kinds import comparable_truth
from viz.language import ENGLISH
from viz.report.of_graph import grid
from viz.translation.sentences import catalog
from viz.weak_evidence import doubted_arrows, doubtful

NAMES = ("a", "b", "c", "d")
PLACES = np.linspace(0, 1, 8).reshape(4, 2)
A = PDAG.from_edges(4, directed=[(0, 1), (1, 2)], undirected=[(2, 3)])
B = PDAG.from_edges(4, directed=[(1, 0), (0, 3)], undirected=[(2, 3)])


def test_overlay_marks_the_graphs_of_each_edge():
    """Edges of both graphs have the mark of A; the sentence counts edges by graph."""
    data = overlay.difference_view(A, B, NAMES, PLACES, ("first", "second"))
    text = {(edge["a"], edge["b"]): (edge["diff"], edge["spans"][0][2]) for edge in data["edges"]}
    assert text == {
        (0, 1): ("direction_differs", "forward"),
        (0, 3): ("only_b", "forward"),
        (1, 2): ("only_a", "forward"),
        (2, 3): ("both", "undirected"),
    }
    assert data["steps"]["text"] == [
        "1 equal, 1 in first only, 1 in second only, 1 contradictory, 0 undetermined in one"
    ]


def test_consensus_slider_drops_edges_that_fewer_graphs_have():
    """Step k, counted from 1, shows the edges that at least k graphs have."""
    graphs = [A, B, A]
    data = overlay.consensus_view(consensus(graphs), 3, NAMES, PLACES)
    assert data["steps"]["offset"] == 1
    for k in (1, 2, 3):
        shown = {(e["a"], e["b"]) for e in data["edges"] if e["spans"][0][0] <= k - 1 < e["spans"][0][1]}
        expected = {(i, j) for i in range(4) for j in range(i + 1, 4) if sum(g.skeleton[i, j] for g in graphs) >= k}
        assert shown == expected
        assert data["steps"]["series"][0]["values"][k - 1] == len(expected)


def test_edge_table_starts_with_differences():
    """The table has one row for each pair and one column for each graph; the truth does not affect the verdict."""
    table = tables.edge_by_edge({"A": A, "B": B}, NAMES, PDAG.from_edges(4, directed=[(0, 2)]))
    assert sorted(table["verdict"][:2]) == ["adjacent in A only", "adjacent in B only"]
    assert table["verdict"].tolist()[2:] == ["contradictory", "equal", "equal"]
    row = table[(table["x"] == "c") & (table["y"] == "d")].iloc[0]
    assert (row["A"], row["B"], row["truth"], row["graphs with it"]) == ("—", "—", "", 2)
    only_true = table[(table["x"] == "a") & (table["y"] == "c")].iloc[0]
    assert (only_true["graphs with it"], only_true["truth"], only_true["verdict"]) == (0, "→", "equal")


def test_quality_has_a_row_a_graph():
    """The true graph itself has perfect quality."""
    rows = tables.quality_rows({"A": A, "B": B}, {"A": A, "B": A})
    assert rows.loc["A"].tolist() == [1, 1, 0, 0, 1]
    assert rows.loc["B", "SHD"] == 3


def test_curves_are_distinguishable_without_colour():
    """Each curve has its own dash pattern, and its label, a user's text, is escaped."""
    curve = roc(np.array([[0, 1], [0, 2]]), A)
    figure = figures.roc_figure({"A": curve, "<b>B": curve})
    assert [line.name for line in figure.data] == ["A", "&lt;b&gt;B"]
    assert len({line.line.dash for line in figure.data}) == 2


SIGNS = ("->", "<-", "o->", "<-o", "o-o", "<->")
CPDAGS = {
    "->": PDAG.from_edges(2, directed=[(0, 1)]),
    "<-": PDAG.from_edges(2, directed=[(1, 0)]),
    "--": PDAG.from_edges(2, undirected=[(0, 1)]),
}
# Marks by definition (Zhang 2008): a tail is a cause, an arrowhead excludes one, a circle leaves it open.
OPEN, BOTH, AGAINST = "undetermined in PAG", "undetermined in CPDAG, PAG", "contradictory"
EXPECTED = {
    "->": ("equal", AGAINST, OPEN, AGAINST, OPEN, AGAINST),
    "<-": (AGAINST, "equal", AGAINST, OPEN, OPEN, AGAINST),
    "--": (
        "undetermined in CPDAG",
        "undetermined in CPDAG",
        "undetermined in CPDAG, PAG",
        "undetermined in CPDAG, PAG",
        OPEN,
        AGAINST,
    ),
}


@pytest.mark.parametrize("edge", CPDAGS)
@pytest.mark.parametrize("sign", SIGNS)
def test_marks_of_a_pag_and_a_cpdag_are_compared_by_what_they_say(edge, sign):
    """Statements contradict each other if they cannot both be true; a circle allows both."""
    pag = PAG.from_ends(2, [(0, sign, 1)])
    graphs = {"CPDAG": CPDAGS[edge], "PAG": pag}
    table = tables.edge_by_edge(graphs, ("x", "y"))
    expected = EXPECTED[edge][SIGNS.index(sign)]
    assert table["verdict"].tolist() == [expected]
    kind = {"equal": "both", AGAINST: "direction_differs"}.get(expected, "left_open")
    drawn = overlay.difference_view(CPDAGS[edge], pag, ("x", "y"), np.zeros((2, 2)))
    assert [one["diff"] for one in drawn["edges"]] == [kind]


def test_verdicts_do_not_depend_on_the_order_of_graphs_or_variables():
    """The verdict is the same if graphs or variables exchange their roles."""
    for cpdag in CPDAGS.values():
        for sign in SIGNS:
            pag = PAG.from_ends(2, [(0, sign, 1)])
            kinds = {
                agreement(graphs, *pair)[0] for graphs in ((cpdag, pag), (pag, cpdag)) for pair in ((0, 1), (1, 0))
            }
            assert len(kinds) == 1


def test_an_uncertain_arrow_keeps_its_question_mark_in_the_table():
    """A table that compares graphs marks the same directions as doubtful as its graph does."""
    graphs = {"A": CPDAGS["->"], "B": CPDAGS["<-"]}
    row = tables.edge_by_edge(graphs, ("x", "y"), doubted={"A": {(0, 1)}, "B": {(0, 1)}}).iloc[0]
    assert (row["A"], row["B"]) == ("→ ?", "←")  # that of B is not among the doubted


def test_pairs_of_determined_columns_have_no_direction():
    """The pair has the sign for "no direction", and no contradiction."""
    graphs = {"A": CPDAGS["->"], "B": CPDAGS["<-"]}
    row = tables.edge_by_edge(graphs, ("x", "y"), determined=[frozenset((0, 1))]).iloc[0]
    assert (row["A"], row["B"], row["verdict"]) == ("=", "=", "equal")


@pytest.mark.parametrize("seed", range(5))
def test_an_arrow_is_hollow_if_all_runs_that_have_it_doubt_it(seed):
    """Two runs on samples with few rows: heads are those of the pictures of the runs."""
    data = [sample(load_network("asia"), 200, seed=990_500 + 2 * seed + k) for k in (0, 1)]
    a, b = results = learn("pc", data[0], alpha=0.1), learn("pc", data[1], alpha=0.1)
    arrows = [doubted_arrows(one, a.names) for one in results]
    view = overlay.difference_view(a.graph, b.graph, a.names, np.zeros((8, 2)), doubted=(arrows[0], arrows[1]))
    for edge in view["edges"]:
        i, j = edge["a"], edge["b"]
        mark = edge["spans"][0][2]
        having = [one for one in results if one.graph.mark(i, j) == mark]
        arrow = {"forward": (i, j), "backward": (j, i)}.get(mark)
        assert ("doubt" in edge) == (arrow is not None and all(doubtful(one, *arrow) for one in having))
    graphs = [a.graph, b.graph]
    common = overlay.doubted_by_all(graphs, arrows)
    for edge in overlay.consensus_view(consensus(graphs), 2, a.names, np.zeros((8, 2)), common)["edges"]:
        pair, mark = (edge["a"], edge["b"]), edge["spans"][0][2]
        arrow = {"forward": pair, "backward": pair[::-1]}.get(mark)
        having = [one for one in results if one.graph.mark(*pair) == mark]
        assert ("doubt" in edge) == (arrow is not None and all(doubtful(one, *arrow) for one in having))


def test_summary_counts_every_pair_once():
    table = tables.edge_by_edge({"A": A, "B": B}, NAMES)
    assert tables.summary(table["verdict"]) == (
        "4 adjacent pairs: 1 equal, 1 contradictory, 1 adjacent in A only, 1 adjacent in B only."
    )
    known = tables.edge_by_edge({"A": A, "B": B}, NAMES, PDAG.from_edges(4, directed=[(0, 1), (0, 2), (0, 3), (2, 3)]))
    assert len(known) > len(table)
    assert tables.summary(tables.verdicts_of_edges(known)) == tables.summary(table["verdict"])
    many = [f"adjacent in {k} only" for k in range(7)]
    assert tables.summary([*many, "equal"]) == "8 adjacent pairs: 1 equal, 7 missing from some graphs."


def test_verdicts_and_their_summary_have_a_german_version():
    """The English phrase of each verdict is the verdict itself."""
    graphs = {"1. PC": A, "2. GES": B, "3. FCI": PAG.from_ends(4, [(0, SIGNS[0], 1), (2, SIGNS[0], 3)])}
    verdicts = {*tables.edge_by_edge(graphs, NAMES)["verdict"], "equal"}
    assert {str(tables.verdict_phrase(verdict)) for verdict in verdicts} == verdicts
    assert tables.verdict_phrase("adjacent in 1. PC, 2. GES only").written(catalog("de")) == (
        "nur in 1. PC, 2. GES benachbart"
    )
    assert tables.verdict_phrase("undetermined in 3. FCI").written(catalog("de")) == "in 3. FCI unbestimmt"
    table = tables.edge_by_edge({"A": A, "B": B}, NAMES)
    assert tables.summary(table["verdict"]).written(catalog("de")) == (
        "4 benachbarte Paare: 1 gleich, 1 widersprüchlich, 1 nur in A benachbart, 1 nur in B benachbart."
    )
    assert tables.summary(["equal"]).written(catalog("de")) == "1 benachbartes Paar: 1 gleich."


SEEKING_NONE = {"mmpc": {}, "hpc": {}, "pc_mi": {"orient": False}, "lmm": {"orientation": "none"}}


@pytest.mark.parametrize("key", [*SEEKING_NONE, "pc", "hc"])
def test_learners_without_directions_are_compared_without_them(key):
    """A pair is then correct if it is adjacent in both graphs; other learners are compared with the true CPDAG."""
    loaded = load_sample("asia")
    data, truth = loaded.dataset, class_of(loaded.truth)
    result = learn(key, data, **SEEKING_NONE.get(key, {}))
    compared = comparable_truth(result, truth)
    if key not in SEEKING_NONE:
        assert compared == truth
        return
    assert not result.graph.directed_edges()
    found = differences(result.graph, compared).values()
    assert set(found) <= {"both", "only_a", "only_b"}
    assert list(found).count("both") == skeleton_confusion(result.graph, truth).tp
    assert quality(result.graph, compared).shd == len([kind for kind in found if kind != "both"])


def test_a_report_writes_scores_that_differ_differently():
    """Other numbers keep three digits."""
    numbers = pd.DataFrame(
        {"BIC": [-24.017, -24.08, -24.005], "held-out BDeu": [-1.0001, -1.0002, np.nan], "seconds": [1.2345] * 3}
    )
    table = grid(numbers, ENGLISH, apart=tables.score_columns(numbers))
    assert table.rows == (
        ("−24.017", "−1.00010", "1.23"), ("−24.080", "−1.00020", "1.23"), ("−24.005", "–", "1.23"),
    )  # fmt: skip
