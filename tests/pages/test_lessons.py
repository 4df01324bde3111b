"""Tests of the lessons on their page."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from learners.explaining.explanation import explanation
from learners.graphs.cpdag import cpdag
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.exercises import exercise
from learners.teaching.lessons.lesson import (
    PROMISES,
    SLIDERS,
    LessonGraph,
    LessonPicture,
    LessonQuestion,
    LessonRun,
    LessonText,
)
from learners.teaching.lessons.lesson_parser import read_lesson
from learners.teaching.lessons.lesson_runs import data_of, errors_by_seed, result_of
from pages.blocks.lessons import entered_answers, lesson_files, lesson_view
from pages.session.state import LANGUAGE
from tests.pages.driving import errors, go, markup, open_app, plain, press, sound, title
from viz.classroom.lesson_words import explained_in_lesson
from viz.classroom.lessons import (
    SHOWN,
    SLIDER_VIEWS,
    answer_view,
    entry_view,
    graph_of_lesson,
    run_places,
    run_view,
    spread_figure,
)
from viz.classroom.lessons import lesson_view as lesson_view_of
from viz.glossary.component import glossary_view_data
from viz.glossary.terms import entry_of, with_terms
from viz.kinds import timeline
from viz.lesson_page.page import is_compared, is_drawn_again, steps_of
from viz.text import in_language
from viz.translation.sentences import catalog


def test_an_exercise_is_graded_and_the_next_lesson_follows():
    """The first exercise is answered wrongly and then correctly; the address names the lesson."""
    at = sound(open_app("lessons"))
    key = lesson_files.keys()[0]
    assert title(at) == lesson_files.titles()[key]
    radio = at.radio[0]
    radio.set_value(0).run()
    assert errors(at)[0].startswith("Not quite. Correct answer: no.")
    sound(at.radio[0].set_value(1).run())
    assert at.success[0].value.startswith("Correct.")
    sound(press(at, "lesson_next"))
    assert title(at) == lesson_files.titles()[lesson_files.keys()[1]]
    assert at.query_params["lesson"] == lesson_files.keys()[1]


@pytest.mark.parametrize(("language", "mistake"), [("en", "swapped"), ("de", "vertauscht")])
def test_a_percentage_is_entered_and_a_mistake_is_named(language, mistake):
    """The tables of the graph are shown; a swapped condition gets its own sentence."""
    at = open_app()
    at.query_params["lesson"] = "18-bayes-rule"
    at = sound(go(at, "lessons"))
    at.session_state[LANGUAGE] = language
    at = sound(press(at, "lesson_whole"))
    assert any("| yes | 90 % | 10 % |" in plain(one) for one in markup(at))
    asked = at.number_input[1]
    asked.set_value(90.0).run()
    assert "15.4 %" in errors(at)[0]
    assert mistake in errors(at)[0]
    sound(at.number_input[1].set_value(15.4).run())
    assert at.success


def test_a_lesson_opens_with_its_first_step():
    """*Continue* adds a step; *Show whole lesson* shows all questions, and the next lesson becomes the main action."""
    at = sound(open_app("lessons"))
    key = lesson_files.keys()[0]
    lesson = lesson_files.lesson(key)
    steps = steps_of(lesson)
    assert [k for step in steps for k in step] == list(range(len(lesson.blocks)))
    counts = [
        sum(isinstance(lesson.blocks[k], LessonQuestion) and bool(exercise(lesson.blocks[k]).choices) for k in step)
        for step in steps
    ]
    assert len(at.radio) == counts[0]
    assert at.button(key="lesson_continue").label == f"Continue to step 2 of {len(steps)}"
    assert len(sound(press(at, "lesson_continue")).radio) == sum(counts[:2])
    assert len(sound(press(at, "lesson_whole")).radio) == sum(counts)
    assert not [one for one in at.button if one.key == "lesson_continue"]
    sound(press(at, "lesson_next"))
    assert at.button(key="lesson_continue").label.startswith("Continue to step 2")


def test_a_wrong_file_is_reported_on_its_page(monkeypatch, tmp_path):
    """The message names the line, and all other lessons are shown."""
    (tmp_path / "01-new.md").write_text("# <b>New</b>\nminutes: 10\n```grpah\n```\n", encoding="utf-8")
    (tmp_path / "02-good.md").write_text("# Good\nminutes: 5\nText.\n", encoding="utf-8")
    monkeypatch.setattr(lesson_files, "FOLDER", tmp_path)
    at = sound(open_app("lessons"))
    assert "01-new, line 3" in errors(at)[0]
    assert not any("<b>" in text for text in markup(at))
    sound(press(at, "lesson_next"))
    assert title(at) == "Good"


def test_the_frame_speaks_the_language_that_was_chosen():
    """The language chosen on Learn more applies to the texts there and around each lesson."""
    at = sound(open_app("learn_more"))
    sound(at.segmented_control(key=LANGUAGE).set_value("de").run())
    assert any(entry_of("sepset", "de")[1] in text for text in markup(at))
    at = sound(go(at, "lessons"))
    assert at.button(key="lesson_next").label.startswith("Weiter: ")
    first = lesson_files.keys()[0]
    assert title(at) == lesson_files.titles("de")[first] != lesson_files.titles()[first]
    sound(at.radio[0].set_value(0).run())
    assert errors(at)[0].startswith("Leider nein. Richtig ist: nein. rain → wet → slippery ist offen")
    sound(at.segmented_control(key=LANGUAGE).set_value("en").run())
    assert title(at) == lesson_files.titles()[lesson_files.keys()[0]]


@pytest.mark.compiled
def test_a_run_in_a_german_lesson_is_explained_in_german():
    """The steps and the first sentence of a run of PC are German."""
    lesson = lesson_files.lesson("03-pc-by-hand", "de")
    run = next(block for block in lesson.blocks if isinstance(block, LessonRun))
    result = result_of(run, 0)
    data = in_language(timeline(result, np.full((len(result.names), 2), 0.5)), catalog("de"))
    assert data["steps"]["text"][0] == "Anfang: Alle Paare sind benachbart"
    assert not any(re.search(r"\b(removed|given|because|the)\b", text) for text in data["steps"]["text"])


# Patterns of phrases that name a part of the picture, by that part.
PROMISED = {
    "BIC curve": r"curve is the BIC|Kurve ist das BIC",
    "star": r"\bstar\b|\bStern\b",
    "joint CPPD curve": r"curve is the joint|Kurve ist\s+die joint",
    "γ line": r"line γ|Linie γ",
    "probabilities": r"number at an edge|Zahl an einer Kante",
    "probability line": r"the line or the slider to another threshold|Linie oder den Regler auf eine andere",
    "forward selection": r"\*forward selection\*",
    "backward elimination": r"part on, \*backward elimination\*|Teil entfernt \*backward elimination\*",
    "doubtful arrow": r"doubtful|zweifelhaft",
}
UNPROMISED = r"\b(curve|Kurve|star|Stern|hollow|hohl\w*|line γ|Linie γ)\b"


@pytest.mark.gate_cases(12)
@pytest.mark.compiled
@pytest.mark.parametrize("key", lesson_files.keys())
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_a_lesson_says_about_a_picture_is_in_it(key, language):
    """Each part that `shows` lists is in the picture, and a text after a run names no part without listing it."""
    lesson, run = lesson_files.lesson(key, language), None
    for block in lesson.blocks:
        if isinstance(block, LessonRun):
            run, result = block, result_of(block)
            positions = np.full((len(result.names), 2), 0.5)
            data = run_view(run.slider, result, positions, data_of(run)[1], run.shows)
            assert {part for part in run.shows if SHOWN[part](data)} == set(run.shows)
        elif isinstance(block, LessonText) and run is not None:
            named = {part for part, pattern in PROMISED.items() if re.search(pattern, block.text)}
            assert named <= set(run.shows)
            if re.search(UNPROMISED, block.text):
                assert named or set(run.shows) & set(PROMISED), block.text


def test_all_parts_of_pictures_can_be_checked():
    assert set(SHOWN) == set(PROMISES)
    assert set(SLIDER_VIEWS) == set(SLIDERS)


@pytest.mark.compiled
def test_runs_are_repeated_with_other_seeds_on_request():
    """A picture shows the errors of all samples; its description names the medians."""
    run = next(b for b in lesson_files.lesson("06-more-data").blocks if isinstance(b, LessonRun))
    counts = errors_by_seed(replace(run, repeats=2))
    figure = spread_figure("rows", [str(n) for n in run.settings["rows"]], counts)
    assert [list(trace.y) for trace in figure.data[:3]] == [list(row) for row in counts]
    assert list(figure.data[3].y) == [sum(row) / 2 for row in counts]


def test_the_feedback_lights_the_path_that_it_names():
    """The feedback highlights the path that it names as open or closed; a class of several DAGs shows them all."""
    seen = set()
    for key in lesson_files.titles():
        for block in lesson_files.lesson(key).blocks:
            if not isinstance(block, LessonQuestion) or isinstance(block.subject, LessonRun):
                continue
            solved, graph = exercise(block), block.subject
            data = answer_view(graph, solved)
            if solved.path:
                lit = {frozenset((e["a"], e["b"])) for e in data["edges"] if e.get("turns")}
                paths = [path.nodes for path in solved.paths] or [solved.path]
                assert lit == {frozenset(pair) for path in paths for pair in pairwise(path)}
                stops = {node["id"] for node in data["nodes"] if node.get("blocks")}
                assert stops == {k for path in solved.paths for k in path.closed_at}
                if solved.paths:
                    groups = [group["mark"] for group in data.get("groups", ())]
                    badged = {node["id"] for node in data["nodes"] if "group" in node and groups[node["group"]] == "G"}
                    assert badged == set(solved.given)
                    named = block.check == "leaves" or solved.is_open  # the reason names what decides
                    assert named or all(graph.names[k] in solved.why for k in stops)
                looks = {e["turns"][0][2] for e in data["edges"] if e.get("turns")}
                if block.check in ("orient", "draw"):
                    assert looks == {"solved"}
                else:
                    assert looks >= {"open"} if solved.is_open else looks == {"shut"}
                if block.check != "separator":  # it compares the path without and with the variable
                    assert (" is open" in solved.why or " is an edge" in solved.why) == solved.is_open
                assert all(graph.names[k] in solved.why for k in solved.path)
            if block.check == "members" and len(solved.members) > 1:
                assert data["steps"]["count"] == len(solved.members)
                assert solved.why.startswith(f"The class has {len(solved.members)} DAGs.")
            seen.add((block.check, bool(solved.path), solved.is_open))
    assert {("independent", True, True), ("independent", True, False), ("adjusts", True, True)} <= seen


def test_a_click_on_a_variable_answers_which_one_separates(monkeypatch):
    """Each click in the graph of the fork replaces the choice; a click on an end says that it is one."""
    show, pending = lesson_view.graph_view, []

    def clicked(data, **named):
        state = show(data, **named)
        names = [node["label"] for node in data["nodes"]]
        if "heat" not in names or not data.get("asks") or not pending:
            return state
        return replace(state, strokes=({"id": 1, "what": "click", "nodes": [names.index(pending.pop())]},))

    monkeypatch.setattr(lesson_view, "graph_view", clicked)
    at = sound(press(sound(open_app("lessons")), "lesson_whole"))
    for name, is_end in (("ice_cream", True), ("heat", False), ("sun_cream", True), ("heat", False)):
        pending.append(name)
        at = sound(at.run())
        assert any(f"{name} is one of the two ends" in plain(one.value) for one in at.warning) == is_end
        verdict = "Without heat, ice_cream ← heat → sun_cream is open; given heat, it is blocked."
        assert any(verdict in plain(one.value) for one in at.success) != is_end


@pytest.mark.parametrize("language", ["en", "de"])
def test_graphs_of_lessons_show_no_blanket_and_no_unexplained_numbers(language):
    """Runs show only curves that the lesson lists, stop at every change, and begin where the lesson says."""
    for key in lesson_files.keys()[:5]:
        for block in lesson_files.lesson(key, language).blocks:
            if isinstance(block, LessonGraph):
                assert lesson_view_of(block)["blanket"] is False
            if isinstance(block, LessonRun):
                result = result_of(block)
                data = run_view(block.slider, result, np.zeros((len(result.names), 2)), data_of(block)[1], block.shows)
                assert [one["label"] for one in data["steps"]["series"]] == ["edges"]
                assert data["steps"]["events"] == list(range(data["steps"]["count"]))
                assert data["steps"].get("begin") == (0 if "removals" in block.shows else None)
                assert "equivalent" not in data["directed"]
                said = explained_in_lesson(explanation(result, (0, 1)), catalog(language))
                assert not [one for one in said if "bits" in one.lower() or "Bit" in one]


def test_pictures_have_the_places_of_the_graph_and_of_the_run():
    """In lesson 3, the skeleton keeps the places of the true graph, and the run on asia those of its true graph."""
    lesson = lesson_files.lesson("03-pc-by-hand")
    graph = next(b for b in lesson.blocks if isinstance(b, LessonGraph))
    skeleton, asia = (b for b in lesson.blocks if isinstance(b, LessonPicture))
    places = [
        {node["label"]: (node["x"], node["y"]) for node in graph_of_lesson(lesson, one)["nodes"]}
        for one in (graph, skeleton, asia)
    ]
    assert places[0] == places[1]
    run = next(b for b in lesson.blocks if isinstance(b, LessonRun))
    result = SimpleNamespace(names=data_of(run)[0].names)
    found = [tuple(place) for place in run_places(run, result, lesson)]
    assert found == [places[2][name] for name in result.names]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_run_is_compared_with_a_picture_of_its_variables_directly_above(language):
    """In lessons 3 and 4, the true graph and the run fit together into a window of 900 pixels."""
    found = []
    for key in lesson_files.titles():
        lesson = lesson_files.lesson(key, language)
        for at, block in enumerate(lesson.blocks):
            if is_compared(lesson, at):
                data, truth = data_of(lesson.blocks[at + 1])
                assert set(block.names) == set(data.names)
                assert cpdag(block.graph).skeleton.sum() == truth.skeleton.sum()
                found.append(key[:2])
    assert found == ["03", "04"]
    header_and_bar = 150  # pixels
    assert lesson_view.COMPARED_HEIGHT + lesson_view.SMALL_RUN_HEIGHT + header_and_bar < 900


@pytest.mark.parametrize(
    ("lesson", "check", "mistake"),
    [("03-pc-by-hand", "orient", "backward"), ("05-equivalence-classes", "draw", "forward")],
)
def test_a_wrong_answer_stays_in_view_beside_the_correct_one(lesson, check, mistake, monkeypatch):
    """The student's graph has its mistake marked, the correct graph the same edge; a correct answer is shown once."""
    show, drawn = entered_answers.graph_view, {}

    def recorded(data, *, key, **named):
        edges = [(e["a"], e["b"], e["spans"][0][2], e.get("turns")) for e in data["edges"]]
        drawn[key] = {frozenset((a, b)): (a if mark == "backward" else b, turns) for a, b, mark, turns in edges}
        return show(data, key=key, **named)

    monkeypatch.setattr(entered_answers, "graph_view", recorded)
    at, key = opened(lesson), entry_key(lesson, check)
    blocks = lesson_files.lesson(lesson).blocks
    entry = exercise(blocks[int(key.rsplit("_", 1)[1])]).entry
    edge = entry.options[0]
    given = [mistake if one == edge else mark for one, mark in zip(entry.edges, entry.solution, strict=True)]
    at.session_state[f"{key}_done"] = tuple(given)
    at = sound(at.run())
    head = edge[mistake == "forward"]
    assert drawn[f"{key}_own"][frozenset(edge)] == (head, [[0, 1, "mistaken"]])
    assert drawn[f"{key}_answer"][frozenset(edge)][1] == [[0, 1, "solved"]]
    assert {"Your answer", "Correct answer"} <= {one.value for one in at.caption}
    drawn.clear()
    at.session_state[f"{key}_done"] = entry.solution
    at = sound(at.run())
    assert f"{key}_answer" in drawn
    assert f"{key}_own" not in drawn


