"""Laws of the records in `viz.kinds`, for every learner on samples of both kinds."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from learners.data.plan import default_plan
from learners.data.prepare import prepare
from learners.data.tables import read_table
from learners.graphs.graph import PDAG
from learners.io.samples import SAMPLES, load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.simulate import sample
from learners.registry import LEARNERS, learn
from learners.results.result import LearnResult
from pages.blocks.inspect.parts import PARTS
from pages.blocks.inspect.walks import WALKS
from pages.blocks.inspect.why import BESIDE
from viz.callouts import callouts
from viz.explain import explain
from viz.kind import Kind
from viz.kinds import KINDS, kind_of
from viz.steps import choice_step, graph_at, last_step, layout_graph

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


def drawn(data: dict, step: int) -> PDAG:
    """The graph that the spans draw at a step."""
    amat = np.zeros((len(data["nodes"]),) * 2, dtype=bool)
    for edge in data["edges"]:
        for begin, end, mark, *_ in edge["spans"]:
            if begin <= step < end:
                amat[edge["a"], edge["b"]], amat[edge["b"], edge["a"]] = MARKS[mark]
    return PDAG(amat)


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_step_draws_its_graph(key, kind):
    """The last step of a trace, and the choice of an elimination, is the result; each step is one event further."""
    result, data = learnt(key, kind), picture(key, kind)
    directed = kind_of(result).walks(result).labels.keys() != {"moves"}  # the dots of LMM stand on skeletons
    steps = data["steps"]
    assert steps["offset"] + steps["choice"] == choice_step(result)
    assert steps["offset"] + steps["count"] - 1 == last_step(result)
    for step in range(steps["count"]):
        shown, graph = drawn(data, step), graph_at(result, step + steps["offset"])
        assert shown == graph if directed else np.array_equal(shown.skeleton, graph.skeleton)
    final = drawn(data, steps["choice"])
    assert final == result.graph if directed else np.array_equal(final.skeleton, result.graph.skeleton)
    assert len(steps["text"]) == steps["count"]
    json.dumps(data)


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_pair_is_explained(key, kind):
    """Joined or not: a sentence at least, the same told from either end, and steps at which the pair is joined."""
    result = learnt(key, kind)
    for x, y in combinations(range(len(result.names)), 2):
        told = explain(result, x, y, DATA[kind])
        assert ("is kept" in told.headline) == bool(result.graph.skeleton[x, y])
        assert told.sentences
        assert all(sentence.endswith((".", ").")) for sentence in told.sentences)
        first, last = told.interval
        assert (first <= choice_step(result) < last) == bool(result.graph.skeleton[x, y])


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_record_is_complete(key, kind):
    """Each event a sentence, no more than three callouts, every table; walks, parts and pictures are on the page."""
    result = learnt(key, kind)
    own = kind_of(result)
    assert all(own.sentence(event, result.names) for event in result.trace)
    assert len(callouts(result)) <= 3
    for make in own.tables.values():
        rows = make(result, result.graph)
        assert len(rows.table().columns)
        assert len(rows.table()) == len(rows.matching())
        assert all(len(key) == len(rows.i) for key in rows.keys.values())
    walks = own.walks(result)
    assert walks.default in walks.labels
    assert set(walks.labels) <= set(WALKS)
    assert set(own.parts(result)) <= set(PARTS)
    assert set(own.beside(result)) <= set(BESIDE)
    assert np.array_equal(layout_graph(result).skeleton | result.graph.skeleton, layout_graph(result).skeleton)


def test_every_kind_of_run_occurs():
    """No record that no learner leads to, and no learner without one."""
    assert {learnt(*case.values).kind for case in CASES} == set(KINDS)
    assert all(isinstance(kind, Kind) for kind in KINDS.values())
    assert all(getattr(kind, field.name) is not None for kind in KINDS.values() for field in fields(Kind)[:4])
