"""Tests of Inspect: every view of a run, the explanation of any pair, the numbers, and the downloads."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
import pyvis.network
import streamlit

from learners.evaluation import metrics
from learners.explaining.explanation import explanation
from learners.io.edge_csv import read_edge_csv
from learners.io.interchange import from_json, from_model_string
from learners.results.result import ranking_of
from pages.blocks.inspect import graphs, replay_export
from pages.blocks.inspect.slider_modes import mode_and_strip
from pages.session.sweeps import Strip
from tests.pages.driving import (
    edit,
    figure,
    finish_run,
    go,
    learn_now,
    markup,
    open_app,
    plain,
    press,
    small_table,
    sound,
    table,
    unfold,
    upload,
)
from tests.viz.replay_page.opening import ReplayFile
from viz import matrix, pair_figures, replay
from viz.graph_view import GraphViewState
from viz.kinds import layout_graph
from viz.layout.positions import layout
from viz.translation.sentences import catalog

VIEWS = ("Graph", "Network", "Matrix", "Table")


def run_of(at):
    """Return the run on screen."""
    return at.session_state["runs"][at.session_state["current"]]


def show(at, view):
    """Choose a view."""
    return at.segmented_control(key="inspect_view").set_value(view).run()


def ask(at, x, y):
    """Choose a pair in the two boxes."""
    unfold(at).selectbox(key="why_x").set_value(x).run()
    return sound(at.selectbox(key="why_y").set_value(y).run())


def after_tests():
    """Open Inspect with a run of PC on the first sample."""
    return go(learn_now(open_app()), "inspect")


def said(at):
    """Return all texts on screen as a reader sees them, including the explanation."""
    return [plain(text) for text in markup(at)]


def graph_key(at):
    """Return the key of the graph component."""
    run = run_of(at)
    return f"inspect_graph_{run.dataset.fingerprint[:12]}_{at.session_state['layout']}"


def tell(at, **values):
    """Simulate the graph component in the browser, which reports its whole view."""
    view = {
        "run": str(run_of(at).number),
        "step": 0,
        "selected": None,
        "positions": [],
        "pins": [],
        "seen": 99,
    } | values
    at.session_state[graph_key(at)] = {"view": view}
    return sound(at.run())


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_shows_with_and_without_a_pair(view):
    """Each view shows no pair, a present pair, an absent one, and a step in the middle of the run."""
    at = show(open_app("inspect"), view)
    graph = run_of(at).result.graph
    present = graph.edges()[0]
    absent = next((i, j) for i in range(20) for j in range(i) if not graph.skeleton[i, j])
    for pair in (present, absent):
        ask(at, *pair)
        assert plain(explanation(run_of(at).result, pair).headline) in " ".join(said(at))
    at.session_state["step"] = 5
    sound(at.run())


@pytest.mark.deep
@pytest.mark.parametrize("joined", [True, False], ids=["present", "absent"])
def test_explanation_is_the_one_of_the_trace(joined):
    """Each sentence is on screen, with the table of tests and the data behind it."""
    at = after_tests()
    result = run_of(at).result
    x, y = next((i, j) for i in range(20) for j in range(i) if result.graph.skeleton[i, j] == joined)
    ask(at, x, y)
    story = explanation(result, (x, y))
    for sentence in story.sentences:
        assert sentence in said(at)
    assert len(at.dataframe[0].value) == len(story.tests)
    assert at.get("plotly_chart")
    assert at.session_state["pair"] == (result.names[x], result.names[y])


@pytest.mark.deep
def test_explanation_is_german_if_german_is_chosen():
    """The claim and each sentence of the catalog are on screen, and no English one."""
    at = after_tests()
    result = run_of(at).result
    x, y = (int(k) for k in np.argwhere(result.graph.skeleton)[0])
    at.session_state["language"] = "de"
    ask(at, x, y)
    story = explanation(result, (x, y))
    assert all(sentence in said(at) for sentence in story.written(catalog("de"))[1:])
    assert not any(sentence in said(at) for sentence in story.sentences)


def panel_labels(at):
    """Return the labels in the panel that explains a pair: heading, boxes, buttons, heads and verdicts of its tests."""
    widgets, tests = (*at.button, *at.toggle, *at.selectbox), at.dataframe[0].value
    labels = [one.label for one in widgets if (one.key or "").startswith(("why_", "know_"))]
    return {at.subheader[0].value, *labels, *tests.columns, *tests[tests.columns[1]]}


@pytest.mark.deep
def test_labels_of_the_panel_are_german_if_german_is_chosen():
    """No label of the panel is the same in both languages, except symbols and "alpha"."""
    at = after_tests()
    x, y = (int(k) for k in np.argwhere(run_of(at).result.graph.skeleton)[0])
    ask(at, x, y)
    english = panel_labels(at)
    at.session_state["language"] = "de"
    sound(at.run())
    german = panel_labels(at)
    assert len(german) == len(english) > 15
    assert german & english == {"p", "alpha"}


def test_same_variable_twice_asks_for_another():
    """Choosing one variable twice selects no pair, shows no explanation and causes no error."""
    at = ask(open_app("inspect"), 3, 3)
    assert any("choose any two variables" in text for text in said(at))


@pytest.mark.deep
def test_chosen_pair_is_kept_for_another_run_with_these_variables():
    """The pair is remembered by its names; if a name is missing, nothing is explained."""
    at = ask(open_app("inspect"), 0, 1)
    learn_now(at)
    assert (at.selectbox(key="why_x").value, at.selectbox(key="why_y").value) == (0, 1)
    learn_now(upload(go(at, "data"), small_table()))
    assert (at.selectbox(key="why_x").value, at.selectbox(key="why_y").value) == (None, None)
    assert any("choose any two variables" in text for text in said(sound(at)))


def test_click_in_the_picture_chooses_the_pair():
    """The boxes follow the click; a click on no item leaves the pair."""
    at = tell(open_app("inspect"), selected=[2, 7])
    assert (at.selectbox(key="why_x").value, at.selectbox(key="why_y").value) == (2, 7)
    names = run_of(at).result.names
    assert at.session_state["pair"] == (names[2], names[7])
    tell(at, selected=None)
    assert at.session_state["pair"] == (names[2], names[7])


def test_click_on_a_variable_ends_the_former_pair():
    """The panel stays open, offers the variable, and explains nothing until the second one is chosen."""
    at = open_app("inspect")
    names = run_of(at).result.names
    tell(at, selected=[2, 7])
    tell(at, selected=4)
    assert at.session_state["pair"] is None
    assert (at.selectbox(key="why_x").value, at.selectbox(key="why_y").value) == (4, None)
    assert any("choose any two variables" in text for text in said(at))
    tell(at, selected=[4, 7])
    assert at.session_state["pair"] == (names[4], names[7])
    assert (at.selectbox(key="why_x").value, at.selectbox(key="why_y").value) == (4, 7)


def test_numbers_are_those_of_the_step_on_screen():
    """At any step, edge count and distance to the truth are those of the graph on screen."""
    at = after_tests()
    run = run_of(at)
    last = len(run.result.trace.changes)
    for step in (0, 30, last):
        tell(at, step=step)
        graph = run.result.trace.graph_at(step)
        assert figure(at, "edge") == str(graph.n_edges)
        assert figure(at, "SHD") == str(metrics.shd(graph, run.truth))
    assert figure(at, "test") == f"{run.result.n_tests:,}"


def test_step_holds_for_every_view():
    """Matrix and table show the step that the slider selects."""
    at = tell(open_app("inspect"), step=40)
    edges = figure(at, "edge")
    for view in ("Matrix", "Table", "Network"):
        show(at, view)
        assert figure(sound(at), "edge") == edges
    show(at, "Table")
    assert str(len(at.dataframe[0].value)) == edges


def test_dragged_node_stays_where_it_was_put():
    """The position holds for this table, in every view with the same layout."""
    at = tell(open_app("inspect"), positions=[[0, 0.25, 0.75]], moves="1")
    at.run()
    run = run_of(at)
    assert at.session_state["by_hand"] == {(run.source.title, "layered"): {run.result.names[0]: (0.25, 0.75)}}


@pytest.mark.deep
def test_arrangements_can_be_changed():
    """Each layout has its own positions; the selected pair stays."""
    at = ask(open_app("inspect"), 0, 1)
    for kind in ("force", "circle", "layered"):
        sound(at.segmented_control(key="inspect_layout").set_value(kind).run())
    assert set(at.session_state["places"][run_of(at).dataset.fingerprint]) == {"force", "circle", "layered"}
    assert at.selectbox(key="why_x").value == 0


def test_table_lists_edges_or_separated_pairs():
    """The table lists all edges, or all separated pairs."""
    at = show(after_tests(), "Table")
    result = run_of(at).result
    assert len(at.dataframe[0].value) == result.graph.n_edges
    at.segmented_control(key="inspect_rows").set_value("Separated pairs").run()
    assert len(sound(at).dataframe[0].value) == 190 - result.graph.n_edges


def test_picker_switches_between_runs():
    """The selected run opens at the step of its final graph, and stays selected."""
    at = learn_now(upload(open_app("data"), small_table()))
    at.session_state["step"] = 1
    at.selectbox(key="inspect_run").set_value(0).run()
    assert at.session_state["current"] == 0
    assert len(run_of(sound(at)).result.names) == 20
    assert figure(at, "edge") == str(run_of(at).result.graph.n_edges)
    go(go(at, "data"), "inspect")
    assert at.selectbox(key="inspect_run").value == 0


def test_graph_without_edges_says_why():
    """A graph without edges shows a reason and a next action; percentages of zero edges are dashes."""
    rows = [[(k // 2**j) % 2 for j in range(3)] for k in range(160)]
    at = upload(open_app("data"), table(rows))
    at.file_uploader(key="data_truth").set_value(("t.csv", b"from,to\na,b\n", "text/csv")).run()
    learn_now(at)
    assert figure(sound(at), "edge") == "0"
    assert figure(at, "precision") == "–"
    assert any("The graph has no edges" in one.value for one in at.info)
    for view in VIEWS:
        sound(show(at, view))
    assert any("a, b, c" in one.value for one in at.get("text"))  # not adjacent to any other variable


def test_graph_in_words_is_there_for_those_who_cannot_see_it():
    """The text has one sentence for each variable with edges."""
    at = open_app("inspect")
    assert any("arrow to" in one.value for one in at.get("text"))


def test_equivalence_class_is_counted():
    """Inspect shows how many DAGs fit equally well."""
    assert any("DAGs fit equally well" in text or "One DAG fits best" in text for text in said(open_app("inspect")))


def test_large_network_has_no_springs(monkeypatch):
    """The nodes of a large network, which would move for minutes, are fixed, and the page explains that."""
    monkeypatch.setattr(graphs, "MAX_SPRINGS", 10)
    drawn = []
    monkeypatch.setattr(graphs, "network_html", lambda *_, **shown: drawn.append(shown["fixed"]) or "<p></p>")
    at = sound(show(open_app("inspect"), "Network"))
    assert drawn == [frozenset(range(20))]
    assert any("with so many variables the others stay" in text for text in said(at))


def spy(function, seen):
    """Return the same function, recording its first argument."""

    def noting(first, *rest, **options):
        seen.append(first)
        return function(first, *rest, **options)

    return noting


def test_rerun_computes_nothing_again(monkeypatch):
    """A rerun without any change computes no run, layout or picture."""
    at = ask(open_app("inspect"), 0, 1)
    for view in VIEWS:
        sound(show(at, view))
    made = []
    for module, name in ((replay, "_edges"), (pair_figures, "_shares"), (matrix, "matrix"), (pyvis.network, "Network")):
        monkeypatch.setattr(module, name, spy(getattr(module, name), made))
    monkeypatch.setattr("pages.session.node_positions.layout", spy(layout, made))
    monkeypatch.setattr("pages.session.state.learn", lambda *_: made.append("learn"))
    for _ in range(2):
        for view in ("Matrix", "Network", "Graph"):
            sound(show(at, view))
        for page in ("start", "learn", "inspect"):
            sound(go(at, page))
    assert made == []


@pytest.fixture
def files(monkeypatch):
    """Record the page's downloads: file name -> (mime, function that makes the file)."""
    offered = {}
    real = streamlit.download_button

    def noting(label, data, file_name=None, mime=None, **options):
        offered[file_name] = (mime, data)
        return real(label, data, file_name, mime, **options)

    monkeypatch.setattr(streamlit, "download_button", noting)
    return offered


