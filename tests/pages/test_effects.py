"""Tests of Effects: the chosen variables and conditioning set, with texts equal to the library's answers."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations, product
from types import SimpleNamespace
from urllib.parse import quote

import numpy as np
import pytest

from learners.effects.adjustment import adjustment_sets
from learners.effects.checks import representative_dag
from learners.effects.estimates import effect_difference
from learners.effects.held_out import held_out_calibration
from learners.effects.ida import open_directions, possible_parents
from learners.effects.paths import separation
from learners.io.dagitty import read_model
from learners.io.network_files import read_network
from pages.blocks.effects import drawing, question
from tests.pages.driving import go, learn_now, open_app, plain, press, small_table, sound, table, upload
from viz.text import format_signed
from viz.weak_evidence import doubtful


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown, *at.info))


def run_of(at):
    return at.session_state["runs"][at.session_state["current"]]


def ask(at, view):
    """Choose another kind of answer."""
    return sound(at.segmented_control(key="effects_view").set_value(view).run())


def choose(at, role, value):
    key = f"effects_{role}_{run_of(at).dataset.fingerprint[:12]}"
    chooser = at.multiselect if role == "given" else at.selectbox
    return sound(chooser(key=key).set_value(value).run())


@pytest.fixture(scope="module")
def _page():
    return go(open_app(sample="asia"), "effects")


@pytest.fixture
def page(_page):
    return ask(_page, "Paths")


def test_paths_are_those_of_the_graph_and_close_with_what_is_held_fixed(page):
    run = run_of(page)
    graph, names = run.result.graph, run.result.names
    x, y = names.index("smoke"), names.index("xray")
    at = choose(choose(choose(page, "cause", x), "effect", y), "given", [])
    found = separation(graph, x, y)
    n_open = sum(path.open for path in found.paths)
    assert f"d-connected: {n_open} of {len(found.paths)} paths open" in words(at)
    table = at.dataframe[0].value
    assert len(table) == len(found.paths)
    assert (table["state"] == "open").sum() == sum(path.open for path in found.paths)
    at = choose(at, "given", list(found.sets[0]))
    assert "smoke and xray are d-separated" in words(at)
    assert not (at.dataframe[0].value["state"] == "open").any()


def test_adjustment_and_effect_follow_the_class(page):
    run = run_of(page)
    names = run.result.names
    x, y = names.index("either"), names.index("xray")
    at = choose(choose(choose(page, "cause", x), "effect", y), "given", [])
    at = ask(at, "Adjustment")
    found = adjustment_sets(run.result.graph, x, y)
    assert found.sets or "not identifiable" in words(at) or "no effect" in words(at)
    at = ask(at, "Effect")
    assert "These are associations. They are effects only if" in words(at)
    assert "P(xray" in words(at).replace(" ", "")
    at = sound(at.checkbox(key="effects_stated").check().run())
    assert "These are effects under your assumptions" in words(at)


def test_the_difference_is_stated_for_each_possible_set_of_parents(page):
    """Smoke may have several sets of parents; the sentence holds each of their differences, the table each set."""
    run = run_of(page)
    names, graph = run.result.names, run.result.graph
    x, y = names.index("smoke"), names.index("dysp")
    at = ask(choose(choose(page, "cause", x), "effect", y), "Effect")
    sets = possible_parents(graph, x)
    assert len(sets) > 1
    (said,) = (text for text in map(plain, (one.value for one in at.markdown)) if text.startswith("Difference, "))
    assert said.startswith(f"Difference, adjusted for each of {len(sets)} sets: ")
    shown = next(one.value for one in at.dataframe if "difference" in one.value.columns)
    found = [0.0 if y in one else effect_difference(run.dataset, x, y, one, of=1).value for one in sets]
    assert shown["difference"].tolist() == pytest.approx(found)
    assert f"estimates {format_signed(min(found))} to {format_signed(max(found))}" in said


def test_only_the_question_of_paths_has_a_conditioning_set(page):
    """The other questions list adjustment sets; a set chosen before has no role in their answers or pictures."""
    run = run_of(page)
    names, key = run.result.names, f"effects_given_{run_of(page).dataset.fingerprint[:12]}"
    at = choose(choose(page, "cause", names.index("either")), "effect", names.index("xray"))
    at = choose(at, "given", [names.index("smoke")])
    for view in ("Adjustment", "Effect", "Model fit"):
        at = ask(at, view)
        assert key not in [one.key for one in at.multiselect]
        clicks = [one for one in at.segmented_control if one.key == "effects_click_role"]
        assert len(clicks) == (view != "Model fit")
        assert not any("Condition" in one.options for one in clicks)
    at = ask(at, "Paths")
    assert at.multiselect(key=key).value == [names.index("smoke")]
    choose(at, "given", [])


def test_a_hidden_cause_stands_in_the_way(page):
    at = sound(ask(page, "Adjustment").toggle(key="effects_one").set_value(True).run())
    at = sound(at.toggle(key="effects_hidden").set_value(True).run())
    run = run_of(at)
    x, y = representative_dag(run.result.graph).directed_edges()[0]
    at = choose(choose(at, "effect", y), "cause", x)
    assert "(hidden cause)" in words(at)
    at.toggle(key="effects_hidden").set_value(False).run()
    at.toggle(key="effects_one").set_value(False).run()


@pytest.mark.deep
def test_the_effect_of_a_single_dag_names_the_directions_that_it_chose(page):
    """It is said for each pair whose effect the class leaves open, and for no other; never of the class itself."""
    run = run_of(page)
    graph, names = run.result.graph, run.result.names
    dag = representative_dag(graph)
    pairs = [(x, y) for x in range(graph.p) for y in range(graph.p) if x != y]
    of_class = {pair: open_directions(graph, *pair) for pair in pairs}
    assert any(of_class.values())
    assert not all(of_class.values())
    with_choice = next(pair for pair in pairs if of_class[pair])
    without = next(pair for pair in pairs if not of_class[pair])
    for view in ("Adjustment", "Effect"):
        at = ask(page, view)
        for (x, y), single in product((with_choice, without), (True, False)):
            at = sound(at.toggle(key="effects_one").set_value(single).run())
            at = choose(choose(at, "effect", y), "cause", x)
            said = [one.value for one in at.caption if "this DAG chose" in one.value]
            assert len(said) == bool(single and of_class[x, y])
            for i, j in of_class[x, y] if said else ():
                a, b = (i, j) if dag.mark(i, j) == "forward" else (j, i)
                assert f"{names[a]} → {names[b]}" in plain(said[0])
    at.toggle(key="effects_one").set_value(False).run()


def test_implications_are_listed_worst_first_and_lead_to_the_pair(page):
    at = ask(page, "Model fit")
    run = run_of(at)
    table = at.dataframe[0].value
    assert len(table) == run.dataset.p * (run.dataset.p - 1) // 2 - run.result.graph.n_edges
    assert "implied independenc" in words(at)
    scores = at.dataframe[1].value.set_index("graph")
    assert (scores.loc["this graph"] > scores.loc["no edges"]).all()
    aside = held_out_calibration(run.result.graph, run.dataset)
    assert scores.loc["this graph", "log-likelihood"] == aside.log_likelihood
    assert at.dataframe[2].value["n"].sum() == pytest.approx(aside.n.sum())


@pytest.mark.deep
def test_rejected_independences_are_said_wherever_the_graph_is_used():
    """Effect, before its assumption, and Query say the number that Model fit finds; a graph that fits gets no line."""
    at = ask(sound(go(open_app(sample="wine"), "effects")), "Effect")
    run = run_of(at)
    graph, found = run.data["implications"]
    for rejected in (0, 3):
        tests = [replace(one, rejected=k < rejected) for k, one in enumerate(found)]
        run.data["implications"] = (graph, tests)
        line = f"The data reject {rejected} of {len(found)} implied independences of this graph"
        for page in ("query", "effects"):
            at = sound(go(at, page))
            assert (line in words(at)) == bool(rejected)
            assert (f"{page}_fit" in [one.key for one in at.button]) == bool(rejected)
    at = sound(press(at, "effects_fit"))
    assert f"The data reject 3 of {len(found)} implied independences, corrected" in words(at)


@pytest.mark.deep
def test_names_are_never_markup_and_numbers_have_slopes():
    """A difference of numbers is called a change only under the assumption that the graph is causal."""
    at = sound(go(learn_now(upload(open_app("data"), small_table(("<b>a</b>", "$x$ [c](d)", "*e*")))), "effects"))
    for view in ("Paths", "Adjustment", "Effect", "Model fit"):
        at = ask(at, view)
    at = sound(go(open_app(sample="wine"), "effects"))
    at = ask(at, "Effect")
    assert "Per unit of" in words(at)
    assert "One unit more of" not in words(at)
    at = sound(at.checkbox(key="effects_stated").set_value(True).run())
    assert "One unit more of" in words(at)


@pytest.mark.deep
def test_arrows_are_drawn_as_uncertain_as_on_inspect(monkeypatch):
    """The pictures of the class and of a single DAG mark the doubtful directions of the run."""
    shown = []
    monkeypatch.setattr(question, "picture", lambda _asked, data: shown.append(data))
    x, y, noise, other = np.random.default_rng(2).normal(size=(4, 150))
    rows = np.column_stack([x, y, 0.3 * x + 0.25 * y + noise, x + other]).round(3)
    at = learn_now(upload(open_app("data"), table(rows.tolist(), "abcd")))
    at = sound(go(at, "effects"))
    result = run_of(at).result
    doubts = {arrow for arrow in result.graph.directed_edges() if doubtful(result, *arrow)}
    assert doubts
    for single in (False, True):
        at = sound(at.toggle(key="effects_one").set_value(single).run())
        marked = {(e["a"], e["b"]) for e in shown[-1]["edges"] if "doubt" in e}
        assert marked == {tuple(sorted(arrow)) for arrow in doubts}


def test_an_effect_has_one_statement_with_one_interval_and_names_each_weak_arrow_once():
    """Under the assumption, each pair has either one interval or the effect 0, in bold; the rest has no other one."""
    x, y, noise = np.random.default_rng(2).normal(size=(3, 150))
    rows = np.column_stack([x, y, 0.3 * x + 0.25 * y + noise]).round(3)
    at = sound(go(learn_now(upload(open_app("data"), table(rows.tolist()))), "effects"))
    result = run_of(at).result
    arrows = [" → ".join(result.names[k] for k in pair) for pair in result.graph.directed_edges()]
    at = sound(ask(at, "Effect").checkbox(key="effects_stated").set_value(True).run())
    named, zeros = 0, 0
    for view in ("Effect", "Adjustment"):
        at = ask(at, view)
        for cause, effect in permutations(range(len(result.names)), 2):
            at = choose(choose(at, "effect", effect), "cause", cause)
            counts = [words(at).count(arrow) for arrow in arrows]
            assert max(counts) <= 1
            named += sum(counts)
            if view == "Effect":
                bold = [plain(one.value) for one in at.main.markdown if one.value.startswith("**")]
                assert len(bold) == 1
                zero = "is 0: the graph has no directed path" in bold[0]
                assert words(at).count("95%") == (0 if zero else 1)
                zeros += zero
    assert named
    assert zeros


@pytest.mark.deep
def test_a_number_changes_the_probability_of_a_category():
    """The page says by how much per unit, over both directions of the edge, and lists all levels."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=300)
    rows = [(f"{a:.3f}", ("no", "yes")[int(a + b > 0)]) for a, b in zip(x, rng.normal(size=300), strict=True)]
    at = sound(go(learn_now(upload(open_app("data", learner="boss"), table(rows, ("a", "y")))), "effects"))
    at = choose(choose(ask(at, "Effect"), "effect", 1), "cause", 0)
    bold = next(plain(one.value) for one in at.main.markdown if one.value.startswith("**"))
    assert re.match(
        r"\*\*Per unit of a, P\(y = yes\) differs by 0 to 0\.3\d* \(95% intervals; estimates 0 to 0\.2", bold
    ), bold
    shown = next(one.value for one in at.main.dataframe if "95% from" in one.value)
    assert shown["level"].tolist() == ["no", "yes"] * 2


