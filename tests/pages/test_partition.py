"""Partitioned runs in the app: colored clusters, their tree and table, and a comparison with PC's calls."""

from __future__ import annotations

import threading

import pytest

from learners.common.errors import DataError
from learners.io.samples import load_sample
from learners.registry import learn
from pages.blocks.inspect import partition
from pages.session.jobs import progress_with_cancel
from tests.pages.driving import finish_run, go, learn_now, open_app, plain, press, sound, table, upload
from tests.viz.cases import HOSTILE
from viz.phgs.calls import calls_of_pc, settings_of_pc

PARTS = ("Clusters", "Dendrogram", "Statistical calls")
BUTTON = "inspect_count_pc"


def learnt(key="ppc", sample="asia"):
    """Open Inspect with a partitioned run; PC has no run on asia yet."""
    at = go(press(open_app(), f"start_sample_{sample}"), "learn")
    return sound(learn_now(press(at, f"learn_choose_{key}")))


def run_of(at):
    return at.session_state["runs"][at.session_state["current"]]


def part(at, name):
    key = next(one.key for one in at.get("button_group") if one.key.endswith("_part"))
    return sound(at.segmented_control(key=key).set_value(name).run())


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown, *at.error))


def keys(at, kind):
    return {one.key for one in at.get(kind)}


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("key", ["ppc", "path", "phgs"])
@pytest.mark.parametrize("name", PARTS)
def test_every_part_can_be_opened(key, name):
    """Table, tree and bars each have an explanation."""
    at = part(learnt(key), name)
    captions = {"Clusters": "within 2 clusters of related variables", "Dendrogram": "The dashed line cuts the tree"}
    assert captions.get(name, "The cost of a run on any machine") in words(at)
    assert any("cluster" in one.value.columns for one in at.dataframe) == (name == "Clusters")


@pytest.mark.deep
@pytest.mark.parametrize("page", ["start", "inspect"])
def test_clusters_are_shown_at_a_toggle(page):
    """The toggle is off at first; it also applies to the other page and to the network view."""
    at = go(learnt(), page)
    assert not at.toggle(key="by_cluster").value
    sound(at.toggle(key="by_cluster").set_value(True).run())
    other = "start" if page == "inspect" else "inspect"
    assert go(at, other).toggle(key="by_cluster").value
    go(at, "inspect")
    sound(at.segmented_control(key="inspect_view").set_value("Network").run())
    assert "first letter of a name is its cluster: A 4, B 4" in words(at)
    sound(at.toggle(key="by_cluster").set_value(False).run())
    assert "first letter of a name is its cluster" not in words(at)


def test_other_runs_know_nothing_of_clusters():
    """A run of PC shows neither toggle nor parts."""
    at = open_app("inspect")
    assert "by_cluster" not in keys(at, "toggle")
    assert "inspect_partition_part" not in keys(at, "button_group")


def test_calls_of_pc_are_counted_and_the_result_stays():
    """One click counts PC's calls; no run is added, and the screen is unchanged."""
    at = part(learnt(), "Statistical calls")
    before = len(at.session_state["runs"])
    run = run_of(at)
    sound(press(at, BUTTON))
    expected = calls_of_pc(learn("pc", run.dataset, **settings_of_pc(run.result)))
    assert run_of(at).data["pc_calls"] == expected
    assert run_of(at).number == run.number
    assert len(at.session_state["runs"]) == before
    assert f"PC-stable {sum(expected.values()):,}" in words(at)
    assert BUTTON not in keys(at, "button")
    assert "pc_job" not in at.session_state


@pytest.mark.deep
def test_run_of_pc_in_the_history_is_taken():
    """The sample already has a PC run at the same alpha, so nothing is left to count."""
    learnt_with_pc = learn_now(press(open_app("learn", sample="child"), "learn_choose_pc"))
    at = part(sound(learn_now(press(go(learnt_with_pc, "learn"), "learn_choose_ppc"))), "Statistical calls")
    assert BUTTON not in keys(at, "button")
    assert f"PC-stable {learn('pc', load_sample('child').dataset).n_tests:,}" in words(at)


@pytest.mark.deep
def test_run_of_pc_with_other_settings_is_not_taken():
    """PATH tests at 0.1, so the PC run at 0.05 does not provide its count."""
    assert BUTTON in keys(part(learnt("path", "child"), "Statistical calls"), "button")


@pytest.fixture
def held(monkeypatch):
    """Make PC wait until the event is set or it is cancelled."""
    go_on = threading.Event()

    def slowly(key, dataset, *, tick, **rest):
        while not go_on.wait(0.01) and tick("level 0", 0, 0):
            pass
        return learn(key, dataset, tick=tick, **rest)

    monkeypatch.setattr(partition, "learn", slowly)
    monkeypatch.setattr(progress_with_cancel, "AT_ONCE", 0.01)
    yield go_on
    go_on.set()


@pytest.mark.deep
def test_long_count_runs_beside_the_page(held):
    """The count shows its progress, and then its bar."""
    at = sound(press(part(learnt(), "Statistical calls"), BUTTON))
    assert "PC-stable, level 0" in at.get("progress")[-1].proto.text
    assert BUTTON not in keys(at, "button")
    held.set()
    assert at.session_state["pc_job"][1].wait(30)
    assert "fewer" in words(sound(at.run())) or "more" in words(at)


@pytest.mark.deep
def test_cancelled_count_can_be_asked_for_again(held):
    """A cancelled count keeps no result."""
    at = sound(press(part(learnt(), "Statistical calls"), BUTTON))
    job = at.session_state["pc_job"][1]
    press(at, "inspect_cancel_pc")
    assert job.wait(30)
    sound(at.run())
    assert "pc_calls" not in run_of(at).data
    assert BUTTON in keys(at, "button")
    assert not held.is_set()


def test_count_that_fails_says_why(monkeypatch):
    """One error message is shown, and the button stays."""

    def fails(*_, **__):
        raise DataError("found no rows; load some")

    at = part(learnt(), "Statistical calls")
    monkeypatch.setattr(partition, "learn", fails)
    sound(press(at, BUTTON))
    assert "Found no rows; load some." in words(at)
    assert BUTTON in keys(at, "button")


@pytest.mark.deep
def test_hostile_names_are_text_in_every_part():
    """Markup in a name is shown literally."""
    header = list(HOSTILE[:4])
    rows = [[("no", "yes")[(k >> shift) % 2] for shift in range(4)] for k in range(160)]
    at = go(upload(open_app("data"), table(rows, header)), "learn")
    at = sound(finish_run(press(press(at, "learn_choose_ppc"), "learn_run")))
    sound(at.toggle(key="by_cluster").set_value(True).run())
    for name in PARTS:
        part(at, name)
