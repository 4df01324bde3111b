"""Views of probabilities: edges, matrices, tables and bars."""

from __future__ import annotations

import numpy as np
import pytest

from learners import learn, load_sample
from learners.evaluation.comparison import differences
from learners.evaluation.posterior import Posterior, RankedClass
from learners.explaining.explanation import explanation
from learners.families.averaging.probable_edges import of_frequencies, of_posterior
from learners.families.brai.explaining import last_call_of, why_group
from tests.viz.heat import cells_of
from viz.averaging import figures, tables, truth
from viz.averaging.features import ARROW, BLANKET, EDGE, features_of, pair_shares, values_of
from viz.averaging.timeline import probable_timeline
from viz.averaging.words import PROBABILITY, SHARE
from viz.brai.recursion import call_table
from viz.brai.small_graphs import KINDS, small_graphs
from viz.brai.tree import boxes, icicle, leaf_table, level_words
from viz.kinds import callouts, timeline
from viz.text import format_probability

LOADED = load_sample("asia")
FEW = LOADED.dataset.take(range(150))
PLACES = np.linspace(0, 1, 16).reshape(8, 2)


@pytest.fixture(scope="module")
def run():
    return learn("brai", FEW)


def drawn_at(data, step):
    return {(e["a"], e["b"]) for e in data["edges"] if e["spans"][0][0] <= step < e["spans"][0][1]}


def stop_of(steps, value):
    """Return the step to which the line of the picture leads, as its script computes it."""
    values, step = steps["series"][0]["values"], steps["threshold"]["first"]
    while step < steps["threshold"]["last"] and not values[step + 1] > value:
        step += 1
    return step


def test_line_leads_to_the_edges_with_at_least_its_probability(run):
    """Edges exactly at the line are included; the opacity of an edge is its probability."""
    posterior = run.extra.posterior(20)
    edges = of_posterior(posterior)
    data = probable_timeline(run, edges, PROBABILITY, PLACES, truth=LOADED.truth)
    assert data["steps"]["text"][0] == f"{len(edges.pairs)} pairs, none removed yet"
    assert data["steps"]["events"] == list(range(data["steps"]["count"]))  # one removal for each click
    steps = data["steps"]
    assert steps["count"] == len(edges) == len(steps["text"])
    for value in [*edges.levels.tolist(), 0.0, 0.1, 0.5, 0.77]:
        at_least = {tuple(pair) for pair in np.argwhere(np.triu(posterior.adjacent >= value - 1e-12, 1)).tolist()}
        at_least &= {tuple(pair) for pair in np.argwhere(posterior.adjacent > 0).tolist()}
        assert drawn_at(data, stop_of(steps, value)) == at_least
    for edge in data["edges"]:
        assert edge["opacity"] == pytest.approx(posterior.adjacent[edge["a"], edge["b"]])
    assert stop_of(steps, steps["threshold"]["value"]) == steps["choice"]
    assert len(steps["series"][2]["values"]) == steps["count"]


def test_bootstrap_is_dragged_by_its_shares():
    """Initially the line is at the threshold of the run and draws the run's own graph."""
    result = learn("bootstrap", FEW, base="rai", n_resamples=10)
    data = probable_timeline(result, of_frequencies(result.extra, result.graph, 0.5), SHARE, PLACES)
    steps = data["steps"]
    assert drawn_at(data, steps["choice"]) == {tuple(sorted(edge)) for edge in result.graph.edges()}
    assert stop_of(steps, 0.5) == steps["choice"]
    assert steps["series"][0]["label"] == "share of the removed edges"


def test_matrix_shows_and_offers_what_is_possible(run):
    """Each pair with a probability above 0 has a clickable cell whose hover shows the number."""
    posterior = run.extra.posterior()
    for feature in features_of(posterior).values():
        values = values_of(feature, posterior)
        figure, alt = figures.feature_matrix(feature, values, run.names)
        targets = figure.data[1]
        assert np.array_equal(np.nan_to_num(cells_of(figure)), values.astype(np.float32))
        assert sorted(targets.customdata) == sorted(np.flatnonzero(values > 0).tolist())
        assert all("P = " in words for words in targets.text)
        assert alt.startswith("Matrix of P(")