def test_a_click_gives_a_role_and_the_same_again_takes_it_back(monkeypatch):
    """A clicked node gets the role of the control, an edge sets cause and effect; simultaneous clicks all count."""
    strokes, show = [], question.graph_view

    def clicked_once(*given, **named):
        shown, drawn = show(*given, **named), tuple(strokes)
        strokes.clear()
        return type(shown)(shown.step, strokes=drawn)

    def click(at, *clicks):
        strokes.extend({"id": k, "what": "click", "nodes": list(nodes)} for k, nodes in enumerate(clicks))
        sound(at.run())
        key = f"_{run_of(at).dataset.fingerprint[:12]}"
        return [at.session_state[f"effects_{role}{key}"] for role in ("cause", "effect", "given")]

    monkeypatch.setattr(question, "graph_view", clicked_once)
    at = sound(go(open_app(sample="asia"), "effects"))
    cause, effect, _ = click(at)
    a, b, c = [k for k in range(8) if k not in (cause, effect)][:3]
    assert click(at, [a], [b]) == [cause, effect, [a, b]]
    assert click(at, [a]) == [cause, effect, [b]]
    assert click(at, [a, c]) == [a, c, [b]]
    sound(at.segmented_control(key="effects_click").set_value("effect").run())
    assert click(at, [effect], [99]) == [a, effect, [b]]