@pytest.mark.deep
def test_answers_stay_for_the_session():
    """A choice, chosen edges, a number and a slider are kept on a visit to another lesson and another page."""
    at, chosen = opened("03-pc-by-hand"), f"{entry_key('03-pc-by-hand', 'leaves')}_chosen"
    radio = at.radio[0].key
    at.radio(key=radio).set_value(1).run()
    at = sound(at.button_group(key=chosen).set_value([(0, 2)]).run())
    at = sound(press(sound(at.selectbox(key="lesson_pick").set_value("09-simpson").run()), "lesson_whole"))
    number = at.number_input[0].key
    slider = next(one.key for one in at.select_slider if one.key and one.key.endswith("_strength_0"))
    at.number_input(key=number).set_value(0.5).run()
    at = sound(at.select_slider(key=slider).set_value(0.8).run())
    at = go(go(at, "experiments"), "lessons")
    assert at.number_input(key=number).value == 0.5
    assert at.select_slider(key=slider).value == 0.8
    at = sound(at.selectbox(key="lesson_pick").set_value("03-pc-by-hand").run())
    assert at.radio(key=radio).value == 1
    assert set(at.session_state[chosen]) == {(0, 2)}


def test_a_presentation_begins_without_answers():
    """Neither the answers of the page nor those of an earlier presentation are on a slide."""
    at = opened("05-equivalence-classes")
    keys = {at.radio[0].key}
    at = sound(at.radio(key=at.radio[0].key).set_value(1).run())
    for _ in range(2):
        at = sound(press(at, "lesson_present"))
        at.session_state["slide"] = 1
        at = sound(at.run())
        (asked,) = at.radio
        assert asked.value is None
        assert not [*at.success, *errors(at)]
        assert asked.key not in keys
        keys.add(asked.key)
        sound(asked.set_value(1).run())
        at.session_state["present"] = ""
        at = sound(at.run())


