"""Property tests of the records in `viz.kinds`, for every learner on samples of all column types."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading.table import read_table
from learners.explaining.explanation import FAMILY_OF_KIND, event_sentence, explanation
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.graph import PDAG
from learners.graphs.pag import MARKS as SIGNS
from learners.graphs.pag import PAG
from learners.io.samples import SAMPLES, load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import LEARNERS, learn
from learners.results.result import LearnResult, ranking_of
from learners.teaching.quiz.question import Topic
from learners.teaching.quiz.quiz import questions
from pages.blocks.inspect.explanation import BESIDE
from pages.blocks.inspect.parts import PARTS
from pages.blocks.inspect.slider_modes import MODES
from tests.tiers import family
from viz.kind_contract import Kind
from viz.kinds import callouts, choice_step, graph_at, interval, kind_named, kind_of, last_step, layout_graph
from viz.layout.positions import layout
from viz.quiz import choice_label, question_sentence, quiz_view, reveal

PENGUINS = read_table(SAMPLES["penguins"].path)
DATA = {
    "categorical": load_sample("asia").dataset,
    "continuous": sample(random_gaussian_network(9, 14, seed=3), 250, seed=3),
    "mixed": prepare(PENGUINS, default_plan(PENGUINS)).dataset,
}
FEW = {"bootstrap": {"n_resamples": 4}, "order_mcmc": {"steps": 2_000, "run_on": 0}}
CASES = [pytest.param(key, kind, id=f"{key} {kind}") for key, one in LEARNERS.items() for kind in one.kinds]
MARKS = {"undirected": (True, True), "conflict": (True, True), "forward": (True, False), "backward": (False, True)}


@cache
def learnt(key: str, kind: str) -> LearnResult:
    return learn(key, DATA[kind], **FEW.get(key, {}))


@cache
def picture(key: str, kind: str) -> dict:
    result = learnt(key, kind)
    places = np.random.default_rng(0).random((len(result.names), 2))
    return kind_of(result).timeline(result, places, truth=result.graph)


def drawn(data: dict, step: int, result: LearnResult | None = None) -> PDAG:
    """Return the graph that the spans draw at a step; a PAG if that is the graph of the result."""
    if result is not None and isinstance(result.graph, PAG):
        signs = dict(SIGNS.values())
        spans = [(edge, *span) for edge in data["edges"] for span in edge["spans"]]
        ends = [(edge["a"], signs[mark], edge["b"]) for edge, begin, end, mark in spans if begin <= step < end]
        return PAG.from_ends(len(data["nodes"]), ends)
    amat = np.zeros((len(data["nodes"]),) * 2, dtype=bool)
    for edge in data["edges"]:
        for begin, end, mark, *_ in edge["spans"]:
            if begin <= step < end:
                amat[edge["a"], edge["b"]], amat[edge["b"], edge["a"]] = MARKS[mark]
    return PDAG(amat)


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_step_draws_its_graph(key, kind):
    """The last step of a trace or the choice of an elimination is the result; each step adds one event."""
    result, data = learnt(key, kind), picture(key, kind)
    directed = kind_of(result).slider_modes(result).labels.keys() != {"moves"}  # LMM with dots draws skeletons
    steps = data["steps"]
    assert steps["offset"] + steps["choice"] == choice_step(result)
    assert steps["offset"] + steps["count"] - 1 == last_step(result)
    for step in range(steps["count"]):
        shown, graph = drawn(data, step, result), graph_at(result, step + steps["offset"])
        assert shown == graph if directed else np.array_equal(shown.skeleton, graph.skeleton)
    assert drawn(data, steps["choice"], result) == result.graph
    assert len(steps["text"]) == steps["count"]
    json.dumps(data)


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_pair_is_explained(key, kind):
    """Each pair has a sentence, the same from both ends, and the correct steps at which it is adjacent."""
    result = learnt(key, kind)
    for x, y in combinations(range(len(result.names)), 2):
        explained = explanation(result, (x, y), DATA[kind])
        assert ("is in the graph" in explained.headline) == bool(result.graph.skeleton[x, y])
        assert explained.sentences
        assert all(sentence.endswith(".") for sentence in explained.sentences)
        first, last = interval(result, x, y)
        assert (first <= choice_step(result) < last) == bool(result.graph.skeleton[x, y])


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_record_is_complete(key, kind):
    """Each event has a sentence, a run has at most three callouts, and the page knows all modes, parts and pictures."""
    result = learnt(key, kind)
    own = kind_of(result)
    assert all(event_sentence(result, event).text(result.names) for event in result.trace)
    assert len(callouts(result)) <= 3
    for make in own.tables.values():
        rows = make(result, result.graph)
        assert len(rows.table().columns)
        assert len(rows.table()) == len(rows.matching())
        assert all(len(key) == len(rows.i) for key in rows.keys.values())
    modes = own.slider_modes(result)
    assert modes.default in modes.labels
    assert set(modes.labels) <= set(MODES)
    assert set(own.parts(result)) <= set(PARTS)
    assert set(own.beside(result)) <= set(BESIDE)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_variables_are_placed_by_the_result_and_what_left_it_for_good(key, kind):
    """Every edge keeps its mark, even if the search removed it temporarily, so that arrows point down in layers."""
    result = learnt(key, kind)
    kept, wider = result.graph.skeleton, layout_graph(result)
    assert np.array_equal(wider.amat[kept], result.graph.amat[kept])
    assert np.array_equal(wider.amat[~kept], wider.amat.T[~kept])
    assert wider.n_edges - result.graph.n_edges <= max(2, result.graph.p // 5)
    height = layout(wider)[:, 1]
    if consistent_extension(wider).valid:
        assert all(height[i] < height[j] for i, j in wider.directed_edges())


@pytest.mark.deep
def test_every_kind_of_run_occurs():
    """Every kind belongs to a learner, and its record has all fields."""
    assert {learnt(*case.values).kind for case in CASES} == set(FAMILY_OF_KIND)
    kinds = [kind_named(name) for name in FAMILY_OF_KIND]
    assert all(isinstance(kind, Kind) for kind in kinds)
    assert all(getattr(kind, field.name) is not None for kind in kinds for field in fields(Kind))


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_a_quiz_asks_what_the_result_says(key, kind):
    """Each answer follows from the run, has words and a reason, and is not revealed by the picture."""
    result = learnt(key, kind)
    asked = questions(result, 12, seed=1)
    assert asked or not result.graph.n_edges
    for one in asked:
        right = one.choices[one.answer]
        assert says(result, one, right), one
        assert not [k for k, other in enumerate(one.choices) if k != one.answer and other == right]
        labels = [choice_label(one, k, result.names) for k in range(len(one.choices))]
        assert len(set(labels)) == len(labels)
        assert question_sentence(one, result).endswith("?")
        assert reveal(one, result)
        json.dumps(quiz_view(one, result.names, np.zeros((len(result.names), 2))))


def says(result, one, right):
    """Return True if the run confirms this answer."""
    graph, trace = result.graph, result.trace
    if one.topic in (Topic.LEAVES, Topic.JOINS):
        before, after = (trace.graph_at(one.step + k).skeleton for k in (0, 1))
        return [pair for pair in one.choices if before[pair] != after[pair]] == [right]
    if one.topic is Topic.SEPARATED:
        return one.shown.skeleton[one.about] and right == (
            None if graph.skeleton[one.about] else result.sepsets.between(*one.about)
        )
    if one.topic is Topic.COLLIDER:
        i, k, j = one.about
        return right == ({i, j} <= set(graph.parents(k))) and not one.shown.directed_edges()
    if one.topic is Topic.DIRECTION:
        ways = {None: "undirected", one.about: "forward", one.about[::-1]: "backward"}
        return graph.mark(*one.about) == ways[right] and one.shown.mark(*one.about) == "undirected"
    if one.topic is Topic.PROBABLE:
        return right[0] <= result.posterior.adjacent[one.about] <= right[1]
    if one.topic is Topic.ENDS:
        i, j = one.about
        ends = {0: "", 1: "circle", 2: "head", 3: "tail"}
        at_i, at_j = ends[int(graph.marks[j, i])], ends[int(graph.marks[i, j])]
        words = {
            ("tail", "head"): "forward",
            ("head", "tail"): "backward",
            ("circle", "head"): "circle-forward",
            ("head", "circle"): "circle-backward",
            ("head", "head"): "bidirected",
            ("circle", "circle"): "circles",
        }
        return words[at_i, at_j] == right
    if one.topic is Topic.SUPPORT:
        direction = result.directions[one.about]  # of odds: the choices name a limit of odds
        return direction.share is None and direction.support is right
    ranking = ranking_of(result)
    if ranking is not None:
        rank = {(pair.i, pair.j): pair.rank for pair in ranking}
        return rank[right] == min(rank[pair] for pair in one.choices)
    best = max if result.strengths.larger_is_stronger else min
    return result.strengths.values[right] == best(result.strengths.values[pair] for pair in one.choices)
