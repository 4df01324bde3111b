"""Explanations of present and absent edges: their sentences agree with the trace."""

from __future__ import annotations

import dataclasses
import math
import re
from itertools import combinations

import numpy as np
import pytest

from learners.common.wording import format_signed, format_statistic
from learners.evaluation.frequencies import wilson
from learners.explaining.explanation import explanation
from learners.explaining.pair import MAX_TESTS
from learners.graphs.graph import PDAG
from learners.graphs.rules import Rule
from learners.graphs.sepsets import Sepsets
from learners.io.samples import load_sample
from learners.registry import learn
from learners.results.events import Action
from learners.results.phases import Phase, Stage
from learners.results.result import Strengths
from tests.naive_mixed import mixed_rows
from tests.viz.cases import HOSTILE, SEEDS, judged, learnt, level, made, oriented, sentence_of
from viz.evidence_table import evidence_table
from viz.text import format_p, format_set
from viz.trace_steps import interval

NO_PROOF = "A test that finds no dependence does not prove independence."
KEEP, REMOVE, ORIENT = Action.KEEP, Action.REMOVE, Action.ORIENT


def text_of(result, x, y):
    """Return headline and sentences in one string."""
    story = explanation(result, (x, y))
    return " ".join((story.headline, *story.sentences))


def test_kept_edge_names_its_hardest_test():
    """All tests are counted, the test with the largest p is named with its set, and the direction is open."""
    result = made(
        [
            judged(KEEP, 0, 1, -40.0),
            judged(KEEP, 0, 1, math.log(3e-4), (2,), 2, phase=level(1), statistic=13.1),
            judged(KEEP, 0, 2, -50.0),
            judged(KEEP, 1, 2, -50.0),
        ]
    )
    story = explanation(result, (1, 0))
    assert story.headline == "b — a is in the graph."
    assert story.sentences[0] == (
        "Of 3 tests, the one given {c} came closest to separating them. "
        "Result: p = 0.0003 ≤ alpha = 0.05 (G² = 13.1, dof 1)."
    )
    assert story.sentences[1:] == ("No test determines its direction.",)
    assert story.decisive.cond == (2,)


def test_removed_edge_names_the_set_that_separated_it():
    """The text names level, set, p against alpha, statistic, and the number of earlier tests."""
    result = made([judged(KEEP, 0, 1, -9.0, (), 2), judged(REMOVE, 0, 1, math.log(0.42), (2,), 3, phase=level(1))])
    story = explanation(result, (0, 1))
    assert story.headline == "There is no edge between a and b."
    assert story.sentences == (
        "Removed at level 1: judged independent given {c}, p = 0.42 > alpha = 0.05 (G² = 3.5, dof 1).",
        "4 earlier tests found them dependent.",
        NO_PROOF,
    )
    assert story.decisive.cond == (2,)


def test_edge_removed_at_once_is_not_explained_by_anything():
    """A marginally independent pair has no separating variables and no earlier test."""
    assert explanation(made([judged(REMOVE, 0, 1, -0.5)]), (0, 1)).sentences == (
        "Removed at level 0: judged independent given ∅, p = 0.607 > alpha = 0.05 (G² = 3.5, dof 1).",
        NO_PROOF,
    )


def test_correlation_tests_are_reported_by_their_z():
    """A test without degrees of freedom is reported as Fisher's z."""
    assert "(z = 3.5)" in text_of(made([judged(REMOVE, 0, 1, -0.5, dof=math.nan)]), 0, 1)


def test_untested_pair_is_not_called_independent_by_evidence():
    """The reason is the lack of rows, with the set and the level."""
    result = made([judged(REMOVE, 0, 1, 0.0, (2,), phase=level(1), rule=Rule.UNTESTED)])
    assert explanation(result, (0, 1)).sentences == (
        "There are too few rows to test the pair given {c}, so it counts as independent (level 1).",
    )
    assert evidence_table(explanation(result, (0, 1)))["verdict"].tolist() == ["not tested"]


def test_forbidden_pair_is_laid_to_the_users_knowledge():
    """A forbidden pair is explained by the user's knowledge, and has no decisive test."""
    result = made([{"phase": Phase(Stage.KNOWLEDGE), "action": REMOVE, "i": 0, "j": 1, "rule": Rule.FORBIDDEN}])
    story = explanation(result, (0, 1))
    assert "background knowledge forbids" in story.sentences[0]
    assert (story.decisive, story.tests) == (None, ())


