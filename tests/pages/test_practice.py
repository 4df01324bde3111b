"""Tests of the practice games: answers by buttons, lists and clicks, feedback in both languages, and the score."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.quiz.graph_tasks import Game, graph_task
from pages.blocks.lessons import lesson_files, practice
from tests import naive, naive_effects
from tests.pages.driving import markup, open_app, plain, press, sound
from viz.classroom.practice import drawn_roles, evidence, reason, task_picture, task_sentence, verdict, working_picture
from viz.effects.picture import ROLES, given_graph
from viz.layout.positions import layout
from viz.translation.captions import CAPTIONS

WRONG_LANGUAGE = re.compile(r"\b(the|is|are|because|of|path)\b")


def opened(game=Game.SEPARATION, **query):
    """Open the practice games by their address."""
    at = open_app()
    at.switch_page("pages/lessons.py")
    for name, value in {"lesson": "practice", **query}.items():
        at.query_params[name] = value
    at.session_state[practice.GAME] = game
    at = sound(at.run())
    at._page_hash = ""
    return at


def words(at):
    return " ".join(plain(one) for one in markup(at))


def test_a_right_answer_counts_and_a_wrong_one_ends_the_streak():
    at = opened()
    for seed in (1, 2):
        task = graph_task(Game.SEPARATION, 1, seed)
        right = "independent" if task.solution else "dependent"
        at = sound(press(at, f"practice_{right}"))
        assert plain(at.success[0].value).startswith("Correct.")
        at = sound(press(at, "practice_next"))
    assert "Streak 2" in words(at)
    wrong = "dependent" if graph_task(Game.SEPARATION, 1, 3).solution else "independent"
    at = sound(press(at, f"practice_{wrong}"))
    assert plain(at.error[0].value).startswith("Not quite.")
    assert "Streak 0 · best 2" in words(at)
    assert "Missed: d-separation (1)" in words(at)


@pytest.mark.parametrize("game", [Game.ADJUSTMENT, Game.COLLIDERS])
def test_sets_are_chosen_in_a_list(game):
    at = opened(game)
    task = graph_task(game, 1, 1)
    at.multiselect(key=practice.CHOSEN).set_value([task.names[k] for k in task.solution]).run()
    assert plain(sound(press(at, "practice_check")).success[0].value).startswith("Correct.")


def test_clicks_in_the_graph_choose_and_the_button_checks(monkeypatch):
    """A click on a node or an edge chooses it; nothing is checked before the button is pressed."""
    show, strokes = practice.graph_view, []

    def clicked(*given, **named):
        shown, made = show(*given, **named), tuple(strokes)
        strokes.clear()
        return type(shown)(shown.step, strokes=made)

    monkeypatch.setattr(practice, "graph_view", clicked)
    at, task = opened(Game.ADJUSTMENT), graph_task(Game.ADJUSTMENT, 1, 1)
    strokes.extend({"id": k, "what": "click", "nodes": [k]} for k in sorted(task.solution))
    at = sound(at.run())
    assert set(at.session_state[practice.CHOSEN]) == {task.names[k] for k in task.solution}
    at, task = opened(Game.EQUIVALENCE), graph_task(Game.EQUIVALENCE, 1, 1)
    wrong = next(edge for edge in task.graph.directed_edges() if not task.is_right(edge))
    for k, edge in enumerate((wrong, task.solution[::-1])):  # a slip is corrected by another click
        strokes.append({"id": 8 + k, "what": "click", "nodes": list(edge)})
        at = sound(at.run())
        assert not at.success
        assert not at.error
    assert plain(sound(press(at, "practice_check")).success[0].value).startswith("Correct.")
    at, task = opened(Game.REMOVAL), graph_task(Game.REMOVAL, 1, 1)
    strokes.append({"id": 10, "what": "click", "nodes": list(task.solution)})
    at = sound(at.run())
    assert not at.success
    assert plain(sound(press(at, "practice_check")).success[0].value).startswith("Correct.")
    assert "True graph" in words(at)


@pytest.mark.deep
def test_the_games_speak_german():
    at = opened(language="de")
    assert at.title[0].value == CAPTIONS["de"]["practice"]
    assert at.button(key="practice_independent").label == "Unabhängig"
    assert set(CAPTIONS["de"]) == set(CAPTIONS["en"])
    for game in Game:
        for seed in range(8):
            task = graph_task(game, 1 + seed % 3, seed)
            for answer in (task.solution, *wrong_answers(task)):
                text = reason(task, answer, CAPTIONS["de"], TEXTS["de"])[0]
                assert not WRONG_LANGUAGE.search(f"{text} {task_sentence(task, CAPTIONS['de'])}")


def wrong_answers(task):
    """Return some wrong answers to a task."""
    if task.game is Game.SEPARATION:
        return [not task.solution]
    if task.game in (Game.EQUIVALENCE, Game.REMOVAL):
        return [edge for edge in (task.shown or task.graph).edges() if not task.is_right(edge)][:1]
    return [frozenset(one) for one in ((), *((k,) for k in range(task.graph.p) if k not in task.ends))]


def test_the_reason_agrees_with_the_verdict():
    """An answer about paths is right iff its reason names no open path and no forbidden variable."""
    for seed in range(15):
        task = graph_task(Game.ADJUSTMENT, 1 + seed % 3, seed)
        for answer in (task.solution, *wrong_answers(task)):
            text, _, is_open = reason(task, answer, CAPTIONS["en"], TEXTS["en"])
            assert task.is_right(answer) == (not is_open and "Do not adjust for" not in text)


def answers(task):
    """Return all answers with at most one node, or with one edge."""
    return [task.solution, *wrong_answers(task)] if isinstance(task.solution, bool | frozenset) else all_edges(task)


def all_edges(task):
    return (task.shown or task.graph).edges()


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("game", Game)
def test_each_feedback_lights_a_path_that_it_names(game):
    """The highlighted edges are in the graph, the sentence names their nodes, and a wrong answer gets a right one."""
    for seed in range(30):
        task = graph_task(game, 1 + seed % 3, seed)
        for answer in answers(task):
            text, path, _ = reason(task, answer, CAPTIONS["en"], TEXTS["en"])
            assert len(path) >= 2 or text.startswith(f"{task.names[min(answer)]} — {task.names[max(answer)]} stays: ")
            assert all(task.graph.skeleton[a, b] for a, b in pairwise(path))
            if game is not Game.COLLIDERS:  # its path stands in the question
                assert all(re.search(rf"\b{task.names[k]}\b", text) for k in path)
            said = verdict(task, answer, CAPTIONS["en"], TEXTS["en"])
            assert said.startswith("Correct. " if task.is_right(answer) else "Not quite. ")
            assert ("orrect answer: " in said) == (
                not task.is_right(answer) and game not in (Game.SEPARATION, Game.COLLIDERS)
            )


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("game", [Game.SEPARATION, Game.ADJUSTMENT, Game.REMOVAL])
def test_all_paths_that_decide_are_shown_open_or_blocked(game):
    """The paths and the nodes that block them equal those of an enumeration, after right and wrong answers."""
    for seed in range(30):
        task = graph_task(game, 1 + seed % 3, seed)
        for answer in answers(task):
            shown = evidence(task, answer)
            if not shown:  # an edge that cannot leave
                assert game is Game.REMOVAL
                assert not task.is_right(answer)
                continue
            ends = (shown[0].nodes[0], shown[0].nodes[-1])
            if game is Game.REMOVAL:
                dag, given = task.graph, task.removals.evidence(frozenset([tuple(sorted(answer))]))[0]
            else:
                dag, given = task.graph, task.given if game is Game.SEPARATION else tuple(sorted(answer))
            looks = {
                path: naive_effects.is_open(dag.amat, path, given) for path in naive_effects.paths(dag.amat, *ends)
            }
            assert {path.nodes: path.open for path in shown} == looks
            for path in shown:
                assert set(path.closed_at) <= set(path.nodes[1:-1])


def test_the_reason_of_an_edge_says_what_its_reversal_does():
    """The named v-structure or cycle is the one that a brute-force reversal adds or removes."""
    kinds = set()
    for seed in range(60):
        task = graph_task(Game.EQUIVALENCE, 1 + seed % 3, seed)
        before = naive.v_structures(task.graph.amat)
        for a, b in task.graph.directed_edges():
            turned = task.graph.amat.copy()
            turned[a, b], turned[b, a] = False, True
            text, path, _ = reason(task, (a, b), CAPTIONS["en"], TEXTS["en"])
            if task.is_right((a, b)):
                continue
            kind = next(one for one in ("adds", "removes", "closes") if one in text)
            kinds.add(kind)
            if kind == "closes":
                assert not naive.is_acyclic(turned)
                assert all(turned[pair] for pair in pairwise([*path, path[0]]))
            else:
                changed = naive.v_structures(turned) - before if kind == "adds" else before - naive.v_structures(turned)
                middle, ends = path[1], {path[0], path[2]}
                assert any({i, j} == ends and k == middle for i, k, j in changed)
    assert kinds == {"adds", "removes", "closes"}


def test_no_task_is_asked_again_after_its_answer():
    """Another game or level after an answer, and the way back, lead to a new task; without an answer it stays."""
    at = opened()
    at = sound(at.segmented_control(key=practice.LEVEL).set_value(2).run())
    assert "task 1" in words(at)
    at = sound(press(at, "practice_independent"))
    at = sound(at.segmented_control(key=practice.LEVEL).set_value(1).run())
    assert not at.success
    assert not at.error
    assert "task 2" in words(at)


STATE = re.compile(r"(\b[PQRSTVW](?: (?:→|←) [PQRSTVW])+) (?:is (open|blocked)|stays (open))")
BLOCKS = re.compile(r"that blocks the causal path ([^,]+),")
KEPT = re.compile(r"causal paths? stays? open: ([^.]+)\.")


def states_in_words(text):
    """Return the state of each path that a feedback names: True if open."""
    said = {drawn: "open" in words for drawn, *words in STATE.findall(text)}
    said |= dict.fromkeys(BLOCKS.findall(text), False)
    return said | {drawn: True for found in KEPT.findall(text) for drawn in found.split(", ")}


def nodes_of(drawn, names):
    return tuple(names.index(name) for name in re.split(r" [→←] ", drawn))


def looks_of(data):
    """Return the marks of the edges of a picture by pair, and the nodes with a cross."""
    marks = {frozenset((e["a"], e["b"])): e["turns"][0][2] for e in data["edges"] if "turns" in e}
    return marks, {node["id"] for node in data["nodes"] if node.get("blocks")}


def conditioned_in(task, answer):
    if task.game is Game.REMOVAL:
        return task.removals.evidence(frozenset([tuple(sorted(answer))]))[0]
    return task.given if task.game is Game.SEPARATION else tuple(sorted(answer))


def sets_of(task):
    """Return all answers of a task."""
    if task.game in (Game.ADJUSTMENT, Game.COLLIDERS):
        return map(frozenset, naive_effects.subsets([k for k in range(task.graph.p) if k not in task.ends]))
    return answers(task) + ([not task.solution] if task.game is Game.SEPARATION else [])


@pytest.mark.deep
@pytest.mark.parametrize("game", [Game.SEPARATION, Game.ADJUSTMENT, Game.REMOVAL])
def test_words_and_picture_give_each_path_the_state_of_an_independent_program(game):
    """A path is open in the words iff it is open in the picture and by enumeration, under the answer that was given."""
    n_named = 0
    for seed in range(24):
        task = graph_task(game, 1 + seed % 3, seed)
        drawn = given_graph(task.graph, task.names, layout(task.graph), {})
        for answer in sets_of(task):
            dag, given = task.graph.amat, conditioned_in(task, answer)
            marks, crosses = looks_of(task_picture(task, answer, drawn))
            said = verdict(task, answer, CAPTIONS["en"], TEXTS["en"])
            # of an edge that leaves beside a wrong choice, the words give another conditioning set
            first = said.split(" leaves")[0] if game is Game.REMOVAL and not task.is_right(answer) else said
            for words, is_open in states_in_words(first).items():
                path = nodes_of(words, task.names)
                n_named += 1
                assert naive_effects.is_open(dag, path, given) == is_open, (seed, answer, said)
                assert all(marks[frozenset(pair)] == "open" for pair in pairwise(path)) or not is_open
                assert is_open or crosses & set(path[1:-1])
            if ends := (task.ends or tuple(sorted(answer)) if marks else ()):
                paths = list(naive_effects.paths(dag, *ends))
                opened = {
                    frozenset(e) for one in paths if naive_effects.is_open(dag, one, given) for e in pairwise(one)
                }
                touched = {frozenset(e) for one in paths for e in pairwise(one)}
                assert marks == {edge: "open" if edge in opened else "shut" for edge in touched}
    assert n_named > 40


@pytest.mark.deep
def test_badges_and_marks_say_no_more_than_the_task():
    """Only a task on an effect has a cause; a path that is asked about is neither open nor blocked."""
    for game in Game:
        for seed in range(12):
            task = graph_task(game, 1 + seed % 3, seed)
            for answer in (None, *answers(task)):
                roles = drawn_roles(task, answer, frozenset())
                data = task_picture(task, answer, given_graph(task.graph, task.names, layout(task.graph), roles))
                assert ("cause" in roles.values()) == (game is Game.ADJUSTMENT)
                assert {one["name"] for one in data["groups"]} == {ROLES[role]["name"] for role in roles.values()}
                marks = set(looks_of(data)[0].values())
                if game is Game.COLLIDERS:
                    assert marks == {"traced"}
                elif answer is None:
                    assert not marks
                elif game is Game.EQUIVALENCE:
                    assert ("solved" in marks, "mistaken" in marks) == (True, not task.is_right(answer))
                    assert marks <= {"solved", "mistaken", "reason"}
                if game is Game.REMOVAL and answer is not None:
                    shown = looks_of(
                        working_picture(task, answer, given_graph(task.shown, task.names, layout(task.graph), {}))
                    )
                    right = {frozenset(task.solution): "solved"}
                    assert shown[0] == ({} if task.is_right(answer) else {frozenset(answer): "mistaken"}) | right


@pytest.mark.deep
def test_needless_variables_are_named_and_the_rest_suffices():
    """A right set with a needless member says which rest suffices; an independent regression agrees."""
    n_found = 0
    for seed in range(20):
        task = graph_task(Game.ADJUSTMENT, 1 + seed % 3, seed)
        slopes = naive_effects.Equations(task.graph.amat, np.random.default_rng(seed))
        for answer in sets_of(task):
            said = verdict(task, answer, CAPTIONS["en"], TEXTS["en"])
            found = re.search(r"Not needed: ([^.]+)\. Adjusting for ([^.]+) suffices", said)
            smaller = [
                one
                for one in naive_effects.subsets(sorted(answer))
                if set(one) < answer and task.is_right(frozenset(one))
            ]
            assert bool(found) == (task.is_right(answer) and bool(smaller))
            if found:
                n_found += 1
                needless, enough = ({task.names.index(name) for name in part.split(", ")} for part in found.groups())
                assert needless | enough == answer
                x, y = task.ends
                assert abs(slopes.slope(x, y, sorted(enough)) - slopes.total[x, y]) < 1e-9
    assert n_found


def test_a_lesson_opens_its_own_game():
    """The link of lesson 5 leads to its game, with a task that is not answered; the game links to the lesson."""
    at = opened(lesson="05-equivalence-classes")
    at = sound(press(at, "lesson_whole"))
    at = sound(press(at, "lesson_practice"))
    assert at.session_state[practice.GAME] is Game.EQUIVALENCE
    assert "Name one edge" in words(at)
    assert set(practice.TAUGHT_IN.values()) <= set(lesson_files.titles())
