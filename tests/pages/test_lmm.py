"""LMM in the app: its form, its graphs, its own parts, and a rerun with another setting."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from learners.families.lmm.ranking import choice_in
from learners.families.lmm.step_graphs import graph_at
from learners.registry import learn
from pages.session.jobs import runner
from tests.pages.driving import (
    figure,
    finish_run,
    go,
    learn_now,
    markup,
    open_app,
    plain,
    press,
    sound,
    table,
    unfold,
    upload,
)
from tests.viz.cases import HOSTILE
from tests.viz.test_kinds import drawn
from viz.lmm.timeline import lmm_timeline

PARTS = {
    "Edge ranking": "most certain edge",
    "v-structures": "CD above 0",
    "What if": "1 switches relaxation off",
    "Prior": "The correlations look most like",
}


def chosen():
    """Open the Learn page with the sample of nineteen letters, and LMM selected."""
    return press(go(press(open_app(), "start_sample_letters"), "learn"), "learn_choose_lmm")


def learnt():
    """Return the Inspect page with a result of LMM."""
    return sound(learn_now(chosen()))


def run_of(at):
    return at.session_state["runs"][at.session_state["current"]]


def part(at, name):
    return sound(at.segmented_control(key="inspect_lmm_part").set_value(name).run())


def captions(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown))


def ranking(at):
    """Return the table with a rank in each row."""
    return next(one.value for one in at.dataframe if "rank" in one.value.columns)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("preset", "kept", "params"),
    [
        ("Ranking", {"max_size"}, {"gamma": 0.0, "min_size": 0}),
        ("Number of edges", {"max_size", "min_size"}, {"gamma": 0.0, "min_size": 30}),
        ("Threshold", {"max_size", "gamma"}, {"gamma": 0.1, "min_size": 0}),
        ("False discoveries", {"max_size", "q"}, {"gamma": 0.0, "min_size": 0, "q": 0.05}),
    ],
    ids=["ranking", "number of edges", "threshold", "false discoveries"],
)
def test_each_preset_asks_for_its_own_settings(preset, kept, params):
    """Each preset has its description; a setting that a preset fixes is hidden, and its value reaches the learner."""
    at = chosen()
    assert all(f"{name}: " in captions(at).replace("*", "") for name in ("Ranking", "Number of edges", "Threshold"))
    sound(at.segmented_control(key="learn_lmm_preset").set_value(preset).run())
    asked = {one.key.removeprefix("learn_lmm_") for kind in ("number_input", "toggle") for one in at.get(kind)}
    ruled = {"gamma", "min_size", "q"}
    assert asked & ruled == kept & ruled
    used = run_of(sound(learn_now(at))).result.params
    assert {name: used[name] for name in params} == params


def test_relaxation_is_chosen_on_a_ladder():
    """The values go from 1e-12 to 1 on a logarithmic scale."""
    at = chosen()
    slider = next(one for one in at.select_slider if one.key == "learn_lmm_omega")
    assert slider.value == 1e-6
    assert {"1e-12", "1e-6", "0.01", "1"} <= set(slider.options)


@pytest.mark.deep
@pytest.mark.parametrize("page", ["start", "inspect"])
def test_either_picture_can_be_chosen(page):
    """The skeleton is shown first; a click shows the CPDAG of the same step, on both pages."""
    at = go(learnt(), page)
    assert at.segmented_control(key="lmm_view").value == "skeleton"
    sound(at.segmented_control(key="lmm_view").set_value("cpdag").run())
    assert at.session_state["lmm_view"] == "cpdag"
    assert "layered_cpdag" in run_of(at).data
    other = "start" if page == "inspect" else "inspect"
    assert go(at, other).segmented_control(key="lmm_view").value == "cpdag"


def test_other_runs_have_one_picture():
    """A run of PC shows none of LMM's controls."""
    at = open_app("inspect")
    assert not {"lmm_view", "inspect_lmm_part"} & {one.key for one in at.get("button_group")}


@pytest.mark.deep
@pytest.mark.parametrize("view", ["skeleton", "cpdag"])
def test_the_headline_counts_the_graph_that_is_shown(view):
    """At every step, the numbers of edges and arrows are those of the picture, in either view."""
    at = learnt()
    sound(at.segmented_control(key="lmm_view").set_value(view).run())
    extra = run_of(at).result.extra
    graphs = run_of(at).data["step_graphs"][1] if view == "cpdag" else None
    picture = lmm_timeline(run_of(at).result, np.zeros((len(run_of(at).result.names), 2)), graphs=graphs)
    for step in (20, extra.moves.n_forward, extra.choice - 1, extra.choice, extra.choice + 1):
        at.session_state["step"] = step
        sound(at.run())
        graph = drawn(picture, step)
        assert figure(at, "edge") == str(graph.n_edges)
        assert figure(at, "directed") == str(len(graph.directed_edges()))