def test_the_network_is_taken_home_in_other_formats(page):
    at = go(page, "inspect")
    run = run_of(at)
    at = sound(at.selectbox(key="download_network_form").set_value("net").run())
    form, text = run.data["network_file"]
    assert form == "net"
    assert read_network(text, "net").names == run.result.names
    go(at, "effects")


MODEL = """dag {
bb="0,0,1,1"
smoke [exposure,pos="-2.2,-1.5"]
dysp [outcome,pos="1.4,-1.5"]
bronc [pos="-1,0"]
either [latent,pos="0,0"]
smoke -> bronc -> dysp
smoke -> either -> dysp
either -> xray
}
"""


def pasted(model=MODEL):
    """Open Effects on a model that was pasted on Build."""
    at = go(open_app(sample="asia"), "build")
    at.text_area(key="build_dagitty").set_value(model).run()
    at = sound(at.button(key="build_dagitty_open").click().run())
    at = sound(at.button(key="build_effects").click().run())
    at._page_hash = ""
    return at


def ask_drawing(at, view):
    return sound(at.segmented_control(key="effects_view_drawn").set_value(view).run())


def test_a_pasted_model_is_asked_with_its_roles():
    """The page takes the model's roles; all views use the drawn graph, and no listed set contains a latent variable."""
    at = pasted()
    chosen = [at.session_state[f"effects_{role}_drawn"] for role in ("cause", "effect", "given", "latent")]
    assert chosen == ["smoke", "dysp", [], ["either"]]
    assert "d-connected" in words(at)
    at = ask_drawing(at, "Adjustment")
    assert "Mediators: bronc, either" in words(at)
    at = ask_drawing(at, "Effect")
    assert "Effect: " in words(at)
    assert "Unadjusted: " in words(at)
    at = ask_drawing(at, "Implications")
    rows = at.dataframe[0].value
    assert not (set(rows["x"]) | set(rows["y"])) & {"either"}
    assert not rows["independent given"].str.contains("either").any()
    assert "p" in rows