def test_a_graph_is_not_drawn_twice():
    """The season graph stands only in its exercise, in which it can be clicked."""
    at = opened("01-d-separation")
    lesson = lesson_files.lesson("01-d-separation")
    again = [k for k in range(len(lesson.blocks)) if is_drawn_again(lesson, k)]
    assert len(again) == 1
    assert "season" in lesson.blocks[again[0]].names
    keys = [one.key for one in at.main if getattr(one, "key", None)]
    assert f"lesson_01-d-separation_{again[0]}" not in keys


def test_reasons_of_meeks_rules_name_the_collider_or_the_cycle():
    """The reason of an arrow that follows says what the other direction would do, with the separating set."""
    say = TEXTS["en"]
    third = next(b for b in lesson_files.lesson("03-pc-by-hand").blocks if getattr(b, "check", "") == "orient")
    why = exercise(third).why
    assert "d → c would make c a collider between a and d" in why
    assert "{c}" in why
    head = "# T\nminutes: 1\nx\n```graph\nx -> y -> z\nx -> z\nu -> y\nu -> v\n```\n"
    entry = exercise(read_lesson(f"{head}```question\nDraw.\norient:\n```\n", "x").blocks[-1]).entry
    given = list(entry.solution)
    edge = entry.edges.index((0, 2))
    given[edge] = "undirected"
    assert "z → x would close the cycle x → y → z → x" in entry.reason(tuple(given), say)[0]