def test_step_of_the_slider_reaches_all_views():
    """Numbers and table are those of the CPDAG at the step on screen."""
    at = learnt()
    run = run_of(at)
    for step in (20, run.result.extra.moves.n_forward, run.result.extra.choice, len(run.result.extra.moves)):
        at.session_state["step"] = step
        sound(at.segmented_control(key="inspect_view").set_value("Table").run())
        shown = figure(at, "edge")
        assert shown == str(graph_at(run.result, step).n_edges)


@pytest.mark.deep
def test_every_part_can_be_opened():
    """Ranking, v-structures, what-if and prior each have an explanation, and the prior its curve."""
    at = learnt()
    for name, words in PARTS.items():
        assert words in captions(part(at, name))
        assert any("inspect_prior" in one.proto.id for one in at.get("plotly_chart")) == (name == "Prior")


def test_ranking_is_reported_beside_the_truth():
    """The edge of rank 1 is kept and true; the edge of the last rank is neither."""
    frame = ranking(learnt())
    assert frame["rank"].tolist() == list(range(1, len(frame) + 1))
    assert (frame["kept"][0], frame["in truth"][0]) == ("yes", "yes")
    assert (frame["kept"].iloc[-1], frame["in truth"].iloc[-1]) == ("no", "no")


def test_pair_of_a_ranking_is_explained():
    """The explanation of a rank uses the terms of the table."""
    at = learnt()
    frame = ranking(at)
    unfold(at).selectbox(key="why_x").set_value(int(frame["i"][0])).run()
    sound(at.selectbox(key="why_y").set_value(int(frame["j"][0])).run())
    assert f"Rank 1 of {len(frame)}" in captions(at)


@pytest.mark.deep
def test_what_if_answers_for_the_runs_own_threshold():
    """The part shows where elimination stopped and the number of edges, without a rerun."""
    at = part(learnt(), "What if")
    run = run_of(at)
    step = choice_in(run.result.extra.moves, 0.03, 0)
    assert f"elimination stops at step {step} with {run.result.graph.n_edges} edges" in captions(at)


@pytest.mark.deep
def test_another_relaxation_needs_a_rerun_and_gets_one(monkeypatch):
    """The old result stays on screen, marked as outdated, until the new one replaces it; both runs are kept."""
    at = part(learnt(), "What if")
    before, go_on = run_of(at), threading.Event()

    def waits(*given, **settings):
        go_on.wait(30)
        return learn(*given, **settings)

    monkeypatch.setattr(runner, "learn", waits)
    sound(at.select_slider(key=f"inspect_omega_{before.number}").set_value(0.3).run())
    assert "ω = 0.3 **needs a rerun**" in captions(at)
    press(at, "inspect_rerun")
    assert run_of(sound(at)) is before
    assert "A run with ω = 0.3 is in progress" in " ".join(plain(one.value) for one in at.warning)
    go_on.set()
    sound(finish_run(at))
    after = run_of(at).result
    assert after.params["omega"] == 0.3
    assert {**after.params, "omega": 1e-6} == dict(before.result.params)
    assert before in at.session_state["runs"]
    assert not any("Stale" in one.value for one in at.warning)


def test_hostile_names_are_text_in_every_part():
    """Ranking, v-structures, callouts and explanations contain no markup from a name."""
    rng = np.random.default_rng(0)
    data = table(np.cumsum(rng.normal(size=(120, len(HOSTILE))), axis=1).round(4), HOSTILE)
    at = go(upload(open_app("data"), data, "hostile.csv"), "learn")
    at = sound(learn_now(press(at, "learn_choose_lmm")))
    seen = markup(at)
    for name in PARTS:
        seen += markup(part(at, name))
    i, j = run_of(at).result.extra.pairs[0].tolist()
    unfold(at).selectbox(key="why_x").set_value(i).run()
    seen += markup(sound(at.selectbox(key="why_y").set_value(j).run()))
    seen += markup(sound(go(at, "start")))
    live = [text for text in seen for bad in ("<script", "](http", ":red[") if f"\\{bad}" not in text and bad in text]
    assert live == []


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("curve", ["ROC of the skeleton", "TPR of the CPDAG", "SHD of the CPDAG"])
def test_curves_against_the_truth_are_drawn_where_it_is_known(curve):
    """The true graph of a sample is known, so each curve has its sentence with the value on screen."""
    at = part(learnt(), "Against the truth")
    at = sound(at.segmented_control(key="inspect_curve").set_value(curve).run())
    assert "on screen" in captions(at)
    assert ("partial auROC" in captions(at)) == curve.startswith("ROC")