def test_tables_are_sorted_and_keep_direction(run):
    """Symmetric features have one row for each pair, arrows one for each direction."""
    posterior = run.extra.posterior()
    for feature, pairs in ((EDGE, np.triu(posterior.adjacent)), (ARROW, posterior.directed)):
        table = tables.feature_table(feature, values_of(feature, posterior), run.names, None, 10)
        assert len(table) == (pairs > 0).sum()
        assert table["P"].is_monotonic_decreasing
        assert (table["P"].to_numpy() == values_of(feature, posterior)[table["i"], table["j"]]).all()
    triples = tables.v_structure_table(posterior.v_structures, run.names, set(), 10)
    assert len(triples) == len(posterior.v_structures)
    actual = tables.feature_table(BLANKET, posterior.blanket, run.names, posterior.blanket, 10)
    assert (actual["exactly"] == actual["in truth"]).all()


def test_bar_shares_out_all_of_the_probability(run):
    """The shares sum to 1 for a posterior, and for resamples, which also have open edges."""
    posterior, frequencies = run.extra.posterior(), learn("bootstrap", FEW, base="rai", n_resamples=5).extra
    for evidence, kinds in ((posterior, ["->", "<-", "none"]), (frequencies, ["->", "<-", "-", "none"])):
        for i, j in ((0, 1), (2, 4), (7, 6)):
            shares = pair_shares(evidence, i, j)
            assert list(shares) == kinds
            assert sum(shares.values()) == pytest.approx(1.0)
            figure, alt = figures.pair_bar(shares, "a", "b")
            assert sum(bar.x[0] for bar in figure.data) == pytest.approx(1.0)
            assert "no edge" in alt


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (1 + 1e-16, "1"),
        (1 - 1e-14, "> 0.999"),
        (0.25, "0.25"),
        (3e-9, "3.00e-9"),
        (1 - 2e-7, "1 − 2.00e-7"),
    ],
)
def test_probabilities_near_both_ends_can_be_read(value, words):
    """A small distance to 1 is shown as such."""
    assert format_probability(value).replace("\u00a0", " ") == words


def test_counts_at_the_cap_are_said_to_be_more():
    """The chart shows a plus, and the text says so in words."""
    figure, alt = figures.classes_figure((100, 200), (500, 12), 500)
    assert list(figure.data[0].text) == ["500+", "12"]
    assert "100 rows: 500 or more, 200 rows: 12" in alt


@pytest.fixture(scope="module")
def true():
    return Posterior([RankedClass(LOADED.truth, 0.0)])


def test_truth_is_perfectly_calibrated_beside_itself(true):
    """Each bin's prediction equals its frequency, and the area under the ROC curve is 1."""
    for feature in features_of(true).values():
        figure, alt = truth.calibration_figure(feature, true, true)
        assert list(figure.data[1].x) == pytest.approx(list(figure.data[1].y))
        assert "observed 1.00" in alt
    figure, alt = truth.roc_figure(EDGE, true, true, 0.5)
    assert alt == "Area under the curve 1.000; at P ≥ 0.5 100% of what is true and 0.0% of what is false"
    assert (figure.data[2].x[0], figure.data[2].y[0]) == (0.0, 1.0)


def test_diamond_is_at_the_cut(run, true):
    """The diamond's height is the true positive rate of the pairs whose probability is at least the cut."""
    posterior, joined = run.extra.posterior(20), LOADED.truth.skeleton
    for cut in (0.0, 0.3, 0.9):
        figure, _ = truth.roc_figure(EDGE, posterior, true, cut)
        taken = posterior.adjacent >= cut
        assert figure.data[2].y[0] == pytest.approx((taken & joined).sum() / joined.sum())


def test_boxes_share_the_width_and_hold_every_item(run):
    """Each item occurs once, below its parent and within it; a click reports its number."""
    tree = run.extra.tree
    found, whole = boxes(tree)
    assert whole
    assert sorted(box.item for box in found) == list(range(len(tree)))
    place = {box.item: box for box in found}
    for item, box in place.items():
        below = [place[child] for slot in tree.slots(item) for child in tree.children(slot)]
        if below:
            assert sum(child.width for child in below) == pytest.approx(box.width)
            assert min(child.begin for child in below) == pytest.approx(box.begin)
    figure, alt = icicle(tree, run.names, tree.best_by_item())
    assert sorted(figure.data[0].customdata) == list(range(len(tree)))
    assert "levels" in alt
    part, _ = boxes(tree, 1)
    assert part[0].width == 1.0
    assert len(leaf_table(tree, run.names, tree.best_by_item())) == len(tree.leaves)


