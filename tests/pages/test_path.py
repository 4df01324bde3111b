"""PATH and pHGS in the app: slider modes, their parts, and the levels at which an edge exists."""

from __future__ import annotations

import numpy as np
import pytest

from learners.families.phgs.alpha_steps import path_of
from pages.blocks.inspect import alpha_path as path_page
from tests.pages.driving import (
    click_point,
    click_row,
    figure,
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

PARTS = ("α path", "Φ heat map")


def learnt(learner: str = "path"):
    """Return the result for the sample `child` on Inspect."""
    at = press(go(press(open_app(), "start_sample_child"), "learn"), f"learn_choose_{learner}")
    return sound(learn_now(at))


def run_of(at):
    return at.session_state["runs"][at.session_state["current"]]


def walk(at, name, learner="path"):
    return sound(at.segmented_control(key=f"{learner}_mode").set_value(name).run())


def part(at, name):
    return sound(at.segmented_control(key="inspect_path_part").set_value(name).run())


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown))


def edges(at):
    return int(figure(at, "edge"))


def test_path_is_walked_solution_by_solution_at_first():
    """The slider opens with the scored solutions and the result on screen."""
    at = learnt()
    run = run_of(at)
    assert at.segmented_control(key="path_mode").value == "solutions"
    assert "layered_solutions" in run.data
    assert edges(at) == run.result.graph.n_edges


@pytest.mark.deep
def test_a_click_on_a_point_or_a_row_of_the_path_shows_that_solution():
    at = learnt()
    for number in (3, 2):
        at = sound(click_point(at, f"inspect_path_{run_of(at).number}", number))
        assert at.session_state["step"] == number
    at = sound(click_row(at, f"inspect_solutions_{run_of(at).number}", 4))
    assert at.session_state["step"] == 5


@pytest.mark.deep
def test_phgs_shows_its_result_at_first():
    """No solution on the path is the result; one click shows the path, at the start of the search."""
    at = learnt("phgs")
    run = run_of(at)
    assert at.segmented_control(key="phgs_mode").value == "run"
    assert edges(at) == run.result.graph.n_edges
    path = path_of(run.result).path
    walk(at, "solutions", "phgs")
    assert edges(at) == path.graphs[path.choice].n_edges
    walk(at, "free", "phgs")
    assert "pHGS itself orients by score" in words(at)


def test_each_solution_reaches_all_views():
    """Numbers and table are those of the solution at the step on screen."""
    at = learnt()
    for step, graph in enumerate(path_of(run_of(at).result).path.graphs, start=1):
        at.session_state["step"] = step
        assert edges(sound(at.run())) == graph.n_edges


@pytest.mark.deep
def test_changing_the_slider_mode_keeps_the_alpha_on_screen():
    """The slider keeps the alpha of a solution in other modes; the run's own mode, without alpha, opens at its end."""
    at = learnt()
    path = path_of(run_of(at).result).path
    at.session_state["step"] = 3
    sound(at.run())
    walk(at, "free")
    assert edges(at) == path.graphs[2].n_edges
    walk(at, "solutions")
    assert at.session_state["step"] == 3
    assert edges(at) == path.graphs[2].n_edges
    walk(at, "run")
    assert edges(at) == run_of(at).result.graph.n_edges


@pytest.mark.deep
@pytest.mark.parametrize("page", ["start", "inspect"])
def test_slider_mode_applies_on_both_pages(page):
    """A slider mode chosen on one page applies on the other."""
    at = walk(go(learnt(), page), "free")
    other = "start" if page == "inspect" else "inspect"
    assert sound(go(at, other)).segmented_control(key="path_mode").value == "free"


@pytest.mark.deep
def test_solutions_are_reported_beside_the_truth():
    """Each solution has a row; the chosen one has a star; SHD and JI are shown if the truth is known."""
    at = part(learnt(), "α path")
    frame = next(one.value for one in at.dataframe if "alpha" in one.value.columns)
    path = path_of(run_of(at).result).path
    assert len(frame) == len(path.graphs)
    assert frame.index[frame[""] == "★"].tolist() == [path.choice]
    assert {"SHD", "JI"} <= set(frame.columns)
    assert "Each of 6 values of alpha" in words(at)
    assert "chosen is step 6" in words(at)


def test_heat_map_of_a_small_table_is_whole():
    """All variables are shown, in the order of their clusters."""
    at = part(learnt(), "Φ heat map")
    run = run_of(at)
    rows, columns = run.data["phi"][0]
    assert rows == columns
    assert sorted(rows) == list(range(20))
    labels = path_of(run.result).labels[list(rows)]
    assert (np.diff(labels) >= 0).all()


@pytest.mark.deep
def test_heat_map_of_many_variables_shows_clusters(monkeypatch):
    """The user selects two clusters, and a sentence explains that."""
    monkeypatch.setattr(path_page, "MAX_MAPPED", 4)
    at = part(learnt(), "Φ heat map")
    run = run_of(at)
    assert "The map shows two clusters" in words(at)
    labels = path_of(run.result).labels
    number = len(set(labels.tolist()))
    sound(at.selectbox(key=f"inspect_phi_columns_{run.number}").set_value(number - 1).run())
    rows, columns = run.data["phi"][0]
    assert max(len(rows), len(columns)) <= 4
    assert set(labels[list(rows)]) == {0}
    assert set(labels[list(columns)]) == {number - 1}


def test_pair_is_explained_by_its_levels():
    """The explanation shows Φ, its set, the range of levels, and the pair's mark in each solution."""
    at = learnt()
    i, j = run_of(at).result.graph.edges()[0]
    unfold(at).selectbox(key="why_x").set_value(i).run()
    sound(at.selectbox(key="why_y").set_value(j).run())
    assert "keep it at any alpha from 0.1 down to its largest p, Φ" in words(at)
    assert "6 solutions of the path" in words(at)
    assert "the path has 6 solutions from 0.1 to 1e-5" in words(at)


def test_other_runs_are_walked_as_they_went():
    """A run of PC has no path controls."""
    at = open_app("inspect")
    assert not {"path_mode", "inspect_path_part"} & {one.key for one in at.get("button_group")}


@pytest.mark.deep
def test_hostile_names_are_text_in_every_part():
    """The table, the heat map and the explanation of a pair contain no markup from a name."""
    rng = np.random.default_rng(0)
    data = table(np.cumsum(rng.normal(size=(120, len(HOSTILE))), axis=1).round(4), HOSTILE)
    at = go(upload(open_app("data"), data, "hostile.csv"), "learn")
    at = sound(learn_now(press(at, "learn_choose_path")))
    seen = markup(at)
    for name in PARTS:
        seen += markup(part(at, name))
    unfold(at).selectbox(key="why_x").set_value(0).run()
    seen += markup(sound(at.selectbox(key="why_y").set_value(1).run()))
    seen += markup(walk(at, "free"))
    live = [text for text in seen for bad in ("<script", "](http", ":red[") if f"\\{bad}" not in text and bad in text]
    assert live == []
