"""Causal questions: highlighted paths and sentences match the results."""

from itertools import permutations

import numpy as np
import pytest

from learners import PDAG, adjustment_sets, instruments, learn, load_sample, separation
from learners.data.plan.scales import Scale
from learners.effects.estimates import Effect
from learners.effects.ida import possible_effects
from learners.effects.instruments import with_hidden_cause
from viz.effects import words
from viz.effects.picture import graph_with_roles, with_paths
from viz.effects.statements import open_effect_note

NAMES = ("z", "x", "m", "y")
GRAPH = PDAG.from_edges(4, directed=[(0, 1), (0, 3), (1, 2), (2, 3)])


def highlighted(data, step):
    """Return the highlighted pairs at a step with their state."""
    return {(e["a"], e["b"]): how for e in data["edges"] for a, b, how in e.get("turns", []) if a <= step < b}


def test_open_paths_come_first_and_then_each_path():
    found = separation(GRAPH, 1, 3, [0])
    data = with_paths(
        graph_with_roles(GRAPH, NAMES, np.zeros((4, 2)), {1: "cause", 3: "effect", 0: "given"}), found, 1, 3, NAMES
    )
    assert [node.get("group") for node in data["nodes"]] == [2, 0, None, 1]
    assert highlighted(data, 0) == {(1, 2): "open", (2, 3): "open"}
    ways = {frozenset(highlighted(data, k).items()) for k in (1, 2)}
    assert ways == {frozenset({((1, 2), "open"), ((2, 3), "open")}), frozenset({((0, 1), "shut"), ((0, 3), "shut")})}
    assert data["steps"]["count"] == len(data["steps"]["text"]) == 3


def test_sentences_name_the_obstacle():
    line = PDAG.from_edges(4, directed=[(2, 3)], undirected=[(0, 1), (1, 2)])
    text = words.adjustment_sentence(
        adjustment_sets(PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]), 0, 2), line, 0, 2, NAMES
    )
    assert "not identifiable by adjustment. The path z — x — m may be causal" in text
    hidden = with_hidden_cause(GRAPH, 1, 3)
    text = words.adjustment_sentence(adjustment_sets(hidden, 1, 3, unmeasured=[4]), GRAPH, 1, 3, NAMES)
    assert "the non-causal path x – (hidden cause) – y." in text
    assert "has no effect" in words.adjustment_sentence(adjustment_sets(GRAPH, 3, 0), GRAPH, 3, 0, NAMES)
    without_back_door = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    found = instruments(with_hidden_cause(without_back_door, 1, 3), 1, 3, unmeasured=[4])
    assert words.instruments_sentence(found, NAMES) == "Instrument: z."


@pytest.mark.parametrize(
    ("measure", "values", "expected", "association"),
    [
        (
            "slope",
            [0.5, 0.0],
            "One unit more of z changes x by −0.1 to 0.6 (95% intervals; estimates 0 to 0.5).",
            "Per unit of z, x differs by −0.1 to 0.6 (95% intervals; estimates 0 to 0.5), adjusted for each of 2 sets.",
        ),
        (
            "means",
            [[1.0, 2.0], [1.0, 3.0]],
            "Mean of x if z is set (95% intervals): a: 0.9 to 1.1 (estimates 1); b: 1.9 to 3.1 (estimates 2 to 3).",
            "Mean of x by z, adjusted for each of 2 sets (95% intervals): a: 0.9 to 1.1 (estimates 1); b: 1.9 to 3.1 "
            "(estimates 2 to 3).",
        ),
        (
            "shares",
            [[[0.2, 0.8], [0.5, 0.5]]],
            "P(x = v) if z is set (95% intervals): a: 0.7 to 0.9 (estimate 0.8); b: 0.4 to 0.6 (estimate 0.5).",
            "P(x = v) by z, without adjustment (95% intervals): a: 0.7 to 0.9 (estimate 0.8); b: 0.4 to 0.6 "
            "(estimate 0.5).",
        ),
        (
            "slopes",
            [[-0.3, 0.3]],
            "One unit more of z changes P(x = v) by 0.2 to 0.4 (95% interval; estimate 0.3).",
            "Per unit of z, P(x = v) differs by 0.2 to 0.4 (95% interval; estimate 0.3), without adjustment.",
        ),
    ],
)
def test_effects_are_ranges(measure, values, expected, association):
    """Ranges are called effects only under the assumption that the graph is causal."""
    effects = [Effect(measure, np.array(v), np.array(v) - 0.1, np.array(v) + 0.1, (), 10, np.ones(2)) for v in values]
    levels = (("a", "b"), ("u", "v"))
    assert words.effect_sentence(effects, 0, 1, NAMES, levels, {}, causal=True) == expected
    assert words.effect_sentence(effects, 0, 1, NAMES, levels, {}, causal=False) == association


def test_effects_name_units():
    effect = Effect("slope", np.array(0.5), np.array(0.4), np.array(0.6), (), 10, np.ones(2))
    scales = {"z": Scale("", lambda: (np.arange(2.0), np.arange(2.0))), "x": Scale("days since 1 May")}
    text = words.effect_sentence([effect], 0, 1, NAMES, (None, None), scales, causal=True)
    assert (
        text
        == "One unit more of z (normal score) changes x (days since 1 May) by 0.4 to 0.6 (95% interval; estimate 0.5)."
    )


def test_a_headline_contains_the_interval_of_each_set_of_parents():
    """The numbers of the sentence enclose all intervals of the table below it, over all pairs of a mixed class."""
    data = load_sample("wine").dataset
    result = learn("ges", data)
    scales, names, levels = {}, data.names, [None] * data.p
    n_ranges = 0
    for x, y in permutations(range(data.p), 2):
        effects = possible_effects(result.graph, data, x, y)
        if all(y in one.given for one in effects):
            continue
        for causal in (False, True):
            sentence = words.effect_sentence(effects, x, y, names, levels, scales, causal=causal)
            low, high = (sentence.sentence.values["interval"].values[end].value for end in ("low", "high"))
            assert low == min(float(one.low) for one in effects)
            assert high == max(float(one.high) for one in effects)
        n_ranges += len(effects) > 1
    assert n_ranges


def test_an_effect_without_adjustment_is_said_to_be_unadjusted():
    """An association says that it is unadjusted; DAGs of the class without an effect are named."""
    data = load_sample("asia").dataset
    result = learn("pc", data.take(range(0, data.n_rows, 10)))
    graph, names = result.graph, result.names
    levels = [data.levels[k] for k in data.place]
    noted = 0
    for x, y in permutations(range(graph.p), 2):
        effects = possible_effects(graph, data, x, y)
        text = words.effect_sentence(effects, x, y, names, levels, {}, causal=False)
        zero = [y in one.given for one in effects]
        note = open_effect_note(effects, x, y, names)
        assert (note is not None) == (any(zero) and not all(zero))
        noted += note is not None
        if all(zero):
            assert text.endswith(f"the graph has {names[y]} → {names[x]}.")
        else:
            assert ("without adjustment" in text) == (len(effects) == 1 and not effects[0].given)
    assert noted