def test_required_edge_is_laid_to_the_users_knowledge():
    """Both a required edge and its direction are explained by the user's knowledge."""
    result = made([oriented(0, 1, Rule.REQUIRED)])
    assert explanation(result, (0, 1)).sentences == (
        "Your background knowledge requires this edge.",
        "It points a → b because your background knowledge requires it.",
    )


def test_direction_that_knowledge_excludes_is_reported():
    """If one direction is forbidden, that is the reason for the other."""
    assert "excludes the other direction" in text_of(made([oriented(0, 1, Rule.FORBIDDEN)]), 0, 1)


def test_pair_of_an_unfinished_run_may_have_no_test():
    """An untested pair is neither called dependent nor open in direction."""
    assert explanation(made([], complete=False), (0, 1)).sentences == ("This edge was not tested.",)


def test_pair_never_adjacent_is_reported_as_such():
    """The text says that no step added an edge, if the learner started without it."""
    result = dataclasses.replace(made([]), graph=PDAG.empty(3))
    result = dataclasses.replace(result, trace=dataclasses.replace(result.trace, start=PDAG.empty(3)))
    assert explanation(result, (0, 1)).sentences == ("No step of this run added an edge between them.",)
    assert interval(result, 0, 1) == (1, 1)


@pytest.mark.parametrize(
    ("rule", "cond", "words"),
    [
        (Rule.V_STRUCTURE, (2,), ["a and c are not adjacent", "b is not in their separating set", "v-structure"]),
        (Rule.CHECKED_V_STRUCTURE, (2,), ["a and c are dependent given b", "which their separating set lacks"]),
        (Rule.R1, (2,), ["c points at a", "not adjacent to b", "b → a", "rule R1"]),
        (Rule.R2, (2,), ["a → c → b", "cycle", "rule R2"]),
        (Rule.R3, (2, 3), ["c and d", "rule R3"]),
        (Rule.R4, (2, 3), ["c and d", "rule R4"]),
    ],
)
def test_direction_is_explained_by_its_rule(rule, cond, words):
    """Each rule has its own reason, with the nodes that imply the direction, from both ends of the edge."""
    result = made([oriented(0, 1, rule, cond)], p=4)
    assert explanation(result, (1, 0)).headline == "a → b is in the graph."
    for x, y in ((0, 1), (1, 0)):
        assert "It points a → b because" in text_of(result, x, y)
        assert all(word in text_of(result, x, y) for word in words)


def test_conflict_is_not_called_equal_fit():
    """An edge implied in both directions is undirected by contradiction, not by equal fit."""
    text = text_of(made([oriented(0, 1, Rule.CONFLICT, (2,), Action.CONFLICT)]), 0, 1)
    assert "imply both directions" in text
    assert "left undirected" not in text  # the picture draws two heads
    assert "fit the data equally well" not in text


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (Rule.V_STRUCTURE_CONTRADICTED, "contradicts an earlier direction"),
        (Rule.V_STRUCTURE_CYCLIC, "close a directed cycle"),
    ],
)
def test_refused_v_structure_is_reported_with_its_other_parent(rule, reason):
    """The proposal is shown with its own reason for rejection; the open direction is not called equal fit."""
    text = text_of(made([oriented(0, 1, rule, (2,), Action.REFUSE)]), 0, 1)
    assert "The v-structure a → b ← c was proposed but rejected" in text
    assert reason in text
    assert "fit the data equally well" not in text


@pytest.mark.parametrize("seed", SEEDS)
def test_explanations_tell_the_facts_of_the_trace(seed):
    """For every pair of a real run, the explanation matches the trace: tests, decisive test, counts, p and set."""
    result = learnt(seed)
    for x, y in combinations(range(len(result.names)), 2):
        story, events = explanation(result, (x, y)), result.trace.of_pair(x, y)
        recorded, done = " ".join(story.sentences), [e for e in events if e.n_tests]
        assert len(story.tests) == min(len(done), MAX_TESTS)
        assert [e.log_p for e in story.tests] == sorted((e.log_p for e in done), reverse=True)
        assert story.headline.startswith("There is no edge") != result.graph.skeleton[x, y]
        if story.decisive is not None and story.decisive.rule is Rule.TEST:
            removed = story.decisive.action == Action.REMOVE
            assert removed != result.graph.skeleton[x, y]
            assert f"p = {format_p(story.decisive.log_p)} {'>' if removed else '≤'} alpha = 0.2" in recorded
            assert f"given {format_set(story.decisive.cond, result.names)}" in recorded
        if result.graph.skeleton[x, y] and done:
            total = sum(e.n_tests for e in done)
            assert (f"Of {total} tests" if total > 1 else "The only test") in recorded
        if result.graph.mark(x, y) in ("forward", "backward"):
            assert "because" in recorded