def test_lessons_link_no_term_to_themselves_and_give_one_meaning():
    """The glossary of lesson 1 has no link to lesson 1, and no sentence on MCMC; other lessons are linked."""
    data = glossary_view_data("en", lesson_files.titles(), "01-d-separation")
    assert data["terms"]["chain"]["address"] == ""
    assert "MCMC" not in data["terms"]["chain"]["definition"]
    assert data["terms"]["sepset"]["address"]
    assert "MCMC" in glossary_view_data("en", lesson_files.titles())["terms"]["chain"]["definition"]
    assert "](lessons" not in with_terms("A chain of the water level.", "en", "01-d-separation")
    assert "](lessons" in with_terms("A level of PC.", "en", "01-d-separation")


def opened(key, language="en"):
    """Open a whole lesson."""
    at = open_app()
    at.query_params["lesson"] = key
    at = sound(go(at, "lessons"))
    at.session_state[LANGUAGE] = language
    return sound(press(at, "lesson_whole"))


def entry_key(key, check):
    """Return the prefix of the widgets of the first question with a check."""
    blocks = lesson_files.lesson(key).blocks
    return f"lesson_{key}_{next(k for k, b in enumerate(blocks) if getattr(b, 'check', '') == check)}"


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("language", "right", "wrong"),
    [
        ("en", "Correct.", "Not quite. a — c always stays: no set separates its ends."),
        ("de", "Richtig.", "Leider nein. a — c bleibt immer: Keine Menge trennt ihre Enden."),
    ],
)
def test_edges_are_chosen_in_a_list_checked_and_changed(language, right, wrong):
    """A wrong choice names the edge; the answer can be changed, beginning with what was chosen."""
    at, key = opened("03-pc-by-hand", language), entry_key("03-pc-by-hand", "leaves")
    at.button_group(key=f"{key}_chosen").set_value([(0, 1), (0, 2)]).run()
    at = sound(press(at, f"{key}_check"))
    assert plain(errors(at)[0]).startswith(wrong)
    at = sound(press(at, f"{key}_change"))
    assert set(at.session_state[f"{key}_chosen"]) == {(0, 1), (0, 2)}
    at.button_group(key=f"{key}_chosen").set_value([(0, 2)]).run()
    assert sound(press(at, f"{key}_check")).success[0].value.startswith(right)


