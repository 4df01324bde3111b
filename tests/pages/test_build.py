"""Tests of Build: nodes, edges, tables and levels by the lists; canvas strokes; files; the Query page; saved drafts."""

from __future__ import annotations

import numpy as np
import pytest

from learners import cpdag, load_network, write_network
from learners.evaluation.comparison import differences, without_directions
from learners.networks.draft import YES_NO, Draft
from tests.pages.driving import go, open_app, plain, press, sound
from viz.build.learning_curve import learning_curve_view


def drawn(at):
    """Return the network on screen."""
    return at.session_state["build"].draft


def id_of(at, name):
    return at.session_state["build"].id_of(name)


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown, *at.info, *at.error))


@pytest.fixture
def at():
    """Open the page with its example: rain and sprinkler cause wet."""
    return sound(open_app("build"))


def choose(at, name):
    return sound(at.selectbox(key="build_node").set_value(name).run())


def test_a_network_can_be_built_with_the_lists_only(at):
    """The lists set a node, its name, levels, parents and strength; all is shown as text, undone and redone."""
    at = sound(press(at, "build_add"))
    at = sound(at.text_input(key=f"build_name_{id_of(at, 'A')}").set_value("grass [x](y)").run())
    number = id_of(at, "grass [x](y)")
    at = sound(at.text_area(key=f"build_levels_{number}").set_value("dry\nmoist\nwet").run())
    at = sound(at.multiselect(key=f"build_parents_{number}").set_value(["rain"]).run())
    at = sound(at.slider(key=f"build_strength_{id_of(at, 'rain')}_{number}").set_value(0.8).run())
    assert drawn(at).nodes["grass [x](y)"] == ("dry", "moist", "wet")
    assert drawn(at).edges[("rain", "grass [x](y)")] == 0.8
    assert "(dry, moist, wet): parents rain (strength 0.8)" in words(at)
    at = sound(at.segmented_control(key=f"build_kind_{number}").set_value("Numeric").run())
    assert drawn(at).nodes["grass [x](y)"] == ()
    at = sound(press(press(at, "build_undo"), "build_undo"))
    assert drawn(at).edges[("rain", "grass [x](y)")] == 0.5
    assert drawn(sound(press(at, "build_redo"))).edges[("rain", "grass [x](y)")] == 0.8
    at = sound(press(at, "build_delete"))
    assert drawn(at).names == ("rain", "sprinkler", "wet")


def test_what_is_no_network_is_a_sentence_and_changes_nothing(at):
    """A cycle, a single level, a duplicate name, and rows that do not sum to 1 are refused with an error message."""
    before = drawn(at)
    at = sound(choose(at, "rain").multiselect(key=f"build_parents_{id_of(at, 'rain')}").set_value(["wet"]).run())
    assert "wet -> rain would close wet -> rain -> wet" in words(at)
    assert at.multiselect(key=f"build_parents_{id_of(at, 'rain')}").value == []
    at = sound(at.text_area(key=f"build_levels_{id_of(at, 'rain')}").set_value("one").run())
    assert "two or more different levels" in words(at)
    at = sound(at.text_input(key=f"build_name_{id_of(at, 'rain')}").set_value("wet").run())
    assert "exists already" in words(at)
    assert drawn(at) is before


def test_the_canvas_draws(at, monkeypatch):
    """Each action has its effect; actions that refer to a removed node or close a cycle have none."""
    from pages.blocks.build import canvas

    strokes = [
        {"id": 1, "what": "node", "nodes": [], "at": [0.25, 0.75]},
        {"id": 2, "what": "rename", "nodes": [3], "name": "<b>cold</b>"},
        {"id": 3, "what": "edge", "nodes": [3, 0]},
        {"id": 4, "what": "node", "nodes": [2], "at": [9.0, 0.5]},
        {"id": 5, "what": "turn", "nodes": [2, 1]},
        {"id": 6, "what": "delete", "nodes": [0, 2]},
        {"id": 7, "what": "edge", "nodes": [2, 99]},
        {"id": 8, "what": "edge", "nodes": [1, 2]},
    ]
    show = canvas.graph_view

    def drawing_once(*given, **named):
        shown, clicked = show(*given, **named), tuple(strokes)
        strokes.clear()
        return type(shown)(shown.step, strokes=clicked)

    monkeypatch.setattr(canvas, "graph_view", drawing_once)
    at = sound(at.run())
    assert drawn(at).edges == {("<b>cold</b>", "rain"): 0.5, ("wet", "A"): 0.5, ("wet", "sprinkler"): 0.6}
    here = at.session_state["build"]
    assert here.places["<b>cold</b>"] == (0.25, 0.75)
    assert here.places["A"] == (1.0, 0.5)
    assert "sprinkler -> wet would close sprinkler -> wet -> sprinkler" in words(at)


def test_invented_probabilities_are_called_so_above_the_picture(at):
    """A drawing without its own tables is called invented, and its probabilities show no number of rows."""
    at = sound(press(at, "build_query"))
    at = sound(go(at, "query"))
    assert set(drawn(at).tables) < set(drawn(at).names)
    said = [plain(one.value) for one in at.markdown]
    lead = "Invented probabilities: they come from the strengths and tables on Build."
    assert any(one.startswith(lead) or one.startswith(f"**{lead}") for one in said)
    assert not any("The uncertainty from the" in plain(one.value) for one in at.caption)