@pytest.mark.parametrize("seed", SEEDS)
def test_interval_is_when_the_pair_is_adjacent(seed):
    """The rebuilt graph has the edge at exactly the steps of the interval."""
    result = learnt(seed)
    graphs = [result.trace.graph_at(s).skeleton for s in range(len(result.trace.changes) + 1)]
    for x, y in combinations(range(len(result.names)), 2):
        first, last = interval(result, x, y)
        assert [bool(graph[x, y]) for graph in graphs] == [first <= s < last for s in range(len(graphs))]


@pytest.mark.parametrize("seed", SEEDS)
def test_explanations_need_nothing_but_graph_and_trace(seed):
    """Sepsets, strengths and the learner's own evidence may be missing."""
    result, p = learnt(seed), len(learnt(seed).names)
    unknown = Strengths("unknown", np.full((p, p), np.nan), larger_is_stronger=True)
    bare = dataclasses.replace(result, sepsets=Sepsets.from_entries(p, []), strengths=unknown, extra=None, params={})
    for x, y in combinations(range(p), 2):
        assert repr(explanation(bare, (x, y))) == repr(explanation(result, (x, y)))  # NaN is not equal to itself


@pytest.mark.parametrize("seed", SEEDS)
def test_explanation_is_about_the_pair_not_its_order(seed):
    """Both orders of the pair give the same reasons."""
    result = learnt(seed)
    for x, y in combinations(range(len(result.names)), 2):
        assert explanation(result, (x, y)).sentences == explanation(result, (y, x)).sentences


@pytest.mark.parametrize("seed", SEEDS)
def test_evidence_table_has_one_row_a_test(seed):
    """Rows follow the tests of the explanation, with the set by name and p as text."""
    result = learnt(seed)
    for x, y in combinations(range(len(result.names)), 2):
        story = explanation(result, (x, y))
        table = evidence_table(story)
        assert table["p"].tolist() == [format_p(e.log_p) for e in story.tests]
        assert table["largest p, given"].tolist() == [format_set(e.cond, result.names) for e in story.tests]
        assert table["verdict"].eq("dependent").sum() == sum(e.action == KEEP for e in story.tests)


def test_sepsets_of_a_real_network_are_what_the_explanation_names():
    """On asia, each separated pair is explained by the set in the result."""
    result = learn("pc", load_sample("asia").dataset)
    for pair in result.sepsets:
        x, y = sorted(pair)
        assert f"given {format_set(explanation(result, (x, y)).decisive.cond, result.names)}" in text_of(result, x, y)
        assert sorted(explanation(result, (x, y)).decisive.cond) == list(result.sepsets.between(x, y))


def test_edge_below_the_significance_level_but_above_the_threshold_is_laid_to_the_choice():
    """With PATH, the tests kept the edge, but the graph with the best score lacks it."""
    result = learn("path", load_sample("insurance").dataset)
    taken = [event for event in result.trace if event.rule is Rule.THRESHOLD]
    assert taken
    for event in taken:
        story = explanation(result, (event.i, event.j))
        assert "closest to separating them" in story.sentences[0] or "The only test" in story.sentences[0]
        assert "≤ alpha = 0.1" in story.sentences[0]
        assert f"whose largest p is at most {event.threshold:.3g}" in story.sentences[1]
    kept = result.graph.edges()[0]
    assert "alpha = 0.1" in explanation(result, kept).sentences[0]


def test_search_from_an_initial_graph_explains_its_start():
    """With pHGS, every pair is explained; the text names the initial edges and blames no test for missing ones."""
    result = learn("phgs", load_sample("insurance").dataset, max_cond_size=1)
    pairs = list(combinations(range(len(result.names)), 2))
    stories = {pair: text_of(result, *pair) for pair in pairs}
    begun = [e for e in result.trace if e.phase == Phase(Stage.INITIAL_GRAPH) and e.action == ORIENT]
    assert {Rule.COLLIDER_BEGUN, Rule.COLLIDER, Rule.COLLIDER_COMPLETED, Rule.SINK, Rule.IMPLIED} <= {
        e.rule for e in begun
    }
    for event in begun:
        story = stories[min(event.i, event.j), max(event.i, event.j)]
        assert f"To build its initial graph, the search {sentence_of(event, result)}." in story
        assert f"score {format_signed(event.statistic)}" in story
    for pair in pairs:
        allowed = bool(result.extra.skeleton.skeleton[pair])
        assert ("So the search could add this edge." in stories[pair]) == allowed
        assert ("So the search could not add this edge." in stories[pair]) != allowed
    assert all(sentence_of(event, result) for event in result.trace)