@pytest.mark.deep
def test_clicks_in_the_picture_choose_edges_turn_them_and_choose_nodes(monkeypatch):
    """A click chooses an edge or a node; a click on an edge of a CPDAG to be drawn turns it, three return it."""
    show, strokes = entered_answers.graph_view, {}

    def clicked(data, *, key, **named):
        shown = show(data, key=key, **named)
        made = tuple({"id": k, "what": "click", "nodes": one} for k, one in enumerate(strokes.pop(key, ())))
        return replace(shown, strokes=made)

    monkeypatch.setattr(entered_answers, "graph_view", clicked)
    for lesson, check, clicks in (
        ("01-d-separation", "separating set", [[1]]),
        ("03-pc-by-hand", "leaves", [[2, 0], [1, 0], [0, 1]]),
        ("05-equivalence-classes", "draw", [[1, 3], [2, 3], [3, 2], [2, 3], [2, 3]]),
    ):
        at, key = opened(lesson), entry_key(lesson, check)
        strokes[f"{key}_picture"] = clicks
        at = sound(sound(at.run()).run())
        assert sound(press(at, f"{key}_check")).success, lesson


@pytest.mark.deep
def test_a_slider_an_order_and_a_number_are_checked():
    """The position of the run's slider, the order of a list, and a number with its frequent mistake are judged."""
    at, key = opened("06-more-data"), entry_key("06-more-data", "first")
    at = sound(press(at, f"{key}_check"))
    assert "rows = 100 there is not yet an edge" in plain(errors(at)[0])
    at = sound(press(at, f"{key}_change"))
    at.select_slider[0].set_value(1000).run()
    assert "rows = 1,000 is the first value" in plain(sound(press(at, f"{key}_check")).success[0].value)
    at, key = opened("03-pc-by-hand"), entry_key("03-pc-by-hand", "order")
    at.button_group(key=f"{key}_chosen").set_value([1, 0, 2]).run()
    assert plain(errors(sound(press(at, f"{key}_check")))[0]).startswith("Not quite. Number 2 is not smoke — dysp")
    at = opened("09-simpson")
    at.number_input[0].set_value(0.5).run()
    assert "That is the effect." in plain(errors(at)[0])
    assert sound(at.number_input[0].set_value(-0.5).run()).success