def test_small_pictures_tell_how_graphs_differ(run):
    """Each kind of edge has one trace; a graph does not differ from itself."""
    others = run.extra.classes(5)
    figure = small_graphs([one.graph for one in others], run.names, PLACES, others[0].graph, [""] * len(others))
    named = [trace.name for trace in figure.data if trace.xaxis == "x" and trace.mode == "lines"]
    assert named == ["as in the best graph"]
    drawn = {trace.name for trace in figure.data if trace.mode == "lines"}
    kinds = {kind for one in others for kind in differences(others[0].graph, one.graph).values()}
    assert drawn == {KINDS[kind][2] for kind in kinds}


@pytest.mark.parametrize("key", ["rai", "brai"])
def test_group_under_way_is_boxed(key):
    """A step has at most one box, for the call that produced it; a group of all variables has none."""
    result = learn(key, load_sample("child").dataset.take(range(400)))
    data = timeline(result, np.zeros((20, 2)))
    assert data["boxes"]
    for step in range(1, data["steps"]["count"]):
        shown = [box for box in data["boxes"] if box["from"] <= step < box["to"]]
        at_work = [call for call in result.extra.calls if call.begin < step <= call.end and len(call.nodes) < 20]
        assert [box["nodes"] for box in shown] == [list(call.nodes) for call in at_work]
        change = result.trace[int(result.trace.changes[step - 1])]
        assert all({change.i, change.j} & set(box["nodes"]) for box in shown)
    table = call_table(result)
    assert len(table) == len(result.extra.calls)
    assert table["tests"].sum() == sum(sum(call.n_tests) for call in result.extra.calls)
    assert table["step"].max() <= len(result.trace.changes)


def test_explanation_names_the_group():
    """The explanation names the deepest call that contains both variables."""
    result = learn("rai", FEW)
    for x in range(8):
        for y in range(x):
            call = result.extra.calls[last_call_of(result.extra.calls, x, y)]
            assert {x, y} <= {*call.nodes, *call.exogenous}
            assert why_group(result, x, y).text(result.names) in explanation(result, (x, y)).sentences
            assert f"at level {call.size}" in why_group(result, x, y).text(result.names)


@pytest.mark.parametrize("key", ["rai", "brai", "bootstrap"])
def test_callouts_say_what_the_run_bears_out(key):
    """Numbers in callouts equal those in the result."""
    result = learn(
        key, load_sample("child").dataset.take(range(300)), **({"n_resamples": 5} if key == "bootstrap" else {})
    )
    text = " ".join(callouts(result))
    if key == "rai":
        call = next(call for call in result.extra.calls if len(call.groups) > 1)
        assert f"and {len(call.groups[-1])} descendant" in text
    else:
        values = result.strengths.values[np.triu_indices(20, 1)]
        nearest = float(values[np.abs(values - 0.5).argmin()])
        number = f"P = {format_probability(nearest)}" if key == "brai" else f": {nearest:.0%} of the resamples"
        assert (number in text) == (0.05 < nearest < 0.95)
    if key == "brai":
        assert "different graphs" in text


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "<b>x</b><br>", "%{x} $y$", "a" * 200])
def test_names_are_never_markup(name):
    """Names are escaped in all figures of probabilities."""
    names = (name, *(f"v{k}" for k in range(7)))
    data = FEW.take(range(FEW.n))
    result = learn("brai", type(data).from_codes(data.codes, data.arity, names, data.levels))
    posterior, tree = result.extra.posterior(), result.extra.tree
    drawn = [
        figures.feature_matrix(EDGE, posterior.adjacent, names)[0],
        figures.pair_bar(pair_shares(posterior, 0, 1), *names[:2])[0],
        icicle(tree, names, tree.best_by_item())[0],
        small_graphs([result.graph], names, PLACES, result.graph, [""], labelled=True),
    ]
    for figure in drawn:
        assert "<script" not in figure.to_json().replace("\\u003c", "<")
        assert "<b>x" not in figure.to_json().replace("\\u003c", "<")


def test_levels_of_the_tests_are_reported(run):
    """Levels are listed for the data and for resamples; with published settings the latter are far above alpha."""
    assert "on the data, 0.0685, 0.156, 0.287, 0.777 on a resample." in level_words(run, 150)
    corrected = learn("brai", FEW, resample_factor=2.0)
    assert "0.01, 0.01, 0.01, 0.01 on the data, 0.01, 0.01, 0.01, 0.01 on a resample" in level_words(corrected, 150)
