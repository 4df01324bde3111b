"""Variables that determine one another have no direction in any slider mode, whatever its graphs say."""

from __future__ import annotations

import numpy as np
import pytest

from pages.blocks.inspect import graphs
from tests.pages.driving import finish_run, go, open_app, press, sound, table, upload
from viz.kinds import kind_of

SUM = [{"a", "total"}, {"b", "total"}]


def a_sum() -> bytes:
    """Return a table with two numbers, their sum, a cause of one of them, and an answer that depends on the sum."""
    rng = np.random.default_rng(44)
    cause, b = rng.normal(size=300), rng.integers(0, 10, 300)
    a = np.clip(cause * 2 + rng.normal(5, 1, 300), 0, 9).astype(int)
    effect = np.where(a + b + rng.normal(0, 2, 300) > 10, "yes", "no")
    rows = zip(cause.round(3), a, b, a + b, effect, strict=True)
    return table([list(row) for row in rows], ("cause", "a", "b", "total", "effect"))


@pytest.fixture
def drawn(monkeypatch):
    """Return the data of all graphs that Inspect draws."""
    found, draw = [], graphs.graph_view

    def record(data, **options):
        found.append(data)
        return draw(data, **options)

    monkeypatch.setattr(graphs, "graph_view", record)
    return found


def learned(learner: str):
    """Open Inspect with a run of a learner on the table."""
    at = go(upload(open_app("data"), a_sum(), "sum.csv"), "learn")
    at.session_state["learner"] = learner
    return sound(go(finish_run(press(at.run(), "learn_run")), "inspect"))


def check(data) -> None:
    """Assert that edges of the sum have no direction, and that their direction never differs from another one."""
    ends = [node["label"] for node in data["nodes"]]
    edges = [edge for edge in data["edges"] if {ends[edge["a"]], ends[edge["b"]]} in SUM]
    assert edges
    assert all(edge.get("determined") for edge in edges)


@pytest.mark.deep
@pytest.mark.parametrize("learner", ["pc", "phgs", "score_path", "exact_posterior", "bootstrap"])
def test_a_sum_has_no_direction_in_any_slider_mode(learner, drawn):
    """The modes of each kind of run."""
    at = learned(learner)
    run = at.session_state["runs"][-1]
    for mode in kind_of(run.result).slider_modes(run.result).labels:
        at.session_state[f"{run.result.method}_mode"] = mode
        sound(at.run())
        check(drawn[-1])


def test_a_sum_has_no_direction_in_a_sweep(drawn):
    """Nor is its direction called new at another value."""
    at = learned("ges")
    number = at.session_state["runs"][-1].number
    at.selectbox(key=f"what_if_{number}").select("data columns").run()
    assert at.session_state["sweep"].job.wait(60)
    sound(at.run())
    assert drawn[-1]["steps"]["what_if"]
    check(drawn[-1])
    strip = at.session_state["sweep"]
    assert any(graph.directed_edges() for graph in strip.graphs)
    names = strip.run.result.names
    pairs = [{names[i], names[j]} for graph in strip.directed_graphs() for i, j in graph.directed_edges()]
    assert all(pair not in pairs for pair in SUM)


@pytest.mark.deep
@pytest.mark.parametrize(("rule", "is_known"), [("know_apart", False), ("know_along", True)])
def test_a_sum_has_a_direction_after_a_change_only_if_the_user_gave_it(rule, is_known, drawn):
    at = learned("pc")
    at.session_state["pair"] = ("a", "total") if is_known else ("cause", "effect")
    sound(press(sound(at.run()), rule))
    at.run()
    run = at.session_state["runs"][-1]
    assert at.session_state["temporary_mode"] == (run.number, "changes")
    if not is_known:
        check(drawn[-1])
        return
    ends = [node["label"] for node in drawn[-1]["nodes"]]
    marked = [{ends[edge["a"]], ends[edge["b"]]} for edge in drawn[-1]["edges"] if edge.get("determined")]
    assert {"a", "total"} not in marked