def test_a_model_goes_out_as_it_came_in():
    at = open_app("build")
    at.text_area(key="build_dagitty").set_value(MODEL).run()
    at = sound(at.button(key="build_dagitty_open").click().run())
    text = next(one.value for one in at.code if one.value.startswith("dag {"))
    ours, theirs = read_model(text), read_model(MODEL)
    assert (ours.graph, ours.names, ours.roles) == (theirs.graph, theirs.names, theirs.roles)
    at.text_area(key="build_dagitty").set_value("https://dagitty.net/m331").run()
    at = at.button(key="build_dagitty_open").click().run()
    assert "has no model code" in at.error[0].value
    at.text_area(key="build_dagitty").set_value(f"https://dagitty.net/dags.html?model={quote(MODEL)}").run()
    at = sound(at.button(key="build_dagitty_open").click().run())
    assert [one.value for one in at.code if one.value.startswith("dag {")] == [text]


def test_a_drawing_without_an_adjustment_set_is_asked_through_the_front_door():
    """The page names the mediator of a graph with a latent cause, or says that there is none; an effect needs data."""
    at = pasted("dag { u [latent] x [exposure] y [outcome] x -> m -> y u -> x u -> y }")
    at = ask_drawing(at, "Adjustment")
    assert "Front-door set: m." in words(at)
    at = ask_drawing(at, "Effect")
    assert "Front-door set: m." in words(at)
    assert "An estimate needs data" in at.info[0].value
    at = ask_drawing(pasted("dag { x [exposure] y [outcome] u [latent] u -> x u -> y x -> y }"), "Effect")
    assert "no front-door set" in words(at)