def test_learner_that_tests_by_cluster_reports_when_a_pair_was_separated():
    """pPC tests each pair once, so its text does not mention ends."""
    result = learn("ppc", load_sample("insurance").dataset)
    phases = {event.phase for event in result.trace if event.action == REMOVE}
    assert {level(0), Phase(Stage.WITHIN_CLUSTERS, size=1), Phase(Stage.FIRST_SCREEN)} <= phases
    words = {
        level(0): "Removed at level 0: ",
        Phase(Stage.WITHIN_CLUSTERS, size=1): "Removed by a test within a cluster: ",
        Phase(Stage.WITHIN_CLUSTERS, size=2): "Removed by a test within a cluster: ",
        Phase(Stage.FIRST_SCREEN): "Removed by the first screen between clusters: ",
        Phase(Stage.SECOND_SCREEN): "Removed by the second screen between clusters: ",
        Phase(
            Stage.COMPLETION, size=1
        ): "Removed in the completion, which runs the tests that the clusters postponed: ",
    }
    for event in result.trace:
        if event.action == REMOVE and event.phase in words:
            text = text_of(result, event.i, event.j)
            assert words[event.phase] in text
            assert "chose" not in text


def test_names_are_shortened_and_on_one_line():
    """Names of 200 characters or with line breaks do not break a sentence."""
    result = made([judged(REMOVE, 0, 1, -0.5, (2, 3))], p=len(HOSTILE), names=HOSTILE)
    for x, y in combinations(range(len(HOSTILE)), 2):
        assert "\n" not in text_of(result, x, y)
        assert len(text_of(result, x, y)) < 400


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (judged(REMOVE, 0, 1, math.log(0.42), (2,)), "a — b removed: independent given {c}, p = 0.42"),
        (
            judged(REMOVE, 0, 1, 0.0, (2,), dof=0.0),
            "a — b removed: given {c}, a or b is constant, so there is nothing to test",
        ),
        (judged(REMOVE, 0, 1, 0.0, (2,), rule=Rule.UNTESTED), "a — b removed: too few rows to test it given {c}"),
        (
            judged(REMOVE, 0, 1, math.log(0.02), (2,), rule=Rule.THRESHOLD, threshold=0.001),
            "a — b removed: its largest p, 0.02 given {c}, is above 0.001",
        ),
        (oriented(0, 1, Rule.FORBIDDEN, action=REMOVE), "a — b removed: forbidden by background knowledge"),
        (oriented(0, 1, Rule.R2, (2,)), "a → b: the path a → c → b would otherwise become a cycle (rule R2)"),
    ],
    ids=["removed", "determined", "untested", "threshold", "forbidden", "oriented"],
)
def test_sentence_of_an_event(event, sentence):
    """The sentence is shown in the line below the slider."""
    result = made([event])
    assert sentence_of(result.trace[0], result) == sentence


def test_evidence_is_capped_with_the_hardest_first():
    """Of the tests of a pair at many levels, those with the largest p-values are shown."""
    result = made([judged(KEEP, 0, 1, -float(k), phase=level(k)) for k in range(1, 80)])
    story = explanation(result, (0, 1))
    assert [e.log_p for e in story.tests] == [-float(k) for k in range(1, MAX_TESTS + 1)]
    assert "Of 79 tests" in story.sentences[0]
    assert np.isclose(story.decisive.log_p, -1.0)


def test_pair_that_a_set_determines_is_not_called_unlinked():
    """On asia at alpha 0.001, tub and lung determine either, so the test of either and xray is uninformative."""
    dataset = load_sample("asia").dataset
    result = learn("pc", dataset, alpha=0.001)
    x, y = (result.names.index(name) for name in ("either", "xray"))
    story = explanation(result, (x, y), dataset)
    assert story.decisive.dof == 0
    assert "either does not vary" in story.sentences[-1]
    assert "uninformative" in story.sentences[-1]
    assert "one of the two does not vary" in explanation(result, (x, y)).sentences[-1]
    assert "does not prove" not in " ".join(story.sentences)
    assert evidence_table(story)["verdict"][0] == "nothing to see"


