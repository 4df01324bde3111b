"""RAI, B-RAI and the bootstrap in the app: probabilities, draws, the tree, and the recursion."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.driving import finish_run, go, open_app, plain, press, sound, unfold


def learnt(key="brai", sample="asia", **settings):
    at = press(go(press(open_app(), f"start_sample_{sample}"), "learn"), f"learn_choose_{key}")
    for name, value in settings.items():
        widget = next(one for one in (*at.number_input, *at.selectbox) if one.key == f"learn_{key}_{name}")
        widget.set_value(value)
    at.run()
    return sound(finish_run(press(go(at, "learn"), "learn_run"), 120))


def part(at, key, name):
    return sound(at.segmented_control(key=f"inspect_{key}_part").set_value(name).run())


def probable(at):
    """Choose the slider of probabilities, whose graph is another one than that of a run without polish."""
    return sound(at.segmented_control(key="brai_mode").set_value("probable").run())


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown))


def run_of(at):
    return at.session_state["runs"][-1]


@pytest.mark.deep
def test_probabilities_of_every_feature_can_be_shown():
    """Matrix and table show the probabilities of each feature without a rerun."""
    at = probable(learnt())
    assert "The number on an edge is its probability P" in words(at)
    for form in ("Matrix", "Table"):
        sound(at.segmented_control(key="inspect_feature_form").set_value(form).run())
        for feature in ("Edge", "Arrow", "Markov blanket", "Path"):
            sound(at.segmented_control(key="inspect_feature_brai").set_value(feature).run())
    sound(at.segmented_control(key="inspect_feature_brai").set_value("v-structure").run())
    assert len(at.session_state["runs"]) == 2


def test_k_answers_from_the_stored_tree():
    """With k = 1 only the best class counts, and the picture follows; no run is added."""
    at = probable(learnt())
    run = run_of(at)
    key = f"brai_k_{run.number}"
    at.select_slider(key=key).set_value(1).run()
    text = words(sound(at))
    assert f"the best class of each of {run.result.extra.n_draws} trees" in text
    assert len(at.session_state["runs"]) == 2
    shown = run.data["posterior"][1]
    assert len(shown.classes) <= run.result.extra.n_draws
    assert run.result.extra.classes(1)[0].score == pytest.approx(run.result.score)
    assert run.result.extra.classes(1)[0].graph in {one.graph for one in shown.classes}


def test_pair_is_explained_with_the_shares_of_each_direction():
    """The shares equal the posterior on screen."""
    at = learnt()
    unfold(at).selectbox(key="why_x").set_value(0).run()
    at.selectbox(key="why_y").set_value(1).run()
    assert "in the Markov blanket of the other" in words(sound(at))


@pytest.mark.deep
def test_classes_are_counted_with_fewer_rows():
    """One click learns from each sample size; the counts are drawn and the run stays."""
    at = part(learnt(), "brai", "By rows")
    at = press(at, "inspect_count_classes")
    run = run_of(at)
    if "brai_job" in at.session_state:
        at.session_state["brai_job"][1].wait(60)
        at.run()
    sizes, counts = run.data["classes_by_rows"]
    assert sizes[-1] == run.dataset.n
    assert counts[-1] == run.result.extra.n_classes()
    assert "Different CPDAGs in the tree" in words(sound(at))
    assert len(at.session_state["runs"]) == 2


@pytest.mark.deep
def test_shares_of_a_bootstrap_can_be_shown():
    """Open edges have their own shares; the graph cut at the run's share is the run's graph."""
    at = learnt("bootstrap", n_resamples=5)
    for feature in ("Edge", "Arrow", "Open edge"):
        sound(at.segmented_control(key="inspect_feature_bootstrap").set_value(feature).run())
    run = run_of(at)
    edges = run.data["probable"][1]
    assert np.array_equal(edges.graph(edges.choice).amat, run.result.graph.amat)
    assert "The number on an edge is the share of 5 resamples" in words(at)


@pytest.mark.deep
def test_draws_answer_at_any_temperature():
    """γ = 0 gives only the best graph, a new draw has another seed, and the text counts the chosen pair."""
    at = part(learnt(), "brai", "Draws")
    run = run_of(at)
    at.session_state["pair"] = run.result.names[:2]
    at.select_slider(key=f"brai_gamma_{run.number}").set_value(0.0).run()
    assert "At γ = 0, 20 draws gave 1 different CPDAG" in words(sound(at))
    assert run.data["draws"][1].graphs == (run.result.graph,)
    at.select_slider(key=f"brai_gamma_{run.number}").set_value(1000.0).run()
    first = run.data["draws"][1]
    press(at, "inspect_draw")
    assert len(first.graphs) > 1
    assert "Chosen pair, by share of the draws" in words(sound(at))
    assert run.data["draws"][0] == (1000.0, 1)


@pytest.mark.deep
def test_leaf_opens_its_graph():
    """The graph is the best that passes through the leaf, and can be pinned."""
    at = part(learnt(), "brai", "Tree")
    run = run_of(at)
    tree = run.result.extra.tree
    leaf = int(tree.leaves[-1])
    at.session_state[f"brai_leaf_{run.number}"] = leaf
    assert f"Leaf {leaf}: its best graph has" in words(sound(at.run()))
    assert leaf in tree.best(leaf)[1]
    press(at, "inspect_pin_leaf")
    assert at.session_state["pins"][-1].graph == run.result.extra.graph_of(tree.best(leaf)[1])
    at.session_state[f"brai_root_{run.number}"] = 1
    sound(press(sound(at.run()), "inspect_whole_tree"))


@pytest.mark.deep
@pytest.mark.parametrize("key", ["brai", "bootstrap"])
def test_truth_judges_the_probabilities(key):
    """Calibration and ROC are shown for each feature that the true graph has too."""
    at = part(learnt(key, **({"n_resamples": 3} if key == "bootstrap" else {})), key, "True graph")
    assert "predictions are calibrated" in words(at)
    sound(at.segmented_control(key="inspect_true_curve").set_value("ROC").run())
    assert "Area under the curve" in words(at)
    sound(at.segmented_control(key=f"inspect_true_{key}").set_value("Arrow").run())


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("key", ["rai", "brai"])
def test_recursion_is_listed_and_boxed(key):
    """The replay of the run draws a box around its groups."""
    at = part(learnt(key), key, "Calls") if key == "brai" else learnt(key)
    assert "Click a row to show the graph after a call" in words(at)
    run = run_of(at)
    assert run.data["layered"][1]["boxes"]
