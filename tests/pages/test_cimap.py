"""CImap in the app: thresholds without a rerun, power, the order of tests, and other column orders."""

from __future__ import annotations

import pytest

from tests.pages.driving import finish_run, go, learn_now, open_app, plain, press, sound

PARTS = ("Threshold", "Order of tests", "Column order", "Power")


def learnt(preset="P-1"):
    at = press(go(press(open_app(), "start_sample_asia"), "learn"), "learn_choose_cimap")
    at.selectbox(key="learn_cimap_preset").set_value(preset).run()
    return sound(learn_now(at))


def part(at, name):
    return sound(at.segmented_control(key="inspect_cimap_part").set_value(name).run())


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown))


@pytest.mark.deep
@pytest.mark.parametrize("preset", ["P-1", "P-2", "MI2", "PN1"])
def test_every_part_and_both_slider_modes_can_be_shown(preset):
    """Every part opens for runs of every kind."""
    at = learnt(preset)
    for name in PARTS:
        part(at, name)
    sound(at.segmented_control(key="cimap_mode").set_value("cuts").run())
    assert "Drag the slider or the line" in words(at)


@pytest.mark.deep
def test_q_and_line_answer_from_stored_numbers():
    """Another q shows how many edges it keeps, and no run is added."""
    at = learnt()
    before = words(at)
    key = f"inspect_q_{at.session_state['runs'][-1].number}"
    at.select_slider(key=key).set_value(1e-6).run()
    strict = words(sound(at))
    assert "At q = 1e-6" in strict
    assert strict != before
    assert len(at.session_state["runs"]) == 2


@pytest.mark.deep
def test_other_orders_are_learnt_and_compared():
    """One click adds a run for each order of the columns; then the section compares these runs."""
    at = part(learnt(), "Column order")
    at = press(at, "inspect_orders")
    while at.session_state["job"] is not None:
        at = finish_run(at)
    runs = at.session_state["runs"]
    assert [run.result.params["twf"] for run in runs[-2:]] == ["off", "off"]
    assert runs[-1].result.names == runs[-2].result.names[::-1]
    at.selectbox(key="inspect_run").set_value(len(runs) - 3).run()
    assert "Columns in order: " in words(part(at, "Column order"))