def test_numbers_are_accounted_for_not_grouped():
    """The text about continuous data, which have no groups of equal rows, mentions no groups."""
    text = text_of(made([judged(REMOVE, 0, 1, -0.5, (2,), dof=math.nan)]), 0, 1)
    assert "judged independent given {c}" in text
    assert "group" not in text


def test_a_search_explains_its_edges_by_moves_and_scores():
    """An edge shows its moves and its gain; an absent one makes no claim about tests."""
    result = learn("tabu", load_sample("asia").dataset)
    i, j = result.graph.edges()[0]
    kept = explanation(result, (i, j))
    assert "is in the graph" in kept.headline
    assert any(sentence.startswith("The search added") for sentence in kept.sentences)
    assert any("Without it the final score would be" in sentence for sentence in kept.sentences)
    x, y = next((a, b) for a in range(8) for b in range(a) if not result.graph.skeleton[a, b])
    assert "no edge" in explanation(result, (x, y)).headline
    assert not any("test" in sentence for sentence in (*kept.sentences, *explanation(result, (x, y)).sentences))


@pytest.mark.deep
def test_a_pair_made_adjacent_by_a_move_is_present_from_that_move_on():
    """The interval follows deletions, and additions that come with a direction."""
    result = learn("tabu", load_sample("child").dataset)
    for x in range(20):
        for y in range(x):
            first, last = interval(result, x, y)
            steps = [s for s in range(len(result.trace.changes) + 1) if result.trace.graph_at(s).skeleton[x, y]]
            assert (steps == []) == (first >= last)
            if steps:
                assert (first, last) == (first, steps[-1] + 1)
                assert result.trace.graph_at(first).skeleton[x, y]


# --- learners that test from both ends, and hybrids -----------------------------------------------------------------


def side(action, i, j, log_p, cond=(), n_tests=1, stage=Stage.MARGINAL, number=None):
    """Return an event in which the end i judges j."""
    return judged(action, i, j, log_p, cond, n_tests, phase=Phase(stage, round=number))


def sided(events, **more):
    """Return a result of a learner that starts without edges."""
    result = made(events, **more)
    trace = dataclasses.replace(result.trace, start=PDAG.empty(len(result.names)))
    return dataclasses.replace(result, trace=trace, graph=trace.graph_at(len(trace.changes)))


def test_pair_that_one_end_ruled_out_says_which_and_that_the_other_chose_it():
    """The text names the end, the round, the set, and the tests that found dependence; an edge needs both ends."""
    result = sided([side(KEEP, 0, 1, -30.0), side(Action.APART, 1, 0, math.log(0.42), (2,), 3, Stage.ROUND, 2)])
    assert explanation(result, (0, 1)).sentences == (
        "The search around b ruled out a in round 2: judged independent given {c}, p = 0.42 > alpha = 0.05 (G² = 3.5, "
        "dof 1).",
        "3 other tests found them dependent.",
        "a chose b, but an edge requires both to choose each other.",
        NO_PROOF,
    )
    assert evidence_table(explanation(result, (0, 1)))["verdict"].tolist() == ["independent", "dependent"]


def test_pair_separated_by_both_ends_names_both():
    """The decisive test has the larger p, and the text does not claim that one end chose the other."""
    result = sided(
        [
            side(KEEP, 0, 1, -30.0),
            side(Action.APART, 0, 1, math.log(0.2), (2,), 1, Stage.ROUND, 1),
            side(Action.APART, 1, 0, math.log(0.6), (2, 3), 4, Stage.BACKWARD),
        ],
        p=4,
    )
    story = explanation(result, (0, 1))
    assert story.sentences[0].startswith(
        "The search around a ruled out b in round 1: judged independent given {c}, p = 0.2"
    )
    assert story.sentences[1].startswith(
        "The search around b dropped a at the end: judged independent given {c, d}, p = 0.6"
    )
    assert story.sentences[2] == "4 other tests found them dependent."
    assert not any("chose" in sentence for sentence in story.sentences)
    assert story.decisive.cond == (2, 3)


