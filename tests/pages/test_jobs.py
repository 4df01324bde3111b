"""Runs of several sessions: messages about waiting and ended runs, and work in a worker."""

from __future__ import annotations

import dataclasses
import io
import subprocess
import sys

import pytest

from learners.common.process_pool import ProcessPool, TaskHandle
from learners.registry import learn
from learners.workers import remote
from pages.command import APP
from pages.session.jobs import dispatch, runner
from pages.session.jobs.log import COMPLETE, LOST, RunLog
from tests import processes
from tests.pages.driving import errors, finish_run, go, markup, open_app, plain, press, sound, title
from tests.pages.test_brai import learnt, part
from tests.pages.test_what_if import open_strip


@pytest.fixture
def one_place(house):
    """Limit the server to one active run."""
    house.allowed = dataclasses.replace(house.allowed, jobs=1)


@pytest.mark.deep
@pytest.mark.usefixtures("one_place")
def test_a_run_waits_for_a_free_place_and_says_so(slow_runs):
    """The second visitor sees the number of runs ahead; the second run begins when the first has ended."""
    one, two = open_app("learn"), open_app("learn")
    press(one, "learn_run")
    press(two, "learn_run")
    assert "Waiting in the queue: 1 run before yours" in markup(sound(two))
    slow_runs()
    finish_run(one)
    finish_run(two)
    assert two.session_state["runs"][-1].result.complete


@pytest.mark.usefixtures("one_place", "slow_runs")
def test_a_run_that_waits_can_be_cancelled():
    """A run that is cancelled while it waits never begins; the page is unchanged and shows no error."""
    one, two = open_app("learn"), open_app("learn")
    press(one, "learn_run")
    press(two, "learn_run")
    press(two, "learn_cancel")
    sound(finish_run(two))
    assert len(two.session_state["runs"]) == 1
    assert errors(two) == []
    press(one, "learn_cancel")
    finish_run(one)


@pytest.mark.deep
@pytest.mark.usefixtures("slow_runs")
def test_a_run_over_its_time_says_the_limit_and_keeps_what_it_has(house):
    """The Learn page shows the limit and how to change it, and lists the partial result."""
    at = press(open_app("learn"), "learn_run")
    house.allowed = dataclasses.replace(house.allowed, seconds=1e-9)
    house.look()
    sound(finish_run(at))
    assert title(at) == "Learn a graph"
    (actual,) = errors(at)
    assert actual.startswith("The run was ended after")
    assert actual.endswith("; the partial result is saved.")
    assert not at.session_state["runs"][-1].result.complete
    assert errors(sound(go(at, "inspect"))) == []


@pytest.mark.usefixtures("slow_runs")
def test_cancel_is_answered_at_once():
    """The rerun of the click already shows the answer, before the next poll of the run."""
    at = press(press(open_app("learn"), "learn_run"), "learn_cancel")
    assert at.session_state["job"] is None
    assert not at.session_state["runs"][-1].result.complete
    assert not at.button(key="learn_run").disabled


@pytest.mark.usefixtures("slow_runs")
def test_a_run_that_began_again_on_another_worker_says_so():
    at = press(open_app("learn"), "learn_run")
    at.session_state["under_way"].running = running = TaskHandle()
    running.lost = 1
    assert any("restarted after a worker was lost" in text for text in markup(sound(at.run())))
    press(at, "learn_cancel")


@pytest.fixture
def one_worker(house, monkeypatch):
    """Give every run to a worker, and record the outcomes."""
    house.allowed = dataclasses.replace(house.allowed, workers=1)
    pool, kept = Noting(1), RunLog(io.StringIO())
    monkeypatch.setattr(dispatch, "SHORT", 0.0)
    monkeypatch.setattr(dispatch, "make_ready", lambda: None)
    monkeypatch.setattr(dispatch, "workers", lambda: pool)
    monkeypatch.setattr(runner, "record", lambda: kept)
    yield kept, pool.done
    pool.close()


class Noting(ProcessPool):
    """Worker processes that record their tasks."""

    def __init__(self, kept: int) -> None:
        super().__init__(kept)
        self.done: list[str] = []

    def stream(self, work, *given, **options):
        self.done.append(work.__name__)
        return super().stream(work, *given, **options)


@pytest.mark.deep
def test_what_if_and_calibration_are_done_by_a_worker(one_worker):
    """A worker computes values, other data and tables; the graphs equal those of local runs."""
    done = one_worker[1]
    at = open_strip(sample="asia")
    strip = at.session_state["sweep"]
    assert done == ["_swept", "_predicted"]  # on all rows; then on the training rows, scored on held-out rows
    for value, graph in zip(strip.axis.values[:3], strip.graphs[:3], strict=True):
        params = {**strip.run.result.params, "edge_penalty": value}
        assert graph == learn(strip.run.result.method, strip.run.dataset, **params).graph
    at = open_strip("data columns", sample="asia")
    assert None not in at.session_state["sweep"].graphs
    assert set(done[2:]) == {"_learned"}
    at = press(part(learnt("exact_posterior"), "posterior", "Calibration"), "inspect_calibrate")
    if "calibration_job" in at.session_state:
        at.session_state["calibration_job"][1].wait(60)
        sound(at.run())
    assert done[-1] == "_calibrated"
    assert at.session_state["runs"][-1].data["own_calibration"].n_tables == 20


