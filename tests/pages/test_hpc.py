"""HPC and H2PC in the app: the target variable, other tests, and why a pair is adjacent or separated."""

from __future__ import annotations

import pytest

from tests.pages.driving import go, learn_now, markup, open_app, plain, press, sound, unfold


def chosen(learner):
    """Return the form of a learner for the sample `child`."""
    return press(go(press(open_app(), "start_sample_child"), "learn"), f"learn_choose_{learner}")


def run_of(at):
    return at.session_state["runs"][at.session_state["current"]]


def read(at):
    """Return all text of the page."""
    return plain("\n".join(markup(at)))


def explained(at, x, y):
    """Return the explanation of a pair on Inspect."""
    names = run_of(at).result.names
    at = go(at, "inspect")
    unfold(at).selectbox(key="why_x").set_value(names.index(x))
    at.selectbox(key="why_y").set_value(names.index(y))
    return read(sound(at.run()))


@pytest.mark.deep
def test_variable_to_search_around_is_chosen_from_the_columns():
    """Only the target's neighbors are drawn; the callout names its Markov blanket, and the title names the target."""
    at = chosen("hpc_target")
    at.selectbox(key="learn_hpc_target_target").set_value("Disease").run()
    at = sound(learn_now(at))
    run = run_of(at)
    assert run.result.params["target"] == "Disease"
    assert "Disease" in run.title
    t = run.result.names.index("Disease")
    assert {k for edge in run.result.graph.edges() for k in edge} - {t} == set(run.result.graph.adjacent(t))
    assert "Its Markov blanket holds" in read(go(at, "inspect"))
    assert "LVH is a neighbour of Disease" in explained(at, "Disease", "LVH")


@pytest.mark.deep
@pytest.mark.parametrize("learner", ["hpc", "h2pc"])
def test_pair_is_explained_by_both_ends(learner):
    """Two sentences explain the ends of the pair, and one the conclusion."""
    at = sound(learn_now(chosen(learner)))
    text = explained(at, "Disease", "LVH")
    assert "LVH is a neighbour of Disease" in text
    assert "Disease is a neighbour of LVH" in text
    assert ("So the search could add this edge" in text) == (learner == "h2pc")


@pytest.mark.deep
def test_other_tests_can_be_chosen():
    """The shrinkage test reaches the learner."""
    at = chosen("h2pc")
    at.selectbox(key="learn_h2pc_test").set_value("shrinkage").run()
    assert run_of(sound(learn_now(at))).result.params["test"] == "shrinkage"