@pytest.mark.deep
def test_the_replay_holds_the_picture_and_on_request_the_rows(files):
    """The file has the steps and positions on screen, the values of an open sweep, and rows if they are asked for."""
    at = open_app("inspect")
    run = run_of(at)

    def replayed() -> ReplayFile:
        return ReplayFile(next(make for name, (_, make) in files.items() if name.endswith(".replay.html"))())

    packs = replayed().packs
    places = [(node["x"], node["y"]) for node in packs["page"]["views"][0]["graph"]["nodes"]]
    assert places == list(map(tuple, layout(layout_graph(run.result)).tolist()))
    assert tuple(packs["texts-en"]["texts"][0]) == explanation(run.result, (0, 1), run.dataset).written()
    assert packs["page"]["recipe"]
    assert "data" not in packs
    at = sound(at.toggle(key=f"inspect_replay_data_{run.number}").set_value(True).run())
    assert replayed().packs["data"]["csv"].count("\n") == run.dataset.n_rows + 1


def test_the_replay_of_many_pairs_is_made_with_progress(files, monkeypatch):
    """Above the limit a button makes the file, as without it; other options make another one; a cancelled job none."""

    def offered() -> str | None:
        return next((make() for name, (_, make) in files.items() if name.endswith(".replay.html")), None)

    at = open_app("inspect")
    run, direct = run_of(at), offered()
    monkeypatch.setattr(replay_export, "MANY_PAIRS", 10)  # asia has 28 pairs
    files.clear()
    at = sound(at.run())
    assert offered() is None
    at = press(at, "inspect_prepare_replay")
    if "replay_job" in at.session_state:
        at.session_state["replay_job"][1].wait(60)
        at = sound(at.run())
    assert offered() == direct
    assert not [one for one in at.button if one.key == "inspect_prepare_replay"]
    files.clear()
    at = sound(at.toggle(key=f"inspect_replay_data_{run.number}").set_value(True).run())
    assert offered() is None
    assert ReplayFile(direct).packs["page"]["has_data"] is False

    monkeypatch.setattr(replay_export, "replay_html", lambda *_, tick, **__: "" if tick("drawing", 0, 0) else "")
    press(at, "inspect_prepare_replay")
    assert offered() is None