def test_pair_separated_from_the_start_is_reported_without_sides():
    """A pair that was never adjacent has a single marginal test."""
    assert explanation(sided([side(Action.APART, 0, 1, -0.5)]), (0, 1)).sentences == (
        "Separated at the start: judged independent given ∅, p = 0.607 > alpha = 0.05 (G² = 3.5, dof 1).",
        NO_PROOF,
    )


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("key", ["asia", "gauss30"])
def test_max_min_explains_every_pair(key):
    """Each absent pair names its separating set, each edge its hardest test, and all directions are unsearched."""
    dataset = load_sample(key).dataset
    result = learn("mmpc", dataset)
    for x, y in combinations(range(len(result.names)), 2):
        story = explanation(result, (x, y), dataset)
        text = " ".join(story.sentences)
        if result.graph.skeleton[x, y]:
            total = sum(e.n_tests for e in result.trace.of_pair(x, y))
            assert (f"Of {total} tests" if total > 1 else "The only test") in text
            assert "edges without directions" in text
            assert "fit the data equally well" not in text
        else:
            assert sorted(story.decisive.cond) == list(result.sepsets.between(x, y))
            assert f"given {format_set(story.decisive.cond, result.names)}" in text
            assert story.decisive.log_p == max(e.log_p for e in result.trace.of_pair(x, y))
        steps = [s for s in range(len(result.trace.changes) + 1) if result.trace.graph_at(s).skeleton[x, y]]
        first, last = interval(result, x, y)
        assert (first >= last) if not steps else (first, last) == (steps[0], steps[-1] + 1)


def test_a_hybrid_explains_by_tests_then_by_score():
    """The text says that a separated pair is not allowed; for other pairs it lists the moves or the missing gain."""
    result = learn("mmhc", load_sample("child").dataset, alpha=0.2, polish=False)
    allowed = result.extra.skeleton.skeleton
    seen = set()
    for x, y in combinations(range(len(result.names)), 2):
        text = " ".join(explanation(result, (x, y)).sentences)
        joined = bool(result.graph.skeleton[x, y])
        assert ("could not add this edge" in text) == (not allowed[x, y])
        assert ("could add this edge" in text) == allowed[x, y]
        assert ("Without it the final score" in text) == joined
        assert ("would not raise the score" in text) == (allowed[x, y] and not joined)
        seen.add((bool(allowed[x, y]), joined))
    assert seen == {(False, False), (True, False), (True, True)}


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("key", "name"), [("mmhc", "insurance"), ("h2pc", "insurance"), ("phgs", "insurance")])
def test_a_pair_that_tests_barred_says_what_the_polish_made_of_it(key, name):
    """The text names the step that added the edge, or the reason why none did; only excluded pairs are named so."""
    result = learn(key, load_sample(name).dataset, polish=True)
    allowed = result.extra.skeleton.skeleton
    seen = set()
    for x, y in combinations(range(len(result.names)), 2):
        text, joined = " ".join(explanation(result, (x, y)).sentences), bool(result.graph.skeleton[x, y])
        assert ("The final polish by GES could still add it." in text) == (not allowed[x, y])
        if not allowed[x, y]:
            assert ("The final polish inserted the edge" in text) == any(
                e.rule is Rule.INSERT and e.phase.stage is Stage.POLISH_FORWARD for e in result.trace.of_pair(x, y)
            )
            assert ("Without it the final score" in text) == joined
            seen.add(joined)
    assert seen == {True, False}


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("key", "charged"), [("mmhc", True), ("phgs", False)])
def test_what_the_polish_holds_a_gain_against_is_reported(key, charged):
    """With BDeu, the minimum gain is ½ ln n + ln p, or the value of the setting; with BIC, any gain is enough."""
    data = load_sample("insurance").dataset
    automatic = 0.5 * math.log(data.n) + math.log(data.p) if charged else 0.0
    for settings, least in (({}, automatic), ({"polish_gain": 4.25}, 4.25)):
        result = learn(key, data, **settings)
        assert result.extra.min_gain == pytest.approx(least)
        barred = ~(result.extra.skeleton.skeleton | result.graph.skeleton)
        x, y = np.argwhere(np.triu(barred, 1))[0].tolist()
        text = " ".join(explanation(result, (x, y)).sentences)
        words = f"raised the score by more than {format_statistic(least)}, the minimum gain of the polish"
        assert (words in text) == (least > 0.0)
        assert ("minimum gain" in text) == (least > 0.0)


def test_sentence_of_an_edge_that_joins():
    """The sentence is shown in the line below the slider."""
    event = judged(Action.ADD, 0, 1, math.log(0.004), (2,), 0, rule=Rule.MUTUAL, phase=Phase(Stage.ROUND, round=1))
    result = sided([event])
    assert sentence_of(result.trace[0], result) == "a — b added: each chose the other, largest p so far 0.004"


