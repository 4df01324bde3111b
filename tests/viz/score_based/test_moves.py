"""Sentences about the moves of a search, and their replay."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import cpdag, learn, load_sample
from learners.common.wording import format_signed, format_statistic
from learners.evaluation.metrics import shd
from learners.explaining.explanation import explanation
from learners.explaining.moves import move_sentence
from learners.graphs.rules import MOVES, Rule
from learners.results.events import Action, Event
from learners.results.phases import Phase, Stage
from learners.search import optimal
from tests.viz.cases import made, sentence_of
from viz import kinds
from viz.kinds import callouts, kind_of, layout_graph, timeline
from viz.layout.positions import layout
from viz.score_based.timeline import comparable, search_steps

OTHER_WAY = "which broke ties by the other direction"
POLISH = (Stage.POLISH_FORWARD, Stage.POLISH_BACKWARD)


@pytest.fixture(scope="module", params=["hc", "tabu", "ges", "boss"])
def result(request):
    """Return a search on a small sample."""
    return learn(request.param, load_sample("asia").dataset)


def test_each_move_is_a_sentence_with_its_gain(result):
    """The sentence names the variables, the kind of move, and the change of the score."""
    for event in result.trace:
        sentence = sentence_of(event, result)
        assert result.names[event.i] in sentence
        assert result.names[event.j] in sentence
        if event.rule in MOVES and event.phase.stage is not Stage.BACK_TO_BEST:
            assert sentence.startswith(event.rule.value)
            same = abs(event.statistic) < 1e-6  # allows for rounding errors
            assert ("score unchanged" if same else f"score {format_signed(event.statistic)}") in sentence


@pytest.mark.parametrize("rule", [Rule.REVERSE, Rule.TURN])
def test_every_search_names_the_direction_after_a_reversal(rule):
    """The new direction follows "to" in each learner; the old one comes before it where the event determines it."""
    nan = math.nan
    event = Event(Phase(Stage.TURNS), Action.ORIENT, 0, 1, (), 2.0, nan, nan, nan, 0, 0, rule)
    sentence = move_sentence(event).text(("a", "b"))
    assert " to a → b, score +2" in sentence
    assert ("b → a to a → b" in sentence) == (rule is Rule.REVERSE)


def test_the_timeline_of_a_search_starts_empty_and_counts_its_edges(result):
    """The curve is the score; the number of edges follows additions and deletions."""
    data = timeline(result, layout(layout_graph(result)))
    series = {one["label"]: one["values"] for one in data["steps"]["series"]}
    assert data["steps"]["text"][0] == "start: no edges"
    assert data["steps"]["series"][data["steps"]["curve"]]["label"] == "score"
    edges = [result.trace.graph_at(step).n_edges for step in range(data["steps"]["count"])]
    assert series["edges"] == edges
    assert len(series["score"]) == data["steps"]["count"]
    assert any(event.action in (Action.ADD, Action.UNORIENT) for event in result.trace)


def test_long_history_of_a_pair_is_reported_in_short():
    """A tabu search reverses an edge dozens of times; the text names the first move and the number of the others."""
    result = learn("tabu", load_sample("asia").dataset)
    moves = {(i, j): 0 for j in range(8) for i in range(j)}
    for event in result.trace:
        if event.rule in (Rule.ADD, Rule.DELETE, Rule.REVERSE):
            moves[min(event.i, event.j), max(event.i, event.j)] += 1
    most = max(moves, key=moves.get)
    story = explanation(result, most).sentences
    assert moves[most] > 10
    assert any(f"the search changed this edge {moves[most] - 1} more times" in sentence for sentence in story)
    assert len(story) < 8
    assert not any(sentence.startswith("Back to the best: back") for sentence in story)


def test_hill_climbing_has_something_to_point_at():
    """The callouts name the first move with its gain, and the final score."""
    result = learn("hc", load_sample("asia").dataset, ties="data")
    first = callouts(result)[0]
    assert format_signed(result.trace[0].statistic) in first
    assert "second search" not in first
    assert "10 moves" in first
    assert "found no better graph" not in first
    both = learn("hc", load_sample("asia").dataset)
    behind = both.score - both.extra.other_score
    assert f"A second search, {OTHER_WAY}, reached a score lower by {format_statistic(behind)}." in callouts(both)[0]
    further = callouts(learn("tabu", load_sample("asia").dataset))[0]
    assert "found no better graph" in further


@pytest.mark.parametrize("key", ["mmhc", "phgs", "h2pc"])
def test_a_polish_shows_its_steps_and_their_gains(key):
    """The counts equal those of the trace; without a polish there is no such callout."""
    data = load_sample("insurance").dataset
    result, plain = learn(key, data, polish=True), learn(key, data, polish=False)
    actual = [one for one in every_callout(result) if "A final GES" in one]
    steps = [e for e in result.trace if e.phase.stage in POLISH and e.rule in (Rule.INSERT, Rule.DELETE)]
    inserted = sum(e.rule is Rule.INSERT for e in steps)
    assert len(actual) == 1
    assert f"{inserted} insertion" in actual[0]
    assert f"score +{format_statistic(result.score - plain.score)}." in actual[0]
    assert not [one for one in every_callout(plain) if "A final GES" in one]


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("key", ["mmhc", "h2pc"])
def test_an_optimal_search_states_its_gain(key, monkeypatch):
    """The sentence says that the search raised the score, had nothing to gain, or left out parts that are too large."""
    insurance, asia = load_sample("insurance").dataset.take(range(800)), load_sample("asia").dataset
    best, plain = (learn(key, insurance, search=search, polish=False) for search in ("optimal", "tabu"))
    assert best.score > plain.score
    gain = f"raised the score of the tabu search by {format_statistic(best.score - plain.score)}."
    assert [one for one in chosen(best) if gain in one]
    assert not [one for one in chosen(plain) if "within the skeleton" in one]
    same = learn(key, asia, search="optimal", polish=False)
    assert [one for one in chosen(same) if one.startswith("The tabu search had found the optimum")]
    monkeypatch.setattr(optimal, "MAX_VARIABLES", 2)
    too_large = learn(key, asia, search="optimal", polish=False)
    left_out = too_large.extra.optimum.n_left_out
    assert left_out > 0
    assert [one for one in chosen(too_large) if f"It left {left_out} out" in one]


def every_callout(result):
    """Return all callouts, including those beyond the limit of a page."""
    return [text for callout in kind_of(result).callouts if (text := callout(result))]


def chosen(result):
    """Return what the run found because a setting asked for it: one sentence, or none."""
    return [text for text in [kinds.chosen(result)] if text]


def test_insertions_name_what_becomes_a_parent_too():
    """The text also names edges whose marks the new class changes."""
    result = learn("ges", load_sample("insurance").dataset)
    beside = [event for event in result.trace if event.rule is Rule.INSERT and event.cond]
    assert beside
    for event in beside:
        assert f"}} → {result.names[event.j]}" in sentence_of(event, result)
    turned = next(event for event in result.trace if event.rule is Rule.COMPELLED)
    assert sentence_of(turned, result).startswith(f"{result.names[turned.i]} → {result.names[turned.j]}: all")


def test_nonadjacent_pairs_of_a_class_search_are_explained():
    """The text names a pair as never inserted, or as inserted and deleted again."""
    never = learn("ges", load_sample("asia").dataset)
    x, y = next((i, j) for i in range(8) for j in range(i) if not never.graph.skeleton[i, j])
    sentences = explanation(never, (x, y)).sentences
    assert sentences[0] == "No move of the search added this edge."
    assert sentences[1].startswith("When insertions ended, adding it would not")
    again = learn("ges", load_sample("alarm").dataset)
    deleted = [event for event in again.trace if event.rule is Rule.DELETE]
    gone = next(event for event in deleted if not again.graph.skeleton[event.i, event.j])
    sentences = explanation(again, (gone.i, gone.j)).sentences
    assert sentences[0] == "The search added the edge and removed it again."
    assert any(sentence.startswith("The search deleted the edge") for sentence in sentences)


def test_deletions_of_a_search_are_landmarks_too():
    """Next change stops at every move, not only where an edge gets a direction."""
    result = learn("tabu", load_sample("asia").dataset)
    data = timeline(result, layout(layout_graph(result)))
    rules = [result.trace[t].rule for t in result.trace.changes.tolist()]
    steps = {step for step, rule in enumerate(rules, 1) if rule in (Rule.ADD, Rule.DELETE)}
    assert steps <= set(data["steps"]["events"])
    assert Rule.DELETE in rules


@pytest.mark.parametrize("key", ["hc", "phgs"])
def test_distance_from_the_truth_is_that_of_equivalence_classes(key):
    """A DAG is not penalised for directions that are not identifiable; the final distance is that of the result."""
    loaded = load_sample("child")
    result = learn(key, loaded.dataset)
    truth = cpdag(loaded.truth) if loaded.truth.is_dag else loaded.truth
    data = timeline(result, layout(layout_graph(result)), truth=truth)
    distance = next(one["values"] for one in data["steps"]["series"] if "SHD" in one["label"])
    steps = search_steps(result)
    assert len(steps) > 10
    for step in (steps[0], steps[5], steps[-1]):
        graph = result.trace.graph_at(step)
        assert distance[step] == (shd(cpdag(graph), truth) if graph.is_dag else None)
        assert comparable(result, step, graph) == (cpdag(graph) if graph.is_dag else graph)
    assert distance[-1] == shd(result.graph, truth)
    assert comparable(result, None, result.graph) is result.graph
    assert "a later step may reverse it" in data["early"]["directed"]


def test_other_runs_have_no_steps_of_a_search():
    """A run of PC is compared with the truth as it is drawn, because its arrows are compelled at once."""
    result = learn("pc", load_sample("child").dataset)
    assert kind_of(result).comparable(result, 1, result.graph) is result.graph
    assert "directed" not in timeline(result, layout(layout_graph(result)))


def test_a_search_over_orders_says_which_variable_goes_elsewhere():
    """Each resulting step names the distance and the gain; an absent pair is explained by the order."""
    result = learn("boss", load_sample("insurance").dataset)
    placed, names = result.extra.placements, result.names
    data = timeline(result, layout(layout_graph(result)))
    texts, steps = data["steps"]["text"], set()
    for q, (begin, end) in enumerate(zip(placed.begins.tolist(), placed.ends.tolist(), strict=True)):
        way = "back" if placed.places[q] > placed.homes[q] else "forward"
        far = abs(int(placed.places[q] - placed.homes[q]))
        lead = f"{names[placed.nodes[q]]} moved {far} place{'s' * (far > 1)} {way} in the search order"
        lead += f", score {format_signed(placed.gains[q])} in all; this step " if end > begin + 1 else ": "
        assert all(text.startswith(lead) and text.count("score") <= 2 for text in texts[begin + 1 : end + 1])
        steps |= set(range(begin + 1, end + 1))
    assert steps
    assert not any("in the search order" in text for step, text in enumerate(texts) if step not in steps)
    best = int(np.where(placed.ends > placed.begins, placed.gains, -np.inf).argmax())
    assert names[placed.nodes[best]] in callouts(result)[0]
    assert f"score {format_signed(placed.gains[best])}" in callouts(result)[0]
    absent = next(pair for pair in zip(*np.nonzero(~result.graph.skeleton), strict=True) if pair[0] != pair[1])
    assert any(one.startswith("In the best order found, ") for one in explanation(result, absent).sentences)


def test_a_greedy_start_is_replayed_move_by_move():
    """Each arrow has a sentence with the gain of its step, and the score rises step by step before the search."""
    found = learn("gsc", load_sample("asia").dataset, skeleton="mmpc", start="hgi")
    initial = [event for event in found.trace if event.phase == Phase(Stage.INITIAL_GRAPH)]
    names = found.names
    texts = [sentence_of(event, found) for event in initial]
    for event, text in zip(initial, texts, strict=True):
        parents = {names[event.i], *(names[k] for k in event.cond)}
        if event.rule is Rule.COLLIDER:
            first, last = (names[event.cond[0]], names[event.i])
            gain = format_signed(event.statistic)
            middle = names[event.j]
            assert text == f"added the v-structure {first} → {middle} ← {last}, score {gain}: then {last} → {middle}"
        elif event.rule is Rule.COLLIDER_BEGUN:
            assert text.endswith(f": {names[event.i]} → {names[event.j]} first")
            assert parents <= set(text.replace(",", "").replace(":", "").split())
        elif event.action == Action.ORIENT:
            assert text.startswith(
                f"added the edge {names[event.i]} → {names[event.j]}, score {format_signed(event.statistic)}: "
            )
        else:
            assert text.startswith(f"left out the edge {names[event.i]} — {names[event.j]}")
    data = timeline(found, layout(layout_graph(found)))
    assert data["steps"]["series"][0]["label"] == "score"
    scores = data["steps"]["series"][0]["values"]
    assert len(scores) == data["steps"]["count"]
    first = next(step for step, value in enumerate(scores) if value is not None)
    climb = scores[first : first + len(initial) + 1]
    assert climb == sorted(climb)
    assert climb[-1] == pytest.approx(climb[0] + sum(s.gain for s in found.extra.steps if s.op != "drop"), abs=0.01)
    assert data["steps"]["text"][first + 1 : first + 1 + len(initial)] == texts


def test_steps_of_a_start_that_add_nothing_say_why():
    """The reasons are a lower score, a cycle or the limit on parents, or an edge that no rule directs."""
    actual = {
        (Rule.NO_GAIN, -3.25): "left out the edge a — b: a → b would not raise the score, score \u22123.25",
        (Rule.NO_GAIN, -math.inf): "left out the edge a — b: it would close a cycle or exceed the limit on parents",
        (Rule.UNSETTLED, math.nan): "left out the edge a — b: no rule gives it a direction",
    }
    for (rule, gain), text in actual.items():
        pair = {"phase": Phase(Stage.INITIAL_GRAPH), "action": Action.REMOVE, "i": 0, "j": 1}
        event = pair | {"rule": rule, "statistic": gain}
        result = made([event], kind="score")
        assert sentence_of(result.trace[0], result) == text


@pytest.mark.parametrize("restriction", ["skeleton", "cig"])
def test_restricted_search_says_what_the_tests_allowed(restriction):
    """The decisive p-value precedes the moves, for pairs inside and outside the restriction."""
    data = load_sample("gauss30").dataset
    result = learn("arges", data, restriction=restriction, start="empty", alpha=0.05)
    pairs = result.extra.restriction.skeleton
    lead = {"cig": "Given all other columns", "skeleton": "The largest p of their tests is"}[restriction]
    triple = {"cig": "a v-structure", "skeleton": "an unshielded triple"}[restriction]
    for inside in (True, False):
        x, y = next((i, j) for i in range(data.p) for j in range(i) if pairs[i, j] == inside)
        sentences = explanation(result, (x, y)).sentences
        assert sentences[0].startswith(lead)
        end = "could add this edge." if inside else f"could add this edge only to shield {triple}."
        assert sentences[0].endswith(end)
    for event in result.trace:
        assert sentence_of(event, result)