def test_downloads_hold_the_graph(files):
    """Each format is made outside the session, as in Streamlit, and gives the same graph when read back."""
    at = open_app("inspect")
    result = run_of(at).result
    made = {
        name.split(".", 1)[1]: (name, mime, make() if callable(make) else make) for name, (mime, make) in files.items()
    }
    drawn = {"dagitty.txt", "tetrad.txt", "dot", "graphml", "html"}
    papers = {"report.html", "report.md", "recipe.json", "ipynb", "replay.html"}
    assert set(made) == {"csv", "matrix.csv", "json", "bnlearn.txt", "py"} | drawn | papers
    assert all(name.startswith("edgewise_") and content for name, _, content in made.values())
    assert read_edge_csv(made["csv"][2], result.names) == result.graph
    assert len(list(csv.DictReader(io.StringIO(made["csv"][2])))) == result.graph.n_edges
    assert from_json(made["json"][2]) == (result.graph, result.names)
    assert json.loads(made["json"][2])["parameters"] == result.params
    matrix = [row[1:] for row in csv.reader(io.StringIO(made["matrix.csv"][2]))][1:]
    assert np.array_equal(np.array(matrix, dtype=int), result.graph.amat)
    assert len(re.findall("->|--", made["dagitty.txt"][2])) == result.graph.n_edges
    assert len(re.findall(r"^\d+\. .* (-->|---) ", made["tetrad.txt"][2], re.MULTILINE)) == result.graph.n_edges
    assert made["dot"][2].startswith("digraph")
    tree = ElementTree.fromstring(made["graphml"][2].encode())
    assert len(tree.findall(".//{*}edge")) == result.graph.n_edges
    assert np.all(from_model_string(made["bnlearn.txt"][2])[0].amat[result.graph.amat & ~result.graph.amat.T])
    assert made["py"][2] == at.get("code")[0].value + "\n"
    assert made["html"][2].rstrip().endswith("</html>")
    assert json.dumps(result.names[0]) in made["html"][2]