def test_a_lesson_that_nobody_translated_is_there_in_english(monkeypatch, tmp_path):
    """The surrounding text is in the chosen language, the answers in the lesson's own."""
    question = "```graph\na -> b\n```\n```question\nAre a and b independent?\nindependent: a, b |\n```\n"
    (tmp_path / "01-new.md").write_text(f"# New\nminutes: 10\n{question}", encoding="utf-8")
    monkeypatch.setattr(lesson_files, "FOLDER", tmp_path)
    at = sound(open_app("lessons"))
    sound(at.segmented_control(key=LANGUAGE).set_value("de").run())
    assert title(at) == "New"
    assert any("Nur auf Englisch" in text for text in markup(at))
    sound(at.radio[0].set_value(0).run())
    assert errors(at)[0].startswith("Not quite. Correct answer: no. a → b is an edge, which no set blocks.")


def test_numbers_follow_a_slider():
    """Moving the slider reverses the difference among all patients, and the bars with it."""
    at = sound(open_app("lessons"))
    at = sound(at.selectbox(key="lesson_pick").set_value("09-simpson").run())
    at = sound(press(at, "lesson_whole"))
    assert any("**+15** points among all" in one.replace("\\", "") for one in markup(at))
    slider = next(one for one in at.select_slider if one.key and one.key.endswith("_strength_0"))
    at = sound(slider.set_value(0.8).run())
    assert any("**−41** points among all, **+15** adjusted for severity" in one.replace("\\", "") for one in markup(at))
    assert any("width:29.5%" in one.proto.body for one in at.get("html"))