@pytest.mark.parametrize("key", ["fast_iamb", "gs"])
def test_a_learner_of_blankets_says_who_is_in_whose(key):
    """Each tested side has its sentence; a pair separated by a blanket shows the condition for an edge."""
    result = learn(key, load_sample("child").dataset)
    inside = result.extra.blankets
    parted = {frozenset((e.i, e.j)) for e in result.trace if e.phase == Phase(Stage.BLANKETS) and e.action == REMOVE}
    assert parted
    for x, y in combinations(range(len(result.names)), 2):
        text = text_of(result, x, y)
        for target, other in ((x, y), (y, x)):
            t, o = result.names[target], result.names[other]
            sides = [e for e in result.trace.of_pair(x, y) if e.rule is Rule.BLANKET and e.i == target]
            assert (f"{o} was found in the Markov blanket of {t}" in text) == bool(sides and inside[target, other])
        needs = "An edge requires each variable to be in the Markov blanket of the other."
        assert (needs in text) == (frozenset((x, y)) in parted)
    assert all(sentence_of(event, result) for event in result.trace)


@pytest.mark.parametrize("key", ["fast_iamb", "gs", "si_hiton_pc"])
def test_v_structures_found_by_tests_given_the_middle_are_reported(key):
    """The explanation of a pair states each proposed or rejected v-structure; that of an arrow, its evidence."""
    result = learn(key, load_sample("asia").dataset)
    proposed = {(i, k, j) for i, k, j in result.extra.v_structures.tolist()}
    assert proposed
    middles = {(min(e.i, e.j), e.cond[0], max(e.i, e.j)) for e in result.trace if e.rule is Rule.MIDDLE}
    assert proposed <= middles
    for i, k, j in middles:
        text, (a, b, c) = text_of(result, i, j), (result.names[node] for node in (i, k, j))
        ways = (f"v-structure {a} → {b} ← {c}", f"v-structure {c} → {b} ← {a}")
        assert any(f"The {way} is proposed" in text for way in ways) == ((i, k, j) in proposed)
        assert any(f"No {way}: " in text for way in ways) == ((i, k, j) not in proposed)
    arrow = next(e for e in result.trace if e.rule is Rule.TESTED_V_STRUCTURE)
    text = text_of(result, min(arrow.i, arrow.j), max(arrow.i, arrow.j))
    assert "yet dependent given every tested set containing" in text
    assert "edges without directions" not in " ".join(text_of(result, *edge) for edge in result.graph.edges())


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("cimap", {"preset": "P-1"}),
        ("cimap", {"preset": "MI2"}),
        ("pc_mi", {}),
        ("pc", {"collider_check": "dependent"}),
    ],
    ids=["P-1", "MI2", "pc_mi", "pc"],
)
def test_checks_of_v_structures_are_reported_of_the_pair_and_of_its_arrows(key, settings):
    """The text names the result of the check, and the mutual information if a threshold decides."""
    result = learn(key, load_sample("alarm").dataset, **settings)
    checks = [event for event in result.trace if event.rule in (Rule.CHECKED, Rule.CHECKED_CUT)]
    assert {event.action for event in checks} == {Action.KEEP, Action.REFUSE}
    for event in checks:
        text = text_of(result, event.i, event.j)
        a, k, b = (result.names[node] for node in (event.i, event.cond[0], event.j))
        ways = (f"v-structure {a} → {k} ← {b}", f"v-structure {b} → {k} ← {a}")
        passed = event.action == Action.KEEP
        assert any(f"The {way} passes its check" in text for way in ways) == passed
        assert any(f"No {way}: " in text for way in ways) != passed
        assert ("below the cut of 10 mbit" in text) >= (event.rule is Rule.CHECKED_CUT)
        table = evidence_table(explanation(result, (event.i, event.j)))
        verdicts = table[table["level"] == "v-structures"]["verdict"]
        assert ("dependent" if passed else "independent") in set(verdicts)
    arrow = next(e for e in result.trace if e.rule is Rule.CHECKED_V_STRUCTURE and e.action == ORIENT)
    assert "which their separating set lacks, so both point at" in text_of(result, arrow.i, arrow.j)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("skeleton", ["ppc", "mmpc", "fast_iamb", "si_hiton_pc", "lmm"])