def test_a_run_that_ranks_pairs_offers_its_ranking(files):
    """The ranking of PC contains every pair, with the set that came nearest to separating it."""
    at = learn_now(upload(open_app("data"), small_table()))
    result = run_of(at).result
    assert result.method == "pc"
    (make,) = (make for name, (_, make) in files.items() if name.endswith(".ranking.csv"))
    rows = list(csv.DictReader(io.StringIO(make())))
    assert [(row["first"], row["second"]) for row in rows] == [
        (result.names[i], result.names[j]) for i, j in ranking_of(result).pairs.tolist()
    ]
    assert {"rank", "ln of the largest p", "hardest set", "kept"} <= set(rows[0])


def test_downloads_have_plain_file_names(files):
    """File names are plain, whatever the title of the table."""
    data = small_table()
    at = upload(open_app("data"), data, "../<b>x</b> & 'y'.csv")
    learn_now(at)
    assert len(files) >= 5
    assert all(name.replace("_", "").replace(".", "").isalnum() for name in files)


@pytest.mark.deep
def test_required_edge_is_explained_and_drawn():
    """A required edge is explained as such, and drawn in every view."""
    at = go(upload(open_app("data"), small_table()), "learn")
    edit(at, "learn_known_edges", added=[{"from": "a", "to": "b", "rule": "required"}])
    finish_run(press(at, "learn_run"))
    ask(at, 0, 1)
    assert "Your background knowledge requires this edge." in said(at)
    for view in VIEWS:
        sound(show(at, view))