def test_a_drag_directs_the_edge_that_a_question_asks_about(monkeypatch):
    """From the first to the second node is forward, the other way backward; edges that are fixed stay."""
    at = read_lesson("# T\nminutes: 1\nx\n```graph\na -> b -> c\n```\n```question\nDraw.\ndraw:\n```\n", "x")
    entry = exercise(at.blocks[-1]).entry
    state: dict = {}
    monkeypatch.setattr(entered_answers.st, "session_state", state)
    entered_answers._orient(entry, "k", (1, 0))
    entered_answers._orient(entry, "k", (1, 2))
    entered_answers._orient(entry, "k", (0, 2))
    assert state == {"k_mark_0_1": "backward", "k_mark_1_2": "forward"}
    assert entry_view(at.blocks[-1].subject, entry, entry.start)["orients"]


def test_a_run_on_the_data_of_a_graph_has_its_places():
    """The nodes stay where the lesson drew them, also without those that are hidden."""
    for key in lesson_files.titles():
        for run in lesson_files.lesson(key).blocks:
            if isinstance(run, LessonRun) and isinstance(run.data, LessonGraph):
                drawn = {node["label"]: (node["x"], node["y"]) for node in lesson_view_of(run.data)["nodes"]}
                names = data_of(run)[0].names
                places = run_places(run, SimpleNamespace(names=names))
                assert [tuple(place) for place in places] == [drawn[name] for name in names]


def test_answers_show_what_they_speak_of():
    """A class has a hint at its slider, each step names its turned edges, and the DAG is shown beside its CPDAG."""
    at = sound(open_app("lessons"))
    at.session_state.lesson = "05-equivalence-classes"
    at = sound(press(sound(at.run()), "lesson_whole"))
    shown = [one.value for one in at.caption]
    assert {"Your CPDAG", "The DAG"} <= set(shown)
    at = sound(at.radio(key="lesson_05-equivalence-classes_4").set_value(2).run())
    assert "Move the slider to see each DAG of the class." in [one.value for one in at.caption]
    lesson = lesson_files.lesson("05-equivalence-classes")
    question = lesson.blocks[4]
    steps = answer_view(question.subject, exercise(question, "en"))["steps"]["text"]
    assert set(steps) == {"a → b, b → c", "b → a, b → c", "b → a, c → b"}


def test_an_order_that_was_checked_stays_on_screen():
    """After the check, the student's own order is shown beside the correct one."""
    at = sound(open_app("lessons"))
    at.session_state.lesson = "03-pc-by-hand"
    at = sound(press(sound(at.run()), "lesson_whole"))
    at.session_state[f"{entry_key('03-pc-by-hand', 'order')}_done"] = (0, 1, 2)
    at = sound(at.run())
    assert "Your order: 1. smoke — dysp; 2. asia — smoke; 3. smoke — either" in [plain(one.value) for one in at.caption]