@pytest.mark.deep
def test_other_priors_and_the_best_three_are_worked_out_by_a_worker(one_worker):
    done = one_worker[1]
    at = press(part(learnt("order_mcmc", steps=500, run_on=0), "posterior", "Prior"), "inspect_priors")
    if "priors_job" in at.session_state:
        at.session_state["priors_job"][1].wait(120)
        sound(at.run())
    assert done[-1] == "_under_priors"
    assert len(at.session_state["runs"][-1].data["priors"].posteriors) == 3
    at = press(open_app("learn", sample="asia"), "learn_try")
    if at.session_state["trial_job"]:
        at.session_state["trial_job"].wait(120)
        sound(at.run())
    assert done[-1] == "_tried"
    assert len(at.session_state["trial"][1].tried) == 3


def test_a_long_run_is_done_by_a_worker(one_worker):
    """The page looks the same as with a local run."""
    kept, _ = one_worker
    at = press(open_app("learn"), "learn_run")
    sound(finish_run(at))
    assert at.session_state["runs"][-1].result.complete
    assert dict(kept.ends) == {("pc", COMPLETE): 1}
    assert errors(sound(go(at, "inspect"))) == []


def runs_it():
    """Start a run on the Learn page."""
    at = press(open_app("learn"), "learn_run")
    return sound(finish_run(at))


def calibrates():
    """Start the calibration on the Inspect page."""
    at = press(part(learnt("exact_posterior"), "posterior", "Calibration"), "inspect_calibrate")
    if "calibration_job" in at.session_state:
        at.session_state["calibration_job"][1].wait(60)
        at.run()
    return sound(at)


def tries():
    """Try the best three learners on the Learn page."""
    at = press(open_app("learn", sample="asia"), "learn_try")
    if job := at.session_state["trial_job"]:
        job.wait(60)
        at.run()
    return sound(at)


def sweeps():
    """Sweep a parameter on the Inspect page."""
    return sound(open_strip(sample="asia"))


OTHERS = ((tries, "_tried"), (sweeps, "_swept"), (sweeps, "_predicted"), (calibrates, "_calibrated"))
LOST_WORKER = [(runs_it, "_learned"), *(pytest.param(*one, marks=pytest.mark.deep) for one in OTHERS)]


@pytest.mark.deep
@pytest.mark.parametrize(("ask", "work"), LOST_WORKER)
def test_a_killed_worker_loses_only_its_own_run(one_worker, monkeypatch, ask, work):
    """The page shows how the process ended; the session continues, and the next run gets another worker."""
    kept, _ = one_worker
    with monkeypatch.context() as broken:
        broken.setattr(remote, work, processes.killed)
        at = ask()
    assert any("ended unexpectedly (signal 9)" in plain(text) for text in markup(at)), markup(at)
    at = press(go(at, "learn"), "learn_run")
    sound(finish_run(at))
    assert errors(at) == []
    assert at.session_state["runs"][-1].result.complete
    assert sum(n for (_, end), n in kept.ends.items() if end == LOST) == (work == "_learned")


@pytest.mark.parametrize("workers", [0, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.usefixtures("one_worker")
def test_a_run_without_memory_ends_in_a_sentence(house, monkeypatch, workers):
    """A run that exceeds the memory, in a worker or in the app, ends in an error message; the next run succeeds."""
    house.allowed = dataclasses.replace(house.allowed, workers=workers)
    with monkeypatch.context() as broken:
        broken.setattr(remote, "_learned", processes.out_of_memory)
        broken.setattr(runner, "learn", processes.out_of_memory)
        at = runs_it()
    assert len(errors(at)) == 1
    assert "needs more memory than its process can get" in errors(at)[0]
    sound(finish_run(press(at, "learn_run")))
    assert errors(at) == []
    assert at.session_state["runs"][-1].result.complete


@pytest.mark.deep
def test_a_look_at_a_run_collects_no_rubbish(tmp_path):
    """A full collection after each script would stop every thread, so `edgewise app` disables it in any folder."""
    ask = (
        "import streamlit.config as config; "
        f"config._main_script_path = {str(APP)!r}; print(config.get_option('runner.postScriptGC'))"
    )
    output = subprocess.run([sys.executable, "-c", ask], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert output.stdout.split()[-1] == "False"