@pytest.mark.parametrize("now", [("second", "run", None), ("first", "cuts", None), ("first", "run", "strip")])
def test_steps_are_not_followed_once_something_else_is_walked(monkeypatch, now):
    """Steps are ignored after a change of run, slider mode or strip, even if step and change arrive in one rerun."""
    at, followed = ["first", "run", None], []
    monkeypatch.setattr(graphs.state, "current_run", lambda: at[0])
    monkeypatch.setattr(graphs, "mode_and_strip", lambda _run: tuple(at[1:]))
    monkeypatch.setattr(graphs, "_follow", lambda *arguments: followed.append(arguments))
    graphs._hear("first", ("run", None), 0, GraphViewState(step=3))
    at[:] = now
    graphs._hear("first", ("run", None), 0, GraphViewState(step=4))
    assert followed == [("first", 0, GraphViewState(step=3))]


def test_slider_modes_differ_by_learner_and_by_strip(monkeypatch):
    """Two strips differ even if their contents are equal."""
    run = SimpleNamespace(number=1)
    strips = [Strip(run, None, [], []) for _ in range(2)]
    seen = []
    for walk, strip in (("class", None), ("hand", None), ("values", strips[0]), ("values", strips[1])):
        monkeypatch.setattr(streamlit, "session_state", {"temporary_mode": (1, walk), "sweep": strip})
        seen.append(mode_and_strip(run))
        assert mode_and_strip(run) == seen[-1]
    assert all(one != other for one, other in itertools.combinations(seen, 2))


def test_the_text_for_a_paper_can_be_edited():
    """The report has the user's version; an empty field restores that of the run."""
    at = learn_now(open_app())
    at.session_state["methods_fold"] = True
    sound(at.run())
    (field,) = [one for one in at.text_area if one.label == "Methods text"]
    assert "20 columns" in field.value
    assert "SHA-256 of the table" in field.value
    field.set_value("We used PC.").run()
    ticket = at.session_state["runs"][-1].ticket
    assert at.session_state["methods"] == {ticket: "We used PC."}
    (field,) = [one for one in at.text_area if one.label == "Methods text"]
    field.set_value("").run()
    assert at.session_state["methods"] == {}