def test_a_network_comes_from_a_sample_or_a_file_and_goes_to_query(at):
    """Query gives the same answers as for the network itself; emptying the network is reported."""
    asia = load_network("asia")
    at = sound(press(at, "build_take"))
    assert drawn(at).names == asia.names
    at = sound(press(at, "build_query"))
    assert at.session_state["query_way"] == "Drawn"
    at = sound(go(at, "query"))
    assert "Drawn network: these probabilities come from the tables on Build." in words(at)
    shown = next(one.value for one in at.dataframe if "now" in one.value.columns)
    assert shown["now"].iloc[0] == pytest.approx(asia.posterior()[asia.names[0]][0])
    at = sound(go(at, "build"))
    file = write_network(load_network("cancer"), "net").encode()
    at = sound(at.file_uploader(key="build_file").set_value(("mine.net", file, "text/plain")).run())
    assert drawn(at).names == load_network("cancer").names
    at = at.file_uploader(key="build_file").set_value(("bad.bif", b"network {", "text/plain")).run()
    assert at.error
    at = sound(press(at, "build_empty"))
    assert "The canvas is empty" in words(at)
    at = sound(go(at, "query"))
    assert "needs at least one node" in words(at)


def test_d_separation_is_asked_and_answered(at):
    """A path through a collider is closed, and open once the collider is conditioned on."""
    at = sound(at.segmented_control(key="build_view").set_value("d-separation").run())
    assert (at.selectbox(key="build_cause").value, at.selectbox(key="build_effect").value) == ("rain", "sprinkler")
    assert "rain and sprinkler are d-separated: the only path is blocked" in words(at)
    at = sound(at.multiselect(key="build_given").set_value(["wet"]).run())
    assert "rain and sprinkler are d-connected" in words(at)


def test_rows_are_learned_from_and_go_to_data_with_the_truth(at):
    """With more and more rows of the example the learned graph becomes correct; the curves are those of the graphs."""
    at = sound(at.segmented_control(key="build_view").set_value("Learning curve").run())
    _, (graphs, sizes, no_directions), draft = at.session_state["build_growth"]
    assert not no_directions
    assert "Rows are simulated from the drawn graph with its tables. Your own data play no part." in words(at)
    truth = cpdag(draft.dag)
    assert sizes[-1] == "5,000"
    assert graphs[-1] == truth
    names = at.session_state["build"].draft.names
    data = learning_curve_view(graphs, sizes, truth, names, np.zeros((3, 2)))
    for series, kind in zip(data["steps"]["series"], ("both", "only_b", "only_a", "direction_differs"), strict=True):
        assert series["values"] == [list(differences(one, truth).values()).count(kind) for one in graphs]
    at = sound(press(at, "build_use"))
    source = at.session_state["source"]
    assert source.truth_over(names) == truth
    assert source.dataset.n_rows == 5_000
    assert "build_network(" in source.origin.text


def test_a_learner_without_directions_is_compared_without_them(at):
    """The skeleton of the drawn network is the truth, so found edges are correct."""
    at = sound(at.segmented_control(key="build_view").set_value("Learning curve").run())
    at = sound(at.selectbox(key="build_learner").set_value("mmpc").run())
    _, (graphs, sizes, no_directions), draft = at.session_state["build_growth"]
    assert no_directions
    assert "This learner finds no directions." in words(at)
    truth = without_directions(cpdag(draft.dag))
    assert graphs[-1] == truth
    data = learning_curve_view(graphs, sizes, truth, draft.names, np.zeros((3, 2)))
    assert data["steps"]["series"][0]["values"][-1] == truth.n_edges


def test_a_table_too_large_to_make_is_a_sentence(at):
    """A node with 30 parents needs 16 GB; the message appears at the node itself and at any other."""
    parents = [f"n{k}" for k in range(30)]
    many = Draft(dict.fromkeys((*parents, "child"), YES_NO)).with_parents("child", parents)
    sheet = at.session_state["build"]
    sheet.states[0] = many
    sheet.places.update(dict.fromkeys(many.names, (0.5, 0.5)))
    at = sound(at.run())
    assert "The table has 1,073,741,824 rows" in words(at)
    assert "more than the" in words(choose(at, "n0"))


def test_a_node_too_many_leaves_the_others_where_they_are(at):
    """A refused node does not change the position of a name that Undo restores."""
    many = Draft(dict.fromkeys(("A", *(f"n{k}" for k in range(99))), YES_NO))
    sheet = at.session_state["build"]
    sheet.states[:] = [many, many.renamed("A", "Z")]
    sheet.position = 1
    sheet.places.update(dict.fromkeys((*many.names, "Z"), (0.25, 0.5)))
    at = sound(press(sound(at.run()), "build_add"))
    assert "at most 100 nodes" in words(at).lower()
    sound(press(at, "build_undo"))
    assert sheet.places["A"] == (0.25, 0.5)