def test_sparse_candidates_show_admissible_pairs_and_the_step_that_added_them(skeleton):
    """With GSC from a greedy start, every pair is allowed or not, with the initial steps and later moves."""
    result = learn("gsc", load_sample("insurance").dataset, skeleton=skeleton, start="hgi")
    allowed = result.extra.skeleton.skeleton
    begun = [e for e in result.trace if e.phase == Phase(Stage.INITIAL_GRAPH)]
    assert {Rule.COLLIDER_BEGUN, Rule.COLLIDER} <= {e.rule for e in begun}
    for event in begun:
        text = text_of(result, min(event.i, event.j), max(event.i, event.j))
        assert f"To build its initial graph, the search {sentence_of(event, result)}." in text
    for x, y in combinations(range(len(result.names)), 2):
        text = text_of(result, x, y)
        assert ("So the search could add this edge." in text) == allowed[x, y]
        assert ("So the search could not add this edge." in text) == (not allowed[x, y])
        assert ("Without it the final score" in text) == result.graph.skeleton[x, y]
    assert all(sentence_of(event, result) for event in result.trace)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("key", ["rai", "brai"])
@pytest.mark.parametrize(
    ("params", "parted", "kept"),
    [
        ({"cut": "c1"}, "< 1 × dof", "≥ 1 × dof"),
        (
            {"cut": "mi", "mi_bits": 0.02},
            "its information is below the cut of 0.02 bits",
            "not below the cut of 0.02",
        ),
        ({"cut": "alpha", "alpha": 0.01}, "> alpha = 0.01", "≤ alpha = 0.01"),
    ],
    ids=["c1", "mi", "alpha"],
)
def test_rai_names_the_cut_that_it_held_its_tests_against(key, params, parted, kept):
    """The text of an open edge claims no direction, even if the run had assigned one temporarily."""
    result = learn(key, load_sample("asia").dataset, **params)
    for x, y in combinations(range(8), 2):
        explained = explanation(result, (x, y))
        words = " ".join(explained.sentences)
        if result.graph.skeleton[x, y]:
            assert kept in words
            assert parted not in words
            assert result.graph.mark(x, y) != "undirected" or "It points" not in words
        else:
            assert parted in words
            assert explained.decisive.action == Action.REMOVE
    assert all(sentence_of(event, result) for event in result.trace)


@pytest.mark.parametrize("graph", ["frequent", "best"])
def test_frequencies_explain_every_pair(graph):
    """Both present and absent edges show their share of the resamples."""
    result = learn("bootstrap", load_sample("asia").dataset, base="rai", n_resamples=4, graph=graph)
    for x, y in combinations(range(8), 2):
        words = text_of(result, x, y)
        share = result.extra.adjacent[x, y]
        low, high = wilson(np.array(share), 4)
        interval = f"95% interval: {low:.0%} to {high:.0%} of many resamples"
        assert f"The edge is in {share:.0%} of 4 resamples ({interval})" in words
        assert ("is in the graph" in words) == bool(result.graph.skeleton[x, y])
    assert all("of the resamples" in sentence_of(event, result) for event in result.trace)


def test_what_two_variables_share_is_reported_in_bits():
    """Explanation and information matrix agree on every pair of mixed data; an unknown value is omitted."""
    data = mixed_rows(5, 400, seed=1)
    result = learn("pc", data)
    for x, y in combinations(range(data.p), 2):
        bits = result.information(x, y)
        text = f"{bits:.3g} bits" if bits >= 1e-4 else "less than 0.0001 bits" if bits else "0 bits"
        assert (
            f"Mutual information of the two variables: {text} (estimate, bias-corrected)."
            in explanation(result, (x, y)).sentences
        )
    assert "bits" not in " ".join(explanation(made([], p=2), (0, 1)).sentences)


def test_a_link_of_two_categories_found_by_dg_has_a_caveat():
    """The caveat is stated only for the edge between two categorical variables, and only with the test dg."""
    data = mixed_rows(5, 400, seed=1)
    for test in ("dg", "regression"):
        result = learn("pc", data, alpha=0.01, max_cond_size=0, test=test)
        assert result.graph.skeleton[1, 3]
        for x, y in combinations(range(data.p), 2):
            text = " ".join(explanation(result, (x, y), data).sentences)
            assert ("Try the test regression" in text) == (test == "dg" and (x, y) == (1, 3))


@pytest.mark.parametrize("key", ["boss", "tabu", "hc"])
def test_a_tie_of_both_directions_does_not_contradict_a_sure_direction(key):
    """A last step that left the score unchanged has a note beside it, so that a supported direction is no riddle."""
    result = learn(key, load_sample("asia").dataset)
    for i, j in result.graph.directed_edges():
        said = " ".join(explanation(result, (i, j)).sentences)
        tied = re.search(r"reversed [^.]*, score unchanged\.(.{40})", said)
        assert tied is None or tied[1].startswith((" This was one step of a move", " At that step, both"))
        assert said.count("In restart") <= 1