def test_the_open_path_of_a_drawing_is_lit_also_through_an_unmeasured_variable(monkeypatch):
    """*Adjustment* highlights the path in its sentence, because the drawing has all nodes of the path."""
    shown = []
    monkeypatch.setattr(drawing, "graph_view", lambda data, **_: shown.append(data) or SimpleNamespace(strokes=()))
    at = ask_drawing(pasted("dag { x [exposure] y [outcome] u [latent] u -> x u -> y x -> y }"), "Adjustment")
    assert "x ← u → y" in words(at)
    names = {node["id"]: node["label"] for node in shown[-1]["nodes"]}
    lit = [sorted(names[edge[end]] for end in "ab") for edge in shown[-1]["edges"] if "turns" in edge]
    assert sorted(lit) == [["u", "x"], ["u", "y"]]


def test_a_front_door_effect_is_estimated_from_the_table_in_use():
    """The effect of smoke on xray through lung is estimated from Asia, which has columns that the drawing lacks."""
    at = pasted("dag { u [latent] smoke [exposure] xray [outcome] smoke -> lung -> xray u -> smoke u -> xray }")
    at = ask_drawing(at, "Effect")
    assert "Through the front door: " in words(at)
    assert "Unadjusted: " in words(at)


def test_a_drawing_without_its_data_says_what_is_missing():
    at = ask_drawing(pasted("dag { u -> v -> w }"), "Effect")
    assert "An estimate needs data" in words(at)
    at = ask_drawing(at, "Implications")
    assert list(at.dataframe[0].value.columns) == ["x", "y", "independent given"]


def test_no_effect_is_read_off_a_path_through_copies():
    """A copy of a cause has no arrow of its own: Paths, Adjustment and Effect claim nothing along it."""
    rng = np.random.default_rng(3)
    cause = rng.integers(0, 2, 400)
    other, noise = rng.integers(0, 2, 400), rng.random(400) < 0.1
    rows = [(("no", "yes")[a], ("left", "right")[a], ("low", "high")[b], ("f", "t")[(a & b) ^ e])
            for a, b, e in zip(cause, other, noise.astype(int), strict=True)]  # fmt: skip
    at = upload(open_app("data", learner="hc"), table(rows, ("a", "copy", "b", "y")))
    at = go(learn_now(at), "effects")
    result = run_of(at).result
    a, copy, y = (result.names.index(name) for name in ("a", "copy", "y"))
    assert (min(a, copy), max(a, copy)) in result.undirected_pairs
    far, near = (copy, a) if result.graph.skeleton[a, y] else (a, copy)
    assert result.graph.skeleton[near, y]
    at = choose(choose(ask(at, "Paths"), "cause", far), "effect", y)
    rows = at.dataframe[0].value
    assert rows["path"].str.contains(" = ").all()
    assert not rows["type"].str.contains("causal").any()
    for view in ("Adjustment", "Effect"):
        at = ask(at, view)
        assert "is not identifiable" in words(at)
        assert "is not causal" in words(at)
        assert not at.dataframe
    at = choose(at, "effect", result.names.index("b"))
    assert "is not causal" not in words(at)


def test_a_clicked_node_is_given_or_unmeasured_but_not_both(monkeypatch):
    """A click that makes a given node unmeasured takes it out of the conditioning set, and the other way round."""
    strokes, show = [], drawing.graph_view

    def clicked_once(*given, **named):
        shown, pending = show(*given, **named), tuple(strokes)
        strokes.clear()
        return type(shown)(shown.step, strokes=pending)

    monkeypatch.setattr(drawing, "graph_view", clicked_once)
    at = pasted("dag { X [exposure] Y [outcome] Z [adjusted] U [latent] U -> X -> Y <- Z }")
    for role, held in (("latent", [[], ["U", "Z"]]), ("given", [["Z"], ["U"]])):
        sound(at.segmented_control(key="effects_click").set_value(role).run())
        strokes.append({"id": 1, "what": "click", "nodes": [at.session_state["build"].draft.names.index("Z")]})
        sound(at.run())
        assert [at.session_state[f"effects_{one}_drawn"] for one in ("given", "latent")] == held
